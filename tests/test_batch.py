# SPDX-License-Identifier: MIT
"""A batch of tables: plain data both ways, and results that do not show where it was cut."""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import FAULTY, HEALTHY, WATCHING
from skyjo_core import Rules
from skyjo_core.batch import (
    Batch,
    GameResult,
    PlayedBatch,
    global_random_kept,
    import_path,
    play_batch,
    read_spec,
    seed_global_random,
)
from skyjo_core.loader import LoadedBot, load_bot
from skyjo_core.schedule import Schedule
from skyjo_core.spec import parse_spec, unique_names


def batch_of(words: list[str], **changes: Any) -> tuple[Batch, dict[int, LoadedBot]]:
    """A batch of all games that these bots play on four deals, and the bots."""
    specs = tuple(spec for word in words for spec in parse_spec(word))
    bots = {number: load_bot(spec) for number, spec in enumerate(specs)}
    names = tuple(unique_names([bot.name for bot in bots.values()])[0])
    schedule = Schedule(len(specs), 2, 4, "rotate", "round-robin", 7, names)
    batch = Batch(
        run="test",
        bots=specs,
        names=names,
        rules=Rules(threshold=50),
        seed=7,
        deck="stack",
        on_fault="forfeit",
        records=True,
        tables=tuple(schedule),
    )
    return replace(batch, **changes), bots


@pytest.fixture(scope="module")
def field() -> tuple[Batch, dict[int, LoadedBot]]:
    """Three healthy bots and a native one."""
    return batch_of([str(HEALTHY), "native:threshold"])


def plain(results: Iterable[GameResult]) -> list[GameResult]:
    """Results without their times."""
    return [replace(result, seconds=[]) for result in results]


def lines_of(played: PlayedBatch) -> list[bytes]:
    return gzip.decompress(played.records).splitlines()


def records_of(batch: Batch, bots: dict[int, LoadedBot]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines_of(play_batch(batch, bots))]


def test_a_batch_comes_back_from_its_bytes(field: tuple[Batch, dict[int, LoadedBot]]) -> None:
    batch, _ = field
    assert Batch.from_dict(json.loads(batch.to_bytes())) == batch
    other = replace(batch, rules=Rules(threshold=None, max_rounds=3), seed=2**64 - 1, deck="lanes")
    assert Batch.from_dict(json.loads(other.to_bytes())) == other


def test_options_come_back_with_their_types() -> None:
    (spec,) = parse_spec("some.module:Bot:i=1,f=1.0,t=true,s=x")
    again = read_spec(json.loads(json.dumps([spec.kind, spec.target, spec.options])))
    assert again == spec
    assert [type(value) for _, value in again.options] == [int, float, bool, str]


def test_a_result_comes_back_from_its_list(field: tuple[Batch, dict[int, LoadedBot]]) -> None:
    batch, bots = field
    (result,) = play_batch(replace(batch, tables=batch.tables[:1]), bots).games
    assert GameResult(*json.loads(json.dumps(result.to_list()))) == result


@pytest.mark.parametrize("size", [1, 5, 17])
def test_where_a_batch_is_cut_never_shows(
    size: int, field: tuple[Batch, dict[int, LoadedBot]]
) -> None:
    batch, bots = field
    cut = [
        play_batch(replace(batch, tables=batch.tables[start : start + size]), bots)
        for start in range(0, len(batch.tables), size)
    ]
    whole = play_batch(batch, bots)
    assert plain([game for part in cut for game in part.games]) == plain(whole.games)
    assert [line for part in cut for line in lines_of(part)] == lines_of(whole)


def test_the_order_of_play_never_shows(field: tuple[Batch, dict[int, LoadedBot]]) -> None:
    batch, bots = field
    backwards = play_batch(replace(batch, tables=batch.tables[::-1]), bots)
    forwards = play_batch(batch, bots)
    assert plain(backwards.games[::-1]) == plain(forwards.games)
    assert lines_of(backwards)[::-1] == lines_of(forwards)


def test_seatings_of_one_deal_share_their_decks(
    field: tuple[Batch, dict[int, LoadedBot]],
) -> None:
    batch, bots = field
    decks: dict[int, set[str]] = {}
    for table, record in zip(batch.tables, records_of(batch, bots), strict=True):
        assert record["deal"] == table.deal
        assert record["players"] == [batch.names[bot] for bot in table.seats]
        decks.setdefault(table.deal, set()).add(json.dumps(record["rounds"][0]["deck"]))
    assert [len(of_deal) for of_deal in decks.values()] == [1] * 4
    assert len(set.union(*decks.values())) == 4


def test_a_bots_random_numbers_change_with_the_seating() -> None:
    batch, bots = batch_of([str(HEALTHY / "lucky.py"), str(HEALTHY / "lucky.py")])
    first_two = records_of(batch, bots)[:2]
    assert first_two[0]["seed"] == first_two[1]["seed"]
    assert first_two[0]["rounds"][0]["moves"] != first_two[1]["rounds"][0]["moves"]


def test_without_records_there_are_none_and_all_else_is_equal(
    field: tuple[Batch, dict[int, LoadedBot]],
) -> None:
    batch, bots = field
    with_records = play_batch(batch, bots)
    without = play_batch(replace(batch, records=False), bots)
    assert without.records == b""
    assert plain(with_records.games) == plain(without.games)


def test_the_hash_is_one_of_the_moves(field: tuple[Batch, dict[int, LoadedBot]]) -> None:
    batch, bots = field
    moves_of: dict[str, set[str]] = {}
    played = play_batch(batch, bots)
    for result, record in zip(played.games, lines_of(played), strict=True):
        moves = [entry["moves"] for entry in json.loads(record)["rounds"]]
        moves_of.setdefault(result.moves_hash, set()).add(json.dumps(moves))
    # Some games have equal moves: bots that look at the legal moves alone play alike.
    assert 20 < len(moves_of) < len(batch.tables)
    assert {len(moves) for moves in moves_of.values()} == {1}
    assert all(len(text) == 16 and int(text, 16) >= 0 for text in moves_of)


def test_abort_leaves_out_the_rest() -> None:
    batch, bots = batch_of([str(FAULTY / "illegal.py"), "native:random"], on_fault="abort")
    (result,) = play_batch(batch, bots).games
    assert result.places is None
    assert [fault["kind"] for fault in result.faults] == ["illegal_move"]


def test_global_generators_are_seeded_for_each_game() -> None:
    batch, bots = batch_of([str(WATCHING / "global_random.py"), "native:random"])
    with global_random_kept():
        once = play_batch(batch, bots, before_game=seed_global_random).games
        random.random()
        np.random.random()
        again = play_batch(batch, bots, before_game=seed_global_random).games
    assert [game.faults for game in once] == [[]] * len(once)
    assert plain(once) == plain(again)


def test_global_generators_get_their_state_back() -> None:
    random.seed(5)
    np.random.seed(5)
    expected = random.random(), np.random.random()
    random.seed(5)
    np.random.seed(5)
    batch, bots = batch_of([str(WATCHING / "global_random.py"), "native:random"])
    with global_random_kept():
        play_batch(replace(batch, tables=batch.tables[:1]), bots, before_game=seed_global_random)
    assert (random.random(), np.random.random()) == expected


def test_the_import_path_is_told_as_far_as_it_is_heeded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, tmp_path, str(tmp_path)])
    assert import_path() == [entry for entry in sys.path if entry is not tmp_path]
