# SPDX-License-Identifier: MIT
"""The file of records: gzip, a member a batch."""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from pathlib import Path
from typing import IO

__all__ = ["RecordWriter"]


class RecordWriter:
    """Writes packed records in the order in which they come, up to the first that cannot be.

    Parameters
    ----------
    file : path or buffered binary file
        Where to; a file that is given stays open.

    Raises
    ------
    OSError
        The file cannot be opened; from add() and close(): not be written.
    """

    def __init__(self, file: Path | IO[bytes]) -> None:
        self._closes = isinstance(file, Path)
        self._file: IO[bytes] = file.open("wb") if isinstance(file, Path) else file
        self._is_empty = True
        self._failed = False  # what came behind a hole could not be read
        self._closed = False

    def add(self, records: bytes) -> None:
        """Writes records as record_pack.pack() gives them."""
        if records and not self._failed:
            self._failed = True
            self._file.write(records)
            self._is_empty = self._failed = False

    def close(self) -> None:
        """Ends the file, also where that fails; once. No records at all are a file as well."""
        if self._closed:
            return
        self._closed = True
        with ExitStack() as stack:
            if self._closes:
                stack.callback(self._file.close)
            if self._is_empty:
                self.add(gzip.compress(b"", mtime=0))
            self._file.flush()
