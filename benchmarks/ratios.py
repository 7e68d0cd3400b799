# SPDX-License-Identifier: MIT
"""Prints the ratios that the project promises, each with its bound, as a Markdown table.

    python benchmarks/ratios.py
    python benchmarks/ratios.py --only fused --rounds 3

The yardstick is a minimal loop of random play, a folder with limit.cpp. Ours and the other run in
turn; a ratio is the median of those of neighbours. Exit status: 0, or 1 where a bound is missed;
without the yardstick there are only our own figures, as a report, and the status is 0. Close other
programs: what shares a core with them tells nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from hot_paths import ROOT, BuildError, HotPaths, build, run, tell

import skyjo_core
from skyjo_core import Game, Rng, Rules, View, _core
from skyjo_core.play import PlayedGame, load_one, play_table

FINE: Final = 0
MISSED: Final = 1
MACHINE: Final = 4

NATIVE: Final = "-O3 -march=native"
V2: Final = "-O2 -march=x86-64-v2"
RANDOM_BOT: Final = """
def choose_move(view, rng):
    legal = view.legal_moves
    return legal[rng.below(len(legal))]
"""
_SAMPLE: Final = 0.25  # of the time of a measurement
_REPEATED: Final = 50  # reads of an attribute in a statement, so that the loop hardly counts


@dataclass(frozen=True)
class Ratio:
    """Something promised. `measure` gives our figure and what it is held against."""

    name: str
    unit: str
    measure: Callable[[], tuple[float, float]]
    bound: float
    at_least: bool = True
    stretch: float | None = None

    def met(self, value: float) -> bool:
        return value >= self.bound if self.at_least else value <= self.bound


class Bench:
    """The programs and bots that are measured, each made when it is first needed."""

    def __init__(self, folder: Path, yardstick: Path, seconds: float) -> None:
        self.folder = folder
        self.yardstick = yardstick
        self.seconds = seconds

    # Programs

    @cached_property
    def native(self) -> HotPaths:
        tell("building the engine for this processor")
        return build(self.folder / "native", SKYJO_NATIVE="ON")

    @cached_property
    def v2(self) -> HotPaths:
        tell("building the engine for x86-64-v2")
        return build(self.folder / "v2", SKYJO_LEVEL="V2")

    @cached_property
    def probe(self) -> Any:
        """The module of probe.pyx."""
        from skyjo_core.cython_build import built_module

        tell("building probe.pyx")
        os.environ["SKYJO_CACHE"] = str(self.folder / "cache")
        file = built_module(Path(__file__).with_name("probe.pyx"))
        spec = importlib.util.spec_from_file_location("probe", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def limit(self, flags: str, threads: int = 1, share: float = 1) -> float:
        """Turns a second of the yardstick, over a share of the time of a measurement."""
        program = self.folder / f"limit{flags.replace(' ', '')}"
        if not program.exists():
            tell(f"building the yardstick with {flags}")
            source = str(self.yardstick / "limit.cpp")
            run(["g++", "-std=c++20", *flags.split(), source, "-o", str(program), "-pthread"])
        seconds = str(share * self.seconds)
        told = json.loads(run([str(program), seconds, str(threads), "wy4"]))
        return float(told["turns"] / told["sec"])

    # What is measured

    def speed(self, paths: HotPaths, name: str, threads: int = 1, share: float = 1) -> float:
        return paths.time(name, share * self.seconds, threads).per_second

    def held(self, ours: Callable[[], float], flags: str) -> tuple[float, float]:
        """A speed of ours and that of the yardstick: medians of short samples in turn.

        What else runs on the processor comes and goes within tenths of a second.
        """
        return medians((ours(), self.limit(flags, share=_SAMPLE)) for _ in range(5))

    def fused(self, paths: HotPaths, flags: str) -> tuple[float, float]:
        return self.held(lambda: self.speed(paths, "fused-4", share=_SAMPLE), flags)

    def installed(self) -> float:
        """Turns a second of native bots one by one, in the package that is installed."""
        start = time.perf_counter()
        result = skyjo_core.simulate(
            "native:random", self._n_games, seats=4, seed=1, threads=1, path="pluggable"
        )
        return float(result.turns.sum()) / (time.perf_counter() - start)

    @cached_property
    def _n_games(self) -> int:
        """About as many as take a sample's time."""
        start = time.perf_counter()
        skyjo_core.simulate("native:random", 2_000, seats=4, seed=1, threads=1, path="pluggable")
        return int(2_000 * _SAMPLE * self.seconds / (time.perf_counter() - start))

    def scaling(self) -> tuple[float, float]:
        """Two threads against one: ours, and the yardstick's.

        Medians of five each: a ratio of four measurements is four times as noisy as one. Those with
        as many threads are neighbours, so that a change of the machine between strikes both.
        """
        two, limit_two, one, limit_one = medians(
            (
                self.speed(self.native, "fused-4", 2),
                self.limit(NATIVE, threads=2),
                self.speed(self.native, "fused-4"),
                self.limit(NATIVE),
            )
            for _ in range(5)
        )
        return two / one, limit_two / limit_one

    def time_reads(self, code: str, value: object) -> float:
        """Nanoseconds of an expression of x."""
        timer = timeit.Timer("; ".join([code] * _REPEATED), globals={"x": value})
        number = 2_000
        return 1e9 * min(timer.repeat(5, number)) / number / _REPEATED

    def attributes(self) -> tuple[float, float]:
        view = middle().view()
        return (
            self.time_reads("x.turn_number", view),
            self.time_reads("x.value", self.probe.Number(5)),
        )

    def legal_moves(self) -> tuple[float, float]:
        return self.time_reads("x.legal_moves", middle().view()), 1.0

    def decision(self, own: bool) -> tuple[float, float]:
        """Nanoseconds a decision of the smallest bot, and those of an empty call.

        `own`: as its clock in the match has it, with the view made ready and the answer read; else
        those of whole games, with deals, moves and the making of games and seats.
        """

        def first_legal(view: View) -> int:
            return view.legal_moves[0]

        def empty(view: View) -> None:
            pass

        games, whole, in_bot = self._games(first_legal)
        ns = 1e9 * (in_bot if own else whole) / sum(sum(played.decisions) for played in games)
        calls = int(self.seconds * 5e6) + 1
        return ns, 1e9 * self.probe.time_vectorcalls(empty, None, calls) / calls

    def python_turns(self) -> tuple[float, float]:
        """Turns a second of four random bots written in Python, on one core."""

        def random_legal(view: View, rng: Rng) -> int:
            legal = view.legal_moves
            return legal[rng.below(len(legal))]

        games, taken, _ = self._games(random_legal)
        return sum(turns_of(played.game) for played in games) / taken, 1.0

    def _games(self, function: Callable[..., int]) -> tuple[list[PlayedGame], float, float]:
        """Games of four such bots, loaded once as in a tournament; their seconds and the bots'.

        The time is that of games which nobody keeps: new memory would count as much as the play.
        """
        bots, names, rules = [load_one(function, "ratios")] * 4, list("abcd"), Rules()

        def play(seed: int) -> PlayedGame:
            return play_table(Game(4, rules, seed), bots, names, [1, 2, 3, 4])

        seeds = range(50)
        games = [play(seed) for seed in seeds]
        start = time.perf_counter()
        n_passes, own = 0, 0.0
        while n_passes == 0 or time.perf_counter() - start < self.seconds:
            own += sum(sum(play(seed).seconds) for seed in seeds)
            n_passes += 1
        return games, (time.perf_counter() - start) / n_passes, own / n_passes

    def tournament(self, bots: list[Any], deals: int, workers: int, records: bool = False) -> float:
        """Seconds of a tournament with all bots at each table."""
        start = time.perf_counter()
        skyjo_core.tournament.run(
            bots, seats=len(bots), deals=deals, seed=1, workers=workers, records=records
        )
        return time.perf_counter() - start

    @cached_property
    def python_bots(self) -> list[Any]:
        """Four files with the same random bot."""
        folder = self.folder / "bots"
        folder.mkdir()
        bots = [folder / f"{name}.py" for name in ("one", "two", "three", "four")]
        for bot in bots:
            bot.write_text(RANDOM_BOT, encoding="utf-8")
        return list(bots)

    def processes(self) -> tuple[float, float]:
        """One process against two: seconds beyond those of a tournament of next to nothing."""
        bots = self.python_bots
        deals = int(2_000 * self.seconds) + 100

        def taken(workers: int) -> float:
            return self.tournament(bots, deals, workers) - self.tournament(bots, 2, workers)

        return medians((taken(1), taken(2)) for _ in range(3))

    def records(self, bots: list[Any], games_per_second: int) -> tuple[float, float]:
        """Seconds of a tournament with records, and without: medians of three in turn."""
        # So many that how work begins and ends counts little.
        deals = int(games_per_second * self.seconds) // len(bots) + 50
        return medians(
            (
                self.tournament(bots, deals, 1, records=True),
                self.tournament(bots, deals, 1),
            )
            for _ in range(3)
        )

    def batch(self, n: int) -> tuple[float, float]:
        """Decisions a second of steps, moves chosen outside of the time."""
        batch = skyjo_core.BatchGame(n, seats=4, seed=1)
        scores = np.random.default_rng(1).integers(1, 256, (n + 1000, batch.n_moves), np.uint8)
        taken: list[float] = []
        while len(taken) < 100 or sum(taken) < self.seconds / 2:
            begin = len(taken) * 7919 % 1000
            moves = (batch.legal_masks * scores[begin : begin + n]).argmax(axis=1)
            start = time.perf_counter()
            batch.step(moves)
            taken.append(time.perf_counter() - start)
        return n / statistics.median(taken), 1.0

    def compiled_call(self) -> tuple[float, float]:
        """Nanoseconds a call of a bot in C++."""
        calls = 1_000_000
        game = skyjo_core.Game(2, seed=1)
        return 1e9 * _core.time_calls(self._compiled_bot, game, calls=calls)[0] / calls, 1.0

    @cached_property
    def _compiled_bot(self) -> Any:
        from test_bench_compiled import cpp_bot

        return cpp_bot(self.folder, "first_legal").native


