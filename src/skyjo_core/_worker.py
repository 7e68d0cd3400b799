# SPDX-License-Identifier: MIT
"""The process that holds bots: `python -m skyjo_core._worker PARENT`, spoken to over its pipes.

A message is 4 bytes of length (little endian) and that many bytes of JSON, both ways; an answer is
a line of JSON, with the games' records behind it, packed as they go into the file. For the bots
standard input is empty, and standard output and error go to a file from which what they print is
sent along with each game.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import IO, Any, BinaryIO, Final

from skyjo_core.batch import Batch, play_batch, read_spec, seed_global_random
from skyjo_core.loader import BrokenBotError, LoadedBot, load_bot, said
from skyjo_core.schedule import Table
from skyjo_core.spec import BotSpec

__all__ = ["main", "pack_answer", "read_message", "unpack_answer", "write_message"]

_WATCH_SECONDS: Final = 1.0  # between two looks at the parent
_MAX_PRINTED: Final = 65536  # bytes kept of what is printed in one game


def read_message(pipe: BinaryIO) -> bytes | None:
    """The next message; None when the other side is gone."""
    head = pipe.read(4)
    if len(head) < 4:
        return None
    size = int.from_bytes(head, "little")
    body = pipe.read(size)
    return body if len(body) == size else None


def write_message(pipe: BinaryIO, body: bytes) -> None:
    """Sends a message at once."""
    pipe.write(len(body).to_bytes(4, "little") + body)
    pipe.flush()


def pack_answer(answer: dict[str, Any]) -> bytes:
    """A line of JSON, and its "records" behind it."""
    plain = {key: value for key, value in answer.items() if key != "records"}
    return b"\n".join((json.dumps(plain).encode(), answer.get("records", b"")))


def unpack_answer(body: bytes) -> dict[str, Any]:
    """What pack_answer packed; "records" is empty where there are none.

    Raises
    ------
    ValueError
        This is no answer.
    """
    plain, _, records = body.partition(b"\n")
    return {**json.loads(plain), "records": records}


class _Printed:
    """What goes to standard output and error: caught in a file, read game by game."""

    def __init__(self) -> None:
        self._file = os.dup(2)
        self._streams: dict[str, IO[str]] = {}
        self._renew()

    def _renew(self) -> None:
        """Both streams as they should be: one bot that closes them does not take them from all."""
        for descriptor, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(self._file, descriptor)
            stream = self._streams.get(name)
            if stream is None or stream.closed:
                stream = self._streams[name] = open(  # noqa: SIM115 - lives on
                    descriptor, "w", encoding="utf-8", errors="backslashreplace", closefd=False
                )
            setattr(sys, name, stream)

    def take(self) -> str:
        """What has been printed since the last call."""
        for name, own in self._streams.items():
            present = getattr(sys, name)
            if present is not own:
                _flush(present)
            _flush(own)
        self._renew()
        size = os.lseek(self._file, 0, os.SEEK_END)
        if size == 0:
            return ""
        text = os.pread(self._file, min(size, _MAX_PRINTED), 0).decode(errors="replace")
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        left_out = size - _MAX_PRINTED
        return text if left_out <= 0 else f"{text}\n... {left_out} bytes left out\n"


def _flush(stream: IO[str]) -> None:
    # A bot may have closed it, or put another one there.
    with suppress(Exception):
        stream.flush()


class _Worker:
    def __init__(self, printed: _Printed) -> None:
        self.printed = printed
        self.run = ""
        self.bots: dict[str, LoadedBot] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        self.extend_path(request["path"])
        if request["run"] != self.run:
            self.run = request["run"]
            self.bots.clear()
        if "tables" in request:
            return self.play(Batch.from_dict(request))
        return self.look_at(read_spec(request["bot"]))

    def extend_path(self, path: list[str]) -> None:
        sys.path += [entry for entry in path if entry not in sys.path]

    def load(self, spec: BotSpec) -> LoadedBot:
        """The bot of a spec, loaded once."""
        key = repr(spec)  # tells the options 1, 1.0 and True apart, which are equal
        if key not in self.bots:
            try:
                self.bots[key] = load_bot(spec)
            except KeyboardInterrupt as error:  # not Ctrl-C, which does not come here
                raise BrokenBotError(f"{spec}: loading raised {said(error)}") from error
        return self.bots[key]

    def look_at(self, spec: BotSpec) -> dict[str, Any]:
        """The bot's name, or why it cannot be loaded."""
        try:
            return {"name": self.load(spec).name, "printed": self.printed.take()}
        except BrokenBotError as error:
            return {"error": str(error), "printed": self.printed.take()}

    def play(self, batch: Batch) -> dict[str, Any]:
        needed = {bot for table in batch.tables for bot in table.seats}
        try:
            bots = {
                number: self.load(spec)
                for number, spec in enumerate(batch.bots)
                if spec is not None and number in needed
            }
        except BrokenBotError as error:
            return {"error": str(error)}
        printed: list[str] = []

        def before_game(batch: Batch, table: Table) -> None:
            printed.append(self.printed.take())
            seed_global_random(batch, table)

        played = play_batch(batch, bots, before_game=before_game)
        printed.append(self.printed.take())
        # What is printed before the first game (while loading) belongs to the first game.
        printed[1] = printed[0] + printed[1]
        for game, text in zip(played.games, printed[1:], strict=True):
            game.printed = text
        return {
            "games": [game.to_list() for game in played.games],
            "records": played.records,
        }


def end_with(parent: int) -> None:
    """Ends this process when its parent is gone, whatever a bot is doing: no bot runs for ever."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_WATCH_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Serves until the other side closes the pipe."""
    end_with(int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    sys.dont_write_bytecode = True
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a descriptor is what is needed
        os.dup2(nothing.fileno(), 0)
    worker = _Worker(_Printed())
    while (request := read_message(requests)) is not None:
        answer = worker.answer(json.loads(request))
        try:
            write_message(answers, pack_answer(answer))
        except BrokenPipeError:
            return


if __name__ == "__main__":
    main()
