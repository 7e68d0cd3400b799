# SPDX-License-Identifier: MIT
"""Ratings: the values of STATISTICS.md, statsmodels as judge, symmetry, coverage."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from skyjo_core import ratings as ratings_module
from skyjo_core.bradley_terry import ELO_PER_NAT, fit, lack_of_fit, likelihood_of_superiority
from skyjo_core.distributions import chi_square_sf, t_quantile
from skyjo_core.ratings import rate, sandwich, win_matrix
from skyjo_core.results import Results

Floats = npt.NDArray[np.float64]

# STATISTICS.md, section 3: corpus B, the groups of each game from best to last.
CORPUS_B: list[list[list[int]]] = [
    [[0], [1], [2], [3]],
    [[0], [1, 2], [3]],
    [[1], [0], [3], [2]],
    [[0, 1], [2], [3]],
    [[2], [0], [1], [3]],
    [[0], [3], [1, 2]],
    [[1], [2], [0, 3]],
    [[3], [0], [1], [2]],
    [[0, 1, 2], [3]],
    [[1], [0], [2], [3]],
]


def results_of(
    bots: npt.ArrayLike,
    places: npt.ArrayLike,
    deals: npt.ArrayLike | None = None,
    names: Sequence[str] | None = None,
) -> Results:
    """Return results with the given places; the totals are ten times the places."""
    seats = np.asarray(bots, dtype=np.int32)
    ranks = np.asarray(places, dtype=np.int8)
    zeros = np.zeros(seats.shape)
    return Results(
        names=tuple(names or (f"bot{i}" for i in range(int(seats.max()) + 1))),
        bots=seats,
        totals=ranks.astype(np.int32) * 10,
        places=ranks,
        faulted=zeros.astype(np.bool_),
        deals=np.asarray(np.arange(len(seats)) if deals is None else deals, dtype=np.int64),
        decisions=zeros.astype(np.int64),
        seconds=zeros,
    )


def corpus_b() -> Results:
    bots, places = [], []
    for groups in CORPUS_B:
        bots.append([bot for group in groups for bot in group])
        starts = np.cumsum([1, *(len(group) for group in groups)])
        places.append([int(starts[i]) for i, group in enumerate(groups) for _ in group])
    return results_of(bots, places)


def duels_with_shock(rng: np.random.Generator, n_deals: int) -> Results:
    """Return a round-robin of six equal bots, each with a luck of its own on each deal."""
    pairs = np.array(list(itertools.permutations(range(6), 2)), dtype=np.int32)
    luck = rng.normal(0.0, 1.0, (n_deals, 6))
    deals = np.repeat(np.arange(n_deals), len(pairs))
    bots = np.tile(pairs, (n_deals, 1))
    lead = luck[deals, bots[:, 0]] - luck[deals, bots[:, 1]]
    wins = rng.random(len(bots)) < 1.0 / (1.0 + np.exp(-lead))
    return results_of(bots, np.where(wins[:, None], [1, 2], [2, 1]), deals)


def luce_games(rng: np.random.Generator, theta: Floats, n_games: int) -> Results:
    """Return games of four seats from the Plackett-Luce model, each on a deal of its own."""
    bots = np.argsort(rng.random((n_games, len(theta))), axis=1)[:, :4]
    worth = theta[bots] + rng.gumbel(size=bots.shape)
    return results_of(bots, 1 + (worth[:, :, None] < worth[:, None, :]).sum(axis=2))


def naive_errors(results: Results) -> Floats:
    return np.sqrt(np.diag(fit(win_matrix(results)).naive_covariance))


# Corpus B


def test_corpus_b_has_the_documented_pairwise_wins() -> None:
    expected = [[0, 6, 7.5, 8.5], [4, 0, 7.5, 8], [2.5, 2.5, 0, 7], [1.5, 2, 3, 0]]
    assert win_matrix(corpus_b()).tolist() == expected


def test_corpus_b_has_the_documented_ratings_and_naive_errors() -> None:
    ratings = rate(corpus_b(), prior=0)
    expected = [143.588950, 90.849093, -58.150127, -176.287916]
    assert ratings.rating == pytest.approx(expected, rel=1e-6)
    assert naive_errors(corpus_b()) == pytest.approx([56.4614, 53.5847, 52.6437, 59.5202], rel=1e-5)


def test_corpus_b_has_the_documented_sandwich_errors() -> None:
    results = corpus_b()
    plain = sandwich(results, fit(win_matrix(results)), correction=False)
    expected = [53.344194, 62.567371, 59.696929, 83.206512]
    assert np.sqrt(np.diag(plain)) == pytest.approx(expected, rel=1e-6)
    ratings = rate(results, prior=0)
    corrected = [56.229718, 65.951800, 62.926088, 87.707365]
    assert np.sqrt(np.diag(ratings.covariance)) == pytest.approx(corrected, rel=1e-6)
    half = t_quantile(0.975, 9) * np.array(corrected)
    assert ratings.high - ratings.rating == pytest.approx(half, rel=1e-6)
    assert ratings.rating - ratings.low == pytest.approx(half, rel=1e-6)


def test_sandwich_agrees_with_statsmodels() -> None:
    statsmodels = pytest.importorskip("statsmodels.api")
    results = corpus_b()
    rows, scores, groups = [], [], []
    for game, (bots, places) in enumerate(zip(results.bots, results.places, strict=True)):
        for s, t in itertools.combinations(range(4), 2):
            rows.append(np.eye(4)[bots[s]] - np.eye(4)[bots[t]])
            scores.append(0.5 + 0.5 * np.sign(int(places[t]) - int(places[s])))
            groups.append(game)
    model = statsmodels.GLM(
        np.array(scores), np.array(rows)[:, 1:], family=statsmodels.families.Binomial()
    )
    oracle = model.fit(
        cov_type="cluster", cov_kwds={"groups": np.array(groups), "use_correction": False}
    )
    theta = np.array([0.0, *oracle.params])
    covariance = np.zeros((4, 4))
    covariance[1:, 1:] = oracle.cov_params()
    centre = np.eye(4) - 0.25
    ours = sandwich(results, fit(win_matrix(results)), correction=False)
    assert rate(results, prior=0).rating == pytest.approx(ELO_PER_NAT * centre @ theta, rel=1e-6)
    expected = ELO_PER_NAT**2 * centre @ covariance @ centre
    assert ours == pytest.approx(expected, rel=1e-6)


def test_prior_is_in_the_bread_and_not_in_the_scores() -> None:
    results = corpus_b()
    wins = win_matrix(results)
    theta = fit(wins, prior=1.0).rating / ELO_PER_NAT
    expected = 1.0 / (1.0 + np.exp(theta[None, :] - theta[:, None]))
    weights = (wins + wins.T) * expected * expected.T
    phantom = 1.0 / (2.0 + 2.0 * np.cosh(theta))
    bread = np.linalg.inv(np.diag(weights.sum(axis=1) + phantom) - weights)
    meat = np.zeros((4, 4))
    for bots, places in zip(results.bots, results.places, strict=True):
        score = np.zeros(4)
        for s, t in itertools.permutations(range(4), 2):
            gained = 0.5 + 0.5 * np.sign(int(places[t]) - int(places[s]))
            score[bots[s]] += gained - expected[bots[s], bots[t]]
        meat += np.outer(score, score)
    by_hand = ELO_PER_NAT**2 * bread @ meat @ bread * 10 / 9
    assert sandwich(results, fit(wins, prior=1.0)) == pytest.approx(by_hand, rel=1e-9)


# What is reported


def test_ratings_are_centred_and_name_their_model() -> None:
    ratings = rate(corpus_b())
    assert ratings.rating.mean() == pytest.approx(0.0, abs=1e-9)
    assert ratings.covariance.sum() == pytest.approx(0.0, abs=1e-6)
    assert (ratings.n_clusters, ratings.prior) == (10, 1.0)
    assert "pairwise composite" in ratings.model
    assert "tie is half a win" in ratings.model
    assert ratings.model.endswith("prior 1 virtual tie")
    assert rate(corpus_b(), prior=0).model.endswith("no prior")


def test_anchor_has_its_rating_and_the_intervals_are_of_differences() -> None:
    free = rate(corpus_b())
    anchored = rate(corpus_b(), anchor=("bot2", 1500.0))
    assert anchored.rating == pytest.approx(free.rating - free.rating[2] + 1500.0)
    assert (anchored.low[2], anchored.rating[2], anchored.high[2]) == (1500.0, 1500.0, 1500.0)
    for i in (0, 1, 3):
        difference, error = free.difference(i, 2)
        assert anchored.high[i] == pytest.approx(1500 + difference + t_quantile(0.975, 9) * error)
        assert anchored.difference(0, i) == pytest.approx(free.difference(0, i))


def test_unknown_anchor_is_named_with_the_nearest_bot() -> None:
    with pytest.raises(ValueError, match=r"anchor must name .*, got 'bto1' \(nearest: 'bot1'\)$"):
        rate(corpus_b(), anchor=("bto1", 0.0))


def test_difference_uses_the_whole_covariance() -> None:
    ratings = rate(corpus_b(), prior=0)
    difference, error = ratings.difference(0, 1)
    c = ratings.covariance
    assert difference == pytest.approx(143.588950 - 90.849093, rel=1e-6)
    assert error == pytest.approx(math.sqrt(c[0, 0] + c[1, 1] - 2 * c[0, 1]))
    assert ratings.los(0, 1) == likelihood_of_superiority(difference, error)
    assert ratings.los(0, 1) + ratings.los(1, 0) == pytest.approx(1.0)


def test_separation_without_prior_names_the_bots() -> None:
    results = results_of([[0, 1], [0, 1]], [[1, 2], [1, 2]], names=["ada", "bob"])
    with pytest.raises(ValueError, match=r"got the groups \{ada\}, \{bob\}; use a prior > 0$"):
        rate(results, prior=0)


def test_one_deal_gives_no_interval() -> None:
    ratings = rate(results_of([[0, 1], [1, 0]], [[1, 2], [1, 2]], deals=[7, 7]))
    assert ratings.n_clusters == 1
    assert ratings.rating == pytest.approx([0.0, 0.0], abs=1e-9)
    for values in (ratings.low, ratings.high, ratings.covariance):
        assert np.isnan(values).all()
    assert math.isnan(ratings.los(0, 1))
    assert math.isnan(ratings.fit_p)


def test_no_games_give_no_interval() -> None:
    empty = np.zeros((0, 2))
    ratings = rate(results_of(empty, empty, names=["a", "b"]))
    assert ratings.n_clusters == 0
    assert ratings.rating.tolist() == [0.0, 0.0]
    assert np.isnan(ratings.low).all()


def test_a_bot_that_met_nobody_has_no_interval() -> None:
    results = results_of([[0, 1], [1, 0], [0, 1]], [[1, 2], [1, 2], [2, 1]], names="abc")
    ratings = rate(results)
    assert np.isnan(ratings.low).tolist() == [False, False, True]
    assert math.isfinite(ratings.los(0, 1))
    assert math.isnan(ratings.los(0, 2))


def test_two_seats_of_one_bot_do_not_meet() -> None:
    results = results_of([[0, 1, 1], [1, 0, 1]], [[1, 2, 3], [1, 2, 2]])
    assert win_matrix(results).tolist() == [[0, 2.5], [1.5, 0]]


def test_forfeiters_tie_with_one_another_and_lose_to_the_rest() -> None:
    results = results_of([[0, 1, 2, 3]], [[3, 1, 3, 2]])
    expected = [[0, 0, 0.5, 0], [1, 0, 1, 1], [0.5, 0, 0, 0], [1, 0, 1, 0]]
    assert win_matrix(results).tolist() == expected


def test_clusters_may_be_named_by_the_user() -> None:
    results = duels_with_shock(np.random.default_rng(1), 12)
    by_game = rate(results, clusters=np.arange(results.n_games))
    assert by_game.n_clusters == results.n_games
    assert by_game.rating == pytest.approx(rate(results).rating)
    assert rate(results, clusters=results.deals * 7 - 3).low == pytest.approx(rate(results).low)


# Lack of fit of a tournament


def rock_paper_scissors(rng: np.random.Generator, n_deals: int, chance: float) -> Results:
    bots = np.tile(np.array([[0, 1], [1, 2], [2, 0]]), (n_deals, 1))
    wins = rng.random(len(bots)) < chance
    return results_of(
        bots, np.where(wins[:, None], [1, 2], [2, 1]), np.repeat(np.arange(n_deals), 3)
    )


def test_fit_p_is_small_when_one_number_per_bot_is_wrong() -> None:
    assert rate(rock_paper_scissors(np.random.default_rng(2), 60, 0.8)).fit_p < 1e-6


def test_fit_p_is_uniform_when_the_model_holds() -> None:
    rng = np.random.default_rng(3)
    values = [rate(duels_with_shock(rng, 40)).fit_p for _ in range(120)]
    assert 0.01 < np.mean(np.array(values) < 0.1) < 0.2
    assert 0.38 < np.mean(values) < 0.62


def test_fit_p_of_independent_pairs_is_near_the_plain_chi_square() -> None:
    results = rock_paper_scissors(np.random.default_rng(4), 4000, 0.515)
    fitted = fit(win_matrix(results))
    plain = chi_square_sf(*lack_of_fit(win_matrix(results), fitted))
    assert rate(results, prior=0).fit_p == pytest.approx(plain, rel=0.15)


def test_fit_p_is_missing_without_degrees_of_freedom_or_clusters() -> None:
    duel = results_of([[0, 1]] * 4, [[1, 2], [1, 2], [2, 1], [1, 2]])
    assert math.isnan(rate(duel).fit_p)
    assert math.isnan(rate(duels_with_shock(np.random.default_rng(5), 10)).fit_p)
    assert not math.isnan(rate(duels_with_shock(np.random.default_rng(5), 11)).fit_p)


def test_fit_p_is_missing_for_very_large_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    results = duels_with_shock(np.random.default_rng(5), 11)
    monkeypatch.setattr(ratings_module, "MAX_PAIRS", 14)
    assert math.isnan(rate(results).fit_p)


def test_fit_p_is_missing_when_the_deals_do_not_vary() -> None:
    bots = np.tile([[0, 1], [1, 2], [2, 0]], (5, 1))
    results = results_of(bots, np.tile([[1, 2]], (15, 1)), np.repeat(np.arange(5), 3))
    ratings = rate(results)
    assert math.isnan(ratings.fit_p)
    assert ratings.high == pytest.approx(ratings.low)


# Symmetry


def test_relabelling_permutes_the_ratings() -> None:
    results = corpus_b()
    order = np.array([2, 0, 3, 1])
    renamed = results_of(order[results.bots], results.places)
    ours, theirs = rate(results), rate(renamed)
    assert theirs.rating[order] == pytest.approx(ours.rating)
    assert theirs.covariance[np.ix_(order, order)] == pytest.approx(ours.covariance)
    assert theirs.fit_p == pytest.approx(ours.fit_p)


def test_equal_results_give_equal_ratings() -> None:
    orders = list(itertools.permutations(range(3)))
    ratings = rate(results_of(orders, [[1, 2, 3]] * 6), prior=0)
    assert ratings.rating == pytest.approx([0, 0, 0], abs=1e-9)
    assert np.ptp(np.diag(ratings.covariance)) == pytest.approx(0.0, abs=1e-6)


def test_the_order_of_games_and_seats_does_not_matter() -> None:
    results = duels_with_shock(np.random.default_rng(6), 14)
    order = np.random.default_rng(7).permutation(results.n_games)
    shuffled = results_of(
        results.bots[order, ::-1], results.places[order, ::-1], results.deals[order]
    )
    ours, theirs = rate(results), rate(shuffled)
    assert theirs.rating == pytest.approx(ours.rating)
    assert theirs.low == pytest.approx(ours.low)
    assert theirs.fit_p == pytest.approx(ours.fit_p)


@pytest.mark.parametrize("n_games", [20, 70])  # a deal has 30 games
def test_chunks_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch, n_games: int) -> None:
    results = duels_with_shock(np.random.default_rng(8), 25)
    whole = rate(results)
    monkeypatch.setattr(ratings_module, "_CHUNK_GAMES", n_games)
    monkeypatch.setattr(ratings_module, "_CHUNK_CELLS", 45)
    parts = rate(results)
    assert parts.covariance == pytest.approx(whole.covariance)
    assert parts.fit_p == pytest.approx(whole.fit_p)


def test_many_clusters_are_merged_for_the_test_of_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    results = rock_paper_scissors(np.random.default_rng(9), 400, 0.8)
    monkeypatch.setattr(ratings_module, "_MAX_FIT_CLUSTERS", 100)
    merged = rate(results)
    assert merged.n_clusters == 400
    assert merged.fit_p < 1e-6


# Coverage and size


def test_intervals_by_deal_cover_where_others_do_not() -> None:
    # STATISTICS.md, section 3: with a shock by bot and deal, clusters by line-up and deal cover
    # about 0.86, by deal 0.95; naive intervals less still. All true ratings are 0.
    rng = np.random.default_rng(10)
    covered = np.zeros(3)
    n_repeats = 120
    for _ in range(n_repeats):
        results = duels_with_shock(rng, 40)
        lineups = np.sort(results.bots, axis=1) @ np.array([6, 1])
        by_deal = rate(results)
        by_block = rate(results, clusters=results.deals * 36 + lineups)
        half = 1.959963985 * naive_errors(results)
        covered += [
            np.mean((ratings.low <= 0.0) & (ratings.high >= 0.0)) for ratings in (by_deal, by_block)
        ] + [np.mean(np.abs(by_deal.rating) <= half)]
    deal, block, naive = covered / n_repeats
    assert 0.92 < deal < 0.98
    assert 0.80 < block < 0.91
    assert naive < 0.89


def test_few_deals_cover_thanks_to_the_quantile_of_t() -> None:
    rng = np.random.default_rng(11)
    ratings = [rate(duels_with_shock(rng, 5)) for _ in range(150)]
    covered = np.mean([(r.low <= 0.0) & (r.high >= 0.0) for r in ratings])
    assert 0.91 < covered < 0.985


def test_intervals_by_game_cover_where_naive_ones_do_not() -> None:
    # STATISTICS.md, section 3: 8 bots, 4 at a table, 300 games: 0.872 and 0.945, ratio 1.28.
    rng = np.random.default_rng(12)
    theta = np.linspace(-1.0, 1.0, 8)
    covered, ratio = np.zeros(2), []
    for _ in range(120):
        results = luce_games(rng, theta, 300)
        ratings = rate(results, prior=0)
        naive = naive_errors(results)
        error = np.abs(ratings.rating - ELO_PER_NAT * theta)
        half = ratings.high - ratings.rating
        covered += [np.mean(error <= 1.959963985 * naive), np.mean(error <= half)]
        ratio.append(np.mean(np.sqrt(np.diag(ratings.covariance)) / naive))
    assert covered[0] / 120 < 0.90
    assert 0.92 < covered[1] / 120 < 0.97
    assert 1.2 < np.mean(ratio) < 1.35


def test_memory_stays_below_an_array_of_games_by_bots_by_bots() -> None:
    rng = np.random.default_rng(13)
    results = luce_games(rng, np.zeros(20), 100_000)
    tracemalloc.start()
    ratings = rate(results, clusters=np.arange(100_000) // 1000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6  # the array in question has 320e6 bytes
    assert np.all(np.abs(ratings.rating) < 20)
