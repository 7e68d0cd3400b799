# SPDX-License-Identifier: MIT
"""The results folder of a tournament: records, the log of what bots print, the result."""

from __future__ import annotations

import io
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from datetime import date
from pathlib import Path
from typing import IO, Final

from skyjo_core.batch import GameResult, PlayedBatch
from skyjo_core.record_writer import RecordWriter
from skyjo_core.schedule import Table

__all__ = ["FolderTakenError", "Output", "new_folder"]

RESULT: Final = "result.json"
RECORDS: Final = "records.jsonl.gz"
LOG: Final = "log"


class FolderTakenError(ValueError):
    """The results folder already holds a tournament."""


def new_folder(out: Path | None) -> Path:
    """Makes the results folder: the one named, else runs/<date>-<number>.

    Raises
    ------
    FolderTakenError
        The folder named holds something already.
    OSError
        The folder cannot be made.
    """
    if out is not None:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise FolderTakenError(
                f"--out: expected a new or empty folder, got {str(out)!r}, which is in use"
            )
        out.mkdir(parents=True, exist_ok=True)
        return out
    number = 1
    while True:
        folder = Path("runs") / f"{date.today().isoformat()}-{number}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return folder


class _TemporaryFile(io.BufferedRandom):
    """A file without a name that lives with the result, and goes without a warning."""

    def __init__(self) -> None:
        raw = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - lives as long as this
        super().__init__(raw)
        # Holds the raw file until this goes: in a circle of garbage it might be the first to go.
        weakref.finalize(self, raw.close)

    def __del__(self) -> None:
        self.close()


class Output:
    """Writes what a tournament leaves behind, game by game.

    Parameters
    ----------
    folder : Path or None
        Where to; None keeps the records in a temporary file and drops what bots print.
    records : bool
        Whether records are written.
    names : sequence of str
        The bots' names, for the headings of the log.
    """

    def __init__(self, folder: Path | None, records: bool, names: Sequence[str]) -> None:
        self.folder = folder
        self.names = names
        self._temporary: IO[bytes] | None = None
        self._records: RecordWriter | None = None
        self._log: IO[str] | None = None
        if records:
            if folder is None:
                self._temporary = _TemporaryFile()
                self._records = RecordWriter(self._temporary)
            else:
                self._records = RecordWriter(folder / RECORDS)
        if folder is not None:
            self._log = (folder / LOG).open("w", encoding="utf-8", errors="backslashreplace")

    def loaded(self, name: str, printed: str) -> None:
        """Logs what a bot printed while it was loaded."""
        if printed and self._log is not None:
            self._log.write(f"== loading {name}\n{_lines(printed)}")

    def add(self, tables: Sequence[Table], played: PlayedBatch) -> None:
        """Writes the records of games, and what was printed in them."""
        if self._records is not None:
            self._records.add(played.records)
        if self._log is None:
            return
        for table, result in zip(tables, played.games, strict=False):
            if result.printed or result.faults:
                self._log_game(self._log, table, result)

    def _log_game(self, log: IO[str], table: Table, result: GameResult) -> None:
        if result.printed:
            players = ", ".join(self.names[bot] for bot in table.seats)
            log.write(f"== game {table.game}: {players}\n{_lines(result.printed)}")
        for fault in result.faults:
            bot = self.names[table.seats[fault["seat"]]]
            place = f"round {fault['round']}, move {fault['move']}, seat {fault['seat']}"
            log.write(
                f"== game {table.game}: {bot} forfeits ({fault['kind']}), {place}\n"
                f"{_lines(fault['detail'])}"
            )

    def close(self, result: str | None = None) -> IO[bytes] | Path | None:
        """Ends all files, also where one of them fails; gives the file or path of the records."""
        with ExitStack() as stack:
            for file in (self._log, self._records):
                if file is not None:
                    stack.callback(file.close)
            if self.folder is not None and result is not None:
                _write_whole(self.folder / RESULT, result + "\n")
        if self._records is None:
            return None
        return self._temporary if self.folder is None else self.folder / RECORDS


def _write_whole(path: Path, text: str) -> None:
    """The file with all of the text, or no file."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def _lines(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
