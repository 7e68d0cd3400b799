# SPDX-License-Identifier: MIT
"""The keys of a case by its kind, and what each may hold: docs/format.md as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from skyjo_core._core import RULE_WORDS, Phase

__all__ = ["ALWAYS", "KINDS", "SOMETIMES", "Form", "Kind"]

_MAX_TOTAL: Final = 10**6
_MAX_RAW: Final = 10**4  # after doubling and all rounds a total still fits the core's int32
_MAX_ROUNDS: Final = 1000
_CARD: Final = re.compile(r"0|-?[1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class Form:
    """What a value has to be; in the text, {players} stands for the names."""

    text: str
    holds: Callable[[Any, Sequence[str]], bool]

    def expected(self, players: Sequence[str]) -> str:
        """The text with the names in it."""
        return self.text.replace("{players}", ", ".join(players))


def _number(text: str, limit: int) -> Form:
    def holds(value: Any, _: Sequence[str]) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < limit

    return Form(text, holds)


def _list(text: str, item: Form, least: int = 0) -> Form:
    def holds(value: Any, players: Sequence[str]) -> bool:
        return (
            isinstance(value, list)
            and least <= len(value)
            and all(item.holds(entry, players) for entry in value)
        )

    return Form(text, holds)


def _or_null(form: Form) -> Form:
    def holds(value: Any, players: Sequence[str]) -> bool:
        return value is None or form.holds(value, players)

    return Form(f"{form.text}, or null", holds)


def _each_player(text: str, item: Form) -> Form:
    def holds(value: Any, players: Sequence[str]) -> bool:
        return (
            isinstance(value, dict)
            and set(value) == set(players)
            and all(item.holds(entry, players) for entry in value.values())
        )

    return Form(text, holds)


def _is_text(value: Any, _: Sequence[str]) -> bool:
    return isinstance(value, str)


def _is_card(value: Any, _: Sequence[str]) -> bool:
    return isinstance(value, str) and _CARD.fullmatch(value) is not None


def _is_open_card(value: Any, players: Sequence[str]) -> bool:
    return _is_card(str(value), players) and isinstance(value, (str, int))


def _is_player(value: Any, players: Sequence[str]) -> bool:
    return isinstance(value, str) and value in players


def _are_different_players(value: Any, players: Sequence[str]) -> bool:
    return (
        isinstance(value, list)
        and len(value) > 0
        and all(_is_player(player, players) for player in value)
        and len(set(value)) == len(value)
    )


def _are_some_grids(value: Any, players: Sequence[str]) -> bool:
    return (
        isinstance(value, dict)
        and len(value) > 0
        and all(_is_player(player, players) for player in value)
        and all(isinstance(grid, str) for grid in value.values())
    )


def _are_rounds(value: Any, players: Sequence[str]) -> bool:
    return (
        isinstance(value, list)
        and 1 <= len(value) <= _MAX_ROUNDS
        and all(
            isinstance(entry, dict)
            and set(entry) == {"raw", "closer"}
            and _RAW.holds(entry["raw"], players)
            and _CLOSER.holds(entry["closer"], players)
            for entry in value
        )
    )


def _are_closer_points(value: Any, players: Sequence[str]) -> bool:
    scores = _list("", _SCORE)
    return (
        isinstance(value, dict)
        and set(value) == set(RULE_WORDS["double"])
        and all(scores.holds(points, players) for points in value.values())
    )


_TEXT = Form("a text", _is_text)
_SWITCH = Form("true or false", lambda value, _: isinstance(value, bool))
_CARD_TEXT = Form("a card as text", _is_card)
_CARDS = _list("a list of cards as texts", _CARD_TEXT)
_PLAYER = Form("one of {players}", _is_player)
_CLOSER = _or_null(_PLAYER)
_DIFFERENT_PLAYERS = Form("different ones of {players}", _are_different_players)
_STEPS = _list("a list of steps as texts", _TEXT)
_MOVES = _list("a list of steps without the player, at least one", _TEXT, 1)
_SCORE = _number("a whole number", 2**31)
_RAW = _each_player(
    f"for each of {{players}} a whole number between -{_MAX_RAW} and {_MAX_RAW}",
    _number("", _MAX_RAW),
)
_TOTALS = _each_player(
    f"for each of {{players}} a whole number between -{_MAX_TOTAL} and {_MAX_TOTAL}",
    _number("", _MAX_TOTAL),
)
_SCORES = _each_player("a whole number for each of {players}", _SCORE)
_GRIDS = _each_player("a grid as text for each of {players}", _TEXT)


# The kinds


@dataclass(frozen=True, slots=True)
class Kind:
    """Keys and their forms; `players` finds the object whose keys are the players."""

    players: Callable[[Mapping[str, Any]], object]
    needed: Mapping[str, Form]
    want: Mapping[str, Form]
    optional: Mapping[str, Form] = field(default_factory=dict)


def _below(*path: str | int) -> Callable[[Mapping[str, Any]], object]:
    def find(case: Any) -> object:
        value = case
        for key in path:
            value = value[key]
        return value

    return find


_SOME_GRIDS = Form("a grid as text for some of {players}", _are_some_grids)
_OPEN = _each_player(
    "a list of cards for each of {players}", _list("", Form("a card", _is_open_card))
)
_ROUNDS = Form(f"1 to {_MAX_ROUNDS} rounds with raw and closer of {{players}}", _are_rounds)
_CLOSER_POINTS = Form(
    f"a list of whole numbers for each of {', '.join(RULE_WORDS['double'])}", _are_closer_points
)
_PHASE = Form(
    f"one of {', '.join(Phase.__members__)}",
    lambda value, _: isinstance(value, str) and value in Phase.__members__,
)
ALWAYS: Final = {"id": _TEXT, "title": _TEXT, "kind": _TEXT}
SOMETIMES: Final = {
    "note": _TEXT,
    "rules": Form("an object of options", lambda value, _: isinstance(value, dict)),
}
KINDS: Final = {
    "starter": Kind(
        players=_below("open"),
        needed={"open": _OPEN},
        want={"starter": _PLAYER, "tied": _DIFFERENT_PLAYERS},
    ),
    "position": Kind(
        players=_below("grids"),
        needed={"grids": _GRIDS, "draw": _CARDS, "discard": _CARDS},
        optional={
            "turn": _PLAYER,
            "starter": _or_null(_PLAYER),
            "closer": _CLOSER,
            "last_turns_left": _or_null(_list("a list of {players}", _PLAYER)),
            "reshuffles": _list("lists of cards as texts", _CARDS),
            "stalled": _SWITCH,
            "hand": _or_null(_CARD_TEXT),
            "totals": _TOTALS,
            "phase": _PHASE,
            "steps": _STEPS,
            "illegal": _STEPS,
        },
        want={
            "grids": _SOME_GRIDS,
            "discard": _CARDS,
            "draw": _CARDS,
            "hand": _or_null(_CARD_TEXT),
            "turn": _or_null(_PLAYER),
            "phase": _PHASE,
            "closer": _CLOSER,
            "last_turns_left": _or_null(_list("a list of {players}", _PLAYER)),
            "raw": _SCORES,
            "points": _SCORES,
            "legal_count": _SCORE,
            "legal_has": _MOVES,
            "legal_has_not": _MOVES,
        },
    ),
    "final_count": Kind(
        players=_below("grids"),
        needed={"grids": _GRIDS, "closer": _CLOSER},
        want={"raw": _SCORES, "points": _SCORES, "grids": _SOME_GRIDS},
    ),
    "score": Kind(
        players=_below("raw"),
        needed={"raw": _RAW, "closer": _CLOSER},
        want={"points": _SCORES},
    ),
    "doubling_options": Kind(
        players=_below("raw", 0),
        needed={"raw": _list(f"a list of objects, each {_RAW.text}", _RAW, 1), "closer": _PLAYER},
        want={"closer_points": _CLOSER_POINTS},
    ),
    "game_end": Kind(
        players=_below("totals"),
        needed={"totals": _TOTALS},
        optional={"points": _TOTALS, "raw": _RAW, "closer": _CLOSER},
        want={"totals": _SCORES, "over": _SWITCH, "winners": _DIFFERENT_PLAYERS},
    ),
    "game": Kind(
        players=_below("rounds", 0, "raw"),
        needed={"rounds": _ROUNDS},
        want={
            "totals_after_each_round": _list(
                "a list of totals, each a whole number for each of {players}", _SCORES, 1
            ),
            "winners": _DIFFERENT_PLAYERS,
        },
    ),
}
