# SPDX-License-Identifier: MIT
"""The cards that may show next, and moves that force one (API 3): outcomes, apply(card=)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from random_play import all_cards, play_on, walk
from random_rules import random_rules
from skyjo_core import DRAW, FLIP, HIDDEN, PLACE, TAKE, Game, IllegalMove, Phase, Rules, View

# Grids of one row and two columns: a column of one cell is never removed.
PAIR = Rules(rows=1, columns=2, initial_flips=1)
BOTH = PAIR.replace(reshuffle="all_then_flip")
NOTHING = ((), ())


def pair(**more: Any) -> Game:
    """Seat 0 to move: it has a hidden 1 and an open 2, seat 1 a hidden 3 and an open 4."""
    position: dict[str, Any] = {"grids": ["h1 2", "h3 4"], "draw": [5, 5, 0], "discard": [7]}
    return Game.from_position(**{"rules": PAIR, **position, **more})


# By hand


def test_outcomes_before_a_reshuffle_are_all_unseen_cards() -> None:
    """Unseen: the hidden 1 and 3, and 5, 5, 0 of the pile; whichever of them may show."""
    game = pair()
    unseen = ((0, 1, 3, 5), (1, 1, 1, 2))
    assert game.outcomes(DRAW) == unseen
    assert game.outcomes(TAKE + 0) == unseen
    assert game.outcomes(TAKE + 1) == NOTHING  # the open 2 is no news
    game.apply(DRAW)  # a 5
    unseen = ((0, 1, 3, 5), (1, 1, 1, 1))
    assert game.outcomes(FLIP + 0) == unseen
    assert game.outcomes(PLACE + 0) == unseen
    assert game.outcomes(PLACE + 1) == NOTHING


def test_outcomes_after_a_reshuffle_come_from_two_pools() -> None:
    """The pile is 5, 5, 0; the hidden cells are the 1 and the 3 (RULES E.5)."""
    game = pair(reshuffled=1)
    assert game.outcomes(DRAW) == ((0, 5), (1, 2))
    assert game.outcomes(TAKE + 0) == ((1, 3), (1, 1))
    assert game.outcomes(TAKE + 1) == NOTHING
    game.apply(DRAW)
    assert game.outcomes(FLIP + 0) == ((1, 3), (1, 1))
    assert game.outcomes(PLACE + 0) == ((1, 3), (1, 1))


def test_outcomes_of_a_draw_that_makes_a_new_pile() -> None:
    """Lazily: of 4, 9, 9, 7 the top 7 stays, or any of the four may be drawn (RULES A.9)."""
    empty: dict[str, Any] = {"draw": [], "discard": [4, 9, 9, 7]}
    game = pair(**empty)
    assert game.outcomes(DRAW) == ((4, 9), (1, 2))
    assert game.outcomes(TAKE + 0) == ((1, 3), (1, 1))
    assert pair(**empty, reshuffled=2).outcomes(DRAW) == ((4, 9), (1, 2))
    game.apply(DRAW)
    assert game.outcomes(FLIP + 0) == ((1, 3), (1, 1))
    flipping = pair(**empty, rules=BOTH)
    assert flipping.outcomes(DRAW) == ((4, 7, 9), (1, 1, 2))
    flipping.apply(DRAW)
    assert flipping.outcomes(FLIP + 0) == ((1, 3), (1, 1))


def test_outcomes_of_the_opening_are_the_deck_but_for_the_discard() -> None:
    """150 cards without a discard of, say, 0: 14 zeros are left, and 149 in all."""
    game = Game(2, seed=1)
    values, weights = game.outcomes(FLIP + 3)
    deck = {-2: 5, 0: 15} | dict.fromkeys((-1, *range(1, 13)), 10)
    deck[game.view().discard_top] -= 1
    assert dict(zip(values, weights, strict=True)) == deck
    assert values == tuple(range(-2, 13))


def test_outcomes_of_an_unseen_hand_count_it() -> None:
    """Seat 1 holds a 5: what a game made for seat 0 has there is one of the unseen cards."""
    game = pair(turn=1, hand=5)
    # Seat 1, who is to move, knows its hand: 1, 3 and 5, 5, 0 are unseen.
    assert game.outcomes(FLIP + 0) == ((0, 1, 3, 5), (1, 1, 1, 2))
    assert game.view(0).pile_counts.sum() == 6


def test_outcomes_refuse_what_is_not_legal(random_game: Callable[..., Game]) -> None:
    """As apply does, in its own name; after the end nothing is legal."""
    game = pair()
    for move in (FLIP, PLACE, TAKE + 2, 37, -1, 255, 2**70):
        with pytest.raises(IllegalMove, match="outcomes: "):
            game.outcomes(move)
    wrong: list[Any] = [None, 1.0, "draw", True]
    for move in wrong:
        with pytest.raises(TypeError):
            game.outcomes(move)
    over = random_game(2, Rules(max_rounds=1))
    with pytest.raises(IllegalMove):
        over.outcomes(DRAW)
    assert pair().outcomes(np.int64(DRAW)) == pair().outcomes(DRAW)


# In any game


def expected_outcomes(view: View, move: int) -> dict[int, int]:
    """What the pools of the mover's view say of a move."""
    if move == DRAW and view.draw_pile_size == 0:
        pool = dict(zip(view.values, view.discard_counts.tolist(), strict=True))
        if view.rules.reshuffle == "keep_top":
            pool[view.discard_top] -= 1
    elif move == DRAW:
        pool = dict(zip(view.values, view.pile_counts.tolist(), strict=True))
    elif view.cells(0)[move % 12] == HIDDEN:
        pool = dict(zip(view.values, view.hidden_counts.tolist(), strict=True))
    else:
        pool = {}
    return {value: n for value, n in pool.items() if n > 0}


