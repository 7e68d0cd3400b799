# SPDX-License-Identifier: MIT
"""Games to search in (API 3): determinize and copy(log=False)."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from random_play import all_cards, hidden_cards, play_on, walk
from random_rules import random_rules
from skyjo_core import HIDDEN, Game, Phase, Rules
from test_reference import VARIANTS

# What unseen cards depend on: piles, lines, openings, ends of rounds, starters.
CHOSEN = [
    *("classic-fr", "stall-5", "cap-40-closer", "numbers105", "few-values", "tight-deck"),
    *("all-in-grids", "3x3", "2x1-emptied", "flips-0", "flips-12", "columns-differ"),
    *("rows-leave", "reveal-own-few-values", "all-then-flip", "eager", "eager-tight"),
    *("later-random", "tie-random", "playoff-few-values", "several", "equal-turns"),
]
SEEDS = (0, 1, 2**64 - 1)


def holder(game: Game) -> int | None:
    """The seat that has a drawn card in its hand."""
    return game.seat if game.phase == Phase.HOLD else None


def views(game: Game, without: int | None = None) -> list[bytes]:
    """Every seat's view as bytes, but for one."""
    seats = [seat for seat in range(game.n_seats) if seat != without]
    return [pickle.dumps(game.view(seat)) for seat in seats]


def check_world(game: Game, seat: int, seed: int) -> Game:
    """A determinized game: alike for the seat and in public, with the same cards in each pool."""
    world = game.determinize(seed, seat)
    held = holder(game)
    secret = held is not None and held != seat
    assert pickle.dumps(world.view(seat)) == pickle.dumps(game.view(seat))
    assert views(world, held if secret else None) == views(game, held if secret else None)
    if held is not None and not secret:
        assert world.view().hand == game.view().hand
    assert all_cards(world) == all_cards(game)
    before, after = game.position(), world.position()
    for key in ("discard", "turn", "closer", "last_turns_left", "stalled", "totals", "phase"):
        assert after[key] == before[key]
    if game.view(seat).reshuffles > 0:
        assert sorted(hidden_cards(world)) == sorted(hidden_cards(game))
    assert world.rounds == game.rounds
    assert (world.round_number, world.totals) == (game.round_number, game.totals)
    return world


@pytest.mark.parametrize("variant", CHOSEN)
def test_determinized_game_is_alike_for_its_seat(variant: str) -> None:
    """At states of every phase, for each seat: views, pools, rounds; the game itself stays."""
    rules = Rules(**VARIANTS[variant])
    rng = random.Random(variant)
    game = Game(min(3, rules.max_seats), rules, 5)
    for state in walk(game, rng, "drawer" if len(variant) % 2 else "even", n_moves=150):
        if rng.random() < 0.2:
            before = state.to_bytes()
            for seat in range(state.n_seats):
                check_world(state, seat, rng.choice(SEEDS))
            assert state.to_bytes() == before


def test_determinized_game_is_alike_by_any_rules() -> None:
    """A hundred random rules, stacks and lanes, the styles that stall and reshuffle among them."""
    n_worlds: Counter[tuple[Phase, bool]] = Counter()
    for number in range(100):
        rng = random.Random(number)
        rules = random_rules(rng)
        deck = ("stack", "lanes")[number % 2]
        game = Game(rng.randint(2, min(4, rules.max_seats)), rules, number, deck)
        for state in walk(game, rng, ("even", "drawer", "swapper")[number % 3], n_moves=200):
            if rng.random() < 0.15:
                seat = rng.randrange(state.n_seats)
                check_world(state, seat, number)
                n_worlds[state.phase, state.view(seat).reshuffles > 0] += 1
    assert min(n_worlds[phase, True] for phase in (Phase.TURN, Phase.HOLD)) > 15, n_worlds
    assert min(n_worlds[phase, False] for phase in list(Phase)[:3]) > 15


