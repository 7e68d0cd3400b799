# SPDX-License-Identifier: MIT
"""Every benchmark does its work; bots that forfeit are not measured."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from skyjo_core.bench import (
    N_SAMPLES,
    Benchmark,
    ForfeitError,
    Measurement,
    benchmarks,
    bot_benchmarks,
    samples,
)
from skyjo_core.play import load_one

ALL = benchmarks([2, 3], 1)


@pytest.mark.parametrize("one", ALL, ids=[one.title for one in ALL])
def test_each_benchmark_counts_and_times_its_work(one: Benchmark) -> None:
    n, seconds = one.prepare()()
    assert n > 0
    assert seconds > 0


def test_titles_are_unique_and_name_the_seats() -> None:
    titles = [one.title for one in ALL]
    assert len(set(titles)) == len(titles)
    assert {"native play: fused random, 2 seats", "native play: random, 3 seats"} <= set(titles)


def measured(one: Benchmark, seconds: float) -> Measurement:
    return Measurement.of(one, [sample for _, sample in samples([one], seconds)])


def test_rows_are_measured_in_turn() -> None:
    """A part of a whole is not slower than it because the machine was slow meanwhile."""
    calls = []

    def work(name: str) -> Callable[[], tuple[int, float]]:
        def call() -> tuple[int, float]:
            calls.append(name)
            return 1, float(len(calls))

        return call

    rows = [Benchmark("any", name, "units", lambda name=name: work(name)) for name in "ab"]  # type: ignore[misc]
    told = list(samples(rows, 0.0))
    assert [row for row, _ in told] == [0, 1] * N_SAMPLES
    # Each warms up before its first sample: a a b b, then in turn.
    assert calls == [*"aabb", *"ab" * (N_SAMPLES - 1)]
    assert told[:4] == [(0, 2.0), (1, 4.0), (0, 5.0), (1, 6.0)]


def test_samples_share_the_seconds() -> None:
    calls = []

    def work() -> tuple[int, float]:
        calls.append(1)
        return 10, 0.5

    row = measured(Benchmark("any", "work", "units", lambda: work), 7.0)
    assert row.seconds == (0.05,) * N_SAMPLES
    assert len(calls) == 1 + 2 * N_SAMPLES  # once to warm up, then 7 s / 7 samples / 0.5 s each
    assert row.per_second == pytest.approx(20)
    assert row.ns == pytest.approx(5e7)


def test_spread_is_half_the_distance_of_the_quartiles() -> None:
    times = iter([1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    one = Benchmark("any", "work", "units", lambda: lambda: (1, next(times)))
    # 1 2 3 4 5 6 7: median 4, quartiles 2.5 and 5.5
    assert measured(one, 0.0).spread == pytest.approx(1.5 / 4)


def test_bot_at_every_seat_counts_its_decisions() -> None:
    rows = bot_benchmarks(load_one("native:threshold", "test"), 3)
    assert [row.title for row in rows] == [
        "3 seats: threshold, whole games",
        "3 seats: threshold, in the bot",
    ]
    n, seconds = rows[1].prepare()()
    assert n > 3 * 2
    assert seconds > 0


def test_bot_that_forfeits_is_named_with_its_fault() -> None:
    def lost(view: object) -> int:
        raise LookupError("no idea")

    [whole, _] = bot_benchmarks(load_one(lost, "test"), 2)
    with pytest.raises(ForfeitError, match="lost: exception: LookupError: no idea"):
        whole.prepare()()
