# SPDX-License-Identifier: MIT
"""Playouts: random play from the middle of a round, over worlds that the mover cannot know."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from skyjo_core import Game, Phase, Rules


def midway(rules: Rules, seats: int, seed: int, n_moves: int) -> Game:
    """A game after some random moves, in its first round where that lasts so long."""
    rng = random.Random(seed)
    game = Game(seats, rules, seed)
    for _ in range(n_moves):
        game.apply(rng.choice(game.legal_moves()))
    return game


def random_move(game: Game, rng: random.Random) -> int:
    """The policy of native:random: the source evenly, place or reject evenly, the cell evenly."""
    legal = game.legal_moves()
    if game.phase is Phase.TURN:
        takes = [move for move in legal if move < 24]
        if 36 in legal and (not takes or rng.random() < 0.5):
            return 36
        return rng.choice(takes)
    flips = [move for move in legal if move < 12]
    places = [move for move in legal if move >= 24]
    if flips and (not places or rng.random() < 0.5):
        return rng.choice(flips)
    return rng.choice(places or flips)


def slow_playouts(game: Game, n: int, seed: int) -> np.ndarray[Any, Any]:
    """Points of the same, by determinize and the engine's moves."""
    rng = random.Random(seed)
    points = []
    for _ in range(n):
        world = game.determinize(rng.getrandbits(63))
        n_rounds = len(world.rounds)
        while len(world.rounds) == n_rounds:
            world.apply(random_move(world, rng))
        points.append(world.rounds[-1].points)
    return np.array(points, float)


CASES = [
    (Rules(), 2, 1, 14),  # the fused loop, a turn is due
    (Rules(), 3, 2, 33),
    (Rules(), 4, 3, 2),  # the opening
    (Rules(start_later="closer"), 2, 4, 25),
    (Rules(row_removal=True), 2, 5, 20),  # move by move
]


@pytest.mark.parametrize(("rules", "seats", "seed", "n_moves"), CASES)
def test_playouts_have_the_law_of_random_play(
    rules: Rules, seats: int, seed: int, n_moves: int
) -> None:
    """Means of the points by seat against a slow loop, by a two-sample z test."""
    game = midway(rules, seats, seed, n_moves)
    fast = game.playouts(20_000, seed=seed).points.astype(float)
    slow = slow_playouts(game, 500, seed)
    error = np.sqrt(fast.var(0) / len(fast) + slow.var(0) / len(slow))
    assert (np.abs(fast.mean(0) - slow.mean(0)) / error).max() < 4.5


def test_a_drawn_card_is_played_on() -> None:
    """In HOLD the mover's card stays its own: as in the slow loop."""
    game = midway(Rules(), 2, 6, 13)
    while game.phase is not Phase.HOLD:
        game.apply(36 if 36 in game.legal_moves() else game.legal_moves()[0])
    fast = game.playouts(20_000, seed=1).points.astype(float)
    slow = slow_playouts(game, 500, 1)
    error = np.sqrt(fast.var(0) / len(fast) + slow.var(0) / len(slow))
    assert (np.abs(fast.mean(0) - slow.mean(0)) / error).max() < 4.5


def test_last_turns_alone_are_left_after_the_closing() -> None:
    rng = random.Random(3)
    game = Game(3, seed=3)
    while game.view().closer is None:
        game.apply(rng.choice(game.legal_moves()))
    closer = (game.view().seat + game.view().closer) % 3
    before = game.position()
    playouts = game.playouts(500, seed=2)
    assert (playouts.closer == closer).all()
    lowest = np.delete(playouts.raw, closer, axis=1).min(1)
    raw = playouts.raw[:, closer]
    doubled = (raw >= lowest) & (raw > 0)
    assert (playouts.points[:, closer] == np.where(doubled, 2 * raw, raw)).all()
    assert (np.delete(playouts.points - playouts.raw, closer, axis=1) == 0).all()
    assert game.position() == before


def test_one_seed_gives_one_result_whatever_n_is() -> None:
    game = midway(Rules(), 4, 8, 30)
    many, few = game.playouts(12_000, seed=5), game.playouts(7, seed=5)
    assert (many.points[:7] == few.points).all()
    assert (many.closer[:7] == few.closer).all()
    assert (game.playouts(7, seed=6).points != few.points).any()


def test_what_the_mover_cannot_know_changes_nothing() -> None:
    game = midway(Rules(), 3, 9, 30)
    world = game.determinize(77)
    one, other = game.playouts(300, seed=1), world.playouts(300, seed=1)
    assert (one.points == other.points).all()


def test_arrays_are_as_documented() -> None:
    playouts = Game(4, seed=1).playouts(3)
    assert playouts.raw.dtype == playouts.points.dtype == np.int16
    assert playouts.closer.dtype == np.int8
    assert playouts.raw.shape == playouts.points.shape == (3, 4)
    assert playouts.closer.shape == (3,)
    assert Game(4, seed=1).playouts(0).raw.shape == (0, 4)


def test_wrong_arguments_are_said_so() -> None:
    game = Game(2, Rules(threshold=None, max_rounds=1), 1)
    with pytest.raises(ValueError, match="playouts: n: expected 0 to"):
        game.playouts(-1)
    with pytest.raises(TypeError, match="playouts: n: expected an integer"):
        game.playouts(2.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="playouts: seed: expected 0 to"):
        game.playouts(1, seed=-1)
    rng = random.Random(1)
    while game.seat >= 0:
        game.apply(rng.choice(game.legal_moves()))
    with pytest.raises(ValueError, match="playouts: expected a game that is not over"):
        game.playouts(1)


@pytest.mark.parametrize("seats", [8, 9, 10])
def test_positions_of_more_seats_than_a_game_has_are_played(seats: int) -> None:
    """The fused loop has room for eight; ten grids of a position take the other way."""
    grid = "h1 h2 h3 h4 / h5 h6 h7 h8 / 0 1 2 3"
    rules = Rules(max_turns_per_round=20_000)
    game = Game.from_position(grids=[grid] * seats, draw=[1, 2, 3] * 10, discard=[5], rules=rules)
    ends = game.playouts(50)
    assert ends.raw.shape == (50, seats)
    assert ((ends.closer >= 0) & (ends.closer < seats)).all()
