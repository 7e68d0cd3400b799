"""Random bot: plays any legal move, each with the same probability.

It is the zero of the strength scale: whatever you write should beat it by a wide margin.
It also shows the smallest bot there is: one function that gets the view of the table and a
random stream, and returns a move.
"""

from __future__ import annotations

import skyjo_core

NAME = "random"


def choose_move(view: skyjo_core.View, rng: skyjo_core.Rng) -> int:
    """Return one of the legal moves, drawn from the bot's own seeded stream."""
    moves = view.legal_moves
    return moves[rng.below(len(moves))]
