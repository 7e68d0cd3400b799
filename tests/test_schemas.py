# SPDX-License-Identifier: MIT
"""The JSON Schemas of docs/schemas: what the package writes validates, what is spoilt does not."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest

from case_runner import CLASSIC, OPTIONS, load_cases
from conftest import ROOT
from skyjo_core import Game, Phase, Rules, View, play_game
from skyjo_core._core import RULE_WORDS
from skyjo_core.case_forms import ALWAYS, KINDS, SOMETIMES
from skyjo_core.conformance import run_case
from skyjo_core.record_form import FAULT_KINDS, FORMAT
from skyjo_core.rules import DEFAULTS
from skyjo_core.verify import verify_record
from small_records import SMALL, closed_by_seat_1, with_a_new_pile

Json = Any
Path = tuple[str | int, ...]

SCHEMAS = {
    name: json.loads((ROOT / f"docs/schemas/{name}.schema.json").read_text(encoding="utf-8"))
    for name in ("record", "cases")
}
RECORDS = jsonschema.Draft202012Validator(SCHEMAS["record"])
CASE_FILES = jsonschema.Draft202012Validator(SCHEMAS["cases"])
CASES = {case["id"]: case for path in (CLASSIC, OPTIONS) for case in load_cases(path)}
FORMAT_TEXT = (ROOT / "docs/format.md").read_text(encoding="utf-8")
TWO_ROUNDS = Rules(threshold=None, max_rounds=2)


def example(name: str) -> Json:
    """The example of that name in docs/format.md."""
    pattern = rf"<!-- example: {name} -->\n```json\n(.*?)\n```"
    found = re.search(pattern, FORMAT_TEXT, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


# The schemas


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_one_of_draft_2020_12(name: str) -> None:
    assert SCHEMAS[name]["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    assert f"schemas/{name}.schema.json" in FORMAT_TEXT


def objects_in(schema: Json) -> Iterator[dict[str, Json]]:
    """Each part of a schema that lists the keys of an object, but for those of a condition."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            yield schema
        for part in schema.values():
            yield from objects_in(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects_in(part)


def test_objects_take_no_other_keys() -> None:
    case = SCHEMAS["cases"]["$defs"]["case"]  # looks at the kind and leaves the rest to it
    for schema in SCHEMAS.values():
        for part in objects_in(schema):
            assert part is case or part["additionalProperties"] is False


def test_keys_of_a_record_are_all_needed() -> None:
    for part in objects_in(SCHEMAS["record"]):
        assert part["required"] == list(part["properties"])


@pytest.mark.parametrize("name", SCHEMAS)
def test_rules_of_a_schema_are_those_of_the_package(name: str) -> None:
    fields = SCHEMAS[name]["$defs"]["rules"]["properties"]
    assert list(fields) == ["game", *DEFAULTS]
    assert {field: tuple(part["enum"]) for field, part in fields.items() if "enum" in part} == dict(
        RULE_WORDS
    )
    numbers = {field: part for field, part in fields.items() if "minimum" in part}
    besides: dict[str, dict[str, Any]] = {
        "rows": {"columns": 1, "initial_flips": 1},
        "columns": {"rows": 1, "initial_flips": 1},
        "threshold": {"max_rounds": 1},
    }
    for field, part in numbers.items():
        for value in (part["minimum"], part["maximum"]):
            assert Rules(**besides.get(field, {}), **{field: value}) is not None
        for value in (part["minimum"] - 1, part["maximum"] + 1):
            with pytest.raises(ValueError, match=f"{field}: expected"):
                Rules(**besides.get(field, {}), **{field: value})
        may_be_off = part["type"] == ["integer", "null"]
        assert may_be_off == (field in ("threshold", "max_rounds", "stall_limit"))
    switches = [field for field, part in fields.items() if part.get("type") == "boolean"]
    assert set(fields) == {"game", "deck", *RULE_WORDS, *numbers, *switches}
    assert fields["deck"]["anyOf"][0]["enum"] == ["classic150", "numbers105"]


def test_both_schemas_have_the_same_rules() -> None:
    record, cases = (SCHEMAS[name]["$defs"] for name in ("record", "cases"))
    assert record["rules"]["properties"] == cases["rules"]["properties"]
    assert record["custom_deck"] == cases["custom_deck"]
    assert record["card"] == cases["card"]


def test_words_of_a_record_are_those_of_the_package() -> None:
    fields = SCHEMAS["record"]["properties"]
    assert fields["format"]["const"] == FORMAT
    assert fields["deck_kind"]["enum"] == ["stack", "lanes"]
    assert fields["end"]["enum"] == ["threshold", "max_rounds", "guard", "abort", None]
    assert SCHEMAS["record"]["$defs"]["fault"]["properties"]["kind"]["enum"] == list(FAULT_KINDS)


def test_kinds_and_keys_of_a_case_are_those_of_the_package() -> None:
    parts = SCHEMAS["cases"]["$defs"]
    assert parts["case"]["properties"]["kind"]["enum"] == list(KINDS)
    for name, kind in KINDS.items():
        properties = parts[name]["properties"]
        keys = {*ALWAYS, *SOMETIMES, *kind.needed, *kind.optional, "want"}
        assert set(properties) == keys
        assert set(parts[name]["required"]) == {*ALWAYS, *kind.needed, "want"}
        assert set(properties["want"]["properties"]) == set(kind.want)
    phases = parts["position"]["properties"]["want"]["properties"]["phase"]["enum"]
    assert phases == list(Phase.__members__)


# Records


def random_game(
    seats: int, rules: Rules, seed: int, n_moves: int = -1, deck: str = "stack"
) -> Game:
    """A game of random moves, to its end or for so many of them."""
    game = Game(seats, rules, seed, deck)
    rng = random.Random(seed)
    while game.seat >= 0 and n_moves != 0:
        game.apply(rng.choice(game.legal_moves()))
        n_moves -= 1
    return game


def reshuffled_game() -> Game:
    """A round in which everybody draws and places on an open card until the pile is new."""
    game = Game(8, TWO_ROUNDS, 3)
    while game.view().reshuffles == 0:
        game.apply(36 if 36 in game.legal_moves() else keeping(game))
    return game


def keeping(game: Game) -> int:
    """An exchange of the drawn card for an open one, where it is legal; else the first move."""
    cells = game.view().cells(0)
    legal = game.legal_moves()
    return next((move for move in legal if move >= 24 and -4 <= cells[move - 24] <= 13), legal[0])


def first(view: View) -> int:
    return view.legal_moves[0]


def forfeiting(view: View) -> int:
    """Fails in the second round."""
    return view.legal_moves[0] if view.round_number == 0 else 99


def raising(view: View) -> int:
    raise RuntimeError("enough")


MADE: dict[str, Callable[[], Json]] = {
    "classic-fr": lambda: random_game(3, Rules(), 1).record(),
    "eight seats": lambda: random_game(8, TWO_ROUNDS, 2**64 - 1).record(),
    "lanes": lambda: random_game(4, TWO_ROUNDS, 2, deck="lanes").record(),
    "one move": lambda: random_game(2, Rules(), 3, n_moves=1).record(),
    "running": lambda: random_game(2, TWO_ROUNDS, 4, n_moves=60).record(),
    "reshuffled": lambda: reshuffled_game().record(),
    "capped": lambda: random_game(2, TWO_ROUNDS.replace(max_turns_per_round=5), 5).record(),
    "stalled": lambda: random_game(2, TWO_ROUNDS.replace(stall_limit=1), 6).record(),
    "guard": lambda: random_game(2, Rules(max_rounds_guard=1), 7).record(),
    "ten seats of 3 x 3": lambda: random_game(10, TWO_ROUNDS.replace(columns=3), 8).record(),
    "numbers105": lambda: random_game(4, TWO_ROUNDS.replace(deck="numbers105"), 9).record(),
    "no flips": lambda: random_game(2, TWO_ROUNDS.replace(initial_flips=0), 10).record(),
    "house rules": lambda: random_game(
        2,
        TWO_ROUNDS.replace(
            rows=4, columns=3, row_removal=True, double="strict_all", stall_limit=None
        ),
        11,
    ).record(),
    "forfeit": lambda: play_game([first, forfeiting], seed=1, rules=TWO_ROUNDS).record(),
    "forfeits": lambda: play_game([raising, raising, raising], seed=1).record(),
    "abort": lambda: play_game([first, raising], seed=1, on_fault="abort").record(),
    "abort in round 2": lambda: play_game(
        [first, forfeiting], seed=1, rules=TWO_ROUNDS, on_fault="abort"
    ).record(),
    "by hand": closed_by_seat_1,
    "by hand, a new pile": with_a_new_pile,
    "the example of docs/format.md": lambda: example("record"),
}


def faults(validator: jsonschema.Draft202012Validator, value: Json) -> list[str]:
    return [error.message for error in validator.iter_errors(json.loads(json.dumps(value)))]


@pytest.mark.parametrize("name", MADE)
def test_record_validates(name: str) -> None:
    record = MADE[name]()
    assert faults(RECORDS, record) == []
    assert verify_record(record) is None


def test_records_are_of_all_sorts() -> None:
    records = {name: make() for name, make in MADE.items()}
    ends = {record["end"] for record in records.values()}
    assert ends == {"threshold", "max_rounds", "guard", "abort", None}
    assert records["reshuffled"]["rounds"][0]["reshuffles"]
    assert records["capped"]["rounds"][0]["capped"]
    assert records["stalled"]["rounds"][0]["stalled"]
    assert len(records["forfeits"]["faults"]) == 3
    assert records["one move"]["rounds"][0]["starter"] is None


def test_example_is_a_game_of_the_package() -> None:
    """Dealt by its seed, with the moves of the record."""
    record = example("record")
    game = Game(2, Rules.from_dict(record["rules"]), int(record["seed"]))
    for move in record["rounds"][0]["moves"]:
        game.apply(move)
    assert game.record() == record
    assert game.rules == SMALL


def whole_record() -> Json:
    """A small record in which every list has an item."""
    record = with_a_new_pile()
    fault = {"round": 0, "move": 2, "seat": 0, "kind": "crash", "detail": ""}
    return record | {"faults": [fault], "places": [2, 1]}


def paths_in(value: Json, path: Path = ()) -> Iterator[Path]:
    """The way to every value, the whole left out; of a list to its first item."""
    items: list[tuple[str | int, Json]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value[:1]))
    for key, part in items:
        yield (*path, key)
        yield from paths_in(part, (*path, key))


