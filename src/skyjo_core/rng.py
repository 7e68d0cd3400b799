# SPDX-License-Identifier: MIT
"""The random numbers of a bot."""

from __future__ import annotations

import random
from typing import Any

from skyjo_core._rng import Stream, unseeded

__all__ = ["Rng"]


class Rng(random.Random):
    """A `random.Random` over the core's own stream: the same numbers on every platform.

    Parameters
    ----------
    key : int
        0..2**64 - 1; equal keys give equal numbers.

    Examples
    --------
    >>> rng = Rng(7)
    >>> rng.below(6) in range(6)
    True
    """

    _stream: Stream

    def __new__(cls, key: int = 0) -> Rng:
        return unseeded(cls)

    def __init__(self, key: int = 0) -> None:
        self.seed(key)

    def seed(self, a: Any = 0, version: int = 2) -> None:
        """Starts anew from a key, 0..2**64 - 1."""
        if not 0 <= a < 2**64:
            raise ValueError(f"rng: expected a key from 0 to 2**64 - 1, got {a!r}")
        self._stream = Stream(a)
        # The stream's own C method: a call of rng.below() costs no Python frame.
        self.below = self._stream.below  # type: ignore[method-assign]
        self.gauss_next = None

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely; n from 1 to 2**32.

        Native and compiled bots draw the same numbers from the same key.
        """
        return self._stream.below(n)

    def random(self) -> float:
        """A float in [0, 1) with 53 random bits."""
        return self._stream.random()

    def getrandbits(self, k: int, /) -> int:
        """A whole number of k random bits, k >= 0."""
        return self._stream.getrandbits(k)

    def getstate(self) -> tuple[Any, ...]:
        """The state, for setstate."""
        return (*self._stream.getstate(), self.gauss_next)

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Goes back to a state that getstate gave."""
        self._stream.setstate(state[:2])
        self.gauss_next = state[2]

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (self.getstate(),))


def _restore(state: tuple[Any, ...]) -> Rng:
    rng = Rng()
    rng.setstate(state)
    return rng
