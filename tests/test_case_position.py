# SPDX-License-Identifier: MIT
"""Cases that start from a position: steps, refused steps, reshuffles, what is wanted then."""

from __future__ import annotations

from typing import Any

import pytest

from case_runner import Case
from skyjo_core.conformance import run_case

# A 1+4+h7 | 2+5+8 | 3+6+9, B the same; rows of three.
GRID = "1 2 3 / 4 5 6 / h7 8 9"
OTHER = "1 2 3 / 4 5 6 / 7 8 h9"
POSITION: Case = {
    "id": "1",
    "title": "",
    "kind": "position",
    "rules": {"columns": 3, "initial_flips": 1},
    "grids": {"A": GRID, "B": OTHER},
    "draw": ["10", "11"],
    "discard": ["0", "12"],
}


def told(want: dict[str, Any], **given: Any) -> list[str]:
    return [str(difference) for difference in run_case({**POSITION, **given, "want": want})]


# Steps


def test_steps_are_played_and_everything_wanted_is_compared() -> None:
    """A takes the 12 for its 1; then B may take into nine cells, or draw."""
    want = {
        "grids": {"A": "12 2 3/4 5 6/h7   8 9"},
        "discard": ["0", "1"],
        "draw": ["10", "11"],
        "hand": None,
        "turn": "B",
        "phase": "TURN",
        "closer": None,
        "last_turns_left": None,
        "legal_count": 10,
        "legal_has": ["draw", "take r3c3"],
        "legal_has_not": ["flip r3c3", "place r1c1", "drop"],
    }
    assert told(want, steps=["A take r1c1"]) == []


def test_a_step_that_is_not_legal_is_named_with_what_was_legal_and_ends_the_case() -> None:
    takes = ", ".join(f"take r{row}c{column}" for column in (1, 2, 3) for row in (1, 2, 3))
    for step in ("A flip r3c1", "B take r1c1", "A drop", "A place r1c1"):
        assert told({"turn": "A"}, steps=[step, "A draw", "A draw"]) == [
            f"steps: expected one of A: {takes}, draw, got '{step}'"
        ]


def test_a_step_after_the_round_is_named() -> None:
    """A, the last to play, ends the round."""
    more: dict[str, Any] = {"closer": "B", "last_turns_left": ["A"]}
    assert told({"phase": "OVER"}, steps=["A take r1c1", "B draw"], **more) == [
        "steps: expected none, for the round is over, got 'B draw'"
    ]


@pytest.mark.parametrize("key", ["steps", "illegal"])
@pytest.mark.parametrize(
    ("step", "got"),
    [
        ("A swap r1c1", "swap r1c1"),
        ("A take r4c1", "take r4c1"),
        ("A take r1c4", "take r1c4"),
        ("A take", "take"),
        ("A take r01c1", "take r01c1"),
        ("A  draw", " draw"),
        ("A draw ", "draw "),
        ("A Draw", "Draw"),
        ("A market 2", "market 2"),
        ("C draw", "C draw"),
        ("A", "A"),
        ("draw", "draw"),
        ("", ""),
    ],
)
def test_what_is_no_step_is_named_under_illegal_too(key: str, step: str, got: str) -> None:
    (difference,) = told({"turn": "A"}, **{key: [step]})
    assert difference.startswith(f"{key}: expected steps ")
    assert difference.endswith(f"got {got!r}")


@pytest.mark.parametrize("key", ["legal_has", "legal_has_not"])
@pytest.mark.parametrize("step", ["swap r1c1", "A draw", "take r4c1", ""])
def test_what_is_no_move_is_named_under_legal_too(key: str, step: str) -> None:
    (difference,) = told({key: [step]})
    assert difference.startswith(f"want.{key}: expected steps ")
    assert difference.endswith(f"got {step!r}")


def test_all_that_is_no_step_is_told_at_once() -> None:
    differences = told({"legal_has": ["?"]}, steps=["A !"], illegal=["B ."], draw=["13"])
    assert [difference.partition(":")[0] for difference in differences] == [
        "steps",
        "illegal",
        "want.legal_has",
        "grids",
    ]


def test_names_may_hold_spaces_and_begin_alike() -> None:
    case = {
        **POSITION,
        "grids": {"Ann": GRID, "Ann Mary": OTHER, "Ann Mary Lou": GRID},
        "steps": ["Ann take r1c1", "Ann Mary take r1c1", "Ann Mary Lou take r1c1"],
        "illegal": ["Ann Mary draw"],
    }
    assert run_case({**case, "want": {"turn": "Ann"}}) == []


