# SPDX-License-Identifier: MIT
"""What has been played so far: counts and the digest, API section 8."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import numpy as np
import pytest

from skyjo_core.batch import GameResult
from skyjo_core.schedule import Table
from skyjo_core.tally import Tally

FAULT = {"round": 1, "move": 7, "seat": 2, "kind": "exception", "detail": "Traceback ..."}
TABLE = Table(game=4, deal=2, lineup=0, lineup_key=99, seating=1, seats=(2, 0, 1))
RESULT = GameResult(
    totals=[50, 101, 30],
    places=[2, 3, 1],
    decisions=[40, 41, 42],
    seconds=[0.1, 0.2, 0.3],
    moves_hash="00000000000000ff",
    faults=[],
)


def digest_of(*games: tuple[Table, GameResult]) -> str:
    tally = Tally(("a", "b", "c"), 3)
    for table, result in games:
        tally.add(table, result)
    return tally.digest


def digest_of_lines(*lines: list[Any]) -> str:
    """The digest of these lines, each as compact JSON."""
    texts = [json.dumps(line).replace(" ", "") + "\n" for line in lines]
    return blake2b("".join(texts).encode(), digest_size=16).hexdigest()


def test_games_are_counted_by_seat() -> None:
    tally = Tally(("a", "b", "c"), 3)
    tally.add(TABLE, RESULT)
    tally.add(
        TABLE._replace(game=5, deal=3, seats=(0, 1, 2)),
        replace(RESULT, places=[1, 1, 3], faults=[FAULT]),
    )
    results = tally.results()
    assert results.names == ("a", "b", "c")
    np.testing.assert_array_equal(results.bots, [[2, 0, 1], [0, 1, 2]])
    np.testing.assert_array_equal(results.totals, [[50, 101, 30]] * 2)
    np.testing.assert_array_equal(results.places, [[2, 3, 1], [1, 1, 3]])
    np.testing.assert_array_equal(results.deals, [2, 3])
    np.testing.assert_array_equal(results.faulted, [[0, 0, 0], [0, 0, 1]])
    np.testing.assert_array_equal(results.decisions, [[40, 41, 42]] * 2)
    np.testing.assert_array_equal(results.seconds, [[0.1, 0.2, 0.3]] * 2)
    assert tally.n_games == 2


def test_a_fault_names_the_game_and_the_bot() -> None:
    tally = Tally(("a", "b", "c"), 3)
    tally.add(TABLE, replace(RESULT, faults=[FAULT]))
    assert tally.faults == [{"game": 4, "bot": "b", **FAULT}]


def test_a_forfeited_game_counts() -> None:
    tally = Tally(("a", "b", "c"), 3)
    tally.add(TABLE, replace(RESULT, faults=[FAULT, {**FAULT, "seat": 0}]))
    results = tally.results()
    assert results.n_games == 1
    np.testing.assert_array_equal(results.faulted, [[1, 0, 1]])
    # API section 8: points are the larger of the own and the highest total at the table.
    np.testing.assert_array_equal(results.mean_points(), [[101, 101, 101]])


def test_a_game_that_was_stopped_at_a_fault_has_a_fault_and_no_result() -> None:
    tally = Tally(("a", "b", "c"), 3)
    tally.add(TABLE, replace(RESULT, places=None, faults=[FAULT]))
    assert (tally.n_games, tally.results().n_games) == (0, 0)
    assert [fault["bot"] for fault in tally.faults] == ["b"]
    assert tally.digest != digest_of()


def test_nothing_played_is_a_result_too() -> None:
    results = Tally(("a", "b"), 2).results()
    assert (results.n_games, results.bots.shape) == (0, (0, 2))


def test_the_digest_is_one_of_the_games_in_schedule_order() -> None:
    # The line of a game, as in docs: game, seating, totals, places, moves, faults.
    line = [4, [2, 0, 1], [50, 101, 30], [2, 3, 1], "00000000000000ff", []]
    assert digest_of((TABLE, RESULT)) == digest_of_lines(line)
    at_fault = replace(RESULT, places=None, faults=[FAULT, {**FAULT, "kind": "illegal_move"}])
    faults = [[1, 7, 2, "exception"], [1, 7, 2, "illegal_move"]]
    expected = digest_of_lines(line, [*line[:3], None, line[4], faults])
    assert digest_of((TABLE, RESULT), (TABLE, at_fault)) == expected
    other = (TABLE._replace(game=5), RESULT)
    assert digest_of((TABLE, RESULT), other) != digest_of(other, (TABLE, RESULT))


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": [9.0, 9.0, 9.0]},
        {"decisions": [1, 1, 1]},
        {"printed": "hello"},
    ],
)
def test_times_and_texts_are_not_in_the_digest(change: dict[str, Any]) -> None:
    assert digest_of((TABLE, replace(RESULT, **change))) == digest_of((TABLE, RESULT))


def test_the_detail_of_a_fault_is_not_in_the_digest() -> None:
    details = [[{**FAULT, "detail": text}] for text in ("/home/a.py", "/home/b.py")]
    digests = [digest_of((TABLE, replace(RESULT, faults=faults))) for faults in details]
    assert digests[0] == digests[1]


@pytest.mark.parametrize(
    "change",
    [
        {"totals": [50, 101, 31]},
        {"places": [2, 3, 2]},
        {"places": None},
        {"moves_hash": "00000000000000fe"},
        {"faults": [FAULT]},
    ],
)
def test_a_change_of_a_result_changes_the_digest(change: dict[str, Any]) -> None:
    assert digest_of((TABLE, replace(RESULT, **change))) != digest_of((TABLE, RESULT))


@pytest.mark.parametrize("change", [{"round": 0}, {"move": 8}, {"seat": 1}, {"kind": "crash"}])
def test_a_change_of_a_fault_changes_the_digest(change: dict[str, Any]) -> None:
    faults = [[FAULT], [{**FAULT, **change}]]
    digests = [digest_of((TABLE, replace(RESULT, faults=each))) for each in faults]
    assert digests[0] != digests[1]


@pytest.mark.parametrize("change", [{"game": 5}, {"seats": (0, 2, 1)}])
def test_a_change_of_the_table_changes_the_digest(change: dict[str, Any]) -> None:
    assert digest_of((TABLE._replace(**change), RESULT)) != digest_of((TABLE, RESULT))
