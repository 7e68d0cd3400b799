# SPDX-License-Identifier: MIT
"""Ratings of a field from its results, in Elo, with intervals that respect shared deals.

The model is the pairwise composite of STATISTICS.md, section 3: every game adds 1, 1/2 or 0 for
every pair of bots at its table, and the Bradley-Terry model is fitted to these scores. The pairs
of a game, and all games of a deal, depend on one another; the covariance is therefore the
sandwich clustered by deal (K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skyjo_core.bradley_terry import (
    ELO_PER_NAT,
    Fit,
    expected_scores,
    fit,
    lack_of_fit,
    likelihood_of_superiority,
)
from skyjo_core.distributions import f_sf, t_quantile
from skyjo_core.results import Results

__all__ = ["MAX_PAIRS", "Ratings", "rate", "sandwich", "win_matrix"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

MAX_PAIRS = 800
"""Most pairs of bots for which the test of lack of fit is computed: all of a field of 40."""

_MAX_FIT_CLUSTERS = 10_000
_CHUNK_CELLS = 1 << 22
_CHUNK_GAMES = 1 << 17


# Meetings at a table


def win_matrix(results: Results) -> Floats:
    """Return the sum of 1, 1/2 and 0 of each bot against each other bot.

    Returns
    -------
    float64, shape (n_bots, n_bots)
        entry (i, j): score of i against j over all meetings at a table, by places; two seats of
        the same bot do not meet.
    """
    size = len(results.names)
    flat = np.zeros(size * size)
    for first, second, score in _meetings(results.bots, results.places):
        flat += np.bincount(first * size + second, weights=score, minlength=size * size)
    wins = flat.reshape(size, size)
    np.fill_diagonal(wins, 0.0)
    return wins


def _meetings(
    bots: npt.NDArray[np.int32], places: npt.NDArray[np.int8]
) -> Iterator[tuple[Integers, Integers, Floats]]:
    """Yield for each ordered pair of seats: bots, opponents, scores, each (n_games,)."""
    for seat in range(bots.shape[1]):
        for other in range(bots.shape[1]):
            if seat != other:
                behind = places[:, other].astype(np.int16) - places[:, seat]
                score = 0.5 + 0.5 * np.sign(behind)
                yield (
                    bots[:, seat].astype(np.int64),
                    bots[:, other].astype(np.int64),
                    score.astype(np.float64),
                )


# Sandwich covariance


def sandwich(
    results: Results,
    fitted: Fit,
    *,
    clusters: Integers | None = None,
    correction: bool = True,
) -> Floats:
    """Return the covariance of the ratings with dependence inside clusters allowed.

    Parameters
    ----------
    results : Results
        the games that were fitted.
    fitted : Fit
        ratings of `results.names` from their win matrix.
    clusters : int64, shape (n_games,), or None
        label of the cluster of each game; None: the deal, over all line-ups.
    correction : bool
        whether to multiply by G/(G - 1), G the number of clusters.

    Returns
    -------
    float64, shape (n_bots, n_bots)
        in Elo squared, before any centring; NaN where there are fewer than two clusters.

    Notes
    -----
    A^-1 (sum of u_g u_g^T) A^-1: the bread A includes the prior, the scores u_g do not
    (STATISTICS.md, section 3). No more than a fixed amount of memory beside the games.
    """
    size = len(results.names)
    column = np.broadcast_to(np.arange(size)[:, None], (size, size))
    weight = 1.0 - np.eye(size)
    index = _cluster_index(results, clusters)
    meat, _ = _cross_products(results, fitted, index, column, weight)
    n_clusters = int(index.max(initial=-1)) + 1
    if n_clusters < 2:
        return np.full((size, size), np.nan)
    bread = fitted.naive_covariance / ELO_PER_NAT
    covariance = bread @ meat @ bread.T
    return covariance * (n_clusters / (n_clusters - 1) if correction else 1.0)


def _cluster_index(results: Results, clusters: Integers | None) -> Integers:
    """Return the cluster of each game, numbered from 0 without gaps."""
    labels = results.deals if clusters is None else clusters
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _cross_products(
    results: Results, fitted: Fit, index: Integers, column: Integers, weight: Floats
) -> tuple[Floats, Floats]:
    """Return sum v_g v_g^T and sum v_g over the clusters g.

    v_g adds up, over the meetings (i, j) of cluster g, weight[i, j] * (score - expected score) in
    the entry column[i, j]. Clusters and games are taken in chunks: no array holds all of them.
    """
    width = int(column.max(initial=-1)) + 1
    order = np.argsort(index, kind="stable")
    sizes = np.bincount(index)
    ends = np.cumsum(sizes)
    starts = ends - sizes
    products, totals = np.zeros((width, width)), np.zeros(width)
    low = 0
    while low < len(starts):
        full = int(np.searchsorted(ends, starts[low] + _CHUNK_GAMES, side="right"))
        high = max(low + 1, min(full, low + _CHUNK_CELLS // max(1, width)))
        cells = np.zeros((high - low) * width)
        for first in range(starts[low], ends[high - 1], _CHUNK_GAMES):
            games = order[first : min(first + _CHUNK_GAMES, ends[high - 1])]
            keys, values = _residuals(results, fitted, games, column, weight)
            keys += np.tile((index[games] - low) * width, len(keys) // len(games))
            cells += np.bincount(keys, weights=values, minlength=len(cells))
        vectors = cells.reshape(high - low, width)
        products += vectors.T @ vectors
        totals += vectors.sum(axis=0)
        low = high
    return products, totals


def _residuals(
    results: Results, fitted: Fit, games: Integers, column: Integers, weight: Floats
) -> tuple[Integers, Floats]:
    """Return column and weighted residual of each meeting, one pair of seats after the other."""
    theta = fitted.rating / ELO_PER_NAT
    keys, values = [], []
    for first, second, score in _meetings(results.bots[games], results.places[games]):
        keys.append(column[first, second])
        values.append(
            weight[first, second] * (score - expected_scores(theta[first] - theta[second]))
        )
    return np.concatenate(keys), np.concatenate(values)


# Lack of fit


def _fit_p(results: Results, fitted: Fit, wins: Floats, index: Integers) -> float:
    """Return the p of the Wald test of lack of fit with the clustered covariance, or NaN.

    Let e be the residuals of the pairs over sqrt(D), D = N P (1 - P), and X the signed incidence
    of pairs and bots. Combinations Z^T e with Z^T sqrt(D) X = 0 do not depend on the fitted
    ratings to first order, nor on the prior; there are as many as degrees of freedom. With
    independent scores their Wald statistic is the plain chi-square. The clusters' parts are
    centred and the statistic is referred to the distribution of H. Hotelling (Annals of
    Mathematical Statistics 2, 1931), which needs more clusters than degrees of freedom. Very many
    clusters are merged, in order: sums of independent clusters are independent, too.
    """
    games = wins + wins.T
    first, second = np.nonzero(np.triu(games))
    n_pairs, size = len(first), len(wins)
    df = lack_of_fit(wins, fitted)[1]
    n_clusters = int(index.max(initial=-1)) + 1
    if n_clusters > _MAX_FIT_CLUSTERS:
        index = index * _MAX_FIT_CLUSTERS // n_clusters
        n_clusters = _MAX_FIT_CLUSTERS
    if df < 1 or n_clusters <= df or n_pairs > MAX_PAIRS:
        return math.nan
    gap = (fitted.rating[first] - fitted.rating[second]) / ELO_PER_NAT
    deviation = np.sqrt(games[first, second] * expected_scores(gap) * expected_scores(-gap))
    column = np.zeros((size, size), dtype=np.int64)
    column[first, second] = np.arange(n_pairs)
    weight = np.zeros((size, size))
    weight[first, second] = 1.0 / deviation
    products, totals = _cross_products(results, fitted, index, column, weight)
    incidence = np.zeros((n_pairs, size))
    incidence[np.arange(n_pairs), first] = deviation
    incidence[np.arange(n_pairs), second] = -deviation
    free = np.linalg.svd(incidence, full_matrices=True)[0][:, n_pairs - df :]
    centred = products - np.outer(totals, totals) / n_clusters
    return _hotelling_p(free.T @ totals, free.T @ centred @ free, n_clusters)


def _hotelling_p(total: Floats, squares: Floats, n_clusters: int) -> float:
    """Return the p of a sum of clusters from their centred sum of squares; NaN if singular."""
    df = len(total)
    values, vectors = np.linalg.eigh(squares)
    if values[0] <= 1e-10 * max(1.0, float(values[-1])):
        return math.nan
    scores = vectors.T @ total
    statistic = float((scores * scores / values).sum()) / n_clusters
    return f_sf(statistic * (n_clusters - df) / df, df, n_clusters - df)


# Ratings of a tournament


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Ratings of a field, as reported.

    Parameters
    ----------
    names : tuple of str
        the bots; all arrays follow this order.
    rating : float64, shape (n_bots,)
        in Elo; mean 0 over the field, or as the anchor has it.
    low, high : float64, shape (n_bots,)
        ends of the interval in Elo, for an anchored field that of the difference to the anchor;
        NaN where there is none: fewer than two clusters, or a bot that met nobody.
    covariance : float64, shape (n_bots, n_bots)
        of `rating`, in Elo squared; NaN likewise.
    n_clusters : int
        number of independent units, mostly deals; fewer than 20 are worth a warning.
    prior : float
        weight of the virtual tie.
    model : str
        what was fitted; to be printed wherever the ratings are.
    fit_p : float
        p of the test that one number per bot describes the results, clustered like the intervals;
        NaN where it is not available (no degrees of freedom, too few clusters, clusters that
        do not vary, more than `MAX_PAIRS` pairs).
    """

    names: tuple[str, ...]
    rating: Floats
    low: Floats
    high: Floats
    covariance: Floats
    n_clusters: int
    prior: float
    model: str
    fit_p: float

    def difference(self, i: int, j: int) -> tuple[float, float]:
        """Return the rating of bot i minus that of bot j and its standard error, in Elo."""
        covariance = self.covariance
        variance = covariance[i, i] + covariance[j, j] - 2.0 * covariance[i, j]
        return float(self.rating[i] - self.rating[j]), float(np.sqrt(np.maximum(variance, 0.0)))

    def los(self, i: int, j: int) -> float:
        """Return the likelihood that bot i is better than bot j, NaN without standard error."""
        return likelihood_of_superiority(*self.difference(i, j))


