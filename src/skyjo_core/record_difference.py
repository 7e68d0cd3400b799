# SPDX-License-Identifier: MIT
"""A difference between a record and the rules, and the values of records as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["Difference", "shortened", "text_of"]

_MAX_ITEMS: Final = 300  # of a list; a tenth of it in each list inside
_MAX_CHARACTERS: Final = 1000  # of a string
_MAX_BITS: Final = 128  # of a number that is written out


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing in a record that is not as the rules have it.

    Attributes
    ----------
    what : str
        What differs: a key of the record, or a word for a thing ("legal move").
    expected, got : str
        As text; the strings of a record in quotes, everything else as in JSON.
    round : int or None
        Number of the round, from 0; None where it concerns no round.
    move : int or None
        Index in the round's moves: of the move at fault, or of the one that brought it about.

    Examples
    --------
    >>> print(Difference("closer", "1", "null", round=2, move=57))
    round 2, move 57: closer: expected 1, got null
    """

    what: str
    expected: str
    got: str
    round: int | None = None
    move: int | None = None

    def __str__(self) -> str:
        place = [
            f"{name} {number}"
            for name, number in (("round", self.round), ("move", self.move))
            if number is not None
        ]
        where = f"{', '.join(place)}: {self.what}" if place else self.what
        return f"{where}: expected {self.expected}, got {self.got}"


def text_of(value: object) -> str:
    """A value as JSON writes it, but strings as Python does; long and deep ones are cut short.

    Examples
    --------
    >>> text_of([None, True, 3, "draw"])
    "[null, true, 3, 'draw']"
    """
    return _text(value, _MAX_ITEMS)


def shortened(text: str, length: int) -> str:
    """A text of at most that length, which ends in "..." where something is missing.

    Examples
    --------
    >>> shortened("one of draw, take r1c1", 12)
    'one of dr...'
    """
    return text if len(text) <= length else text[: length - 3] + "..."


def _text(value: object, n_items: int) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return repr(shortened(value, _MAX_CHARACTERS))
    if isinstance(value, int):
        return _digits(value)
    if isinstance(value, (list, tuple)):
        items = [_text(item, n_items // 10) for item in value[:n_items]]
        return f"[{_joined(items, len(value))}]"
    if isinstance(value, dict):
        keys = list(value)[:n_items]
        items = [f"{_text(key, 0)}: {_text(value[key], n_items // 10)}" for key in keys]
        return f"{{{_joined(items, len(value))}}}"
    return shortened(repr(value), _MAX_CHARACTERS)


def _joined(items: list[str], n_all: int) -> str:
    return ", ".join([*items, "..."] if len(items) < n_all else items)


def _digits(number: int) -> str:
    # Python refuses to write out what has thousands of digits.
    if number.bit_length() <= _MAX_BITS:
        return str(int(number))
    sign = "a negative" if number < 0 else "a"
    return f"{sign} number of about {number.bit_length() * 3 // 10} digits"
