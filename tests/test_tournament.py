# SPDX-License-Identifier: MIT
"""Tournaments from Python: API section 8, its last paragraph and all that it promises."""

from __future__ import annotations

import functools
import itertools
import json
import math
import multiprocessing
import os
import random
import signal
import sys
import types
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import BROKEN, FAULTY, HEALTHY, NEIGHBOURS, WATCHING, gone, wait_until, workers_of
from reference import check_record
from skyjo_core import Bot, Rules, View, tournament
from skyjo_core.loader import LoadedBot, load_bot
from skyjo_core.spec import BotSpec, parse_spec
from skyjo_core.tournament import BrokenBotsError, Settings, TournamentResult, enter, run
from skyjo_core.workers import WorkerLostError, WorkerPool

Record = dict[str, Any]
FIELD: list[Any] = [str(HEALTHY), "native:threshold"]
OPTIONS: dict[str, Any] = {"seats": 3, "deals": 4, "seed": 11}


def first(view: View) -> int:
    return view.legal_moves[0]


first_here = functools.partial(first)
first_here.__name__ = "first"  # type: ignore[attr-defined]


class Last(Bot):
    def choose_move(self, view: View) -> int:
        return view.legal_moves[-1]


def named(name: str) -> Any:
    """The bot of healthy/first.py as a function that only this process has."""
    choose = lambda view: view.legal_moves[0]  # noqa: E731 - the point of it
    choose.__name__ = name
    return choose


def loaded(word: object) -> LoadedBot:
    """A bot of the corpus, loaded in this process: it plays without a worker."""
    (spec,) = parse_spec(str(word))
    return load_bot(spec)


@pytest.fixture(scope="module")
def base() -> TournamentResult:
    """Four bots at tables of three, one worker: what all other ways of playing must equal."""
    return run(FIELD, workers=1, **OPTIONS)


@pytest.fixture(scope="module")
def forfeits(tmp_path_factory: pytest.TempPathFactory) -> tuple[TournamentResult, Path]:
    """Two faulty bots in a field of healthy ones, with a results folder."""
    out = tmp_path_factory.mktemp("forfeits") / "out"
    bots = [FAULTY / "raises.py", FAULTY / "illegal.py", FAULTY / "prints.py", *FIELD]
    return run(bots, seats=4, deals=2, seed=5, workers=2, out=out), out


@pytest.fixture
def no_new_processes() -> Iterator[None]:
    """Fails if processes that were started in a test outlive it."""
    before = workers_of(os.getpid())
    yield
    assert workers_of(os.getpid()) <= before


# The same result, however it is played


@pytest.mark.parametrize(
    "how",
    [
        {"workers": 2, "records": False, "skip_broken": True},
        {"workers": 4, "progress": "lines", "prior": 3.0, "anchor": ("first", 1000)},
    ],
    ids=str,
)
@pytest.mark.usefixtures("no_new_processes")
def test_how_a_tournament_is_run_does_not_change_the_digest(
    how: dict[str, Any], base: TournamentResult
) -> None:
    assert run(FIELD, **OPTIONS, **how).digest == base.digest


@pytest.mark.usefixtures("no_new_processes")
def test_the_digest_is_the_same_in_this_process(base: TournamentResult) -> None:
    bots = [named("first"), HEALTHY / "lucky.py", HEALTHY / "taker.py", "native:threshold"]
    result = run(bots, workers=2, **OPTIONS)
    assert result.digest == base.digest
    assert list(result.records()) == list(base.records())
    assert result.notes[0] == (
        "first cannot be imported by name: all games are played in this process, one by one"
    )


@pytest.mark.usefixtures("no_new_processes")
def test_the_digest_is_the_same_on_threads(base: TournamentResult) -> None:
    with ThreadPoolExecutor(2) as executor:
        assert run(FIELD, executor=executor, **OPTIONS).digest == base.digest


