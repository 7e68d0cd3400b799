# SPDX-License-Identifier: MIT
"""The rules hold on every path: the cases, and recorded games that the reference has played again.

`paths.PATHS` names the paths. What a path cannot play is counted here with the reason, so that no
case is left out silently; paths that play no case play recorded games, or have a test of their own.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import reference
from case_runner import CLASSIC, OPTIONS, load_cases
from fused_rounds import (
    COUNTED,
    IN_HAND,
    OPENING,
    OTHER_RULES,
    Found,
    fused_record,
    revealed,
)
from paths import (
    BY_SEED,
    NOBODY,
    OWN_MOVES,
    PATHS,
    PILE_ORDER,
    RANDOM_CARDS,
    MakeBot,
    Script,
    compiled,
    play_script,
    python_bot,
)
from reference import ReferenceGame, ReferenceRound
from skyjo_core import BatchGame, Game, Rules, _core, play_game, simulate
from test_reference import choose

CASES = {case["id"]: case for path in (CLASSIC, OPTIONS) for case in load_cases(path)}
RUNS = [
    (path, id_) for path in PATHS for id_, case in CASES.items() if not PATHS[path].why_not(case)
]
IN_A_MATCH = {"played": 67, COUNTED: 44, NOBODY: 5, PILE_ORDER: 2}
COUNTS = {
    "moves": {"played": 118},
    "python bots": IN_A_MATCH,
    "compiled bots": IN_A_MATCH,
    "native bots": {OWN_MOVES: 118},
    "simulation": {BY_SEED: 118},
    "batch": {BY_SEED: 118},
    "fused": {"played": 34, COUNTED: 44, OTHER_RULES: 32, OPENING: 6, IN_HAND: 2},
    "playouts": {RANDOM_CARDS: 118},
}


# Cases


@pytest.mark.parametrize(("path", "id_"), RUNS)
def test_case_is_right_on(path: str, id_: str) -> None:
    assert PATHS[path].run(CASES[id_]) == []


def test_what_a_path_leaves_out_is_counted_with_its_reason() -> None:
    reasons = {
        path: Counter(PATHS[path].why_not(case) or "played" for case in CASES.values())
        for path in PATHS
    }
    assert reasons == COUNTS


@pytest.mark.parametrize("make_bot", [python_bot, compiled])
def test_a_spoilt_case_is_wrong_in_a_match(make_bot: MakeBot) -> None:
    run = PATHS["python bots" if make_bot is python_bot else "compiled bots"].run
    case = CASES["C12"]
    assert run(case | {"want": {"turn": "B"}}) != []
    assert run(case | {"steps": []}) != []
    assert run(case | {"illegal": ["A place r1c1"]}) != []


def test_a_spoilt_case_is_wrong_in_the_fused_loop() -> None:
    run, case = PATHS["fused"].run, CASES["C52"]
    for key in ("raw", "points"):
        spoilt = case["want"][key] | {"Tom": 99}
        assert run(case | {"want": case["want"] | {key: spoilt}}) != []
    assert run(case | {"want": {"turn": "Tom"}}) != []
    with pytest.raises(ValueError, match=r"fused_round: turn \d: expected one that can be played"):
        run(case | {"draw": []})


# Recorded games


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game of the engine, and what the reference makes of its decks and moves."""

    game: Game
    record: dict[str, Any]
    asked: list[tuple[int, list[int]]]  # who decided, and among which moves
    rounds: list[ReferenceRound]

    @property
    def moves(self) -> list[int]:
        return [number for entry in self.record["rounds"] for number in entry["moves"]]

    @property
    def steps(self) -> list[tuple[int, int]]:
        return [(seat, number) for (seat, _), number in zip(self.asked, self.moves, strict=True)]


# By style of play, as in test_reference; few values make columns.
RULES = {
    "even": Rules(threshold=None, max_rounds=3),
    "swapper": Rules(threshold=None, max_rounds=2, stall_limit=12),
    "drawer": Rules(threshold=None, max_rounds=2, stall_limit=60),
    "columns": Rules(threshold=None, max_rounds=3, deck=[[-2, 50], [5, 50], [12, 50]]),
}
TABLES = [(n_seats, style) for n_seats in range(2, 9) for style in RULES]
each_table = pytest.mark.parametrize(("n_seats", "style"), TABLES)


