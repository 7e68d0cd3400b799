# SPDX-License-Identifier: MIT
"""The notation of the case files: cards, grids, steps."""

from __future__ import annotations

from .round import DRAW_MOVE, FLIP_FROM, PLACE_FROM, TAKE_FROM
from .rules import Rules
from .table import DOWN, GONE, UP, Cell

VERBS = {"take": TAKE_FROM, "place": PLACE_FROM, "flip": FLIP_FROM}

# A move that no rule allows: `drop` lays the drawn card away and turns nothing up.
DROP_MOVE = -1


def read_cards(texts: list[str]) -> list[int]:
    """Return the values of a list of cards."""
    return [int(text) for text in texts]


def write_cards(cards: list[int]) -> list[str]:
    """Return a list of cards as text."""
    return [str(card) for card in cards]


def read_cell(text: str) -> Cell:
    """Return the value and state of one cell: `7`, `h7` or `.`."""
    if text == ".":
        return (None, GONE)
    if text.startswith("h"):
        return (int(text[1:]), DOWN)
    return (int(text), UP)


def write_cell(cell: Cell) -> str:
    """Return one cell as text."""
    value, state = cell
    if state == GONE:
        return "."
    return f"h{value}" if state == DOWN else str(value)


def read_grid(rules: Rules, text: str) -> list[Cell]:
    """Return a grid in cell order; its rows are separated by `/`."""
    rows = [row.split() for row in text.split("/")]
    if len(rows) != rules["rows"] or any(len(row) != rules["columns"] for row in rows):
        raise ValueError(
            f"grid: expected {rules['rows']} rows of {rules['columns']} cells, got {text!r}"
        )
    cells = []
    for column in range(rules["columns"]):
        for row in range(rules["rows"]):
            cells.append(read_cell(rows[row][column]))
    return cells


def write_grid(rules: Rules, grid: list[Cell]) -> str:
    """Return a grid as text."""
    rows = []
    for row in range(rules["rows"]):
        cells = [grid[rules["rows"] * column + row] for column in range(rules["columns"])]
        rows.append(" ".join(write_cell(cell) for cell in cells))
    return " / ".join(rows)


def read_move(rules: Rules, words: list[str]) -> int:
    """Return the move that `draw` or a verb with a cell such as `r2c3` names."""
    if words == ["draw"]:
        return DRAW_MOVE
    if words == ["drop"]:
        return DROP_MOVE
    if len(words) != 2 or words[0] not in VERBS:
        raise ValueError(f"step: expected draw, drop, or a verb and a cell, got {words}")
    row_text, column_text = words[1].removeprefix("r").split("c")
    row, column = int(row_text) - 1, int(column_text) - 1
    if not 0 <= row < rules["rows"] or not 0 <= column < rules["columns"]:
        raise ValueError(f"step: expected a cell of the grid, got {words[1]!r}")
    return VERBS[words[0]] + int(rules["rows"]) * column + row
