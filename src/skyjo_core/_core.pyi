# SPDX-License-Identifier: MIT
# In the order of bindings/; held against the module by tests/test_stubs.py. What takes an integer
# takes any that has __index__, numpy's too.
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, Final, SupportsIndex, TypeVar, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import CapsuleType

# card.cpp

HIDDEN: Final[int]
REMOVED: Final[int]
STAR: Final[int]

class Phase(IntEnum):
    FLIP = 0
    TURN = 1
    HOLD = 2
    OVER = 3

# rng.cpp

def game_seed(master: SupportsIndex, deal: SupportsIndex) -> int: ...
def bot_keys(
    master: SupportsIndex,
    *,
    deal: SupportsIndex,
    lineup: SupportsIndex,
    seating: SupportsIndex,
    n: SupportsIndex,
) -> list[int]: ...

# rules.cpp: fields are numbers by name, words as their index, off as OFF; decks (value, cards).

OFF: Final[int]
RULE_WORDS: Final[dict[str, tuple[str, ...]]]
RULE_DEFAULTS: Final[dict[str, int]]

class Setup:
    def __init__(self, fields: dict[str, int], deck: Sequence[tuple[int, int]]) -> None: ...
    @property
    def max_seats(self) -> int: ...
    @property
    def values(self) -> tuple[int, ...]: ...

def rule_faults(
    fields: dict[str, int], deck: Sequence[tuple[int, int]]
) -> list[tuple[str, str]]: ...  # (field, what it may hold)

# scoring.cpp

def score(
    setup: Setup, raw: Sequence[SupportsIndex], closer: SupportsIndex | None
) -> tuple[int, ...]: ...
def starters(
    setup: Setup, open: Sequence[tuple[SupportsIndex, SupportsIndex]]
) -> tuple[int, ...]: ...

class ScoreSheet:
    def __init__(
        self, setup: Setup, totals: Sequence[SupportsIndex], n_rounds: SupportsIndex = 0
    ) -> None: ...
    def add(self, points: Sequence[SupportsIndex]) -> None: ...
    @property
    def totals(self) -> tuple[int, ...]: ...
    @property
    def over(self) -> bool: ...
    @property
    def end(self) -> str | None: ...
    @property
    def winners(self) -> tuple[int, ...]: ...  # none before it is over
    @property
    def places(self) -> tuple[int, ...] | None: ...

# notation.cpp

def move_name(move: SupportsIndex, rows: SupportsIndex) -> str: ...
def move_names(mask: SupportsIndex, rows: SupportsIndex) -> str: ...

# game.cpp

class IllegalMove(ValueError): ...  # noqa: N818 - the name is part of the API

class Game:
    @overload
    def __init__(self, other: Game, log: bool) -> None: ...
    @overload
    def __init__(
        self, setup: Setup, seats: SupportsIndex, seed: SupportsIndex, lanes: bool
    ) -> None: ...
    @overload
    def __init__(self, setup: Setup, position: dict[str, Any]) -> None: ...
    # The bytes that _view.view_bytes gives.
    @overload
    def __init__(self, setup: Setup, view: bytes, moves: bytes, seed: SupportsIndex) -> None: ...
    @overload
    def __init__(self, setup: Setup, saved: bytes) -> None: ...
    @property
    def seat(self) -> int: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def totals(self) -> tuple[int, ...]: ...
    @property
    def places(self) -> tuple[int, ...] | None: ...
    @property
    def n_seats(self) -> int: ...
    @property
    def round_number(self) -> int: ...
    @property
    def legal_mask(self) -> int: ...
    def legal_moves(self) -> list[int]: ...
    def apply(self, move: SupportsIndex, card: SupportsIndex | None = None) -> None: ...
    def outcomes(self, move: SupportsIndex) -> tuple[tuple[int, ...], tuple[int, ...]]: ...
    def _determinize(self, seed: SupportsIndex, seat: SupportsIndex) -> None: ...
    def _reveal(self) -> None: ...
    # The bytes of skyjo_view, and those of the moves.
    def _view_bytes(self, seat: SupportsIndex) -> tuple[bytes, bytes]: ...
    def _saved(self) -> bytes: ...
    def _state(self) -> dict[str, Any]: ...
    def _round_dicts(self) -> list[dict[str, Any]]: ...
    # (starter, closer, raw, points, cells, moves, stalled, capped) of each.
    def _finished_rounds(
        self,
    ) -> list[
        tuple[
            int | None,
            int | None,
            tuple[int, ...],
            tuple[int, ...],
            bytes,
            tuple[int, ...],
            bool,
            bool,
        ]
    ]: ...
    def _moves_hash(self) -> int: ...
    @property
    def _has_log(self) -> bool: ...
    @property
    def _has_record(self) -> bool: ...
    @property
    def _end(self) -> str | None: ...
    @property
    def _seed(self) -> int: ...
    @property
    def _lanes(self) -> bool: ...

# record.cpp

class RecordText:
    # These texts and those of add are JSON already.
    def __init__(self, rules: str) -> None: ...
    def __len__(self) -> int: ...
    def add(
        self,
        game: Game,
        players: str,
        faults: str,
        deal: SupportsIndex,
        places: Sequence[int] | None,
    ) -> None: ...
    def add_line(self, line: str | bytes) -> None: ...
    def take(self, pack: Callable[[memoryview], _Packed]) -> _Packed: ...

# compiled_bot.cpp

