# SPDX-License-Identifier: MIT
"""Worker processes, and the order of their work: tables in, results in schedule order out."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from dataclasses import replace
from typing import Any, BinaryIO, Final, cast

from skyjo_core._worker import pack_answer, read_message, unpack_answer, write_message
from skyjo_core.batch import Batch, GameResult, PlayedBatch, import_path
from skyjo_core.loader import BrokenBotError
from skyjo_core.schedule import Schedule, Table
from skyjo_core.spec import BotSpec

__all__ = [
    "MAX_BATCH",
    "Looked",
    "WorkerLostError",
    "WorkerPool",
    "close_idle_workers",
    "play_bytes",
    "play_schedule",
    "read_answer",
]

MAX_BATCH: Final = 1000
"""Games of a batch at most, of a worker process."""
_BATCH_SECONDS: Final = 0.25  # a batch should take about so long
_MAX_LAST_WORDS: Final = 8000  # bytes of what a process printed before it died
_LAST_SECONDS: Final = 1.0  # for a process that has closed its pipes to end
_MAX_WAITING: Final = 32  # batches a worker, running or waiting for an earlier one


class WorkerLostError(Exception):
    """A worker process ended in the middle of its work."""


class _Process:
    """One worker process."""

    def __init__(self) -> None:
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        # -P: a file in the current folder must not stand in for a module of the standard library.
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "skyjo_core._worker", str(os.getpid())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._printed,
                process_group=0,
            )
        except BaseException:
            self._printed.close()
            raise

    def ask(self, request: bytes) -> dict[str, Any]:
        try:
            write_message(cast(BinaryIO, self._process.stdin), request)
            answer = read_message(cast(BinaryIO, self._process.stdout))
        except (OSError, ValueError):
            answer = None
        if answer is None:
            raise WorkerLostError(self._how_it_ended())
        try:
            return unpack_answer(answer)
        except ValueError:
            self.kill()
            raise WorkerLostError(
                "a worker process answered what no worker says: a bot has written to its pipe"
            ) from None

    def _how_it_ended(self) -> str:
        # Its pipes are closed, so it ends by itself: kill only what does not.
        try:
            status = self._process.wait(_LAST_SECONDS)
            self._kill_group()  # at once, before its number can be another's
        except subprocess.TimeoutExpired:
            self.kill()
            status = self._process.wait()
        last = ""
        with suppress(OSError, ValueError):  # the pool closes it meanwhile
            last = os.pread(self._printed.fileno(), _MAX_LAST_WORDS, 0).decode(errors="replace")
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return f"a worker process ended with {how}" + (f":\n{last.strip()}" if last else "")

    def kill(self) -> None:
        """Ends the process and all that bots have started in it."""
        if self._process.returncode is None:
            self._kill_group()

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def stop(self) -> None:
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._printed):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue  # what was not sent is lost with the process


class Looked:
    """What a worker said of one bot: its name, or why it cannot be loaded."""

    def __init__(self, plain: dict[str, Any]) -> None:
        self.name: str = plain.get("name", "")
        self.error: str | None = plain.get("error")
        self.printed: str = plain["printed"]


class WorkerPool:
    """Processes that are started when they are needed and kept for the next batch.

    `run` names the tournament that the pool serves: a worker loads the bots of a new one anew.
    """

    def __init__(self) -> None:
        self.run = secrets.token_hex(8)
        self._idle: list[_Process] = []
        self._all: list[_Process] = []
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends all processes at once."""
        with self._lock:
            self._closed = True
            for process in self._all:
                process.kill()
            for process in self._all:
                process.stop()
            self._idle.clear()
            self._all.clear()

    def close_idle(self) -> None:
        """Ends the processes that nobody waits for; new ones are started when they are needed."""
        with self._lock:
            for process in self._idle:
                process.stop()
                self._all.remove(process)
            self._idle.clear()

    def ask(self, request: bytes) -> dict[str, Any]:
        """One request to one process, for which nobody else waits meanwhile."""
        with self._lock:
            if self._closed:
                raise WorkerLostError("the workers have been stopped")
            process = self._idle.pop() if self._idle else None
            if process is None:
                process = _Process()
                self._all.append(process)
        answer = process.ask(request)
        with self._lock:
            self._idle.append(process)
        return answer

    def look_at(self, specs: Sequence[BotSpec]) -> list[Looked]:
        """Loads each bot in a worker, to learn its name or what is wrong with it."""
        return [self._look_at(spec) for spec in specs]

    def _look_at(self, spec: BotSpec) -> Looked:
        bot = [spec.kind, spec.target, spec.options]
        request = json.dumps({"run": self.run, "bot": bot, "path": import_path()}).encode()
        try:
            return Looked(self.ask(request))
        except WorkerLostError as error:
            if self._closed:
                raise
            return Looked({"error": f"{spec}: when it was loaded, {error}", "printed": ""})

    def play(self, request: bytes) -> bytes:
        """The answer to a batch as bytes."""
        return pack_answer(self.ask(request))

    def played(self, request: bytes) -> PlayedBatch:
        """What came of a batch; raises as read_answer does."""
        return _played(self.ask(request))


