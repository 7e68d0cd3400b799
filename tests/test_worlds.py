# SPDX-License-Identifier: MIT
"""The law of the cards that a search deals (RULES E.5): every arrangement equally likely.

Tiny decks, all arrangements counted, chi-square at fixed seeds: each bound would be missed once in
10,000 sets of seeds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from typing import Any

import pytest
from scipy import stats

from random_play import hidden_cards
from skyjo_core import DRAW, FLIP, PLACE, TAKE, Game, Phase, Rules

# Grids of one row and two columns: a column of one cell is never removed.
TINY = Rules(
    rows=1,
    columns=2,
    initial_flips=1,
    deck=[[1, 3], [2, 2], [5, 2], [9, 1]],
    start_first="seat",
    max_rounds=1,
    stall_limit=None,
)
N_WORLDS = 2500

Arrangement = tuple[int, ...]
Worlds = Callable[[Game, int, int], Game]


def determinized(state: Game, seat: int, seed: int) -> Game:
    return state.determinize(seed, seat)


def from_view(state: Game, seat: int, seed: int) -> Game:
    return Game.from_view(state.view(seat), seed)


def twice(state: Game, seat: int, seed: int) -> Game:
    """A world of a world: the first deal leaves no trace in the law of the second."""
    return state.determinize(1, seat).determinize(seed, seat)


MAKERS = [determinized, from_view, twice]


def uniform(cards: Sequence[int]) -> dict[Arrangement, float]:
    """The law of a shuffled multiset: each of its orders has the same chance."""
    orders = Counter(permutations(cards))
    return {order: n / orders.total() for order, n in orders.items()}


def product(
    one: dict[Arrangement, float], two: dict[Arrangement, float]
) -> dict[Arrangement, float]:
    """Two pools, independent of each other."""
    return {a + b: p * q for a, p in one.items() for b, q in two.items()}


def check_law(found: Iterable[Arrangement], law: dict[Arrangement, float]) -> None:
    """Chi-square of what was found against a law; nothing else was found."""
    counts = Counter(found)
    assert set(counts) <= set(law)
    n = counts.total()
    assert min(law.values()) * n >= 5
    observed = [counts[key] for key in law]
    assert stats.chisquare(observed, [n * p for p in law.values()]).pvalue > 1e-4


def unseen(game: Game, *, hand: bool) -> Arrangement:
    """Hand (where it is unseen), draw pile in order, hidden cards."""
    position = game.position()
    held = [position["hand"]] if hand else []
    return (*held, *position["draw"], *hidden_cards(game))


def opened() -> Game:
    """After the opening: two hidden cards and three in the pile."""
    game = Game(2, TINY, 3)
    game.apply(FLIP)
    game.apply(FLIP)
    assert len(hidden_cards(game)) == 2
    return game


def reshuffled() -> Game:
    """Drawn and exchanged for open cards until the pile has just been made anew, seat 1 holding."""
    game = opened()
    while game.view(0).reshuffles == 0:
        game.apply(DRAW if game.phase == Phase.TURN else PLACE)
    assert game.phase == Phase.HOLD
    assert len(hidden_cards(game)) == 2
    return game


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("seat", [0, 1])
def test_before_a_reshuffle_all_unseen_cards_are_one_pool(make: Worlds, seat: int) -> None:
    """Hidden cells and pile together: each order of the five unseen cards."""
    state = opened()
    law = uniform(unseen(state, hand=False))
    check_law(
        (unseen(make(state, seat, seed), hand=False) for seed in range(N_WORLDS)),
        law,
    )


@pytest.mark.parametrize("make", MAKERS)
def test_unseen_hand_is_one_of_the_pool(make: Worlds) -> None:
    """For the seat that does not hold it the drawn card is as unknown as the rest."""
    state = opened()
    state.apply(DRAW)
    assert state.seat == 0
    law = uniform(unseen(state, hand=True))
    check_law((unseen(make(state, 1, seed), hand=True) for seed in range(N_WORLDS)), law)
    known = uniform(unseen(state, hand=False))
    worlds = [make(state, 0, seed) for seed in range(N_WORLDS)]
    assert {world.position()["hand"] for world in worlds} == {state.position()["hand"]}
    check_law((unseen(world, hand=False) for world in worlds), known)


@pytest.mark.parametrize("make", MAKERS)
def test_after_a_reshuffle_pile_and_cells_are_two_pools(make: Worlds) -> None:
    """Hidden cells come from the old pool alone, the pile from the discards, independently."""
    state = reshuffled()
    holder, other = state.seat, 1 - state.seat
    position = state.position()
    cells = uniform(hidden_cards(state))
    law = product(uniform([position["hand"], *position["draw"]]), cells)
    check_law((unseen(make(state, other, seed), hand=True) for seed in range(N_WORLDS)), law)
    law = product(uniform(position["draw"]), cells)
    check_law((unseen(make(state, holder, seed), hand=False) for seed in range(N_WORLDS)), law)


@pytest.mark.parametrize("deck", ["stack", "lanes"])
def test_lanes_are_dealt_anew_by_the_same_law(deck: str) -> None:
    """After some draws the rest of the lanes too is any order of the unseen cards."""
    state = Game(2, TINY, 3, deck)
    for move in (FLIP, FLIP, DRAW, PLACE, DRAW, PLACE):
        state.apply(move)
    law = uniform(unseen(state, hand=False))
    worlds = [state.determinize(seed) for seed in range(N_WORLDS)]
    check_law((unseen(world, hand=False) for world in worlds), law)


@pytest.mark.parametrize("reshuffle", ["keep_top", "all_then_flip"])
def test_reshuffles_to_come_have_their_law(reshuffle: str) -> None:
    """The next pile is any order of the discards, the flipped card first where there is one."""
    position: dict[str, Any] = {
        "grids": ["h1 2", "h3 4"],
        "draw": [],
        "discard": [5, 6, 5, 7],
        "rules": TINY.replace(deck="classic150", reshuffle=reshuffle),
    }
    state = Game.from_position(**position)
    kept = reshuffle == "keep_top"
    found = []
    for seed in range(N_WORLDS):
        world = state.determinize(seed)
        world.apply(DRAW)
        after = world.position()
        assert not kept or after["discard"] == [7]
        found.append((*([] if kept else after["discard"]), after["hand"], *after["draw"]))
    check_law(found, uniform([5, 6, 5] if kept else [5, 6, 5, 7]))


# Forced cards

# The law is looked at with a few thousand games, and with 20,000 where there is time.
OFTEN = [3000, pytest.param(20_000, marks=pytest.mark.slow)]


def weighted(game: Game, move: int, rng: random.Random) -> int:
    """A card drawn by the weights of the outcomes."""
    values, weights = game.outcomes(move)
    return rng.choices(values, weights)[0]


def shown_by(game: Game, move: int) -> int:
    """The card that a move shows, as its mover's view tells it; the opponent sees the rest."""
    seat = game.seat
    game.apply(move)
    card = game.view(seat).moves[-1][2]
    assert card is not None
    return card


