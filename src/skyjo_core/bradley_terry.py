# SPDX-License-Identifier: MIT
"""The Bradley-Terry model: ratings in Elo from a matrix of wins, and scores of two players.

A tie is half a win (R. A. Bradley and M. E. Terry, Biometrika 39, 1952). Nothing here knows of
tables or deals: that scores depend on one another is the business of ratings.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skyjo_core.distributions import normal_cdf, normal_quantile

__all__ = [
    "ELO_PER_NAT",
    "MIN_PRIOR",
    "Fit",
    "elo_from_score",
    "expected_scores",
    "fit",
    "lack_of_fit",
    "likelihood_of_superiority",
    "score_from_elo",
    "wilson_elo_interval",
    "win_groups",
]

Floats = npt.NDArray[np.float64]

ELO_PER_NAT = 400.0 / math.log(10.0)
"""Elo points per unit of log odds, k = 173.717792761 (STATISTICS.md, conventions)."""

MIN_PRIOR = 1e-6
"""Smallest positive prior: below it double precision cannot tell it from 0 beside many games."""

_MAX_STEPS = 500


# Two players


def elo_from_score(score: float) -> float:
    """Return the Elo difference at which the expected score is `score`.

    Parameters
    ----------
    score : float
        mean score, 0..1; 0 and 1 give minus and plus infinity.

    Raises
    ------
    ValueError
        if the score is not in 0..1.
    """
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"elo_from_score: score must lie in 0..1, got {score!r}")
    if score in (0.0, 1.0):
        return math.inf if score else -math.inf
    return ELO_PER_NAT * (math.log(score) - math.log1p(-score))


def score_from_elo(elo: float) -> float:
    """Return the expected score 1/(1 + 10^(-elo/400)) at a difference in Elo."""
    return 0.5 * (1.0 + math.tanh(0.5 * elo / ELO_PER_NAT))


def wilson_elo_interval(
    wins: float, games: float, *, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the Wilson interval of a score, mapped to Elo.

    Parameters
    ----------
    wins : float
        points scored, 0..games, a tie being half a point.
    games : float
        games played, > 0; they must be independent and without ties to give the stated coverage.
    confidence : float
        between 0 and 1.

    Returns
    -------
    tuple of float
        low and high end in Elo; infinite where every game was lost or won.

    Raises
    ------
    ValueError
        if wins is not in 0..games or games is not positive.

    Notes
    -----
    Source: E. B. Wilson, J. American Statistical Association 22, 1927.
    """
    if not (games > 0.0 and 0.0 <= wins <= games):
        raise ValueError(
            f"wilson_elo_interval: wins must lie in 0..games, games > 0, got {wins!r} of {games!r}"
        )
    z2 = normal_quantile(0.5 + 0.5 * confidence) ** 2
    centre = wins + 0.5 * z2
    half = math.sqrt(z2 * (wins * (games - wins) / games + 0.25 * z2))
    low = max(0.0, centre - half) / (games + z2) if wins > 0.0 else 0.0
    high = min(games + z2, centre + half) / (games + z2) if wins < games else 1.0
    return elo_from_score(low), elo_from_score(high)


def likelihood_of_superiority(difference: float, standard_error: float) -> float:
    """Return Phi(difference / standard error), the likelihood that the first is the better one.

    Parameters
    ----------
    difference, standard_error : float
        of two ratings, in one unit; a standard error of NaN gives NaN, one of 0 gives 0, 1/2 or 1.
    """
    if standard_error == 0.0:
        return 0.5 + 0.5 * float(np.sign(difference))
    return normal_cdf(difference / standard_error)


