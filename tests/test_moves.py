# SPDX-License-Identifier: MIT
"""Moves as ints and as text (API 1)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import skyjo_core
from skyjo_core import DRAW, FLIP, HIDDEN, PLACE, REMOVED, STAR, TAKE, Rules, move, move_name

# Every move with its text, from API 1: cell = 3 * column + row, counted from 0.
NAMES = {
    offset + 3 * column + row: f"{verb} r{row + 1}c{column + 1}"
    for verb, offset in (("flip", 0), ("take", 12), ("place", 24))
    for column in range(4)
    for row in range(3)
} | {36: "draw"}


def test_move_numbers_are_those_of_the_contract() -> None:
    """The examples and the offsets that API 1 names."""
    assert (FLIP, TAKE, PLACE, DRAW) == (0, 12, 24, 36)
    assert sorted(NAMES) == list(range(37))
    assert move("take r1c2") == 15
    assert move("flip r3c1") == 2
    assert move("place r2c4") == 34
    assert move("draw") == 36
    assert move_name(15) == "take r1c2"


@pytest.mark.parametrize("number", NAMES)
def test_move_and_name_are_inverse(number: int) -> None:
    """Each of the 37 moves has its text and back, with and without rules."""
    assert move_name(number) == NAMES[number]
    assert move(NAMES[number]) == number
    assert move_name(number, rules=Rules()) == NAMES[number]
    assert move(NAMES[number], rules=Rules()) == number


def test_move_name_takes_numpy_integers() -> None:
    """Any integer type names a move."""
    assert move_name(np.int64(36)) == "draw"
    assert move_name(np.uint8(12)) == "take r1c1"


@pytest.mark.parametrize("number", [-1, 37, 255, 2**70])
def test_move_name_refuses_other_numbers(number: int) -> None:
    """Numbers outside 0..36 are no moves; the message quotes them."""
    with pytest.raises(ValueError, match=rf"from 0 to 36 of this grid, got {number}"):
        move_name(number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Draw",
        "draw ",
        " draw",
        "draw r1c1",
        "drop",
        "r1c1",
        "flip",
        "flip r1",
        "flip c1r1",
        "flip  r1c1",
        "flip r1 c1",
        "flip r1c1\n",
        "flip r0c1",
        "flip r4c1",
        "take r1c0",
        "take r1c5",
        "place r-1c1",
        "swap r1c1",
        "A draw",
    ],
)
def test_move_refuses_other_texts(text: str) -> None:
    """A text that names no cell of the grid is refused with the text in the message."""
    with pytest.raises(ValueError, match="move: expected") as caught:
        move(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["flip r\u0661c1", "flip r01c1", "take r1c\uff12"])
def test_move_has_one_spelling(text: str) -> None:
    """Rows and columns are plain digits without a leading zero, so each move has one text."""
    with pytest.raises(ValueError, match="move: expected"):
        move(text)


@pytest.mark.parametrize("value", [None, 3, b"draw", ["draw"]])
def test_move_refuses_other_kinds(value: Any) -> None:
    """Only a str is a text."""
    with pytest.raises(TypeError):
        move(value)


def test_cell_constants_are_no_card_values_and_fit_a_byte() -> None:
    """HIDDEN, REMOVED and STAR are plain ints outside -4..13, within int8, and differ (API 1)."""
    constants = [HIDDEN, REMOVED, STAR]
    assert all(type(value) is int for value in constants)
    assert len(set(constants)) == 3
    assert not set(constants) & set(range(-4, 14))
    assert all(-128 <= value <= 127 for value in constants)


def test_package_exports_what_it_lists() -> None:
    """Every name of __all__ is there, and dir() lists them."""
    for name in skyjo_core.__all__:
        assert getattr(skyjo_core, name) is not None
    assert set(skyjo_core.__all__) <= set(dir(skyjo_core))
    with pytest.raises(AttributeError, match="no attribute 'Gmae'"):
        skyjo_core.Gmae  # noqa: B018
