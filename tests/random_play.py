# SPDX-License-Identifier: MIT
"""Games at every one of their states, and what the cards of a state are."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from skyjo_core import Game
from test_reference import choose


def walk(game: Game, rng: random.Random, style: str = "even", n_moves: int = -1) -> Iterator[Game]:
    """The game before each of its moves, to its end or for so many of them.

    Styles are those of test_reference: "swapper" and "drawer" make rounds last and reshuffle.
    """
    while game.seat >= 0 and n_moves != 0:
        yield game
        game.apply(choose(rng, game.legal_moves(), style))
        n_moves -= 1


def play_on(game: Game, rng: random.Random, n_moves: int = -1) -> Game:
    """The same game after random moves, to its end or so many of them."""
    for _ in walk(game, rng, n_moves=n_moves):
        pass
    return game


def hidden_cards(game: Game) -> list[int]:
    """The face-down cards, seat after seat, row after row."""
    return [int(word[1:]) for word in words(game) if word.startswith("h")]


def all_cards(game: Game) -> Counter[int]:
    """Every card of the table."""
    position = game.position()
    held = [] if position["hand"] is None else [position["hand"]]
    cells = [int(word.removeprefix("h")) for word in words(game) if word != "."]
    return Counter([*cells, *position["draw"], *position["discard"], *held])


def words(game: Game) -> list[str]:
    """The cells of all grids as position() words them."""
    return " / ".join(game.position()["grids"]).replace("/", " ").split()
