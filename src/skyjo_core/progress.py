# SPDX-License-Identifier: MIT
"""How far a tournament is: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

__all__ = ["Progress", "say"]

_LINE_SECONDS: Final = 5.0


def say(text: str, stream: IO[str] | None = None) -> None:
    """Prints a line at once, on standard error unless told; nobody may be listening any more."""
    stream = stream or sys.stderr
    try:
        print(text, file=stream, flush=True)
    except BrokenPipeError:
        # What is left in the stream would fail again at the end of the program.
        with Path(os.devnull).open("w") as nothing:
            os.dup2(nothing.fileno(), stream.fileno())


class Progress:
    """Tells on standard error how many games are played, how fast, and how long it will take.

    Parameters
    ----------
    total : int
        Games in all.
    style : {"auto", "lines", "off"}
        "auto" draws a bar on a terminal and writes lines elsewhere.
    """

    def __init__(self, total: int, style: str, stream: IO[str] | None = None) -> None:
        self.total = total
        self.done = 0
        self.forfeits = 0
        self._stream = stream or sys.stderr
        self._start = self._last_line = time.monotonic()
        self._lines = style == "lines" or (style == "auto" and not self._stream.isatty())
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        if style == "auto" and not self._lines:
            self._make_bar()

    def _make_bar(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("games, {task.fields[speed]}"),
            TimeRemainingColumn(),
            TextColumn("left{task.fields[forfeits]}"),
            console=Console(file=self._stream),
            transient=True,
        )
        self._task = self._bar.add_task("", total=self.total, speed="", forfeits="")

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def add(self, n_games: int, n_forfeits: int) -> None:
        """More games are played."""
        self.done += n_games
        self.forfeits += n_forfeits
        now = time.monotonic()
        speed = self.done / max(now - self._start, 1e-9)
        if self._bar is not None and self._task is not None:
            forfeits = f", {self.forfeits} forfeits" if self.forfeits else ""
            self._bar.update(
                self._task, completed=self.done, speed=f"{speed:.0f}/s,", forfeits=forfeits
            )
        elif self._lines and now - self._last_line >= _LINE_SECONDS:
            self._last_line = now
            left = (self.total - self.done) / speed
            forfeits = f", {self.forfeits} forfeits" if self.forfeits else ""
            say(
                f"{self.done} of {self.total} games, {speed:.0f}/s, {left:.0f} s left{forfeits}",
                self._stream,
            )
