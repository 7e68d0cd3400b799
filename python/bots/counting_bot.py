"""Counting bot: the greedy bot with a memory for cards.

The view counts, value by value, the cards that may still be in the draw pile and those that may
lie face down. So a face-down card counts as the exact mean of the face-down cards, and a draw as
the exact average over the draw pile of what the drawn card would bring at best.
"""

from __future__ import annotations

import skyjo_core
from skyjo_core import HIDDEN, REMOVED

NAME = "counting"
TAKE, PLACE, DRAW = 12, 24, 36
RESERVE = 1.0  # a face-down card may still be exchanged, so it costs less than the mean: tuned


def choose_move(view: skyjo_core.View) -> int:
    """Return the legal move with the largest drop; the first one if several are equal."""
    counts: list[int] = view.hidden_counts.tolist()  # plain ints: a sum of int8 would overflow
    points = sum(v * n for v, n in zip(view.values, counts, strict=True))
    hidden = points / max(1, sum(counts)) - RESERVE
    cost = [hidden if value == HIDDEN else value for value in view.cells(0)]
    return max(view.legal_moves, key=lambda move: drop(view, cost, move))


def drop(view: skyjo_core.View, cost: list[float], move: int) -> float:
    """Return by how much the expected sum of the grid falls with this move."""
    if move == DRAW:
        highest = max(value for value in cost if value != REMOVED)
        counts: list[int] = view.pile_counts.tolist()
        gain = sum(max(highest - v, 0) * n for v, n in zip(view.values, counts, strict=True))
        return gain / max(1, sum(counts))
    if move < TAKE:
        return 0.0  # a face-down card is turned up: the sum stays the same on average
    card = view.discard_top if view.hand is None else view.hand
    cell, rows, cells = move % TAKE, view.rules.rows, view.cells(0)
    top = cell - cell % rows
    others = [cells[i] for i in range(top, top + rows) if i != cell]
    if others and all(other == card for other in others):
        return cost[cell] + sum(others)  # the column is complete and leaves
    return cost[cell] - card