# Refused steps


def test_a_legal_step_under_illegal_is_named() -> None:
    illegal = ["A drop", "B draw", "A draw", "A flip r3c1", "A take r1c1"]
    assert told({"turn": "A", "hand": None}, illegal=illegal) == [
        "illegal: expected 'A draw' to be refused, got a legal step",
        "illegal: expected 'A take r1c1' to be refused, got a legal step",
    ]


def test_after_the_round_every_step_is_refused() -> None:
    more: dict[str, Any] = {"closer": "B", "last_turns_left": ["A"], "steps": ["A take r1c1"]}
    illegal = ["A draw", "B draw", "A take r1c1", "B flip r3c3", "A drop"]
    want = {"phase": "OVER", "turn": None, "legal_count": 0, "legal_has_not": ["draw"]}
    assert told(want, illegal=illegal, **more) == []


# What is wanted


@pytest.mark.parametrize("key", ["raw", "points"])
def test_scores_are_wanted_only_of_a_round_that_is_over(key: str) -> None:
    want = {key: {"A": 45, "B": 45}}
    assert told(want) == [f"want.{key}: expected {want[key]}, got none: the round is not over"]


def test_grids_are_compared_cell_by_cell() -> None:
    """Spaces are free, rows are not; each player is told apart."""
    assert told({"grids": {"A": " 1  2 3 /4 5 6/ h7 8 9 ", "B": OTHER}}) == []
    for wrong in ("1 2 3 4 5 6 h7 8 9", "1 2 3 / 4 5 6", "1 2 3 / 4 5 6 / 7 8 9", "", "01 2 3"):
        (difference,) = told({"grids": {"A": GRID, "B": wrong}})
        assert difference == f"want.grids.B: expected {wrong!r}, got '1 2 3 / 4 5 6 / 7 8 h9'"


@pytest.mark.parametrize(
    ("want", "key"),
    [
        ({"discard": ["12", "0"]}, "discard"),
        ({"draw": ["11", "10"]}, "draw"),
        ({"hand": "1"}, "hand"),
        ({"turn": None}, "turn"),
        ({"turn": "B"}, "turn"),
        ({"phase": "OVER"}, "phase"),
        ({"closer": "A"}, "closer"),
        ({"last_turns_left": []}, "last_turns_left"),
        ({"legal_count": 9}, "legal_count"),
        ({"legal_has": ["flip r3c1"]}, "legal_has"),
        ({"legal_has": ["drop"]}, "legal_has"),
        ({"legal_has_not": ["draw"]}, "legal_has_not"),
    ],
)
def test_what_is_not_as_wanted_is_named(want: dict[str, Any], key: str) -> None:
    (difference,) = told({**want, "grids": {"A": GRID}})
    assert difference.startswith(f"want.{key}: expected ")


# Positions that are none


@pytest.mark.parametrize(
    ("given", "got"),
    [
        ({"grids": {"A": "1 2 / 4 5 / 7 8", "B": OTHER}}, "rows of 3 cells"),
        ({"grids": {"A": "1 2 * / 4 5 6 / 7 8 9", "B": OTHER}}, "cards from -2 to 12"),
        ({"draw": ["13"]}, "cards from -2 to 12"),
        ({"phase": "OVER"}, "FLIP, TURN or HOLD"),
        ({"phase": "HOLD"}, "HOLD with a hand"),
        ({"draw": [], "discard": []}, "a card to take or to draw"),
        ({"closer": "B", "last_turns_left": ["B"]}, "last_turns_left"),
        ({"last_turns_left": ["A"]}, "none without a closer"),
    ],
)
def test_what_is_no_position_is_named(given: dict[str, Any], got: str) -> None:
    (difference,) = told({"turn": "A"}, **given)
    assert difference.startswith("grids: expected a position of these rules, got position: ")
    assert got in difference


# Reshuffles


SHUFFLED: dict[str, Any] = {"draw": [], "discard": ["4", "9", "1", "7"], "steps": ["A draw"]}


def test_a_listed_reshuffle_has_its_order() -> None:
    want = {"hand": "9", "draw": ["1", "4"], "discard": ["7"]}
    assert told(want, **SHUFFLED, reshuffles=[["9", "1", "4"]]) == []
    assert told(want, **SHUFFLED, reshuffles=[["9", "4", "1"]]) == [
        "want.draw: expected ['1', '4'], got ['4', '1']"
    ]