class CompiledBot:
    @overload
    def __init__(self, name: str, options: str) -> None: ...
    @overload
    def __init__(self, capsule: CapsuleType, options: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def built_in(self) -> bool: ...  # such a bot makes no faults

NATIVE_BOTS: Final[tuple[str, ...]]

def bot_capsule(
    name: str,
    *,
    choose_move: SupportsIndex,
    create: SupportsIndex,
    event: SupportsIndex,
    destroy: SupportsIndex,
    owner: object,
) -> CapsuleType: ...
def time_calls(
    bot: CompiledBot, game: Game, *, calls: SupportsIndex
) -> tuple[float, int]: ...  # seconds, the last answer

# fused.cpp: for tests of the rules; cards as values, None for a hole, open cells as bits

def fused_plays(setup: Setup, seats: SupportsIndex) -> bool: ...
def fused_round(
    setup: Setup,
    start: dict[str, Any],  # cards, open, draw, discard, reshuffles, seat, closer, stalled
    turns: Sequence[tuple[bool, bool, SupportsIndex]],  # takes, rejects, cell
    *,
    whole: bool,
) -> dict[str, Any]: ...

# match.cpp

def play(
    game: Game,
    bots: list[CompiledBot | CapsuleType],
    *,
    keys: list[int],  # those of Python's seats are not looked at
    abort_on_fault: bool,
    timed: bool,
) -> tuple[  # places, decisions, seconds, faults, aborted, stopped
    tuple[int, ...] | None,
    tuple[int, ...],
    tuple[float, ...],
    list[dict[str, Any]],
    bool,
    bool,
]: ...

# native_tables.cpp

_Packed = TypeVar("_Packed")

class NativeGames:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def tuples(
        self,
    ) -> list[  # totals, places, decisions, seconds, hash of the moves
        tuple[list[int], list[int], list[int], list[float], str]
    ]: ...

def play_tables(
    setup: Setup,
    bots: list[CompiledBot],  # built in
    *,
    seats: SupportsIndex,
    seed: SupportsIndex,
    lanes: bool,
    tables: list[tuple[int, int, int, list[int]]],  # deal, key of line-up, seating, bots
    rules: str | None,  # this and the names, one a bot, as JSON: for the records
    names: list[str],
    pack: Callable[[memoryview], _Packed],  # is given the records, a line each, for its call alone
) -> tuple[NativeGames, _Packed]: ...

# simulation.cpp

def simulate(
    setup: Setup,
    bots: list[CompiledBot],
    *,
    seed: SupportsIndex,
    fused: bool,
    first: SupportsIndex,
    n: SupportsIndex,
    threads: SupportsIndex,
    totals: npt.NDArray[np.int32],
    places: npt.NDArray[np.int8],
    rounds: npt.NDArray[np.int32],
    turns: npt.NDArray[np.int64],
    hashes: npt.NDArray[np.uint64],
) -> list[dict[str, Any]]: ...  # game, round, move, seat, kind, answer, legal
def can_fuse(setup: Setup, bots: list[CompiledBot]) -> bool: ...
def playouts(
    game: Game,
    *,
    first: SupportsIndex,
    n: SupportsIndex,
    seed: SupportsIndex,
    raw: npt.NDArray[np.int16],
    points: npt.NDArray[np.int16],
    closer: npt.NDArray[np.int8],
) -> None: ...

# replay.cpp

class Replay:
    def __init__(self, setup: Setup, seats: SupportsIndex) -> None: ...
    # played, problem, legal, cards, phase, starter, starters, opening, closer, stalled, capped,
    # reshuffles, raw, points, seats
    def play(
        self,
        deck: Sequence[SupportsIndex],
        starter: SupportsIndex | None,
        moves: Sequence[SupportsIndex],
        reshuffles: Sequence[Sequence[SupportsIndex]],
    ) -> dict[str, Any]: ...
    @property
    def totals(self) -> tuple[int, ...]: ...
    @property
    def places(self) -> tuple[int, ...] | None: ...
    @property
    def end(self) -> str | None: ...
    @property
    def over(self) -> bool: ...

# batch_game.cpp: arrays are read-only, the same ones for the life of the batch

class BatchGame:
    def __init__(
        self,
        setup: Setup,
        *,
        n: SupportsIndex,
        seats: SupportsIndex,
        seed: SupportsIndex,
        threads: SupportsIndex,
    ) -> None: ...
    def reset(self) -> None: ...
    def step(self, moves: npt.ArrayLike) -> None: ...
    def _observe(
        self, seat: SupportsIndex, out: npt.NDArray[np.int8] | None
    ) -> npt.NDArray[np.int8]: ...
    @property
    def n(self) -> int: ...
    @property
    def n_seats(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    @property
    def n_moves(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def layout(self) -> dict[str, slice]: ...
    @property
    def observations(self) -> npt.NDArray[np.int8]: ...  # (n, n_features)
    @property
    def legal_masks(self) -> npt.NDArray[np.bool_]: ...  # (n, n_moves)
    @property
    def seats(self) -> npt.NDArray[np.int8]: ...  # (n,)
    @property
    def rewards(self) -> npt.NDArray[np.float32]: ...  # (n, n_seats)
    @property
    def dones(self) -> npt.NDArray[np.bool_]: ...  # (n,)
    @property
    def truncated(self) -> npt.NDArray[np.bool_]: ...  # (n,)
    @property
    def final_totals(self) -> npt.NDArray[np.int32]: ...  # (n, n_seats)
    @property
    def game_seeds(self) -> npt.NDArray[np.uint64]: ...  # (n,)
