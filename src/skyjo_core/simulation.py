# SPDX-License-Identifier: MIT
"""Many games of native or compiled bots, in threads, and what came of them as arrays."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from skyjo_core import _core
from skyjo_core.game import checked_integer, checked_rules
from skyjo_core.play import load_one
from skyjo_core.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Simulation", "simulate"]

_MOST_GAMES: Final = 10**10
_MOST_THREADS: Final = 256
_PART_SECONDS: Final = 0.2  # between two looks at Ctrl-C, unless a game takes longer


@dataclass(frozen=True, eq=False)
class Simulation:
    """What came of simulated games.

    Attributes
    ----------
    totals : int32, shape (games, seats)
        Points by game and absolute seat.
    places : int8, shape (games, seats)
        1 is best; forfeiters share the last place.
    rounds : int32, shape (games,)
        Rounds of each game.
    turns : int64, shape (games,)
        Complete turns of each game, of all its rounds and seats together.
    digest : str
        32 hexadecimal digits over every game in order: its moves (on the path "pluggable"), totals
        and places. The same for any number of threads.
    path : str
        "fused" (random play in one loop) or "pluggable" (bot by bot).
    faults : list of dict
        Of each forfeit: game, round, move, seat, kind ("illegal_move" or "exception"), detail.
    """

    totals: npt.NDArray[np.int32] = field(repr=False)
    places: npt.NDArray[np.int8] = field(repr=False)
    rounds: npt.NDArray[np.int32] = field(repr=False)
    turns: npt.NDArray[np.int64] = field(repr=False)
    digest: str
    path: str
    faults: list[dict[str, Any]]

    def __str__(self) -> str:
        """A summary: what was played, and the means of each seat."""
        games, seats = self.totals.shape
        lines = [
            f"{games:,} games of {seats} seats, {self.path}: {int(self.rounds.sum()):,} rounds, "
            f"{int(self.turns.sum()):,} turns, {len(self.faults)} forfeits, digest {self.digest}"
        ]
        for seat in range(seats if games > 0 else 0):
            first = 100 * float((self.places[:, seat] == 1).mean())
            points = float(self.totals[:, seat].mean())
            lines.append(f"seat {seat}: {points:.1f} points a game, first in {first:.1f} %")
        return "\n".join(lines)


def simulate(
    bots: Any,
    games: int,
    seats: int | None = None,
    rules: Rules | None = None,
    seed: int = 0,
    threads: int | None = None,
    path: str = "auto",
    *,
    progress: Callable[[int, int], object] | None = None,
) -> Simulation:
    """Plays games of native or compiled bots without the GIL.

    Game i has the decks of the i-th deal of a tournament with this master seed, and its bots
    streams of their own, on the path "pluggable"; the path "fused" draws its cards as they show.
    Both are samples of the same game, but not the same games.

    Parameters
    ----------
    bots : spec or sequence of specs
        One a seat, or one for all with `seats`: "native:random", the path of a .pyx file or of an
        extension module, "module:ATTRIBUTE", or a capsule.
    games : int
        How many, 0 or more.
    seats : int, optional
        2 to rules.max_seats; default: one for each bot.
    rules : Rules, optional
        Default `Rules()`, the preset classic-fr.
    seed : int
        Master seed, 0..2**64 - 1: decides everything.
    threads : int, optional
        Default: one for each processor that this process may use.
    path : {"auto", "fused", "pluggable"}
        "fused" is for native:random alone, on 3 x 4 cells by the common rules; "auto" takes it
        where it can.
    progress : callable, optional
        progress(done, games) is called from time to time, and at the end.

    Raises
    ------
    BrokenBotError
        A bot cannot be loaded.
    ValueError
        A bot is neither native nor compiled, or the path does not play such bots by such rules.
    KeyboardInterrupt
        The user pressed Ctrl-C.

    Examples
    --------
    >>> result = simulate("native:random", 1000, seats=4, seed=1)
    >>> result.path, result.totals.shape
    ('fused', (1000, 4))
    """
    rules = checked_rules("simulate", rules)
    games = checked_integer("simulate: games", games, 0, _MOST_GAMES)
    seed = checked_integer("simulate: seed", seed, 0, 2**64 - 1)
    threads = checked_integer(
        "simulate: threads", _all_processors() if threads is None else threads, 1, _MOST_THREADS
    )
    chosen = _compiled(_one_a_seat(bots, seats, rules))
    plan = _Plan(rules, chosen, seed, threads, _fused(path, rules, chosen))
    return plan.play(games, progress)


def _all_processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _one_a_seat(bots: Any, seats: int | None, rules: Rules) -> list[Any]:
    """The bots by seat."""
    several = isinstance(bots, Sequence) and not isinstance(bots, (str, bytes))
    given = list(bots) if several else [bots]
    if seats is not None:
        seats = checked_integer("simulate: seats", seats, 2, rules.max_seats)
        if len(given) not in (1, seats):
            raise ValueError(
                f"simulate: bots: expected one for all or one for each of {seats} seats, "
                f"got {len(given)}"
            )
        return given * (seats // len(given))
    if not 2 <= len(given) <= rules.max_seats:
        raise ValueError(
            f"simulate: bots: expected one for each of 2 to {rules.max_seats} seats, got "
            f"{len(given)}; seats=N plays one bot on N seats"
        )
    return given


def _compiled(bots: Sequence[Any]) -> list[_core.CompiledBot]:
    """Those bots behind the C struct; each is loaded once."""
    loaded: list[_core.CompiledBot] = []
    for seat, bot in enumerate(bots):
        if seat > 0 and bot is bots[seat - 1]:
            loaded.append(loaded[-1])
            continue
        one = load_one(bot, "simulate")
        if one.native is None:
            raise ValueError(
                f"simulate: bots: expected native or compiled bots, got {one.name!r}, which "
                "decides in Python and offers no SKYJO_BOT; tournament.run and play_game play any "
                "bot"
            )
        loaded.append(one.native)
    return loaded


def _fused(path: str, rules: Rules, bots: list[_core.CompiledBot]) -> bool:
    """Whether the path is the fused one."""
    if path not in ("auto", "fused", "pluggable"):
        raise ValueError(f"simulate: path: expected 'auto', 'fused' or 'pluggable', got {path!r}")
    possible = _core.can_fuse(rules._setup, bots)
    if path == "fused" and not possible:
        names = ", ".join(dict.fromkeys(bot.name for bot in bots))
        raise ValueError(
            "simulate: path: expected native:random on 3 x 4 cells by common rules for 'fused', "
            f"got {names} by {rules!r}; 'pluggable' plays them"
        )
    return path != "pluggable" and possible


@dataclass(frozen=True, slots=True)
class _Plan:
    rules: Rules
    bots: list[_core.CompiledBot]
    seed: int
    threads: int
    fused: bool

    def play(self, games: int, progress: Callable[[int, int], object] | None) -> Simulation:
        import numpy as np

        n_seats = len(self.bots)
        totals = np.empty((games, n_seats), np.int32)
        places = np.empty((games, n_seats), np.int8)
        rounds = np.empty(games, np.int32)
        turns = np.empty(games, np.int64)
        hashes = np.empty(games, np.uint64)
        faults: list[dict[str, Any]] = []
        done, part = 0, self.threads
        while done < games:
            start = time.perf_counter()
            part = min(part, games - done)
            faults += _core.simulate(
                self.rules._setup,
                self.bots,
                seed=self.seed,
                fused=self.fused,
                first=done,
                n=part,
                threads=self.threads,
                totals=totals,
                places=places,
                rounds=rounds,
                turns=turns,
                hashes=hashes,
            )
            done += part
            taken = max(time.perf_counter() - start, 1e-9)
            part = max(self.threads, min(8 * part, int(part * _PART_SECONDS / taken)))
            if progress is not None:
                progress(done, games)
        digest = hashlib.blake2b(hashes.astype("<u8", copy=False).data, digest_size=16)
        for array in (totals, places, rounds, turns):
            array.flags.writeable = False
        return Simulation(
            totals,
            places,
            rounds,
            turns,
            digest.hexdigest(),
            "fused" if self.fused else "pluggable",
            [self._told(fault) for fault in faults],
        )

    def _told(self, fault: dict[str, Any]) -> dict[str, Any]:
        """A fault as in a record, with the number of its game."""
        name = self.bots[fault["seat"]].name
        if fault["kind"] == "exception":
            detail = f"{name} told of an exception"
        else:
            move = _core.move_name(fault["answer"], self.rules.rows)
            detail = (
                f"{name} answered {fault['answer']} ({move}), expected one of: {fault['legal']}"
            )
        keys = ("game", "round", "move", "seat", "kind")
        return {key: fault[key] for key in keys} | {"detail": detail}
