# SPDX-License-Identifier: MIT
"""Prints 300 kB in every game."""


def choose_move(view):
    if view.turn_number == 0 and view.round_number == 0:
        print("x" * 75_000)
    return view.legal_moves[0]
