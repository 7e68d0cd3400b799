# SPDX-License-Identifier: MIT
"""A file of records, line by line: plain or gzip, of any size in little memory."""

from __future__ import annotations

import errno
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from skyjo_core.record_difference import Difference

__all__ = ["MAX_LINE_BYTES", "RecordFile"]

MAX_LINE_BYTES: Final = 64 * 2**20
"""A longer line is read over and told as one bad line."""

_CHUNK_BYTES: Final = 2**18
_GZIP: Final = b"\x1f\x8b"  # RFC 1952, section 2.3.1
_WITH_GZIP_HEADER: Final = 31  # zlib's manual, inflateInit2


class RecordFile:
    """An open file of records; its first bytes tell whether it is plain text or gzip.

    Iterating gives each line's number, from 1, and its bytes without the line's end, or what is
    wrong with it: it is too long, or the gzip stream is broken there.

    Parameters
    ----------
    path : str or Path
        The string "-" is standard input.

    Attributes
    ----------
    size : int or None
        Bytes of the file as it is stored; None where that is not known.
    position : int
        Bytes of it read so far.

    Raises
    ------
    OSError
        The file cannot be opened, or not be read to its end.

    Examples
    --------
    >>> _ = Path("games.jsonl").write_bytes(b"{}\\n[]")
    >>> with RecordFile("games.jsonl") as file:
    ...     list(file)
    [(1, b'{}'), (2, b'[]')]
    """

    def __init__(self, path: str | Path) -> None:
        self.position = 0
        self.size: int | None = None
        self._is_standard_input = path == "-"
        # Standard input may be anything that has read1.
        self._file: Any = _standard_input() if path == "-" else Path(path).open("rb")  # noqa: SIM115
        if not self._is_standard_input:
            status = os.fstat(self._file.fileno())
            self.size = status.st_size if stat.S_ISREG(status.st_mode) else None

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file, but leaves standard input open."""
        if not self._is_standard_input:
            self._file.close()

    def __iter__(self) -> Iterator[tuple[int, bytes | Difference]]:
        number = 1
        line = _Line()
        try:
            for chunk in self._chunks():
                *ended, rest = chunk.split(b"\n")
                for piece in ended:
                    line.add(piece)
                    yield number, line.take()
                    number += 1
                line.add(rest)
        except (EOFError, zlib.error) as error:
            yield number, Difference("gzip", "a stream that is whole", str(error))
            return
        if line.length > 0:
            yield number, line.take()

    def _chunks(self) -> Iterator[bytes]:
        head = self._read()
        while len(head) < len(_GZIP) and (more := self._read()):
            head += more
        if head.startswith(_GZIP):
            yield from _unpacked(head, self._read)
            return
        while head:
            yield head
            head = self._read()

    def _read(self) -> bytes:
        chunk: bytes = self._file.read1(_CHUNK_BYTES)
        self.position += len(chunk)
        return chunk


class _Line:
    """The pieces of the line that is being read; of one that is too long only its length."""

    def __init__(self) -> None:
        self.length = 0
        self._pieces: list[bytes] = []

    def add(self, piece: bytes) -> None:
        self.length += len(piece)
        if self.length > MAX_LINE_BYTES:
            self._pieces.clear()
        elif piece:
            self._pieces.append(piece)

    def take(self) -> bytes | Difference:
        length, text = self.length, b"".join(self._pieces)
        self.length = 0
        self._pieces.clear()
        if length > MAX_LINE_BYTES:
            return Difference("line", f"at most {MAX_LINE_BYTES} bytes", f"{length} bytes")
        return text


def _unpacked(data: bytes, read: Callable[[], bytes]) -> Iterator[bytes]:
    """The content of a gzip file: members one after the other, with zeros behind (gzip(1)).

    Raises
    ------
    EOFError, zlib.error
        The stream ends too early, or is damaged.
    """
    stream = zlib.decompressobj(_WITH_GZIP_HEADER)
    while data:
        if stream.eof:
            data = data.lstrip(b"\0")
            if data:
                stream = zlib.decompressobj(_WITH_GZIP_HEADER)
        if data:
            yield stream.decompress(data, _CHUNK_BYTES)
            data = stream.unused_data if stream.eof else stream.unconsumed_tail
        data = data or read()
    if not stream.eof:
        raise EOFError("the end of the file in the middle of it")


def _standard_input() -> Any:
    if sys.stdin is None:  # closed from the outside
        raise OSError(errno.EBADF, "standard input is closed", "-")
    return sys.stdin.buffer
