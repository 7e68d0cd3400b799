# SPDX-License-Identifier: MIT
"""Many games in step, for learners: one move of each, then observations, masks and rewards."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from skyjo_core import _core
from skyjo_core.game import checked_integer, checked_rules
from skyjo_core.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["BatchGame"]

_MOST_ROWS: Final = 2**22
_MOST_THREADS: Final = 256


class BatchGame(_core.BatchGame):
    """Games that play in step and restart by themselves, seen through arrays.

    The arrays are read-only and stay the same objects: each step writes into them. They stay valid
    when the batch is gone. docs/batches.md has the layout of an observation.

    Parameters
    ----------
    n : int
        Rows: games at a time, 1 to 4,194,304 (each takes about 1.4 KB).
    seats : int
        2 to rules.max_seats.
    rules : Rules, optional
        Default `Rules()`, the preset classic-fr.
    seed : int
        0..2**64 - 1: decides every deck.
    threads : int
        1 to 256 threads that share the rows; every result is the same for any number.

    Attributes
    ----------
    observations : int8, shape (n, n_features)
        What the seat to move may know.
    legal_masks : bool, shape (n, n_moves)
        The moves that it may choose; never all False.
    seats : int8, shape (n,)
        The seat to move.
    rewards : float32, shape (n, n_seats)
        By absolute seat: minus the points of the round that the last step ended, else 0. The
        rewards of a game sum to minus its final totals.
    dones : bool, shape (n,)
        The last step ended a game. The other arrays show the first decision of the next one.
    truncated : bool, shape (n,)
        It ended because `max_rounds_guard` was reached.
    final_totals : int32, shape (n, n_seats)
        By absolute seat, of the game that the last step ended; valid where `dones`.
    game_seeds : uint64, shape (n,)
        Row i plays exactly `Game(n_seats, rules, seed=game_seeds[i])`. One-way of (seed, row,
        number of the game in its row).

    Examples
    --------
    >>> batch = BatchGame(3, seats=2, seed=7)
    >>> batch.step(batch.legal_masks.argmax(axis=1))
    >>> batch.seats.tolist(), batch.observations.shape
    ([0, 0, 0], (3, 70))
    """

    rules: Rules

    # As in Game: an object that exists has its games.
    def __new__(
        cls, n: int, seats: int = 2, rules: Rules | None = None, seed: int = 0, threads: int = 1
    ) -> BatchGame:
        rules = checked_rules("BatchGame", rules)
        n = checked_integer("BatchGame: n", n, 1, _MOST_ROWS)
        seats = checked_integer("BatchGame: seats", seats, 2, rules.max_seats)
        seed = checked_integer("BatchGame: seed", seed, 0, 2**64 - 1)
        threads = checked_integer("BatchGame: threads", threads, 1, _MOST_THREADS)
        self = super().__new__(cls)
        _core.BatchGame.__init__(self, rules._setup, n=n, seats=seats, seed=seed, threads=threads)
        self.rules = rules
        return self

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def observe(
        self, seat: SupportsIndex, out: npt.NDArray[np.int8] | None = None
    ) -> npt.NDArray[np.int8]:
        """What one absolute seat may know of every row, whoever is to move.

        Parameters
        ----------
        seat : int
            0 to n_seats - 1.
        out : int8 array, shape (n, n_features), optional
            Written to and returned; C-contiguous. By default a new one.

        Raises
        ------
        IndexError
            There is no such seat.
        TypeError, ValueError
            `out` cannot take the observations.
        """
        if isinstance(seat, bool) or not hasattr(seat, "__index__"):
            raise TypeError(f"observe: seat: expected an integer, got {seat!r}")
        seat = operator.index(seat)
        if not 0 <= seat < self.n_seats:
            raise IndexError(f"observe: seat: expected 0 to {self.n_seats - 1}, got {seat}")
        return self._observe(seat, out)

    def __repr__(self) -> str:
        return (
            f"<BatchGame of {self.n} rows, {self.n_seats} seats, threads {self.threads}, "
            f"{self.rules!r}>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "BatchGame: expected to stay in its process, got a copy or a pickle; make another one "
            "with the same n, seats, rules and seed"
        )
