"""Expectation bot: for each choice the exact mean over all cards that can come next.

A column costs its sum, less by the chance that it will be completed and leave. A choice is worth
by how much the cost of the grid falls: on average over the draw pile for a draw, each card in its
best cell, and over the face-down cards for a flip. Closing is weighed with the doubling in mind.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence

import skyjo_core
from skyjo_core import HIDDEN, REMOVED, Phase

NAME = "expectation"
TAKE, PLACE, DRAW = 12, 24, 36
# Tuned by play against the other bots of this folder, at 2 and 4 seats.
RESERVE = 0.7  # a face-down card may still be exchanged, so it costs less than the mean
MEET = 1.4  # cards a turn that may complete a column: one drawn, some taken
LAST = 4.0  # by how much another seat improves in its last turn
SPREAD = 4.2  # standard deviation of a card: RULES.md E.6


class Odds:
    """What may come, from the counts of a view."""

    def __init__(self, view: skyjo_core.View) -> None:
        self.values = view.values
        self.pile = shares(view.pile_counts.tolist())
        self.hidden = shares(view.hidden_counts.tolist())
        self.mean = mean(self.values, self.hidden)
        seats = [view.cells(seat) for seat in range(view.n_seats)]
        turns = 0 if view.closer is not None else min(cells.count(HIDDEN) for cells in seats)
        self.face_down = self.mean - (RESERVE if turns else 0)
        self.turns = turns
        self.others = seats[1:]

    def complete(self, value: int) -> float:
        """The chance that a card of this value comes while there is time."""
        p = min(1.0, MEET * self.pile[self.values.index(value)])
        return 1 - (1 - p) ** self.turns

    def left(self, total: float, card: int) -> float:
        """Points that a column which lacks only this card will leave, on average."""
        return total * (1 - self.complete(card)) if total > 0 else total

    def cost(self, column: tuple[int, ...]) -> float:
        """Points that this column will leave, on average."""
        known = open_cards(column)
        total = sum(known) + column.count(HIDDEN) * self.face_down
        for card in known[:2]:  # of a column that lacks one card, one of any two is that card
            if known.count(card) == len(column) - 1 > 1:
                return self.left(total, card)
        return total

    def drops(self, column: tuple[int, ...], i: int) -> list[float]:
        """For each value by how much the column's cost falls when that card comes to place i."""
        before, rest = self.cost(column), column[:i] + column[i + 1 :]
        known = open_cards(rest)
        others = sum(known) + rest.count(HIDDEN) * self.face_down
        if known and known.count(known[0]) == len(rest):  # one card completes the column
            result = [before - self.left(others + value, known[0]) for value in self.values]
            result[self.values.index(known[0])] = before
            return result
        result = [before - others - value for value in self.values]
        for card in known:
            if known.count(card) == len(rest) - 1:  # the same card again: then it lacks only one
                result[self.values.index(card)] = before - self.left(others + card, card)
        return result

    def doubling(self, raw: float) -> float:
        """Points that closing with this sum is expected to cost on top."""
        safe = 1.0
        for cells in self.others:
            n_hidden = cells.count(HIDDEN)
            likely = sum(open_cards(cells)) + n_hidden * self.mean - LAST
            sigma = math.sqrt(2 * (n_hidden * SPREAD**2 + LAST**2))
            safe *= (1 - math.erf((raw + 0.5 - likely) / sigma)) / 2
        return max(raw, 0) * (1 - safe)


def shares(counts: list[int]) -> list[float]:
    """Probabilities from counts."""
    total = max(1, sum(counts))
    return [n / total for n in counts]


def open_cards(cells: tuple[int, ...]) -> list[int]:
    """The cards that lie face up."""
    return [card for card in cells if card not in (HIDDEN, REMOVED)]


def choose_move(view: skyjo_core.View) -> int:
    """Return the move with the largest expected drop of the grid's cost."""
    moves = view.legal_moves
    if view.phase == Phase.FLIP:
        return moves[0]
    odds, cells, rows = Odds(view), view.cells(0), view.rules.rows
    columns = [cells[top : top + rows] for top in range(0, len(cells), rows)]
    hidden = [cell for cell, card in enumerate(cells) if card == HIDDEN]
    seen: dict[tuple[tuple[int, ...], int], list[float]] = {}  # equal places share their drops
    gains: list[list[float]] = []  # by cell, then by value
    for cell, card in enumerate(cells):
        key = (columns[cell // rows], card)
        if key not in seen:
            seen[key] = [] if card == REMOVED else odds.drops(key[0], cell % rows)
        gains.append(seen[key])
    if len(hidden) == 1 and view.closer is None:
        gains[hidden[0]] = closing_gains(odds, columns, hidden[0], rows)
    flips = {cell: mean(gains[cell], odds.hidden) for cell in hidden}
    index = odds.values.index(view.discard_top if view.hand is None else view.hand)

    def worth(move: int) -> float:
        if move == DRAW:
            reject = max(flips.values(), default=-math.inf)
            rows_of_drops = [drops for drops in gains if drops]
            best = [max(reject, *drops) for drops in zip(*rows_of_drops, strict=True)]
            return mean(best, odds.pile)
        return flips[move] if move < TAKE else gains[move % TAKE][index]

    return max(moves, key=worth)


def closing_gains(odds: Odds, columns: list[tuple[int, ...]], last: int, rows: int) -> list[float]:
    """The drops for the last face-down cell: the card that comes there ends the round."""
    cost = math.fsum(odds.cost(column) for column in columns)
    rest = [card for i, card in enumerate(columns[last // rows]) if i != last % rows]
    others = sum(sum(open_cards(column)) for column in columns) - sum(rest)
    result = []
    for value in odds.values:
        raw = others if rest == [value] * len(rest) and rest else others + sum(rest) + value
        result.append(cost - raw - odds.doubling(raw))
    return result


def mean(gains: Sequence[float], chances: list[float]) -> float:
    """The mean of a gain over the cards that can come."""
    return math.fsum(map(operator.mul, gains, chances))