# By process: one that is forked must not talk to the workers of its parent.
_pools: dict[int, WorkerPool] = {}


def play_bytes(request: bytes) -> bytes:
    """Plays a batch in a worker process of this process: the task for any executor."""
    return _pools.setdefault(os.getpid(), WorkerPool()).play(request)


def close_idle_workers() -> None:
    """Ends the workers that play_bytes has started in this process and that do nothing."""
    if (pool := _pools.get(os.getpid())) is not None:
        pool.close_idle()


def read_answer(answer: bytes) -> PlayedBatch:
    """What came of a batch, from the answer to it.

    Raises
    ------
    BrokenBotError
        A bot could be loaded before and cannot now.
    """
    return _played(unpack_answer(answer))


def _played(plain: dict[str, Any]) -> PlayedBatch:
    if "error" in plain:
        raise BrokenBotError(plain["error"])
    return PlayedBatch([GameResult(*fields) for fields in plain["games"]], plain["records"])


def play_schedule(
    schedule: Schedule,
    batch: Batch,
    play: Callable[[Batch], PlayedBatch],
    executor: Executor,
    n_workers: int,
    max_batch: int = MAX_BATCH,
) -> Iterator[tuple[Sequence[Table], PlayedBatch]]:
    """Plays a schedule on an executor and gives the results in schedule order, batch by batch.

    Parameters
    ----------
    schedule : Schedule
        What to play.
    batch : Batch
        All that playing needs, without tables.
    play : callable
        Plays a batch; runs in the executor.
    executor : Executor
        Runs `play`.
    n_workers : int
        How many batches it runs at a time; decides only how the work is cut.
    max_batch : int
        Games of a batch at most.

    Notes
    -----
    At most two batches a worker are under way; more are finished only where an earlier one is not,
    and then so many that memory is bounded. The size of a batch follows the measured speed. Neither
    shows in what comes out.
    """
    cutter = _Cutter(schedule, n_workers, max_batch)
    waiting: deque[tuple[list[Table], Future[tuple[float, PlayedBatch]]]] = deque()
    try:
        while True:
            running = [future for _, future in waiting if not future.done()]
            # Where the next results are there already, taking them in is what takes time: no more
            # are made than keep the workers busy meanwhile.
            is_behind = bool(waiting) and waiting[0][1].done()
            most = (2 if is_behind else _MAX_WAITING) * n_workers
            while (
                len(running) < 2 * n_workers
                and len(waiting) < most
                and (tables := cutter.next_tables())
            ):
                future = executor.submit(_timed, play, replace(batch, tables=tuple(tables)))
                future.add_done_callback(cutter.learn)
                waiting.append((tables, future))
                running.append(future)
            if not waiting:
                return
            tables, future = waiting[0]
            if not future.done():
                wait(running, return_when=FIRST_COMPLETED)
                continue
            waiting.popleft()
            try:
                played = future.result()[1]
            except WorkerLostError as error:
                raise WorkerLostError(f"{error}\n{_at_table(tables, batch.names)}") from error
            yield tables, played  # the last one may have fewer games
            if played.games and played.games[-1].places is None:
                return  # a fault has stopped the tournament
    finally:
        for _, future in waiting:
            future.cancel()


def _at_table(tables: Sequence[Table], names: Sequence[str]) -> str:
    """Who was playing when a worker was lost."""
    first, last = tables[0].game, tables[-1].game
    which = f"game {first}" if first == last else f"one of the games {first} to {last}"
    players = sorted({names[bot] for table in tables for bot in table.seats})
    return f"It was playing {which}, with {', '.join(players)}."


def _timed(play: Callable[[Batch], PlayedBatch], batch: Batch) -> tuple[float, PlayedBatch]:
    start = time.perf_counter()
    played = play(batch)
    return time.perf_counter() - start, played


class _Cutter:
    """Cuts a schedule into batches of about equal time."""

    def __init__(self, schedule: Schedule, n_workers: int, max_batch: int) -> None:
        self.schedule = schedule
        self.n_workers = n_workers
        self.max_batch = max_batch
        self.next_game = 0
        self.games_per_second = 20.0  # until something is known: small batches

    def learn(self, future: Future[Any]) -> None:
        """Takes in the speed of a finished batch."""
        if future.cancelled() or future.exception() is not None:
            return
        seconds, played = future.result()
        speed = len(played.games) / max(seconds, 1e-6)
        self.games_per_second = (self.games_per_second + speed) / 2

    def next_tables(self) -> list[Table]:
        left = self.schedule.n_games - self.next_game
        size = int(self.games_per_second * _BATCH_SECONDS)
        # Towards the end smaller batches keep all workers busy.
        size = max(1, min(size, self.max_batch, -(-left // (2 * self.n_workers))))
        tables = list(self.schedule.tables(self.next_game, self.next_game + min(size, left)))
        self.next_game += len(tables)
        return tables