def rate(
    results: Results,
    *,
    prior: float = 1.0,
    anchor: tuple[str, float] | None = None,
    confidence: float = 0.95,
    clusters: Integers | None = None,
) -> Ratings:
    """Rate the bots of a tournament.

    Parameters
    ----------
    results : Results
        at least one bot.
    prior : float
        weight of a virtual tie of every bot against a phantom rated 0; 0, or at least
        `bradley_terry.MIN_PRIOR`. With a positive prior the ratings are always finite.
    anchor : tuple of str and float, or None
        a bot and the rating in Elo that it shall have; None: mean 0 over the field.
    confidence : float
        of the intervals, between 0 and 1.
    clusters : int64, shape (n_games,), or None
        label of the cluster of each game, games of different clusters being independent; None:
        the deal, over all line-ups.

    Returns
    -------
    Ratings

    Raises
    ------
    ValueError
        if the anchor is not in the field, an option is out of range, or, with prior 0, the
        ratings are not determined or not finite; see `bradley_terry.fit`.

    Notes
    -----
    Quantile of t with (clusters - 1) degrees of freedom: STATISTICS.md, section 3. The interval
    of a bot that won or lost every game is too short, since nothing varied;
    `bradley_terry.win_groups` tells whether there is such a bot. Cost
    O(n_games n_seats^2 + n_bots^3), and at most 10,000 n_bots^4 for `fit_p`.
    """
    _check_options(results, anchor, confidence, clusters)
    wins = win_matrix(results)
    fitted = fit(wins, prior, names=results.names)
    rating, projection = _gauge(fitted.rating, results.names, anchor)
    covariance = projection @ sandwich(results, fitted, clusters=clusters) @ projection.T
    alone = (wins + wins.T).sum(axis=1) == 0.0
    covariance[alone, :] = covariance[:, alone] = np.nan
    index = _cluster_index(results, clusters)
    n_clusters = int(index.max(initial=-1)) + 1
    quantile = t_quantile(0.5 + 0.5 * confidence, max(1, n_clusters - 1))
    half = quantile * np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    return Ratings(
        names=results.names,
        rating=rating,
        low=rating - half,
        high=rating + half,
        covariance=covariance,
        n_clusters=n_clusters,
        prior=prior,
        model=_model_name(prior),
        fit_p=_fit_p(results, fitted, wins, index),
    )


