# SPDX-License-Identifier: MIT
"""One game between bots: results, faults and what is told of them, the record."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path
from typing import Any

import pytest

from arena import BROKEN, FAULTY, HEALTHY, WATCHING
from random_rules import random_rules
from reference import check_record, places_with_forfeits
from skyjo_core import Bot, PlayedGame, Rng, Rules, View, play_game
from skyjo_core.loader import BrokenBotError


def first(view: View) -> int:
    return view.legal_moves[0]


def faulty(kind: str, file: str = "answers.py", option: str = "kind", **more: Any) -> PlayedGame:
    """A game of a faulty bot of the corpus, in seat 1 of three."""
    bots = ["native:threshold", f"{FAULTY / file}:{option}={kind}", "native:random"]
    return play_game(bots, **{"seed": 5, **more})


def the_fault(played: PlayedGame) -> dict[str, Any]:
    """The one fault of a game."""
    (fault,) = played.faults
    return fault


# The result


@pytest.mark.parametrize("seed", range(30))
def test_a_record_as_a_line_is_the_record(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    seats = rng.randint(2, rules.max_seats)
    last = str(FAULTY / "illegal.py") if seed % 5 == 0 else "native:greedy"
    bots = ["native:random"] * (seats - 1) + [last]
    played = play_game(bots, seed, rules, on_fault="abort" if seed % 10 == 0 else "forfeit")
    assert played.record_line() == json.dumps(played.record(), separators=(",", ":")).encode()


def test_a_game_of_native_bots_is_theirs_by_seat() -> None:
    played = play_game(["native:threshold", "native:random", "native:threshold:limit=2"], seed=1)
    assert played.players == ("threshold#1", "random", "threshold#2")
    assert played.totals == played.game.totals
    ordered = sorted(range(3), key=played.totals.__getitem__)
    assert [played.places[seat] for seat in ordered] == [1, 2, 3]  # type: ignore[index]
    assert all(n > 10 for n in played.decisions)
    assert all(0 < seconds < 5 for seconds in played.seconds)


def test_the_time_in_a_bot_is_what_the_steady_clock_says() -> None:
    inside = [0.0]

    def busy(view: View) -> int:
        start = time.perf_counter()
        while time.perf_counter() - start < 0.0005:
            pass
        inside[0] += time.perf_counter() - start
        return view.legal_moves[0]

    start = time.perf_counter()
    played = play_game([busy, "native:threshold"], seed=1, rules=Rules(max_rounds=1))
    outside = time.perf_counter() - start
    # The engine's span encloses the bot's and lies in the whole: however slow the machine is.
    assert inside[0] * 0.998 <= played.seconds[0] <= outside * 1.002
    assert sum(played.seconds) <= outside * 1.002


def test_a_function_is_called_for_decisions_alone() -> None:
    views: list[Any] = []

    def choose_move(view: View) -> int:
        views.append((view.seat, view.phase))
        return view.legal_moves[0]

    played = play_game([choose_move, choose_move], seed=1)
    assert len(views) == sum(played.decisions)
    assert sum(seat == 0 for seat, _ in views) == played.decisions[0]


def test_a_seed_decides_the_whole_game() -> None:
    bots = [str(HEALTHY / "lucky.py"), "native:random"]
    records = [play_game(bots, seed=seed).record() for seed in (3, 3, 4)]
    assert records[0] == records[1]
    assert records[0]["rounds"][0]["deck"] != records[2]["rounds"][0]["deck"]


def test_seats_have_random_numbers_of_their_own() -> None:
    drawn: list[int] = []

    def draws(view: View, rng: Any) -> int:
        if view.round_number == 0 and len(view.moves) < 4:
            drawn.append(rng.getrandbits(64))
        return view.legal_moves[0]

    play_game([draws, draws], seed=1)
    play_game([draws, draws], seed=2)
    assert len(set(drawn)) == len(drawn) == 8


def test_rules_hold_in_the_game() -> None:
    played = play_game([first, first], rules=Rules(threshold=20))
    assert max(played.totals) >= 20
    assert played.record()["rules"]["threshold"] == 20


def test_decisions_are_counted_but_not_hooks() -> None:
    calls = []

    class Counts(Bot):
        def choose_move(self, view: View) -> int:
            calls.append("move")
            return view.legal_moves[0]

        def game_start(self, view: View) -> None:
            calls.append("start")

        def round_end(self, view: View) -> None:
            calls.append("round")

        def game_end(self, places: tuple[int, ...]) -> None:
            calls.append(f"end {places[0]}")

    played = play_game([Counts, "native:random"], seed=2)
    assert played.decisions[0] == calls.count("move")
    assert (calls[0], calls.count("start")) == ("start", 1)
    assert calls.count("round") == len(played.game.rounds)
    assert calls[-1] == f"end {played.places[0]}"  # type: ignore[index]


def test_a_game_without_faults_has_a_record_that_replays() -> None:
    played = play_game([HEALTHY / "lucky.py", "native:threshold", first], seed=9)
    record = json.loads(json.dumps(played.record()))
    assert check_record(record) == []
    assert record["players"] == ["lucky", "threshold", "first"]
    assert (record["faults"], record["end"], record["deal"]) == ([], "threshold", 0)


# Faults


@pytest.mark.parametrize(
    ("kind", "detail"),
    [
        ("none", r"answered None (NoneType), expected an int; legal: flip r1c1, "),
        ("float", r"answered 0.0 (float), expected an int; legal: "),
        ("bool", r"answered True (bool), expected an int; "),
        ("text", r"answered '0' (str), expected an int; "),
        ("list", r"answered [0] (list), expected an int; "),
        ("numpy_float", r"float64), expected an int; "),
        ("numpy_bool", r"True_ ("),
        ("unprintable", r"a Unprintable that cannot be printed (Unprintable), expected an int; "),
        ("enormous", r"that cannot be printed, expected one of the legal moves; legal: "),
        ("negative", r"answered -1, expected one of the legal moves; legal: flip r1c1, "),
        ("large", r"answered 1180591620717411303424, expected one of the legal moves; legal: "),
    ],
)
def test_an_answer_that_is_no_move_is_an_illegal_move(kind: str, detail: str) -> None:
    fault = the_fault(faulty(kind))
    assert fault | {"detail": ""} == {
        "round": 0,
        "move": 2,
        "seat": 1,
        "kind": "illegal_move",
        "detail": "",
    }
    assert detail in fault["detail"]
    assert fault["detail"].count("flip r") == 12


@pytest.mark.parametrize("kind", ["numpy_int", "numpy_int8"])
def test_any_integer_type_is_a_move(kind: str) -> None:
    played = faulty(kind)
    assert played.faults == []
    plain = play_game(["native:threshold", first, "native:random"], seed=5)
    assert played.record()["rounds"] == plain.record()["rounds"]


def test_an_illegal_move_is_told_by_its_name_with_the_legal_ones() -> None:
    def draws(view: View) -> int:
        return 36 if view.phase == 0 else view.legal_moves[0]

    fault = the_fault(play_game([draws, first]))
    assert fault["kind"] == "illegal_move"
    assert fault["detail"].startswith("answered 36 (draw), expected one of: flip r1c1, flip r2c1,")


@pytest.mark.parametrize(
    ("kind", "last_line"),
    [
        ("base", "Foundation: from the foundation"),
        ("exit", "SystemExit: 3"),
        ("generator", "GeneratorExit"),
        ("recursion", "RecursionError: maximum recursion depth exceeded"),
        ("unprintable", "Unprintable: <exception str() failed>"),
        ("surrogate", "ValueError: half a pair: \\ud800, a bell: \a, markup: [bold]x[/bold]"),
    ],
)
def test_whatever_a_bot_raises_is_its_fault(kind: str, last_line: str) -> None:
    fault = the_fault(faulty(kind, "strange_errors.py"))
    assert (fault["kind"], fault["move"]) == ("exception", 2)
    lines = fault["detail"].splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].startswith(f'  File "{FAULTY / "strange_errors.py"}", line ')
    assert last_line in lines[-1]
    fault["detail"].encode()


def test_a_long_detail_keeps_its_head_and_its_end() -> None:
    detail = the_fault(faulty("long", "strange_errors.py"))["detail"]
    assert len(detail) < 8100
    assert detail.startswith("Traceback (most recent call last):")
    assert "\n[...]\n" in detail
    assert "ValueError: long long" in detail
    assert detail.endswith("long long")


def test_ctrl_c_in_a_bot_is_the_users() -> None:
    def presses(view: View) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_game([presses, first])


@pytest.mark.parametrize("where", ["init", "game_start"])
def test_a_fault_before_the_first_move_is_one_of_move_0(where: str) -> None:
    played = faulty(where, "hooks.py", "where")
    fault = the_fault(played)
    assert (fault["round"], fault["move"], fault["kind"]) == (0, 0, "exception")
    assert fault["detail"].endswith(f"RuntimeError: raised in {where}")
    assert played.decisions[1] == 0


def test_a_fault_in_round_end_is_one_of_the_next_move() -> None:
    played = faulty("round_end", "hooks.py", "where", rules=Rules(threshold=300))
    assert len(played.game.rounds) > 1
    fault = the_fault(played)
    assert (fault["round"], fault["move"], fault["kind"]) == (1, 0, "exception")


def test_an_abort_in_round_end_is_one_at_the_next_move() -> None:
    rules = Rules(threshold=300)
    played = faulty("round_end", "hooks.py", "where", rules=rules, on_fault="abort")
    fault = the_fault(played)
    assert (fault["round"], fault["move"], fault["kind"]) == (1, 0, "exception")
    assert played.places is None
    assert [len(entry["moves"]) > 0 for entry in played.record()["rounds"]] == [True, False]


def test_a_fault_in_game_end_forfeits_too() -> None:
    played = faulty("game_end", "hooks.py", "where")
    fault = the_fault(played)
    last = len(played.game.rounds) - 1
    assert (fault["round"], fault["move"]) == (last, len(played.game.rounds[last].moves))
    assert played.places == tuple(
        places_with_forfeits(list(played.totals), {1})  # type: ignore[arg-type]
    )


def test_a_forfeiter_is_last_and_the_others_keep_their_places() -> None:
    # Its points are as good as they come: the threshold bot plays on for it from move 2.
    for seed in range(6):
        played = faulty("none", seed=seed)
        others = sorted((played.totals[seat], seat) for seat in (0, 2))
        places = {1: 3, others[0][1]: 1, others[1][1]: 1 if others[0][0] == others[1][0] else 2}
        assert played.places == (places[0], places[1], places[2])


def test_all_forfeiters_share_the_place_behind_the_rest() -> None:
    bad = str(FAULTY / "illegal.py")
    played = play_game([bad, "native:random", bad, bad], seed=2)
    assert played.places == (2, 1, 2, 2)
    assert [fault["seat"] for fault in played.faults] == [0, 1 + 1, 3]
    assert check_record(json.loads(json.dumps(played.record()))) == []


def test_nobody_without_a_fault_leaves_all_on_place_one() -> None:
    bad = str(FAULTY / "illegal.py")
    assert play_game([bad, bad]).places == (1, 1)


def test_a_bot_is_not_asked_again_after_its_fault() -> None:
    calls = []

    class Broken(Bot):
        def choose_move(self, view: View) -> int:
            calls.append("move")
            raise ValueError

        def round_end(self, view: View) -> None:
            calls.append("round")

        def game_end(self, places: tuple[int, ...]) -> None:
            calls.append("end")

    play_game([Broken, first])
    assert calls == ["move"]


@pytest.mark.parametrize(
    ("kind", "file", "option"),
    [
        ("none", "answers.py", "kind"),
        ("base", "strange_errors.py", "kind"),
        *((hook, "hooks.py", "where") for hook in ("init", "game_start", "round_end", "game_end")),
    ],
)
def test_a_game_with_a_fault_has_a_record_that_replays(kind: str, file: str, option: str) -> None:
    for seed in range(3):
        played = faulty(kind, file, option, seed=seed)
        record = json.loads(json.dumps(played.record()))
        assert check_record(record) == []
        assert record["faults"] == played.faults
        assert record["totals"] == list(played.totals)


def test_abort_stops_the_game_at_the_fault() -> None:
    played = faulty("none", on_fault="abort")
    assert played.aborted
    assert played.places is None
    record = json.loads(json.dumps(played.record()))
    assert check_record(record) == []
    assert (record["end"], record["places"]) == ("abort", None)
    assert len(record["rounds"][0]["moves"]) == 2


def test_abort_needs_no_fault() -> None:
    played = play_game([first, first], on_fault="abort")
    assert (played.aborted, played.faults) == (False, [])


# What is given


def test_what_on_fault_may_be_is_told() -> None:
    with pytest.raises(ValueError, match="on_fault: expected 'forfeit' or 'abort', got 'stop'"):
        play_game([first, first], on_fault="stop")


def test_a_folder_of_several_is_no_bot_for_a_seat() -> None:
    with pytest.raises(ValueError, match="expected one bot a seat, got a folder of 3"):
        play_game([HEALTHY, "native:random"])


def test_a_bot_that_cannot_be_loaded_is_told() -> None:
    with pytest.raises(BrokenBotError, match=r"raises_at_import\.py:5"):
        play_game([BROKEN / "raises_at_import.py", "native:random"])


def test_equal_names_are_numbered() -> None:
    assert play_game([first, first]).players == ("first#1", "first#2")
    named = lambda view: view.legal_moves[0]  # noqa: E731 - a bot without a name
    assert play_game([named, first]).players == ("lambda", "first")


def test_a_bot_object_knows_nothing_of_its_last_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTED", str(tmp_path / "counted"))
    from skyjo_core.loader import load_bot
    from skyjo_core.spec import parse_spec

    bot = load_bot(parse_spec(str(WATCHING / "counted.py"))[0])
    for seed in range(3):
        assert play_game([bot, bot], seed=seed).faults == []
    lines = [line.split()[0] for line in (tmp_path / "counted").read_text().splitlines()]
    assert lines == ["loaded", "setup"] + ["made"] * 6


def test_a_view_that_was_kept_stays_as_it_was() -> None:
    kept: list[View] = []
    texts: list[str] = []

    def keeps(view: View, rng: random.Random) -> int:
        kept.append(view)
        texts.append(str(view))
        return rng.choice(view.legal_moves)

    assert play_game([keeps, "native:random"]).faults == []
    assert [str(view) for view in kept] == texts


def test_a_file_is_loaded_once_however_often_it_plays(tmp_path: Path) -> None:
    """Its module counts its loads in a file; a changed file is loaded anew."""
    bot, loads = tmp_path / "counted.py", tmp_path / "loads"
    text = (
        f"with open({str(loads)!r}, 'a') as file:\n    file.write('x')\n"
        "def choose_move(view):\n    return view.legal_moves[0]\n"
    )
    bot.write_text(text)
    for seed in range(3):
        play_game([bot, bot], seed=seed)
    assert loads.read_text() == "x"
    bot.write_text(text + "\n")
    os.utime(bot, ns=(1, 1))
    play_game([bot, bot])
    assert loads.read_text() == "xx"


def test_an_argument_with_a_default_is_the_authors_own() -> None:
    """Random numbers go where they are asked for, not into an option of the function."""
    seen = []

    def limited(view: View, limit: int = 4) -> int:
        seen.append(limit)
        return view.legal_moves[0]

    def optional(view: View, rng: Rng | None = None) -> int:
        seen.append(type(rng).__name__)
        return view.legal_moves[0]

    assert play_game([limited, optional]).faults == []
    assert set(seen) == {4, "Rng"}
