# SPDX-License-Identifier: MIT
"""Defines two bots."""

from skyjo_core import Bot


class One(Bot):
    def choose_move(self, view):
        return view.legal_moves[0]


class Two(One):
    pass
