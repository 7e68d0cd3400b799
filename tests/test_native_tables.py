# SPDX-License-Identifier: MIT
"""Tables of built-in bots, played without Python between the games: the same games."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace
from typing import Any

import pytest

from random_rules import random_rules
from reference import check_record
from skyjo_core import Rules, _core
from skyjo_core.batch import Batch, PlayedBatch, play_batch
from skyjo_core.loader import LoadedBot, load_bot
from skyjo_core.schedule import Schedule
from skyjo_core.spec import parse_spec

ONE_GAME: dict[str, Any] = {
    "seats": 2,
    "seed": 1,
    "lanes": False,
    "tables": [(0, 0, 0, [0, 0])],
    "rules": None,
    "names": [],
    "pack": bytes,
}
WORDS = [
    "native:random",
    "native:threshold",
    "native:greedy",
    "native:threshold:limit=1",
    "native:random",
    "native:threshold:limit=9",
    "native:greedy",
    "native:random",
    "native:threshold:limit=-1",
    "native:greedy",
]


def batch_of(seats: int, rules: Rules, **changes: Any) -> tuple[Batch, dict[int, LoadedBot]]:
    """All games that ten bots play on some deals; two of the names are not ASCII alone."""
    specs = tuple(spec for word in WORDS for spec in parse_spec(word))
    names = tuple(f'{"ä"}"{number}' for number in range(len(specs)))
    schedule = Schedule(len(specs), seats, 1, "rotate", "round-robin", 7, names)
    batch = Batch(
        run="test",
        bots=specs,
        names=names,
        rules=rules,
        seed=2**64 - 3,
        deck="stack",
        on_fault="forfeit",
        records=True,
        tables=tuple(schedule.tables(0, 60 if seats < 10 else 10)),
    )
    return replace(batch, **changes), {n: load_bot(spec) for n, spec in enumerate(specs)}


def plain(played: PlayedBatch) -> PlayedBatch:
    """Without the times; the records are packed in pieces of other sizes."""
    return PlayedBatch(
        games=[replace(game, seconds=[]) for game in played.games],
        records=gzip.decompress(played.records),
    )


def lines_of(played: PlayedBatch) -> list[bytes]:
    return gzip.decompress(played.records).splitlines()


def one_by_one(batch: Batch, bots: dict[int, LoadedBot]) -> PlayedBatch:
    """What comes where Python has something to do between the games."""
    return play_batch(batch, bots, before_game=lambda *_: None)


@pytest.mark.parametrize("deck", ["stack", "lanes"])
@pytest.mark.parametrize("seats", range(2, 9))
def test_the_games_are_those_that_are_played_one_by_one(seats: int, deck: str) -> None:
    batch, bots = batch_of(seats, Rules(), deck=deck)
    played = play_batch(batch, bots)
    assert plain(played) == plain(one_by_one(batch, bots))
    for game in played.games:
        assert len(game.seconds) == seats
        assert all(0 <= seconds < 60 for seconds in game.seconds)
    lines = lines_of(played)
    assert len(lines) == len(batch.tables)
    assert check_record(json.loads(lines[-1])) == []


@pytest.mark.parametrize("seed", range(20))
def test_by_any_rules(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    batch, bots = batch_of(
        rng.randint(2, rules.max_seats), rules, deck=rng.choice(["stack", "lanes"])
    )
    assert plain(play_batch(batch, bots)) == plain(one_by_one(batch, bots))


def test_without_records_all_else_is_equal() -> None:
    batch, bots = batch_of(3, Rules())
    with_records = play_batch(batch, bots)
    without = play_batch(replace(batch, records=False), bots)
    assert plain(without) == plain(with_records)._replace(records=b"")


def test_bots_may_have_any_numbers() -> None:
    batch, bots = batch_of(2, Rules())
    tables = tuple(table for table in batch.tables if set(table.seats) == {3, 7})
    assert tables
    batch = replace(batch, tables=tables)
    some = {number: bots[number] for number in (7, 3)}
    assert plain(play_batch(batch, some)) == plain(one_by_one(batch, bots))


def test_no_table_gives_no_game() -> None:
    batch, bots = batch_of(2, Rules(), tables=())
    assert play_batch(batch, bots) == ([], b"")


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        ({"seats": 1}, ValueError, "expected 2 to 8 seats, got 1"),
        ({"seats": 9}, ValueError, "expected 2 to 8 seats, got 9"),
        ({"tables": [(0, 0, 0, [0])]}, ValueError, "expected a bot for each seat"),
        ({"tables": [(0, 0, 0, [0, 1])]}, IndexError, "no such bot"),
        ({"rules": "{}"}, ValueError, "expected a name for each bot"),
    ],
)
def test_what_makes_no_sense_is_refused(
    wrong: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        _core.play_tables(Rules()._setup, [_core.CompiledBot("random", "")], **(ONE_GAME | wrong))


def test_the_records_are_given_for_one_call_alone() -> None:
    bots, given = [_core.CompiledBot("random", "")], ONE_GAME | {"rules": "{}", "names": ['"a"']}
    kept: list[memoryview] = []
    games, packed = _core.play_tables(Rules()._setup, bots, **(given | {"pack": kept.append}))
    assert (len(games), packed) == (1, None)
    with pytest.raises(ValueError, match="released memoryview"):
        len(kept[0])


def test_what_packing_raises_comes_out() -> None:
    def pack(records: memoryview) -> bytes:
        raise OSError("no room")

    bots = [_core.CompiledBot("random", "")]
    with pytest.raises(OSError, match="no room"):
        _core.play_tables(Rules()._setup, bots, **(ONE_GAME | {"pack": pack}))
