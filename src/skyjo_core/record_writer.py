# SPDX-License-Identifier: MIT
"""Lines of records into a gzip file, many at a time."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Final

__all__ = ["RecordWriter"]

_LEVEL: Final = 1  # records a sixth larger than at level 5, in half of the time
_GZIP: Final = 31  # zlib's manual, deflateInit2: a gzip stream with the largest window
# Compressed at a time, without the GIL: to get it back takes as long as a hundred kilobytes do,
# where another thread runs Python.
_BLOCK_BYTES: Final = 2**16


class RecordWriter:
    """Writes lines in the order in which they come, up to the first that cannot be written.

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
        self._packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
        self._lines: list[bytes] = []
        self._n_bytes = 0
        self._ended = False  # or failed: what came behind a hole could not be read
        self._closed = False

    def add(self, lines: Iterable[bytes]) -> None:
        """Takes lines, without their ends; the more at a time, the better."""
        for line in lines:
            self._lines.append(line)
            self._n_bytes += len(line) + 1
        if self._n_bytes >= _BLOCK_BYTES:
            self._write()

    def close(self) -> None:
        """Writes what is left and ends the file, also where that fails; once."""
        if self._closed:
            return
        self._closed = True
        with ExitStack() as stack:
            if self._closes:
                stack.callback(self._file.close)
            self._write(to_the_end=True)

    def _write(self, *, to_the_end: bool = False) -> None:
        lines, self._lines, self._n_bytes = self._lines, [], 0
        if self._ended:
            return
        self._ended = True
        lines.append(b"")
        packed = self._packer.compress(b"\n".join(lines))
        self._file.write(packed + self._packer.flush() if to_the_end else packed)
        self._ended = to_the_end
