# SPDX-License-Identifier: MIT
"""Plays the legal move that its option names, counted from the end; a class with options."""

from skyjo_core import Bot


class Taker(Bot):
    def __init__(self, back=1):
        self.back = back

    def choose_move(self, view):
        return view.legal_moves[-min(self.back, len(view.legal_moves))]
