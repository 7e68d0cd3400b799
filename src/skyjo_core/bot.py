# SPDX-License-Identifier: MIT
"""The base class of bots."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from skyjo_core.rng import Rng

if TYPE_CHECKING:
    from skyjo_core._view import View

__all__ = ["Bot", "Option"]

Option = int | float | bool | str
"""What an option of a bot can be on a command line."""


class Bot(ABC):
    """A bot that lives for one game; subclass it in a file of its own.

    `self.rng` holds the bot's random numbers from before `__init__` on. Options of the command line
    come to `__init__` as keyword arguments.
    """

    rng: Rng

    @abstractmethod
    def choose_move(self, view: View) -> int:
        """One of `view.legal_moves`."""

    def game_start(self, view: View) -> None:
        """Called before the first decision of the game."""

    def round_end(self, view: View) -> None:
        """Called with the grids as scored, phase OVER."""

    def game_end(self, places: tuple[int, ...]) -> None:
        """Called with the places by relative seat."""

    @classmethod
    def setup(cls, **options: Option) -> None:
        """Called once per process: the place for loading weights."""
