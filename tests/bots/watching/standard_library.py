# SPDX-License-Identifier: MIT
"""Raises unless colorsys is that of the standard library, wherever the tournament is started."""

import colorsys

assert colorsys.rgb_to_hsv(0, 0, 0) == (0, 0, 0)


def choose_move(view):
    return view.legal_moves[0]
