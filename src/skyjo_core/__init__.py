# SPDX-License-Identifier: MIT
"""Engine, arena and ratings for bots that play the card game Skyjo."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

# While `python -m NAME` looks for its module, argv is "-m" and what follows NAME.
if sys.argv[:1] == ["-m"] and [
    word.removeprefix("-m").partition(".")[0] for word in sys.orig_argv[-len(sys.argv) :][:1]
] == [__name__]:
    if not sys.flags.safe_path:
        # It looks in the current folder first. There are bots there, perhaps called random.py:
        # what is imported from here on must not be taken from them.
        sys.path.append(sys.path.pop(0))
    from skyjo_core.interrupt import quit_on_interrupt

    quit_on_interrupt()  # until the command's main
# The script lies beside the interpreter; others of its name are none of ours.
elif sys.argv[:1] == [sys.executable.rpartition("/")[0] + "/skyjo"]:
    from skyjo_core.interrupt import quit_on_interrupt

    quit_on_interrupt()

from skyjo_core._core import HIDDEN, REMOVED, STAR, IllegalMove, Phase
from skyjo_core._view import View
from skyjo_core.batch_game import BatchGame
from skyjo_core.bot import Bot
from skyjo_core.game import Game, Playouts, Round
from skyjo_core.moves import DRAW, FLIP, PLACE, TAKE, move, move_name
from skyjo_core.rng import Rng
from skyjo_core.rules import Rules

if TYPE_CHECKING:
    from skyjo_core import tournament
    from skyjo_core.capsule import compiled_bot
    from skyjo_core.headers import get_cmake_dir, get_cython_path, get_include
    from skyjo_core.loader import BrokenBotError
    from skyjo_core.play import PlayedGame, play_game
    from skyjo_core.simulation import Simulation, simulate

__version__ = "0.1.0"

__all__ = [
    "DRAW",
    "FLIP",
    "HIDDEN",
    "PLACE",
    "REMOVED",
    "STAR",
    "TAKE",
    "BatchGame",
    "Bot",
    "BrokenBotError",
    "Game",
    "IllegalMove",
    "Phase",
    "PlayedGame",
    "Playouts",
    "Rng",
    "Round",
    "Rules",
    "Simulation",
    "View",
    "__version__",
    "compiled_bot",
    "get_cmake_dir",
    "get_cython_path",
    "get_include",
    "move",
    "move_name",
    "play_game",
    "simulate",
    "tournament",
]

# What plays is imported at first use: a program that needs only the engine starts fast.
_LATER = {
    "BrokenBotError": "loader",
    "PlayedGame": "play",
    "Simulation": "simulation",
    "compiled_bot": "capsule",
    "get_cmake_dir": "headers",
    "get_cython_path": "headers",
    "get_include": "headers",
    "play_game": "play",
    "simulate": "simulation",
}


def __getattr__(name: str) -> Any:
    if name == "tournament":
        return importlib.import_module("skyjo_core.tournament")
    if name in _LATER:
        return getattr(importlib.import_module(f"skyjo_core.{_LATER[name]}"), name)
    raise AttributeError(f"module 'skyjo_core' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
