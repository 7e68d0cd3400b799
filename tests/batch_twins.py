# SPDX-License-Identifier: MIT
"""Batches beside the games of their rows, and observations made the slow way."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt

from skyjo_core import HIDDEN, BatchGame, Game, Rules, View
from test_reference import choose

ARRAYS = (
    *("observations", "legal_masks", "seats", "rewards", "dones", "truncated", "final_totals"),
    "game_seeds",
)
STYLES = ("even", "swapper", "drawer")


def arrays_of(batch: BatchGame) -> dict[str, bytes]:
    """The bytes of every array."""
    return {name: getattr(batch, name).tobytes() for name in ARRAYS}


def random_moves(batch: BatchGame, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """A legal move of each row, each equally likely."""
    return (batch.legal_masks * rng.random(batch.legal_masks.shape)).argmax(axis=1)


def points_left(view: View) -> list[int]:
    if view.threshold is None:
        return [max(-128, min(view.totals) - total) for total in view.totals]
    unit = 1
    while view.threshold > 127 * unit:
        unit *= 2
    return [max(-128, min(127, (view.threshold - total) // unit)) for total in view.totals]


def last_turn(view: View, seat: int) -> int:
    if view.last_turns_left is None:
        return 0
    return 1 if seat == view.closer else 2 if seat in view.last_turns_left else 3


def observation(view: View) -> list[int]:
    """The slow way to an observation: feature after feature from a view."""
    seats, values = range(view.n_seats), view.values

    def counts(by_index: npt.NDArray[np.int8]) -> list[int]:
        known = dict(zip(values, by_index.tolist(), strict=True))
        return [known.get(value, 0) for value in range(values[0], values[-1] + 1)]

    return [
        *(cell for seat in seats for cell in view.cells(seat)),
        *counts(view.pile_counts),
        *counts(view.hidden_counts),
        *points_left(view),
        *(last_turn(view, seat) for seat in seats),
        view.phase,
        -1 if view.to_move is None else view.to_move,
        HIDDEN if view.hand is None else view.hand,
        view.discard_top,
        -1 if view.starter is None else view.starter,
        -1 if view.closer is None else view.closer,
        min(127, view.draw_pile_size),
        int(view.stalled),
        *(min(127, n) for n in (view.stall_count, view.reshuffles)),
        *(min(127, n) for n in (view.round_number, view.turn_number)),
    ]


class Twins:
    """A batch beside a Game for each of its rows; they are compared after every step."""

    def __init__(self, n: int, rules: Rules, **options: Any) -> None:
        self.batch = BatchGame(n, rules=rules, **options)
        self.games = [self.new_game(row) for row in range(n)]
        self.n_done = 0

    def new_game(self, row: int) -> Game:
        batch = self.batch
        return Game(batch.n_seats, batch.rules, seed=int(batch.game_seeds[row]))

    def step(self, rng: random.Random, style: str) -> None:
        moves = [choose(rng, game.legal_moves(), style) for game in self.games]
        before = [game.totals for game in self.games]
        self.batch.step(moves)
        for row, (game, move) in enumerate(zip(self.games, moves, strict=True)):
            game.apply(move)
            points = np.subtract(game.totals, before[row])
            assert self.batch.rewards[row].tolist() == (-points).tolist()
            self.check_end(row, game)

    def check_end(self, row: int, game: Game) -> None:
        batch, over = self.batch, game.places is not None
        assert batch.dones[row] == over
        assert batch.truncated[row] == (game.record()["end"] == "guard" if over else False)
        if over:
            assert batch.final_totals[row].tolist() == list(game.totals)
            self.games[row] = self.new_game(row)
            self.n_done += 1

    def check(self) -> None:
        """What the arrays say of the running games."""
        batch = self.batch
        for row, game in enumerate(self.games):
            assert batch.seats[row] == game.seat
            assert np.flatnonzero(batch.legal_masks[row]).tolist() == game.legal_moves()
            assert batch.observations[row].tolist() == observation(game.view())

    def check_seat(self, seat: int) -> None:
        """What one seat observes of the running games."""
        seen = self.batch.observe(seat)
        assert seen.tolist() == [observation(game.view(seat)) for game in self.games]


def play_twins(twins: Twins, rng: random.Random, n_steps: int, *, every_seat: bool = False) -> None:
    """Steps, after each of which the seats to move are looked at, and one seat in turn or all."""
    seats = range(twins.batch.n_seats)
    twins.check()
    for number in range(n_steps):
        twins.step(rng, rng.choice(STYLES))
        twins.check()
        for seat in seats if every_seat else [seats[number % len(seats)]]:
            twins.check_seat(seat)
