# SPDX-License-Identifier: MIT
"""The command line that holds records against the rules."""

from __future__ import annotations

import argparse
import json
import os
import stat
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from skyjo_core.command_line import Parser, printable, run
from skyjo_core.interrupt import INTERRUPTED, Interrupt
from skyjo_core.progress import say
from skyjo_core.record_difference import Difference, shortened
from skyjo_core.record_file import RecordFile
from skyjo_core.verify import Verdict, verify_file

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

__all__ = ["main"]

FINE: Final = 0
WRONG: Final = 1
UNREADABLE: Final = 2
MACHINE: Final = 4

_MAX_TEXT: Final = 300  # characters of what was expected, and of what came
_FIRST_SECONDS: Final = 1.0  # until progress is shown
_EVERY_SECONDS: Final = 0.1

_EPILOG: Final = """\
examples:
  python -m skyjo_core.verify runs/2026-01-31-1/records.jsonl.gz
  python -m skyjo_core.verify mine.jsonl others.jsonl.gz --json > verdict.json
  zcat records.jsonl.gz | head -100 | python -m skyjo_core.verify -

Each line of a file is one game: docs/format.md. Rounds and moves are counted from 0, lines from 1.
Exit status: 0 all records are right, 1 some are not, 2 usage or a file that cannot be read,
4 stopped by the machine, 130 interrupted.
"""


def main(argv: Sequence[str] | None = None, prog: str = "python -m skyjo_core.verify") -> int:
    """Runs the command line; returns the exit status."""
    return run(lambda: _main(argv, prog), prog)


def _main(argv: Sequence[str] | None, prog: str) -> int:
    parser = _parser(prog)
    arguments = parser.parse_intermixed_args(argv)
    if arguments.max_differences < 0:
        parser.error(f"--max-differences: expected 0 or more, got {arguments.max_differences}")
    if arguments.files.count("-") > 1:
        parser.error("FILE: expected - at most once, for standard input can be read only once")
    unreadable = [fault for path in arguments.files if (fault := _why_unreadable(path))]
    for fault in unreadable:
        say(f"{prog}: {printable(fault)}")
    if unreadable:
        return UNREADABLE
    report = _Report(arguments.files, arguments.max_differences, as_json=arguments.json)
    try:
        with Interrupt() as interrupt:
            return _verify(report, interrupt, prog)
    except OSError as error:
        say(f"{prog}: stopped by the machine: {error}")
        return MACHINE


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = Parser(
        prog=prog,
        description="Replays records of games against the rules and tells the first difference "
        "of each bad one.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help=".jsonl or .jsonl.gz, or - for standard input"
    )
    parser.add_argument(
        "--max-differences",
        type=int,
        default=100,
        metavar="N",
        help="tell at most so many differences, but count all (default: 100)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="the result as one JSON object on standard output, all else on standard error "
        "(default: no)",
    )
    return parser


def _why_unreadable(path: str) -> str | None:
    """What keeps a file from being read, found without opening it: a pipe opens only once."""
    if path == "-":
        return None
    try:
        if stat.S_ISDIR(Path(path).stat().st_mode):
            return f"{path}: expected a file of records, got a folder"
        if not os.access(path, os.R_OK):
            return f"{path}: expected a file that may be read, got no permission"
    except FileNotFoundError:
        return f"{path}: expected a file of records, found nothing"
    except (OSError, ValueError) as error:
        return f"{path}: expected a file of records: {error}"
    return None


class _UnreadableError(Exception):
    """A file cannot be opened after all, or not be read to its end."""


