# SPDX-License-Identifier: MIT
"""The table of RULES E.6: exact from the product's deck, and at fixed seeds from what it deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, sqrt
from typing import Any

import pytest
from scipy import stats

from skyjo_core import DRAW, FLIP, TAKE, Game, Rules

Deck = Mapping[int, int]


def deck_of(rules: Rules) -> Counter[int]:
    """The cards of a deck by value: the first discard and what is unseen before the opening."""
    view = Game(2, rules).view()
    unseen = zip(view.values, view.pile_counts.tolist(), strict=True)
    return Counter(dict(unseen)) + Counter([view.discard_top])


CLASSIC = deck_of(Rules())
NUMBERS = deck_of(Rules(deck="numbers105"))


# Counting


def mean(law: Mapping[int, Fraction]) -> Fraction:
    return sum((value * p for value, p in law.items()), Fraction(0))


def variance(law: Mapping[int, Fraction]) -> Fraction:
    return moment(law, 2)


def moment(law: Mapping[int, Fraction], order: int) -> Fraction:
    """A central moment."""
    centre = mean(law)
    return sum(((value - centre) ** order * p for value, p in law.items()), Fraction(0))


def sum_law(deck: Deck, n: int) -> dict[int, Fraction]:
    """The law of the sum of n cards: all hands are counted, value after value."""
    ways: Counter[tuple[int, int]] = Counter({(0, 0): 1})  # (cards, sum)
    for value, count in deck.items():
        more: Counter[tuple[int, int]] = Counter()
        for (cards, total), n_ways in ways.items():
            for k in range(min(count, n - cards) + 1):
                more[cards + k, total + k * value] += n_ways * comb(count, k)
        ways = more
    n_hands = comb(sum(deck.values()), n)
    return {s: Fraction(n_ways, n_hands) for (cards, s), n_ways in ways.items() if cards == n}


def pair_ways(deck: Deck) -> dict[tuple[int, int], int]:
    """In how many ways two cards show these values, the lower first."""
    pairs = combinations_with_replacement(sorted(deck), 2)
    return {(a, b): comb(deck[a], 2) if a == b else deck[a] * deck[b] for a, b in pairs}


def second_pair_ways(deck: Deck, first: tuple[int, int]) -> dict[tuple[int, int], int]:
    return pair_ways(Counter(deck) - Counter(first))


def two_pairs(deck: Deck, *, same_values: bool) -> Fraction:
    """The chance that the open pairs of two seats have equal sums, or the same values."""
    n = 0
    for first, ways in pair_ways(deck).items():
        for second, more in second_pair_ways(deck, first).items():
            if second == first if same_values else sum(second) == sum(first):
                n += ways * more
    size = sum(deck.values())
    return Fraction(n, comb(size, 2) * comb(size - 2, 2))


def all_equal(deck: Deck, n: int, value: int | None = None, size: int = 0) -> Fraction:
    """The chance that n cards are equal (and of one value), of as many cards as the deck has."""
    values = deck if value is None else [value]
    return Fraction(sum(comb(deck[v], n) for v in values), comb(size or sum(deck.values()), n))


def at_most(deck: Deck, value: int) -> Fraction:
    return Fraction(sum(n for v, n in deck.items() if v <= value), sum(deck.values()))


def after_removal(deck: Deck) -> Fraction:
    """The expected score of an untouched grid: four columns, each gone if its cards are equal."""
    gone = sum((3 * value * all_equal(deck, 3, value) for value in deck), Fraction(0))
    return mean(sum_law(deck, 12)) - 4 * gone


ONE, TWO, TWELVE = (sum_law(CLASSIC, n) for n in (1, 2, 12))
PAIRS = pair_ways(CLASSIC)
SIZE = CLASSIC.total()
# RULES B.1: 15 Stars, here counted 0, make the 105 numbers 120 playing cards.
PLAYING = Counter(NUMBERS) + Counter({0: 15})

# What the table prints, in its order, and how it is counted.
TABLE: list[tuple[str, str, Fraction]] = [
    ("mean of a card", "76/15", mean(ONE)),
    ("variance of a card", "4019/225", variance(ONE)),
    ("first discard -2", "1/30", ONE[-2]),
    ("first discard 0", "1/10", ONE[0]),
    ("first discard 12", "1/15", ONE[12]),
    ("card <= 0", "1/5", at_most(CLASSIC, 0)),
    ("card >= 9", "4/15", 1 - at_most(CLASSIC, 8)),
    ("sum of the two open cards", "152/15", mean(TWO)),
    ("its variance", "1189624/33525", variance(TWO)),
    ("sum -4", "2/2235", TWO[-4]),
    ("sum 24", "3/745", TWO[24]),
    ("sum 10", "1/15", TWO[10]),
    ("sum 11", "10/149", TWO[11]),
    ("most likely sum", "11", Fraction(max(TWO, key=lambda s: TWO[s]))),
    ("open cards equal", "28/447", all_equal(CLASSIC, 2)),
    ("one of them <= 0", "269/745", 1 - Fraction(comb(120, 2), comb(SIZE, 2))),
    (
        "one of them <= 0, by pairs",
        "269/745",
        Fraction(sum(n for pair, n in PAIRS.items() if pair[0] <= 0), comb(SIZE, 2)),
    ),
    ("equal sums of 2 players", "109829/2431233", two_pairs(CLASSIC, same_values=False)),
    ("identical pairs of 2 players", "2066/270137", two_pairs(CLASSIC, same_values=True)),
    ("sum of 12 cards", "304/5", mean(TWELVE)),
    ("its variance", "739496/3725", variance(TWELVE)),
    ("three equal", "81/22052", all_equal(CLASSIC, 3)),
    ("three equal, as printed", "2025/551300", all_equal(CLASSIC, 3)),
    ("three 0s", "91/110260", all_equal(CLASSIC, 3, 0)),
    ("three 7s", "6/27565", all_equal(CLASSIC, 3, 7)),
    ("three -2s", "1/55130", all_equal(CLASSIC, 3, -2)),
    ("uniform columns of a grid", "81/5513", 4 * all_equal(CLASSIC, 3)),
    ("untouched grid after removal", "334084/5513", after_removal(CLASSIC)),
    ("no -2 among 12", "64601802/98600005", Fraction(comb(SIZE - 5, 12), comb(SIZE, 12))),
    ("mean of a number card", "533/105", mean(sum_law(NUMBERS, 1))),
    ("mean of a playing card", "533/120", mean(sum_law(PLAYING, 1))),
    ("variance of a playing card", "264191/14400", variance(sum_law(PLAYING, 1))),
    ("sum of 12 playing cards", "533/10", mean(sum_law(PLAYING, 12))),
    ("number line of three", "621/280840", all_equal(NUMBERS, 3, size=120)),
    ("number line of four", "157/1642914", all_equal(NUMBERS, 4, size=120)),
]


@pytest.mark.parametrize(("name", "printed", "counted"), TABLE)
def test_figure_is_the_one_printed(name: str, printed: str, counted: Fraction) -> None:
    """Exactly, as a fraction."""
    assert counted == Fraction(printed)


def test_laws_are_whole() -> None:
    """150 and 105 cards with sums 760 and 533; the counted chances sum to 1."""
    assert (SIZE, sum(CLASSIC.elements())) == (150, 760)
    assert sum(card * card for card in CLASSIC.elements()) == 6530
    assert (NUMBERS.total(), sum(NUMBERS.elements())) == (105, 533)
    assert PLAYING.total() == 120
    assert sum(TWO.values()) == sum(TWELVE.values()) == 1
    assert sum(PAIRS.values()) == comb(150, 2)
    # 5 x -2 + 7 x -1 and 10 x 12 + 2 x 11; the 140 of RULES E.1 is without uniform columns.
    assert (min(TWELVE), max(TWELVE)) == (-17, 142)


# Conditional examples


def position(seen: Sequence[int], own: str, other: str, discard: int) -> Game:
    """Two grids of the classic deck whose hidden cards are any of the unseen ones."""
    rest = Counter(CLASSIC) - Counter(seen)
    cards = iter(sorted(rest.elements(), key=lambda card: (card * 7) % 11))
    grids = [
        " ".join(f"h{next(cards)}" if word == "?" else word for word in grid.split())
        for grid in (own, other)
    ]
    return Game.from_position(grids=grids, draw=list(cards), discard=[discard])


def chances(game: Game, move: int) -> dict[int, Fraction]:
    values, weights = game.outcomes(move)
    return {v: Fraction(n, sum(weights)) for v, n in zip(values, weights, strict=True)}


def test_next_card_of_the_conditional_example() -> None:
    """Discard 5, open 12, -2 and 4, 2: 145 unseen of mean 739/145; drawn, or turned up."""
    game = position(
        [5, 12, -2, 4, 2], "12 ? ? ? / -2 ? ? ? / ? ? ? ?", "4 2 ? ? / ? ? ? ? / ? ? ? ?", 5
    )
    assert sum(game.outcomes(DRAW)[1]) == 145
    for move in (DRAW, TAKE + 2, TAKE + 11):
        law = chances(game, move)
        assert mean(law) == Fraction(739, 145)
        assert law[12] == Fraction(9, 145)
        assert law[0] == Fraction(15, 145) == Fraction(3, 29)
        assert law[-2] == Fraction(4, 145)
    assert game.outcomes(TAKE) == ((), ())  # the open 12


def test_next_card_after_a_reshuffle() -> None:
    """Of the discards 4, 9, 1 (7 stays) a third each; hidden cells from the old pool as before."""
    down = " / ".join(["h1 h2 h3 h4"] * 3)
    game = Game.from_position(grids=[down, down], draw=[], discard=[4, 9, 1, 7])
    old = chances(game, TAKE)
    assert old == {value: Fraction(1, 4) for value in (1, 2, 3, 4)}
    assert chances(game, DRAW) == {value: Fraction(1, 3) for value in (1, 4, 9)}
    game.apply(DRAW)
    assert chances(game, FLIP) == old
    rest = {1, 4, 9} - {game.view().hand}
    game.apply(FLIP)
    assert chances(game, DRAW) == {value: Fraction(1, 2) for value in rest}


def test_third_eight_completes_its_column() -> None:
    """Two 8s seen, u unseen: 8/u for the third; here the discard 1 and 2, 3 are seen too."""
    game = position(
        [8, 8, 1, 2, 3], "8 ? ? ? / 8 ? ? ? / ? ? ? ?", "2 ? ? ? / 3 ? ? ? / ? ? ? ?", 1
    )
    u = sum(game.outcomes(DRAW)[1])
    assert u == 145
    game.apply(DRAW)
    hand = game.view().hand
    assert hand is not None
    if hand == 8:
        assert chances(game, FLIP + 2)[8] == Fraction(7, u - 1)
    else:
        assert chances(game, FLIP + 2)[8] == Fraction(8, u - 1)
    game.copy().apply(FLIP + 2, card=8)


# What is dealt: |z| < 4 at fixed seeds

N_DEALS = 6000
Deal = dict[str, Any]


def deal(seed: int) -> Deal:
    """What two seats see of a deal, and what an untouched grid scores."""
    game = Game(2, Rules(), seed)
    cells = [
        word.removeprefix("h") for word in game.position()["grids"][0].replace("/", "").split()
    ]
    untouched = game.copy()
    discard = game.view().discard_top
    for cell in (1, 6, 1, 6):
        game.apply(cell)
    untouched._reveal()
    pairs = [(game.view(seat).cells(0)[1], game.view(seat).cells(0)[6]) for seat in (0, 1)]
    grid = [int(word) for word in cells]
    columns = [grid[column::4] for column in range(4)]
    return {"discard": discard, "pairs": pairs, "columns": columns, "raw": untouched.rounds[0].raw}


@pytest.fixture(scope="module")
def deals() -> list[Deal]:
    return [deal(seed) for seed in range(1_000_000, 1_000_000 + N_DEALS)]


def check_share(hits: int, p: Fraction) -> None:
    """The z of a count of independent deals."""
    assert abs(hits - N_DEALS * p) < 4 * sqrt(N_DEALS * p * (1 - p))


def check_sum(found: Sequence[int], law: Mapping[int, Fraction]) -> None:
    """The z of mean and of variance, its error from the fourth moment of the exact law."""
    centre, spread = mean(law), variance(law)
    assert abs(sum(found) / len(found) - centre) < 4 * sqrt(spread / len(found))
    squares = sum((total - float(centre)) ** 2 for total in found) / len(found)
    error = sqrt((moment(law, 4) - spread**2) / len(found))
    assert abs(squares - spread) < 4 * error


def test_first_discards_are_dealt_by_their_law(deals: list[Deal]) -> None:
    """Chi-square over the fifteen values."""
    counts = Counter(each["discard"] for each in deals)
    values = sorted(CLASSIC)
    expected = [N_DEALS * float(ONE[value]) for value in values]
    assert stats.chisquare([counts[value] for value in values], expected).pvalue > 1e-4


@pytest.mark.parametrize("seat", [0, 1])
def test_open_cards_are_dealt_by_their_law(seat: int, deals: list[Deal]) -> None:
    """Sum and its variance, equal pairs, at least one <= 0."""
    pairs = [each["pairs"][seat] for each in deals]
    check_sum([a + b for a, b in pairs], TWO)
    check_share(sum(a == b for a, b in pairs), Fraction(28, 447))
    check_share(sum(min(pair) <= 0 for pair in pairs), Fraction(269, 745))


def test_pairs_of_two_seats_are_dealt_by_their_law(deals: list[Deal]) -> None:
    """Equal sums, identical pairs."""
    pairs = [each["pairs"] for each in deals]
    check_share(sum(sum(a) == sum(b) for a, b in pairs), Fraction(109829, 2431233))
    check_share(sum(sorted(a) == sorted(b) for a, b in pairs), Fraction(2066, 270137))


def test_grids_are_dealt_by_their_law(deals: list[Deal]) -> None:
    """Sum of 12 and its variance; no -2 among them; uniform columns, each seldom."""
    grids = [[card for column in each["columns"] for card in column] for each in deals]
    check_sum([sum(grid) for grid in grids], TWELVE)
    check_share(sum(-2 not in grid for grid in grids), Fraction(64601802, 98600005))
    uniform = [sum(len(set(column)) == 1 for column in each["columns"]) for each in deals]
    expected = float(Fraction(81, 5513))
    # Two uniform columns in a grid are so rare that their number is all but Poisson.
    assert abs(sum(uniform) - N_DEALS * expected) < 4 * sqrt(N_DEALS * expected)


@pytest.mark.parametrize("seat", [0, 1])
def test_untouched_grids_score_by_their_law(seat: int, deals: list[Deal]) -> None:
    """The mean after removal; removing changes the spread of 14.09 by less than a hundredth."""
    scores = [each["raw"][seat] for each in deals]
    error = 1.01 * sqrt(variance(TWELVE) / N_DEALS)
    assert abs(sum(scores) / N_DEALS - float(Fraction(334084, 5513))) < 4 * error


def test_untouched_scores_are_those_of_the_grids(deals: list[Deal]) -> None:
    """Sum of the columns that are not uniform; some are."""
    for each in deals:
        kept = [sum(column) for column in each["columns"] if len(set(column)) > 1]
        assert each["raw"][0] == sum(kept)
    assert any(len(set(column)) == 1 for each in deals for column in each["columns"])
