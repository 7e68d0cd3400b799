# SPDX-License-Identifier: MIT
"""Raises when it is loaded."""

TABLE = {}
VALUE = TABLE["missing"]


def choose_move(view):
    return view.legal_moves[0]
