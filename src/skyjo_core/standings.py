# SPDX-License-Identifier: MIT
"""Standings and crosstable of a tournament."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skyjo_core.distributions import t_quantile
from skyjo_core.ratings import Ratings
from skyjo_core.results import Results

__all__ = ["Crosstable", "Standing", "crosstable", "standings"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's line in the standings; None stands for what is not available.

    Parameters
    ----------
    bot : str
        its name.
    rating, rating_low, rating_high : float or None
        in Elo, with the ends of the interval; all None where there is no interval (one deal).
    games : int
        seat-games: a bot that holds two seats of a game has played two.
    points_mean, points_low, points_high : float or None
        points a game, low is good, with the ends of a 95 % interval clustered by deal.
    win_share : float or None
        mean of 1/t for a t-way tie for first, else 0.
    place_mean : float or None
        mean place, tied places averaged (1.5, 1.5, 3).
    forfeits : int
        seat-games that the bot forfeited.
    seconds_per_move : float or None
        over all moves that the bot itself made.
    """

    bot: str
    rating: float | None
    rating_low: float | None
    rating_high: float | None
    games: int
    points_mean: float | None
    points_low: float | None
    points_high: float | None
    win_share: float | None
    place_mean: float | None
    forfeits: int
    seconds_per_move: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Crosstable:
    """Each bot against each other bot; seats of the same bot do not meet, the diagonal is 0.

    Parameters
    ----------
    bots : tuple of str
        names of the rows and columns.
    score : float64, shape (n_bots, n_bots)
        sum of 1, 1/2 or 0 of the row's bot against the column's bot, by places.
    games : int64, shape (n_bots, n_bots)
        number of meetings.
    points : float64, shape (n_bots, n_bots)
        sum of the row's bot's points, as in the means, over these meetings.
    """

    bots: tuple[str, ...]
    score: Floats
    games: npt.NDArray[np.int64]
    points: Floats


def standings(results: Results, ratings: Ratings) -> list[Standing]:
    """Return the standings, best first.

    Parameters
    ----------
    results : Results
        the finished games.
    ratings : Ratings
        of the same bots in the same order.

    Returns
    -------
    list of Standing
        by rating, also where it is not shown, to 1e-6; then by lower mean points; then by name.

    Raises
    ------
    ValueError
        if the ratings are of other bots.

    Notes
    -----
    Points: ratio estimator with the residuals of a deal summed, G/(G - 1) and the quantile of
    t(G - 1), G the number of deals that the bot played (W. G. Cochran, Sampling Techniques, 3rd
    edition, 1977, chapter 6, with the deal as the unit).
    """
    if ratings.names != results.names:
        raise ValueError(
            f"standings: the ratings must be of the bots {results.names!r}, got {ratings.names!r}"
        )
    size = len(results.names)
    flat = results.bots.ravel()
    points = _points(results)
    win_share, place = _places(results)

    def total(values: npt.NDArray[np.generic]) -> Floats:
        return np.bincount(flat, weights=values.ravel(), minlength=size).astype(np.float64)

    games, forfeits = np.bincount(flat, minlength=size), total(results.faulted)
    shares, places = _ratio(total(win_share), games), _ratio(total(place), games)
    speeds = _ratio(total(results.seconds), total(results.decisions))
    lines = [
        Standing(
            bot=name,
            **_rating_fields(ratings, i),
            games=int(games[i]),
            points_mean=_known(points[i, 0]),
            points_low=_known(points[i, 1]),
            points_high=_known(points[i, 2]),
            win_share=_known(shares[i]),
            place_mean=_known(places[i]),
            forfeits=int(forfeits[i]),
            seconds_per_move=_known(speeds[i]),
        )
        for i, name in enumerate(results.names)
    ]
    return [lines[i] for i in sorted(range(size), key=lambda i: _order(ratings, points, i))]


def _ratio(total: Floats, count: npt.NDArray[np.generic]) -> Floats:
    """Return total / count, NaN where the count is 0."""
    ratio = np.full(len(total), np.nan)
    np.divide(total, count, out=ratio, where=count != 0)
    return ratio


def _order(ratings: Ratings, points: Floats, i: int) -> tuple[float, float, str]:
    mean = math.inf if math.isnan(points[i, 0]) else float(points[i, 0])
    return -round(float(ratings.rating[i]), 6), mean, ratings.names[i]


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _rating_fields(ratings: Ratings, i: int) -> dict[str, float | None]:
    low, high = _known(ratings.low[i]), _known(ratings.high[i])
    rating = None if low is None or high is None else float(ratings.rating[i])
    return {"rating": rating, "rating_low": low, "rating_high": high}


def _places(results: Results) -> tuple[Floats, Floats]:
    """Return share of the win and place with ties averaged, each (n_games, n_seats).

    A place that t seats share spans t places. That holds for forfeiters, too: nobody else has
    the place 1 + the number of seats without a fault.
    """
    places = results.places
    tied = np.zeros(places.shape)
    for seat in range(results.n_seats):
        tied += places == places[:, seat : seat + 1]
    return np.where(places == 1, 1.0 / tied, 0.0), places + 0.5 * (tied - 1.0)


def _points(results: Results) -> Floats:
    """Return mean, low and high of the points of each bot, (n_bots, 3), NaN where unknown."""
    size = len(results.names)
    deals, deal = np.unique(results.deals, return_inverse=True)
    cell = (results.bots * np.int64(len(deals)) + deal[:, None]).ravel()
    n_cells = size * len(deals)
    games = np.bincount(cell, minlength=n_cells).reshape(size, -1)
    sums = np.bincount(cell, weights=results.mean_points().ravel(), minlength=n_cells)
    table = np.full((size, 3), np.nan)
    for i, (count, total) in enumerate(zip(games, sums.reshape(size, -1), strict=True)):
        n_games, n_deals = int(count.sum()), int(np.count_nonzero(count))
        if n_deals:
            mean = float(total.sum()) / n_games
            table[i, 0] = mean
        if n_deals > 1:
            squares = float(((total - mean * count) ** 2).sum())
            error = math.sqrt(squares * n_deals / (n_deals - 1)) / n_games
            table[i, 1:] = mean + error * t_quantile(0.975, n_deals - 1) * np.array([-1.0, 1.0])
    return table


def crosstable(results: Results) -> Crosstable:
    """Return the results of every bot against every other bot.

    Parameters
    ----------
    results : Results
        the finished games.

    Returns
    -------
    Crosstable
        in the order of `results.names`. Cost O(n_games n_seats^2), no array with n_bots^2 cells
        a game.
    """
    size = len(results.names)
    points = results.mean_points()
    score, games, total = np.zeros(size * size), np.zeros(size * size, np.int64), np.zeros(size**2)
    for seat in range(results.n_seats):
        for other in range(results.n_seats):
            if seat == other:
                continue
            pair = results.bots[:, seat].astype(np.int64) * size + results.bots[:, other]
            ahead = np.sign(results.places[:, other].astype(np.int16) - results.places[:, seat])
            score += np.bincount(pair, weights=0.5 + 0.5 * ahead, minlength=size * size)
            games += np.bincount(pair, minlength=size * size)
            total += np.bincount(pair, weights=points[:, seat], minlength=size * size)
    apart = ~np.eye(size, dtype=np.bool_)
    shape = (size, size)
    return Crosstable(
        bots=results.names,
        score=score.reshape(shape) * apart,
        games=games.reshape(shape) * apart,
        points=total.reshape(shape) * apart,
    )
