# SPDX-License-Identifier: MIT
"""Waits in every game until the file GO is there."""

import os
import time


def choose_move(view):
    while not os.path.exists(os.environ["GO"]):
        time.sleep(0.01)
    return view.legal_moves[0]
