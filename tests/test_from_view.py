# SPDX-License-Identifier: MIT
"""Games made from a view (API 3): the same public state, the unknown cards dealt anew."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from random_play import all_cards, play_on, walk
from random_rules import random_rules
from skyjo_core import Bot, Game, Phase, Rules, View, _view, play_game
from test_reference import VARIANTS


def check_from_view(game: Game, seat: int, seed: int) -> Game:
    """The game from a seat's view: alike for this seat, and in public for the others."""
    view = game.view(seat)
    world = Game.from_view(view, seed)
    assert world.view(seat) == view
    assert pickle.dumps(world.view(seat)) == pickle.dumps(view)
    assert (world.seat, world.phase, world.n_seats) == (game.seat, game.phase, game.n_seats)
    assert (world.totals, world.round_number) == (game.totals, game.round_number)
    assert world.legal_moves() == game.legal_moves()
    assert world.rounds == ()
    for other in range(game.n_seats):
        if game.phase != Phase.HOLD or other != game.seat or other == seat:
            assert world.view(other) == game.view(other)
    return world


@pytest.mark.parametrize("variant", VARIANTS)
def test_game_from_a_view_shows_that_view(variant: str) -> None:
    """All options in turn: at states of every phase, for each seat, in later rounds too."""
    rules = Rules(**VARIANTS[variant])
    rng = random.Random(variant)
    style = ("even", "drawer", "swapper")[len(variant) % 3]
    for state in walk(Game(min(3, rules.max_seats), rules, 6), rng, style, n_moves=200):
        if rng.random() < 0.15:
            for seat in range(state.n_seats):
                check_from_view(state, seat, rng.randrange(2**64))


def test_game_from_a_view_shows_that_view_by_any_rules() -> None:
    """Eighty random rules; every phase, reshuffles, last turns and later rounds are met."""
    met: Counter[str] = Counter()
    for number in range(80):
        rng = random.Random(number)
        rules = random_rules(rng)
        deck = ("stack", "lanes")[number % 2]
        game = Game(rng.randint(2, rules.max_seats), rules, number, deck)
        for state in walk(game, rng, ("even", "drawer", "swapper")[number % 3], n_moves=200):
            if rng.random() < 0.15:
                seat = rng.randrange(state.n_seats)
                view = check_from_view(state, seat, number).view(seat)
                met[view.phase.name] += 1
                met["reshuffled"] += view.reshuffles > 0
                met["last turns"] += view.last_turns_left is not None
                met["later round"] += view.round_number > 0
                met["totals"] += any(view.totals)
                met["stalled"] += view.stalled
                met["another's hand"] += view.phase == Phase.HOLD and view.to_move != 0
    assert len(met) == 9
    assert min(met.values()) > 15, met


def test_game_from_a_view_ends_with_its_round() -> None:
    """Points are added to the view's totals, places follow, and there is no record (API 3)."""
    rng = random.Random(1)
    for seed in range(20):
        game = play_on(Game(3, Rules(threshold=None, max_rounds=5), seed), rng, 150)
        view = game.view(rng.randrange(3))
        assert view.round_number > 0
        world = Game.from_view(view, seed)
        with pytest.raises(ValueError, match="record: expected a game with its deal"):
            world.record()
        play_on(world, rng)
        assert (world.phase, world.seat, world.legal_moves()) == (Phase.OVER, -1, [])
        (entry,) = world.rounds
        assert world.totals == tuple(a + b for a, b in zip(game.totals, entry.points, strict=True))
        assert world.places == tuple(
            1 + sum(other < total for other in world.totals) for total in world.totals
        )
        assert entry.moves[: len(view.moves)] == tuple(move for _, move, _ in view.moves)
        with pytest.raises(ValueError, match="record: expected a game with its deal"):
            world.record()


def test_seed_decides_what_is_dealt() -> None:
    """Same view and seed, same game; 30 seeds give 30 arrangements, none the true one."""
    state = play_on(Game(3, Rules(), 7), random.Random(7), 30)
    view = state.view()
    seed: Any = np.uint64(5)
    assert Game.from_view(view, 5).to_bytes() == Game.from_view(view, seed).to_bytes()
    worlds = [Game.from_view(view, number).position() for number in range(30)]
    grids = {tuple(world["grids"]) for world in worlds}
    piles = {tuple(world["draw"]) for world in worlds}
    assert len(grids | {tuple(state.position()["grids"])}) == 31
    assert len(piles | {tuple(state.position()["draw"])}) == 31


