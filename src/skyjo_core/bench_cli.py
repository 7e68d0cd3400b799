# SPDX-License-Identifier: MIT
"""The command line that measures the engine, or a bot, on this machine."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from skyjo_core.bench import (
    N_SAMPLES,
    Benchmark,
    ForfeitError,
    Measurement,
    benchmarks,
    bot_benchmarks,
    samples,
)
from skyjo_core.bench_form import FORMS, Rate, read_rates, write_form
from skyjo_core.command_line import Parser, printable, run
from skyjo_core.interrupt import INTERRUPTED, Interrupt
from skyjo_core.loader import BrokenBotError
from skyjo_core.play import load_one
from skyjo_core.progress import say

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["main"]

FINE: Final = 0
SLOWER: Final = 1
BROKEN: Final = 3
MACHINE: Final = 4

_SEATS: Final = (2, 4, 8)
_SECONDS: Final = 0.3
_QUICK_SECONDS: Final = 0.02
_LINE_SECONDS: Final = 5.0
_WIDTH: Final = 120

_EPILOG: Final = """\
examples:
  python -m skyjo_core.bench
  python -m skyjo_core.bench --only "native play*" --seats 4 --threads 2
  python -m skyjo_core.bench --bot bots/mine.py --seats 4
  python -m skyjo_core.bench --json before.json
  python -m skyjo_core.bench --compare before.json --threshold 20
  python -m skyjo_core.bench --format customBiggerIsBetter > result.json

