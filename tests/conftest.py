# SPDX-License-Identifier: MIT
"""What several test modules need: random play, paths, the header line."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import skyjo_core
from skyjo_core import Game, Rules

ROOT = Path(__file__).parent.parent


def pytest_report_header() -> str:
    return f"skyjo_core {skyjo_core.__version__} from {Path(skyjo_core.__file__).parent}"


@pytest.fixture
def root() -> Path:
    """The project's root: tests that run its scripts and documents need it."""
    return ROOT


@pytest.fixture
def random_game() -> Callable[..., Game]:
    """A game of random legal moves, to its end."""

    def play(seats: int = 2, rules: Rules | None = None, seed: int = 0, **more: str) -> Game:
        game = Game(seats, rules, seed, **more)
        rng = random.Random(seed)
        while game.seat >= 0:
            game.apply(rng.choice(game.legal_moves()))
        return game

    return play
