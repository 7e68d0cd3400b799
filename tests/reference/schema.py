# SPDX-License-Identifier: MIT
"""Which fields a record has, and of which type: API.md 6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .rules import DEFAULTS, is_int

Check = Callable[[object], bool]

FAULT_KINDS = (
    "illegal_move",
    "exception",
    "time_limit",
    "game_time",
    "hang_limit",
    "memory_limit",
    "crash",
)
ENDS = ("threshold", "max_rounds", "guard", "abort")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(check(item) for item in value)


def _or_null(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_seed(value: object) -> bool:
    # API.md 3: seeds are 0..2**64 - 1, strings in JSON.
    if not isinstance(value, str) or not value.isascii() or not value.isdigit() or len(value) > 20:
        return False
    return str(int(value)) == value and int(value) < 2**64


_INTS = _is_list_of(is_int)

RECORD_FIELDS: dict[str, tuple[Check, str]] = {
    "format": (lambda value: value == "skyjo-record/1", "'skyjo-record/1'"),
    "rules": (_is_object, "an object"),
    "seed": (_is_seed, "a seed as a string"),
    "deck_kind": (lambda value: value in ("stack", "lanes"), "'stack' or 'lanes'"),
    "deal": (_is_count, "a whole number from 0"),
    "players": (_is_list_of(_is_text), "a list of strings"),
    "rounds": (_is_list_of(_is_object), "a list of objects"),
    "totals": (_INTS, "a list of whole numbers"),
    "places": (_or_null(_INTS), "a list of whole numbers or null"),
    "faults": (_is_list_of(_is_object), "a list of objects"),
    "end": (lambda value: value is None or value in ENDS, f"one of {ENDS} or null"),
}

ROUND_FIELDS: dict[str, tuple[Check, str]] = {
    "deck": (_INTS, "a list of whole numbers"),
    "starter": (_or_null(_is_count), "a seat or null"),
    "moves": (_INTS, "a list of whole numbers"),
    "reshuffles": (_is_list_of(_INTS), "a list of lists of whole numbers"),
    "closer": (_or_null(_is_count), "a seat or null"),
    "stalled": (_is_switch, "true or false"),
    "capped": (_is_switch, "true or false"),
    "raw": (_or_null(_INTS), "a list of whole numbers or null"),
    "points": (_or_null(_INTS), "a list of whole numbers or null"),
}

FAULT_FIELDS: dict[str, tuple[Check, str]] = {
    "round": (_is_count, "a whole number from 0"),
    "move": (_is_count, "a whole number from 0"),
    "seat": (_is_count, "a seat"),
    "kind": (lambda value: value in FAULT_KINDS, f"one of {FAULT_KINDS}"),
    "detail": (_is_text, "a string"),
}


def field_faults(
    where: str, given: dict[str, Any], fields: dict[str, tuple[Check, str]]
) -> list[str]:
    """Return the fields of one object that are missing, unknown or of the wrong type."""
    faults = []
    for name, (check, meaning) in fields.items():
        if name not in given:
            faults.append(f"{where}{name}: missing")
        elif not check(given[name]):
            faults.append(f"{where}{name}: expected {meaning}, got {given[name]!r}")
    for name in given:
        if name not in fields:
            faults.append(f"{where}{name}: unknown field")
    return faults


def record_faults(record: object) -> list[str]:
    """Return the faults of form of a whole record."""
    if not isinstance(record, dict):
        return [f"record: expected an object, got {record!r}"]
    faults = field_faults("", record, RECORD_FIELDS)
    if isinstance(record.get("rules"), dict):
        # API.md 6: every field and "game".
        for name in ["game", *DEFAULTS]:
            if name not in record["rules"]:
                faults.append(f"rules.{name}: missing")
    if _is_list_of(_is_object)(record.get("rounds")):
        for number, entry in enumerate(record["rounds"]):
            faults += field_faults(f"round {number}: ", entry, ROUND_FIELDS)
        if not record["rounds"]:
            faults.append("rounds: expected at least one round")
    if _is_list_of(_is_object)(record.get("faults")):
        for number, entry in enumerate(record["faults"]):
            faults += field_faults(f"fault {number}: ", entry, FAULT_FIELDS)
    return faults
