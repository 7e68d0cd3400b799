"""Greedy bot: takes the largest immediate drop of the sum of its grid.

A face-down card counts a little less than the mean of the deck, and a complete column as gone.
A draw counts as the average over the full deck of what the drawn card would bring at best.
"""

from __future__ import annotations

import skyjo_core
from skyjo_core import HIDDEN, REMOVED

NAME = "greedy"
TAKE, PLACE, DRAW = 12, 24, 36
DECK = {-2: 5, -1: 10, 0: 15} | dict.fromkeys(range(1, 13), 10)  # cards of each value: RULES.md A.1
FACE_DOWN = 4.0  # below the mean of 5.07, since the card may still be exchanged: tuned by play


def choose_move(view: skyjo_core.View) -> int:
    """Return the legal move with the largest drop; the first one if several are equal."""
    cells, rows = view.cells(0), view.rules.rows
    cost = [FACE_DOWN if card == HIDDEN else card for card in cells]
    card = view.discard_top if view.hand is None else view.hand

    def drop(move: int) -> float:
        """Return by how much the expected sum of the grid falls with this move."""
        if move == DRAW:
            return draw_drop(max(cost[i] for i, old in enumerate(cells) if old != REMOVED))
        if move < TAKE:
            return 0.0  # a face-down card is turned up: the sum stays the same on average
        cell = move % TAKE
        column = slice(cell - cell % rows, cell - cell % rows + rows)
        if cells[cell] != card and cells[column].count(card) == rows - 1 > 0:
            return sum(cost[column])  # the column is complete and leaves
        return cost[cell] - card

    return max(view.legal_moves, key=drop)


def draw_drop(highest: float) -> float:
    """Return the mean drop when any card of the deck may replace the highest one."""
    return sum(max(highest - value, 0) * n for value, n in DECK.items()) / sum(DECK.values())