def test_new_piles_of_later_reshuffles_depend_on_the_seed() -> None:
    """All that is known but the order: an empty pile that is about to be made anew."""
    rules = Rules(stall_limit=None, max_rounds=1)
    for state in walk(Game(2, rules, 3), random.Random(3), "drawer"):
        if not state.view().draw_pile_size and state.phase == Phase.TURN:
            break
    orders = set()
    for seed in range(8):
        world = Game.from_view(state.view(), seed)
        world.apply(36)
        orders.add((world.position()["hand"], *world.position()["draw"]))
    assert len(orders) == 8


def test_discards_lie_ascending_below_the_top() -> None:
    """No rule looks at them; the top one is the view's."""
    state = play_on(Game(3, Rules(max_rounds=1), 4), random.Random(4), 40)
    assert state.seat >= 0
    true = state.position()["discard"]
    given = Game.from_view(state.view(), 1).position()["discard"]
    assert given == [*sorted(true[:-1]), true[-1]]


def test_pickled_view_makes_the_same_game() -> None:
    """A view that has been to another process and back."""
    rng = random.Random(2)
    for state in walk(Game(3, Rules(max_rounds=2), 2), rng):
        view = state.view(rng.randrange(3))
        again = pickle.loads(pickle.dumps(view))
        assert Game.from_view(again, 9).to_bytes() == Game.from_view(view, 9).to_bytes()


@pytest.mark.parametrize("seats", [2, 5])
def test_views_kept_by_a_bot_make_games(seats: int) -> None:
    """Whether during the decision or long after it: the view of the game is the one kept."""
    kept: list[View] = []
    rng = random.Random(1)

    def searcher(view: View) -> int:
        kept.append(view)
        now = Game.from_view(view, len(kept))
        assert now.view(view.seat) == view
        assert now.seat == view.seat
        move = rng.choice(now.legal_moves())
        now.apply(move)
        return move

    rules = Rules(max_rounds=3, threshold=None)
    played = play_game([searcher] + ["native:random"] * (seats - 1), seed=4, rules=rules)
    assert played.faults == []
    assert {view.round_number for view in kept} == {0, 1, 2}
    for number, view in enumerate(kept):
        assert Game.from_view(view, number).view() == view


def test_view_of_a_search_makes_a_game_too() -> None:
    """Of a determinized game, of one from a view, from a position, and of a bare copy."""
    state = play_on(Game(3, Rules(), 7), random.Random(7), 31)
    for game in (
        state.determinize(1),
        Game.from_view(state.view(), 1),
        Game.from_position(**state.position()),
        state.copy(log=False),
    ):
        for seat in range(3):
            check_from_view(game, seat, 5)


# What is refused


class Keeper(Bot):
    """Keeps the views of the ends of rounds."""

    kept: list[View]

    def choose_move(self, view: View) -> int:
        return view.legal_moves[0]

    def round_end(self, view: View) -> None:
        KEPT.append(view)


KEPT: list[View] = []


def test_finished_round_makes_no_game(random_game: Callable[..., Game]) -> None:
    """There is nothing left to play: of a game that is over, and of a round_end."""
    play_game([Keeper, "native:random"], seed=1, rules=Rules(max_rounds=2, threshold=None))
    over = random_game(2, Rules(max_rounds=1)).view(0)
    assert len(KEPT) >= 2
    for view in [over, *KEPT]:
        with pytest.raises(ValueError, match="from_view: expected a view of a round that is not"):
            Game.from_view(view, 1)


def test_from_view_takes_a_view_and_a_seed() -> None:
    """Everything else is named and refused."""
    view = Game().view()
    wrong: list[Any] = [None, Game(), b"", view.__reduce__(), View]
    for other in wrong:
        with pytest.raises(TypeError, match="from_view: view: expected a View"):
            Game.from_view(other, 1)
    seeds: list[Any] = [True, 1.0, "1", None]
    for seed in seeds:
        with pytest.raises(TypeError, match="from_view: seed: expected an integer"):
            Game.from_view(view, seed)
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="from_view: seed: expected 0 to"):
            Game.from_view(view, seed)


