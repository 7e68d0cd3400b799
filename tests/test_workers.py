# SPDX-License-Identifier: MIT
"""Worker processes: what they say of bots, what they catch, how they end; the order of work."""

from __future__ import annotations

import gzip
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena import BROKEN, FAULTY, HEALTHY, WATCHING, gone, wait_until, workers_of
from skyjo_core import Rules
from skyjo_core.batch import Batch, GameResult, PlayedBatch, play_batch
from skyjo_core.loader import BrokenBotError, LoadedBot, load_bot
from skyjo_core.schedule import Schedule, Table
from skyjo_core.spec import BotSpec, parse_spec
from skyjo_core.workers import (
    WorkerLostError,
    WorkerPool,
    close_idle_workers,
    play_bytes,
    play_schedule,
    read_answer,
)


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    """A pool that the tests share: each takes a name for its own tournament."""
    with WorkerPool() as shared:
        yield shared


def specs_of(*words: object) -> list[BotSpec]:
    return [spec for word in words for spec in parse_spec(str(word))]


def batch_of(*words: object, deals: int = 2, **changes: Any) -> tuple[Batch, Schedule]:
    """All games of these bots, two at a table; the bots' names are their numbers."""
    specs = tuple(specs_of(*words))
    names = tuple(f"bot{number}" for number in range(len(specs)))
    schedule = Schedule(len(specs), 2, deals, "rotate", "round-robin", 1, names)
    batch = Batch(
        run=secrets.token_hex(4),
        bots=specs,
        names=names,
        rules=Rules(threshold=30),
        seed=1,
        deck="stack",
        on_fault="forfeit",
        records=False,
        tables=tuple(schedule),
    )
    return replace(batch, **changes), schedule


def played(pool: WorkerPool, batch: Batch) -> list[GameResult]:
    return read_answer(pool.play(batch.to_bytes())).games


def printed(pool: WorkerPool, *words: object, **changes: Any) -> list[str]:
    return [game.printed for game in played(pool, batch_of(*words, **changes)[0])]


# What a worker says of a bot


def test_a_worker_says_the_name_of_a_bot_and_what_it_printed(pool: WorkerPool) -> None:
    looked = pool.look_at(specs_of(HEALTHY / "first.py", FAULTY / "prints.py"))
    assert [(bot.name, bot.error, bot.printed) for bot in looked] == [
        ("first", None, ""),
        ("prints", None, "prints: loaded\n"),
    ]


def test_a_worker_says_what_is_wrong_with_each_broken_bot() -> None:
    with WorkerPool() as pool:
        looked = pool.look_at(specs_of(BROKEN, HEALTHY / "first.py"))
    assert [bot.name for bot in looked] == [""] * (len(looked) - 1) + ["first"]
    errors = {Path(str(bot.error).partition(".py")[0]).name: bot.error for bot in looked[:-1]}
    assert len(errors) == len(list(BROKEN.glob("*.py")))
    assert errors["dies_at_import"] == (
        f"{BROKEN / 'dies_at_import.py'}: when it was loaded, a worker process ended with exit "
        "status 5:\nlast words of the bot"
    )
    assert errors["interrupts_at_import"] == (
        f"{BROKEN / 'interrupts_at_import.py'}: loading raised KeyboardInterrupt"
    )


# What a worker plays


def test_a_worker_plays_as_this_process_does(pool: WorkerPool) -> None:
    batch, _ = batch_of(HEALTHY, "native:threshold", records=True)
    bots = {number: load_bot(spec) for number, spec in enumerate(batch.bots) if spec is not None}
    there, here = read_answer(pool.play(batch.to_bytes())), play_batch(batch, bots)
    assert len(there.games) == 24
    assert [replace(game, seconds=[]) for game in there.games] == [
        replace(game, seconds=[]) for game in here.games
    ]
    assert there.records == here.records
    assert gzip.decompress(there.records).count(b"\n") == 24


def test_a_bot_is_loaded_and_set_up_once_a_process_and_made_once_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTED", str(tmp_path / "counted"))
    batch, schedule = batch_of(WATCHING / "counted.py", HEALTHY / "first.py", deals=3)
    with WorkerPool() as pool:
        pool.look_at([spec for spec in batch.bots if spec is not None])
        one = replace(batch, run=pool.run)
        for table in schedule:
            (game,) = played(pool, replace(one, tables=(table,)))
            assert game.faults == []
    lines = (tmp_path / "counted").read_text().splitlines()
    assert len({line.split()[1] for line in lines}) == 1
    assert [line.split()[0] for line in lines] == ["loaded", "setup"] + ["made"] * 6


