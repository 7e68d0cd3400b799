# SPDX-License-Identifier: MIT
"""The form of a record: every wrong type, key and value is named, and nothing breaks."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from reference import check_record
from skyjo_core import Game, Rules
from skyjo_core.record_difference import Difference
from skyjo_core.record_form import parse_record, read_rules
from small_records import Record, closed_by_seat_1, damaged, put, put_round

Change = Callable[[Record], object]
RECORD = json.dumps(closed_by_seat_1()).encode()


# Lines


def test_a_line_is_read() -> None:
    assert parse_record(RECORD) == closed_by_seat_1()
    assert parse_record(b" {}\r") == {}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"", "line: expected a record, got an empty line"),
        (b" \t\r", "line: expected a record, got an empty line"),
        (b"\xef\xbb\xbf{}", "line: expected a record, got a byte order mark"),
        (b'{"a": "\xff"}', "line: expected UTF-8, got byte 0xff at offset 7"),
        (b"\xed\xa0\x80", "line: expected UTF-8, got byte 0xed at offset 0"),
        (RECORD[:-1], "JSON: expected ',', got the end of the line"),
        (RECORD[:-3], "JSON: expected a record, got unterminated string starting at column 968"),
        (b"{", "JSON: expected property name enclosed in double quotes, got the end of the line"),
        (b'{"a":', "JSON: expected a value, got the end of the line"),
        (b"hello", "JSON: expected a value, got 'hello' at column 1"),
        (b"[1 2" + b"x" * 99, f"JSON: expected ',', got '2{'x' * 36}...' at column 4"),
        (b"{}{}", "JSON: expected one record a line, got '{}' at column 3"),
        (RECORD + b" " + RECORD, "JSON: expected one record a line, got "),
        (b'"\x01"', "JSON: expected a record, got invalid control character at column 2"),
        (b'{"a": 1, "b": {"c": 1, "c": 1}}', "JSON: expected the key 'c' once, got it twice"),
        (b'{"a": NaN}', "JSON: expected a number, got 'NaN'"),
        (b"-Infinity", "JSON: expected a number, got '-Infinity'"),
        (b"[" * 10**6, "JSON: expected a record, got lists or objects that are nested too deeply"),
        (
            b'{"a":' * 10**6,
            "JSON: expected a record, got lists or objects that are nested too deeply",
        ),
        (b"1" * 10**5, "JSON: expected numbers of a sane length, got a number of thousands of "),
        (b"\x1f\x8b\x00", "line: expected UTF-8, got byte 0x8b at offset 1"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)
def test_a_line_that_is_no_json_is_told(line: bytes, text: str) -> None:
    difference = parse_record(line)
    assert isinstance(difference, Difference)
    assert str(difference).startswith(text)


def test_strings_may_hold_anything() -> None:
    record = damaged(closed_by_seat_1(), put("players", value=["\ud800", "\x00\u202e"]))
    line = json.dumps(record).encode()
    assert parse_record(line) == record
    assert isinstance(read_rules(record), Rules)


def test_numbers_of_any_length_are_told_where_python_reads_them() -> None:
    """The limit on digits can be switched off; then such numbers come through to the checks."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        record = parse_record(RECORD.replace(b'"deal": 0', b'"deal": -1' + b"0" * 5000))
        threshold = parse_record(
            RECORD.replace(b'"threshold": null', b'"threshold": 1' + b"0" * 5000)
        )
    finally:
        sys.set_int_max_str_digits(limit)
    assert str(read_rules(record)) == (
        "deal: expected a whole number from 0, got a negative number of about 4983 digits"
    )
    assert isinstance(read_rules(threshold), Difference)


# Keys and types


def without(*path: str | int) -> Change:
    def change(record: Record) -> None:
        place: Any = record
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return change


def told(change: Change) -> str:
    """The difference of a changed record that the reference refuses, too."""
    record = damaged(closed_by_seat_1(), change)
    assert check_record(record) != []
    return str(read_rules(record))


def test_the_form_of_records_of_the_engine_is_right() -> None:
    assert read_rules(closed_by_seat_1()) == Rules.from_dict(closed_by_seat_1()["rules"])
    assert read_rules(Game(8, seed=3).record()) == Rules()


@pytest.mark.parametrize("record", [None, 1, "x", [], [{}], True])
def test_a_record_is_an_object(record: object) -> None:
    assert str(read_rules(record)).startswith("record: expected an object, got ")


KEYS: list[tuple[str | int, ...]] = [
    *((key,) for key in closed_by_seat_1()),
    *(("rounds", 0, key) for key in closed_by_seat_1()["rounds"][0]),
    *(("rules", key) for key in closed_by_seat_1()["rules"]),
    *(("faults", 0, key) for key in ("round", "move", "seat", "kind", "detail")),
]
FAULT = {"round": 0, "move": 0, "seat": 0, "kind": "crash", "detail": ""}


def with_fault(change: Change) -> Change:
    def both(record: Record) -> None:
        record["faults"] = [dict(FAULT)]
        change(record)

    return both


@pytest.mark.parametrize("path", KEYS, ids=lambda path: ".".join(map(str, path)))
def test_every_key_must_be_there_and_no_other(path: tuple[str | int, ...]) -> None:
    place = {
        1: "",
        2: "rules: ",
        3: "round 0: " if path[0] == "rounds" else "faults[0]: ",
    }[len(path)]
    assert told(with_fault(without(*path))) == (
        f"{place}keys: expected {path[-1]!r}, got an object without it"
    )
    other = (*path[:-1], f"{path[-1]}x")
    text = told(with_fault(put(*other, value=0)))
    assert text.startswith(f"{place}keys: expected no others than ")
    assert text.endswith(f", got '{path[-1]}x'")


