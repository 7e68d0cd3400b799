# SPDX-License-Identifier: MIT
"""Plays by the global generators of Python and numpy."""

import random

import numpy as np


def choose_move(view):
    first = random.choice(view.legal_moves)
    second = np.random.choice(view.legal_moves)
    return max(first, int(second))