@pytest.mark.slow
def test_ten_thousand_games_alike_in_public_have_equal_views() -> None:
    """P36: equal bytes of every seat's view, a draw later too, before and after reshuffles.

    Where a hand is held its card is dealt anew as well, and only the holder's view may differ;
    after a draw that needs no new pile all but the drawer still see the same.
    """
    rules = Rules(max_rounds=2, stall_limit=None, max_turns_per_round=150)
    n_worlds: Counter[tuple[Phase, bool]] = Counter()
    n_draws = 0
    for number in range(12):
        rng = random.Random(number)
        game = Game(2 + number % 4, rules, number)
        for state in walk(game, rng, ("drawer", "even")[number % 2], n_moves=400):
            held = holder(state)
            seat = next(seat for seat in range(state.n_seats) if seat != held)
            expected = views(state, held)
            draws = 36 in state.legal_moves()
            drawn = state.copy()
            if draws:
                drawn.apply(36)
            for seed in range(4):
                world = state.determinize(seed, seat)
                assert views(world, held) == expected
                n_worlds[state.phase, state.view(seat).reshuffles > 0] += 1
                if draws:
                    world.apply(36)
                    assert views(world, state.seat) == views(drawn, state.seat)
                    n_draws += 1
    assert n_worlds.total() > 10_000
    assert min(n_worlds[Phase.HOLD, True], n_worlds[Phase.TURN, True], n_draws) > 500


# What is dealt anew


def state_in_the_middle(seats: int = 3, n_moves: int = 30, deck: str = "stack") -> Game:
    game = Game(seats, Rules(threshold=None, max_rounds=3), 7, deck)
    return play_on(game, random.Random(7), n_moves)


@pytest.mark.parametrize("deck", ["stack", "lanes"])
def test_same_seed_gives_the_same_world_and_others_do_not(deck: str) -> None:
    """Seed and seat decide; 50 seeds give 50 arrangements, none of them the true one."""
    game = state_in_the_middle(deck=deck)
    seed: Any = np.uint64(5)
    assert game.determinize(5).to_bytes() == game.determinize(5).to_bytes()
    assert game.determinize(5).to_bytes() == game.determinize(seed, game.seat).to_bytes()
    grids = [tuple(game.determinize(number).position()["grids"]) for number in range(50)]
    assert len({*grids, tuple(game.position()["grids"])}) == 51
    piles = [tuple(game.determinize(number).position()["draw"]) for number in range(50)]
    assert len({*piles, tuple(game.position()["draw"])}) == 51


def hidden_by_seed(state: Game, until: Callable[[Game], bool]) -> set[tuple[int, ...]]:
    """Hidden cards and pile at a later moment of nine worlds and the game, all moves the first."""
    found = set()
    for world in [state.copy(), *(state.determinize(seed) for seed in range(9))]:
        while not until(world):
            world.apply(world.legal_moves()[0])
        found.add((*hidden_cards(world), *world.position()["draw"]))
    return found


def test_later_deals_are_new() -> None:
    """The next two rounds are others in each world: no search can look ahead to them."""
    state = state_in_the_middle()
    assert len(hidden_by_seed(state, lambda game: game.round_number == 1)) == 10
    assert len(hidden_by_seed(state, lambda game: game.round_number == 2)) == 10


@pytest.mark.parametrize("reshuffle", ["keep_top", "all_then_flip"])
def test_later_reshuffles_are_new(reshuffle: str) -> None:
    """With an empty pile and all known but the order to come, the new piles still differ."""
    rules = Rules(reshuffle=reshuffle, stall_limit=None, max_rounds=1)
    game = Game(2, rules, 3)
    for state in walk(game, random.Random(3), "drawer"):
        if not state.position()["draw"] and state.phase == Phase.TURN:
            break
    orders = set()
    for world in [game.copy(), *(game.determinize(seed) for seed in range(9))]:
        below = world.position()["discard"]
        world.apply(36)
        after = world.position()
        new = [*after["discard"], after["hand"], *after["draw"]]
        assert sorted(new) == sorted(below)
        orders.add(tuple(new))
    assert len(orders) == 10


@pytest.mark.parametrize("deck", ["stack", "lanes"])
@pytest.mark.parametrize("n_moves", [0, 3, 10, 30, 90])
def test_determinized_game_goes_on_to_the_end(deck: str, n_moves: int) -> None:
    """All three rounds are played and scored, the finished ones kept; there is no record."""
    game = state_in_the_middle(n_moves=n_moves, deck=deck)
    kept = game.rounds
    for seed in range(3):
        world = play_on(game.determinize(seed), random.Random(seed))
        assert (world.seat, world.phase, len(world.rounds)) == (-1, Phase.OVER, 3)
        assert world.rounds[: len(kept)] == kept
        points = zip(*(entry.points for entry in world.rounds), strict=True)
        assert world.totals == tuple(map(sum, points))
        assert world.places == tuple(
            1 + sum(other < total for other in world.totals) for total in world.totals
        )
        with pytest.raises(ValueError, match="record: expected a game with its deal"):
            world.record()