def medians(rows: Iterable[tuple[float, ...]]) -> tuple[Any, ...]:
    """Of each column."""
    return tuple(statistics.median(column) for column in zip(*rows, strict=True))


def middle() -> Game:
    """A game of four seats some turns after its start."""
    game = skyjo_core.Game(4, seed=1)
    for _ in range(20):
        game.apply(game.legal_moves()[0])
    return game


def turns_of(game: Game) -> int:
    """Complete turns: each begins with the draw pile or the discard."""
    return sum(12 <= move < 24 or move == 36 for round in game.rounds for move in round.moves)


def ratios(bench: Bench) -> list[Ratio]:
    """All that is promised; those to the yardstick only where it is."""

    def to_seats(name: str, seats: int) -> Callable[[], tuple[float, float]]:
        return lambda: (
            bench.speed(bench.native, f"{name}-{seats}"),
            bench.speed(bench.native, f"{name}-4"),
        )

    def per_copy() -> tuple[float, float]:
        return bench.native.time("copies", bench.seconds).ns, 1.0

    own = [
        *(
            Ratio(f"{name}, {seats} seats to 4", "turns/s", to_seats(path, seats), 0.75)
            for name, path in (("fused", "fused"), ("pluggable", "random"))
            for seats in (2, 8)
        ),
        *(
            Ratio(f"records of a tournament of {kind} bots, time", "s", measure, 1.15, False)
            for kind, measure in (
                ("native", lambda: bench.records(["native:threshold", "native:random"], 50_000)),
                ("Python", lambda: bench.records(bench.python_bots, 5_000)),
            )
        ),
        Ratio("bare copy", "ns", per_copy, 60, at_least=False),
        Ratio("call of a compiled bot", "ns", bench.compiled_call, 6, at_least=False),
        *(
            Ratio(f"Python decision, {part}, to an empty call", "ns", measure, 5, False, 3.5)
            for part, measure in (
                ("in the bot", lambda: bench.decision(own=True)),
                ("whole games", lambda: bench.decision(own=False)),
            )
        ),
        Ratio("view's int to Cython's", "ns", bench.attributes, 2, at_least=False),
        Ratio("view.legal_moves", "ns", bench.legal_moves, 150, at_least=False),
        Ratio("four random Python bots", "turns/s", bench.python_turns, 1e6),
        Ratio("Python bots, two processes to one", "s", bench.processes, 1.8),
        Ratio("batch of 1,024", "decisions/s", lambda: bench.batch(1024), 1e7),
        Ratio("batch of 4,096", "decisions/s", lambda: bench.batch(4096), 1e7),
    ]
    if not (bench.yardstick / "limit.cpp").is_file():
        return own
    return [
        Ratio(
            "fused, native",
            "turns/s",
            lambda: bench.fused(bench.native, NATIVE),
            0.75,
            stretch=1.0,
        ),
        Ratio(
            "fused, x86-64-v2",
            "turns/s",
            lambda: bench.fused(bench.v2, V2),
            0.75,
            stretch=1.0,
        ),
        Ratio(
            "pluggable, as installed, to native",
            "turns/s",
            lambda: bench.held(bench.installed, NATIVE),
            0.3,
            stretch=0.39,
        ),
        Ratio("scaling, two threads to the yardstick's", "to one", bench.scaling, 0.95),
        *own,
    ]


