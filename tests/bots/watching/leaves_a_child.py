# SPDX-License-Identifier: MIT
"""Starts a process that outlives it, and writes its number into the file CHILD."""

import os
import subprocess

child = subprocess.Popen(["sleep", "600"])
with open(os.environ["CHILD"], "w") as file:
    file.write(str(child.pid))


def choose_move(view):
    return view.legal_moves[0]
