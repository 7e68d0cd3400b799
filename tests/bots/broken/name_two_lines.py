# SPDX-License-Identifier: MIT
"""Has a NAME of two lines."""

NAME = "two\nlines"


def choose_move(view):
    return view.legal_moves[0]