def test_another_tournament_loads_its_bots_anew(pool: WorkerPool, tmp_path: Path) -> None:
    path = tmp_path / "changing.py"
    for word in ("one", "two"):
        path.write_text(f"print('{word}')\n{(HEALTHY / 'first.py').read_text()}")
        batch, _ = batch_of(path, "native:random")
        assert [game.printed for game in played(pool, batch)] == [f"{word}\n", "", "", ""]


def test_options_that_are_equal_but_of_other_types_are_kept_apart(pool: WorkerPool) -> None:
    typed = WATCHING / "typed.py"
    batch, schedule = batch_of(f"{typed}:x=1", f"{typed}:x=true", f"{typed}:x=1.0", deals=1)
    texts = ["x is 1\n", "x is True\n", "x is 1.0\n"]
    for table, game in zip(schedule, played(pool, batch), strict=True):
        assert game.printed == "".join(texts[bot] for bot in table.seats)


def test_what_is_printed_goes_with_its_game(pool: WorkerPool) -> None:
    batch, schedule = batch_of(FAULTY / "prints.py", HEALTHY / "first.py")
    texts = [game.printed.splitlines() for game in played(pool, batch)]
    assert texts[0].pop(0) == "prints: loaded"
    for table, lines in zip(schedule, texts, strict=True):
        assert sorted(lines) == [
            "prints: from a child",
            f"prints: game at seat {table.seats.index(0)}",
            "prints: on the error stream",
        ]


@pytest.mark.parametrize("streams", ["closed", "none"])
def test_a_bot_that_ruins_its_streams_ruins_them_for_one_game_alone(
    streams: str, pool: WorkerPool
) -> None:
    batch, _ = batch_of(f"{FAULTY / 'prints.py'}:streams={streams}", FAULTY / "prints.py")
    results = played(pool, batch)
    # In its own game the stream is closed under both; the next game has good ones again.
    assert all(game.printed.count("prints: game at seat") >= 1 for game in results)
    if streams == "none":
        assert [game.faults for game in results] == [[]] * 4


def test_of_much_that_is_printed_the_head_is_kept(pool: WorkerPool) -> None:
    (text, *_) = printed(pool, FAULTY / "prints_a_lot.py", HEALTHY / "first.py", deals=1)
    size = text.count("x")
    assert 60_000 < size <= 65_536
    assert text.splitlines()[-1].endswith("bytes left out")


def test_what_is_printed_need_not_be_utf8(pool: WorkerPool, tmp_path: Path) -> None:
    path = tmp_path / "bytes.py"
    path.write_text(
        "import os\nos.write(1, b'\\xff\\n')\nprint('\\udcff', 'é')\n"
        "def choose_move(view):\n    return view.legal_moves[0]\n"
    )
    assert printed(pool, path, "native:random")[0] == "�\n\\udcff é\n"


def test_a_bot_reads_nothing_from_standard_input(pool: WorkerPool, tmp_path: Path) -> None:
    path = tmp_path / "asks.py"
    path.write_text("def choose_move(view):\n    return int(input('move? '))\n")
    game, *_ = played(pool, batch_of(path, "native:random")[0])
    assert game.faults[0]["detail"].endswith("EOFError: EOF when reading a line")
    assert game.printed == "move? "


def test_a_file_in_the_current_folder_does_not_stand_in_for_the_standard_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("random.py", "colorsys.py", "json.py"):
        (tmp_path / name).write_text("raise ImportError('not the standard library')\n")
    (tmp_path / "mine.py").write_text((HEALTHY / "first.py").read_text())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    with WorkerPool() as pool:
        (looked,) = pool.look_at(specs_of(WATCHING / "standard_library.py"))
        assert looked.error is None
        # Other modules are found there.
        (looked,) = pool.look_at([BotSpec("import", "mine:choose_move")])
        assert looked.error is None


def test_an_import_path_with_other_things_in_it_does_no_harm(
    pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, tmp_path])
    assert pool.look_at(specs_of(HEALTHY / "first.py"))[0].error is None
    assert len(played(pool, batch_of(HEALTHY / "first.py", "native:random")[0])) == 4


def test_a_bot_that_cannot_be_loaded_any_more_is_told(pool: WorkerPool, tmp_path: Path) -> None:
    path = tmp_path / "gone.py"
    path.write_text((HEALTHY / "first.py").read_text())
    batch, _ = batch_of(path, "native:random")
    path.unlink()
    with pytest.raises(BrokenBotError, match=r"gone\.py: expected a Python file"):
        played(pool, batch)


# How a worker ends


def test_a_bot_that_ends_its_process_is_told_with_its_last_words() -> None:
    batch, _ = batch_of(WATCHING / "dies_in_play.py", "native:random", deals=9)
    with WorkerPool() as pool:
        with pytest.raises(WorkerLostError) as caught:
            played(pool, batch)
        assert str(caught.value) == (
            "a worker process ended with exit status 7:\nlast words in play"
        )
        # The next request is served by a new process.
        assert len(played(pool, batch_of(HEALTHY / "first.py", "native:random")[0])) == 4


