# SPDX-License-Identifier: MIT
"""Bradley-Terry ratings: the values of STATISTICS.md, choix as judge, separation, prior."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from skyjo_core.bradley_terry import (
    ELO_PER_NAT,
    Fit,
    elo_from_score,
    fit,
    lack_of_fit,
    likelihood_of_superiority,
    score_from_elo,
    wilson_elo_interval,
    win_groups,
)
from skyjo_core.distributions import chi_square_sf

Floats = npt.NDArray[np.float64]

# STATISTICS.md, section 2: three bots without ties, four bots with a tie for each pair.
THREE = np.array([[0, 7, 9], [3, 0, 6], [1, 4, 0]], dtype=np.float64)
FOUR_WINS = np.array([[0, 6, 8, 9], [3, 0, 5, 7], [1, 4, 0, 6], [0, 2, 3, 0]], dtype=np.float64)
FOUR = FOUR_WINS + 0.5 * (1 - np.eye(4))


def standard_errors(fitted: Fit) -> Floats:
    return np.sqrt(np.diag(fitted.naive_covariance))


def difference_error(fitted: Fit, i: int, j: int) -> float:
    covariance = fitted.naive_covariance
    return math.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])


# Two players


@pytest.mark.parametrize(
    ("score", "elo"),
    [
        (0.55, 34.860070),
        (0.60, 70.436504),
        (0.64, 99.950989),
        (0.75, 190.848502),
        (0.76, 200.240940),
        (0.90, 381.697004),
    ],
)
def test_scores_map_to_the_documented_elo_and_back(score: float, elo: float) -> None:
    assert elo_from_score(score) == pytest.approx(elo, rel=1e-6)
    assert score_from_elo(elo) == pytest.approx(score, rel=1e-6)


def test_extreme_scores_are_infinite() -> None:
    assert elo_from_score(0.0) == -math.inf
    assert elo_from_score(1.0) == math.inf
    assert score_from_elo(-math.inf) == 0.0
    with pytest.raises(ValueError, match=r"elo_from_score: score must lie in 0\.\.1, got 1\.5$"):
        elo_from_score(1.5)


def test_small_scores_keep_their_digits() -> None:
    assert score_from_elo(elo_from_score(1e-12)) == pytest.approx(1e-12, rel=1e-9)


def test_wilson_interval_has_the_documented_ends() -> None:
    low, high = wilson_elo_interval(76, 100)
    assert low == pytest.approx(121.202122, rel=1e-6)
    assert high == pytest.approx(279.279758, rel=1e-6)
    assert score_from_elo(low) == pytest.approx(0.6676766, rel=1e-6)
    assert score_from_elo(high) == pytest.approx(0.8330867, rel=1e-6)


def test_wilson_interval_of_only_wins_is_open_above() -> None:
    low, high = wilson_elo_interval(10, 10)
    assert score_from_elo(low) == pytest.approx(10 / (10 + 1.959963985**2), rel=1e-6)
    assert high == math.inf
    mirrored = wilson_elo_interval(0, 10)
    assert mirrored[0] == -math.inf
    assert mirrored[1] == pytest.approx(-low, rel=1e-9)


def test_wilson_interval_refuses_more_wins_than_games() -> None:
    with pytest.raises(ValueError, match=r"^wilson_elo_interval: wins must lie .* got 3 of 2$"):
        wilson_elo_interval(3, 2)


def test_fit_of_two_bots_has_the_documented_difference_and_error() -> None:
    fitted = fit([[0, 76], [24, 0]])
    assert fitted.rating[0] - fitted.rating[1] == pytest.approx(200.240940, rel=1e-6)
    assert difference_error(fitted, 0, 1) == pytest.approx(40.675405, rel=1e-6)
    assert 1.959963985 * difference_error(fitted, 0, 1) == pytest.approx(79.722329, rel=1e-6)


def test_likelihood_of_superiority_is_a_normal_probability() -> None:
    assert likelihood_of_superiority(20, 10) == pytest.approx(0.977249868, rel=1e-9)
    assert likelihood_of_superiority(0.0, 0.0) == 0.5
    assert likelihood_of_superiority(-1.0, 0.0) == 0.0
    assert math.isnan(likelihood_of_superiority(1.0, math.nan))


# Win matrices of STATISTICS.md


def test_three_bots_have_the_documented_ratings() -> None:
    fitted = fit(THREE)
    assert fitted.rating == pytest.approx([163.921125, -27.822763, -136.098363], rel=1e-6)
    assert standard_errors(fitted) == pytest.approx([65.527498, 57.022983, 62.216281], rel=1e-6)


@pytest.mark.parametrize(
    ("i", "j", "error", "los"),
    [
        (0, 1, 105.924887, 0.964867),
        (0, 2, 114.358282, 0.995648),
        (1, 2, 99.755298, 0.861130),
    ],
)
def test_differences_of_three_bots_have_the_documented_errors(
    i: int, j: int, error: float, los: float
) -> None:
    fitted = fit(THREE)
    difference = float(fitted.rating[i] - fitted.rating[j])
    assert difference_error(fitted, i, j) == pytest.approx(error, rel=1e-6)
    assert likelihood_of_superiority(difference, difference_error(fitted, i, j)) == pytest.approx(
        los, rel=1e-6
    )


def test_ties_count_as_half_wins() -> None:
    fitted = fit(FOUR)
    expected = [204.639464, 28.557633, -51.945397, -181.251700]
    assert fitted.rating == pytest.approx(expected, rel=1e-6)
    errors = [63.061622, 52.875271, 53.179424, 60.091106]
    assert standard_errors(fitted) == pytest.approx(errors, rel=1e-6)


def test_ratings_are_not_the_raw_scores_against_the_field() -> None:
    games = FOUR + FOUR.T
    raw = [elo_from_score(s) for s in FOUR.sum(axis=1) / games.sum(axis=1)]
    assert raw == pytest.approx([259.52, 34.86, -58.45, -223.26], abs=0.01)
    assert np.all(np.abs(fit(FOUR).rating - raw) > 5.0)


def test_prior_shrinks_to_the_documented_ratings() -> None:
    expected = [157.441671, -24.914662, -128.117832]
    assert fit(THREE, prior=1.0).rating == pytest.approx(expected, rel=1e-6)


def test_one_pair_with_ties_gives_the_half_win_value() -> None:
    fitted = fit([[0, 65], [35, 0]])  # 50 wins, 30 ties, 20 losses
    assert fitted.rating[0] - fitted.rating[1] == pytest.approx(107.538124, rel=1e-6)


def test_rock_paper_scissors_shows_lack_of_fit() -> None:
    wins = [[0, 9, 1], [1, 0, 9], [9, 1, 0]]
    fitted = fit(wins)
    chi_square, df = lack_of_fit(wins, fitted)
    assert fitted.rating == pytest.approx([0, 0, 0], abs=1e-9)
    assert df == 1
    assert chi_square == pytest.approx(19.2, rel=1e-6)
    assert chi_square_sf(chi_square, df) == pytest.approx(1.177134e-05, rel=1e-6)


@pytest.mark.parametrize("method", ["opt_pairwise", "ilsr_pairwise"])
@pytest.mark.parametrize("wins", [THREE, 2 * FOUR])
def test_ratings_agree_with_choix(method: str, wins: Floats) -> None:
    choix = pytest.importorskip("choix")
    pairs = [(i, j) for i, j in np.argwhere(wins > 0) for _ in range(int(wins[i, j]))]
    theta = getattr(choix, method)(len(wins), pairs)
    assert fit(wins).rating == pytest.approx(ELO_PER_NAT * (theta - theta.mean()), abs=1e-3)


# Separation, groups, prior


def test_separation_without_prior_names_the_groups() -> None:
    with pytest.raises(ValueError, match=r"lose every point .* groups \{0, 1\}, \{2\}; use a"):
        fit([[0, 2, 3], [1, 0, 4], [0, 0, 0]])


def test_groups_that_never_met_are_named_without_prior() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = wins[3, 2] = 3
    with pytest.raises(ValueError, match=r"never met: \{0, 1\}, \{2, 3\}$"):
        fit(wins)


@pytest.mark.parametrize("prior", [1e-6, 1e-3, 0.5, 1.0, 100.0])
@pytest.mark.parametrize(
    "wins",
    [
        [[0, 5], [0, 0]],
        [[0, 1e9], [0, 0]],
        [[0, 0], [0, 0]],
        [[0, 1e9, 1], [1e9, 0, 0], [0, 0, 0]],
        [[0, 1e6, 0], [0, 0, 1e6], [0, 0, 0]],
    ],
)
def test_a_positive_prior_always_gives_finite_ratings(
    wins: list[list[float]], prior: float
) -> None:
    fitted = fit(wins, prior=prior)
    assert np.isfinite(fitted.rating).all()
    assert np.isfinite(fitted.naive_covariance).all()


def test_a_positive_prior_solves_the_score_equations_of_a_separated_pair() -> None:
    # 5-0, prior 1: r = -s by symmetry and 5 L(-2r) = tanh(r/2)/2 in natural units.
    theta = float(fit([[0, 5], [0, 0]], prior=1.0).rating[0]) / ELO_PER_NAT
    assert 5.0 / (1.0 + math.exp(2.0 * theta)) == pytest.approx(
        0.5 * math.tanh(theta / 2), rel=1e-9
    )


def test_groups_of_wins_are_reported() -> None:
    names = ("a", "b", "c")
    assert win_groups([[0, 1, 1], [1, 0, 1], [0, 0, 0]], names) == (("a", "b"), ("c",))
    assert win_groups([[0, 1, 0], [0, 0, 1], [1, 0, 0]], names) == (("a", "b", "c"),)


def test_all_faults_of_the_arguments_are_named_together() -> None:
    with pytest.raises(ValueError, match=r"wins must be finite .*; prior must be 0 or .* got -1$"):
        fit([[1, 0], [0, 0]], prior=-1)
    with pytest.raises(ValueError, match=r"must be a square matrix, got the shape \(1, 2\)$"):
        fit([[1, 2]])
