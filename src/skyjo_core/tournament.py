# SPDX-License-Identifier: MIT
"""Tournaments: bots in, a ranking out. `python -m skyjo_core.tournament` is the command line."""

from __future__ import annotations

import gzip
import importlib
import json
import math
import operator
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Final

from skyjo_core.batch import (
    Batch,
    GameResult,
    global_random_kept,
    play_batch,
    seed_global_random,
)
from skyjo_core.bradley_terry import win_groups
from skyjo_core.folder import Output
from skyjo_core.interrupt import Interrupt
from skyjo_core.loader import (
    BrokenBotError,
    LoadedBot,
    bot_from_object,
    load_bot,
    object_name,
)
from skyjo_core.progress import Progress
from skyjo_core.ratings import Ratings, rate
from skyjo_core.report import as_text
from skyjo_core.rules import Rules, rules_text
from skyjo_core.schedule import Schedule
from skyjo_core.spec import BotSpec, parse_spec, unique_names
from skyjo_core.standings import Crosstable, Standing, crosstable, standings
from skyjo_core.tally import Tally
from skyjo_core.workers import (
    WorkerLostError,
    WorkerPool,
    close_idle_workers,
    play_bytes,
    play_schedule,
    read_answer,
)

__all__ = ["BrokenBotsError", "Entrants", "Settings", "TournamentResult", "enter", "play", "run"]

_FEW_DEALS: Final = 20
_MAX_LISTED: Final = 5  # bots named in a note
_MAX_WORKERS: Final = 1024
_MIN_PRIOR: Final = 1e-6  # below it the ratings of a separated field are beyond a float

Found = BotSpec | LoadedBot | BrokenBotError
"""A bot as it was found: where it comes from, itself, or what is wrong with it."""


class BrokenBotsError(Exception):
    """Bots that are there but cannot be loaded; `faults` holds a text for each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a tournament is played: the options of API section 8, by their names."""

    seats: int = 2
    deals: int = 100
    seed: int = 1
    workers: int = 2
    rules: Rules = field(default_factory=Rules)
    duplicate: str = "rotate"
    format: str = "round-robin"
    deck: str = "stack"
    on_fault: str = "forfeit"
    records: bool = False
    anchor: tuple[str, float] | None = None
    prior: float = 1.0

    def __post_init__(self) -> None:
        for name in ("seats", "deals", "seed", "workers"):
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, operator.index(value))
            except TypeError:
                raise TypeError(f"{name}: expected a whole number, got {value!r}") from None
        faults = [
            f"{name}: expected {expected}, got {getattr(self, name)!r}"
            for name, ok, expected in self._checks()
            if not ok
        ]
        if faults:
            raise ValueError("; ".join(faults))

    def _checks(self) -> list[tuple[str, bool, str]]:
        most = self.rules.max_seats
        choices = {
            "duplicate": ("rotate", "full", "off"),
            "format": ("round-robin", "gauntlet"),
            "deck": ("stack", "lanes"),
            "on_fault": ("forfeit", "abort"),
        }
        return [
            ("seats", 2 <= self.seats <= most, f"2 to {most} under these rules"),
            ("deals", self.deals >= 1, "at least 1"),
            ("seed", 0 <= self.seed < 2**64, "0 to 2**64 - 1"),
            ("workers", 1 <= self.workers <= _MAX_WORKERS, f"1 to {_MAX_WORKERS}"),
            (
                "prior",
                self.prior == 0 or _MIN_PRIOR <= self.prior < math.inf,
                f"a number of virtual ties, 0 or from {_MIN_PRIOR:g} on",
            ),
            (
                "anchor",
                self.anchor is None or math.isfinite(self.anchor[1]),
                "a name and a finite rating",
            ),
            *(
                (name, getattr(self, name) in words, " or ".join(words))
                for name, words in choices.items()
            ),
        ]


@dataclass(slots=True)
class Entrants:
    """The bots of a tournament, found and named.

    Attributes
    ----------
    names : tuple of str
        Different from one another; that of the fill bot last, if one plays.
    specs : tuple
        Where each comes from; None for one that only this process has.
    here : dict of int to LoadedBot
        The bots that are loaded in this process.
    fill : bool
        Whether the last one only fills seats.
    notes : list of str
        What the user should know: bots renamed, left out, played in this process.
    printed : list of (str, str)
        What bots printed while they were loaded.
    """

    names: tuple[str, ...]
    specs: tuple[BotSpec | None, ...]
    here: dict[int, LoadedBot]
    fill: bool
    notes: list[str]
    printed: list[tuple[str, str]]

    @property
    def n_bots(self) -> int:
        """Entrants without the fill bot."""
        return len(self.names) - self.fill


