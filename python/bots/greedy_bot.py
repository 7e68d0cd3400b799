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
    return max(view.legal_moves, key=lambda move: drop(view, move))


def drop(view: skyjo_core.View, move: int) -> float:
    """Return by how much the expected sum of the grid falls with this move."""
    cells = view.cells(0)
    if move == DRAW:
        highest = max(FACE_DOWN if card == HIDDEN else card for card in cells if card != REMOVED)
        return sum(max(highest - value, 0) * n for value, n in DECK.items()) / sum(DECK.values())
    if move < TAKE:
        return 0.0  # a face-down card is turned up: the sum stays the same on average
    card = view.discard_top if view.hand is None else view.hand
    cell, rows = move % TAKE, view.rules.rows
    top = cell - cell % rows
    old = FACE_DOWN if cells[cell] == HIDDEN else cells[cell]
    others = [cells[i] for i in range(top, top + rows) if i != cell]
    if others and all(other == card for other in others):
        return old + sum(others)  # the column is complete and leaves
    return old - card