def test_world_of_a_world_is_one() -> None:
    """A world can be dealt anew, for another seat too, and copies of it have no record."""
    world = state_in_the_middle().determinize(1).determinize(2, 0)
    for other in (world, world.copy(), pickle.loads(pickle.dumps(world))):
        with pytest.raises(ValueError, match="record: "):
            other.record()
    check_world(world, 1, 3)


def test_determinize_refuses_what_is_wrong(random_game: Callable[..., Game]) -> None:
    """Seats and seeds out of range, of other kinds, and a game that is over."""
    game = Game(3)
    for seat in (-1, 3, 10**9):
        with pytest.raises(IndexError, match=f"determinize: seat: expected 0 to 2, got {seat}"):
            game.determinize(1, seat)
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="determinize: seed: expected 0 to"):
            game.determinize(seed)
    wrong: list[Any] = [True, 1.0, "1", None]
    for seed in wrong:
        with pytest.raises(TypeError, match="determinize: seed: expected an integer"):
            game.determinize(seed)
    for other in wrong[1:3]:
        with pytest.raises(TypeError):
            game.determinize(1, other)
    with pytest.raises(ValueError, match="determinize: expected a game that is not over"):
        random_game(2, Rules(max_rounds=1)).determinize(1, 0)


# copy(log=False)


def all_but_moves(game: Game, seat: int) -> list[Any]:
    """All that a view tells but the moves."""
    view = game.view(seat)
    names = [name for name in dir(view) if not name.startswith("_")]
    values = [getattr(view, name) for name in names if name not in ("cells", "moves")]
    return [value.tolist() if isinstance(value, np.ndarray) else value for value in values]


@pytest.mark.parametrize("variant", CHOSEN)
def test_bare_copy_lacks_the_history_alone(variant: str) -> None:
    """Position, views but for the moves, legal moves, future: equal; and neither moves the other"""
    rules = Rules(**VARIANTS[variant])
    game = play_on(Game(2, rules, 8), random.Random(8), len(variant) * 2)
    if game.seat < 0:
        game = Game(2, rules, 8)
    before = game.to_bytes()
    bare = game.copy(log=False)
    rng = random.Random(9)
    moves = []
    twin = game.copy()
    while bare.seat >= 0:
        assert bare.position() == twin.position()
        assert (bare.seat, bare.phase, bare.totals) == (twin.seat, twin.phase, twin.totals)
        assert bare.legal_moves() == twin.legal_moves()
        assert bare.view().moves == ()
        if rng.random() < 0.1:
            for seat in (0, 1):
                assert all_but_moves(bare, seat) == all_but_moves(twin, seat)
        moves.append(rng.choice(bare.legal_moves()))
        bare.apply(moves[-1])
        twin.apply(moves[-1])
    assert (bare.totals, bare.places, bare.seat) == (twin.totals, twin.places, twin.seat)
    assert game.to_bytes() == before


def test_bare_copy_has_neither_rounds_nor_record() -> None:
    """Nor have its copies, worlds and bytes; but all of them play."""
    bare = state_in_the_middle(n_moves=100).copy(log=False)
    assert bare.round_number > 0
    others = [
        bare.copy(),
        bare.copy(log=False),
        bare.determinize(1),
        Game.from_bytes(bare.to_bytes()),
    ]
    for game in [bare, *others]:
        with pytest.raises(ValueError, match=r"rounds: expected a game with its history, got copy"):
            _ = game.rounds
        with pytest.raises(ValueError, match="record: expected a game with its deal and history"):
            game.record()
        assert play_on(game.copy(), random.Random(1)).places is not None
    assert all(other.position() == bare.position() for other in (others[0], others[1], others[3]))


def test_bare_copy_takes_no_positional_argument() -> None:
    """`log` is an option, so it is named."""
    with pytest.raises(TypeError):
        Game().copy(False)  # type: ignore[call-arg]
    assert Game().copy(log=False).view().cells(0) == (HIDDEN,) * 12


@pytest.mark.parametrize("deck", ["stack", "lanes"])
@pytest.mark.parametrize("log", [True, False])
def test_worlds_keep_nothing_of_the_deal_they_were_made_of(deck: str, log: bool) -> None:
    """The bytes of a world, its pickle with them, hold no run of the cards that were dealt."""
    game = Game(2, seed=123, deck=deck)
    for _ in range(8):
        game.apply(game.legal_moves()[0])
    dealt = bytes(value + 4 for value in game.record()["rounds"][0]["deck"])
    world = game.copy(log=log).determinize(5).to_bytes()
    assert any(dealt[i : i + 6] in game.to_bytes() for i in range(len(dealt) - 6))
    assert not any(dealt[i : i + 6] in world for i in range(len(dealt) - 6))
