# SPDX-License-Identifier: MIT
"""Raises in the games in which its random numbers say so."""

from skyjo_core import Bot


class Hasty(Bot):
    def __init__(self, one_in=3):
        self.bad = self.rng.below(one_in) == 0

    def choose_move(self, view):
        if self.bad and view.phase == 1:
            raise TimeoutError("too hasty")
        return view.legal_moves[self.rng.below(len(view.legal_moves))]