def _check_options(
    results: Results,
    anchor: tuple[str, float] | None,
    confidence: float,
    clusters: Integers | None,
) -> None:
    faults = []
    if not 0.0 < confidence < 1.0:
        faults.append(f"confidence must lie between 0 and 1, got {confidence!r}")
    if clusters is not None and clusters.shape != results.deals.shape:
        faults.append(f"clusters must have the shape {results.deals.shape}, got {clusters.shape}")
    if anchor is not None and anchor[0] not in results.names:
        from difflib import get_close_matches

        nearest = get_close_matches(anchor[0], results.names, n=1, cutoff=0.0)
        hint = f" (nearest: {nearest[0]!r})" if nearest else ""
        faults.append(f"anchor must name a bot of the field, got {anchor[0]!r}{hint}")
    if anchor is not None and not math.isfinite(anchor[1]):
        faults.append(f"anchor must have a finite rating, got {anchor[1]!r}")
    if faults:
        raise ValueError("ratings: " + "; ".join(faults))


def _gauge(
    rating: Floats, names: tuple[str, ...], anchor: tuple[str, float] | None
) -> tuple[Floats, Floats]:
    """Return the ratings as reported, and the matrix that projects their covariance."""
    size = len(names)
    weights = np.full(size, 1.0 / max(1, size))
    level = 0.0
    if anchor is not None:
        weights = np.array([float(name == anchor[0]) for name in names])
        level = anchor[1]
    return rating - float(weights @ rating) + level, np.eye(size) - weights[None, :]


def _model_name(prior: float) -> str:
    ties = "no prior" if prior == 0.0 else f"prior {prior:g} virtual tie" + "s" * (prior > 1.0)
    return f"pairwise composite (Bradley-Terry, a tie is half a win), {ties}"