def parent_of(value: Json, path: Path) -> Json:
    for key in path[:-1]:
        value = value[key]
    return value


WHOLE = whole_record()
PATHS = list(paths_in(WHOLE))


def test_spoilt_records_start_from_one_that_validates() -> None:
    assert faults(RECORDS, WHOLE) == []


@pytest.mark.parametrize("path", [path for path in PATHS if isinstance(path[-1], str)])
def test_record_without_a_key_does_not_validate(path: Path) -> None:
    record = copy.deepcopy(WHOLE)
    del parent_of(record, path)[path[-1]]
    assert faults(RECORDS, record)


@pytest.mark.parametrize("path", PATHS)
def test_record_with_a_value_of_another_type_does_not_validate(path: Path) -> None:
    """No place of a record takes these; null and other kinds are tried where they are wrong."""
    value = parent_of(WHOLE, path)[path[-1]]
    others: list[Json] = [1.5, {"a": 1}, [[[]]]]
    others += [other for other in ("no", 7, True) if type(other) is not type(value)]
    nullable = {"starter", "closer", "places", "end", "threshold", "max_rounds", "stall_limit"}
    if path[-1] not in nullable or path[-1] in ("max_rounds", "places"):
        others.append(None)  # max_rounds alone ends the game, and it has places
    for other in others:
        if is_right(path, other):
            continue
        record = copy.deepcopy(WHOLE)
        parent_of(record, path)[path[-1]] = other
        assert faults(RECORDS, record), other


