# SPDX-License-Identifier: MIT
"""Who starts a round: A.3 and A.11."""

from __future__ import annotations

from dataclasses import dataclass

from .rules import Rules


@dataclass(frozen=True)
class PreviousRound:
    """What the next round needs to know of the one before it (A.11)."""

    starter: int
    closer: int | None
    points: list[int]


def seats_with_highest_sum(open_cards: list[list[int]]) -> list[int]:
    """Return the seats whose open cards have the highest sum (A.3)."""
    sums = [sum(cards) for cards in open_cards]
    return [seat for seat in range(len(sums)) if sums[seat] == max(sums)]


def seats_with_highest_card(open_cards: list[list[int]], tied: list[int]) -> list[int]:
    """Return those of the tied seats that show the highest single card (A.3).

    A seat without an open card stands below any seat that shows one.
    """
    showing = [seat for seat in tied if open_cards[seat]]
    if not showing:
        return list(tied)
    highest = max(max(open_cards[seat]) for seat in showing)
    return [seat for seat in showing if max(open_cards[seat]) == highest]


def starters_by_sum(start_tie: str, open_cards: list[list[int]]) -> list[int]:
    """Return the seats among which chance decides, or the only one possible (A.3)."""
    tied = seats_with_highest_sum(open_cards)
    if start_tie == "seat":
        return tied[:1]
    if start_tie == "random":
        return tied
    highest = seats_with_highest_card(open_cards, tied)
    if start_tie == "max_card_then_seat":
        return highest[:1]
    assert start_tie == "max_card_then_random"
    return highest


def allowed_starters(
    rules: Rules, open_cards: list[list[int]], previous: PreviousRound | None
) -> list[int]:
    """Return the seats that may start: one where the rules decide, several where chance does."""
    seats = len(open_cards)
    if previous is None:
        # A.3: the first round; A.11, last line: `seat` is seat 0.
        if rules["start_first"] == "random":
            return list(range(seats))
        if rules["start_first"] == "seat":
            return [0]
        return starters_by_sum(rules["start_tie"], open_cards)
    # A.11: the later rounds.
    later = rules["start_later"]
    if later == "random":
        return list(range(seats))
    if later == "rotate":
        return [(previous.starter + 1) % seats]
    if later == "previous_winner":
        # Fewest points in the round before, then the lowest seat.
        return [previous.points.index(min(previous.points))]
    if later == "closer" and previous.closer is not None:
        return [previous.closer]
    # A.11: `highest_sum`, and `closer` after a round without a closer.
    return starters_by_sum(rules["start_tie"], open_cards)
