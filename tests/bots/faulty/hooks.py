# SPDX-License-Identifier: MIT
"""Raises in the method that its option names."""

from skyjo_core import Bot


class Hooks(Bot):
    def __init__(self, where):
        self.where = where
        self.at("init")

    def at(self, place):
        if place == self.where:
            raise RuntimeError(f"raised in {place}")

    def game_start(self, view):
        self.at("game_start")

    def choose_move(self, view):
        return view.legal_moves[0]

    def round_end(self, view):
        self.at("round_end")

    def game_end(self, places):
        self.at("game_end")
