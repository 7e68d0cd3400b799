# SPDX-License-Identifier: MIT
"""Ctrl-C, but never while something is half done."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType

__all__ = ["Interrupt"]


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
        self._installed = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
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