@cache
def recorded(n_seats: int, style: str, seed: int) -> Recorded:
    """A game of random moves, held against the reference."""
    game, rng = Game(n_seats, RULES[style], seed), random.Random(seed)
    while game.seat >= 0:
        game.apply(choose(rng, game.legal_moves(), style))
    record = game.record()
    assert reference.check_record(record) == []
    again = ReferenceGame(record["rules"], n_seats)
    asked = [
        decision for entry in record["rounds"] for decision in played_on_the_reference(again, entry)
    ]
    return Recorded(game, record, asked, again.rounds)


def played_on_the_reference(
    game: ReferenceGame, entry: dict[str, Any]
) -> list[tuple[int, list[int]]]:
    """Plays a round of a record; who decided, and among which moves."""
    piles = iter(entry["reshuffles"])
    played, asked = game.next_round(entry["deck"]), []
    for number in entry["moves"]:
        asked.append((played.seat, played.legal_moves()))
        played.apply(number, lambda _: next(piles), lambda _: int(entry["starter"]))
    game.finish_round()
    return asked


def seed_of(n_seats: int, style: str) -> int:
    """The seed of the game that `simulate` deals first, so that one record does for all."""
    return _core.game_seed(master_seed(n_seats, style), 0)


def master_seed(n_seats: int, style: str) -> int:
    return 10 * n_seats + list(RULES).index(style)


def test_recorded_games_have_what_is_rare() -> None:
    games = [recorded(n_seats, style, seed_of(n_seats, style)) for n_seats, style in TABLES]
    entries = [entry for game in games for entry in game.record["rounds"]]
    assert sum(entry["stalled"] for entry in entries) >= 10
    assert sum(len(entry["reshuffles"]) > 0 for entry in entries) >= 10
    assert sum(len(entry["reshuffles"]) > 1 for entry in entries) >= 3
    assert sum(None in cells for game in games for cells in grids_of(game)) >= 40
    assert {entry["closer"] for entry in entries} == set(range(8))


def grids_of(game: Recorded) -> list[list[int | None]]:
    """The values of each grid at the end of each round; None where a column has left."""
    return [[value for value, _ in grid] for played in game.rounds for grid in played.grids]


@each_table
@pytest.mark.parametrize("make_bot", [python_bot, compiled])
def test_match_plays_a_recorded_game(n_seats: int, style: str, make_bot: MakeBot) -> None:
    want = recorded(n_seats, style, seed_of(n_seats, style))
    script = Script(want.steps)
    played = play_script(Game(n_seats, RULES[style], want.game._seed), script, make_bot)
    assert script.asked == want.asked
    assert played.record() == want.record


@each_table
def test_simulation_plays_a_recorded_game(n_seats: int, style: str) -> None:
    want = recorded(n_seats, style, seed_of(n_seats, style))
    script = Script(want.steps)
    result = simulate(
        compiled(script), 1, n_seats, RULES[style], master_seed(n_seats, style), 1, "pluggable"
    )
    assert script.asked == want.asked
    assert result.totals.tolist() == [want.record["totals"]]
    assert result.places.tolist() == [want.record["places"]]
    assert result.rounds.tolist() == [len(want.rounds)]
    assert result.turns.tolist() == [sum(played.turns for played in want.rounds)]


@pytest.mark.parametrize("n_seats", range(2, 9))
def test_native_bots_play_by_the_rules_of_the_reference(n_seats: int) -> None:
    for bots in (_core.NATIVE_BOTS, _core.NATIVE_BOTS[::-1]):
        seats = [f"native:{bots[seat % len(bots)]}" for seat in range(n_seats)]
        played = play_game(seats, n_seats, Rules(max_rounds=3))
        assert reference.check_record(played.record()) == []


