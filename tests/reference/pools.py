# SPDX-License-Identifier: MIT
"""What a seat has not seen, walked naively through what was shown: E.4 and E.5.

Events of a history, in the order in which they happened:
    ("first_discard", value)              the card that starts the discard pile
    ("cell_shown", value)                 a face-down cell was turned up or exchanged
    ("drawn", value, seat)                only that seat sees the card
    ("drawn_shown", value, seat)          the same card, placed or rejected: all see it
    ("reshuffled", cards, flipped)        the new draw pile, and the card that was flipped or None
"""

from __future__ import annotations

from typing import Any

Event = tuple[Any, ...]
Counts = dict[int, int]


def count_cards(values: list[int], cards: list[int]) -> Counts:
    """Return how often each value occurs among the cards, zeros included."""
    return {value: cards.count(value) for value in values}


def pools_after(deck: list[int], history: list[Event], viewer: int) -> tuple[list[int], list[int]]:
    """Return the pool of the draw pile and the pool of the face-down cells for a viewer."""
    hidden = sorted(deck)
    # E.5.1: one pool for both, so both names mean the same list until the first reshuffle.
    pile = hidden
    for event in history:
        kind, value = event[0], event[1]
        if kind == "first_discard":
            pile.remove(value)
        elif kind == "cell_shown":
            hidden.remove(value)
        elif kind == "drawn":
            # E.4: the drawn card is known to its drawer at once ...
            if event[2] == viewer:
                pile.remove(value)
        elif kind == "drawn_shown":
            # ... and to the others when it leaves the hand.
            if event[2] != viewer:
                pile.remove(value)
        else:
            # E.5.2 and E.5.3: the draw pile is a pool of its own from now on.
            assert kind == "reshuffled"
            pile = sorted(value)
            if event[2] is not None:
                pile.remove(event[2])
    return pile, hidden
