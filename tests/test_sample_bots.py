# SPDX-License-Identifier: MIT
"""The sample bots: they play by all rules without a fault, and alike on every Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skyjo_core import Rules, play_game
from skyjo_core.tournament import run

NAMES = ["column", "counting", "expectation", "greedy", "random", "threshold"]


@pytest.fixture
def bots(root: Path) -> list[Path]:
    return sorted((root / "python" / "bots").glob("*_bot.py"))


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"forbid_same_value_swap": True, "stall_limit": 1},
        {"last_turns": "none", "double": "strict_all", "threshold": 40},
        {"stall_limit": None, "max_turns_per_round": 30, "max_rounds": 2},
    ],
)
def test_sample_bots_play_without_a_fault(bots: list[Path], rules: dict[str, Any]) -> None:
    """At every number of seats, under rules that leave out moves and end rounds early."""
    for seats in range(2, 9):
        table = [bots[(seats + seat) % len(bots)] for seat in range(seats)]
        played = play_game(table, seed=seats, rules=Rules(**rules))
        assert played.faults == []
        assert played.places is not None


def test_sample_bots_rank_as_they_should(bots: list[Path]) -> None:
    """A small tournament: random is last by far, expectation is not beaten by the simple ones."""
    result = run(bots, deals=3, seed=1)
    assert sorted(line.bot for line in result.standings) == NAMES
    assert result.standings[-1].bot == "random"
    assert result.standings[-1].win_share == 0
    assert result.standings[0].bot == "expectation"
    assert result.faults == []


def test_sample_bots_play_alike_on_every_python(bots: list[Path]) -> None:
    """Change detector: a digest of 3.11 that other versions must give as well."""
    assert run(bots, deals=2, seed=1).digest == "7039a1e39dcbe36187ac1b81c6e75ca1"
