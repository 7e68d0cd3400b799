# SPDX-License-Identifier: MIT
"""Ends its process in its third game."""

import os

games = []


def choose_move(view):
    if view.round_number == 0 and view.turn_number == 0 and len(view.moves) < 2:
        games.append(1)
    if len(games) > 6:
        print("last words in play", flush=True)
        os._exit(7)
    return view.legal_moves[0]
