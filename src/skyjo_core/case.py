# SPDX-License-Identifier: MIT
"""The form of a case: its keys, what each may hold, and what is wrong with a case that departs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from skyjo_core.case_difference import Difference, show
from skyjo_core.case_forms import ALWAYS, KINDS, SOMETIMES, Form, Kind

__all__ = ["case_faults", "players_of", "read_cases"]

_MAX_DEPTH: Final = 8  # of lists and objects in each other
_MAX_DIGITS: Final = 10
_MIN_PLAYERS: Final = 2
_MAX_PLAYERS: Final = 10


# Reading a file


class _Repeating(dict[str, Any]):
    """An object whose text names `repeated` more than once."""

    repeated: str | None = None


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    result = _Repeating()
    for key, value in pairs:
        if key in result:
            result.repeated = key
        result[key] = value
    return dict(result) if result.repeated is None else result


def _whole_number(digits: str) -> int | float:
    # Python refuses to read thousands of digits; as a float the number is wrong in its own case.
    return int(digits) if len(digits) <= _MAX_DIGITS else float(digits)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no JSON")


def read_cases(text: str) -> list[object]:
    """The cases in the text of a file, whatever they hold.

    Raises
    ------
    ValueError
        The text is no JSON array, or too deep to read.
    """
    try:
        cases = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_whole_number,
            parse_constant=_no_number,
        )
    except RecursionError:
        raise ValueError("expected a JSON array of cases, got lists too deep to read") from None
    except ValueError as error:
        raise ValueError(f"expected a JSON array of cases, got no JSON: {error}") from None
    if not isinstance(cases, list):
        raise ValueError(f"expected a JSON array of cases, got {type(cases).__name__}")
    return cases


# Checking a case


def players_of(case: Mapping[str, Any]) -> list[str]:
    """The players of a case without faults, in the order of their seats."""
    return list(_named_in(KINDS[case["kind"]], case))


def _named_in(kind: Kind, case: Mapping[str, Any]) -> dict[str, Any]:
    """The object whose keys are the players; an empty one where there is none."""
    try:
        named = kind.players(case)
    except (KeyError, IndexError, TypeError):
        return {}
    return named if isinstance(named, dict) else {}


def case_faults(case: object) -> list[Difference]:
    """Everything that is wrong with the form of a case.

    Parameters
    ----------
    case : object
        One entry of a case file, as `read_cases` gives it.

    Examples
    --------
    >>> case = {"id": "1", "title": "", "kind": "score", "raw": {"A": 1, "B": 2}, "want": {}}
    >>> for fault in case_faults(case): print(fault)
    closer: expected one of A, B, or null, got no such key
    want: expected an object of at least one wanted thing, got {}
    """
    faults = _tree_faults(case)
    if faults:
        return faults
    if not isinstance(case, dict):
        return [Difference("case", "an object with id, title, kind and want", show(case))]
    rules = case.get("rules")
    if isinstance(rules, dict) and rules.get("game") == "action":
        return [Difference("rules.game", "'classic'", "'action', which is not there yet")]
    faults = [fault for key, form in ALWAYS.items() for fault in _key_faults(case, key, form, ())]
    name = case.get("kind")
    if not isinstance(name, str):
        return faults
    if name not in KINDS:
        return [*faults, Difference("kind", f"one of {', '.join(KINDS)}", show(name))]
    return faults + _kind_faults(case, KINDS[name])


def _kind_faults(case: dict[str, Any], kind: Kind) -> list[Difference]:
    known = ["want", *ALWAYS, *SOMETIMES, *kind.needed, *kind.optional]
    faults = _unknown(case, known, "")
    players = list(_named_in(kind, case))
    if not _MIN_PLAYERS <= len(players) <= _MAX_PLAYERS or "" in players:
        expected = f"{_MIN_PLAYERS} to {_MAX_PLAYERS} players, each with a name"
        return [*faults, Difference(next(iter(kind.needed)), expected, show(players))]
    for key, form in kind.needed.items():
        faults += _key_faults(case, key, form, players)
    for key, form in (SOMETIMES | dict(kind.optional)).items():
        if key in case:
            faults += _form_faults(key, form, case[key], players)
    if kind is KINDS["game_end"]:
        faults += _game_end_faults(case)
    return faults + _want_faults(case, kind.want, players)


def _want_faults(
    case: dict[str, Any], forms: Mapping[str, Form], players: Sequence[str]
) -> list[Difference]:
    if "want" not in case:
        return [Difference("want", "an object", "no such key")]
    want = case["want"]
    if not isinstance(want, dict) or not want:
        return [Difference("want", "an object of at least one wanted thing", show(want))]
    faults = _unknown(want, forms, "want.")
    for key, value in want.items():
        if key in forms:
            faults += _form_faults(f"want.{key}", forms[key], value, players)
    return faults


def _game_end_faults(case: dict[str, Any]) -> list[Difference]:
    given = {"points", "raw", "closer"} & set(case)
    if given in ({"points"}, {"raw", "closer"}):
        return []
    got = ", ".join(sorted(given)) or "none of them"
    return [Difference("points", "either points, or raw and closer", got)]


def _key_faults(
    case: dict[str, Any], key: str, form: Form, players: Sequence[str]
) -> list[Difference]:
    if key not in case:
        return [Difference(key, form.expected(players), "no such key")]
    return _form_faults(key, form, case[key], players)


def _form_faults(key: str, form: Form, value: object, players: Sequence[str]) -> list[Difference]:
    if form.holds(value, players):
        return []
    return [Difference(key, form.expected(players), show(value))]


def _unknown(given: Iterable[str], known: Iterable[str], where: str) -> list[Difference]:
    known = list(known)
    expected = f"one of the keys {', '.join(known)}"
    unknown = [key for key in given if key not in known]
    return [Difference(where + key, expected, "an unknown key") for key in unknown]


def _tree_faults(case: object) -> list[Difference]:
    """The first thing in a case that no case holds at any depth."""
    todo: list[tuple[str, object, int]] = [("", case, 0)]
    while todo:
        key, value, depth = todo.pop()
        fault = _value_fault(value, depth)
        if fault is not None:
            return [Difference(key or "case", *fault)]
        if isinstance(value, dict):
            prefix = f"{key}." if key else ""
            todo += [(f"{prefix}{name}", entry, depth + 1) for name, entry in value.items()]
        elif isinstance(value, list):
            todo += [(key, entry, depth + 1) for entry in value]
    return []


def _value_fault(value: object, depth: int) -> tuple[str, str] | None:
    """What was expected and what was got, or None for a value that JSON and a case may hold."""
    if isinstance(value, (dict, list)) and depth >= _MAX_DEPTH:
        return (f"at most {_MAX_DEPTH} lists and objects in each other", "more")
    if isinstance(value, _Repeating):
        return ("each key once", f"{show(value.repeated)} more than once")
    if isinstance(value, dict):
        wrong = [key for key in value if not isinstance(key, str)]
        return ("texts as keys", f"a key of {type(wrong[0]).__name__}") if wrong else None
    if isinstance(value, int) and abs(value) >= 2**31:
        return ("numbers of at most 31 bits", f"one of {value.bit_length()} bits")
    if value is None or isinstance(value, (list, str, int, float)):
        return None
    return ("what JSON holds", type(value).__name__)
