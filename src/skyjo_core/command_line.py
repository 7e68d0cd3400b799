# SPDX-License-Identifier: MIT
"""What command lines share: Ctrl-C, streams that take any text, and the form of usage errors."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable
from typing import Final, NoReturn

from skyjo_core.interrupt import INTERRUPTED, raise_on_interrupt
from skyjo_core.progress import say

__all__ = ["USAGE", "Parser", "printable", "run"]

USAGE: Final = 2
"""Exit status of a command that is called wrongly."""


class Parser(argparse.ArgumentParser):
    """Reads options; a wrong one gives two lines on standard error and exit status 2."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: {message}\ntry: {self.prog} --help")
        raise SystemExit(USAGE)


def run(command: Callable[[], int], prog: str) -> int:
    """What the command returns, its exit status; Ctrl-C ends it without a traceback."""
    try:
        raise_on_interrupt()
        _prepare_streams()
        return command()
    except KeyboardInterrupt:
        say(f"{prog}: interrupted")
        return INTERRUPTED


def _prepare_streams() -> None:
    """Makes sure that all can be printed: names and paths hold what a terminal may not show."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed from the outside
            nothing = os.open(os.devnull, os.O_WRONLY)
            setattr(sys, name, os.fdopen(nothing, "w", closefd=False))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def printable(text: str) -> str:
    """The text on one line, with what moves a terminal's cursor shown and not obeyed.

    Examples
    --------
    >>> print(printable("two\\nlines"))
    two\\nlines
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
