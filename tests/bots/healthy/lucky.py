# SPDX-License-Identifier: MIT
"""Plays any legal move, by the random numbers that it is given."""


def choose_move(view, rng):
    return view.legal_moves[rng.below(len(view.legal_moves))]