@pytest.mark.parametrize("value", [True, 1.5, "1", [], {}, None, -(10**30), [[1]], [True, 1]])
@pytest.mark.parametrize("path", KEYS, ids=lambda path: ".".join(map(str, path)))
def test_no_value_of_any_type_breaks_it(path: tuple[str | int, ...], value: object) -> None:
    """What passes is what the reference lets pass, too."""
    record = damaged(closed_by_seat_1(), with_fault(put(*path, value=value)))
    if isinstance(read_rules(record), Difference):
        return
    # "is of the right form" is no more than "might be right": the reference says what is wrong.
    json.dumps(check_record(record))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (put("format", value="skyjo-record/2"), "format: expected 'skyjo-record/1', got 'skyjo-"),
        (put("seed", value=0), "seed: expected a string of digits from '0' to '184467440737095"),
        *(
            (put("seed", value=seed), "seed: expected a string of digits from ")
            for seed in ("", "01", "-1", "+1", " 1", "1\n", "1.0", "x", "\u0663")
        ),
        (put("seed", value=str(2**64)), "seed: expected a string of digits from "),
        (put("deck_kind", value="pile"), "deck_kind: expected one of 'stack', 'lanes', got 'pile'"),
        (put("deal", value=-1), "deal: expected a whole number from 0, got -1"),
        (put("deal", value=1.0), "deal: expected a whole number from 0, got 1.0"),
        (put("deal", value=True), "deal: expected a whole number from 0, got true"),
        (put("players", value=["a"]), "players: expected 2 to 3 of them, got 1"),
        (put("players", value=["a"] * 4), "players: expected 2 to 3 of them, got 4"),
        (put("players", value=["a", 1]), "players: expected a list of strings, got ['a', 1]"),
        (put("rounds", value=[]), "rounds: expected at least one, got none"),
        (put("rounds", 0, value=[]), "round 0: round: expected an object, got []"),
        (put("totals", value=None), "totals: expected a list, got null"),
        (put("totals", value=[2]), "totals: expected 2 numbers, got 1"),
        (put("totals", value=[2, 8.0]), "totals[1]: expected a whole number, got 8.0"),
        (put("places", value=[True, 2]), "places[0]: expected a whole number, got true"),
        (put("faults", value=[0]), "faults[0]: expected an object, got 0"),
        (
            put("faults", value=[FAULT | {"kind": "illegal"}]),
            "faults[0]: kind: expected one of 'illegal_move', 'exception', 'time_limit', "
            "'game_time', 'hang_limit', 'memory_limit', 'crash', got 'illegal'",
        ),
        (
            put("end", value="over"),
            "end: expected one of 'threshold', 'max_rounds', 'guard', 'abort' or null, got 'over'",
        ),
        (put_round("deck", [1, 3, 2, 12, 2, 1, "3"]), "round 0: deck[6]: expected a whole number"),
        (put_round("moves", [0, 0, 13.0]), "round 0, move 2: moves: expected a whole number, got "),
        (put_round("moves", [False, 0]), "round 0, move 0: moves: expected a whole number, got fa"),
        (put_round("reshuffles", [2]), "round 0: reshuffles[0]: expected a list, got 2"),
        (
            put_round("reshuffles", [[], [0.5]]),
            "round 0: reshuffles[1][0]: expected a whole number",
        ),
        (put_round("starter", -1), "round 0: starter: expected a seat or null, got -1"),
        (put_round("closer", 1.0), "round 0: closer: expected a seat or null, got 1.0"),
        (put_round("stalled", 0), "round 0: stalled: expected true or false, got 0"),
        (put_round("capped", None), "round 0: capped: expected true or false, got null"),
        (put_round("raw", [2, 4, 0]), "round 0: raw: expected 2 numbers, got 3"),
        (put_round("points", [2, "8"]), "round 0: points[1]: expected a whole number, got '8'"),
        (put("rules", "game", value="action"), "rules: game: expected 'classic', got 'action'"),
        (
            put("rules", "row_removal", value=1),
            "rules: row_removal: expected true or false, got 1",
        ),
        (put("rules", "threshold", value="off"), "rules: threshold: expected null or an integer, "),
        (
            put("rules", "max_rounds", value=None),
            "rules: max_rounds: expected a number of rounds w",
        ),
        (put("rules", "double", value="no"), "rules: double: expected one of strict_positive, off"),
        (put("rules", "deck", value=[[1, True]]), "rules: deck: expected pairs of value and cards"),
        (put("rules", "deck", value=[[1.0, 9]]), "rules: deck: expected pairs of value and cards"),
        (put("rules", "deck", value=[[1, 9, 9]]), "rules: deck: expected pairs of value and cards"),
        (put("rules", "deck", value={"1": 9}), "rules: deck: expected "),
    ],
)
def test_a_wrong_value_is_told(change: Change, text: str) -> None:
    assert told(change).startswith(text)


def test_a_seed_of_thousands_of_digits_is_told() -> None:
    """Python refuses to read such numbers, with a ValueError."""
    record = closed_by_seat_1() | {"seed": "1" * 10**5}
    assert str(read_rules(record)).startswith("seed: expected a string of digits from ")


def test_values_that_are_deep_do_not_break_it() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for key in closed_by_seat_1():
        assert isinstance(read_rules(closed_by_seat_1() | {key: deep}), Difference)
    for key in closed_by_seat_1()["rules"]:
        record = damaged(closed_by_seat_1(), put("rules", key, value=None))
        record["rules"][key] = deep
        assert isinstance(read_rules(record), Difference)
    while deep:  # Python 3.11 could not free it at once
        deep = deep.pop()