def test_outcomes_are_the_pools_of_the_view() -> None:
    """For each legal move at states of a hundred random rules, dealt or determinized."""
    n_moves: Counter[str] = Counter()
    for number in range(100):
        rng = random.Random(number)
        rules = random_rules(rng)
        game = Game(rng.randint(2, min(4, rules.max_seats)), rules, number)
        for state in walk(game, rng, ("even", "drawer", "swapper")[number % 3], n_moves=150):
            if rng.random() > 0.2:
                continue
            view, world = state.view(), state.determinize(number)
            for move in state.legal_moves():
                values, weights = state.outcomes(move)
                assert dict(zip(values, weights, strict=True)) == expected_outcomes(view, move)
                assert list(values) == sorted(set(values))
                assert world.outcomes(move) == (values, weights)
                check_total(view, move, sum(weights))
                n_moves[f"{state.phase.name} {view.reshuffles > 0} {bool(values)}"] += 1
    assert len(n_moves) == 9
    assert min(n_moves.values()) > 20, n_moves


def check_total(view: View, move: int, total: int) -> None:
    """Probabilities are weights over the number of unseen cards of the pool: they sum to 1."""
    n_hidden = sum(view.cells(seat).count(HIDDEN) for seat in range(view.n_seats))
    if total == 0:
        assert move >= TAKE
        assert view.cells(0)[move % 12] != HIDDEN
    elif move == DRAW and view.draw_pile_size == 0:
        kept = view.rules.reshuffle == "keep_top"
        assert total == view.discard_counts.sum() - kept
    elif view.reshuffles == 0:
        assert total == view.draw_pile_size + n_hidden
    else:
        assert total == (view.draw_pile_size if move == DRAW else n_hidden)


# Forcing a card


def check_forced(world: Game, move: int, value: int) -> None:
    """The move shows this card, in the game's views, and no card is lost or made."""
    cards, seat, number = all_cards(world), world.seat, len(world.rounds)
    mask = world.view().cells(0)
    top = world.view().discard_top
    world.apply(move, card=value)
    if len(world.rounds) > number:
        assert world.rounds[-1].moves[-1] == move
        return
    assert all_cards(world) == cards
    view = world.view(seat)
    assert view.moves[-1] == (0, move, value)
    if move == DRAW:
        assert (world.phase, view.hand) == (Phase.HOLD, value)
        others = [world.view(other) for other in range(world.n_seats) if other != seat]
        assert all((other.hand, other.moves[-1][2]) == (None, None) for other in others)
        return
    cell = move % 12
    assert mask[cell] == HIDDEN
    if HIDDEN not in view.cells(0):
        return
    gone = [now for now, before in zip(view.cells(0), mask, strict=True) if now != before]
    if len(gone) == 1:  # no line has left
        if move < TAKE:
            assert view.cells(0)[cell] == value
        elif view.reshuffles == 0 or view.rules.reshuffle_timing == "lazy":
            assert view.discard_top == value
        if TAKE <= move < PLACE:
            assert view.cells(0)[cell] == top


def worlds_of(state: Game, seed: int) -> list[Game]:
    """A game of each kind that takes cards, in this state."""
    return [
        state.determinize(seed),
        Game.from_view(state.view(), seed),
        Game.from_position(**state.position()),
        state.determinize(seed).copy(),
    ]


