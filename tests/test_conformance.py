# SPDX-License-Identifier: MIT
"""The case files are right, a spoilt case is not; the command line as real processes."""

from __future__ import annotations

import copy
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

import reference
from case_runner import CLASSIC, OPTIONS, Case, load_cases
from reference.notation import read_cards, read_grid, read_move
from skyjo_core import Rules
from skyjo_core._core import RULE_WORDS
from skyjo_core.case import case_faults, players_of
from skyjo_core.conformance import Difference, main, run_case, run_cases

CLASSIC_CASES = load_cases(CLASSIC)
OPTION_CASES = load_cases(OPTIONS)
CASES = {case["id"]: case for case in [*CLASSIC_CASES, *OPTION_CASES]}
RIGHT, WRONG = CASES["C41"], CASES["C41"] | {"id": "X1", "want": {"points": {"A": 7, "B": 4}}}
STEPS = ["draw"] + [
    f"{verb} r{r}c{c}" for verb in ("flip", "take", "place") for r in "123" for c in "1234"
]


def keys_of(case: object) -> list[str]:
    return [difference.key for difference in run_case(case)]


# The files


def test_the_files_hold_every_kind_and_every_id_once() -> None:
    assert len(CLASSIC_CASES) == 43
    assert len(CASES) == len(CLASSIC_CASES) + len(OPTION_CASES)
    kinds = {"starter", "position", "final_count", "score", "doubling_options", "game_end", "game"}
    assert {case["kind"] for case in CLASSIC_CASES} == kinds
    assert {case["kind"] for case in OPTION_CASES} == kinds


@pytest.mark.parametrize("id_", CASES)
def test_case_is_right(id_: str) -> None:
    assert run_case(CASES[id_]) == []


def test_every_option_that_shows_in_a_case_has_one() -> None:
    """Each value of each word, both of each switch, and a change of each number.

    Left out: `start_later`, for no case deals a second round; what is the default is in
    classic.json.
    """
    given: dict[str, list[Any]] = {}
    for case in OPTION_CASES:
        for name, value in case.get("rules", {}).items():
            given.setdefault(name, []).append(value)
    defaults = Rules().to_dict()
    assert set(defaults) - set(given) == {"game", "start_later"}
    for name, values in given.items():
        if name in RULE_WORDS:
            assert set(values) | {defaults[name]} == set(RULE_WORDS[name]), name
        assert any(value != defaults[name] for value in values), name
    assert {json.dumps(deck) for deck in given["deck"]} > {'"numbers105"'}
    assert None in given["threshold"]
    assert None in given["stall_limit"]


# The same cases on the reference


OPENING = {id_ for id_, case in CASES.items() if case.get("phase") == "FLIP"}
# Chance decides between several; the reference then names nobody.
BY_CHANCE = {"O23"}


@pytest.mark.parametrize("id_", sorted(set(CASES) - OPENING - BY_CHANCE))
def test_case_is_right_on_the_reference(id_: str) -> None:
    assert reference.run_case(CASES[id_]) == []


def opening_on_the_reference(case: Case) -> reference.ReferenceRound:
    """The case's deck is dealt, what lies open is turned up, then its steps are played."""
    rules = reference.complete(case.get("rules"))
    players = players_of(case)
    grids = [read_grid(rules, text) for text in case["grids"].values()]
    deck = [value for grid in grids for value, _ in grid if value is not None]
    deck += read_cards(case["discard"]) + read_cards(case["draw"])
    played = reference.ReferenceRound(rules, len(grids), deck)
    steps = [(players.index(step.split()[0]), step.split()[1:]) for step in case["steps"]]
    for seat, grid in enumerate(grids):
        for cell, (_, state) in enumerate(grid):
            if state == "up":
                played.apply(cell)
        while steps and steps[0][0] == seat == played.seat and played.phase == "FLIP":
            played.apply(read_move(rules, steps.pop(0)[1]), random_choice=min)
    for seat, words in steps:
        assert seat == played.seat
        played.apply(read_move(rules, words))
    return played


