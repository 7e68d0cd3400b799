# SPDX-License-Identifier: MIT
"""Moves as small ints and as text."""

from __future__ import annotations

import re
from typing import Final

from skyjo_core import _core
from skyjo_core.rules import Rules

__all__ = ["DRAW", "FLIP", "PLACE", "TAKE", "move", "move_name"]

FLIP: Final = 0
"""flip c = FLIP + c: turn up cell c, in the opening or after a draw."""
TAKE: Final = 12
"""take c = TAKE + c: the top of the discard pile goes into cell c."""
PLACE: Final = 24
"""place c = PLACE + c: the drawn card goes into cell c."""
DRAW: Final = 36
"""Draw the top card of the draw pile."""

_VERBS: Final = {"flip": FLIP, "take": TAKE, "place": PLACE}
_FORM: Final = re.compile(r"(flip|take|place) r([1-9][0-9]?)c([1-9][0-9]?)|draw")


def move(text: str, *, rules: Rules | None = None) -> int:
    """The move that a text names.

    Parameters
    ----------
    text : str
        "flip r3c1", "take r1c2", "place r2c4" or "draw"; rows and columns counted from 1.
    rules : Rules, optional
        For another shape of the grid than 3 rows and 4 columns.

    Raises
    ------
    ValueError
        The text names no move of this grid.

    Examples
    --------
    >>> move("take r1c2")
    15
    """
    rows, columns = _shape(rules)
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(
            "move: expected 'draw', or flip, take or place with a cell as in 'take r1c2', "
            f"got {text!r}"
        )
    verb, row_text, column_text = found.groups()
    if verb is None:
        return DRAW
    row, column = int(row_text), int(column_text)
    if not (1 <= row <= rows and 1 <= column <= columns):
        raise ValueError(f"move: expected a cell from r1c1 to r{rows}c{columns}, got {text!r}")
    return _VERBS[verb] + rows * (column - 1) + row - 1


def move_name(move: int, *, rules: Rules | None = None) -> str:
    """The text of a move.

    Raises
    ------
    ValueError
        The number is no move of this grid.

    Examples
    --------
    >>> move_name(15)
    'take r1c2'
    """
    rows, columns = _shape(rules)
    if not 0 <= move <= DRAW or (move != DRAW and move % 12 >= rows * columns):
        raise ValueError(f"move_name: expected a move from 0 to {DRAW} of this grid, got {move!r}")
    return _core.move_name(move, rows)


def _shape(rules: Rules | None) -> tuple[int, int]:
    return (3, 4) if rules is None else (rules.rows, rules.columns)
