# SPDX-License-Identifier: MIT
"""Settings of the classic game as plain dicts, and what follows from them directly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Rules = dict[str, Any]

# RULES.md part C: every row without "(action)", in the order of the table.
DEFAULTS: Rules = {
    "deck": "classic150",
    "rows": 3,
    "columns": 4,
    "initial_flips": 2,
    "initial_flip_restriction": "none",
    "start_first": "highest_sum",
    "start_tie": "max_card_then_seat",
    "start_later": "highest_sum",
    "column_removal": "mandatory",
    "row_removal": False,
    "last_turns": "all_others",
    "reveal_timing": "end",
    "double": "strict_positive",
    "double_factor": 2,
    "reshuffle": "keep_top",
    "reshuffle_timing": "lazy",
    "forbid_same_value_swap": False,
    "threshold": 100,
    "max_rounds": None,
    "winner_tie": "shared",
    "stall_limit": 100,
    "max_turns_per_round": 10000,
    "max_rounds_guard": 200,
}

# RULES.md part C, "Presets": those whose game is the classic one.
PRESETS: dict[str, Rules] = {
    "classic-fr": dict(DEFAULTS),
    "classic-en": {**DEFAULTS, "start_later": "closer"},
}

# RULES.md part C: the words that each option may have.
WORDS: dict[str, tuple[str, ...]] = {
    "initial_flip_restriction": ("none", "different_columns"),
    "start_first": ("highest_sum", "random", "seat"),
    "start_tie": ("max_card_then_seat", "max_card_then_random", "seat", "random"),
    "start_later": ("highest_sum", "closer", "rotate", "previous_winner", "random"),
    "column_removal": ("mandatory", "off", "not_negative"),
    "last_turns": ("all_others", "equal_turns", "none"),
    "reveal_timing": ("end", "after_own_last_turn"),
    "double": ("strict_positive", "off", "ties_ok", "strict_all"),
    "reshuffle": ("keep_top", "all_then_flip"),
    "reshuffle_timing": ("lazy", "eager"),
    "winner_tie": ("shared", "last_round", "playoff"),
}

# Numbers: the smallest value allowed, and whether None ("off") is allowed, too.
NUMBERS: dict[str, tuple[int | None, bool]] = {
    "rows": (1, False),
    "columns": (1, False),
    "initial_flips": (0, False),
    "double_factor": (1, False),
    "threshold": (None, True),
    "max_rounds": (1, True),
    "stall_limit": (1, True),
    "max_turns_per_round": (1, False),
    "max_rounds_guard": (1, False),
}

SWITCHES: tuple[str, ...] = ("row_removal", "forbid_same_value_swap")

# API.md 2: these four join the fields with the expansion, which is not part of this reference.
EXPANSION_FIELDS: tuple[str, ...] = ("exp_13", "exp_minus4", "exp_stars", "exp_star_cost")

# A.1: -2 five times, -1 ten times, 0 fifteen times, 1 to 12 ten times each.
CLASSIC150: list[list[int]] = [[-2, 5], [-1, 10], [0, 15]] + [[value, 10] for value in range(1, 13)]

# B.1: -2 three times, -1 seven times, 0 eleven times, 1 to 12 seven times each.
NUMBERS105: list[list[int]] = [[-2, 3], [-1, 7], [0, 11]] + [[value, 7] for value in range(1, 13)]

NAMED_DECKS: dict[str, list[list[int]]] = {"classic150": CLASSIC150, "numbers105": NUMBERS105}


def is_int(value: object) -> bool:
    """Return whether a value is a whole number and not a truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def complete(given: Mapping[str, Any] | None = None) -> Rules:
    """Return all settings: the defaults, changed by those that are given."""
    rules = dict(DEFAULTS)
    for name, value in (given or {}).items():
        if name != "game":
            rules[name] = value
    return rules


def cell_count(rules: Rules) -> int:
    """Return the number of cells of one grid."""
    return int(rules["rows"] * rules["columns"])


def column_cells(rules: Rules, column: int) -> list[int]:
    """Return the cells of a column from top to bottom (API.md 1: column after column)."""
    return [rules["rows"] * column + row for row in range(rules["rows"])]


def row_cells(rules: Rules, row: int) -> list[int]:
    """Return the cells of a row from left to right."""
    return [rules["rows"] * column + row for column in range(rules["columns"])]


