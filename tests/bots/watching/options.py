# SPDX-License-Identifier: MIT
"""Raises unless its options come as the types that were written; NAME is not the file's."""

from skyjo_core import Bot

NAME = "option bot"


class Options(Bot):
    def __init__(self, whole, real, yes, no, word, text="default"):
        assert (type(whole), type(real), type(word)) == (int, float, str)
        assert (whole, real, yes, no, word) == (-3, 2.5, True, False, "some:thing=else")
        assert text == "default"

    def choose_move(self, view):
        return view.legal_moves[0]