# Fit of a win matrix


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A maximum of the Bradley-Terry likelihood, before any centring of the ratings.

    Parameters
    ----------
    rating : float64, shape (n_bots,)
        in Elo; they sum to 0 without a prior, with one the phantom has 0.
    naive_covariance : float64, shape (n_bots, n_bots)
        in Elo squared, as if all scores were independent: the (pseudo-)inverse of the information,
        which includes the prior. It is the bread of the sandwich.
    prior : float
        weight of the virtual tie of each bot.
    """

    rating: Floats
    naive_covariance: Floats
    prior: float


def fit(wins: npt.ArrayLike, prior: float = 0.0, *, names: tuple[str, ...] | None = None) -> Fit:
    """Fit Bradley-Terry ratings to a matrix of wins.

    Parameters
    ----------
    wins : array_like, shape (n_bots, n_bots)
        entry (i, j): games that i won against j, a tie being half a win for both; >= 0, the
        diagonal 0.
    prior : float
        weight of a virtual tie of every bot against a phantom rated 0; 0, or at least
        `MIN_PRIOR`.
    names : tuple of str, optional
        of the bots, for error messages; their indices by default.

    Returns
    -------
    Fit

    Raises
    ------
    ValueError
        if an argument is out of range; with prior 0 also if the ratings are not determined
        because groups of bots never met, or not finite because a group won or lost every point
        against the rest (separation: L. R. Ford, American Mathematical Monthly 64, 1957).

    Notes
    -----
    Newton's method, with step halving, on sum W_ij ln L(r_i - r_j): STATISTICS.md, section 2.
    Cost O(n_bots^3) a step, mostly fewer than 10 steps.
    """
    matrix = np.asarray(wins, dtype=np.float64)
    _check_wins(matrix, prior)
    if prior == 0.0:
        indices = tuple(str(i) for i in range(len(matrix)))
        _check_determined(matrix, indices if names is None else names)
    return _fit(matrix, prior)


def _check_wins(wins: Floats, prior: float) -> None:
    faults = []
    if wins.ndim != 2 or wins.shape[0] != wins.shape[1]:
        faults.append(f"wins must be a square matrix, got the shape {wins.shape}")
    elif not (np.isfinite(wins).all() and (wins >= 0.0).all() and not wins.diagonal().any()):
        faults.append(f"wins must be finite and >= 0 with a diagonal of 0, got {wins.tolist()!r}")
    if not (prior == 0.0 or MIN_PRIOR <= prior < math.inf):
        faults.append(f"prior must be 0 or a number from {MIN_PRIOR:g} on, got {prior!r}")
    if faults:
        raise ValueError("ratings: " + "; ".join(faults))


def _check_determined(wins: Floats, names: tuple[str, ...]) -> None:
    """Raise unless finite ratings exist without a prior: unless all bots form one group."""
    apart = win_groups(wins + wins.T, names)
    if len(apart) > 1:
        raise ValueError(
            "ratings: with prior 0 all bots must be linked by games, got groups that never met: "
            + _listed(apart)
        )
    groups = win_groups(wins, names)
    if len(groups) > 1:
        raise ValueError(
            "ratings: with prior 0 no group of bots may win or lose every point against the rest, "
            f"got the groups {_listed(groups)}; use a prior > 0"
        )


def _listed(groups: tuple[tuple[str, ...], ...]) -> str:
    return ", ".join("{" + ", ".join(group) + "}" for group in groups)


def win_groups(wins: npt.ArrayLike, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of bots inside which every bot beat every other, directly or by a chain.

    Parameters
    ----------
    wins : array_like, shape (n_bots, n_bots)
        entry (i, j): score of i against j, >= 0.
    names : tuple of str
        n_bots of them.

    Returns
    -------
    tuple of tuple of str
        the strongly connected components of the graph of wins. With more than one, differences
        between groups rest on the prior alone, and their intervals are too short.
    """
    matrix = np.asarray(wins, dtype=np.float64)
    reach = ((matrix > 0.0) | np.eye(len(matrix), dtype=bool)).astype(np.float32)
    for _ in range(len(matrix).bit_length()):
        reach = (reach @ reach > 0.0).astype(np.float32)
    mutual = (reach * reach.T) > 0.0
    first = mutual.argmax(axis=1) if len(matrix) else np.zeros(0, dtype=np.int64)
    return tuple(tuple(names[j] for j in np.flatnonzero(first == i)) for i in np.unique(first))