def test_a_bot_that_writes_to_the_pipe_is_told() -> None:
    batch, _ = batch_of(WATCHING / "writes_to_pipes.py", "native:random")
    with WorkerPool() as pool, pytest.raises(WorkerLostError, match="written to its pipe"):
        played(pool, batch)


def test_closing_ends_the_processes_and_what_bots_have_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHILD", str(tmp_path / "child"))
    before = workers_of(os.getpid())
    with WorkerPool() as pool:
        pool.look_at(specs_of(WATCHING / "leaves_a_child.py"))
        (worker,) = workers_of(os.getpid()) - before
        child = int((tmp_path / "child").read_text())
        assert not gone(child)
    assert gone(worker)
    wait_until(lambda: gone(child))
    with pytest.raises(WorkerLostError, match="have been stopped"):
        pool.look_at(specs_of(HEALTHY / "first.py"))
    pool.close()


def test_closing_ends_a_process_in_the_middle_of_its_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GO", str(tmp_path / "never"))
    before = workers_of(os.getpid())
    pool = WorkerPool()
    batch, _ = batch_of(WATCHING / "waits.py", "native:random")
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(played, pool, batch)
        wait_until(lambda: bool(workers_of(os.getpid()) - before))
        (worker,) = workers_of(os.getpid()) - before
        pool.close()
        with pytest.raises(WorkerLostError, match="ended with signal 9"):
            future.result(20)
    assert gone(worker)