@pytest.mark.usefixtures("no_new_processes")
def test_the_digest_is_the_same_on_processes(base: TournamentResult) -> None:
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as executor:
        assert run(FIELD, executor=executor, **OPTIONS).digest == base.digest
        processes = [child.pid for child in multiprocessing.active_children()]
        workers = set.union(*(workers_of(process) for process in processes if process))
        assert 1 <= len(workers) <= 2
    wait_until(lambda: all(gone(worker) for worker in workers))


class Counting(Executor):
    """An executor of no special kind, which counts its tasks."""

    def __init__(self) -> None:
        self.n_tasks = 0

    def submit(self, task: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        self.n_tasks += 1
        future: Future[Any] = Future()
        future.set_result(task(*arguments, **options))
        return future


@pytest.mark.usefixtures("no_new_processes")
def test_an_executor_that_is_given_plays_native_bots_too() -> None:
    bots, options = ["native:random", "native:threshold"], {"deals": 10, "seed": 2}
    executor = Counting()
    assert run(bots, executor=executor, **options).digest == run(bots, **options).digest
    assert executor.n_tasks > 1


def test_a_seed_decides_the_tournament() -> None:
    one, same, other = (
        run([first_here, "native:random"], deals=3, seed=seed) for seed in (11, 11, 12)
    )
    assert one.digest == same.digest != other.digest
    assert list(one.records()) == list(same.records())
    decks = [
        {json.dumps(record["rounds"][0]["deck"]) for record in result.records()}
        for result in (one, other)
    ]
    assert not decks[0] & decks[1]


def test_a_seed_is_drawn_if_none_is_given() -> None:
    drawn = [run(["native:random", "native:threshold"], deals=1, seed=None) for _ in range(2)]
    assert drawn[0].settings.seed != drawn[1].settings.seed
    again = run(["native:random", "native:threshold"], deals=1, seed=drawn[0].settings.seed)
    assert again.digest == drawn[0].digest


def test_bots_that_use_the_global_generators_play_alike_everywhere() -> None:
    path = WATCHING / "global_random.py"
    there = run([path, "native:random"], deals=6, seed=3, workers=2)
    np.random.random()
    state, numpy_state = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[union-attr,index]
    here = run([loaded(path), "native:random"], deals=6, seed=3)
    assert here.digest == there.digest
    assert here.faults == []
    # The generators of this process are as they were.
    assert random.getstate() == state
    assert np.random.get_state()[1].tolist() == numpy_state  # type: ignore[union-attr,index]


# The schedule


def test_rounds_are_interleaved_and_deals_shared(base: TournamentResult) -> None:
    records = list(base.records())
    # C(4, 3) = 4 line-ups x 3 rotations on each of 4 deals, deal after deal.
    assert [record["deal"] for record in records] == [deal for deal in range(4) for _ in range(12)]
    for deal in range(4):
        of_deal = records[12 * deal : 12 * deal + 12]
        assert len({record["seed"] for record in of_deal}) == 1
        line_ups = [tuple(sorted(record["players"])) for record in of_deal]
        assert list(Counter(line_ups).values()) == [3] * 4
        # The block of one line-up is played before the next begins.
        assert len([a for a, b in itertools.pairwise(line_ups) if a != b]) == 3


def test_every_bot_has_every_seat_equally_often(base: TournamentResult) -> None:
    seats = Counter((bot, seat) for record in base.records() for seat, bot in seat_of(record))
    assert set(seats.values()) == {12}


def seat_of(record: Record) -> Iterator[tuple[str, int]]:
    return ((bot, seat) for seat, bot in enumerate(record["players"]))


@pytest.mark.parametrize(
    ("duplicate", "n_games"), [("rotate", 3 * 4), ("full", 3 * 2 * 4), ("off", 4)]
)
def test_duplicate_decides_the_seatings_of_a_block(duplicate: str, n_games: int) -> None:
    bots = ["native:random", "native:threshold", "native:threshold:limit=2"]
    result = run(bots, seats=3, deals=4, duplicate=duplicate)
    assert result.n_games == n_games == len(list(result.records()))


def test_a_gauntlet_is_the_first_bot_against_the_others() -> None:
    bots = ["native:random", "native:threshold", "native:threshold:limit=2"]
    result = run(bots, deals=3, format="gauntlet")
    assert all("random" in record["players"] for record in result.records())
    assert [line.games for line in result.standings if line.bot == "random"] == [12]
    table = result.crosstable
    one, other = table.bots.index("threshold#1"), table.bots.index("threshold#2")
    assert table.games[one, other] == 0


def test_fill_takes_the_seats_left_over() -> None:
    result = run([first_here, "native:threshold"], seats=4, deals=6, fill="native:random")
    assert {tuple(sorted(record["players"])) for record in result.records()} == {
        ("first", "random", "random", "threshold")
    }
    games = {line.bot: line.games for line in result.standings}
    assert games == {"first": 24, "threshold": 24, "random": 48}
    assert not np.diag(result.crosstable.games).any()


def test_a_fill_bot_that_is_not_needed_does_not_play() -> None:
    result = run(["native:random", "native:threshold"], deals=1, fill="native:random")
    assert [line.bot for line in result.standings] == ["threshold", "random"]
    assert result.notes[0].startswith("fill: there are bots enough for every seat")


def test_lanes_are_another_way_to_deal() -> None:
    bots = ["native:random"] * 2
    results = [run(bots, deals=1, seed=4, deck=deck) for deck in ("stack", "lanes")]
    assert [next(result.records())["deck_kind"] for result in results] == ["stack", "lanes"]
    assert results[0].digest != results[1].digest
    assert results[1].to_dict()["deck"] == "lanes"


# The result


def expected_standings(records: list[Record]) -> dict[str, dict[str, float]]:
    """Means by API section 8, worked out from the records alone."""
    values: dict[str, dict[str, list[float]]] = {}
    for record in records:
        places, totals = record["places"], record["totals"]
        at_fault = {fault["seat"] for fault in record["faults"]}
        for seat, bot in enumerate(record["players"]):
            tied = places.count(places[seat])
            mine = values.setdefault(bot, {"points": [], "win": [], "place": [], "forfeit": []})
            mine["points"].append(max(totals) if seat in at_fault else totals[seat])
            mine["win"].append(1 / tied if places[seat] == 1 else 0)
            mine["place"].append(places[seat] + (tied - 1) / 2)
            mine["forfeit"].append(seat in at_fault)
    return {
        bot: {
            "games": len(mine["points"]),
            "points_mean": sum(mine["points"]) / len(mine["points"]),
            "win_share": sum(mine["win"]) / len(mine["win"]),
            "place_mean": sum(mine["place"]) / len(mine["place"]),
            "forfeits": sum(mine["forfeit"]),
        }
        for bot, mine in values.items()
    }


def expected_crosstable(records: list[Record], bots: list[str]) -> dict[str, Any]:
    """The crosstable, worked out from the records alone."""
    size = len(bots)
    score, games, points = (np.zeros((size, size)) for _ in range(3))
    for record in records:
        places, totals = record["places"], record["totals"]
        at_fault = {fault["seat"] for fault in record["faults"]}
        for seat, other in ((a, b) for a in range(len(places)) for b in range(len(places))):
            i, j = bots.index(record["players"][seat]), bots.index(record["players"][other])
            if i == j:
                continue
            games[i, j] += 1
            points[i, j] += max(totals) if seat in at_fault else totals[seat]
            score[i, j] += (places[seat] < places[other]) + (places[seat] == places[other]) / 2
    tables = {"score": score, "games": games, "points": points}
    return {"bots": bots} | {name: table.tolist() for name, table in tables.items()}


@pytest.mark.parametrize("which", ["base", "forfeits"])
def test_standings_and_crosstable_are_those_of_the_records(
    which: str, base: TournamentResult, forfeits: tuple[TournamentResult, Path]
) -> None:
    result = base if which == "base" else forfeits[0]
    records = list(result.records())
    plain = json.loads(result.to_json())
    expected = expected_standings(records)
    assert len(plain["standings"]) == len(expected)
    for line in plain["standings"]:
        for key, value in expected[line["bot"]].items():
            assert line[key] == pytest.approx(value), (line["bot"], key)
    assert plain["crosstable"] == expected_crosstable(records, plain["crosstable"]["bots"])


def test_the_json_result_has_every_key_of_the_contract(
    forfeits: tuple[TournamentResult, Path],
) -> None:
    result, _ = forfeits
    text = result.to_json()
    assert "\n" not in text
    plain = json.loads(text, parse_constant=pytest.fail)
    assert list(plain) == [
        *("format", "standings", "crosstable", "digest", "seed", "deck", "duplicate", "faults"),
        *("bots", "rules", "seats", "deals", "schedule", "games"),
    ]
    assert plain["bots"].keys() == set(plain["crosstable"]["bots"])
    assert (plain["rules"]["threshold"], plain["schedule"]) == (100, "round-robin")
    assert (plain["format"], plain["seed"]) == ("skyjo-result/1", "5")
    assert (plain["deck"], plain["duplicate"]) == ("stack", "rotate")
    assert (plain["digest"], len(plain["digest"])) == (result.digest, 32)
    for line in plain["standings"]:
        assert list(line) == [
            *("bot", "rating", "rating_low", "rating_high", "games", "points_mean"),
            *("points_low", "points_high", "win_share", "place_mean", "forfeits"),
            "seconds_per_move",
        ]
        assert line["rating_low"] < line["rating"] < line["rating_high"]
        assert line["points_low"] < line["points_mean"] < line["points_high"]
        assert 0 < line["seconds_per_move"] < 1
    assert list(plain["crosstable"]) == ["bots", "score", "games", "points"]
    assert set(plain["crosstable"]["bots"]) == {line["bot"] for line in plain["standings"]}
    for fault in plain["faults"]:
        assert list(fault) == ["game", "bot", "round", "move", "seat", "kind", "detail"]


def test_standings_are_best_first_and_ratings_have_mean_0(base: TournamentResult) -> None:
    ratings = [line.rating for line in base.standings]
    assert None not in ratings
    assert ratings == sorted(ratings, reverse=True)  # type: ignore[type-var]
    assert sum(ratings) == pytest.approx(0, abs=1e-6)  # type: ignore[arg-type]
    assert base.standings[0].bot == "threshold"


def test_an_anchor_shifts_all_ratings() -> None:
    bots = ["native:random", "native:threshold", "native:threshold:limit=2"]
    plain, shifted = (run(bots, deals=9, anchor=anchor) for anchor in (None, ("random", 1500)))
    ratings = {line.bot: line.rating for line in shifted.standings}
    assert ratings["random"] == pytest.approx(1500)
    shifts = {ratings[line.bot] - line.rating for line in plain.standings}  # type: ignore[operator]
    assert max(shifts) - min(shifts) == pytest.approx(0, abs=1e-6)


def test_one_deal_has_no_intervals() -> None:
    result = run(["native:random", "native:threshold"], deals=1)
    for line in result.to_dict()["standings"]:
        assert [line[key] for key in ("rating", "rating_low", "rating_high")] == [None] * 3
        assert line["points_low"] is None
        assert line["points_mean"] is not None
    assert any("one deal: no intervals" in note for note in result.notes)


def test_few_deals_and_unbalanced_neighbours_are_told(base: TournamentResult) -> None:
    assert any("4 deals, few" in note for note in base.notes)
    odd = run(["native:random"] * 3, seats=3, deals=3)
    assert any("who sits after whom is not balanced" in note for note in odd.notes)


def test_a_result_as_text_names_what_was_played(base: TournamentResult) -> None:
    lines = str(base).splitlines()
    assert lines[0].startswith("4 bots, 3 seats, 4 deals, 48 games, rules classic-fr, stack deck")
    assert lines[0].endswith("seed 11")
    for line in base.standings:
        assert any(line.bot in text and f" {line.games} " in text for text in lines)


def test_records_come_in_schedule_order_as_often_as_they_are_asked_for(
    base: TournamentResult,
) -> None:
    once = list(base.records())
    assert once == list(base.records())
    assert len(once) == base.n_games == base.n_scheduled == 48


def test_without_records_there_are_none() -> None:
    result = run(["native:random"] * 2, deals=1, records=False)
    with pytest.raises(ValueError, match="records: expected a tournament run with records=True"):
        next(result.records())


@pytest.mark.parametrize("seats", [2, 3, 4, 8])
def test_records_of_a_tournament_replay(seats: int) -> None:
    check_records(seats, n_games=24)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 8])
