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
        self.complete = {
            value: 1 - (1 - min(1.0, MEET * p)) ** turns
            for value, p in zip(self.values, self.pile, strict=True)
        }
        self.others = seats[1:]

    def cost(self, column: tuple[int, ...]) -> float:
        """Points that this column will leave, on average."""
        if column[0] == REMOVED:
            return 0.0
        total = sum(self.face_down if card == HIDDEN else card for card in column)
        pair = next((c for c in open_cards(column) if column.count(c) == len(column) - 1), None)
        if pair is None or len(column) < 3 or total <= 0:
            return total
        return total * (1 - self.complete[pair])

    def drops(self, column: tuple[int, ...], i: int) -> list[float]:
        """For each value by how much the column's cost falls when that card comes to place i."""
        before, rest = self.cost(column), column[:i] + column[i + 1 :]
        known = open_cards(rest)
        others = sum(known) + (len(rest) - len(known)) * self.face_down
        if known and rest == (rest[0],) * len(rest):  # one card completes the column
            stays = 1 - self.complete[rest[0]]
            result = [before - (others + v) * (stays if others + v > 0 else 1) for v in self.values]
            result[self.values.index(rest[0])] = before
            return result
        result = [before - others - v for v in self.values]
        for card in known:  # the same card again makes a pair
            result[self.values.index(card)] = before - self.cost((*rest, card))
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
    gains: dict[
        tuple[tuple[int, ...], int], list[float]
    ] = {}  # equal cards of equal columns share a row
    for cell, card in enumerate(cells):
        column = columns[cell // rows]
        if card != REMOVED and (column, card) not in gains:
            gains[column, card] = odds.drops(column, cell % rows)
    if len(hidden) == 1 and view.closer is None:
        last = hidden[0]
        gains[columns[last // rows], HIDDEN] = closing_gains(odds, columns, last, rows)
    flips = {key: mean(row, odds.hidden) for key, row in gains.items() if key[1] == HIDDEN}
    index = odds.values.index(view.discard_top if view.hand is None else view.hand)

    def worth(move: int) -> float:
        if move == DRAW:
            reject = max(flips.values(), default=-math.inf)
            best = [max(reject, *drops) for drops in zip(*gains.values(), strict=True)]
            return mean(best, odds.pile)
        cell = move % TAKE
        key = (columns[cell // rows], cells[cell])
        return flips[key] if move < TAKE else gains[key][index]

    return max(moves, key=worth)


def closing_gains(odds: Odds, columns: list[tuple[int, ...]], last: int, rows: int) -> list[float]:
    """The drops for the last face-down cell: the card that comes there ends the round."""
    cost = sum(odds.cost(column) for column in columns)
    rest = [card for i, card in enumerate(columns[last // rows]) if i != last % rows]
    others = sum(sum(open_cards(column)) for column in columns) - sum(rest)
    result = []
    for value in odds.values:
        raw = others if rest == [value] * len(rest) and rest else others + sum(rest) + value
        result.append(cost - raw - odds.doubling(raw))
    return result


def mean(gains: Sequence[float], chances: list[float]) -> float:
    """The mean of a gain over the cards that can come."""
    total: float = sum(map(operator.mul, gains, chances))
    return total
