# SPDX-License-Identifier: MIT
"""Speed of batches: steps, and steps with a policy in numpy; each benchmark asserts its result."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from skyjo_core import BatchGame


def random_moves(batch: BatchGame, scores: npt.NDArray[np.uint8], step: int) -> npt.NDArray[Any]:
    """A legal move of each row: the one of the highest of its scores, which begin anywhere."""
    begin = step * 7919 % 1000
    return (batch.legal_masks * scores[begin : begin + batch.n]).argmax(axis=1)


def scores_for(batch: BatchGame) -> npt.NDArray[np.uint8]:
    shape = (batch.n + 1000, batch.n_moves)
    return np.random.default_rng(1).integers(1, 256, shape, dtype=np.uint8)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("seats", [2, 4, 8])
@pytest.mark.parametrize("n", [1024, 4096])
def test_bench_batch_steps(benchmark: Any, n: int, seats: int, threads: int) -> None:
    """One step, random play; the choice of the moves is not in the time."""
    batch = BatchGame(n, seats=seats, seed=1, threads=threads)
    scores, steps = scores_for(batch), itertools.count()
    n_done = 0

    def choose() -> tuple[tuple[npt.NDArray[Any]], dict[str, Any]]:
        nonlocal n_done
        n_done += int(batch.dones.sum())
        return (random_moves(batch, scores, next(steps)),), {}

    benchmark.pedantic(batch.step, setup=choose, rounds=600, warmup_rounds=100)
    if benchmark.enabled:
        benchmark.extra_info["decisions_per_second"] = n / benchmark.stats.stats.median
        assert n_done > n
    assert batch.legal_masks.any(axis=1).all()


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("n", [1024, 4096])
def test_bench_batch_with_a_numpy_policy(benchmark: Any, n: int, seats: int) -> None:
    """A step and the choice of its moves, which takes most of the time."""
    batch = BatchGame(n, seats=seats, seed=1)
    scores, steps = scores_for(batch), itertools.count()

    def play() -> None:
        batch.step(random_moves(batch, scores, next(steps)))

    benchmark(play)
    assert batch.legal_masks.any(axis=1).all()


def test_bench_batch_observe(benchmark: Any) -> None:
    """The observations of one absolute seat."""
    batch = BatchGame(1024, seats=4, seed=1)
    out = np.empty_like(batch.observations)
    assert (benchmark(batch.observe, 0, out) == batch.observations).all()


def test_bench_batch_reset(benchmark: Any) -> None:
    """Deals of the first round of every row."""
    batch = BatchGame(1024, seats=4, seed=1)
    first = batch.observations.copy()
    benchmark(batch.reset)
    assert (batch.observations == first).all()
