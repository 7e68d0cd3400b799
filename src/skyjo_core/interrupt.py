# SPDX-License-Identifier: MIT
"""Ctrl-C, but never while something is half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
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

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Ctrl-C raises KeyboardInterrupt in here, also where it was pressed before."""
        self._open = True
        try:
            if self.come:
                raise KeyboardInterrupt
            yield
        finally:
            self._open = False