def is_right(path: Path, other: Json) -> bool:
    """What a place takes although it held another type."""
    key = path[-1]
    return (
        (key in ("threshold", "starter", "closer") and other == 7 and other is not True)
        or (path[:-1] == ("players",) and isinstance(other, str))
        or (key == "detail" and isinstance(other, str))
    )


@pytest.mark.parametrize("path", [(), *PATHS])
def test_record_with_another_key_does_not_validate(path: Path) -> None:
    record = copy.deepcopy(WHOLE)
    value = parent_of(record, path)[path[-1]] if path else record
    if isinstance(value, dict):
        value["more"] = 1
        assert faults(RECORDS, record)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), "skyjo-record/2"),
        (("rules", "game"), "action"),
        (("rules", "deck"), "classic"),
        (("rules", "deck"), []),
        (("rules", "deck", 0), [1]),
        (("rules", "deck", 0), [1, 2, 3]),
        (("rules", "deck", 0), [14, 2]),
        (("rules", "deck", 0), [1, 121]),
        (("rules", "rows"), 7),  # with two columns 14 cells
        (("rules", "columns"), 13),
        (("rules", "initial_flips"), -1),
        (("rules", "double"), "strict"),
        (("rules", "threshold"), 0),
        (("rules", "stall_limit"), "off"),
        (("seed",), "-1"),
        (("seed",), "01"),
        (("seed",), ""),
        (("seed",), "123456789012345678901"),
        (("deck_kind",), "pile"),
        (("deal",), -1),
        (("players",), ["a"]),
        (("players",), ["a"] * 11),
        (("rounds",), []),
        (("rounds", 0, "deck", 0), 14),
        (("rounds", 0, "deck", 0), -5),
        (("rounds", 0, "deck"), [1] * 241),
        (("rounds", 0, "moves", 0), 37),
        (("rounds", 0, "moves", 0), -1),
        (("rounds", 0, "starter"), 10),
        (("rounds", 0, "starter"), None),
        (("rounds", 0, "closer"), -1),
        (("rounds", 0, "capped"), True),  # with a closer
        (("rounds", 0, "reshuffles", 0), []),
        (("rounds", 0, "raw"), None),
        (("rounds", 0, "points"), None),
        (("rounds", 0, "raw", 0), 157),
        (("rounds", 0, "points", 0), 15601),
        (("totals",), [1]),
        (("places", 0), 0),
        (("places",), None),
        (("faults", 0, "kind"), "timeout"),
        (("faults", 0, "seat"), -1),
        (("faults", 0, "round"), -1),
        (("end",), "playoff"),
        (("end",), None),  # with places
        (("end",), "abort"),
    ],
)
def test_record_out_of_range_does_not_validate(path: Path, value: Json) -> None:
    record = copy.deepcopy(WHOLE)
    parent_of(record, path)[path[-1]] = value
    assert faults(RECORDS, record)