@pytest.mark.parametrize("id_", sorted(OPENING))
def test_opening_is_right_on_the_reference(id_: str) -> None:
    case = CASES[id_]
    want, seat_of = case["want"], players_of(case).index
    played = opening_on_the_reference(case)
    assert played.phase == want["phase"]
    if "turn" in want and "starter" not in case:
        assert played.seat == seat_of(want["turn"])
    if "legal_count" in want:
        assert len(played.legal_moves()) == want["legal_count"]
    for player, text in want.get("grids", {}).items():
        assert played.grids[seat_of(player)] == read_grid(played.rules, text)
    assert [str(card) for card in played.discard] == want.get("discard", case["discard"])
    if "closer" in want:
        assert played.closer == (None if want["closer"] is None else seat_of(want["closer"]))


# Spoilt cases


def spoilt(case: Case, key: str) -> Any:
    """Another value for a wanted key, one of the form that the key has."""
    value, players = case["want"][key], players_of(case)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if key == "phase":
        return "HOLD" if value == "TURN" else "TURN"
    if key in ("starter", "turn", "closer"):
        return next(player for player in players if player != value)
    if key in ("tied", "winners"):
        return [player for player in players if player not in value] or players[:1]
    if key == "last_turns_left":
        return players[:1] if value != players[:1] else players[1:2]
    if key == "grids":
        return {player: changed_cell(grid) for player, grid in value.items()}
    if key in ("discard", "draw"):
        return [*value, "0"]
    if key == "hand":
        return "0" if value != "0" else "1"
    if key == "legal_has":
        return [*value, "drop"]
    if key == "legal_has_not":
        return [*value, next(step for step in STEPS if is_legal(case, step))]
    return with_numbers_changed(value)


def is_legal(case: Case, step: str) -> bool:
    return run_case({**case, "want": {"legal_has": [step]}}) == []


def changed_cell(grid: str) -> str:
    first, _, rest = grid.partition(" ")
    return f"{'12' if first != '12' else '11'} {rest}"


def with_numbers_changed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: with_numbers_changed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_numbers_changed(item) for item in value]
    return value + 1


@pytest.mark.parametrize("id_", CASES)
def test_each_spoilt_wish_is_named_and_no_other(id_: str) -> None:
    case = CASES[id_]
    for key in case["want"]:
        spoilt_case = {**case, "want": case["want"] | {key: spoilt(case, key)}}
        assert case_faults(spoilt_case) == []
        keys = keys_of(spoilt_case)
        assert keys, key
        assert all(name.split(".")[:2] == ["want", key] for name in keys)


# Kinds in detail


def starter(open_cards: dict[str, list[int]], want: dict[str, Any], **rules: Any) -> list[str]:
    case = {"id": "1", "title": "", "kind": "starter", "open": open_cards, "rules": rules}
    return [str(difference) for difference in run_case({**case, "want": want})]


TIED: dict[str, list[int]] = {"A": [6, 4], "B": [12, -2], "C": [12, -2], "D": [1, 2]}


@pytest.mark.parametrize(
    ("start_tie", "allowed"),
    [
        ("max_card_then_seat", "B"),
        ("seat", "A"),
        ("max_card_then_random", "BC"),
        ("random", "ABC"),
    ],
)
def test_without_the_tied_anybody_whom_chance_may_choose_is_right(
    start_tie: str, allowed: str
) -> None:
    """A, B and C have 10; B and C the 12."""
    for player in TIED:
        differences = starter(TIED, {"starter": player}, start_tie=start_tie)
        assert (differences == []) == (player in allowed)
    assert differences == [f"want.starter: expected 'D', got {', '.join(allowed)}"]


@pytest.mark.parametrize("start_tie", ["max_card_then_random", "random"])
def test_with_the_tied_the_default_tie_break_is_right(start_tie: str) -> None:
    for player in TIED:
        want = {"tied": ["C", "A", "B"], "starter": player}
        assert (starter(TIED, want, start_tie=start_tie) == []) == (player == "B")