def test_each_outcome_can_be_forced() -> None:
    """In every phase of games by eighty random rules each card that may show is made to show."""
    n_forced: Counter[str] = Counter()
    for number in range(80):
        rng = random.Random(number)
        rules = random_rules(rng)
        deck = ("stack", "lanes")[number % 2]
        game = Game(rng.randint(2, min(4, rules.max_seats)), rules, number, deck)
        for state in walk(game, rng, ("even", "drawer", "swapper")[number % 3], n_moves=150):
            if rng.random() > 0.1:
                continue
            world = rng.choice(worlds_of(state, number))
            for move in rng.sample(state.legal_moves(), min(2, len(state.legal_moves()))):
                for value in world.outcomes(move)[0]:
                    check_forced(world.copy(), move, value)
                    n_forced[f"{state.phase.name} {state.view().reshuffles > 0}"] += 1
    assert len(n_forced) == 5
    assert min(n_forced.values()) > 20, n_forced


def test_forced_games_go_on() -> None:
    """Card after card is forced, to the end of a whole game of three rounds."""
    rng = random.Random(1)
    for seed in range(10):
        game = Game(3, Rules(threshold=None, max_rounds=3), seed)
        world = game.determinize(seed)
        while world.seat >= 0:
            move = rng.choice(world.legal_moves())
            values, _ = world.outcomes(move)
            world.apply(move, card=rng.choice(values) if values else None)
        assert len(world.rounds) == 3


def test_forced_card_is_decided_by_its_game_alone() -> None:
    """The same game, moves and cards: the same game, what is random in forcing included."""
    state = play_on(Game(3, Rules(), 2), random.Random(2), 20).determinize(9)
    twin = Game.from_bytes(state.to_bytes())
    for game in (state, twin):
        rng = random.Random(3)
        for _ in range(60):
            move = rng.choice(game.legal_moves())
            values, _ = game.outcomes(move)
            game.apply(move, card=rng.choice(values) if values else None)
    assert state.to_bytes() == twin.to_bytes()


def test_impossible_card_is_refused_by_name() -> None:
    """The message has the cards that are possible; the state stays byte for byte."""
    game = pair()
    before = game.to_bytes()
    with pytest.raises(ValueError, match=r"card: expected one of 0, 1, 3, 5, got 7$"):
        game.apply(DRAW, card=7)
    for card in (-5, 14, 125, 126, 127, 1000, -(2**40), 2**70):
        with pytest.raises(ValueError, match="card: expected one of 0, 1, 3, 5"):
            game.apply(TAKE, card=card)
    with pytest.raises(ValueError, match=r"card: expected None, for the move shows no card, got 2"):
        game.apply(TAKE + 1, card=2)
    with pytest.raises(IllegalMove, match="not legal"):
        game.apply(PLACE, card=1)
    wrong: list[Any] = [True, 1.0, "1", [1]]
    for card in wrong:
        with pytest.raises(TypeError):
            game.apply(DRAW, card=card)
    assert game.to_bytes() == before
    game.apply(np.uint8(DRAW), card=np.int8(3))
    assert game.view().hand == 3
    with pytest.raises(ValueError, match=r"card: expected one of 0, 1, 5, got 3"):
        game.apply(FLIP, card=3)


def test_impossible_cards_are_refused_in_any_state() -> None:
    """Every value of the deck that is no outcome, and after a reshuffle those of the other pool."""
    game = pair(reshuffled=1)
    for card in set(range(-2, 13)) - {0, 5}:
        with pytest.raises(ValueError, match="card: expected one of 0, 5, got"):
            game.apply(DRAW, card=card)
    for card in set(range(-2, 13)) - {1, 3}:
        with pytest.raises(ValueError, match="card: expected one of 1, 3, got"):
            game.apply(TAKE, card=card)


def test_dealt_game_takes_no_card() -> None:
    """Its cards lie as they lie: refused at every phase, for copies and bytes too; None plays."""
    game = Game(2, Rules(max_rounds=1), 4)
    for state in walk(game, random.Random(4)):
        move = state.legal_moves()[-1]
        values, _ = state.outcomes(move)
        before = state.to_bytes()
        for same in (state, state.copy(), state.copy(log=False), Game.from_bytes(before)):
            with pytest.raises(ValueError, match="card: expected None in a game that was dealt"):
                same.apply(move, card=(*values, 0)[0])
            assert same.position() == state.position()
        assert state.to_bytes() == before
        state.copy().apply(move, card=None)
