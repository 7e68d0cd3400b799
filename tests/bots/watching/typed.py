# SPDX-License-Identifier: MIT
"""Prints its option, so that options which are equal but of other types can be told apart."""

from skyjo_core import Bot


class Typed(Bot):
    def __init__(self, x):
        print(f"x is {x!r}")

    def choose_move(self, view):
        return view.legal_moves[0]
