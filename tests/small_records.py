# SPDX-License-Identifier: MIT
"""Two games small enough to be played by hand, as records; and what one does to records."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from skyjo_core import Rules

Record = dict[str, Any]

# Grids of one row and two columns: a column of one cell is never removed.
SMALL = Rules(
    rows=1,
    columns=2,
    initial_flips=1,
    deck=[[1, 2], [2, 2], [3, 2], [12, 1]],
    threshold=None,
    max_rounds=1,
)


def closed_by_seat_1() -> Record:
    """Seat 1 starts, takes the 2 and closes; seat 0 draws a 1 for its hidden 3.

    Seat 0 has 1 + 1 = 2, the closer 2 + 2 = 4, which is not the least: it is doubled.
    """
    moves = [0, 0, 13, 36, 25]
    return _record(
        SMALL,
        {"deck": [1, 3, 2, 12, 2, 1, 3], "starter": 1, "moves": moves, "closer": 1},
        raw=[2, 4],
        points=[2, 8],
    )


def with_a_new_pile() -> Record:
    """One card to draw: seat 1 draws it and lays a 2 on the 2; that 2 is the new draw pile.

    Seat 0 draws it for its hidden 3 and closes with 1 + 2 = 3; seat 1 takes the 3: 1 + 3 = 4.
    """
    moves = [0, 0, 36, 24, 36, 25, 13]
    rules = SMALL.replace(deck=[[1, 2], [2, 2], [3, 1], [12, 1]])
    return _record(
        rules,
        {"deck": [1, 3, 2, 12, 2, 1], "starter": 1, "moves": moves, "closer": 0},
        raw=[3, 4],
        points=[3, 4],
        reshuffles=[[2]],
    )


def _record(
    rules: Rules,
    entry: Record,
    *,
    raw: list[int],
    points: list[int],
    reshuffles: list[list[int]] | None = None,
) -> Record:
    results = {"stalled": False, "capped": False, "raw": raw, "points": points}
    return {
        "format": "skyjo-record/1",
        "rules": rules.to_dict(),
        "seed": "0",
        "deck_kind": "stack",
        "deal": 0,
        "players": ["a", "b"],
        "rounds": [entry | {"reshuffles": reshuffles or []} | results],
        "totals": points,
        "places": [1, 2],
        "faults": [],
        "end": "max_rounds",
    }


def damaged(record: Record, change: Callable[[Record], object]) -> Record:
    """A changed copy."""
    other = copy.deepcopy(record)
    change(other)
    return other


def put(*path: str | int, value: object) -> Callable[[Record], None]:
    """Sets what is at a place: put("rounds", 0, "moves", 3, value=36)."""

    def change(record: Record) -> None:
        place: Any = record
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return change


def put_round(key: str, value: object) -> Callable[[Record], None]:
    """Sets a key of the first round."""
    return put("rounds", 0, key, value=value)