class _Report:
    """What is told: differences as they are found, and the count at the end."""

    def __init__(self, files: Sequence[str], max_differences: int, *, as_json: bool) -> None:
        self.files = files
        self.right = 0
        self.wrong = 0
        self._max_differences = max_differences
        self._as_json = as_json
        self._differences: list[dict[str, object]] = []

    @property
    def counts(self) -> str:
        n_files = len(self.files)
        records = f"{self.right} record{'' if self.right == 1 else 's'} right"
        wrong = f", {self.wrong} wrong" if self.wrong else ""
        return f"{records}{wrong} in {n_files} file{'' if n_files == 1 else 's'}"

    def is_told(self, verdict: Verdict) -> bool:
        """Counts a verdict; whether it is to be told as well."""
        if verdict.difference is None:
            self.right += 1
            return False
        self.wrong += 1
        return self.wrong <= self._max_differences

    def tell(self, path: str, line: int, difference: Difference) -> None:
        if self._as_json:
            where: dict[str, object] = {"file": path, "line": line}
            self._differences.append(where | asdict(difference))
            return
        short = replace(
            difference,
            expected=shortened(difference.expected, _MAX_TEXT),
            got=shortened(difference.got, _MAX_TEXT),
        )
        print(f"{printable(path)}:{line}: {short}", flush=True)

    def close(self) -> None:
        untold = self.wrong - self._max_differences
        stream = sys.stderr if self._as_json else sys.stdout
        if untold > 0:
            say(f"... and {untold} more (--max-differences {self._max_differences})", stream)
        if self._as_json:
            result = {
                "files": list(self.files),
                "right": self.right,
                "wrong": self.wrong,
                "differences": self._differences,
            }
            say(json.dumps(result), sys.stdout)
        say(self.counts, stream)


def _verify(report: _Report, interrupt: Interrupt, prog: str) -> int:
    status = FINE
    try:
        with _Progress(report) as progress, interrupt.allowed():
            for path, verdict in _verdicts(report.files, progress):
                if report.is_told(verdict) and verdict.difference is not None:
                    progress.hide()
                    report.tell(path, verdict.line, verdict.difference)
    except KeyboardInterrupt:
        say(f"{prog}: interrupted; so far:")
        status = INTERRUPTED
    except _UnreadableError as error:
        say(f"{prog}: {printable(str(error))}; until there:")
        status = UNREADABLE
    except BrokenPipeError:
        say("", sys.stdout)  # nobody listens any more, and nothing may be left in the stream
        return WRONG
    report.close()
    return status or (WRONG if report.wrong else FINE)


def _verdicts(paths: Sequence[str], progress: _Progress) -> Iterator[tuple[str, Verdict]]:
    for path in paths:
        try:
            with RecordFile(path) as file:
                for verdict in verify_file(file):
                    yield path, verdict
                    progress.show(file.position)
                progress.finish(file.position)
        except OSError as error:
            raise _UnreadableError(f"{path}: cannot be read: {error.strerror}") from None


class _Progress:
    """Tells on a terminal how far it is, once it takes longer than a second."""

    def __init__(self, report: _Report) -> None:
        self._report = report
        self._start = time.monotonic()
        self._next = self._start + _FIRST_SECONDS if sys.stderr.isatty() else float("inf")
        self._finished = 0  # bytes of the files before
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> _Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.hide()

    def show(self, position: int) -> None:
        """The file that is read now has been read that far."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _EVERY_SECONDS
        if self._bar is None or self._task is None:
            self._bar, self._task = _make_bar(self._report.files)
        n_records = self._report.right + self._report.wrong
        wrong = f", {self._report.wrong} wrong" if self._report.wrong else ""
        self._bar.start()
        self._bar.update(
            self._task,
            completed=self._finished + position,
            counts=f"{n_records} records, {n_records / (now - self._start):.0f}/s{wrong},",
            refresh=True,
        )

    def finish(self, size: int) -> None:
        """A file is read to its end."""
        self._finished += size

    def hide(self) -> None:
        if self._bar is not None:
            self._bar.stop()


def _make_bar(paths: Sequence[str]) -> tuple[Bar, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        BarColumn(),
        TextColumn("{task.fields[counts]}"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=Console(stderr=True),
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
        transient=True,
    )
    return bar, bar.add_task("", total=_size(paths), counts="")


def _size(paths: Sequence[str]) -> int | None:
    """Bytes of all files as they are stored; None where one is no ordinary file."""
    total = 0
    for path in paths:
        try:
            status = Path(path).stat() if path != "-" else None
        except OSError:
            return None
        if status is None or not stat.S_ISREG(status.st_mode):
            return None
        total += status.st_size
    return total
