# SPDX-License-Identifier: MIT
"""Random play looks as docs/rules.md says: turns and points of a round."""

from __future__ import annotations

import re
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest

from skyjo_core import Game, Rules, play_game

N_ROUNDS = 3000
MEAN = r"([\d.]+)\(\d+\) \| "  # with its standard error in the last digits
ROW = re.compile(rf"\| (\d+) \| {MEAN * 3}([\d.]+) % \|")


def published(root: Path) -> dict[int, tuple[float, ...]]:
    """By seats: turns a round, sum of a grid, points a seat, closers doubled in %."""
    text = (root / "docs/rules.md").read_text(encoding="utf-8")
    rows = ROW.findall(text)
    return {int(row[0]): tuple(map(float, row[1:])) for row in rows}


def n_turns(game: Game) -> int:
    """Moves of the round that end a turn: all but the opening flips and draws."""
    moves = game.rounds[0].moves
    return len(moves) - 2 * game.n_seats - moves.count(36)


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_random_play_has_the_published_means(seats: int, root: Path) -> None:
    """Within four standard errors of 3,000 rounds of native:random."""
    found: list[tuple[float, ...]] = []
    for seed in range(N_ROUNDS):
        game = play_game(["native:random"] * seats, seed=seed, rules=Rules(max_rounds=1)).game
        result = game.rounds[0]
        is_doubled = 100.0 * (result.raw != result.points)
        found.append((n_turns(game), fmean(result.raw), fmean(result.points), is_doubled))
    for column, wanted in zip(zip(*found, strict=True), published(root)[seats], strict=True):
        assert abs(fmean(column) - wanted) < 4 * stdev(column) / sqrt(N_ROUNDS)


def test_a_row_for_each_number_of_seats_is_published(root: Path) -> None:
    assert sorted(published(root)) == list(range(2, 9))
