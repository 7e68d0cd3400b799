"""Threshold bot: a card of at most `limit` is good, every other card is bad.

It takes a good discard, else it draws; a good card replaces the highest open card that is bad, or
else a face-down card. A bad card that it has drawn goes away, and a face-down card is turned up.
Try another limit on the command line: `threshold_bot.py:limit=4`.
"""

from __future__ import annotations

import skyjo_core
from skyjo_core import HIDDEN, Phase

NAME = "threshold"
TAKE, PLACE, DRAW = 12, 24, 36


class ThresholdBot(skyjo_core.Bot):
    """A bot with one option, the highest card value that it likes."""

    def __init__(self, limit: int = 3) -> None:
        self.limit = limit

    def choose_move(self, view: skyjo_core.View) -> int:
        """Return the move for this view."""
        moves = view.legal_moves
        if view.hand is not None:
            if view.hand <= self.limit or moves[0] >= PLACE:
                return self.exchange(view, PLACE)
            return moves[0]  # reject: flips come first in the list
        if view.phase == Phase.TURN:
            if view.discard_top <= self.limit or DRAW not in moves:
                return self.exchange(view, TAKE)
            return DRAW
        return moves[0]  # opening: turn up any card

    def exchange(self, view: skyjo_core.View, kind: int) -> int:
        """Return the legal TAKE or PLACE move that gets rid of the worst cell."""
        cells = view.cells(0)
        cost = [self.limit + 0.5 if value == HIDDEN else value for value in cells]
        targets = [move for move in view.legal_moves if kind <= move < kind + len(cells)]
        return max(targets, key=lambda move: cost[move - kind])
