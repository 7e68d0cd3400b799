# SPDX-License-Identifier: MIT
"""Calls sys.exit when it is loaded."""

import sys


def choose_move(view):
    return view.legal_moves[0]


sys.exit(0)
