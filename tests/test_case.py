# SPDX-License-Identifier: MIT
"""The form of cases: every fault is named, whatever a case holds."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from case_runner import CLASSIC, OPTIONS, Case, load_cases
from skyjo_core.case import case_faults, players_of, read_cases
from skyjo_core.case_forms import ALWAYS, KINDS, SOMETIMES

CASES = {case["id"]: case for case in [*load_cases(CLASSIC), *load_cases(OPTIONS)]}
SCORE: Case = {
    "id": "1",
    "title": "",
    "kind": "score",
    "raw": {"A": 7, "B": 4},
    "closer": "A",
    "want": {"points": {"A": 14, "B": 4}},
}
STARTER: Case = {
    "id": "1",
    "title": "",
    "kind": "starter",
    "open": {"A": [1, "2"], "B": []},
    "want": {"tied": ["A"]},
}
POSITION: Case = {
    "id": "1",
    "title": "",
    "kind": "position",
    "grids": {"A": "1 2", "B": "3 4"},
    "draw": [],
    "discard": ["5"],
    "want": {"turn": "A"},
}
GAME_END: Case = {
    "id": "1",
    "title": "",
    "kind": "game_end",
    "totals": {"A": 1, "B": 2},
    "points": {"A": 3, "B": 4},
    "want": {"over": False},
}
GAME: Case = {
    "id": "1",
    "title": "",
    "kind": "game",
    "rounds": [{"raw": {"A": 7, "B": 4}, "closer": "A"}],
    "want": {"winners": ["A"]},
}


def keys_of(case: object) -> list[str]:
    return [fault.key for fault in case_faults(case)]


def changed(case: Case, path: str, value: Any) -> Case:
    """A copy with another value at a key, dots between."""
    result = copy.deepcopy(case)
    *above, last = path.split(".")
    place = result
    for key in above:
        place = place[key]
    place[last] = value
    return result


@pytest.mark.parametrize("id_", CASES)
def test_cases_of_the_files_have_no_faults(id_: str) -> None:
    assert case_faults(CASES[id_]) == []


def test_the_files_use_every_key_of_every_kind() -> None:
    """So the tests below, which change each key of each case, leave out none."""
    used: dict[str, set[str]] = {kind: set() for kind in KINDS}
    wanted: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for case in CASES.values():
        used[case["kind"]] |= set(case) - {"want", *ALWAYS, *SOMETIMES}
        wanted[case["kind"]] |= set(case["want"])
    for name, kind in KINDS.items():
        assert used[name] == {*kind.needed, *kind.optional}, name
        assert wanted[name] == set(kind.want), name


@pytest.mark.parametrize("id_", CASES)
def test_a_wrong_type_is_named_by_its_key(id_: str) -> None:
    """Any key of a case and of its `want`."""
    case = CASES[id_]
    for key in (*case, *(f"want.{key}" for key in case["want"])):
        for value in (1.5, [None], [[]]):
            is_pile_list = key == "reshuffles" and value == [[]]
            assert (key in keys_of(changed(case, key, value))) != is_pile_list, (key, value)


@pytest.mark.parametrize("id_", CASES)
def test_a_missing_key_is_named(id_: str) -> None:
    case = CASES[id_]
    for key in ("want", *ALWAYS, *KINDS[case["kind"]].needed):
        assert key in keys_of({name: value for name, value in case.items() if name != key})


@pytest.mark.parametrize("id_", CASES)
def test_an_unknown_key_is_named(id_: str) -> None:
    case = CASES[id_]
    assert keys_of({**case, "wants": 1}) == ["wants"]
    assert keys_of(changed(case, "want.thing", 1)) == ["want.thing"]


def test_all_faults_are_told_at_once() -> None:
    case = {"title": 5, "kind": "score", "raw": {"A": True, "B": 1}, "grids": 1, "want": {"x": 1}}
    assert [str(fault) for fault in case_faults(case)] == [
        "id: expected a text, got no such key",
        "title: expected a text, got 5",
        "grids: expected one of the keys want, id, title, kind, note, rules, raw, closer, "
        "got an unknown key",
        "raw: expected for each of A, B a whole number between -10000 and 10000, "
        "got {'A': True, 'B': 1}",
        "closer: expected one of A, B, or null, got no such key",
        "want.x: expected one of the keys points, got an unknown key",
    ]


@pytest.mark.parametrize(
    ("case", "path", "value"),
    [
        # Cards are texts, but for the open ones; scores are whole numbers; true is not 1.
        (POSITION, "draw", [5]),
        (POSITION, "discard", ["05"]),
        (POSITION, "discard", ["-0"]),
        (POSITION, "discard", [" 5"]),
        (POSITION, "discard", ["5\n"]),
        (POSITION, "discard", ["٥"]),
        (POSITION, "discard", "5"),
        (POSITION, "hand", 5),
        (POSITION, "reshuffles", ["5"]),
        (POSITION, "want.discard", [5]),
        (POSITION, "want.hand", 5),
        (POSITION, "want.legal_count", True),
        (POSITION, "want.legal_count", 13.0),
        (POSITION, "want.raw", {"A": 1.0, "B": 2}),
        (POSITION, "stalled", 1),
        (POSITION, "stalled", None),
        (STARTER, "open", {"A": [True, 2], "B": [1, 2]}),
        (STARTER, "open", {"A": [1.0, 2], "B": [1, 2]}),
        (STARTER, "open", {"A": None, "B": [1, 2]}),
        (SCORE, "want.points", {"A": True, "B": 4}),
        (SCORE, "raw", {"A": 10**4, "B": 4}),
        (GAME_END, "points", {"A": "1", "B": 4}),
        (GAME_END, "want.over", 0),
        # Players are those of the grids, and all of them where each has a score.
        (POSITION, "turn", "C"),
        (POSITION, "turn", 0),
        (POSITION, "turn", None),
        (POSITION, "closer", "a"),
        (POSITION, "last_turns_left", ["A", "C"]),
        (POSITION, "totals", {"A": 1}),
        (POSITION, "totals", {"A": 1, "B": 2, "C": 3}),
        (POSITION, "totals", [1, 2]),
        (POSITION, "want.turn", "C"),
        (POSITION, "want.grids", {"C": "1 2"}),
        (POSITION, "want.raw", {"A": 1}),
        (POSITION, "want.raw", None),
        (SCORE, "closer", ["A"]),
        (STARTER, "want.tied", ["A", "A"]),
        (STARTER, "want.tied", []),
        (STARTER, "want.starter", None),
        (GAME, "want.winners", ["A", "A"]),
        (GAME, "rounds", []),
        (GAME, "rounds", GAME["rounds"] + [{"raw": {"A": 7, "C": 4}, "closer": "A"}]),
        (GAME, "rounds", GAME["rounds"] + [{"raw": {"A": 7, "B": 4}}]),
        (GAME, "rounds", GAME["rounds"] * 1001),
        # A want that wants nothing checks nothing.
        (SCORE, "want", {}),
        (SCORE, "want", None),
        (POSITION, "want.grids", {}),
        (POSITION, "want.legal_has", []),
        (POSITION, "want.legal_has_not", []),
        # Words.
        (POSITION, "phase", "flip"),
        (POSITION, "phase", ["FLIP"]),
        (POSITION, "want.phase", "REVEAL"),
        (POSITION, "steps", ["A draw", 1]),
        (POSITION, "steps", "A draw"),
        (SCORE, "kind", "bidding"),
        (SCORE, "kind", []),
        (SCORE, "note", None),
        (SCORE, "rules", []),
    ],
)
def test_what_a_key_may_not_hold_is_named(case: Case, path: str, value: object) -> None:
    assert keys_of(changed(case, path, value)) == [path]


@pytest.mark.parametrize("names", [[], ["A"], ["A", ""], [str(i) for i in range(11)]])
def test_two_to_ten_players_have_names(names: list[str]) -> None:
    for case, key, value in (
        (SCORE, "raw", 1),
        (POSITION, "grids", "1 2"),
        (GAME_END, "totals", 1),
    ):
        assert keys_of({**case, key: dict.fromkeys(names, value)}) == [key]


def test_players_are_in_the_order_of_their_seats() -> None:
    for id_, players in (("C40", "ABC"), ("C51", "AB"), ("C62", "ABC"), ("C64", "ABC")):
        assert players_of(CASES[id_]) == list(players)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"raw": {"A": 1, "B": 2}},
        {"closer": "A"},
        {"points": {"A": 1, "B": 2}, "closer": "A"},
        {"points": {"A": 1, "B": 2}, "raw": {"A": 1, "B": 2}, "closer": "A"},
    ],
)
def test_the_end_of_a_game_needs_points_or_raw_and_closer(given: dict[str, Any]) -> None:
    case = {key: value for key, value in GAME_END.items() if key != "points"}
    assert keys_of({**case, **given}) == ["points"]


def test_the_action_game_is_not_there_yet() -> None:
    """Told alone: its own keys are not called unknown."""
    case = {**POSITION, "rules": {"game": "action"}, "row": []}
    assert [str(fault) for fault in case_faults(case)] == [
        "rules.game: expected 'classic', got 'action', which is not there yet"
    ]


# What is no JSON, or too much of it


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


def in_itself() -> object:
    value: list[object] = []
    value += [value, value]
    return value


@pytest.mark.parametrize("case", [5, 1.5, None, True, "case", [], [SCORE], {}, {"kind": "score"}])
def test_what_is_no_case_is_a_fault(case: object) -> None:
    assert case_faults(case)


@pytest.mark.parametrize(
    ("value", "got"),
    [
        (nested(9), "more"),
        (nested(100_000), "more"),
        (in_itself(), "more"),
        (2**31, "one of 32 bits"),
        (-(10**5000), "one of 16610 bits"),
        ((1, 2), "tuple"),
        ({1, 2}, "set"),
        (b"A", "bytes"),
        (CLASSIC, type(CLASSIC).__name__),
        ({1: 2}, "a key of int"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_no_case_holds_is_a_fault_at_any_depth(value: object, got: str) -> None:
    for case, key in (
        (value, "case"),
        ({**SCORE, "note": value}, "note"),
        (changed(SCORE, "want.points", {"A": [value], "B": 1}), "want.points.A"),
    ):
        (fault,) = case_faults(case)
        assert (fault.key, fault.got) == (key, got)


# Reading a file


def test_cases_are_read_as_they_stand() -> None:
    assert read_cases('[1, {"a": [true, null, -2, 1.5, "x"]}]') == [
        1,
        {"a": [True, None, -2, 1.5, "x"]},
    ]


@pytest.mark.parametrize(
    "text", ["", "[1", "{}", "5", "null", '"x"', "[NaN]", "[Infinity]", "[1,]"]
)
def test_what_is_no_array_cannot_be_read(text: str) -> None:
    with pytest.raises(ValueError, match="expected a JSON array of cases, got "):
        read_cases(text)


def test_too_deep_a_text_cannot_be_read() -> None:
    with pytest.raises(ValueError, match="too deep"):
        read_cases("[" * 200_000)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"id": "1", "id": "2"}', "case"),
        ('{"want": {"raw": {"A": 1, "A": 1}}}', "want.raw"),
        ('{"rules": {"": 1, "": 1}}', "rules"),
    ],
)
def test_a_key_that_stands_twice_is_a_fault_of_its_case(text: str, key: str) -> None:
    cases = read_cases(f"[{text}, 5]")
    (fault,) = case_faults(cases[0])
    assert (fault.key, fault.expected) == (key, "each key once")


def test_a_number_of_many_digits_is_a_fault_of_its_case() -> None:
    text = '{"id": "1", "title": "", "kind": "score", "raw": {"A": %s, "B": 1}, "closer": "A"'
    (case,) = read_cases(f'[{text % ("9" * 5000)}, "want": {{"points": {{"A": 1, "B": 1}}}}}}]')
    assert keys_of(case) == ["raw"]
