# SPDX-License-Identifier: MIT
"""Games as bytes: a mark, a checksum, the rules as JSON, and the core's state."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Final

from skyjo_core.rules import Rules, rules_json

__all__ = ["pack", "unpack"]

_MARK: Final = b"skyjo-game/1\n"
_CHECK_BYTES: Final = 8
_LENGTH: Final = struct.Struct("<I")  # of the rules


def pack(rules: Rules, saved: bytes) -> bytes:
    """The bytes of a game: mark, checksum of all that follows, length of the rules, rules, state.

    Examples
    --------
    >>> unpack(pack(Rules(threshold=50), b"state"))
    (Rules(threshold=50), b'state')
    """
    text = rules_json(rules).encode()
    body = _LENGTH.pack(len(text)) + text + saved
    return _MARK + _check(body) + body


def unpack(data: bytes) -> tuple[Rules, bytes]:
    """The rules and the state in the bytes of a game.

    Raises
    ------
    TypeError
        What is given is no bytes.
    ValueError
        The bytes are cut, damaged, or those of something else.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"from_bytes: expected bytes, got {type(data).__name__}")
    data = bytes(data)
    start = len(_MARK) + _CHECK_BYTES
    if not data.startswith(_MARK):
        raise ValueError(f"from_bytes: expected bytes that begin with {_MARK!r}, got {data[:20]!r}")
    body = data[start:]
    if data[len(_MARK) : start] != _check(body) or len(body) < _LENGTH.size:
        raise ValueError(f"from_bytes: expected whole bytes, got {len(data)} that are damaged")
    end = _LENGTH.size + _LENGTH.unpack_from(body)[0]
    try:
        rules = Rules.from_dict(json.loads(body[_LENGTH.size : end]))
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"from_bytes: expected rules, got {error}") from None
    return rules, body[end:]


def _check(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_CHECK_BYTES).digest()
