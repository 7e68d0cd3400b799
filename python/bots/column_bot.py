"""Column bot: hunts for three equal cards in a column, because a complete column costs nothing.

It values each column by its sum, and a column that lacks one card to be complete at only a part
of it. Each exchange is judged by how much the value of its column falls, so pairs of positive
cards are made, kept and completed, and a column of negative cards is never completed.
"""

from __future__ import annotations

import skyjo_core
from skyjo_core import HIDDEN, REMOVED

NAME = "column"
TAKE, PLACE, DRAW = 12, 24, 36
# The best of a few settings against the greedy bot, two seats:
MEAN = 3.5  # a face-down card; below the mean of 5.07, since it may still be exchanged
KEPT = 0.7  # part of a nearly complete column that is still paid at the end
DRAW_DROP = 2.0  # a take must bring this much, else the bot draws


def choose_move(view: skyjo_core.View) -> int:
    """Return the legal move with the largest drop; the first one if several are equal."""
    cells, rows = view.cells(0), view.rules.rows
    card = view.discard_top if view.hand is None else view.hand
    columns = [cells[top : top + rows] for top in range(0, len(cells), rows)]
    before = [value(column) for column in columns]

    def drop(move: int) -> float:
        """Return by how much the value of the grid falls with this move."""
        if move == DRAW:
            return DRAW_DROP
        if move < TAKE:
            return 0.0  # a face-down card is turned up: about the same value on average
        number, row = divmod(move % TAKE, rows)
        column = columns[number]
        return before[number] - value((*column[:row], card, *column[row + 1 :]))

    return max(view.legal_moves, key=drop)


def value(column: tuple[int, ...]) -> float:
    """Return what the column is likely to cost at the end of the round."""
    known = [card for card in column if card not in (HIDDEN, REMOVED)]
    cost = sum(known) + MEAN * column.count(HIDDEN)
    equal = max(map(known.count, known), default=0)
    if equal == len(column) > 1:
        return 0.0
    return cost * KEPT if equal == len(column) - 1 > 1 and cost > 0 else cost
