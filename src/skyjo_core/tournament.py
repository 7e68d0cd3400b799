# SPDX-License-Identifier: MIT
"""Tournaments: bots in, a ranking out. `python -m skyjo_core.tournament` is the command line."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

from skyjo_core.batch import (
    Batch,
    PlayedBatch,
    global_random_kept,
    play_batch,
    seed_global_random,
)
from skyjo_core.entrants import BrokenBotsError, Entrants, check_anchor, enter
from skyjo_core.folder import Output
from skyjo_core.interrupt import Interrupt
from skyjo_core.outcome import TournamentResult
from skyjo_core.progress import Progress, say
from skyjo_core.rules import Rules
from skyjo_core.schedule import Schedule, Table
from skyjo_core.settings import Settings
from skyjo_core.tally import Tally
from skyjo_core.workers import (
    MAX_BATCH,
    WorkerLostError,
    WorkerPool,
    close_idle_workers,
    play_bytes,
    play_schedule,
    read_answer,
)

__all__ = ["BrokenBotsError", "Entrants", "Settings", "TournamentResult", "enter", "play", "run"]


# Games, of a thread: beside its play this one counts the batch before; larger ones wait longer.
_MAX_NATIVE_BATCH: Final = 250


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
                        part = next(games, None)
                    if part is None:
                        break
                    tables, played = part
                    for table, game in zip(tables, played.games, strict=False):
                        tally.add(table, game)
                    output.add(tables, played)
                    bar.add(len(played.games), sum(len(game.faults) for game in played.games))
            except (KeyboardInterrupt, OSError, WorkerLostError) as error:
                stopped = error
                pool.close()
        result = TournamentResult(tally, schedule, settings, entrants.notes, entrants.sources)
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
) -> Iterator[tuple[Sequence[Table], PlayedBatch]]:
    """The games in schedule order, batch by batch, from wherever they are played."""
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
    n_workers, size = settings.workers, MAX_BATCH
    play: Callable[[Batch], PlayedBatch]
    bots = entrants.here
    if any(bot.native is None for bot in bots.values()):
        stack.enter_context(global_random_kept())

        def play(batch: Batch) -> PlayedBatch:
            return play_batch(batch, bots, before_game=seed_global_random, stop_on_interrupt=True)

        executor, n_workers = _AtOnce(), 1
    elif executor is not None and None not in entrants.specs:
        n_workers = getattr(executor, "_max_workers", n_workers)
        play = play_anywhere
        stack.callback(close_idle_workers)
    elif bots:
        executor, size = None, _MAX_NATIVE_BATCH  # others have not what only this process has

        def play(batch: Batch) -> PlayedBatch:
            return play_batch(batch, bots)

    else:

        def play(batch: Batch) -> PlayedBatch:
            return pool.played(batch.to_bytes())

    if executor is None:
        executor = stack.enter_context(_Threads(n_workers))
    yield from play_schedule(schedule, batch, play, executor, n_workers, size)


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


def play_anywhere(batch: Batch) -> PlayedBatch:
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
        rules=Rules() if rules is None else rules,
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
        entrants = enter(
            bots,
            fill=fill,
            seats=seats,
            skip_broken=skip_broken,
            pool=pool,
            tell=None if progress == "off" else say,
        )
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


if __name__ == "__main__":
    import sys

    from skyjo_core.tournament_cli import main

    sys.exit(main())