def test_a_worker_ends_by_itself_when_the_other_side_is_gone(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import os\n"
        "from skyjo_core.spec import parse_spec\n"
        "from skyjo_core.workers import WorkerPool\n"
        "pool = WorkerPool()\n"
        f"pool.look_at(parse_spec({str(HEALTHY / 'first.py')!r}))\n"
        "print(pool._all[0]._process.pid, flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    wait_until(lambda: gone(int(done.stdout)))


def test_workers_of_any_executor_are_kept_and_ended_when_idle() -> None:
    before = workers_of(os.getpid())
    batch, _ = batch_of(HEALTHY / "first.py", "native:random")
    for _ in range(2):
        assert len(read_answer(play_bytes(batch.to_bytes())).games) == 4
        assert len(workers_of(os.getpid()) - before) == 1
    close_idle_workers()
    assert workers_of(os.getpid()) == before


def test_a_forked_process_does_not_talk_to_the_workers_of_its_parent() -> None:
    batch, _ = batch_of(HEALTHY / "first.py", "native:random")
    script = f"""
import json, os
from skyjo_core.workers import play_bytes, close_idle_workers
request = {batch.to_bytes()!r}
play_bytes(request)
child = os.fork()
hashes = [[game[4] for game in json.loads(play_bytes(request))["games"]] for _ in range(5)]
close_idle_workers()
if not child:
    os._exit(hashes != hashes[:1] * 5)
assert os.waitpid(child, 0)[1] == 0
print(hashes == hashes[:1] * 5)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("True\n", "")


# The order of work


@pytest.fixture
def many() -> tuple[Batch, Schedule, dict[int, LoadedBot]]:
    """Four hundred short games of native bots."""
    batch, schedule = batch_of("native:random", "native:threshold", deals=200, tables=())
    bots = {number: load_bot(spec) for number, spec in enumerate(batch.bots) if spec is not None}
    return batch, schedule, bots


class Backwards(Executor):
    """Runs what is submitted when it has gathered enough, the last one first."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.most = 0
        self.waiting: list[tuple[Future[Any], Any]] = []
        self.thread = threading.Thread(target=self.run)
        self.more = threading.Condition()
        self.done = False
        self.thread.start()

    def submit(self, task: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self.more:
            self.waiting.append((future, lambda: task(*arguments, **options)))
            self.most = max(self.most, len(self.waiting))
            self.more.notify()
        return future

    def run(self) -> None:
        while True:
            with self.more:
                self.more.wait_for(lambda: len(self.waiting) >= self.n or self.done, timeout=0.2)
                if self.done and not self.waiting:
                    return
                batch, self.waiting = self.waiting[::-1], []
            for future, task in batch:
                future.set_result(task())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self.more:
            self.done = True
            self.more.notify()
        self.thread.join()


def games_of(
    came: Iterator[tuple[Sequence[Table], PlayedBatch]],
) -> list[tuple[Table, GameResult]]:
    """The batches' games, one after the other."""
    return [game for tables, played in came for game in zip(tables, played.games, strict=False)]


def test_results_come_in_schedule_order_whatever_the_order_of_completion(
    many: tuple[Batch, Schedule, dict[int, LoadedBot]],
) -> None:
    batch, schedule, bots = many
    order: list[int] = []

    def play(part: Batch) -> PlayedBatch:
        order.append(part.tables[0].game)
        return play_batch(part, bots)

    with Backwards(4) as executor:
        came = games_of(play_schedule(schedule, batch, play, executor, 2))
    assert order != sorted(order)
    assert [table for table, _ in came] == list(schedule)
    here = play_batch(replace(batch, tables=tuple(schedule)), bots).games
    assert [game.moves_hash for _, game in came] == [game.moves_hash for game in here]


@pytest.mark.parametrize("n_workers", [1, 3, 1024])
def test_every_game_is_played_once(
    n_workers: int, many: tuple[Batch, Schedule, dict[int, LoadedBot]]
) -> None:
    batch, schedule, bots = many
    with ThreadPoolExecutor(2) as executor:
        came = play_schedule(
            schedule, batch, lambda part: play_batch(part, bots), executor, n_workers
        )
        assert [table.game for table, _ in games_of(came)] == list(range(400))


def test_waiting_for_a_slow_batch_costs_no_time_of_a_processor(
    many: tuple[Batch, Schedule, dict[int, LoadedBot]],
) -> None:
    batch, schedule, bots = many
    go = threading.Event()
    n_played = 0

    def play(part: Batch) -> PlayedBatch:
        nonlocal n_played
        if part.tables[0].game == 0:
            go.wait(20)
        n_played += len(part.tables)
        return play_batch(part, bots)

    def let_go() -> None:
        wait_until(lambda: n_played > 10)  # a later batch is done
        go.wait(0.5)
        go.set()

    with ThreadPoolExecutor(3) as executor:
        helper = executor.submit(let_go)
        start = time.thread_time()
        assert len(games_of(play_schedule(schedule, batch, play, executor, 2))) == 400
        mine = time.thread_time() - start
        helper.result()
    assert mine < 0.25


def test_play_does_not_run_ahead_of_who_takes_the_results_in(
    many: tuple[Batch, Schedule, dict[int, LoadedBot]],
) -> None:
    batch, schedule, bots = many
    n_begun = 0

    def play(part: Batch) -> PlayedBatch:
        nonlocal n_begun
        n_begun += 1
        return play_batch(replace(part, tables=part.tables[:5]), bots)

    with ThreadPoolExecutor(1) as executor:
        came = play_schedule(schedule, batch, play, executor, 2)
        for n_taken in range(1, 10):
            next(came)
            executor.submit(int).result()  # behind all that has been submitted
            assert n_begun <= n_taken + 4
        came.close()  # type: ignore[attr-defined]


def test_a_stop_at_a_fault_ends_the_schedule_also_at_the_end_of_a_batch() -> None:
    batch, schedule = batch_of(
        FAULTY / "illegal.py", "native:random", deals=50, on_fault="abort", tables=()
    )
    bots = {number: load_bot(spec) for number, spec in enumerate(batch.bots) if spec is not None}
    with ThreadPoolExecutor(2) as executor:
        # The first batches of so small a schedule for so many workers hold one game each.
        came = games_of(
            play_schedule(schedule, batch, lambda part: play_batch(part, bots), executor, 100)
        )
    assert [(table.game, game.places) for table, game in came] == [(0, None)]


def test_what_playing_raises_comes_out_and_nothing_is_begun_any_more(
    many: tuple[Batch, Schedule, dict[int, LoadedBot]],
) -> None:
    batch, schedule, bots = many
    begun: list[Table] = []

    def play(part: Batch) -> PlayedBatch:
        begun.extend(part.tables)
        if any(table.game == 7 for table in part.tables):
            raise WorkerLostError("the seventh")
        return play_batch(part, bots)

    with ThreadPoolExecutor(1) as executor:
        came = play_schedule(schedule, batch, play, executor, 1)
        with pytest.raises(WorkerLostError, match="the seventh"):
            list(came)
    assert len(begun) < 400


def test_who_stops_listening_stops_the_play(
    many: tuple[Batch, Schedule, dict[int, LoadedBot]],
) -> None:
    batch, schedule, bots = many
    begun: list[Table] = []

    def play(part: Batch) -> PlayedBatch:
        begun.extend(part.tables)
        return play_batch(part, bots)

    with ThreadPoolExecutor(1) as executor:
        came = play_schedule(schedule, batch, play, executor, 1)
        assert next(came)[0][0].game == 0
        came.close()  # type: ignore[attr-defined]
    assert len(begun) < 400


def test_an_answer_is_plain_json(pool: WorkerPool) -> None:
    batch, _ = batch_of(HEALTHY / "first.py", "native:random", deals=1)
    answer = json.loads(pool.play(batch.to_bytes()))
    assert len(answer["games"]) == 2
    assert read_answer(json.dumps(answer).encode()).games[0].places in ([1, 2], [2, 1], [1, 1])
