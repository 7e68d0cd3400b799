# SPDX-License-Identifier: MIT
"""The records of a batch as one member of a gzip file: packed wherever the batch is played."""

from __future__ import annotations

import zlib
from importlib import import_module
from typing import Any, Final

__all__ = ["Packer", "pack"]

_LEVEL: Final = 1  # zlib's level 5 takes twice as long for a sixth less
_GZIP: Final = 31  # zlib's manual, deflateInit2: a gzip stream with the largest window


def _fastest() -> Any:
    """isal where it is installed: the format of zlib in a sixth of the time."""
    try:
        return import_module("isal.isal_zlib")
    except ImportError:
        return zlib


_LIBRARY: Final = _fastest()
# Lines that are kept at most: memory that is used again is faster than new memory.
_KEPT_BYTES: Final = 2**16


class Packer:
    """Packs lines that come one by one.

    Examples
    --------
    >>> import gzip
    >>> packer = Packer()
    >>> packer.add(b"one")
    >>> gzip.decompress(packer.member())
    b'one\\n'
    """

    def __init__(self) -> None:
        self._object = _LIBRARY.compressobj(_LEVEL, _LIBRARY.DEFLATED, _GZIP)
        self._lines: list[bytes] = []
        self._n_bytes = 0
        self._packed: list[bytes] = []

    def add(self, line: bytes) -> None:
        """Takes a line without its end."""
        self._lines.append(line)
        self._n_bytes += len(line)
        if self._n_bytes > _KEPT_BYTES:
            self._compress()

    def member(self) -> bytes:
        """The gzip member of all lines; nothing of none."""
        if not self._lines and not self._packed:
            return b""
        self._compress()
        return b"".join((*self._packed, self._object.flush()))

    def _compress(self) -> None:
        text = b"\n".join((*self._lines, b""))
        self._packed.append(self._object.compress(text))
        self._lines.clear()
        self._n_bytes = 0


def pack(lines: bytes | memoryview) -> bytes:
    """A gzip member of some lines with their ends, made without the GIL; nothing of nothing.

    Examples
    --------
    >>> import gzip
    >>> gzip.decompress(pack(b"one\\n") + pack(b"two\\n"))
    b'one\\ntwo\\n'
    >>> pack(b"")
    b''
    """
    member: bytes = _LIBRARY.compress(lines, _LEVEL, _GZIP) if lines else b""
    return member