@each_table
def test_batch_plays_a_recorded_game(n_seats: int, style: str) -> None:
    """A row is dealt by its seed, so a game is recorded for that."""
    batch = BatchGame(1, n_seats, RULES[style], seed=master_seed(n_seats, style))
    row = recorded(n_seats, style, int(batch.game_seeds[0]))
    for number, asked, rewards in zip(row.moves, row.asked, rewards_of(row), strict=True):
        assert not batch.dones[0]
        assert (batch.seats[0], np.flatnonzero(batch.legal_masks[0]).tolist()) == asked
        batch.step([number])
        assert batch.rewards[0].tolist() == rewards
    assert batch.dones[0]
    assert batch.final_totals[0].tolist() == row.record["totals"]


def rewards_of(row: Recorded) -> list[list[float]]:
    """By step, what each seat gets for it: the points of a round with its last move."""
    rewards = []
    for entry, played in zip(row.record["rounds"], row.rounds, strict=True):
        assert played.points is not None
        rewards += [[0.0] * played.seats] * (len(entry["moves"]) - 1)
        rewards.append([-float(points) for points in played.points])
    return rewards


# Recorded rounds on the fused loop


@each_table
def test_fused_loop_plays_recorded_rounds(n_seats: int, style: str) -> None:
    want = recorded(n_seats, style, seed_of(n_seats, style))
    for entry, played in zip(want.record["rounds"], want.rounds, strict=True):
        start = fused_record(RULES[style], n_seats, entry)
        found = start.play(whole=True)
        assert found == start.play(whole=False)
        check_end(found, entry, played)


def check_end(found: Found, entry: dict[str, Any], played: ReferenceRound) -> None:
    """The fused loop's end of a round against the record's and the reference's."""
    assert found["seat"] is None
    assert (found["closer"], found["raw"]) == (entry["closer"], entry["raw"])
    assert (found["stalled"], found["turns"]) == (entry["stalled"], played.turns)
    grids, discard = revealed(found)
    assert grids == [[value for value, _ in grid] for grid in played.grids]
    assert discard == played.discard
    assert sorted(found["draw"]) == sorted(played.draw)


@each_table
def test_fused_loop_asks_as_the_reference(n_seats: int, style: str) -> None:
    """Before each turn of a round: the seat, and the moves that it may choose among."""
    want = recorded(n_seats, style, seed_of(n_seats, style))
    entry = want.record["rounds"][0]
    start = fused_record(RULES[style], n_seats, entry)
    n_flips = n_seats * RULES[style].initial_flips
    turns = [
        (seat, legal, want.asked[i + 1][1] if want.moves[i] == 36 else None)
        for i, (seat, legal) in enumerate(want.asked[: len(entry["moves"])])
        if i >= n_flips and want.moves[i - 1] != 36
    ]
    for number, (seat, legal, then) in enumerate(turns):
        found = start.play(whole=False, n_turns=number)
        assert (found["seat"], found["legal_turn"]) == (seat, legal)
        assert then is None or found["legal_hold"] == then


def test_fused_round_refuses_what_cannot_be_played() -> None:
    want = recorded(3, "even", seed_of(3, "even"))
    start = fused_record(RULES["even"], 3, want.record["rounds"][0])
    last = len(start.turns) - 1
    for turns, fault in (
        (start.turns[:-1], f"turn {last}: expected one that can be played"),
        ([*start.turns, start.turns[0]], f"expected {last + 1} turns, got {last + 2}"),
        ([(True, True, 0), *start.turns[1:]], "turn 0: expected one that can be played"),
        ([(True, False, 12), *start.turns[1:]], "turn 0: expected one that can be played"),
    ):
        with pytest.raises(ValueError, match=f"fused_round: {fault}"):
            replace(start, turns=turns).play(whole=True)
    with pytest.raises(ValueError, match="expected no turn after the last"):
        replace(start, turns=[*start.turns, start.turns[0]]).play(whole=False)
    with pytest.raises(ValueError, match=r"turn \d+: expected one that can be played"):
        replace(start, draw=[], reshuffles=[]).play(whole=True)
