# SPDX-License-Identifier: MIT
"""A package is one bot."""

from . import tables
from .tables import pick

NAME = "in a package"


def choose_move(view):
    from .deep import LAST

    assert tables.pick is pick
    return pick(view.legal_moves, LAST)