# Cases


@pytest.mark.parametrize("path", [CLASSIC, OPTIONS], ids=lambda path: path.name)
def test_case_file_validates(path: Any) -> None:
    assert faults(CASE_FILES, load_cases(path)) == []


def test_example_of_a_case_validates_and_is_right() -> None:
    case = example("case")
    assert faults(CASE_FILES, [case]) == []
    assert run_case(case) == []
    assert case == {key: value for key, value in CASES[case["id"]].items() if key != "note"}


# One of each kind, and one with every key of a position.
SAMPLES = [
    "C03",
    "C40",
    "C41",
    "C51",
    "C59",
    "O82",
    "C64",
    "O45",
    "O46",
    "O12",
    "C54",
    "C65",
    "O23",
]


@pytest.mark.parametrize("id_", SAMPLES)
def test_spoilt_case_does_not_validate(id_: str) -> None:
    """A key missing, a key more, a value of another type: each is refused."""
    case = CASES[id_]
    needed = {*ALWAYS, *KINDS[case["kind"]].needed, "want"}
    assert needed <= set(case)
    for key in case:
        without = {name: value for name, value in case.items() if name != key}
        assert bool(faults(CASE_FILES, [without])) == (key in needed or key in ends_with(case)), key
        others: list[Json] = [1.5, {"": {}}, [[[]]], 1.5 if key in NULLABLE else None]
        for other in others:
            assert faults(CASE_FILES, [case | {key: other}]), (key, other)
    for key in case["want"]:
        others = [1.5, {"": {}}, [[[]]], [1.5]]
        for other in others:
            assert faults(CASE_FILES, [case | {"want": case["want"] | {key: other}}]), (key, other)
    assert faults(CASE_FILES, [case | {"more": 1}])
    assert faults(CASE_FILES, [case | {"want": case["want"] | {"more": 1}}])
    assert faults(CASE_FILES, [case | {"want": {}}])
    assert faults(CASE_FILES, [case | {"kind": "more"}])


