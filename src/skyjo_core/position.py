# SPDX-License-Identifier: MIT
"""Positions as the case files write them: texts of grids, lists of cards, names of players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from skyjo_core._core import REMOVED, STAR, Phase
from skyjo_core.rules import Rules

__all__ = ["read_position", "write_position"]

Cell = tuple[int, bool]  # value (REMOVED for a hole), face up

_KEYS: Final = (
    *("grids", "draw", "discard", "hand", "turn", "starter", "closer", "last_turns_left"),
    *("reshuffles", "reshuffled", "stalled", "totals", "phase", "rules"),
)
_CARD: Final = re.compile(r"0|-?[1-9][0-9]?")
_MAX_CARDS: Final = 240  # of the largest deck
_MAX_COPIES: Final = 120  # of a value
_MAX_ITEMS: Final = 1000  # of any list
# Who will start after the opening flips, where it is no seat.
_BY_SUM: Final = -1
_BY_CHANCE: Final = -2


class _Reader:
    """Reads a position key by key and collects everything that is wrong with it."""

    def __init__(self, position: Mapping[str, Any]) -> None:
        self.given = position
        self.faults = [f"no key {key!r}" for key in position if key not in _KEYS]
        self.rules = self._rules()
        grids = position.get("grids")
        self.names: list[Any] = list(grids) if isinstance(grids, Mapping) else []
        texts = list(grids.values()) if isinstance(grids, Mapping) else grids
        if not isinstance(texts, Sequence) or isinstance(texts, str) or not 2 <= len(texts) <= 10:
            raise ValueError(f"position: grids: expected 2 to 10 grids as texts, got {grids!r}")
        self.grids = [self._grid(text) for text in texts]
        self.n_seats = len(self.grids)

    def fail(self, key: str, expected: str, got: object) -> None:
        self.faults.append(f"{key}: expected {expected}, got {got!r}")

    def _rules(self) -> Rules:
        rules = self.given.get("rules")
        if rules is None:
            return Rules()
        if isinstance(rules, Mapping):
            return Rules.from_dict(rules)
        if not isinstance(rules, Rules):
            raise ValueError(f"position: rules: expected Rules or a dict, got {rules!r}")
        return rules

    def _grid(self, text: object) -> list[Cell]:
        rows, columns = self.rules.rows, self.rules.columns
        lines = [line.split() for line in str(text).split("/")]
        if len(lines) != rows or any(len(line) != columns for line in lines):
            self.fail("grids", f"{rows} rows of {columns} cells, rows apart by '/'", text)
            return [(0, True)] * (rows * columns)
        return [self._cell(lines[row][column]) for column in range(columns) for row in range(rows)]

    def _cell(self, text: str) -> Cell:
        if text == ".":
            return (REMOVED, True)
        return (self.card("grids", text.removeprefix("h")), not text.startswith("h"))

    def card(self, key: str, card: object) -> int:
        if not isinstance(card, bool) and (
            isinstance(card, int) or (isinstance(card, str) and _CARD.fullmatch(card))
        ):
            value = int(card)
            if value in self.rules.values:
                return value
        low, high = self.rules.values[0], self.rules.values[-1]
        self.fail(key, f"cards from {low} to {high}", card)
        return low

    def cards(self, key: str) -> list[int]:
        return self._card_list(key, self.given.get(key) or [])

    def _card_list(self, key: str, cards: object) -> list[int]:
        return [self.card(key, card) for card in self.items(key, cards, "a list of cards")]

    def card_lists(self, key: str) -> list[list[int]]:
        return [self._card_list(key, cards) for cards in self.items(key, self.given.get(key) or [])]

    def piles(self) -> list[list[int]]:
        piles = self.card_lists("reshuffles")
        longest = max(map(len, piles), default=0)
        if longest > _MAX_CARDS:
            self.faults.append(f"reshuffles: expected at most {_MAX_CARDS} cards, got {longest}")
        return piles

    def items(self, key: str, given: object, expected: str = "a list") -> list[Any]:
        """The items of a list, none of what is no list or too long."""
        if not isinstance(given, Sequence) or isinstance(given, (str, bytes, bytearray)):
            self.fail(key, expected, given)
        elif len(given) > _MAX_ITEMS:
            self.faults.append(f"{key}: expected at most {_MAX_ITEMS} items, got {len(given)}")
        else:
            return list(given)
        return []

    def seat(self, key: str, player: object) -> int:
        if player in self.names:
            return self.names.index(player)
        if isinstance(player, int) and not isinstance(player, bool) and 0 <= player < self.n_seats:
            return player
        players = ", ".join(map(str, self.names)) or f"seats 0 to {self.n_seats - 1}"
        self.fail(key, f"one of the players ({players})", player)
        return 0

    def optional_seat(self, key: str, default: int) -> int:
        player = self.given.get(key)
        return default if player is None else self.seat(key, player)

    def last_turns(self, turn: int, closer: int) -> list[int]:
        given = self.given.get("last_turns_left")
        if closer < 0:
            if given:
                self.fail("last_turns_left", "none without a closer", given)
            return []
        if given is None:
            n = (closer - turn) % self.n_seats
            return self._with_cards([(turn + i) % self.n_seats for i in range(n)])
        seats = [
            self.seat("last_turns_left", player) for player in self.items("last_turns_left", given)
        ]
        if len(set(seats)) != len(seats) or closer in seats:
            self.fail("last_turns_left", "each seat once, without the closer", given)
        return self._with_cards(seats)

    def _with_cards(self, seats: list[int]) -> list[int]:
        """A seat with an empty grid has no turn."""
        return [seat for seat in seats if any(value != REMOVED for value, _ in self.grids[seat])]

    def starter(self, phase: Phase) -> int:
        """In the opening the seat that will start, or how it is found."""
        if phase != Phase.FLIP:
            return self.optional_seat("starter", 0)
        # Without the key it is the first round; with null, as position() gives it, any round.
        if "starter" not in self.given:
            return {"seat": 0, "random": _BY_CHANCE, "highest_sum": _BY_SUM}[self.rules.start_first]
        return self.optional_seat("starter", _BY_SUM)

    def stalled(self) -> bool:
        given = self.given.get("stalled")
        if given is not None and not isinstance(given, bool):
            self.fail("stalled", "true or false", given)
        return given is True

    def reshuffled(self) -> int:
        given = self.given.get("reshuffled")
        if given is None:
            return 0
        if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given < 10**9:
            self.fail("reshuffled", "how often the draw pile was made anew", given)
            return 0
        return given

    def totals(self) -> list[int]:
        given = self.given.get("totals")
        if given is None:
            return [0] * self.n_seats
        values: list[Any] = (
            [given.get(name) for name in self.names]
            if isinstance(given, Mapping)
            else self.items("totals", given)
        )
        whole = all(
            isinstance(total, int) and not isinstance(total, bool) and abs(total) < 10**6
            for total in values
        )
        if len(values) != self.n_seats or not whole:
            self.fail("totals", "a whole number for each seat", given)
            return [0] * self.n_seats
        return values

    def phase(self, hand: int | None) -> Phase:
        given = self.given.get("phase")
        normal = Phase.TURN if hand is None else Phase.HOLD
        if given is None:
            return normal
        names = Phase.__members__
        phase = names.get(given) if isinstance(given, str) else given
        if isinstance(phase, (bool, float)) or phase not in (Phase.FLIP, Phase.TURN, Phase.HOLD):
            self.fail("phase", "FLIP, TURN or HOLD", given)
            return normal
        if (phase == Phase.HOLD) != (hand is not None):
            self.fail("phase", "HOLD with a hand, another without", given)
        return Phase(phase)


def read_position(
    position: Mapping[str, Any], *, playable: bool = True
) -> tuple[Rules, dict[str, Any]]:
    """The rules of a position, and its fields as the core takes them.

    With `playable` it must be possible to play on from it; without, only to reveal and count.
    """
    reader = _Reader(position)
    given_hand = position.get("hand")
    hand = None if given_hand is None else reader.card("hand", given_hand)
    turn = reader.optional_seat("turn", 0)
    closer = reader.optional_seat("closer", -1)
    phase = reader.phase(hand)
    fields: dict[str, Any] = {
        "grids": reader.grids,
        "draw": reader.cards("draw"),
        "discard": reader.cards("discard"),
        "hand": hand,
        "turn": turn,
        "starter": reader.starter(phase),
        "closer": closer,
        "last_turns_left": reader.last_turns(turn, closer),
        "reshuffles": reader.piles(),
        "stalled": reader.stalled(),
        "reshuffled": reader.reshuffled(),
        "totals": reader.totals(),
        "phase": int(phase),
    }
    reader.faults += _too_many_cards(fields)
    if playable:
        reader.faults += _unplayable(fields, reader.rules)
    if reader.faults:
        raise ValueError("position: " + "; ".join(reader.faults))
    return reader.rules, fields


def _too_many_cards(fields: dict[str, Any]) -> list[str]:
    grids: list[list[Cell]] = fields["grids"]
    cards = Counter(value for grid in grids for value, _ in grid if value != REMOVED)
    cards.update(fields["draw"])
    cards.update(fields["discard"])
    if fields["hand"] is not None:
        cards[fields["hand"]] += 1
    if cards.total() > _MAX_CARDS:
        return [f"expected at most {_MAX_CARDS} cards, got {cards.total()}"]
    for value, n in cards.most_common(1):
        if n > _MAX_COPIES:
            word = "*" if value == STAR else value
            return [f"expected at most {_MAX_COPIES} cards of a value, got {n} of {word}"]
    return []


def _unplayable(fields: dict[str, Any], rules: Rules) -> list[str]:
    """Why the position cannot be played on."""
    faults = []
    grids: list[list[Cell]] = fields["grids"]
    turn, last = fields["turn"], fields["last_turns_left"]
    if fields["closer"] >= 0 and (not last or last[0] != turn):
        faults.append(f"turn: expected the first of last_turns_left {last}, got {turn}")
    if fields["phase"] == Phase.HOLD and all(value == REMOVED for value, _ in grids[turn]):
        faults.append(f"grids: expected a card in the grid of seat {turn}, which is to play")
    if fields["phase"] != Phase.HOLD and not fields["discard"] and not fields["draw"]:
        faults.append("expected a card to take or to draw, got empty piles")
    if fields["phase"] == Phase.FLIP:
        if fields["closer"] >= 0:
            faults.append("closer: expected none during the opening flips, phase FLIP")
        for seat in range(turn, len(grids)):
            if not _has_flips_left(grids[seat], rules):
                faults.append(f"phase: expected seat {seat} to have opening flips left in FLIP")
    return faults


def _has_flips_left(grid: list[Cell], rules: Rules) -> bool:
    """Whether a seat can still make the opening flips that are due; holes were flipped as well."""
    hidden = [cell for cell, (_, face_up) in enumerate(grid) if not face_up]
    due = rules.initial_flips - (len(grid) - len(hidden))
    if rules.initial_flip_restriction == "different_columns":
        used = {cell // rules.rows for cell, (_, face_up) in enumerate(grid) if face_up}
        return 0 < due <= rules.columns - len(used)
    return 0 < due <= len(hidden)


def write_position(state: Mapping[str, Any], rules: Rules) -> dict[str, Any]:
    """The position of the core's state, in the form that read_position takes."""
    position = dict(state)
    position["grids"] = [_grid_text(cells, rules) for cells in state["grids"]]
    position["phase"] = state["phase"].name
    if state["closer"] is None:
        position["last_turns_left"] = None
    position["rules"] = rules
    return position


def _grid_text(cells: Sequence[Cell], rules: Rules) -> str:
    texts = ["." if value == REMOVED else str(value) if up else f"h{value}" for value, up in cells]
    return " / ".join(" ".join(texts[row :: rules.rows]) for row in range(rules.rows))