@pytest.mark.parametrize("tied", [["A", "B"], ["A", "B", "C", "D"], ["D"]])
def test_the_tied_are_compared_as_a_set(tied: list[str]) -> None:
    assert starter(TIED, {"tied": ["C", "B", "A"]}) == []
    assert starter(TIED, {"tied": tied}) == [f"want.tied: expected {tied}, got ['A', 'B', 'C']"]


def test_the_first_seat_or_anybody_starts_where_the_cards_do_not_count() -> None:
    for player in TIED:
        assert (starter(TIED, {"starter": player}, start_first="seat") == []) == (player == "A")
        assert starter(TIED, {"starter": player}, start_first="random") == []


def test_open_cards_are_of_the_deck_and_any_number() -> None:
    assert starter({"A": [13, 1], "B": [1, -3]}, {"starter": "A"}) == [
        f"open: expected cards of the deck {tuple(range(-2, 13))}, got [-3, 13]"
    ]
    assert starter({"A": [-1], "B": [], "C": [0]}, {"starter": "C", "tied": ["B", "C"]}) == []


def test_names_not_their_order_decide_in_a_game() -> None:
    case = copy.deepcopy(CASES["C64"])
    entry = case["rounds"][1]
    entry["raw"] = dict(reversed(entry["raw"].items()))
    assert run_case(case) == []
    swapped = CASES["C59"] | {"points": {"B": 9, "A": 4}}
    assert run_case(swapped) == []
    assert run_case(CASES["O58"] | {"raw": [{"B": 10, "A": 10}, {"A": 7, "B": 4}]}) == []


def test_winners_are_a_set_and_wanted_only_of_a_game_that_is_over() -> None:
    case = CASES["C62"]
    assert run_case({**case, "want": {"winners": ["B", "A"]}}) == []
    (difference,) = run_case({**CASES["C58"], "want": {"winners": ["B"]}})
    assert str(difference) == "want.winners: expected ['B'], got none: the game is not over"


def test_a_round_after_the_end_of_the_game_is_a_fault() -> None:
    case = copy.deepcopy(CASES["C64"])
    case["rounds"].append(case["rounds"][0])
    assert [str(difference) for difference in run_case(case)] == [
        "rounds: expected no round once the game is over, got 5 of them, over after 4"
    ]


# What is unknown


@pytest.mark.parametrize(
    ("id_", "change", "key"),
    [
        ("C41", {"kind": "bidding"}, "kind"),
        ("C41", {"closers": "A"}, "closers"),
        ("C41", {"want": {"winners": ["A"]}}, "want.winners"),
        ("C64", {"want": {"over": True}}, "want.over"),
        ("C40", {"want": {"discard": []}}, "want.discard"),
        ("C12", {"row": ["PEEK"]}, "row"),
        ("C12", {"want": {"raw_now": {"A": 1}}}, "want.raw_now"),
        ("C12", {"rules": {"star_claim": "off"}}, "rules"),
        ("C12", {"rules": {"game": "chess"}}, "rules"),
        ("C12", {"rules": {"threshold": "100"}}, "rules"),
        ("C12", {"rules": {"rows": 9}}, "rules"),
        ("C12", {"rules": {"game": "action"}}, "rules.game"),
        ("C12", {"illegal": ["A swap r1c1"]}, "illegal"),
        ("C12", {"steps": ["A swap r1c1"]}, "steps"),
    ],
)
def test_what_is_unknown_is_a_fault(id_: str, change: dict[str, Any], key: str) -> None:
    assert keys_of(CASES[id_] | change) == [key]


def test_rules_may_name_the_game_and_every_fault_of_them_is_told() -> None:
    assert run_case(RIGHT | {"rules": {"game": "classic"}}) == []
    (difference,) = run_case(RIGHT | {"rules": {"treshold": 5, "double": "never"}})
    assert "no field 'treshold', nearest: threshold" in difference.got
    assert "double: expected one of" in difference.got