class TournamentResult:
    """What came of a tournament.

    Attributes
    ----------
    standings : list of Standing
        Best first.
    crosstable : Crosstable
        Each bot against each other.
    ratings : Ratings or None
        The joint ratings with their covariance; None where they are not determined.
    ratings_error : str or None
        Why they are not.
    settings : Settings
    digest : str
        Equal for equal tournaments, however they were run.
    faults : list of dict
        game, bot, round, move, seat, kind, detail of each forfeit.
    n_games, n_scheduled : int
        Games played, and how many there were to play.
    notes : list of str
    """

    def __init__(
        self,
        tally: Tally,
        schedule: Schedule,
        settings: Settings,
        notes: Sequence[str],
    ) -> None:
        results = tally.results()
        self.settings = settings
        self.ratings: Ratings | None = None
        self.ratings_error: str | None = None
        try:
            self.ratings = rate(results, prior=settings.prior, anchor=settings.anchor)
        except ValueError as error:
            self.ratings_error = str(error)
        self.standings: list[Standing] = standings(results, self.ratings or rate(results))
        if self.ratings is None:
            self.standings = [
                replace(line, rating=None, rating_low=None, rating_high=None)
                for line in self.standings
            ]
        self.crosstable: Crosstable = crosstable(results)
        self.digest = tally.digest
        self.faults = tally.faults
        self.n_games = tally.n_games
        self.n_scheduled = schedule.n_games
        self.notes = [*notes, *_notes(self, schedule)]
        self._records: IO[bytes] | Path | None = None

    @property
    def title(self) -> str:
        """One line that says what was played."""
        settings = self.settings
        return (
            f"{len(self.crosstable.bots)} bots, {settings.seats} seats, {settings.deals} deals, "
            f"{self.n_games} games, rules {rules_text(settings.rules)}, {settings.deck} deck, "
            f"duplicate {settings.duplicate}, seed {settings.seed}"
        )

    def records(self) -> Iterator[dict[str, Any]]:
        """The record of each game, in schedule order.

        Raises
        ------
        ValueError
            The tournament was run with records=False.
        """
        if self._records is None:
            raise ValueError("records: expected a tournament run with records=True")
        if isinstance(self._records, Path):
            source: Any = self._records
        else:
            self._records.seek(0)
            source = self._records
        with gzip.open(source, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data: "skyjo-result/1" of API section 8."""
        table = self.crosstable
        return {
            "format": "skyjo-result/1",
            "standings": [asdict(line) for line in self.standings],
            "crosstable": {
                "bots": list(table.bots),
                "score": table.score.tolist(),
                "games": table.games.tolist(),
                "points": table.points.tolist(),
            },
            "digest": self.digest,
            "seed": str(self.settings.seed),
            "deck": self.settings.deck,
            "duplicate": self.settings.duplicate,
            "faults": self.faults,
        }

    def to_json(self) -> str:
        """The result as one JSON object on one line."""
        return json.dumps(self.to_dict())

    def __str__(self) -> str:
        return as_text(self.title, self.standings, self.crosstable, self.notes)


def _notes(result: TournamentResult, schedule: Schedule) -> list[str]:
    """What a reader of the tables must know to believe them rightly."""
    notes = []
    ratings = result.ratings
    if ratings is not None:
        deals = f"{ratings.n_clusters} deals"
        few = (
            ", few: take the intervals with a grain of salt"
            if ratings.n_clusters < _FEW_DEALS
            else ""
        )
        interval = (
            f"95 % intervals clustered by {deals}{few}"
            if ratings.n_clusters > 1
            else "one deal: no intervals"
        )
        notes.append(f"Ratings: {ratings.model}; {interval}.")
        if ratings.fit_p < 0.01:
            notes.append(
                "One number per bot does not describe these results well "
                f"(p = {ratings.fit_p:.2g}): look at the crosstable."
            )
        notes += _separation(result.crosstable)
    if not schedule.neighbours_balanced and result.settings.seats > 2:
        notes.append(
            "The number of deals is no multiple of the number of seat orders: who sits after whom "
            "is not balanced."
        )
    return notes


def _separation(table: Crosstable) -> list[str]:
    """A note on the bots outside the largest group in which bots both win and lose points."""
    groups = win_groups(table.score, table.bots)
    met = dict(zip(table.bots, table.games.sum(axis=1), strict=True))
    largest = max(groups, key=len)
    apart = [bot for group in groups if group is not largest for bot in group if met[bot]]
    if not apart:
        return []
    listed = ", ".join(apart[:_MAX_LISTED])
    more = f" and {len(apart) - _MAX_LISTED} more" if len(apart) > _MAX_LISTED else ""
    return [
        f"{listed}{more} won or lost every game against the others: such ratings rest on the "
        "prior, their intervals are too short."
    ]


def enter(
    bots: Sequence[Any],
    *,
    fill: Any = None,
    seats: int = 2,
    skip_broken: bool = False,
    pool: WorkerPool,
) -> Entrants:
    """Finds, loads and names the bots of a tournament.

    Raises
    ------
    BrokenBotsError
        Bots cannot be loaded; with skip_broken only if none is left.
    FileNotFoundError, ValueError
        A spec is wrong, or there are too few bots.
    """
    if isinstance(bots, (str, os.PathLike)):
        bots = [bots]
    found: list[Found] = []
    for bot in bots:
        found += _find(bot, pool)
    n_entrants = len(found)
    if fill is not None:
        fills = _find(fill, pool)
        if len(fills) != 1:
            raise ValueError(f"fill: expected one bot, got {len(fills)}: {fill}")
        found += fills
    names, printed, broken = _names(found, pool)
    if broken and (not skip_broken or (fill is not None and len(found) - 1 in broken)):
        raise BrokenBotsError(list(broken.values()))
    notes = [f"left out: {text}" for text in broken.values()]
    kept = [number for number in range(len(found)) if number not in broken]
    n_kept = sum(number < n_entrants for number in kept)
    if broken and n_kept == 0:
        raise BrokenBotsError(list(broken.values()))
    if fill is not None and n_kept >= seats:
        kept.pop()
        notes.append("fill: there are bots enough for every seat, the fill bot does not play")
        fill = None
    if n_kept < seats and fill is None:
        raise ValueError(
            f"seats: expected at least {seats} bots for {seats} seats, got {n_kept}; "
            "add bots, or name one that takes the seats left over (fill, --fill native:random)"
            + "".join(f"\n{note}" for note in notes)
        )
    return _entrants(
        [bot for number in kept if not isinstance(bot := found[number], BrokenBotError)],
        [names[number] for number in kept],
        fill is not None,
        notes,
        printed,
    )


def _entrants(
    bots: Sequence[BotSpec | LoadedBot],
    names: Sequence[str],
    fill: bool,
    notes: list[str],
    printed: list[tuple[str, str]],
) -> Entrants:
    unique, renamed = unique_names(names)
    notes = [*notes, *renamed]
    specs = tuple(bot if isinstance(bot, BotSpec) else None for bot in bots)
    here = {number: bot for number, bot in enumerate(bots) if isinstance(bot, LoadedBot)}
    if here:
        which = ", ".join(unique[number] for number in here)
        notes.append(
            f"{which} cannot be imported by name: all games are played in this process, one by one"
        )
    if here or all(spec is not None and spec.kind == "native" for spec in specs):
        here |= {number: load_bot(spec) for number, spec in enumerate(specs) if spec is not None}
    return Entrants(tuple(unique), specs, here, fill, notes, printed)


def _find(bot: Any, pool: WorkerPool) -> list[Found]:
    """What a bot given to run() names: specs, or a bot that only this process has."""
    if isinstance(bot, (str, os.PathLike)):
        return list(parse_spec(os.fspath(bot)))
    if isinstance(bot, (BotSpec, LoadedBot)):
        return [bot]
    module, name = getattr(bot, "__module__", None), getattr(bot, "__qualname__", "")
    if module and module != "__main__" and name.isidentifier():
        try:
            same = getattr(importlib.import_module(module), name, None) is bot
        except ImportError:
            same = False
        spec = BotSpec("import", f"{module}:{name}")
        # A module that this process has need not be where others find it.
        if same and pool.look_at([spec])[0].error is None:
            return [spec]
    if not callable(bot):
        raise TypeError(f"bots: expected a spec, a path, a function or a Bot class, got {bot!r}")
    try:
        return [bot_from_object(bot, object_name(bot))]
    except BrokenBotError as error:
        return [error]


def _names(
    found: Sequence[Found], pool: WorkerPool
) -> tuple[list[str], list[tuple[str, str]], dict[int, str]]:
    """Each bot's own name, what loading printed, and what is wrong with the broken ones."""
    names: list[str] = []
    printed: list[tuple[str, str]] = []
    broken: dict[int, str] = {}
    remote = [spec for spec in found if isinstance(spec, BotSpec) and spec.kind != "native"]
    looked = iter(pool.look_at(remote) if remote else [])
    for number, bot in enumerate(found):
        if isinstance(bot, LoadedBot):
            names.append(bot.name)
        elif isinstance(bot, BrokenBotError):
            names.append("")
            broken[number] = str(bot)
        elif bot.kind == "native":
            names.append(bot.target)
        else:
            seen = next(looked)
            names.append(seen.name or bot.target)
            printed.append((names[-1], seen.printed))
            if seen.error is not None:
                broken[number] = seen.error
    return names, printed, broken


def play(
    entrants: Entrants,
    settings: Settings,
    *,
    pool: WorkerPool,
    executor: Executor | None = None,
    out: Path | None = None,
    progress: str = "off",
    interrupt: Interrupt | None = None,
) -> tuple[TournamentResult, BaseException | None]:
    """Plays a tournament; the second value is what cut it short, else None.

    That may be Ctrl-C (KeyboardInterrupt), a results folder that cannot be written (OSError), or a
    bot that has ended its process (WorkerLostError); the result then holds the games so far.
    """
    schedule = _schedule(entrants, settings)
    tally = Tally(entrants.names, settings.seats)
    output = Output(out, settings.records, entrants.names)
    stopped: BaseException | None = None
    try:
        with ExitStack() as stack:
            if interrupt is None:
                interrupt = stack.enter_context(Interrupt())
            bar = stack.enter_context(Progress(schedule.n_games, progress))
            try:
                for name, text in entrants.printed:
                    output.loaded(name, text)
                games = _games(entrants, settings, schedule, pool, executor, stack)
                while True:
                    with interrupt.allowed():
                        game = next(games, None)
                    if game is None:
                        break
                    output.add(*game)
                    tally.add(*game)
                    bar.add(len(game[1].faults))
            except (KeyboardInterrupt, OSError, WorkerLostError) as error:
                stopped = error
                pool.close()
        result = TournamentResult(tally, schedule, settings, entrants.notes)
        try:
            result._records = output.close(result.to_json())
        except OSError as error:
            stopped = stopped or error
    except BaseException:
        with suppress(OSError):
            output.close()
        raise
    return result, stopped


def _schedule(entrants: Entrants, settings: Settings) -> Schedule:
    return Schedule(
        n_bots=entrants.n_bots,
        n_seats=settings.seats,
        deals=settings.deals,
        duplicate=settings.duplicate,
        format=settings.format,
        seed=settings.seed,
        names=entrants.names,
        fill=entrants.n_bots if entrants.fill else None,
    )


def _games(
    entrants: Entrants,
    settings: Settings,
    schedule: Schedule,
    pool: WorkerPool,
    executor: Executor | None,
    stack: ExitStack,
) -> Iterator[tuple[Any, GameResult]]:
    """The games in schedule order, from wherever they are played."""
    batch = Batch(
        run=pool.run,
        bots=entrants.specs,
        names=entrants.names,
        rules=settings.rules,
        seed=settings.seed,
        deck=settings.deck,
        on_fault=settings.on_fault,
        records=settings.records,
        tables=(),
    )
    n_workers = settings.workers
    play: Callable[[Batch], list[GameResult]]
    bots = entrants.here
    if any(bot.native is None for bot in bots.values()):
        stack.enter_context(global_random_kept())

        def play(batch: Batch) -> list[GameResult]:
            return play_batch(batch, bots, before_game=seed_global_random, stop_on_interrupt=True)

        executor, n_workers = _AtOnce(), 1
    elif executor is not None:
        n_workers = getattr(executor, "_max_workers", n_workers)
        play = play_anywhere
        stack.callback(close_idle_workers)
    elif bots:

        def play(batch: Batch) -> list[GameResult]:
            return play_batch(batch, bots)

    else:

        def play(batch: Batch) -> list[GameResult]:
            return read_answer(pool.play(batch.to_bytes()))

    if executor is None:
        executor = stack.enter_context(_Threads(n_workers))
    yield from play_schedule(schedule, batch, play, executor, n_workers)


class _AtOnce(Executor):
    """Runs a task in the thread that submits it: there Ctrl-C reaches a bot at its move."""

    def submit(self, task: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(task(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _Threads(ThreadPoolExecutor):
    """Threads that wait for worker processes; leaving drops what has not begun."""

    def __exit__(self, *exception: object) -> None:
        self.shutdown(wait=True, cancel_futures=True)


def play_anywhere(batch: Batch) -> list[GameResult]:
    """Plays a batch in a worker process of whatever process this is called in."""
    return read_answer(play_bytes(batch.to_bytes()))


def run(
    bots: Sequence[Any],
    seats: int = 2,
    deals: int = 100,
    seed: int | None = 1,
    workers: int = 2,
    rules: Rules | None = None,
    executor: Executor | None = None,
    out: str | os.PathLike[str] | None = None,
    *,
    fill: Any = None,
    duplicate: str = "rotate",
    format: str = "round-robin",
    deck: str = "stack",
    on_fault: str = "forfeit",
    skip_broken: bool = False,
    anchor: tuple[str, float] | None = None,
    prior: float = 1.0,
    records: bool = True,
    progress: str = "off",
) -> TournamentResult:
    """Plays a tournament and ranks the bots.

    Parameters
    ----------
    bots : sequence
        Specs, paths, functions choose_move(view[, rng]) and Bot classes, mixed. What cannot be
        imported by name (a notebook's function, a lambda) plays in this process, with a note.
    seats, deals, duplicate, format, deck, on_fault, skip_broken, anchor, prior, fill
        As the options of the command line.
    seed : int or None
        Master seed, 0..2**64 - 1; None draws one.
    workers : int
        Worker processes (threads where all bots are native); never changes the result.
    executor : concurrent.futures.Executor, optional
        Where batches of games run instead; each of its processes starts workers of its own.
    out : path, optional
        Results folder, new or empty.
    records : bool
        Whether to keep the records, for `result.records()`.
    progress : {"off", "auto", "lines"}
        What to tell on standard error meanwhile.

    Raises
    ------
    BrokenBotsError
        Bots cannot be loaded.
    ValueError, TypeError, FileNotFoundError
        An option or a spec is wrong, or with prior=0 the ratings are not determined.
    OSError
        The results folder cannot be written.
    WorkerLostError
        A bot has ended its process.

    Examples
    --------
    >>> result = run(["native:threshold", "native:random"], deals=5, seed=1)
    >>> [line.bot for line in result.standings]
    ['threshold', 'random']
    """
    settings = Settings(
        seats=seats,
        deals=deals,
        seed=secrets.randbits(64) if seed is None else seed,
        workers=workers,
        rules=rules or Rules(),
        duplicate=duplicate,
        format=format,
        deck=deck,
        on_fault=on_fault,
        records=records,
        anchor=anchor,
        prior=prior,
    )
    folder = None
    with WorkerPool() as pool:
        entrants = enter(bots, fill=fill, seats=seats, skip_broken=skip_broken, pool=pool)
        check_anchor(settings, entrants)
        if out is not None:
            from skyjo_core.folder import new_folder

            folder = new_folder(Path(out))
        result, stopped = play(
            entrants, settings, pool=pool, executor=executor, out=folder, progress=progress
        )
    if stopped is not None:
        raise stopped
    if result.ratings_error is not None:
        raise ValueError(result.ratings_error)
    return result


def check_anchor(settings: Settings, entrants: Entrants) -> None:
    """Raises ValueError where the anchor is none of the bots."""
    if settings.anchor is not None and settings.anchor[0] not in entrants.names:
        names = ", ".join(entrants.names)
        raise ValueError(f"anchor: expected one of the bots ({names}), got {settings.anchor[0]!r}")


if __name__ == "__main__":
    import sys

    if sys.path[:1] == [str(Path.cwd())]:
        # What is imported from here on is not taken from bots that are named like it.
        sys.path.append(sys.path.pop(0))

    from skyjo_core.tournament_cli import main

    sys.exit(main())
