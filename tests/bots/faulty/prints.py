# SPDX-License-Identifier: MIT
"""Prints on both streams at every first flip and leaves its streams in a bad state."""

import os
import sys

from skyjo_core import Bot

print("prints: loaded")


class Prints(Bot):
    def __init__(self, streams="kept"):
        self.streams = streams

    def game_start(self, view):
        print(f"prints: game at seat {view.seat}")
        print("prints: on the error stream", file=sys.stderr)
        os.system("echo prints: from a child")
        if self.streams == "closed":
            sys.stdout.close()
            os.close(1)
        elif self.streams == "none":
            sys.stdout = sys.stderr = None

    def choose_move(self, view):
        return view.legal_moves[0]