def figure(value: float) -> str:
    """Three digits and more."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= 10 * size or (value >= size and letter == " M"):
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def row(ratio: Ratio, pairs: Sequence[tuple[float, float]]) -> tuple[str, bool]:
    """The line of the table, and whether the bound is met."""
    value = statistics.median(ours / other for ours, other in pairs)
    met = ratio.met(value)
    ours, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    held = "" if all(pair[1] == 1.0 for pair in pairs) else f"{figure(other)} {ratio.unit}"
    spread = "{} to {}".format(*(figure(f(a / b for a, b in pairs)) for f in (min, max)))
    bound = f"{'≥' if ratio.at_least else '≤'} {figure(ratio.bound)}"
    if ratio.stretch is not None:
        bound += f" ({figure(ratio.stretch)})"
    told = f"{figure(ours)} {ratio.unit}"
    cells = [ratio.name, told, held, figure(value), spread, bound, "yes" if met else "**no**"]
    return f"| {' | '.join(cells)} |", met


def measure(chosen: Sequence[Ratio], n_rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Rounds of all ratios, so that a slow minute of the machine strikes all alike."""
    pairs: dict[str, list[tuple[float, float]]] = {ratio.name: [] for ratio in chosen}
    for number in range(-1, n_rounds):
        for ratio in chosen:
            pair = ratio.measure()
            if number >= 0:  # the first round builds and warms up
                pairs[ratio.name].append(pair)
        tell(f"round {number + 1} of {n_rounds}" if number >= 0 else "warm")
    return pairs


