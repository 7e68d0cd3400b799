# SPDX-License-Identifier: MIT
"""Prints how time and memory grow with seats, games and bots, as Markdown tables.

    python benchmarks/growth.py            # all tables
    python benchmarks/growth.py bots       # one of them: seats, games, bots, ratings

Each figure comes from a process of its own: its seconds without the start, the median of three, and
the most memory that it had in use beyond what it had before.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from hot_paths import BuildError, run, tell

N_RUNS: Final = 3

FINE: Final = 0
MACHINE: Final = 4


def simulate_seats(seats: int) -> int:
    """Fused games; returns the turns."""
    import skyjo_core

    result = skyjo_core.simulate("native:random", 40_000, seats, seed=1, threads=1)
    return int(result.turns.sum())


def simulate_bots(seats: int) -> int:
    """Pluggable games; returns the turns."""
    import skyjo_core

    result = skyjo_core.simulate(
        "native:threshold", 4_000, seats, seed=1, threads=1, path="pluggable"
    )
    return int(result.turns.sum())


def simulate_games(n_games: int) -> int:
    import skyjo_core

    skyjo_core.simulate("native:random", n_games, 4, seed=1, threads=1)
    return n_games


def tournament(n_bots: int) -> int:
    """A round robin of native bots, every pair on the same two deals."""
    import skyjo_core

    bots = [f"native:threshold:limit={number % 8}" for number in range(n_bots)]
    result = skyjo_core.tournament.run(bots, deals=2, seed=1, workers=1, records=False)
    return int(result.n_games)


def rate_games(n_games: int) -> int:
    from test_bench_tournament import made_results

    from skyjo_core.ratings import rate

    rate(made_results(n_games, 10))
    return n_games


def rate_bots(n_bots: int) -> int:
    from test_bench_tournament import made_results

    from skyjo_core.ratings import rate

    rate(made_results(100_000, n_bots))
    return 100_000


WORK: Final[dict[str, Callable[[int], int]]] = {
    "seats-fused": simulate_seats,
    "seats-bots": simulate_bots,
    "games": simulate_games,
    "bots": tournament,
    "ratings-games": rate_games,
    "ratings-bots": rate_bots,
}

# What is done before the clock starts, so that all that is loaded at first use is loaded: the same
# with little memory.
WARM: Final[dict[str, tuple[str, int]]] = {
    "seats-fused": ("games", 50),
    "seats-bots": ("games", 50),
    "games": ("games", 50),
    "bots": ("bots", 2),
    "ratings-games": ("ratings-games", 1_000),
    "ratings-bots": ("ratings-games", 1_000),
}

# By table: its heading, and its rows: what grows, in which work, at which sizes, what is counted.
TABLES: Final[dict[str, tuple[str, list[tuple[str, str, Sequence[int], str]]]]] = {
    "seats": (
        "Simulated games by seats, one thread",
        [
            ("seats, fused random", "seats-fused", (2, 3, 4, 6, 8), "turns"),
            ("seats, native:threshold", "seats-bots", (2, 3, 4, 6, 8), "turns"),
        ],
    ),
    "games": (
        "Simulated games of four seats, fused, one thread",
        [("games", "games", (1_000, 10_000, 100_000, 1_000_000), "games")],
    ),
    "bots": (
        "Round robins of native bots, two deals, one thread",
        [("bots", "bots", (2, 5, 10, 20, 50, 100), "games")],
    ),
    "ratings": (
        "Ratings, with the making of the games",
        [
            ("games of 10 bots", "ratings-games", (10_000, 100_000, 1_000_000), "games"),
            ("bots in 100,000 games", "ratings-bots", (2, 10, 40, 100), "games"),
        ],
    ),
}


def measured(work: str, size: int) -> tuple[int, float, float]:
    """Units, seconds and megabytes of a work in processes of its own."""
    runs = []
    for _ in range(N_RUNS):
        told = run([sys.executable, str(Path(__file__)), "--work", work, "--size", str(size)])
        runs.append(json.loads(told))
    n, seconds, megabytes = zip(*runs, strict=True)
    return n[0], statistics.median(seconds), statistics.median(megabytes)


def work_here(work: str, size: int) -> int:
    """Does some work in this process, and prints what it took."""
    warm, little = WARM[work]
    WORK[warm](little)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    n = WORK[work](size)
    seconds = time.perf_counter() - start
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps([n, seconds, kilobytes / 1024]))
    return FINE


def print_table(name: str) -> None:
    heading, rows = TABLES[name]
    print(f"{heading}:\n\n| what | size | done | seconds | a second | memory |")
    print("|---|---|---|---|---|---|")
    for what, work, sizes, unit in rows:
        for size in sizes:
            tell(f"{name}: {what} {size:,}")
            n, seconds, megabytes = measured(work, size)
            cells = [what, f"{size:,}", f"{n:,} {unit}", f"{seconds:.3f}", f"{n / seconds:,.0f}"]
            print(f"| {' | '.join(cells)} | {megabytes:.0f} MB |", flush=True)
    print()


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}")
    parser.add_argument("--work", choices=WORK, help=argparse.SUPPRESS)
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if arguments.work is not None:
        return work_here(arguments.work, arguments.size)
    if unknown := [name for name in arguments.tables if name not in TABLES]:
        parser.error(f"expected tables of {', '.join(TABLES)}, got {', '.join(unknown)}")
    try:
        for name in arguments.tables or TABLES:
            print_table(name)
    except BuildError as error:
        tell(f"growth: {error}")
        return MACHINE
    return FINE


if __name__ == "__main__":
    sys.exit(main())
