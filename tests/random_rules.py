# SPDX-License-Identifier: MIT
"""Valid rules drawn at random over all fields of RULES part C."""

from __future__ import annotations

import random
from typing import Any, Final

from skyjo_core import Rules

SHAPES: Final = [
    (rows, columns) for rows in range(1, 13) for columns in range(1, 13) if rows * columns <= 12
]
CARD_VALUES: Final = range(-4, 14)
# The words and numbers that a field may have, whatever the others are.
FREE: Final[dict[str, tuple[Any, ...]]] = {
    "start_first": ("highest_sum", "random", "seat"),
    "start_tie": ("max_card_then_seat", "max_card_then_random", "seat", "random"),
    "start_later": ("highest_sum", "closer", "rotate", "previous_winner", "random"),
    "column_removal": ("mandatory", "off", "not_negative"),
    "row_removal": (False, True),
    "last_turns": ("all_others", "equal_turns", "none"),
    "reveal_timing": ("end", "after_own_last_turn"),
    "double": ("strict_positive", "off", "ties_ok", "strict_all"),
    "double_factor": (1, 2, 3, 100),
    "reshuffle": ("keep_top", "all_then_flip"),
    "reshuffle_timing": ("lazy", "eager"),
    "forbid_same_value_swap": (False, True),
    "winner_tie": ("shared", "last_round", "playoff"),
    "stall_limit": (None, 1, 4, 20, 100),
    "max_turns_per_round": (1, 9, 60, 300, 10000),
    "max_rounds_guard": (1, 2, 4),
}


def random_rules(rng: random.Random) -> Rules:
    """Rules of at most four rounds, playoffs included.

    Parameters
    ----------
    rng : random.Random
        Decides all of them; hypothesis may give its own.
    """
    rows, columns = rng.choice([(3, 4), (3, 3), (2, 2), (1, 2), rng.choice(SHAPES)])
    fields: dict[str, Any] = {name: rng.choice(values) for name, values in FREE.items()}
    fields |= {"rows": rows, "columns": columns, "deck": random_deck(rng, rows * columns)}
    fields |= random_flips(rng, rows, columns)
    fields["threshold"] = rng.choice([None, 1, 20, 100])
    fields["max_rounds"] = rng.choice([1, 2, 3] + [None] * (fields["threshold"] is not None))
    return Rules(**fields)


def random_deck(rng: random.Random, cells: int) -> Any:
    """A named deck, or a custom one of at most 240 cards that is enough for two grids."""
    least = 2 * cells + 1
    kind = rng.choice(["classic150", "numbers105", "custom", "tight"])
    if kind in ("classic150", "numbers105"):
        return kind
    n_cards = least + rng.randrange(8) if kind == "tight" else rng.randrange(least, 241)
    values = rng.sample(list(CARD_VALUES), rng.randrange(2 if n_cards > 120 else 1, 7))
    counts = [n_cards // len(values)] * len(values)
    counts[0] += min(n_cards % len(values), 120 - counts[0])
    return [[value, count] for value, count in zip(values, counts, strict=True) if count > 0]


def random_flips(rng: random.Random, rows: int, columns: int) -> dict[str, Any]:
    """Opening flips that the shape has room for, often two."""
    restriction = rng.choice(["none", "none", "different_columns"])
    most = rows * columns if restriction == "none" else columns
    flips = rng.choice([min(2, most), rng.randrange(most + 1)])
    return {"initial_flips": flips, "initial_flip_restriction": restriction}
