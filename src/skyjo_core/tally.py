# SPDX-License-Identifier: MIT
"""What has been played so far: counted in schedule order, one game at a time."""

from __future__ import annotations

from array import array
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np

from skyjo_core.batch import GameResult
from skyjo_core.results import Results
from skyjo_core.schedule import Table

__all__ = ["Tally"]


class Tally:
    """Collects the results of a tournament.

    Parameters
    ----------
    names : tuple of str
        The bots' names.
    n_seats : int
        Seats at a table.

    Notes
    -----
    Memory: about 50 bytes a seat and game.
    """

    def __init__(self, names: tuple[str, ...], n_seats: int) -> None:
        self.names = names
        self.n_seats = n_seats
        self.n_games = 0
        self.faults: list[dict[str, Any]] = []
        self._digest = blake2b(digest_size=16)
        self._deals = array("q")
        # By absolute seat, game after game.
        self._bots = array("i")
        self._totals = array("i")
        self._places = array("b")
        self._faulted = array("b")
        self._decisions = array("q")
        self._seconds = array("d")

    def add(self, table: Table, result: GameResult) -> None:
        """Takes in the next game of the schedule."""
        self._digest.update(_digest_line(table, result))
        for fault in result.faults:
            bot = self.names[table.seats[fault["seat"]]]
            self.faults.append({"game": table.game, "bot": bot} | fault)
        if result.places is None:
            return  # stopped at a fault: no result
        self.n_games += 1
        self._deals.append(table.deal)
        self._bots.extend(table.seats)
        self._totals.fromlist(result.totals)
        self._places.fromlist(result.places)
        self._faulted.frombytes(bytes(self.n_seats))
        for fault in result.faults:
            self._faulted[fault["seat"] - self.n_seats] = 1
        self._decisions.fromlist(result.decisions)
        self._seconds.fromlist(result.seconds)

    @property
    def digest(self) -> str:
        """32 hexadecimal digits over all games so far: equal for equal tournaments."""
        return self._digest.hexdigest()

    def results(self) -> Results:
        """The games so far as arrays."""
        shape = (self.n_games, self.n_seats)

        def table(values: array[Any], dtype: type[Any]) -> Any:
            return np.array(values, dtype=dtype).reshape(shape)

        return Results(
            names=self.names,
            bots=table(self._bots, np.int32),
            totals=table(self._totals, np.int32),
            places=table(self._places, np.int8),
            faulted=table(self._faulted, np.bool_),
            deals=np.array(self._deals, dtype=np.int64),
            decisions=table(self._decisions, np.int64),
            seconds=table(self._seconds, np.float64),
        )


def _digest_line(table: Table, result: GameResult) -> bytes:
    """Game, seating, totals, places, hash of the moves, faults: never times, texts or paths."""
    faults = ",".join(map(_fault, result.faults)) if result.faults else ""
    places = result.places
    values = (table.game, *table.seats, *result.totals, *(places or ()), result.moves_hash, faults)
    return (_form(len(table.seats), places is not None) % values).encode()


@cache
def _form(n: int, placed: bool) -> str:
    """Compact JSON of a game of n seats, to be formatted at once: an encoder takes longer."""
    row = f"[{','.join(['%d'] * n)}]"
    return f'[%d,{row},{row},{row if placed else "null"},"%s",[%s]]\n'


def _fault(fault: dict[str, Any]) -> str:
    return f'[{fault["round"]},{fault["move"]},{fault["seat"]},"{fault["kind"]}"]'