def _fit(wins: Floats, prior: float) -> Fit:
    """Fit in natural units, then scale to Elo; the maximum exists."""
    theta = np.zeros(len(wins))
    for _ in range(_MAX_STEPS):
        gradient, information = _derivatives(wins, prior, theta)
        step = _inverse(information, prior) @ gradient
        if float(gradient @ step) < 1e-6:
            break
        theta = _climb(wins, prior, theta, step)
    else:
        raise RuntimeError(f"ratings: Newton's method must end within {_MAX_STEPS} steps, got none")
    for _ in range(5):  # the log-likelihood has no more digits, the gradient has
        gradient, information = _derivatives(wins, prior, theta)
        theta = theta + _inverse(information, prior) @ gradient
    covariance = _inverse(_derivatives(wins, prior, theta)[1], prior)
    return Fit(ELO_PER_NAT * theta, ELO_PER_NAT**2 * covariance, prior)


def _climb(wins: Floats, prior: float, theta: Floats, step: Floats) -> Floats:
    """Return theta + step, the step halved until the log-likelihood rises."""
    value = _log_likelihood(wins, prior, theta)
    for halvings in range(30):
        following = theta + 0.5**halvings * step
        if _log_likelihood(wins, prior, following) > value:
            break
    return following


def _log_likelihood(wins: Floats, prior: float, theta: Floats) -> float:
    """Return sum W_ij ln L(r_i - r_j), plus half a prior each way against the phantom."""
    pairs = wins * np.logaddexp(0.0, theta[None, :] - theta[:, None])
    phantom = np.logaddexp(0.0, theta) + np.logaddexp(0.0, -theta)
    return -float(pairs.sum() + 0.5 * prior * phantom.sum())


def _derivatives(wins: Floats, prior: float, theta: Floats) -> tuple[Floats, Floats]:
    """Return gradient and information; W_ij P_ji - W_ji P_ij is W_ij - N_ij P_ij uncancelled."""
    expected = expected_scores(theta[:, None] - theta[None, :])
    surplus = wins * expected.T
    weights = (wins + wins.T) * expected * expected.T
    phantom = prior * expected_scores(theta) * expected_scores(-theta)
    gradient = (surplus - surplus.T).sum(axis=1) - 0.5 * prior * np.tanh(0.5 * theta)
    return gradient, np.diag(weights.sum(axis=1) + phantom) - weights


def expected_scores(difference: Floats) -> Floats:
    """Return L(d) = 1/(1 + e^-d), with full relative precision when it is small.

    Parameters
    ----------
    difference : float64, any shape
        of two ratings in natural units, Elo / `ELO_PER_NAT`.
    """
    odds: Floats = np.exp(np.clip(-difference, -700.0, 700.0))
    return 1.0 / (1.0 + odds)


def _inverse(information: Floats, prior: float) -> Floats:
    """Return the inverse, or without a prior the pseudo-inverse.

    A connected Laplacian A has the constant vector as its null space, so its pseudo-inverse is
    (A + J)^-1 - J with J = 1 1^T/n: F. Fouss et al., IEEE Transactions on Knowledge and Data
    Engineering 19, 2007. J is scaled to the size of A.
    """
    size = len(information)
    if prior > 0.0 or size == 0:
        return np.linalg.inv(information).astype(np.float64)
    scale = float(information.trace()) / size or 1.0
    level = np.full((size, size), 1.0 / size)
    return np.linalg.inv(information + scale * level).astype(np.float64) - level / scale


# Lack of fit


def lack_of_fit(wins: npt.ArrayLike, fitted: Fit) -> tuple[float, int]:
    """Return the plain chi-square of observed against expected wins, and its degrees of freedom.

    Parameters
    ----------
    wins : array_like, shape (n_bots, n_bots)
        the matrix that was fitted.
    fitted : Fit
        its ratings.

    Returns
    -------
    tuple of float and int
        sum of (observed - expected)^2/expected over ordered pairs that met; pairs - (bots - 1),
        for a field in several groups pairs - (bots - groups). Its tail probability is meaningful
        only if all scores are independent and without ties, so it is not what is printed.
    """
    matrix = np.asarray(wins, dtype=np.float64)
    theta = fitted.rating / ELO_PER_NAT
    games = matrix + matrix.T
    expected = games * expected_scores(theta[:, None] - theta[None, :])
    met = games > 0.0
    surplus = (matrix - expected)[met]
    n_groups = len(win_groups(games, ("",) * len(matrix)))
    return (
        float((surplus * surplus / expected[met]).sum()),
        int(met.sum()) // 2 - (len(matrix) - n_groups),
    )
