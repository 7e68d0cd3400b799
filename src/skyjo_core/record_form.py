# SPDX-License-Identifier: MIT
"""The form of a record: which keys it has, and of which type their values are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NoReturn

from skyjo_core.record_difference import Difference, shortened, text_of
from skyjo_core.rules import DEFAULTS, Rules

__all__ = ["parse_record", "read_rules"]

_SEED: Final = re.compile(r"0|[1-9][0-9]{0,19}")
_RULES_FAULT: Final = re.compile(r"Rules: (\w+): expected (.+?), got ", re.DOTALL)
_EXCERPT: Final = 40  # characters of a line that are shown

FORMAT: Final = "skyjo-record/1"
FAULT_KINDS: Final = (
    *("illegal_move", "exception", "time_limit", "game_time", "hang_limit", "memory_limit"),
    "crash",
)


def parse_record(line: bytes) -> object:
    """What a line holds, or the Difference that makes it no line of JSON.

    JSON lets keys come twice and Python lets NaN pass; here both are differences.

    Examples
    --------
    >>> parse_record(b'{"deal": 0}')
    {'deal': 0}
    >>> print(parse_record(b'{"deal": 0'))
    JSON: expected ',', got the end of the line
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = f"byte {line[error.start]:#04x} at offset {error.start}"
        return Difference("line", "UTF-8", byte)
    if not text or text.isspace():
        return Difference("line", "a record", "an empty line")
    if text.startswith("\ufeff"):
        return Difference("line", "a record", "a byte order mark")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse)
    except _WrongError as error:
        return error.difference
    except json.JSONDecodeError as error:
        return _json_difference(text, error)
    except RecursionError:
        return Difference("JSON", "a record", "lists or objects that are nested too deeply")
    except ValueError:  # Python limits the digits of a number
        return Difference("JSON", "numbers of a sane length", "a number of thousands of digits")


def read_rules(record: object) -> Rules | Difference:
    """The rules of a record whose form is right, or the first thing that is wrong with it.

    Types are taken strictly: true is no number, and neither is 1.0 a whole one.
    """
    if type(record) is not dict:
        return Difference("record", "an object", text_of(record))
    difference = _fields(record, _RECORD)
    if difference is not None:
        return difference
    rules = _rules(record["rules"])
    if isinstance(rules, Difference):
        return rules
    return _seats(record, rules) or _rounds(record) or _faults(record) or rules


# JSON


