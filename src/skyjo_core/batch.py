# SPDX-License-Identifier: MIT
"""A batch of tables to be played: a plain request in, a plain answer out.

Where a schedule is cut into batches never shows in the results: every game is seeded by its own
place in the schedule.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np

from skyjo_core import _core
from skyjo_core.game import Game, compact
from skyjo_core.loader import LoadedBot
from skyjo_core.play import PlayedGame, play_table
from skyjo_core.record_pack import Packer, pack
from skyjo_core.rules import Rules, rules_json
from skyjo_core.schedule import Table
from skyjo_core.spec import BotSpec

__all__ = [
    "Batch",
    "GameResult",
    "PlayedBatch",
    "global_random_kept",
    "import_path",
    "play_batch",
    "read_spec",
    "seed_global_random",
]


@dataclass(frozen=True, slots=True)
class Batch:
    """Tables to be played, and all that playing them needs.

    Attributes
    ----------
    run : str
        Names the tournament: a worker that serves another one loads its bots anew.
    bots : tuple of BotSpec or None
        Every bot of the tournament; None stands for one that only this process has.
    names : tuple of str
        The bots' names in the tournament.
    rules, seed, deck, on_fault
        As in the tournament; seed is the master seed.
    records : bool
        Whether the answer carries each game's record as a line of JSON.
    tables : tuple of Table
        What to play, in schedule order.
    """

    run: str
    bots: tuple[BotSpec | None, ...]
    names: tuple[str, ...]
    rules: Rules
    seed: int
    deck: str
    on_fault: str
    records: bool
    tables: tuple[Table, ...]

    def to_bytes(self) -> bytes:
        """As JSON."""
        plain = {
            "run": self.run,
            "bots": [[spec.kind, spec.target, spec.options] for spec in self.bots if spec],
            "names": self.names,
            "rules": self.rules.to_dict(),
            "seed": self.seed,
            "deck": self.deck,
            "on_fault": self.on_fault,
            "records": self.records,
            "tables": self.tables,
            "path": import_path(),
        }
        return json.dumps(plain).encode()

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Batch:
        """From what to_bytes wrote."""
        return cls(
            run=plain["run"],
            bots=tuple(read_spec(spec) for spec in plain["bots"]),
            names=tuple(plain["names"]),
            rules=Rules.from_dict(plain["rules"]),
            seed=plain["seed"],
            deck=plain["deck"],
            on_fault=plain["on_fault"],
            records=plain["records"],
            tables=tuple(
                Table(game, deal, lineup, lineup_key, seating, tuple(seats))
                for game, deal, lineup, lineup_key, seating, seats in plain["tables"]
            ),
        )


def import_path() -> list[str]:
    """Where modules are looked for, as far as the import system heeds it: texts."""
    return [entry for entry in sys.path if isinstance(entry, str)]


def read_spec(plain: Sequence[Any]) -> BotSpec:
    """A spec from its plain form [kind, target, [[name, value], ...]]."""
    kind, target, options = plain
    return BotSpec(kind, target, tuple((name, value) for name, value in options))


@dataclass(slots=True)
class GameResult:
    """What came of one table.

    Attributes
    ----------
    totals, places, decisions, seconds
        By absolute seat; places is None after a stop at a fault.
    moves_hash : str
        16 hexadecimal digits over all moves.
    faults : list of dict
        As in the record.
    printed : str
        What the bots printed.
    """

    totals: list[int]
    places: list[int] | None
    decisions: list[int]
    seconds: list[float]
    moves_hash: str
    faults: list[dict[str, Any]]
    printed: str = ""

    def to_list(self) -> list[Any]:
        """In the order of the fields."""
        return list(_FIELDS(self))


_FIELDS: Final = attrgetter(*GameResult.__slots__)


class PlayedBatch(NamedTuple):
    """What came of a batch.

    Attributes
    ----------
    games : sequence of GameResult
        In the order of its tables; fewer after a stop at a fault.
    records : bytes
        The games' records, a line of JSON each, packed (record_pack.py); empty where none are
        asked for.
    """

    games: Sequence[GameResult]
    records: bytes


class _NativeGames(Sequence[GameResult]):
    """Results of the core, made when the first is asked for: by the thread that counts them."""

    def __init__(self, games: _core.NativeGames) -> None:
        self._games = games

    def __len__(self) -> int:
        return len(self._games)

    def __getitem__(self, index: Any) -> Any:
        return self._made[index]

    def __iter__(self) -> Iterator[GameResult]:
        return iter(self._made)

    @cached_property
    def _made(self) -> list[GameResult]:
        return [GameResult(*fields, []) for fields in self._games.tuples()]


def play_batch(
    batch: Batch,
    bots: Mapping[int, LoadedBot],
    *,
    before_game: Callable[[Batch, Table], None] | None = None,
    stop_on_interrupt: bool = False,
) -> PlayedBatch:
    """Plays the tables one after the other; after a stop at a fault the rest is left out.

    `bots` holds, by number, every bot that sits at one of the tables.
    """
    if batch.tables and before_game is None and all(map(_is_built_in, bots.values())):
        return _play_built_in(batch, bots)
    results: list[GameResult] = []
    packer = Packer(batch.rules) if batch.records else None
    for table in batch.tables:
        if before_game is not None:
            before_game(batch, table)
        played = _play(batch, table, bots, stop_on_interrupt)
        results.append(
            GameResult(
                totals=list(played.totals),
                places=None if played.places is None else list(played.places),
                decisions=list(played.decisions),
                seconds=list(played.seconds),
                moves_hash=f"{played.game._moves_hash():016x}",
                faults=played.faults,
            )
        )
        if packer is not None:
            packer.add(played.write_record)
        if played.aborted:
            break
    return PlayedBatch(results, b"" if packer is None else packer.member())


def _is_built_in(bot: LoadedBot) -> bool:
    return bot.native is not None and bot.native.built_in


def _play_built_in(batch: Batch, bots: Mapping[int, LoadedBot]) -> PlayedBatch:
    """The same for built-in bots alone, which make no faults: all tables in one call."""
    index = {number: i for i, number in enumerate(bots)}
    games, records = _core.play_tables(
        batch.rules._setup,
        [bot.native for bot in bots.values() if bot.native is not None],
        seats=len(batch.tables[0].seats),
        seed=batch.seed,
        lanes=batch.deck == "lanes",
        tables=[
            (table.deal, table.lineup_key, table.seating, [index[bot] for bot in table.seats])
            for table in batch.tables
        ],
        rules=rules_json(batch.rules) if batch.records else None,
        names=[compact(batch.names[number]) for number in bots],
        pack=pack,
    )
    return PlayedBatch(_NativeGames(games), records)


def _play(
    batch: Batch, table: Table, bots: Mapping[int, LoadedBot], stop_on_interrupt: bool
) -> PlayedGame:
    seed = _core.game_seed(batch.seed, table.deal)
    game = Game(len(table.seats), batch.rules, seed, batch.deck)
    return play_table(
        game,
        [bots[bot] for bot in table.seats],
        [batch.names[bot] for bot in table.seats],
        _keys(batch, table, len(table.seats)),
        deal=table.deal,
        on_fault=batch.on_fault,
        stop_on_interrupt=stop_on_interrupt,
    )


def _keys(batch: Batch, table: Table, n: int) -> list[int]:
    return _core.bot_keys(
        batch.seed, deal=table.deal, lineup=table.lineup_key, seating=table.seating, n=n
    )


@contextmanager
def global_random_kept() -> Iterator[None]:
    """Gives Python's and numpy's global generators their state back in the end."""
    state, numpy_state = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(state)
        np.random.set_state(numpy_state)


def seed_global_random(batch: Batch, table: Table) -> None:
    """Seeds Python's and numpy's global generators for one game, for bots that use them."""
    key = _keys(batch, table, len(table.seats) + 1)[-1]
    random.seed(key)
    np.random.seed(key & 0xFFFFFFFF)