def test_an_id_that_stands_twice_is_a_fault_of_the_second() -> None:
    results = run_cases([RIGHT, WRONG, RIGHT, 5, {**RIGHT, "id": 5}])
    assert [(result.number, result.id) for result in results] == [
        (1, "C41"),
        (2, "X1"),
        (3, "C41"),
        (4, None),
        (5, None),
    ]
    keys = [[difference.key for difference in result.differences] for result in results]
    assert keys == [[], ["want.points"], ["id"], ["case"], ["id"]]


# Mutations


def places_in(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys or indexes."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in items:
        yield tree, key
        if isinstance(value, (dict, list)):
            yield from places_in(value)


POOL: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 1.0, 1.5, 12, 13, 100, 2**31, 2**70, "", "A", "B", "Z", "x"),
    *("0", "-2", "12", "13", "h5", "*", ".", "OVER", "FLIP", "HOLD", "random", "off", "A drop"),
    *("A draw", "B draw", "A take r1c1", "A place r1c1", "draw", "drop", "flip r1c1", "A swap"),
    *([], {}, [[]], ["A"], ["5", "5"], [5], {"A": 1}, {"A": 1, "B": 2}, {"game": "action"}),
]
NAMES = sorted(
    {key for case in CASES.values() for key in (*case, *case["want"], *case.get("rules", ()))}
)


def mutated(rng: random.Random) -> Case:
    """A case with one to three changes somewhere in its tree."""
    case = copy.deepcopy(rng.choice(list(CASES.values())))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        container, key = rng.choice(list(places_in(case)))
        change = rng.choice(("other", "other", "near", "near", "near", "gone", "more", "move"))
        if change == "other":
            container[key] = copy.deepcopy(rng.choice(POOL))
        elif change == "near":
            container[key] = near(container[key], rng)
        elif change == "gone":
            del container[key]
        elif isinstance(container, list):
            container.insert(rng.randrange(len(container) + 1), container[key])
            if change == "move":
                container.pop(rng.randrange(len(container)))
        else:
            container[rng.choice([*NAMES, "C"])] = copy.deepcopy(
                rng.choice([container[key], *POOL])
            )
    return case


def near(value: Any, rng: random.Random) -> Any:
    """A value that is nearly the same."""
    if isinstance(value, bool) or value is None:
        return rng.choice((True, False, None))
    if isinstance(value, (int, float)):
        return value + rng.choice((-1, 1))
    if isinstance(value, str):
        words = value.split(" ")
        words[rng.randrange(len(words))] = rng.choice((*words, "A", "B", "5", "h5", ".", "r2c2"))
        return " ".join(words)
    items = list(value.items() if isinstance(value, dict) else value)
    rng.shuffle(items)
    return dict(items) if isinstance(value, dict) else items


def accepts_on_the_reference(case: Case) -> bool:
    want = dict(case["want"])
    for key in {"tied", "winners"} & set(want):  # sets; the reference has them in seat order
        want[key] = sorted(want[key], key=players_of(case).index)
    case = {**case, "want": want}
    try:
        return reference.run_case(case) == []
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
        return False  # the reference is written for well-formed cases


def is_stricter(difference: Difference) -> bool:
    """The reference reads some rules, cards, positions and steps that are none."""
    return difference.key in ("rules", "open", "grids") or difference.expected.startswith("steps")


def is_beyond_the_reference(case: Case) -> bool:
    """What only one of the two can judge; see the notes of run_case and the tests above."""
    rules = case.get("rules", {})
    return (
        case.get("phase") == "FLIP"
        or (case["kind"] == "starter" and rules.get("start_first", "highest_sum") != "highest_sum")
        or (case["kind"] == "starter" and "random" in rules.get("start_tie", ""))
        or (case["kind"] == "position" and is_left_to_chance(case))
    )