def test_a_listed_reshuffle_that_is_not_needed_is_no_fault() -> None:
    assert told({"turn": "A"}, reshuffles=[["9", "1", "4"], []]) == []


@pytest.mark.parametrize("pile", [["9", "1"], ["9", "1", "7"], ["9", "1", "4", "7"], []])
def test_a_listed_reshuffle_of_other_cards_is_named(pile: list[str]) -> None:
    (difference,) = told({"hand": "9"}, **SHUFFLED, reshuffles=[pile])
    assert difference.startswith("reshuffles: expected a new draw pile for 'A draw', got ")
    (difference,) = told(
        {"turn": "A"}, **SHUFFLED | {"steps": []}, reshuffles=[pile], illegal=["A draw"]
    )
    assert difference.startswith("illegal: ")


@pytest.mark.parametrize("hand", ["4", "9", "1"])
def test_a_reshuffle_that_is_not_listed_may_have_any_order(hand: str) -> None:
    """Of 4, 9 and 1 any may be drawn; the other two are left, in any order."""
    left = [card for card in ("1", "4", "9") if card != hand]
    for draw in (left, left[::-1]):
        assert told({"hand": hand, "draw": draw, "discard": ["7"]}, **SHUFFLED) == []
    assert told({"hand": hand}, **SHUFFLED) == []
    assert told({"draw": left}, **SHUFFLED) == []


@pytest.mark.parametrize(
    ("want", "keys"),
    [
        ({"hand": "7"}, ["hand"]),
        ({"hand": None}, ["hand"]),
        ({"draw": ["1", "4", "9"]}, ["draw"]),
        ({"draw": ["1", "1"]}, ["draw"]),
        ({"draw": ["1"]}, ["draw"]),
        ({"draw": ["1", "9"], "hand": "9"}, ["hand"]),
        ({"draw": ["1", "9"], "hand": "4", "discard": []}, ["discard"]),
    ],
)
def test_a_reshuffle_that_is_not_listed_makes_no_cards(
    want: dict[str, Any], keys: list[str]
) -> None:
    differences = told(want, **SHUFFLED)
    assert [difference.partition(":")[0] for difference in differences] == [
        f"want.{key}" for key in keys
    ]


def test_the_pile_has_any_order_after_the_hand_is_placed_too() -> None:
    """Three 5s: whichever is drawn, two are left."""
    given = {**SHUFFLED, "discard": ["5", "5", "5", "7"], "steps": ["A draw", "A place r1c1"]}
    assert told({"draw": ["5", "5"], "hand": None, "discard": ["7", "1"]}, **given) == []


# The final count


COUNT: Case = {
    "id": "1",
    "title": "",
    "kind": "final_count",
    "grids": {
        "A": "h5 0 0 0 / 0 1 -1 0 / 0 7 0 1",
        "B": "1 0 0 0 / 0 2 -2 0 / h0 0 0 3",
    },
    "closer": None,
}


def test_a_count_without_a_closer_doubles_nobody() -> None:
    """A: 5 + 8 - 1 + 1 = 13, hidden ones too. B: 1 + 2 - 2 + 3 = 4. Nothing leaves."""
    want: Case = {"raw": {"A": 13, "B": 4}, "points": {"A": 13, "B": 4}}
    want["grids"] = {"A": "5 0 0 0 / 0 1 -1 0 / 0 7 0 1"}
    assert run_case({**COUNT, "want": want}) == []


@pytest.mark.parametrize("closer", ["A", "B"])
def test_a_count_takes_any_closer(closer: str) -> None:
    points = {"A": {"A": 26, "B": 4}, "B": {"A": 13, "B": 4}}[closer]
    assert run_case({**COUNT, "closer": closer, "want": {"points": points}}) == []


def test_a_count_takes_grids_without_cards_and_columns_that_lie_open() -> None:
    """A has no card left; B's open 7s leave at the reveal: 1 + 2 + 3 = 6 and 6 are left."""
    grids = {"A": ". . . . / . . . . / . . . .", "B": "7 1 1 . / 7 2 2 . / 7 3 3 ."}
    want = {"raw": {"A": 0, "B": 12}, "grids": {"B": ". 1 1 . / . 2 2 . / . 3 3 ."}}
    assert run_case({**COUNT, "grids": grids, "closer": "A", "want": want}) == []


def test_a_count_of_what_is_no_grid_is_named() -> None:
    case = {**COUNT, "grids": {"A": "1 2", "B": "x"}, "want": {"raw": {"A": 1, "B": 1}}}
    (difference,) = run_case(case)
    assert difference.key == "grids"