A figure is the median of seven samples, ± half the distance of their quartiles; the rows take
their samples in turn. Exit status: 0 fine, 1 a row is slower than --threshold allows or the bot
forfeited a game, 2 usage, 3 the bot cannot be loaded, 4 a file cannot be written, 130 interrupted.
"""

# Every option: its name, how argparse reads it, and what it means.
_OPTIONS: Final[list[tuple[str, dict[str, Any], str]]] = [
    (
        "--only",
        {"action": "append", "default": [], "metavar": "PATTERN"},
        'rows whose title has this in it, or matches it with * and ?; repeatable, e.g. "views*" '
        "(default: all)",
    ),
    (
        "--bot",
        {"metavar": "SPEC"},
        "measure this bot, alone at its table, instead of the engine, e.g. bots/mine.py "
        "(default: none)",
    ),
    (
        "--seats",
        {"action": "append", "type": int, "default": [], "metavar": "N"},
        "seats at a table, 2 to 8; repeatable (default: 2, 4 and 8 for native play, else 2)",
    ),
    (
        "--threads",
        {"type": int, "default": 1, "metavar": "N"},
        "threads of native play and of batches, 1 to 256 (default: 1)",
    ),
    (
        "--seconds",
        {"type": float, "default": None, "metavar": "S"},
        f"time for each row (default: {_SECONDS})",
    ),
    (
        "--quick",
        {"action": "store_true"},
        f"the same as --seconds {_QUICK_SECONDS}: to see that all runs (default: no)",
    ),
    (
        "--json",
        {"nargs": "?", "const": "-", "metavar": "FILE"},
        "the result as JSON in a file; without FILE on standard output, all else on standard error "
        "(default: no)",
    ),
    (
        "--format",
        {"choices": FORMS},
        "form of the JSON, on standard output unless --json names a file "
        "(default: pytest-benchmark)",
    ),
    (
        "--compare",
        {"type": Path, "metavar": "FILE"},
        "JSON of either form from before: show the change of each row (default: none)",
    ),
    (
        "--threshold",
        {"type": float, "metavar": "PERCENT"},
        "with --compare: exit with 1 where a row does so much less a second, if that is also more "
        "than the spreads of both measurements together (default: never)",
    ),
]


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = Parser(
        prog=prog,
        description="Measures the engine, or one bot, on this machine.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    for option, settings, text in _OPTIONS:
        parser.add_argument(option, help=text, **settings)
    return parser


def main(argv: Sequence[str] | None = None, prog: str = "python -m skyjo_core.bench") -> int:
    """Runs the command line; returns the exit status."""
    return run(lambda: _main(argv, prog), prog)


def _main(argv: Sequence[str] | None, prog: str) -> int:
    parser = _parser(prog)
    arguments = parser.parse_args(argv)
    try:
        _check(arguments)
        before = None if arguments.compare is None else _rates_before(arguments.compare)
        chosen = _chosen(arguments)
        if before is not None:
            _check_rows(arguments, chosen, before)
    except BrokenBotError as error:
        lines = "\n".join(printable(line) for line in str(error).splitlines())
        say(f"{prog}: the bot cannot be loaded: {lines}")
        return BROKEN
    except (ValueError, FileNotFoundError) as error:
        parser.error(printable(str(error)))
    try:
        return _bench(arguments, chosen, before, prog)
    except OSError as error:
        say(f"{prog}: stopped by the machine: {error}")
        return MACHINE


def _check(arguments: argparse.Namespace) -> None:
    """Completes the options; raises ValueError with all that is wrong with them."""
    faults = [
        f"--seats: expected 2 to 8, got {n}" for n in arguments.seats if not 2 <= n <= _SEATS[-1]
    ]
    if not 1 <= arguments.threads <= 256:
        faults.append(f"--threads: expected 1 to 256, got {arguments.threads}")
    if arguments.seconds is not None and not 0 <= arguments.seconds < 3600:
        faults.append(f"--seconds: expected 0 to 3600, got {arguments.seconds}")
    if arguments.quick and arguments.seconds is not None:
        faults.append("--quick: expected without --seconds, got both")
    if arguments.threshold is not None and arguments.compare is None:
        faults.append("--threshold: expected with --compare FILE, got it alone")
    if arguments.threshold is not None and not 0 <= arguments.threshold < 100:
        faults.append(f"--threshold: expected 0 to 100 per cent, got {arguments.threshold}")
    if arguments.json not in (None, "-") and not Path(arguments.json).parent.is_dir():
        faults.append(f"--json: expected a file in a folder that is there, got {arguments.json!r}")
    if faults:
        raise ValueError("; ".join(faults))
    if arguments.format is not None and arguments.json is None:
        arguments.json = "-"
    if arguments.seconds is None:
        arguments.seconds = _QUICK_SECONDS if arguments.quick else _SECONDS


def _rates_before(path: Path) -> dict[str, Rate]:
    try:
        return read_rates(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"--compare: {path}: {error}") from None


def _check_rows(
    arguments: argparse.Namespace, chosen: Sequence[Benchmark], before: Mapping[str, Rate]
) -> None:
    """Raises ValueError where nothing can be compared; tells what cannot."""
    titles = [one.title for one in chosen]
    if not set(titles) & set(before):
        raise ValueError(
            f"--compare: {arguments.compare}: expected rows of what is measured, such as "
            f"{titles[0]!r}, got none of them, but such as {next(iter(before), 'none at all')!r}"
        )
    new = [title for title in titles if title not in before]
    if new and arguments.threshold is not None:
        say(f"--compare: {arguments.compare} has no row {', '.join(map(repr, new))}: not compared")
    left = [title for title in before if title not in titles]
    if left and not arguments.only:
        say(f"--compare: not measured, but in {arguments.compare}: {', '.join(map(repr, left))}")


def _chosen(arguments: argparse.Namespace) -> list[Benchmark]:
    seats = arguments.seats
    if arguments.bot is not None:
        bot = load_one(arguments.bot, "--bot")
        everything = [one for n in seats or [2] for one in bot_benchmarks(bot, n)]
    else:
        everything = benchmarks(seats or _SEATS, arguments.threads)
    patterns = arguments.only or [""]
    chosen = [
        one
        for one in everything
        if any(pattern in one.title or fnmatch(one.title, pattern) for pattern in patterns)
    ]
    if not chosen:
        titles = ", ".join(repr(one.title) for one in everything)
        raise ValueError(f"--only: expected a part of one of {titles}, got {patterns!r}")
    return chosen


def _bench(
    arguments: argparse.Namespace,
    chosen: Sequence[Benchmark],
    before: Mapping[str, Rate] | None,
    prog: str,
) -> int:
    taken: list[list[float]] = [[] for _ in chosen]
    status = FINE
    try:
        with Interrupt() as interrupt, interrupt.allowed():
            _measure(chosen, arguments.seconds, taken)
    except KeyboardInterrupt:
        say(f"{prog}: interrupted after {sum(map(len, taken))} of {_n_samples(chosen)} samples")
        status = INTERRUPTED
    except ForfeitError as error:
        say(f"{prog}: the bot forfeited a game: {printable(str(error))}")
        return SLOWER
    done = [Measurement.of(one, own) for one, own in zip(chosen, taken, strict=True) if own]
    as_json = arguments.json == "-"
    _print_table(done, before, to_stderr=as_json)
    if arguments.json is not None and status == FINE:
        from skyjo_core import __version__

        text = write_form(arguments.format or FORMS[0], done, __version__)
        if as_json:
            say(text, sys.stdout)
        else:
            Path(arguments.json).write_text(text + "\n", encoding="utf-8")
    if before is None or arguments.threshold is None or status != FINE:
        return status
    return _slower(done, before, arguments.threshold)


def _n_samples(chosen: Sequence[Benchmark]) -> int:
    return N_SAMPLES * len(chosen)


def _measure(chosen: Sequence[Benchmark], seconds: float, taken: list[list[float]]) -> None:
    """Appends each sample to those of its row, and tells on standard error how far it is."""
    is_terminal = sys.stderr.isatty()
    last = time.monotonic()
    try:
        for number, (row, sample) in enumerate(samples(chosen, seconds), 1):
            taken[row].append(sample)
            now = time.monotonic()
            if is_terminal:
                title = printable(chosen[row].title)
                text = f"\r\033[K{number} of {_n_samples(chosen)} samples  {title}"
                print(text, end="", file=sys.stderr, flush=True)
            elif now - last >= _LINE_SECONDS:
                last = now
                say(f"{number} of {_n_samples(chosen)} samples taken")
    finally:
        if is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _print_table(
    done: Sequence[Measurement], before: Mapping[str, Rate] | None, *, to_stderr: bool
) -> None:
    from rich.console import Console

    stream = sys.stderr if to_stderr else sys.stdout
    console = Console(file=stream, width=_WIDTH, emoji=False, highlight=False)
    with console.capture() as report:
        console.print(_table(done, before))
    for line in report.get().rstrip().splitlines():
        say(line.rstrip(), stream)


def _table(done: Sequence[Measurement], before: Mapping[str, Rate] | None) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("what", no_wrap=True)
    for heading in ("a second", "± %", "time of one", *(["change"] if before is not None else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    group = ""
    for measured in done:
        if group and measured.group != group:
            table.add_row()
        group = measured.group
        cells = [
            printable(measured.title),
            f"{_rate(measured.per_second)} {measured.unit}",
            f"{100 * measured.spread:.1f}" if len(measured.seconds) > 1 else "-",
            _time(measured.ns),
        ]
        if before is not None:
            cells.append(_change(measured.per_second, before.get(measured.title)))
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _change(new: float, old: Rate | None) -> str:
    if old is None or not old.per_second:
        return "new"
    return f"{100 * (new / old.per_second - 1):+.1f} %"


def _rate(value: float) -> str:
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.2f}{letter}"
    return f"{value:.2f}  "


def _time(ns: float) -> str:
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= size:
            return f"{ns / size:.2f} {unit}"
    return f"{ns:.1f} ns"


def _slower(done: Sequence[Measurement], before: Mapping[str, Rate], threshold: float) -> int:
    """Tells the rows that are too slow; returns the exit status."""
    status = FINE
    for measured in done:
        if measured.title not in before:
            continue
        old = before[measured.title]
        spread = old.spread + measured.spread
        least = old.per_second * (1 - threshold / 100)
        if measured.per_second >= least:
            continue
        text = (
            f"{measured.title}: expected at least {_rate(least).strip()} a second, got "
            f"{_rate(measured.per_second).strip()}"
        )
        if measured.per_second < old.per_second * (1 - spread):
            status = SLOWER
        else:
            text += f", which the spreads of both (± {100 * spread:.1f} %) can explain"
        say(text)
    return status
