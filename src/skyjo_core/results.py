# SPDX-License-Identifier: MIT
"""The results of a tournament as arrays: what standings and ratings are computed from."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

__all__ = ["Results"]

_PER_SEAT = {
    "bots": np.int32,
    "totals": np.int32,
    "places": np.int8,
    "faulted": np.bool_,
    "decisions": np.int64,
    "seconds": np.float64,
}


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """The finished games of a tournament, in schedule order.

    Parameters
    ----------
    names : tuple of str
        the bots, each name once; the other arrays refer to them by index.
    bots : int32, shape (n_games, n_seats)
        index into `names` by absolute seat; the same bot may hold several seats of a game.
    totals : int32, shape (n_games, n_seats)
        points as played, low is good; those of a forfeiter were made by the built-in bot.
    places : int8, shape (n_games, n_seats)
        1 is best; tied seats share the better place; all forfeiters of a game share
        1 + the number of its seats without a fault.
    faulted : bool, shape (n_games, n_seats)
        whether the seat forfeited the game.
    deals : int64, shape (n_games,)
        the deal that the game was played on; games of a deal share their decks.
    decisions : int64, shape (n_games, n_seats)
        moves that the bot itself made.
    seconds : float64, shape (n_games, n_seats)
        time that the bot took for them, in seconds.

    Raises
    ------
    TypeError
        if an array has another dtype.
    ValueError
        if shapes disagree, a name occurs twice, or a bot or place is out of range.
    """

    names: tuple[str, ...]
    bots: npt.NDArray[np.int32]
    totals: npt.NDArray[np.int32]
    places: npt.NDArray[np.int8]
    faulted: npt.NDArray[np.bool_]
    deals: npt.NDArray[np.int64]
    decisions: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.float64]

    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        _check_dtypes(self)
        faults = _faults(self)
        if faults:
            raise ValueError("results: " + "; ".join(faults))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Results):
            return NotImplemented
        return self.names == other.names and all(
            np.array_equal(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)[1:]
        )

    @property
    def n_games(self) -> int:
        """Number of games."""
        return int(self.bots.shape[0])

    @property
    def n_seats(self) -> int:
        """Number of seats at a table."""
        return int(self.bots.shape[1])

    def mean_points(self) -> npt.NDArray[np.float64]:
        """Return the points that enter every mean.

        Returns
        -------
        float64, shape (n_games, n_seats)
            the totals as played; for a forfeiter the larger of its own total and the highest
            total at the table, so that a fault never improves a mean.

        Notes
        -----
        Source: API.md, section 8. The highest total at the table includes the forfeiter's own.
        """
        highest = self.totals.max(axis=1, keepdims=True, initial=np.iinfo(np.int32).min)
        return np.where(self.faulted, highest, self.totals).astype(np.float64)


def _check_dtypes(results: Results) -> None:
    wanted = {**_PER_SEAT, "deals": np.int64}
    wrong = [
        f"{name} must be an array of {np.dtype(dtype)}, got {_kind(getattr(results, name))}"
        for name, dtype in wanted.items()
        if _kind(getattr(results, name)) != str(np.dtype(dtype))
    ]
    if wrong:
        raise TypeError("results: " + "; ".join(wrong))


def _kind(value: object) -> str:
    return str(value.dtype) if isinstance(value, np.ndarray) else type(value).__name__


def _faults(results: Results) -> list[str]:
    """List what is wrong with the shapes and values, all of it."""
    if results.bots.ndim != 2:
        return [f"bots must have the shape (n_games, n_seats), got {results.bots.shape}"]
    shape = results.bots.shape
    faults = [
        f"{name} must have the shape of bots, {shape}, got {getattr(results, name).shape}"
        for name in _PER_SEAT
        if getattr(results, name).shape != shape
    ]
    if results.deals.shape != shape[:1]:
        faults.append(f"deals must have the shape {shape[:1]}, got {results.deals.shape}")
    if len(set(results.names)) != len(results.names):
        faults.append(f"names must differ from one another, got {results.names!r}")
    for name, low, high in (("bots", 0, len(results.names) - 1), ("places", 1, shape[1])):
        values = getattr(results, name)
        if values.size and not low <= int(values.min()) <= int(values.max()) <= high:
            span = f"{int(values.min())}..{int(values.max())}"
            faults.append(f"{name} must lie in {low}..{high}, got {span}")
    return faults
