# SPDX-License-Identifier: MIT
"""Standings and crosstable, by hand work on small tournaments; Results, on which they stand."""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import TypedDict, Unpack

import numpy as np
import numpy.typing as npt
import pytest

from skyjo_core.distributions import t_quantile
from skyjo_core.ratings import rate, win_matrix
from skyjo_core.results import Results
from skyjo_core.standings import Standing, crosstable, standings


class Columns(TypedDict, total=False):
    names: tuple[str, ...]
    places: npt.ArrayLike
    faulted: npt.ArrayLike
    deals: npt.ArrayLike
    decisions: npt.ArrayLike
    seconds: npt.ArrayLike


def results_of(bots: npt.ArrayLike, totals: npt.ArrayLike, **columns: Unpack[Columns]) -> Results:
    """Return results; places follow from the totals unless given, each game is its own deal."""
    seats, points = np.asarray(bots, dtype=np.int32), np.asarray(totals, dtype=np.int32)
    places = 1 + (points[:, :, None] > points[:, None, :]).sum(axis=2)
    return Results(
        names=columns.get("names", tuple("abcdefgh"[: int(seats.max(initial=-1)) + 1])),
        bots=seats,
        totals=points,
        places=np.asarray(columns.get("places", places), dtype=np.int8),
        faulted=np.asarray(columns.get("faulted", np.zeros(seats.shape)), dtype=np.bool_),
        deals=np.asarray(columns.get("deals", np.arange(len(seats))), dtype=np.int64),
        decisions=np.asarray(columns.get("decisions", np.ones(seats.shape)), dtype=np.int64),
        seconds=np.asarray(columns.get("seconds", np.zeros(seats.shape)), dtype=np.float64),
    )


def lines_of(results: Results) -> dict[str, Standing]:
    return {line.bot: line for line in standings(results, rate(results))}


# Results


def test_results_compare_by_content() -> None:
    assert results_of([[0, 1]], [[5, 7]]) == results_of([[0, 1]], [[5, 7]])
    assert results_of([[0, 1]], [[5, 7]]) != results_of([[0, 1]], [[5, 8]])
    assert results_of([[0, 1]], [[5, 7]]) != "results"


def test_results_name_every_fault_of_their_shapes_and_values() -> None:
    with pytest.raises(ValueError, match=r"^results: deals must .* \(1,\), got \(2,\); bots must"):
        results_of([[0, 2]], [[5, 7]], names=("a", "b"), deals=[0, 1])
    with pytest.raises(ValueError, match=r"places must lie in 1\.\.2, got 0\.\.1$"):
        results_of([[0, 1]], [[5, 7]], places=[[0, 1]])
    with pytest.raises(ValueError, match=r"names must differ from one another, got \('a', 'a'\)$"):
        results_of([[0, 1]], [[5, 7]], names=("a", "a"))


def test_results_refuse_another_dtype() -> None:
    good = results_of([[0, 1]], [[5, 7]])
    with pytest.raises(TypeError, match=r"results: totals must be an array of int32, got float64$"):
        dataclasses.replace(good, totals=good.totals.astype(np.float64))


def test_mean_points_of_a_forfeiter_are_the_highest_at_the_table() -> None:
    results = results_of(
        [[0, 1, 2]] * 3,
        [[10, 50, 30], [90, 50, 30], [10, 20, 30]],
        places=[[3, 2, 1], [3, 2, 1], [2, 2, 1]],
        faulted=[[True, False, False], [True, False, False], [True, True, False]],
    )
    assert results.mean_points().tolist() == [[50, 50, 30], [90, 50, 30], [30, 30, 30]]
    assert results.mean_points().dtype == np.float64


# Standings


def test_standings_have_the_fields_of_the_json_result() -> None:
    assert [field.name for field in dataclasses.fields(Standing)] == [
        "bot",
        "rating",
        "rating_low",
        "rating_high",
        "games",
        "points_mean",
        "points_low",
        "points_high",
        "win_share",
        "place_mean",
        "forfeits",
        "seconds_per_move",
    ]


def test_standings_average_tied_places_and_share_the_win() -> None:
    results = results_of([[0, 1, 2], [0, 1, 2]], [[20, 20, 30], [10, 20, 20]])
    lines = lines_of(results)
    # Places 1.5, 1.5, 3 and 1, 2.5, 2.5.
    assert [lines[bot].place_mean for bot in "abc"] == [1.25, 2.0, 2.75]
    assert [lines[bot].win_share for bot in "abc"] == [0.75, 0.25, 0.0]


