"""Counting bot: the greedy bot with a memory for cards.

The view counts, value by value, the cards that may still be in the draw pile and those that may
lie face down. So a face-down card counts as the exact mean of the face-down cards, and a draw as
the exact average over the draw pile of what the drawn card would bring at best.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import skyjo_core
from skyjo_core import HIDDEN, REMOVED

NAME = "counting"
TAKE, PLACE, DRAW = 12, 24, 36
RESERVE = 1.0  # a face-down card may still be exchanged, so it costs less than the mean: tuned


def choose_move(view: skyjo_core.View) -> int:
    """Return the legal move with the largest drop; the first one if several are equal."""
    cells, rows = view.cells(0), view.rules.rows
    face_down = mean(view.values, view.hidden_counts.tolist()) - RESERVE
    cost = [face_down if card == HIDDEN else card for card in cells]
    card = view.discard_top if view.hand is None else view.hand

    def drop(move: int) -> float:
        """Return by how much the expected sum of the grid falls with this move."""
        if move == DRAW:
            highest = max(cost[i] for i, old in enumerate(cells) if old != REMOVED)
            drops = [max(highest - value, 0) for value in view.values]
            return mean(drops, view.pile_counts.tolist())
        if move < TAKE:
            return 0.0  # a face-down card is turned up: the sum stays the same on average
        cell = move % TAKE
        column = slice(cell - cell % rows, cell - cell % rows + rows)
        if cells[cell] != card and cells[column].count(card) == rows - 1 > 0:
            return math.fsum(cost[column])  # the column is complete and leaves
        return cost[cell] - card

    return max(view.legal_moves, key=drop)


def mean(values: Sequence[float], counts: list[int]) -> float:
    """Return the mean of the values over so many cards of each (plain ints: int8 overflows)."""
    total = math.fsum(value * n for value, n in zip(values, counts, strict=True))
    return total / max(1, sum(counts))
