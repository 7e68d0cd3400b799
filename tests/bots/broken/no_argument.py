# SPDX-License-Identifier: MIT
"""Defines choose_move without the view."""


def choose_move():
    return 36
