# SPDX-License-Identifier: MIT
"""Lines of records into a gzip file, many at a time."""

from __future__ import annotations

import zlib
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final

__all__ = ["RecordWriter"]


def _fastest() -> Any:
    """isal where it is installed: the format of zlib in a sixth of the time."""
    try:
        return import_module("isal.isal_zlib")
    except ImportError:
        return zlib


_LIBRARY: Final = _fastest()
_LEVEL: Final = 1  # records a sixth larger than at zlib's level 5, in half of the time
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

    Notes
    -----
    How the lines come never shows in the file: it is compressed in blocks of one size.
    """

    def __init__(self, file: Path | IO[bytes]) -> None:
        self._closes = isinstance(file, Path)
        self._file: IO[bytes] = file.open("wb") if isinstance(file, Path) else file
        self._packer = _LIBRARY.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
        self._text = b""  # not yet compressed
        self._ended = False  # or failed: what came behind a hole could not be read
        self._closed = False

    def add(self, lines: bytes) -> None:
        """Takes lines with their ends; the more at a time, the better."""
        text = memoryview(self._text + lines)
        n_whole = len(text) // _BLOCK_BYTES * _BLOCK_BYTES
        self._text = bytes(text[n_whole:])
        if n_whole and not self._ended:
            self._ended = True
            for start in range(0, n_whole, _BLOCK_BYTES):
                self._file.write(self._packer.compress(text[start : start + _BLOCK_BYTES]))
            self._ended = False

    def close(self) -> None:
        """Writes what is left and ends the file, also where that fails; once."""
        if self._closed:
            return
        self._closed = True
        with ExitStack() as stack:
            if self._closes:
                stack.callback(self._file.close)
            if not self._ended:
                self._file.write(self._packer.compress(self._text) + self._packer.flush())