class _WrongError(Exception):
    """JSON that no record may hold."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference)
        self.difference = difference


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _WrongError(Difference("JSON", f"the key {text_of(twice)} once", "it twice"))
    return fields


def _refuse(constant: str) -> NoReturn:
    raise _WrongError(Difference("JSON", "a number", repr(constant)))


def _json_difference(text: str, error: json.JSONDecodeError) -> Difference:
    message, place = error.msg, f"at column {error.pos + 1}"
    rest = text[error.pos : error.pos + _EXCERPT + 1]
    got = f"{shortened(rest, _EXCERPT)!r} {place}" if rest.strip() else "the end of the line"
    if message.startswith("Expecting "):
        expected = message.removeprefix("Expecting ").removesuffix(" delimiter")
        return Difference("JSON", "a value" if expected == "value" else expected, got)
    if message == "Extra data":
        return Difference("JSON", "one record a line", got)
    # The other messages name what was found: "Invalid control character at", ...
    found = message.removesuffix(" at")
    return Difference("JSON", "a record", f"{found[0].lower()}{found[1:]} {place}")


# Types

Check = Callable[[object], bool]
Fields = Mapping[str, tuple[Check, str]]


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_seat(value: object) -> bool:
    return value is None or _is_count(value)


def _is_list(value: object) -> bool:
    return type(value) is list


def _is_list_or_null(value: object) -> bool:
    return value is None or type(value) is list


def _is_switch(value: object) -> bool:
    return type(value) is bool


def _is_text(value: object) -> bool:
    return type(value) is str


def _is_seed(value: object) -> bool:
    return type(value) is str and _SEED.fullmatch(value) is not None and int(value) < 2**64


def _one_of(*words: str) -> tuple[Check, str]:
    texts = ", ".join(map(repr, words))
    text = texts if len(words) == 1 else f"one of {texts}"
    return lambda value: type(value) is str and value in words, text


def _or_null(choice: tuple[Check, str]) -> tuple[Check, str]:
    return lambda value: value is None or choice[0](value), f"{choice[1]} or null"


_COUNT: Final = (_is_count, "a whole number from 0")
_SEAT: Final = (_is_seat, "a seat or null")
_SWITCH: Final = (_is_switch, "true or false")
_LIST: Final = (_is_list, "a list")
_LIST_OR_NULL: Final = (_is_list_or_null, "a list or null")
_OBJECT: Final[tuple[Check, str]] = (lambda value: type(value) is dict, "an object")
_TEXT: Final = (_is_text, "a string")

_RECORD: Final[Fields] = {
    "format": _one_of(FORMAT),
    "rules": _OBJECT,
    "seed": (_is_seed, "a string of digits from '0' to '18446744073709551615'"),
    "deck_kind": _one_of("stack", "lanes"),
    "deal": _COUNT,
    "players": _LIST,
    "rounds": _LIST,
    "totals": _LIST,
    "places": _LIST_OR_NULL,
    "faults": _LIST,
    "end": _or_null(_one_of("threshold", "max_rounds", "guard", "abort")),
}
_ROUND: Final[Fields] = {
    "deck": _LIST,
    "starter": _SEAT,
    "moves": _LIST,
    "reshuffles": _LIST,
    "closer": _SEAT,
    "stalled": _SWITCH,
    "capped": _SWITCH,
    "raw": _LIST_OR_NULL,
    "points": _LIST_OR_NULL,
}
_FAULT: Final[Fields] = {
    "round": _COUNT,
    "move": _COUNT,
    "seat": _COUNT,
    "kind": _one_of(*FAULT_KINDS),
    "detail": _TEXT,
}


def _keys(fields: Mapping[Any, object], keys: Mapping[str, object]) -> Difference | None:
    """The first key that is missing or unknown."""
    if fields.keys() == keys.keys():
        return None
    for key in keys:
        if key not in fields:
            return Difference("keys", repr(key), "an object without it")
    unknown = next(key for key in fields if key not in keys)
    return Difference("keys", f"no others than {', '.join(keys)}", text_of(unknown))


def _fields(fields: Mapping[Any, object], form: Fields, prefix: str = "") -> Difference | None:
    """The first key that should not be there, should be, or has a value of the wrong type."""
    difference = _keys(fields, form)
    if difference is not None:
        return replace(difference, what=f"{prefix}{difference.what}")
    for key, (check, expected) in form.items():
        if not check(fields[key]):
            return Difference(f"{prefix}{key}", expected, text_of(fields[key]))
    return None


def _numbers(name: str, values: list[object], n_values: int | None = None) -> Difference | None:
    """The first of the values that is no whole number, or their number."""
    if n_values is not None and len(values) != n_values:
        return Difference(name, f"{n_values} numbers", f"{len(values)}")
    if set(map(type, values)) <= {int}:
        return None
    wrong = next(i for i, value in enumerate(values) if type(value) is not int)
    return Difference(f"{name}[{wrong}]", "a whole number", text_of(values[wrong]))


# The parts of a record


def _rules(fields: Mapping[str, Any]) -> Rules | Difference:
    difference = _keys(fields, {"game": "classic", **DEFAULTS})
    if difference is not None:
        return replace(difference, what="rules: keys")
    deck = fields["deck"]
    if type(deck) is list and not all(
        type(pair) is list and list(map(type, pair)) == [int, int] for pair in deck
    ):
        return Difference("rules: deck", "pairs of value and cards", text_of(deck))
    try:
        return _rules_of(json.dumps(fields))
    except (TypeError, ValueError, RecursionError):
        return Difference("rules", "values of the right kinds", text_of(fields))


# Most files hold games by one set of rules; to make Rules takes as long as to read the record.
@lru_cache(maxsize=16)
def _rules_of(text: str) -> Rules | Difference:
    fields = json.loads(text)
    try:
        return Rules.from_dict(fields)
    except ValueError as error:
        found = _RULES_FAULT.match(str(error))
        if found is None:
            raise
        # The words of JSON: off beside numbers is null.
        expected = found[2].replace("None (off)", "null").replace("True or False", "true or false")
        return Difference(f"rules: {found[1]}", expected, text_of(fields[found[1]]))


def _seats(record: Mapping[str, Any], rules: Rules) -> Difference | None:
    """Wrong names, or lists that have not one entry a seat."""
    players = record["players"]
    if not all(map(_is_text, players)):
        return Difference("players", "a list of strings", text_of(players))
    if not 2 <= len(players) <= rules.max_seats:
        return Difference("players", f"2 to {rules.max_seats} of them", f"{len(players)}")
    for name in ("totals", "places"):
        values = record[name]
        difference = None if values is None else _numbers(name, values, len(players))
        if difference is not None:
            return difference
    return None


def _rounds(record: Mapping[str, Any]) -> Difference | None:
    if not record["rounds"]:
        return Difference("rounds", "at least one", "none")
    for number, entry in enumerate(record["rounds"]):
        difference = _round(entry, len(record["players"]))
        if difference is not None:
            return replace(difference, round=number)
    return None


def _round(entry: object, n_seats: int) -> Difference | None:
    if type(entry) is not dict:
        return Difference("round", "an object", text_of(entry))
    difference = _fields(entry, _ROUND) or _numbers("deck", entry["deck"])
    if difference is not None:
        return difference
    difference = _numbers("moves", entry["moves"])
    if difference is not None:
        wrong = next(i for i, move in enumerate(entry["moves"]) if type(move) is not int)
        return replace(difference, what="moves", move=wrong)
    for number, pile in enumerate(entry["reshuffles"]):
        if type(pile) is not list:
            return Difference(f"reshuffles[{number}]", "a list", text_of(pile))
        difference = _numbers(f"reshuffles[{number}]", pile)
        if difference is not None:
            return difference
    for name in ("raw", "points"):
        difference = None if entry[name] is None else _numbers(name, entry[name], n_seats)
        if difference is not None:
            return difference
    return None


def _faults(record: Mapping[str, Any]) -> Difference | None:
    n_seats = len(record["players"])
    for number, fault in enumerate(record["faults"]):
        name = f"faults[{number}]"
        if type(fault) is not dict:
            return Difference(name, "an object", text_of(fault))
        difference = _fields(fault, _FAULT, f"{name}: ")
        if difference is not None:
            return difference
        if fault["seat"] >= n_seats:
            expected = f"a seat from 0 to {n_seats - 1}"
            return Difference(f"{name}: seat", expected, text_of(fault["seat"]))
    return None