def test_forfeiters_share_the_mean_of_the_last_places() -> None:
    results = results_of(
        [[0, 1, 2, 3]],
        [[5, 30, 10, 20]],
        places=[[3, 2, 3, 1]],
        faulted=[[True, False, True, False]],
    )
    lines = lines_of(results)
    assert [lines[bot].place_mean for bot in "abcd"] == [3.5, 2.0, 3.5, 1.0]
    assert [lines[bot].forfeits for bot in "abcd"] == [1, 0, 1, 0]
    assert [lines[bot].points_mean for bot in "abcd"] == [30.0, 30.0, 30.0, 20.0]


def test_a_game_that_all_forfeit_is_a_tie_of_all() -> None:
    results = results_of([[0, 1]], [[5, 9]], places=[[1, 1]], faulted=[[True, True]])
    lines = lines_of(results)
    assert [(lines[b].place_mean, lines[b].win_share) for b in "ab"] == [(1.5, 0.5), (1.5, 0.5)]


def test_a_tie_for_first_that_the_rules_broke_stays_broken() -> None:
    lines = lines_of(results_of([[0, 1]], [[20, 20]], places=[[2, 1]]))
    assert [lines[bot].win_share for bot in "ab"] == [0.0, 1.0]


def test_games_of_a_bot_on_two_seats_are_seat_games() -> None:
    results = results_of([[0, 1, 1], [1, 0, 1]], [[10, 20, 30], [5, 10, 15]])
    lines = lines_of(results)
    assert (lines["a"].games, lines["b"].games) == (2, 4)
    assert lines["b"].points_mean == 17.5
    assert lines["b"].place_mean == (2 + 3 + 1 + 3) / 4
    assert lines["b"].win_share == 0.25


def test_points_interval_is_clustered_by_deal() -> None:
    results = results_of(
        [[0, 1]] * 5,
        [[10, 0], [14, 0], [20, 0], [26, 0], [40, 0]],
        deals=[0, 0, 1, 1, 2],
    )
    line = lines_of(results)["a"]
    # Mean 22; residuals by deal 24 - 44 = -20, 46 - 44 = 2, 40 - 22 = 18; 400 + 4 + 324 = 728.
    half = t_quantile(0.975, 2) * math.sqrt(728 * 3 / 2) / 5
    assert line.points_mean == 22.0
    assert line.points_low == pytest.approx(22 - half)
    assert line.points_high == pytest.approx(22 + half)


def test_points_interval_counts_the_deals_that_the_bot_played() -> None:
    results = results_of([[0, 1], [0, 1], [0, 2]], [[10, 20], [10, 22], [10, 30]])
    lines = lines_of(results)
    assert lines["b"].points_low == pytest.approx(21 - t_quantile(0.975, 1) * 1.0)
    assert (lines["c"].points_mean, lines["c"].points_low) == (30.0, None)


def test_points_interval_covers_the_mean_although_deals_have_a_luck_of_their_own() -> None:
    rng = np.random.default_rng(1)
    covered = []
    for _ in range(200):
        luck = rng.normal(0, 20, (15, 1, 2))
        totals = 100 + luck + rng.normal(0, 5, (15, 8, 2))
        results = results_of([[0, 1]] * 120, totals.reshape(120, 2), deals=np.repeat(range(15), 8))
        for line in standings(results, rate(results)):
            assert line.points_low is not None
            assert line.points_high is not None
            covered.append(line.points_low <= 99.5 <= line.points_high)  # int32 cuts off halves
    assert 0.92 < np.mean(covered) < 0.98


def test_one_deal_has_neither_rating_nor_interval() -> None:
    lines = lines_of(results_of([[0, 1], [1, 0]], [[10, 20], [30, 10]], deals=[0, 0]))
    for line in lines.values():
        assert (line.rating, line.rating_low, line.rating_high) == (None, None, None)
        assert (line.points_low, line.points_high) == (None, None)
    assert lines["a"].points_mean == 10.0


def test_ratings_are_those_of_the_fit() -> None:
    results = results_of([[0, 1], [1, 0], [0, 1]], [[10, 20], [30, 10], [9, 3]])
    ratings = rate(results)
    line = standings(results, ratings)[0]
    assert line.bot == "a"
    assert (line.rating, line.rating_low) == (ratings.rating[0], ratings.low[0])
    assert line.rating_high == ratings.high[0]


def test_seconds_per_move_is_a_ratio_of_sums() -> None:
    results = results_of(
        [[0, 1], [1, 0]],
        [[10, 20], [30, 10]],
        decisions=[[10, 0], [0, 30]],
        seconds=[[1.0, 0.0], [0.0, 1.0]],
    )
    lines = lines_of(results)
    assert lines["a"].seconds_per_move == 0.05
    assert lines["b"].seconds_per_move is None


