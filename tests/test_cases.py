# SPDX-License-Identifier: MIT
"""The worked examples of the rules, and the runner that plays them."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from case_runner import Case, load_cases, run_case

CASES = {case["id"]: case for case in load_cases()}


def test_case_file_holds_every_case() -> None:
    """The file has 43 cases of seven kinds, each with an id of its own (cases/README.md)."""
    assert len(load_cases()) == len(CASES) == 43
    assert {case["kind"] for case in CASES.values()} == {
        *("starter", "position", "final_count", "score", "doubling_options", "game_end", "game"),
    }


@pytest.mark.parametrize("id_", CASES)
def test_case_gives_what_it_wants(id_: str) -> None:
    """The engine plays the case and every wanted key is right."""
    assert run_case(CASES[id_]) == []


def spoiled(value: Any) -> Any:
    """Another value of the same kind, at every depth."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, dict):
        return {key: spoiled(item) for key, item in value.items()}
    if isinstance(value, list):
        return [*value, value[0]] if value else ["A"]
    return "X" if value is None else f"{value}9"


@pytest.mark.parametrize("id_", CASES)
def test_case_with_one_wrong_wish_fails(id_: str) -> None:
    """Each wanted key is looked at: a wrong value under it is reported, and only that one."""
    for key in CASES[id_]["want"]:
        case = copy.deepcopy(CASES[id_])
        case["want"][key] = spoiled(case["want"][key])
        differences = run_case(case)
        assert differences
        assert all(key.removesuffix("s") in difference for difference in differences)


def test_case_with_legal_move_under_illegal_fails() -> None:
    """A step that the engine does not refuse is reported."""
    case: Case = copy.deepcopy(CASES["C12"])
    case["illegal"] = ["A place r1c1"]
    assert "A place r1c1: expected to be refused" in run_case(case)


def test_case_with_wrong_kind_or_key_fails() -> None:
    """Nothing unknown is skipped (API 7)."""
    assert run_case({**CASES["C41"], "kind": "bidding"})[0].startswith("kind: ")
    assert run_case({**CASES["C41"], "closers": "A"}) == ["closers: unknown key"]
    wanted = {**CASES["C41"], "want": {"winners": ["A"]}}
    assert run_case(wanted) == ["winners: this kind of case gives no such result"]


def test_case_with_unknown_verb_fails_under_illegal_too() -> None:
    """Only `drop` is a step that is always refused; any other verb is a failure of the file."""
    case = {**CASES["C12"], "illegal": ["A swap r1c1"]}
    with pytest.raises(ValueError, match="swap r1c1"):
        run_case(case)


def test_final_count_without_closer_doubles_nobody() -> None:
    """A count whose closer is null scores the raw sums: 5 + 7 = 12 (hidden ones too) and 1."""
    case = {
        "id": "own",
        "title": "no closer",
        "kind": "final_count",
        "grids": {"A": "h5 0 0 0 / 0 1 -1 0 / 0 7 0 0", "B": "1 0 0 0 / 0 2 -2 0 / 0 0 0 0"},
        "closer": None,
        "want": {"raw": {"A": 12, "B": 1}, "points": {"A": 12, "B": 1}},
    }
    assert run_case(case) == []


def test_starter_case_lists_who_is_tied() -> None:
    """`tied` is the set with the highest sum; the default tie-break picks among it: 12 > 6."""
    case = {
        "id": "own",
        "title": "tied",
        "kind": "starter",
        "open": {"A": [6, 4], "B": [12, -2], "C": [1, 2]},
        "want": {"tied": ["A", "B"], "starter": "B"},
    }
    assert run_case(case) == []