NULLABLE = {"closer", "hand", "starter", "last_turns_left"}


def ends_with(case: Json) -> set[str]:
    """The keys of which the end of a game needs one or the other."""
    return {"points", "raw", "closer"} & set(case) if case["kind"] == "game_end" else set()


@pytest.mark.parametrize(
    ("id_", "change"),
    [
        ("C03", {"open": {"A": [12]}}),  # one player
        ("C03", {"open": {"": [12], "B": [4]}}),
        ("C03", {"open": {"A": [14], "B": [4]}}),
        ("C03", {"open": {"A": ["+4"], "B": [4]}}),
        ("C08", {"grids": {"A": "1 2", "B": "1 x"}}),
        ("C08", {"grids": {"A": "1 2", "B": "1 2 /"}}),
        ("C08", {"grids": {"A": "1 2", "B": "H1 2"}}),
        ("C08", {"draw": [8]}),
        ("C08", {"draw": ["08"]}),
        ("C08", {"steps": ["take r1c1"]}),
        ("C08", {"steps": ["A take r0c1"]}),
        ("C08", {"steps": ["A take r1c1 "]}),
        ("C08", {"steps": ["A put r1c1"]}),
        ("C08", {"phase": "OVER"}),
        ("C08", {"rules": {"game": "action"}}),
        ("C08", {"rules": {"treshold": 50}}),
        ("C08", {"rules": {"threshold": "off"}}),
        ("C08", {"rules": {"double": "strict"}}),
        ("C08", {"totals": {"A": 1_000_000, "B": 0}}),
        ("C13", {"want": {"legal_count": 38}}),
        ("C13", {"want": {"legal_has": []}}),
        ("C13", {"want": {"legal_has": ["A draw"]}}),
        ("C41", {"raw": {"A": 10_000, "B": 0}}),
        ("C51", {"closer": None}),
        ("C51", {"raw": []}),
        ("C59", {"raw": {"A": 4, "B": 9}}),  # besides the points
        ("C59", {"closer": "A"}),
        ("C62", {"want": {"winners": ["A", "A"]}}),
        ("C64", {"rounds": []}),
        ("C64", {"rounds": [{"raw": {"A": 1, "B": 2}}]}),
    ],
)
def test_case_out_of_range_does_not_validate(id_: str, change: Json) -> None:
    assert faults(CASE_FILES, [CASES[id_] | change])
