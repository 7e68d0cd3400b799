# SPDX-License-Identifier: MIT
"""Raises unless its neighbours are its own and loaded once; the folder beside has others."""

import random

import helper
from shared.deep import WORD

assert WORD == "left"


def choose_move(view):
    import _late

    assert helper.SIDE == "left"
    assert _late.helper is helper
    assert random.Random(1).randrange(10) in range(10)
    return view.legal_moves[0]
