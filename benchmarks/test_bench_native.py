# SPDX-License-Identifier: MIT
"""Native play, playouts, deals and removal of columns; each benchmark asserts its result."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import skyjo_core
from skyjo_core import Game, Rules, _core


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_bench_fused_play(benchmark: Any, seats: int) -> None:
    """Random play in one loop, one thread."""
    result = benchmark(skyjo_core.simulate, "native:random", 2_000, seats, seed=1, threads=1)
    assert result.path == "fused"
    assert (result.totals.max(axis=1) >= 100).all()
    tell_turns(benchmark, result)


@pytest.mark.parametrize("seats", [2, 4, 8])
@pytest.mark.parametrize("bot", _core.NATIVE_BOTS)
def test_bench_pluggable_play(benchmark: Any, bot: str, seats: int) -> None:
    """Bot by bot behind the C struct, one thread."""
    arguments: dict[str, Any] = {"seed": 1, "threads": 1, "path": "pluggable"}
    result = benchmark(skyjo_core.simulate, f"native:{bot}", 200, seats, **arguments)
    assert result.path == "pluggable"
    assert (result.places.min(axis=1) == 1).all()
    tell_turns(benchmark, result)


def test_bench_fused_play_in_two_threads(benchmark: Any) -> None:
    """The same games as in one."""
    result = benchmark(skyjo_core.simulate, "native:random", 8_000, 4, seed=1, threads=2)
    alone = skyjo_core.simulate("native:random", 8_000, 4, seed=1, threads=1)
    assert result.digest == alone.digest
    tell_turns(benchmark, result)


def tell_turns(benchmark: Any, result: skyjo_core.Simulation) -> None:
    if benchmark.enabled:
        seconds = benchmark.stats.stats.median
        benchmark.extra_info["turns_per_second"] = float(result.turns.sum()) / seconds


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_bench_playouts(benchmark: Any, seats: int) -> None:
    """From the first turn to the end of the round, a thousand times."""
    game = Game(seats, seed=1)
    for _ in range(2 * seats):
        game.apply(game.legal_moves()[0])
    result = benchmark(game.playouts, 1_000, seed=1)
    assert result.points.shape == (1_000, seats)
    assert ((result.closer >= 0) & (result.closer < seats)).all()


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_bench_deal(benchmark: Any, seats: int) -> None:
    """A game made and its first round dealt."""
    rules = Rules()
    game = benchmark(Game, seats, rules, 7)
    assert game.view().draw_pile_size == 150 - 12 * seats - 1


def test_bench_removal_of_a_column(benchmark: Any) -> None:
    """The move that completes a column of three, on a fresh copy each time."""
    game = Game.from_position(
        grids=["h5 9 0 4 / 12 9 h3 h8 / h2 -1 h6 2", "h10 h0 h9 h-2 / h9 h2 h11 h4 / h9 h-1 4 3"],
        discard=[3, 9],
        draw=[1],
        turn=0,
        starter=0,
    )

    def fresh() -> tuple[tuple[Game], dict[str, Any]]:
        return (game.copy(log=False),), {}

    def take(copy: Game) -> Game:
        copy.apply(skyjo_core.move("take r3c2"))
        return copy

    copy = benchmark.pedantic(take, setup=fresh, rounds=2_000)
    grid = copy.view(0).grid
    assert (grid[:, 1] == skyjo_core.REMOVED).all()
    assert np.count_nonzero(grid == skyjo_core.REMOVED) == 3