def column_of(rules: Rules, cell: int) -> int:
    """Return the column in which a cell lies, counted from 0."""
    return int(cell // rules["rows"])


def deck_pairs(rules: Rules) -> list[list[int]]:
    """Return the deck as [value, count] pairs."""
    deck = rules["deck"]
    if not isinstance(deck, str):
        return [list(pair) for pair in deck]
    if deck not in NAMED_DECKS:
        raise ValueError(f"rules: the reference does not know the deck {deck!r}")
    return NAMED_DECKS[deck]


def deck_cards(rules: Rules) -> list[int]:
    """Return every card of the deck in ascending order."""
    cards = []
    for value, count in deck_pairs(rules):
        for _ in range(count):
            cards.append(value)
    return sorted(cards)


def max_seats(rules: Rules) -> int:
    """Return how many seats a table may have (API.md 8, --seats)."""
    seats = 8
    if rules["rows"] == 3 and rules["columns"] == 3:
        seats = 10
    if rules["deck"] == "numbers105":
        seats = 4
    # One card is needed for the discard (A.2 step 3).
    while seats * cell_count(rules) + 1 > len(deck_cards(rules)):
        seats -= 1
    return seats


def rule_faults(rules: Rules) -> list[str]:
    """Return what is wrong with a set of rules; it may also hold "game"."""
    faults = []
    if rules.get("game", "classic") != "classic":
        faults.append(f"rules.game: expected 'classic', got {rules['game']!r}")
    for name in rules:
        if name not in DEFAULTS and name != "game" and name not in EXPANSION_FIELDS:
            faults.append(f"rules.{name}: unknown field")
    for name, words in WORDS.items():
        if name in rules and rules[name] not in words:
            faults.append(f"rules.{name}: expected one of {words}, got {rules[name]!r}")
    for name in SWITCHES:
        if name in rules and not isinstance(rules[name], bool):
            faults.append(f"rules.{name}: expected true or false, got {rules[name]!r}")
    for name in NUMBERS:
        if name in rules:
            faults += _number_faults(name, rules[name])
    if "deck" in rules:
        faults += _deck_faults(rules["deck"])
    if not faults:
        faults += _faults_between_fields(complete(rules))
    return faults


def _number_faults(name: str, value: object) -> list[str]:
    least, may_be_off = NUMBERS[name]
    if value is None and may_be_off:
        return []
    if not isinstance(value, int) or isinstance(value, bool):
        return [f"rules.{name}: expected a whole number, got {value!r}"]
    if least is not None and value < least:
        return [f"rules.{name}: expected at least {least}, got {value!r}"]
    return []


def _deck_faults(deck: object) -> list[str]:
    if isinstance(deck, str):
        if deck in NAMED_DECKS:
            return []
        return [f"rules.deck: expected one of {tuple(NAMED_DECKS)} or pairs, got {deck!r}"]
    if not isinstance(deck, (list, tuple)):
        return [f"rules.deck: expected a name or [value, count] pairs, got {deck!r}"]
    for pair in deck:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not all(map(is_int, pair)):
            return [f"rules.deck: expected a [value, count] pair, got {pair!r}"]
    values = [pair[0] for pair in deck]
    counts = [pair[1] for pair in deck]
    faults = []
    # API.md 1: card values are -2..12, and -4 and 13 with the expansion. API.md 2: at most 240
    # cards, at most 120 of a value.
    if any(value < -4 or value > 13 for value in values):
        faults.append(f"rules.deck: expected values from -4 to 13, got {values}")
    if len(set(values)) != len(values):
        faults.append(f"rules.deck: expected each value once, got {values}")
    if any(count < 0 or count > 120 for count in counts) or sum(counts) > 240:
        faults.append(f"rules.deck: expected at most 240 cards and 120 of a value, got {counts}")
    return faults


def _faults_between_fields(rules: Rules) -> list[str]:
    faults = []
    cells = cell_count(rules)
    if cells > 12:
        faults.append(f"rules: expected at most 12 cells, got {cells}")
    if rules["initial_flips"] > cells:
        faults.append(f"rules.initial_flips: expected at most {cells}")
    # A.2 step 4: more flips than columns is an error where the columns have to differ.
    columns_differ = rules["initial_flip_restriction"] == "different_columns"
    if columns_differ and rules["initial_flips"] > rules["columns"]:
        faults.append(f"rules.initial_flips: expected at most {rules['columns']} columns")
    # Part C: threshold off needs max_rounds.
    if rules["threshold"] is None and rules["max_rounds"] is None:
        faults.append("rules.threshold: off needs max_rounds")
    return faults
