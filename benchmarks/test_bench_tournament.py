# SPDX-License-Identifier: MIT
"""Tournaments, records, ratings and start-up; each benchmark asserts its result."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skyjo_core
from skyjo_core.ratings import rate
from skyjo_core.results import Results
from skyjo_core.tournament import run
from skyjo_core.verify import verify_file

RANDOM_BOT = """
def choose_move(view, rng):
    legal = view.legal_moves
    return legal[rng.below(len(legal))]
"""


def pedantic(benchmark: Any, function: Any, *words: Any, **options: Any) -> Any:
    """A few rounds of what takes long."""
    return benchmark.pedantic(function, words, options, rounds=7 if benchmark.enabled else 1)


@pytest.mark.parametrize("workers", [1, 2])
def test_bench_tournament_of_native_bots(benchmark: Any, workers: int) -> None:
    """In threads."""
    bots = ["native:threshold", "native:random"]
    result = pedantic(
        benchmark, run, bots, deals=250, seed=1, workers=workers, records=False, progress="off"
    )
    assert result.n_games == 500
    assert result.standings[0].bot == "threshold"


@pytest.mark.parametrize("workers", [1, 2])
def test_bench_tournament_of_python_bots(benchmark: Any, workers: int, tmp_path: Path) -> None:
    """In processes; their start is in the time."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(RANDOM_BOT, encoding="utf-8")
    result = pedantic(benchmark, run, [tmp_path], deals=100, seed=1, workers=workers, records=False)
    assert result.n_games == 200
    assert not result.faults


@pytest.mark.parametrize("records", [False, True])
def test_bench_records_written(benchmark: Any, records: bool, tmp_path: Path) -> None:
    """A tournament with its folder, with and without records."""
    numbers = iter(range(1_000))

    def play() -> Path:
        out = tmp_path / str(next(numbers))
        run(["native:threshold"] * 2, deals=50, seed=1, workers=1, out=out, records=records)
        return out

    out = pedantic(benchmark, play)
    assert (out / "records.jsonl.gz").exists() == records


def test_bench_records_replayed(benchmark: Any, tmp_path: Path) -> None:
    """A file of records held against the rules."""
    run(["native:threshold"] * 2, deals=50, seed=1, workers=1, out=tmp_path, records=True)
    file = tmp_path / "records.jsonl.gz"
    verdicts = pedantic(benchmark, lambda: list(verify_file(file)))
    assert len(verdicts) == 100
    assert all(verdict.difference is None for verdict in verdicts)


def made_results(n_games: int, n_bots: int) -> Results:
    """Games of two in which bot i beats a bot behind it two times in three."""
    random = np.random.default_rng(1)
    first = random.integers(0, n_bots, n_games)
    second = (first + random.integers(1, n_bots, n_games)) % n_bots
    first_wins = (random.random(n_games) < 2 / 3) == (first < second)
    places = np.where(first_wins[:, None], [1, 2], [2, 1])
    shape = (n_games, 2)
    return Results(
        names=tuple(f"bot{number}" for number in range(n_bots)),
        bots=np.stack([first, second], axis=1).astype(np.int32),
        totals=np.full(shape, 100, np.int32),
        places=places.astype(np.int8),
        faulted=np.zeros(shape, np.bool_),
        deals=np.arange(n_games, dtype=np.int64) // 100,
        decisions=np.full(shape, 100, np.int64),
        seconds=np.zeros(shape, np.float64),
    )


@pytest.mark.parametrize("n_bots", [2, 10, 40])
def test_bench_ratings_of_a_million_games(benchmark: Any, n_bots: int) -> None:
    """Ratings with their intervals and the test of fit."""
    results = made_results(1_000_000, n_bots)
    ratings = pedantic(benchmark, rate, results)
    assert ratings.rating[0] == max(ratings.rating)
    assert np.isfinite(ratings.low).all()


def test_bench_start_up(benchmark: Any) -> None:
    """A process that imports the engine and deals a game; numpy's import is in the time."""
    program = "import skyjo_core; print(skyjo_core.Game(2, seed=1).round_number)"
    command = [sys.executable, "-c", program]
    done = pedantic(benchmark, subprocess.run, command, capture_output=True, check=True)
    assert done.stdout.strip() == str(skyjo_core.Game(2, seed=1).round_number).encode()
