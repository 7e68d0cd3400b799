# SPDX-License-Identifier: MIT
"""The table as text: print(game), print(view)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from skyjo_core._core import HIDDEN, REMOVED

if TYPE_CHECKING:
    from skyjo_core._view import View

__all__ = ["draw_game", "draw_view"]

_GAP = "   "


def draw_game(view: View) -> str:
    """The table of a game by absolute seat, with what the view's seat sees."""
    n = view.n_seats
    return _draw(
        view, [(seat - view.seat) % n for seat in range(n)], [f"seat {i}" for i in range(n)]
    )


def draw_view(view: View) -> str:
    """The table as the view's seat sees it: itself first."""
    names = ["you", *(f"+{seat}" for seat in range(1, view.n_seats))]
    return _draw(view, range(view.n_seats), names)


def _draw(view: View, order: Sequence[int], names: Sequence[str]) -> str:
    hand = "" if view.hand is None else f"   hand {view.hand}"
    head = (
        f"round {view.round_number + 1}, turn {view.turn_number + 1}, {view.phase.name}"
        f"   draw pile {view.draw_pile_size}   discard {view.discard_top}{hand}"
    )
    blocks = [_block(view, seat, name) for seat, name in zip(order, names, strict=True)]
    width = max(len(line) for block in blocks for line in block)
    lines = [
        _GAP.join(block[i].ljust(width) for block in blocks).rstrip() for i in range(len(blocks[0]))
    ]
    return "\n".join([head, "", *lines])


def _block(view: View, seat: int, name: str) -> list[str]:
    """A seat's grid as lines of equal meaning: name and marks, total, rows of cells."""
    marks = ("> " if view.to_move == seat else "  ") + name
    if view.closer == seat:
        marks += " closer"
    cells = view.cells(seat)
    rows = view.rules.rows
    grid = ["  " + " ".join(_cell(value) for value in cells[row::rows]) for row in range(rows)]
    return [marks, f"  total {view.totals[seat]}", *grid]


def _cell(value: int) -> str:
    return " ?" if value == HIDDEN else " ." if value == REMOVED else f"{value:2}"