def is_left_to_chance(case: Case) -> bool:
    """A pile may have been made anew in an order that the case does not list."""
    eager = case.get("rules", {}).get("reshuffle_timing") == "eager"
    n_draws = sum(step.endswith(" draw") for step in case.get("steps", []))
    return len(case["draw"]) < n_draws + eager and len(case.get("reshuffles", [])) < 1


@pytest.mark.parametrize("n_cases", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_mutated_cases_never_raise_and_are_judged_as_by_the_reference(n_cases: int) -> None:
    """Changed cases; where the form is right and chance has no say both agree."""
    rng = random.Random(1)
    n_right = n_compared = 0
    for _ in range(n_cases):
        case = mutated(rng)
        differences = run_case(json.loads(json.dumps(case)))
        assert all(str(difference) for difference in differences)
        if case_faults(case) or any(is_stricter(difference) for difference in differences):
            assert differences
        elif not is_beyond_the_reference(case):
            n_compared += 1
            n_right += not differences
            assert accepts_on_the_reference(case) == (not differences), (case, differences)
    assert n_compared > n_cases / 5
    assert n_right > n_cases / 10


# The command line, as real processes


Done = subprocess.CompletedProcess[str]


def conformance(*words: object, cwd: Path, **more: Any) -> Done:
    """The command in a process of its own; never with a traceback."""
    command = [sys.executable, "-W", "error", "-m", "skyjo_core.conformance", *map(str, words)]
    more = {"capture_output": True, "encoding": "utf-8", **more}
    done = subprocess.run(command, cwd=cwd, timeout=60, check=False, **more)
    assert "Traceback" not in done.stdout + done.stderr
    return done


def write(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_right_files_are_counted(tmp_path: Path) -> None:
    done = conformance(CLASSIC, OPTIONS, cwd=tmp_path)
    n = len(CASES)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{n} cases right, 0 wrong\n", "")


def test_wrong_cases_are_told_and_the_status_is_1(tmp_path: Path) -> None:
    write(tmp_path / "mine.json", [RIGHT, WRONG, 5])
    done = conformance("mine.json", CLASSIC, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "mine.json: X1: 7 against 4",
        "  want.points: expected {'A': 7, 'B': 4}, got {'A': 14, 'B': 4}",
        "mine.json: case 3: without a title",
        "  case: expected an object with id, title, kind and want, got 5",
        "44 cases right, 2 wrong",
    ]


def unreadable(tmp_path: Path) -> dict[str, str]:
    """Names of files that cannot be read, each with a part of the reason."""
    (tmp_path / "folder").mkdir()
    texts = {
        "empty": ("", "no JSON"),
        "half": ("[1, 2", "no JSON"),
        "object": ("{}", "got dict"),
        "nan": ("[NaN]", "no JSON"),
        "deep": ("[" * 100_000, "too deep"),
    }
    for name, (text, _) in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "latin").write_bytes(b'["\xe9"]')
    reasons = {name: reason for name, (_, reason) in texts.items()}
    return reasons | {"latin": "UTF-8", "folder": "Is a directory", "missing": "No such file"}


def test_files_that_cannot_be_read_are_named_and_the_others_run(tmp_path: Path) -> None:
    reasons = unreadable(tmp_path)
    write(tmp_path / "mine.json", [RIGHT, WRONG])
    done = conformance(*reasons, "mine.json", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1] == "1 cases right, 1 wrong"
    lines = done.stderr.splitlines()
    for (name, reason), line in zip(reasons.items(), lines, strict=True):
        assert line.startswith(f"python -m skyjo_core.conformance: {name}: expected ")
        assert reason in line


def test_a_file_without_permission_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Made up, for root may read everything."""

    def refuse(path: Path, mode: str) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert main(["mine.json"]) == 2
    reason = "mine.json: expected a case file, got: Permission denied"
    assert capsys.readouterr().err == f"python -m skyjo_core.conformance: {reason}\n"


def test_an_endless_file_is_named() -> None:
    done = conformance("/dev/zero", cwd=Path.cwd())
    assert (done.returncode, done.stdout) == (2, "0 cases right, 0 wrong\n")
    assert "/dev/zero: expected a case file of at most 67108864 bytes, got more" in done.stderr


def test_a_name_that_no_file_has_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a\0b"]) == 2
    assert r"a\x00b: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "status", "last"),
    [
        (json.dumps([RIGHT]), 0, "1 cases right, 0 wrong"),
        ("\ufeff" + json.dumps([WRONG]), 1, "0 cases right, 1 wrong"),
        ("", 2, "0 cases right, 0 wrong"),
        ("[]", 0, "0 cases right, 0 wrong"),
    ],
)
def test_a_dash_is_standard_input(text: str, status: int, last: str, tmp_path: Path) -> None:
    done = conformance("-", cwd=tmp_path, input=text)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (status, last)


def test_json_is_one_object_on_standard_output(tmp_path: Path) -> None:
    write(tmp_path / "mine.json", [RIGHT, WRONG, {"id": 5}])
    done = conformance("mine.json", "missing", "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.count("\n") == 1
    assert done.stderr.splitlines()[-1] == "1 cases right, 2 wrong"
    result = json.loads(done.stdout)
    assert {key: result[key] for key in ("format", "right", "wrong", "unreadable")} == {
        "format": "skyjo-conformance/1",
        "right": 1,
        "wrong": 2,
        "unreadable": [
            {"file": "missing", "reason": "expected a case file, got: No such file or directory"}
        ],
    }
    first, second, third = result["cases"]
    title = "7 against 4"
    assert first == {
        "file": "mine.json",
        "number": 1,
        "id": "C41",
        "title": title,
        "differences": [],
    }
    assert second["differences"] == [
        {"key": "want.points", "expected": "{'A': 7, 'B': 4}", "got": "{'A': 14, 'B': 4}"}
    ]
    assert (third["number"], third["id"], third["title"]) == (3, None, None)


def test_help_tells_defaults_and_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"], prog="skyjo conformance")
    assert caught.value.code == 0
    text = capsys.readouterr().out
    for part in ("usage: skyjo conformance", "(default: no)", "examples:", "standard input"):
        assert part in text


@pytest.mark.parametrize("words", [[], ["--jsn", "x"], ["--js", "x"]])
def test_usage_errors_have_status_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert capsys.readouterr().err.endswith("try: python -m skyjo_core.conformance --help\n")


def test_what_moves_the_cursor_is_shown_and_any_text_is_printed(tmp_path: Path) -> None:
    title = "\x1b[2J bell\a\nline \ud800 \u00e9"
    write(tmp_path / "mine.json", [{**WRONG, "title": title}])
    done = conformance("mine.json", cwd=tmp_path, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == r"mine.json: X1: \x1b[2J bell\x07\nline \ud800 \xe9"


def test_an_interrupt_ends_it_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(path: Path, mode: str) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "open", interrupt)
    assert main(["mine.json"]) == 130
    assert capsys.readouterr().err == "python -m skyjo_core.conformance: interrupted\n"


def test_a_long_text_is_cut() -> None:
    """A case of a million characters is told in a line that can be read."""
    for case in (
        {**RIGHT, "closer": "A" * 10**6},
        {**RIGHT, "rules": {"double": "x" * 10**6}},
        {**CASES["C12"], "grids": {"A": "1 " * 10**6, "B": "2"}},
    ):
        (difference,) = run_case(case)
        assert len(str(difference)) < 3000


def test_nobody_has_to_listen(tmp_path: Path) -> None:
    write(tmp_path / "mine.json", [{**WRONG, "id": str(i)} for i in range(2000)])
    command = f"{sys.executable} -m skyjo_core.conformance mine.json | head -1"
    done = subprocess.run(
        ["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert re.fullmatch(r"mine.json: 0: 7 against 4\n", done.stdout)
