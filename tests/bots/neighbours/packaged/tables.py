# SPDX-License-Identifier: MIT
from .deep import LAST


def pick(moves, which):
    assert which == LAST
    return moves[which]
