# SPDX-License-Identifier: MIT
"""Worker processes, and the order of their work: tables in, results in schedule order out."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import replace
from typing import Any, BinaryIO, Final, cast

from skyjo_core._worker import read_message, write_message
from skyjo_core.batch import Batch, GameResult
from skyjo_core.loader import BrokenBotError
from skyjo_core.schedule import Schedule, Table
from skyjo_core.spec import BotSpec

__all__ = ["Looked", "WorkerLostError", "WorkerPool", "play_bytes", "play_schedule", "read_answer"]

_BATCH_SECONDS: Final = 0.25  # a batch should take about so long
_MAX_BATCH: Final = 2000  # games


class WorkerLostError(Exception):
    """A worker process ended in the middle of its work."""


class _Process:
    """One worker process."""

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        # -P: a file in the current folder must not stand in for a module of the standard library.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "skyjo_core._worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            process_group=0,
        )

    def ask(self, request: bytes) -> dict[str, Any]:
        try:
            write_message(cast(BinaryIO, self._process.stdin), request)
            answer = read_message(cast(BinaryIO, self._process.stdout))
        except (OSError, ValueError):
            answer = None
        if answer is None:
            raise WorkerLostError(self._how_it_ended())
        return cast(dict[str, Any], json.loads(answer))

    def _how_it_ended(self) -> str:
        self._process.kill()
        status = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip()
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return f"a worker process ended with {how}" + (f":\n{said}" if said else "")

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
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
                process.stop()
            self._idle.clear()
            self._all.clear()

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
        bots = [[spec.kind, spec.target, spec.options] for spec in specs]
        request = json.dumps({"run": self.run, "bots": bots, "path": sys.path}).encode()
        return [Looked(plain) for plain in self.ask(request)["bots"]]

    def play(self, request: bytes) -> bytes:
        """The answer to a batch as JSON."""
        return json.dumps(self.ask(request)).encode()


_pool = WorkerPool()


def play_bytes(request: bytes) -> bytes:
    """Plays a batch in a worker process of this process: the task for any executor."""
    return _pool.play(request)


def read_answer(answer: bytes) -> list[GameResult]:
    """The results in an answer.

    Raises
    ------
    BrokenBotError
        A bot could be loaded before and cannot now.
    """
    plain = json.loads(answer)
    if "error" in plain:
        raise BrokenBotError(plain["error"])
    return [GameResult(*fields) for fields in plain["games"]]


def play_schedule(
    schedule: Schedule,
    batch: Batch,
    play: Callable[[Batch], list[GameResult]],
    executor: Executor,
    n_workers: int,
) -> Iterator[tuple[Table, GameResult]]:
    """Plays a schedule on an executor and gives the results in schedule order.

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

    Notes
    -----
    At most two batches a worker are under way, so memory is bounded. The size of a batch follows
    the measured speed. Neither shows in what comes out.
    """
    cutter = _Cutter(schedule, n_workers)
    waiting: deque[tuple[list[Table], Future[list[GameResult]]]] = deque()
    try:
        while True:
            while len(waiting) < 2 * n_workers and (tables := cutter.next_tables()):
                future = executor.submit(_timed, play, replace(batch, tables=tuple(tables)))
                future.add_done_callback(cutter.learn)
                waiting.append((tables, future))
            if not waiting:
                return
            tables, future = waiting[0]
            if not future.done():
                wait([future for _, future in waiting], return_when=FIRST_COMPLETED)
                if not future.done():
                    continue
            waiting.popleft()
            results = future.result()[1]
            yield from zip(tables, results, strict=False)
            if len(results) < len(tables):
                return  # a fault has stopped the tournament
    finally:
        for _, future in waiting:
            future.cancel()


def _timed(
    play: Callable[[Batch], list[GameResult]], batch: Batch
) -> tuple[float, list[GameResult]]:
    start = time.perf_counter()
    results = play(batch)
    return time.perf_counter() - start, results


class _Cutter:
    """Cuts a schedule into batches of about equal time."""

    def __init__(self, schedule: Schedule, n_workers: int) -> None:
        self.schedule = schedule
        self.n_workers = n_workers
        self.next_game = 0
        self.games_per_second = 20.0  # until something is known: small batches

    def learn(self, future: Future[Any]) -> None:
        """Takes in the speed of a finished batch."""
        if future.cancelled() or future.exception() is not None:
            return
        seconds, results = future.result()
        speed = len(results) / max(seconds, 1e-6)
        self.games_per_second = (self.games_per_second + speed) / 2

    def next_tables(self) -> list[Table]:
        left = len(self.schedule) - self.next_game
        size = int(self.games_per_second * _BATCH_SECONDS)
        # Towards the end smaller batches keep all workers busy.
        size = max(1, min(size, _MAX_BATCH, -(-left // (2 * self.n_workers))))
        tables = list(self.schedule.tables(self.next_game, self.next_game + min(size, left)))
        self.next_game += len(tables)
        return tables
