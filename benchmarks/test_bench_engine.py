# SPDX-License-Identifier: MIT
"""Speed of the engine, of views and of games between bots; each benchmark asserts its result."""

from __future__ import annotations

from typing import Any

import pytest

import skyjo_core
from skyjo_core import Game, View
from skyjo_core.verify import verify_record


def first_legal(view: View) -> int:
    return view.legal_moves[0]


def random_legal(view: View, rng: skyjo_core.Rng) -> int:
    moves = view.legal_moves
    return moves[rng.below(len(moves))]


def a_view() -> View:
    """A view in the middle of a round."""
    game = Game(4, seed=1)
    for _ in range(20):
        game.apply(game.legal_moves()[0])
    return game.view()


def test_bench_native_games(benchmark: Any) -> None:
    """A whole game of four native bots: deal, views, moves, log, places."""
    played = benchmark(skyjo_core.play_game, ["native:random"] * 4, seed=1)
    assert sorted(played.places) == [1, 2, 3, 4]
    assert not played.faults


@pytest.mark.parametrize("bot", [first_legal, random_legal])
def test_bench_python_games(benchmark: Any, bot: Any) -> None:
    """A whole game of four bots written in Python, next to nothing in each."""
    played = benchmark(skyjo_core.play_game, [bot] * 4, seed=1)
    assert max(played.totals) >= 100
    assert not played.faults


@pytest.mark.parametrize("name", ["phase", "legal_mask", "legal_moves", "totals", "hidden_counts"])
def test_bench_view_attribute(benchmark: Any, name: str) -> None:
    """One read of an attribute, by the million in a bot."""
    view = a_view()
    value = benchmark(getattr, view, name)
    assert str(value) == str(getattr(view, name))


def test_bench_view_cells(benchmark: Any) -> None:
    """The own grid the fast way."""
    view = a_view()
    assert len(benchmark(view.cells, 0)) == 12


def test_bench_game_steps_from_python(benchmark: Any) -> None:
    """A game driven by hand: legal_moves and apply for every decision."""

    def play() -> Game:
        game = Game(2, seed=3)
        while game.seat >= 0:
            game.apply(game.legal_moves()[-1])
        return game

    game = benchmark(play)
    assert game.places is not None
    assert max(game.totals) >= 100


def test_bench_record(benchmark: Any) -> None:
    """The record of a finished game as a dict."""
    game = skyjo_core.play_game(["native:threshold"] * 4, seed=1).game
    record = benchmark(game.record)
    assert record["totals"] == list(game.totals)
    assert all(len(entry["deck"]) == 150 for entry in record["rounds"])


def a_game() -> Game:
    """A game in the middle of a round, with its history."""
    game = Game(4, seed=1)
    for _ in range(60):
        game.apply(game.legal_moves()[-1])
    return game


@pytest.mark.parametrize("log", [True, False])
def test_bench_copy(benchmark: Any, log: bool) -> None:
    """A copy, with and without the history."""
    game = a_game()
    assert benchmark(game.copy, log=log).position() == game.position()


def test_bench_determinize(benchmark: Any) -> None:
    """A copy with all unknown cards dealt anew."""
    game = a_game()
    assert benchmark(game.determinize, 1).view() == game.view()


def test_bench_from_view(benchmark: Any) -> None:
    """A game from a view."""
    view = a_game().view()
    assert benchmark(Game.from_view, view, 1).view() == view


def test_bench_outcomes(benchmark: Any) -> None:
    """The chance node of a draw."""
    game = a_game()
    assert game.phase.name == "TURN"
    values, weights = benchmark(game.outcomes, 36)
    assert values == game.rules.values
    assert sum(weights) == sum(game.view().pile_counts.tolist())


def test_bench_chance_child(benchmark: Any) -> None:
    """What an expectimax does at each edge: a bare copy and a forced card."""
    game = a_game().determinize(1).copy(log=False)

    def child() -> Game:
        new = game.copy(log=False)
        new.apply(36, card=5)
        return new

    assert benchmark(child).view().hand == 5


def test_bench_bytes(benchmark: Any) -> None:
    """A game to bytes and back."""
    game = a_game()
    assert benchmark(lambda: Game.from_bytes(game.to_bytes())).position() == game.position()


def test_bench_verify(benchmark: Any) -> None:
    """A record of four native bots, form and replay."""
    record = skyjo_core.play_game(["native:threshold"] * 4, seed=1).record()
    assert benchmark(verify_record, record) is None