def test_standings_are_best_first_also_where_ratings_are_not_shown() -> None:
    results = results_of([[0, 1, 2], [2, 1, 0]], [[30, 20, 10], [12, 20, 31]], deals=[0, 0])
    assert [line.bot for line in standings(results, rate(results))] == ["c", "b", "a"]


def test_equal_ratings_are_ordered_by_points_then_by_name() -> None:
    results = results_of(
        [[0, 1], [1, 0], [2, 3], [3, 2]],
        [[10, 20], [8, 20], [10, 20], [8, 20]],
        names=("d", "c", "b", "a"),
    )
    # All ratings are 0; points: d and b 15, c and a 14.
    assert [line.bot for line in standings(results, rate(results))] == ["a", "c", "b", "d"]


def test_a_bot_without_games_has_a_line_without_values() -> None:
    line = lines_of(results_of([[0, 1], [1, 0]], [[10, 20], [8, 9]], names=("a", "b", "c")))["c"]
    assert line == Standing("c", None, None, None, 0, None, None, None, None, None, 0, None)


def test_no_games_give_lines_in_the_order_of_names() -> None:
    empty = np.zeros((0, 2))
    results = results_of(empty, empty, names=("b", "a"))
    assert [(line.bot, line.games) for line in standings(results, rate(results))] == [
        ("a", 0),
        ("b", 0),
    ]
    assert crosstable(results).games.tolist() == [[0, 0], [0, 0]]


def test_values_are_plain_python_numbers() -> None:
    line = standings(*(lambda r: (r, rate(r)))(results_of([[0, 1], [1, 0]], [[1, 2], [4, 3]])))[0]
    for value in dataclasses.astuple(line):
        assert type(value) in (str, int, float)


def test_ratings_of_other_bots_are_refused() -> None:
    ours, theirs = results_of([[0, 1]], [[1, 2]]), results_of([[0, 1]], [[1, 2]], names=("x", "y"))
    with pytest.raises(ValueError, match=r"must be of the bots \('a', 'b'\), got \('x', 'y'\)$"):
        standings(ours, rate(theirs))


# Crosstable


def test_crosstable_sums_scores_meetings_and_points() -> None:
    results = results_of(
        [[0, 1, 2], [2, 0, 1]],
        [[20, 20, 30], [50, 10, 40]],
        places=[[1, 1, 3], [3, 1, 2]],
        faulted=[[False, False, False], [False, False, False]],
    )
    table = crosstable(results)
    assert table.bots == ("a", "b", "c")
    assert table.score.tolist() == [[0, 1.5, 2], [0.5, 0, 2], [0, 0, 0]]
    assert table.games.tolist() == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    assert table.points.tolist() == [[0, 30, 30], [60, 0, 60], [80, 80, 0]]


def test_crosstable_takes_the_points_of_a_forfeiter_from_the_table() -> None:
    results = results_of([[0, 1]], [[5, 40]], places=[[2, 1]], faulted=[[True, False]])
    table = crosstable(results)
    assert table.points.tolist() == [[0, 40], [40, 0]]
    assert table.score.tolist() == [[0, 0], [1, 0]]


def test_crosstable_leaves_out_seats_of_the_same_bot() -> None:
    results = results_of([[0, 1, 1]], [[10, 5, 20]])
    table = crosstable(results)
    assert table.games.tolist() == [[0, 2], [2, 0]]
    assert table.score.tolist() == [[0, 1], [1, 0]]
    assert table.points.tolist() == [[0, 20], [25, 0]]


def test_crosstable_agrees_with_the_rated_matrix_and_a_plain_count() -> None:
    rng = np.random.default_rng(2)
    bots = np.argsort(rng.random((300, 6)), axis=1)[:, :4]
    results = results_of(bots, rng.integers(0, 30, (300, 4)))
    table = crosstable(results)
    games = np.zeros((6, 6), dtype=np.int64)
    points = np.zeros((6, 6))
    for seats, totals in zip(results.bots, results.totals, strict=True):
        for s, t in itertools.permutations(range(4), 2):
            games[seats[s], seats[t]] += 1
            points[seats[s], seats[t]] += totals[s]
    assert np.array_equal(table.score, win_matrix(results))
    assert np.array_equal(table.games, games)
    assert np.array_equal(table.points, points)
    assert np.array_equal(table.score + table.score.T, table.games)
