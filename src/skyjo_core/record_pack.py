# SPDX-License-Identifier: MIT
"""The records of a batch as one member of a gzip file: packed wherever the batch is played."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from skyjo_core._core import RecordText
from skyjo_core.rules import Rules, rules_json

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
# Text that is packed at a time: it still lies in the processor's cache.
_PIECE_BYTES: Final = 2**16


class Packer:
    """Packs the records of games that come one by one.

    Parameters
    ----------
    rules : Rules
        Of all games.

    Examples
    --------
    >>> import gzip
    >>> from skyjo_core import Rules
    >>> packer = Packer(Rules())
    >>> packer.add(lambda text: text.add_line("one"))
    >>> gzip.decompress(packer.member())
    b'one\\n'
    """

    def __init__(self, rules: Rules) -> None:
        self._text = RecordText(rules_json(rules))
        self._object = _LIBRARY.compressobj(_LEVEL, _LIBRARY.DEFLATED, _GZIP)
        self._packed: list[bytes] = []

    def add(self, write: Callable[[RecordText], None]) -> None:
        """Takes the record that `write` appends to a text."""
        write(self._text)
        if len(self._text) > _PIECE_BYTES:
            self._pack()

    def member(self) -> bytes:
        """The gzip member of all records; nothing of none."""
        if not self._text and not self._packed:
            return b""
        self._pack()
        return b"".join((*self._packed, self._object.flush()))

    def _pack(self) -> None:
        self._packed.append(self._text.take(self._object.compress))


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