def force(game: Game, move: int, rng: random.Random) -> int:
    card = weighted(game, move, rng)
    game.apply(move, card=card)
    return card


def pair_law(one: Sequence[int], two: Sequence[int] | None = None) -> dict[Arrangement, float]:
    """Two cards in turn: from one pool, or each from its own."""
    if two is not None:
        return product(uniform_one(one), uniform_one(two))
    law: Counter[Arrangement] = Counter(permutations(one, 2))
    return {pair: n / law.total() for pair, n in law.items()}


def uniform_one(cards: Sequence[int]) -> dict[Arrangement, float]:
    return {(card,): n / len(cards) for card, n in Counter(cards).items()}


# Seat 0 to move: a hidden and an open card, as has seat 1.
SPREAD: dict[str, Any] = {"grids": ["h1 2", "h3 4"], "draw": [1, 1, 3], "discard": [6, 5]}
UNSEEN = [1, 3, 1, 1, 3]

# (position, moves between which are played as they come, first and second move, law)
PAIRS: dict[str, tuple[dict[str, Any], tuple[int, ...], tuple[int, int], dict[Any, float]]] = {
    "draw, own cell": (SPREAD, (), (DRAW, PLACE), pair_law(UNSEEN)),
    "own cell, draw": (SPREAD, (), (TAKE, DRAW), pair_law(UNSEEN)),
    "draw, draw": (SPREAD, (PLACE + 1,), (DRAW, DRAW), pair_law(UNSEEN)),
    "own cell, other's": (SPREAD, (), (TAKE, TAKE), pair_law(UNSEEN)),
    "two pools": (SPREAD | {"reshuffled": 1}, (), (DRAW, PLACE), pair_law([1, 1, 3], [1, 3])),
    "one of two pools": (
        SPREAD | {"reshuffled": 1},
        (PLACE + 1,),
        (DRAW, DRAW),
        pair_law([1, 1, 3]),
    ),
    "new pile, own cell": (
        SPREAD | {"draw": [], "discard": [6, 8, 8, 5]},
        (),
        (DRAW, PLACE),
        pair_law([6, 8, 8], [1, 3]),
    ),
    "new pile twice": (
        SPREAD | {"draw": [], "discard": [6, 8, 8, 5]},
        (PLACE + 1,),
        (DRAW, DRAW),
        pair_law([6, 8, 8]),
    ),
}


