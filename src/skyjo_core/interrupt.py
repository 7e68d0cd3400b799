# SPDX-License-Identifier: MIT
"""Ctrl-C, but never while something is half done."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType, TracebackType
from typing import Final

__all__ = ["INTERRUPTED", "Interrupt", "quit_on_interrupt", "raise_on_interrupt"]

INTERRUPTED: Final = 130
"""Exit status of a command that Ctrl-C has ended."""


def quit_on_interrupt() -> None:
    """Lets Ctrl-C end the program without a word: for imports, when nothing has begun yet.

    An exception would be unsafe there: extension modules turn it into an ImportError of their own,
    and what is raised in a callback of the import system is lost. Where somebody else has taken
    over the signal, and in other threads than the main one, everything stays as it is.
    """
    if _is_free():
        signal.signal(signal.SIGINT, _quit)


def raise_on_interrupt() -> None:
    """Undoes quit_on_interrupt: Ctrl-C raises KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is _quit:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _quit(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


def _is_free() -> bool:
    """Whether the signal may be taken over."""
    return (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )


class Interrupt:
    """Holds Ctrl-C back but for the moments in which it may come.

    As a context manager it takes over the signal where nobody else has done so, in the main thread
    alone; elsewhere everything stays as it is.

    Attributes
    ----------
    come : bool
        Whether Ctrl-C was pressed meanwhile.
    """

    def __init__(self) -> None:
        self.come = False
        self._open = False
        self._installed = False
        self._allowed = _Allowed(self)

    def __enter__(self) -> Interrupt:
        self._installed = _is_free()
        if self._installed:
            signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.come = True
        if self._open:
            raise KeyboardInterrupt

    def allowed(self) -> _Allowed:
        """Ctrl-C raises KeyboardInterrupt in here, also where it was pressed before."""
        return self._allowed


class _Allowed:
    """The moments in which Ctrl-C may come, as a context manager: one is entered for each game."""

    def __init__(self, interrupt: Interrupt) -> None:
        self._interrupt = interrupt

    def __enter__(self) -> None:
        self._interrupt._open = True
        try:
            if self._interrupt.come:
                raise KeyboardInterrupt
        except KeyboardInterrupt:  # or the signal has come just now
            self._interrupt._open = False
            raise

    def __exit__(self, *exception: object) -> None:
        self._interrupt._open = False