def machine() -> str:
    """The processor and the system."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        found = re.search(r"model name\s*: (.+)", text)
    except OSError:
        found = None
    processor = found[1] if found else platform.machine()
    system = f"{platform.system()}; Python {platform.python_version()}"
    return f"{processor}, {os.cpu_count()} processors, {system}"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    default = ROOT / "../shared/yardstick"
    parser.add_argument("--yardstick", type=Path, default=default, metavar="DIR")
    parser.add_argument("--only", default="", metavar="TEXT", help="ratios with this in the name")
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="default: 7")
    parser.add_argument("--seconds", type=float, default=0.4, metavar="S", help="a measurement")
    arguments = parser.parse_args(argv)
    has_yardstick = (arguments.yardstick / "limit.cpp").is_file()
    if not has_yardstick:
        tell(f"ratios: {arguments.yardstick}: no yardstick there, so only our own figures")
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), arguments.yardstick, arguments.seconds)
        chosen = [ratio for ratio in ratios(bench) if arguments.only in ratio.name]
        try:
            pairs = measure(chosen, arguments.rounds)
        except (BuildError, subprocess.CalledProcessError) as error:
            tell(f"ratios: {error}")
            return MACHINE
    rows = [row(ratio, pairs[ratio.name]) for ratio in chosen]
    print(f"{machine()}\n")
    print("| what | ours | held against | ratio, median | spread | bound (stretch) | met |")
    print("|---|---|---|---|---|---|---|")
    for text, _ in rows:
        print(text)
    return MISSED if has_yardstick and not all(met for _, met in rows) else FINE


if __name__ == "__main__":
    sys.exit(main())
