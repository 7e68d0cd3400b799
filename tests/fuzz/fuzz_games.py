# SPDX-License-Identifier: MIT
"""Fuzzes Game.from_bytes: ValueError, or a game that can be looked at, saved and played."""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import blake2b

from fuzz.fuzzing import run, words_of
from skyjo_core import Game, Rules
from skyjo_core.verify import verify_record
from small_records import SMALL

MARK = b"skyjo-game/1\n"
CHECK_BYTES = 8  # the checksum between the mark and the body
MANY_MOVES = 60
RULES = [
    Rules(threshold=None, max_rounds=1),
    SMALL.replace(max_rounds=3),
    SMALL.replace(rows=2, columns=2, deck=[[-2, 4], [7, 8]], winner_tie="playoff"),
]


def games() -> Iterator[Game]:
    """Games of several rules and lengths, some imagined, some without a log."""
    for number, rules in enumerate(RULES):
        for n_moves in (0, 5, 6, 40):
            game = Game(2, rules, number, deck=("stack", "lanes")[n_moves % 2])
            play(game, random.Random(number), n_moves)
            yield game
            yield game.copy(log=False)
            if game.seat >= 0:
                yield game.determinize(1)


def play(game: Game, rng: random.Random, n_moves: int) -> None:
    """So many random moves, fewer where the game ends."""
    while game.seat >= 0 and n_moves > 0:
        game.apply(rng.choice(game.legal_moves()))
        n_moves -= 1


def read(data: bytes) -> Game | None:
    """The game of these bytes, None where they are refused."""
    try:
        return Game.from_bytes(data)
    except ValueError:
        return None


def check(body: bytes) -> None:
    """Reads the input as it is, and as the body below a checksum that holds."""
    read(body)
    game = read(MARK + blake2b(body, digest_size=CHECK_BYTES).digest() + body)
    if game is None:
        return
    assert Game.from_bytes(game.to_bytes()).to_bytes() == game.to_bytes()
    for seat in range(game.n_seats):
        assert all(len(played) == 3 for played in game.view(seat).moves)
    play(game, random.Random(len(body)), MANY_MOVES)
    assert str(game)
    assert game.position()
    if game._has_record:
        verify_record(game.record())  # what it says is the fuzzer's; it only must not break


if __name__ == "__main__":
    bodies = [game.to_bytes()[len(MARK) + CHECK_BYTES :] for game in games()]
    run(check, bodies, words_of([rules.to_dict() for rules in RULES]), is_json=False)