def forged(rng: random.Random, data: bytes) -> bytes:
    """Bytes with one to four changes: a bit, a byte, or eight bytes at once."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(changed)) if changed else -1
        if place >= 0:
            width = rng.choice([0, 1, 1, 8])
            if width == 0:
                changed[place] ^= 1 << rng.randrange(8)
            for i in range(place, min(place + width, len(changed))):
                changed[i] = rng.choice([0, 1, 2, 255, rng.randrange(256)])
    return bytes(changed)


@pytest.mark.parametrize("n", [1500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_forged_views_make_no_broken_game(n: int) -> None:
    """Pickles changed at random: ValueError, or a game whole enough for all one does.

    It plays to its end, shows its views on the way, and survives as bytes.
    """
    rng = random.Random(1)
    views = []
    for number in range(40):
        rules = Rules(max_rounds=2, threshold=None) if number % 2 else random_rules(rng)
        game = Game(min(3, rules.max_seats), rules, number)
        for _ in walk(game, rng, ("even", "drawer")[number % 4 // 2], rng.randrange(60)):
            pass
        if game.seat >= 0:
            views.append(game.view(rng.randrange(game.n_seats)))
    assert len(views) > 20
    n_made = 0
    for number in range(n):
        _, (data, moves, rules) = rng.choice(views).__reduce__()
        data = forged(rng, data)
        if number % 3 == 0:
            moves = forged(rng, moves)
        try:
            game = Game.from_view(_view.restore(data, moves, rules), number)
        except ValueError:
            continue
        n_made += 1
        check_playable(game, rng, whole=n_made % 10 == 0)
    assert n_made > n // 10


def check_playable(game: Game, rng: random.Random, *, whole: bool) -> None:
    """A game that can be played to its end, shown and saved, whatever it was made of."""
    n_cards = all_cards(game).total()
    assert n_cards <= 240  # of the largest deck
    if whole:
        assert Game.from_bytes(game.to_bytes()).to_bytes() == game.to_bytes()
        for seat in range(game.n_seats):
            view = game.view(seat)
            assert all(len(played) == 3 for played in view.moves)
            assert str(view)
    n_moves = 0
    while game.seat >= 0:
        game.apply(rng.choice(game.legal_moves()))
        n_moves += 1
    assert n_moves < 60_000
    assert game.places is not None
    assert len(game.rounds) == 1
    assert all_cards(game).total() == n_cards


# Places in the bytes of a view (cpp/include/skyjo/bot_abi.h).
STARTER, FIRST_GRID, DISCARD_COUNTS = 8, 128, 128 + 160 + 40


@pytest.mark.parametrize(
    ("n_moves", "place", "value"),
    [
        (0, STARTER, 3),  # in the opening nobody has started, least of all a seat 3 of 2
        (0, STARTER, 127),
        (0, FIRST_GRID + 7, 128),  # a bit beyond the twelve cells of five bits
        (4, DISCARD_COUNTS + 10, 100),  # with all the others more cards than a deck has
        (4, DISCARD_COUNTS + 10, 235),
    ],
)
def test_view_with_one_forged_byte_is_refused(n_moves: int, place: int, value: int) -> None:
    """What no view shows makes no game: else its discards would outgrow their pile."""
    game = Game(2, seed=1)
    for move in (0, 1, 0, 1)[:n_moves]:
        game.apply(move)
    _, (data, moves, rules) = game.view().__reduce__()
    forgery = bytearray(data)
    forgery[place] = value
    with pytest.raises(ValueError, match="expected"):
        Game.from_view(_view.restore(bytes(forgery), moves, rules), 1)


@pytest.mark.parametrize("card", [19, 31, 254])
def test_view_with_a_forged_card_of_a_move_is_refused(card: int) -> None:
    """A card that is none cannot have shown (the third byte of each move is its card)."""
    game = Game(2, seed=1)
    game.apply(0)
    _, (data, moves, rules) = game.view().__reduce__()
    with pytest.raises(ValueError, match="expected"):
        Game.from_view(_view.restore(data, moves[:2] + bytes([card]), rules), 1)
