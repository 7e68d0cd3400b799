# SPDX-License-Identifier: MIT
"""Raises once the first round is under way."""


def choose_move(view):
    if view.turn_number >= 6:
        raise LookupError("no idea in turn six")
    return view.legal_moves[0]
