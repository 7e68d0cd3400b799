# SPDX-License-Identifier: MIT
"""What the engine does a second: short repeated measurements of each of its uses, in turn."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

import numpy as np

from skyjo_core import _core
from skyjo_core.batch_game import BatchGame
from skyjo_core.game import Game
from skyjo_core.loader import LoadedBot
from skyjo_core.play import PlayedGame, load_one, play_table
from skyjo_core.ratings import rate
from skyjo_core.results import Results
from skyjo_core.rules import Rules
from skyjo_core.simulation import simulate
from skyjo_core.verify import verify_record

__all__ = ["Benchmark", "Measurement", "benchmarks", "bot_benchmarks", "samples"]

N_SAMPLES: Final = 7

_READS: Final = 1_000  # of an attribute, before the clock is looked at
_N_RATED: Final = 100_000

_START: Final = (
    "import time; start = time.perf_counter(); import skyjo_core; "
    "print(time.perf_counter() - start)"
)

Work = Callable[[], tuple[int, float]]
"""Does some work: units done, and seconds taken."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Something to be measured.

    Attributes
    ----------
    group, name : str
        The use of the engine, and what of it.
    unit : str
        What is counted, in the plural.
    prepare : callable
        Gives the work, ready to be done again and again.
    """

    group: str
    name: str
    unit: str
    prepare: Callable[[], Work]

    @property
    def title(self) -> str:
        """Group and name."""
        return f"{self.group}: {self.name}"


@dataclass(frozen=True, slots=True)
class Measurement:
    """What a benchmark took.

    Attributes
    ----------
    title, group, unit : str
        Of the benchmark.
    seconds : tuple of float
        Seconds a unit, of each sample.
    """

    title: str
    group: str
    unit: str
    seconds: tuple[float, ...]

    @classmethod
    def of(cls, benchmark: Benchmark, seconds: Sequence[float]) -> Measurement:
        """What the samples of a benchmark tell."""
        return cls(benchmark.title, benchmark.group, benchmark.unit, tuple(seconds))

    @property
    def per_second(self) -> float:
        """Units a second, of the median sample."""
        return 1.0 / median(self.seconds)

    @property
    def ns(self) -> float:
        """Nanoseconds a unit, of the median sample."""
        return 1e9 * median(self.seconds)

    @property
    def spread(self) -> float:
        """Half the distance of the quartiles, as a share of the median."""
        low, high = np.quantile(self.seconds, [0.25, 0.75])
        return float(high - low) / 2 / median(self.seconds)


def samples(chosen: Sequence[Benchmark], seconds: float) -> Iterator[tuple[int, float]]:
    """Index of a benchmark and seconds a unit, of seven samples of each, which share its seconds.

    They are taken in turn, so that what slows the machine for a while does not slow one alone. Work
    is done once before its first sample, to warm up.

    Examples
    --------
    >>> nap = Benchmark("sleep", "none", "naps", lambda: lambda: (2, 0.5))
    >>> taken = [seconds for _, seconds in samples([nap], 0.1)]
    >>> measured = Measurement.of(nap, taken)
    >>> measured.per_second, len(measured.seconds), measured.spread
    (4.0, 7, 0.0)
    """
    works: list[Work] = []
    for _ in range(N_SAMPLES):
        for i, one in enumerate(chosen):
            if i == len(works):
                works.append(one.prepare())
                works[i]()
            yield i, _sample(works[i], seconds / N_SAMPLES)


def _sample(work: Work, seconds: float) -> float:
    """Seconds a unit, of work done until the seconds are over."""
    n, taken = 0, 0.0
    while n == 0 or taken < seconds:
        more, time_of_it = work()
        n += more
        taken += time_of_it
    return taken / n


def _timed(function: Callable[[], int]) -> Work:
    """The work of a function that returns how many units it did."""

    def work() -> tuple[int, float]:
        start = time.perf_counter()
        n = function()
        return n, time.perf_counter() - start

    return work


# All of them


def benchmarks(seats: Sequence[int], threads: int) -> list[Benchmark]:
    """Every use of the engine: native play at each number of seats, the rest at the first."""
    first = seats[0]
    return [
        *_native(seats, threads),
        *_engine(first),
        *_views(first),
        *_python_bots(first),
        *_batches(first, threads),
        *_records(first),
        Benchmark("ratings", f"of {_N_RATED:,} games", "games", _ratings),
        Benchmark("start-up", "import skyjo_core", "imports", lambda: _import),
    ]


def _native(seats: Sequence[int], threads: int) -> Iterator[Benchmark]:
    def play(bot: str, n_seats: int, path: str) -> Callable[[], Work]:
        numbers = itertools.count()
        n_games = 400 * threads if path == "pluggable" else 4_000 * threads

        def games() -> int:
            result = simulate(
                f"native:{bot}", n_games, n_seats, seed=next(numbers), threads=threads, path=path
            )
            return int(result.turns.sum())

        return lambda: _timed(games)

    for n_seats in seats:
        yield Benchmark(
            "native play",
            f"fused random, {n_seats} seats",
            "turns",
            play("random", n_seats, "fused"),
        )
    for bot, n_seats in itertools.product(_core.NATIVE_BOTS, seats):
        name = f"{bot}, {n_seats} seats"
        yield Benchmark("native play", name, "turns", play(bot, n_seats, "pluggable"))


def _middle(seats: int) -> Game:
    """A game some turns after its start."""
    game = Game(seats, seed=1)
    for _ in range(5 * seats):
        game.apply(game.legal_moves()[0])
    return game


def _engine(seats: int) -> Iterator[Benchmark]:
    rules = Rules()
    game = _middle(seats)

    def moves() -> int:
        game = Game(seats, rules, seed=3)
        n = 0
        while game.seat >= 0:
            game.apply(game.legal_moves()[-1])
            n += 1
        return n

    def deals() -> int:
        for seed in range(100):
            Game(seats, rules, seed)
        return 100

    def playouts() -> int:
        return len(game.playouts(500, seed=1).closer)

    def copies() -> int:
        for _ in range(100):
            game.copy(log=False)
        return 100

    def calls() -> tuple[int, float]:
        bot = _core.CompiledBot("threshold", "")
        return _READS, _core.time_calls(bot, game, calls=_READS)[0]

    yield Benchmark("game from Python", f"moves, {seats} seats", "moves", lambda: _timed(moves))
    yield Benchmark("game from Python", f"deals, {seats} seats", "deals", lambda: _timed(deals))
    yield Benchmark("game from Python", "copies without log", "copies", lambda: _timed(copies))
    yield Benchmark("playouts", f"{seats} seats", "playouts", lambda: _timed(playouts))
    yield Benchmark("compiled bots", "calls of native:threshold", "calls", lambda: calls)


def _views(seats: int) -> Iterator[Benchmark]:
    view = _middle(seats).view()

    def reads(function: Callable[[Any], object]) -> Callable[[], Work]:
        def read() -> int:
            deque(map(function, itertools.repeat(view, _READS)), maxlen=0)
            return _READS

        return lambda: _timed(read)

    yield Benchmark("views", "empty function called", "calls", reads(lambda view: None))
    yield Benchmark("views", "turn_number", "reads", reads(lambda view: view.turn_number))
    yield Benchmark("views", "legal_moves", "reads", reads(lambda view: view.legal_moves))
    yield Benchmark("views", "cells(0)", "reads", reads(lambda view: view.cells(0)))
    yield Benchmark("views", "grids", "reads", reads(lambda view: view.grids))


def _python_bots(seats: int) -> Iterator[Benchmark]:
    def first_legal(view: Any) -> int:
        return view.legal_moves[0]  # type: ignore[no-any-return]

    def random_legal(view: Any, rng: Any) -> int:
        legal = view.legal_moves
        return legal[rng.below(len(legal))]  # type: ignore[no-any-return]

    for name, function in (("first legal move", first_legal), ("random move", random_legal)):
        yield from _games(load_one(function, "bench"), "python bots", name, seats)


def _games(bot: LoadedBot, group: str, name: str, seats: int) -> Iterator[Benchmark]:
    """Whole games with the bot at every seat, and its own share of their time."""
    rules, names = Rules(), [str(seat) for seat in range(seats)]
    of_whole, of_own = itertools.count(), itertools.count()  # the same games for both

    def play(number: int) -> PlayedGame:
        keys = _core.bot_keys(number, deal=0, lineup=0, seating=0, n=seats)
        game = Game(seats, rules, seed=number)
        played = play_table(game, [bot] * seats, names, keys, stop_on_interrupt=True)
        if played.faults:
            fault = played.faults[0]
            raise ForfeitError(f"{bot.name}: {fault['kind']}: {fault['detail'].splitlines()[-1]}")
        return played

    def whole() -> int:
        return sum(play(next(of_whole)).decisions)

    def own() -> tuple[int, float]:
        played = play(next(of_own))
        return sum(played.decisions), sum(played.seconds)

    yield Benchmark(group, f"{name}, whole games", "decisions", lambda: _timed(whole))
    yield Benchmark(group, f"{name}, in the bot", "decisions", lambda: own)


class ForfeitError(Exception):
    """A bot that is to be measured forfeited a game; the text says why."""


def bot_benchmarks(bot: LoadedBot, seats: int) -> list[Benchmark]:
    """The games of one bot, sitting at every seat."""
    return list(_games(bot, f"{seats} seats", bot.name, seats))


def _batches(seats: int, threads: int) -> Iterator[Benchmark]:
    def steps(n: int) -> Callable[[], Work]:
        return lambda: prepared(n)

    def prepared(n: int) -> Work:
        batch = BatchGame(n, seats, seed=1, threads=threads)
        scores = np.random.default_rng(1).integers(1, 256, (n + 1000, batch.n_moves), np.uint8)
        numbers = itertools.count()

        def step() -> tuple[int, float]:
            begin = next(numbers) * 7919 % 1000
            moves = (batch.legal_masks * scores[begin : begin + n]).argmax(axis=1)
            start = time.perf_counter()
            batch.step(moves)
            return n, time.perf_counter() - start

        return step

    for n in (1024, 4096):
        yield Benchmark("batches", f"{n:,} rows, {seats} seats", "decisions", steps(n))


def _records(seats: int) -> Iterator[Benchmark]:
    bot = load_one("native:threshold", "bench")
    names = [str(seat) for seat in range(seats)]
    played = play_table(Game(seats, seed=1), [bot] * seats, names, list(range(seats)))
    record = played.record()

    def write() -> int:
        played.record_line()
        return 1

    def verify() -> int:
        assert verify_record(record) is None
        return 1

    yield Benchmark("records", f"written, {seats} seats", "games", lambda: _timed(write))
    yield Benchmark("records", f"verified, {seats} seats", "games", lambda: _timed(verify))


def _ratings() -> Work:
    n_bots, shape = 10, (_N_RATED, 2)
    random = np.random.default_rng(1)
    first = random.integers(0, n_bots, _N_RATED, np.int32)
    second = (first + random.integers(1, n_bots, _N_RATED, np.int32)) % n_bots
    places = np.array([[1, 2], [2, 1]], np.int8)[random.integers(0, 2, _N_RATED)]
    results = Results(
        names=tuple(f"bot{number}" for number in range(n_bots)),
        bots=np.stack([first, second], axis=1).astype(np.int32),
        totals=np.full(shape, 100, np.int32),
        places=places,
        faulted=np.zeros(shape, np.bool_),
        deals=np.arange(_N_RATED, dtype=np.int64) // 100,
        decisions=np.full(shape, 100, np.int64),
        seconds=np.zeros(shape, np.float64),
    )

    def fit() -> int:
        return _N_RATED if len(rate(results).names) == n_bots else 0

    return _timed(fit)


def _import() -> tuple[int, float]:
    """In a fresh process, with numpy."""
    done = subprocess.run(
        [sys.executable, "-c", _START], capture_output=True, text=True, check=True
    )
    return 1, float(done.stdout)


if __name__ == "__main__":
    from skyjo_core.bench_cli import main

    sys.exit(main())