@pytest.mark.parametrize("n", OFTEN)
@pytest.mark.parametrize("forced", [True, False])
@pytest.mark.parametrize("name", PAIRS)
def test_cards_forced_by_their_weights_have_the_law_of_play(
    name: str, n: int, *, forced: bool
) -> None:
    """First and second card that show: the exact law, forced or as they lie."""
    position, between, (first, second), law = PAIRS[name]
    start = Game.from_position(**position, rules=TINY.replace(deck="classic150"))
    rng = random.Random(name)
    found = []
    for seed in range(n):
        game = start.determinize(seed)
        one = force(game, first, rng) if forced else shown_by(game, first)
        for move in between:
            game.apply(move)
        found.append((one, shown_by(game, second)))
    check_law(found, law)


@pytest.mark.parametrize("n", OFTEN)
@pytest.mark.parametrize("forced", [True, False])
def test_flipped_and_forced_card_of_a_new_pile_have_their_law(n: int, *, forced: bool) -> None:
    """all_then_flip: the card turned up and the one drawn are any two of the discards, in order.

    Whichever card is forced to be drawn, the one that lies open is any of the other three.
    """
    rules = TINY.replace(deck="classic150", reshuffle="all_then_flip")
    start = Game.from_position(**SPREAD | {"draw": [], "discard": [6, 8, 8, 5]}, rules=rules)
    rng = random.Random(1)
    found = []
    for seed in range(n):
        game = start.determinize(seed)
        card = force(game, DRAW, rng) if forced else shown_by(game, DRAW)
        position = game.position()
        found.append((position["discard"][0], card, *position["draw"]))
    check_law(found, uniform([6, 8, 8, 5]))


def test_dealt_decks_have_the_law_of_worlds() -> None:
    """Of 8,000 deals those whose openings agree most often: the five unseen cards."""
    found: dict[Any, list[Arrangement]] = {}
    for seed in range(8000):
        game = Game(2, TINY, seed)
        game.apply(FLIP)
        game.apply(FLIP)
        view = game.view(0)
        seen = (view.discard_top, view.cells(0)[0], view.cells(1)[0])
        found.setdefault(seen, []).append(unseen(game, hand=False))
    largest = max(found.values(), key=len)
    check_law(largest, uniform(largest[0]))