@pytest.mark.parametrize("rules", [Rules(), Rules.preset("classic-en")], ids=["fr", "en"])
def test_two_hundred_records_of_a_tournament_replay(seats: int, rules: Rules) -> None:
    check_records(seats, n_games=200, rules=rules)


def check_records(seats: int, n_games: int, **options: Any) -> None:
    """Games of a bot that errs in some of them, checked by the reference."""
    hasty = loaded(f"{FAULTY / 'hasty.py'}:one_in=4")
    lucky = loaded(HEALTHY / "lucky.py")
    bots = [hasty, lucky, *["native:threshold", "native:random"] * 3][:seats]
    deals = -(-n_games // seats)
    result = run(bots, seats=seats, deals=deals, seed=seats, **options)
    records = list(result.records())
    assert len(records) >= n_games
    assert [check_record(record) for record in records] == [[]] * len(records)
    n_faults = sum(len(record["faults"]) for record in records)
    assert 0 < n_faults == len(result.faults) < len(records)


# Faults


def test_faults_forfeit_and_the_others_play_on(forfeits: tuple[TournamentResult, Path]) -> None:
    result, _ = forfeits
    forfeited = {line.bot: (line.forfeits, line.games) for line in result.standings}
    assert forfeited["illegal"][0] == forfeited["illegal"][1] > 0
    assert forfeited["raises"][0] == forfeited["raises"][1] > 0
    assert {bot for bot, (n, _) in forfeited.items() if n} == {"illegal", "raises"}
    assert {line.bot for line in result.standings[-2:]} == {"illegal", "raises"}
    kinds = {(fault["bot"], fault["kind"]) for fault in result.faults}
    assert kinds == {("illegal", "illegal_move"), ("raises", "exception")}


def test_places_of_a_forfeited_game_are_those_of_the_contract(
    forfeits: tuple[TournamentResult, Path],
) -> None:
    n_forfeited = 0
    for record in forfeits[0].records():
        at_fault = {fault["seat"] for fault in record["faults"]}
        n_forfeited += bool(at_fault)
        totals = record["totals"]
        others = [seat for seat in range(4) if seat not in at_fault]
        for seat in range(4):
            better = sum(totals[other] < totals[seat] for other in others)
            assert record["places"][seat] == (len(others) if seat in at_fault else better) + 1
    assert n_forfeited > 20


def test_the_log_tells_faults_with_their_tracebacks(
    forfeits: tuple[TournamentResult, Path],
) -> None:
    result, out = forfeits
    log = (out / "log").read_text()
    assert log.count("forfeits (exception)") + log.count("forfeits (illegal_move)") == len(
        result.faults
    )
    assert log.count("LookupError: no idea in turn six") == sum(
        fault["bot"] == "raises" for fault in result.faults
    )
    assert f'File "{FAULTY / "raises.py"}", line 7, in choose_move' in log


def test_what_bots_print_is_in_the_log_by_game(
    forfeits: tuple[TournamentResult, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    result, out = forfeits
    log = (out / "log").read_text()
    assert log.startswith("== loading prints\nprints: loaded\n")
    for number, record in enumerate(result.records()):
        heading = f"== game {number}: {', '.join(record['players'])}\n"
        if "prints" not in record["players"]:
            assert heading not in log
            continue
        text = log.partition(heading)[2].partition("== game ")[0]
        assert f"prints: game at seat {record['players'].index('prints')}\n" in text
    assert capfd.readouterr() == ("", "")


def test_the_folder_holds_the_result(forfeits: tuple[TournamentResult, Path]) -> None:
    result, out = forfeits
    assert sorted(path.name for path in out.iterdir()) == [
        *("log", "records.jsonl.gz", "result.json")
    ]
    assert json.loads((out / "result.json").read_text()) == result.to_dict()


@pytest.mark.parametrize("workers", [1, 3])
def test_abort_stops_at_the_first_fault_in_schedule_order(workers: int) -> None:
    bots = [f"{FAULTY / 'hasty.py'}:one_in=40", "native:random"]
    result = run(bots, deals=60, seed=5, workers=workers, on_fault="abort")
    assert len(result.faults) == 1
    assert result.faults[0]["game"] == result.n_games == 28  # change detector
    assert result.n_scheduled == 120
    last = list(result.records())[-1]
    assert (last["end"], last["places"]) == ("abort", None)
    assert check_record(last) == []


@pytest.mark.usefixtures("no_new_processes")
def test_a_bot_that_ends_its_process_stops_the_tournament_with_what_was_played(
    tmp_path: Path,
) -> None:
    bots = [WATCHING / "dies_in_play.py", "native:random"]
    with pytest.raises(WorkerLostError, match="ended with exit status 7:\nlast words in play"):
        run(bots, deals=500, workers=1, out=tmp_path / "out")
    assert json.loads((tmp_path / "out" / "result.json").read_text())["standings"]


# Bots of every kind


def test_bots_are_given_in_any_form() -> None:
    bots = [
        "native:threshold",
        HEALTHY / "first.py",
        str(NEIGHBOURS / "packaged"),
        BotSpec("native", "random"),
        first,
        Last,
        lambda view, rng: view.legal_moves[rng.below(len(view.legal_moves))],
        functools.partial(lambda back, view: view.legal_moves[-back], 1),
    ]
    result = run(bots, deals=1)
    assert {line.bot for line in result.standings} == {
        *("threshold", "first#1", "in a package", "random", "first#2", "Last", "lambda"),
        "partial",
    }
    assert result.faults == []
    assert result.notes[:4] == [
        "2 bots are named first: they play as first#1, first#2",
        f"first#1 is {HEALTHY / 'first.py'}",
        f"first#2 is {first.__module__}:first",
        "lambda, partial cannot be imported by name: all games are played in this process, one by "
        "one",
    ]


def test_functions_and_classes_of_a_module_play_in_workers() -> None:
    result = run([first, Last], deals=2, workers=1)
    assert {line.bot for line in result.standings} == {"first", "Last"}
    assert not any("cannot be imported" in note for note in result.notes)


def test_a_module_that_only_this_process_has_plays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("made_up_here")
    exec("def choose(view):\n    return view.legal_moves[0]\n", vars(module))
    monkeypatch.setitem(sys.modules, "made_up_here", module)
    result = run([module.choose, "native:random"], deals=1)
    assert any("choose cannot be imported by name" in note for note in result.notes)


def test_one_path_is_a_field_of_its_own() -> None:
    assert len(run(HEALTHY, deals=1, workers=1).standings) == 3


def test_options_reach_the_bots() -> None:
    good = "whole=-3,real=2.5,yes=true,no=false,word=some:thing=else"
    bots = [f"{WATCHING / 'options.py'}:{good}", "native:threshold:limit=4"]
    result = run(bots, deals=1, workers=1)
    assert result.faults == []


def test_neighbours_are_private() -> None:
    bots = [
        NEIGHBOURS / "left" / "left_bot.py",
        NEIGHBOURS / "right" / "right_bot.py",
        NEIGHBOURS / "packaged",
    ]
    result = run(bots, deals=2, workers=1)
    assert result.faults == []


def test_modules_are_loaded_once_a_process_and_bots_made_once_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTED", str(tmp_path / "counted"))
    result = run([WATCHING / "counted.py", HEALTHY / "first.py"], deals=40, workers=2)
    assert result.faults == []
    lines = [line.split() for line in (tmp_path / "counted").read_text().splitlines()]
    done = Counter((what, process) for what, process in lines)
    processes = {process for _, process in lines}
    assert 1 <= len(processes) <= 2
    assert {done[what, process] for what in ("loaded", "setup") for process in processes} == {1}
    assert sum(done["made", process] for process in processes) == 80


def test_two_bots_of_one_name_are_two_bots() -> None:
    bots = [HEALTHY / "first.py", HEALTHY / "first.py", HEALTHY / "lucky.py"]
    result = run(bots, deals=2, workers=1)
    assert {line.bot: line.games for line in result.standings} == {
        "first#1": 8,
        "first#2": 8,
        "lucky": 8,
    }
    assert "2 bots are named first: they play as first#1, first#2" in result.notes


# Bots that cannot be loaded


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    """Workers that look at bots."""
    with WorkerPool() as shared:
        yield shared


def test_all_broken_bots_are_told_together(pool: WorkerPool) -> None:
    with pytest.raises(BrokenBotsError) as caught:
        enter([BROKEN, *FIELD], pool=pool)
    files = sorted(BROKEN.glob("*.py"))
    assert len(caught.value.faults) == len(files)
    for path, fault in zip(files, caught.value.faults, strict=True):
        assert fault.startswith(str(path))


def test_skip_broken_leaves_them_out_with_a_note_for_each(pool: WorkerPool) -> None:
    entrants = enter([BROKEN, *FIELD], skip_broken=True, pool=pool)
    assert entrants.names == ("first", "lucky", "taker", "threshold")
    left_out = [note for note in entrants.notes if note.startswith("left out: ")]
    assert len(left_out) == len(list(BROKEN.glob("*.py")))


def test_skip_broken_needs_bots_that_are_left(pool: WorkerPool) -> None:
    with pytest.raises(BrokenBotsError):
        enter([BROKEN / "no_bot.py"] * 2, skip_broken=True, pool=pool)
    with pytest.raises(ValueError, match=r"(?s)at least 2 bots .*left out: .*no_bot\.py"):
        enter([BROKEN / "no_bot.py", "native:random"], skip_broken=True, pool=pool)


def test_a_fill_bot_that_is_broken_is_never_left_out(pool: WorkerPool) -> None:
    fill = BROKEN / "no_bot.py"
    with pytest.raises(BrokenBotsError, match=r"no_bot\.py"):
        enter(["native:random"], fill=fill, skip_broken=True, pool=pool)


def test_objects_that_cannot_play_are_broken_bots() -> None:
    with pytest.raises(BrokenBotsError, match=r"found <lambda>\(\)"):
        run([lambda: 36, "native:random"])
    result = run([lambda: 36, "native:random", "native:threshold"], deals=1, skip_broken=True)
    assert len(result.standings) == 2


def test_wrong_options_break_that_bot_alone(pool: WorkerPool) -> None:
    with pytest.raises(BrokenBotsError, match=r"class Taker does not take depth=3") as caught:
        enter([f"{HEALTHY / 'taker.py'}:depth=3", *FIELD], pool=pool)
    assert len(caught.value.faults) == 1


# What is given


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seats": 9}, "seats: expected 2 to 8 under these rules, got 9"),
        ({"seats": 1}, "seats: expected 2 to 8 under these rules, got 1"),
        ({"deals": 0}, "deals: expected at least 1, got 0"),
        ({"seed": -1}, r"seed: expected 0 to 2\*\*64 - 1, got -1"),
        ({"seed": 2**64}, r"seed: expected 0 to 2\*\*64 - 1, got 18446744073709551616"),
        ({"workers": 0}, "workers: expected 1 to 1024, got 0"),
        ({"workers": 10**30}, "workers: expected 1 to 1024, got 1000"),
        ({"prior": -1.0}, "prior: expected a number of virtual ties, 0 or from 1e-06 on, got -1"),
        ({"prior": math.nan}, "prior: .*, got nan"),
        ({"prior": math.inf}, "prior: .*, got inf"),
        ({"anchor": ("random", math.nan)}, r"anchor: expected a name and a finite rating, got \("),
        ({"duplicate": "all"}, "duplicate: expected rotate or full or off, got 'all'"),
        ({"format": "swiss"}, "format: expected round-robin or gauntlet, got 'swiss'"),
        ({"deck": "pile"}, "deck: expected stack or lanes, got 'pile'"),
        ({"on_fault": "stop"}, "on_fault: expected forfeit or abort, got 'stop'"),
        ({"anchor": ("nobody", 0.0)}, r"anchor: expected one of the bots \(random, threshold\), g"),
        ({"seats": 3}, "seats: expected at least 3 bots for 3 seats, got 2; add bots, or name one"),
        ({"fill": HEALTHY}, "fill: expected one bot, got 3"),
    ],
    ids=str,
)
def test_an_option_that_is_wrong_is_told_with_what_it_may_be(
    options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        run(["native:random", "native:threshold"], **options)


def test_all_wrong_options_are_told_at_once() -> None:
    with pytest.raises(ValueError, match=r"^seats: .*; deals: .*; workers: .*; deck: .*$"):
        Settings(seats=0, deals=-1, workers=0, deck="heap")


@pytest.mark.parametrize("name", ["seats", "deals", "seed", "workers"])
def test_whole_numbers_are_asked_for(name: str) -> None:
    with pytest.raises(TypeError, match=rf"{name}: expected a whole number, got 2\.0"):
        Settings(**{name: 2.0})  # type: ignore[arg-type]
    plain = getattr(Settings(**{name: np.int64(2)}), name)  # type: ignore[arg-type]
    assert (plain, type(plain)) == (2, int)


def test_what_is_no_bot_is_told() -> None:
    with pytest.raises(TypeError, match="bots: expected a spec, a path, a function or a Bot class"):
        run([7, "native:random"])


def test_ratings_that_are_not_determined_are_told() -> None:
    with pytest.raises(ValueError, match="with prior 0 no group of bots may win or lose every"):
        run(["native:random", "native:threshold"], deals=8, prior=0)


def test_more_deals_than_can_be_counted_are_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def gives_up(view: View) -> int:
        signal.raise_signal(signal.SIGINT)
        return view.legal_moves[0]

    with pytest.raises(KeyboardInterrupt):
        run([gives_up, "native:random"], deals=10**30)


# Ctrl-C


@pytest.mark.usefixtures("no_new_processes")
def test_ctrl_c_stops_a_bot_of_this_process_at_its_move(tmp_path: Path) -> None:
    calls = []

    class Presses(Bot):
        def game_start(self, view: View) -> None:
            calls.append("game")

        def choose_move(self, view: View) -> int:
            if len(calls) == 8:
                calls.append("pressed")
                signal.raise_signal(signal.SIGINT)
            assert "pressed" not in calls
            return view.legal_moves[0]

    with pytest.raises(KeyboardInterrupt):
        run([Presses, "native:random"], deals=1000, out=tmp_path / "out")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert calls == ["game"] * 8 + ["pressed"]
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    games = [line["games"] for line in result["standings"]]
    assert games[0] == games[1] < 8


def test_the_package_has_the_tournament_at_hand() -> None:
    assert tournament.run is run


def test_records_may_be_read_by_several_at_once() -> None:
    result = run(["native:threshold", "native:greedy"], deals=200, seed=1)
    whole = list(result.records())
    assert len(whole) == 400
    one, other = result.records(), result.records()
    for record in whole:
        assert next(one) == record
        assert next(other) == record
