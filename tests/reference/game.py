# SPDX-License-Identifier: MIT
"""A whole game: rounds until the end, totals, places (A.8 step 3, A.10, A.11, A.12)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .round import OVER, Choice, ReferenceRound
from .rules import Rules, complete


class ReferenceGame:
    """The rounds of one game.

    `next_round` deals a round, `finish_round` books it once it is OVER. `round_number` counts the
    booked rounds, so during play it is the number of the current round, from 0.
    """

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = complete(rules)
        self.seats = seats
        self.totals = [0] * seats
        self.round_number = 0
        self.rounds: list[ReferenceRound] = []
        self.current: ReferenceRound | None = None
        self.over = False
        self.end: str | None = None
        self.places: list[int] | None = None
        self.winners: list[int] | None = None
        # A.10: who was tied for the lowest total when the end was reached first, ...
        self.tied_for_first: list[int] = []
        # ... who can still win (only during a playoff), and why the game ends.
        self.contenders: list[int] | None = None
        self._reason: str | None = None

    def next_round(self, deck: Sequence[int], random_choice: Choice = None) -> ReferenceRound:
        """Deal the next round; `random_choice` is needed only if no opening flips are due."""
        if self.over or self.current is not None:
            raise ValueError("game: a round can only be dealt between two rounds")
        previous = self.rounds[-1].as_previous() if self.rounds else None
        self.current = ReferenceRound(self.rules, self.seats, deck, previous, random_choice)
        return self.current

    def finish_round(self) -> None:
        """Book the current round."""
        if self.current is None or self.current.phase != OVER:
            raise ValueError("game: the current round is not over")
        points = self.current.points
        assert points is not None
        self.rounds.append(self.current)
        self.current = None
        self.add_points(points)

    def add_points(self, points: Sequence[int]) -> None:
        """Add the points of a round to the totals and look whether the game is over."""
        # A.8 step 3.
        for seat in range(self.seats):
            self.totals[seat] += points[seat]
        self.round_number += 1
        if self.contenders is None:
            self._reason = self.reason_to_end()
            if self._reason is None:
                return
            self.tied_for_first = self.lowest_among(range(self.seats))
            self._settle(self.tied_for_first, points)
        else:
            # A.10, `playoff`: again among those of the contenders that are lowest.
            self._settle(self.lowest_among(self.contenders), points)

    def reason_to_end(self) -> str | None:
        """Return the first reason that holds of threshold, max_rounds, guard (API.md 6)."""
        threshold, max_rounds = self.rules["threshold"], self.rules["max_rounds"]
        # A.10: the threshold itself ends the game.
        if threshold is not None and max(self.totals) >= threshold:
            return "threshold"
        if max_rounds is not None and self.round_number >= max_rounds:
            return "max_rounds"
        if self.guard_reached():
            return "guard"
        return None

    def guard_reached(self) -> bool:
        """Return whether no further round may be dealt (A.12)."""
        return bool(self.round_number >= self.rules["max_rounds_guard"])

    def lowest_among(self, seats: Collection[int]) -> list[int]:
        """Return those of the seats that have the smallest total among them."""
        lowest = min(self.totals[seat] for seat in seats)
        return [seat for seat in seats if self.totals[seat] == lowest]

    def _settle(self, tied: list[int], points: Sequence[int]) -> None:
        # A.10, option `winner_tie`.
        winners = tied
        if self.rules["winner_tie"] == "playoff" and len(tied) > 1 and not self.guard_reached():
            self.contenders = tied
            return
        if self.rules["winner_tie"] == "last_round":
            fewest = min(points[seat] for seat in tied)
            winners = [seat for seat in tied if points[seat] == fewest]
        self.over = True
        self.end = self._reason
        self.winners = winners
        self.contenders = None
        self.places = self._places()

    def _places(self) -> list[int]:
        # A.10: the winners, then the others that were tied for first, by total, then the rest.
        standing = [self._standing(seat) for seat in range(self.seats)]
        places = []
        for seat in range(self.seats):
            better = [other for other in standing if other < standing[seat]]
            places.append(1 + len(better))
        return places

    def _standing(self, seat: int) -> tuple[int, int]:
        assert self.winners is not None
        if seat in self.winners:
            return (0, 0)
        if seat in self.tied_for_first:
            return (1, self.totals[seat])
        return (2, self.totals[seat])


def places_with_forfeits(places: Sequence[int], forfeiters: Collection[int]) -> list[int]:
    """Return the places after forfeits (API.md 8).

    All forfeiters share 1 + the number of seats without a fault; the other seats keep their
    results among each other, which is the order of the places as played.
    """
    seats = range(len(places))
    others = [seat for seat in seats if seat not in forfeiters]
    result = []
    for seat in seats:
        if seat in forfeiters:
            result.append(1 + len(others))
        else:
            result.append(1 + len([other for other in others if places[other] < places[seat]]))
    return result
