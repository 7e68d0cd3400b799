# SPDX-License-Identifier: MIT
"""The cards on the table in plain lists: grids, draw pile, discard pile, the card in hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .pools import Counts, Event, count_cards, pools_after
from .rules import Rules, cell_count, column_cells, row_cells

DOWN, UP, GONE = "down", "up", "gone"

# A cell is a pair of value and state; the value of a removed cell is None.
Cell = tuple[int | None, str]
Reshuffle = Sequence[int] | Callable[[list[int]], Sequence[int]] | None


class ReferenceTable:
    """Where the cards of one round lie, and how they move; it knows nothing of turns."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.deck: list[int] = []
        self.grids: list[list[Cell]] = []
        self.draw: list[int] = []
        self.discard: list[int] = []
        self.hand: int | None = None
        self.reshuffles = 0
        self.history: list[Event] = []
        # The new draw pile that the caller offers for the move that is being played.
        self._reshuffle: Reshuffle = None

    def _deal(self, deck: list[int]) -> None:
        cells = cell_count(self.rules)
        if len(deck) < self.seats * cells + 1:
            raise ValueError(f"deck: expected at least {self.seats * cells + 1}, got {len(deck)}")
        self.deck = list(deck)
        # A.2 step 2: the first cards of the deck are seat 0's cells in cell order, and so on.
        for seat in range(self.seats):
            dealt = deck[seat * cells : (seat + 1) * cells]
            self.grids.append([(value, DOWN) for value in dealt])
        # A.2 step 3: the next card starts the discard, the rest is the draw pile.
        rest = deck[self.seats * cells :]
        self.discard = [rest[0]]
        self.draw = rest[1:]
        self.history.append(("first_discard", rest[0]))

    # What lies where: A.0, E.2, E.5

    def cells_with_state(self, seat: int, *states: str) -> list[int]:
        """Return the cells of a seat, ascending, that are in one of the states."""
        grid = self.grids[seat]
        return [cell for cell in range(len(grid)) if grid[cell][1] in states]

    def hidden_cells(self, seat: int) -> list[int]:
        """Return the face-down cells of a seat."""
        return self.cells_with_state(seat, DOWN)

    def card_cells(self, seat: int) -> list[int]:
        """Return the cells of a seat that hold a card, open or hidden."""
        return self.cells_with_state(seat, DOWN, UP)

    def open_cards(self, seat: int) -> list[int]:
        """Return the values of the open cards of a seat."""
        return [value for value, state in self.grids[seat] if state == UP and value is not None]

    def grid_cards(self, seat: int) -> list[int]:
        """Return the values of all cards of a seat, hidden ones included."""
        return [value for value, state in self.grids[seat] if state != GONE and value is not None]

    def all_cards(self) -> list[int]:
        """Return every card that is in play now."""
        cards = list(self.draw) + list(self.discard)
        for seat in range(self.seats):
            cards += self.grid_cards(seat)
        if self.hand is not None:
            cards.append(self.hand)
        return cards

    def conserved(self) -> bool:
        """Return whether exactly the cards of the deck are in play (E.2.1)."""
        return sorted(self.all_cards()) == sorted(self.deck)

    def unseen_pools(self, viewer: int) -> tuple[Counts, Counts, Counts]:
        """Return the counts of the pile's pool, of the hidden cells' pool, of the discard (E.5)."""
        values = sorted(set(self.deck))
        pile, hidden = pools_after(self.deck, self.history, viewer)
        return (
            count_cards(values, pile),
            count_cards(values, hidden),
            count_cards(values, self.discard),
        )

    # Moving cards: A.4

    def _draw_card(self, seat: int) -> None:
        if not self.draw:
            # A.9: the pile is rebuilt at the moment of drawing.
            self._rebuild_draw_pile()
        self.hand = self.draw.pop(0)
        self.history.append(("drawn", self.hand, seat))

    def _take(self, seat: int, cell: int) -> bool:
        # A.5: the taken card leaves the pile before the exchanged card arrives.
        card = self.discard.pop()
        return self._exchange(seat, cell, card)

    def _place(self, seat: int, cell: int) -> bool:
        return self._exchange(seat, cell, self._card_from_hand(seat))

    def _reject(self, seat: int, cell: int) -> None:
        # A.4: the card in hand goes on the discard, then the hidden cell becomes open.
        self.discard.append(self._card_from_hand(seat))
        self._turn_up(seat, cell)

    def _card_from_hand(self, seat: int) -> int:
        card = self.hand
        assert card is not None
        self.hand = None
        self.history.append(("drawn_shown", card, seat))
        return card

    def _exchange(self, seat: int, cell: int, card: int) -> bool:
        """Put a card open into a cell, the old one on the discard; return if it was hidden."""
        value, state = self.grids[seat][cell]
        assert value is not None
        if state == DOWN:
            self.history.append(("cell_shown", value))
        self.grids[seat][cell] = (card, UP)
        self.discard.append(value)
        return state == DOWN

    def _turn_up(self, seat: int, cell: int) -> None:
        value, state = self.grids[seat][cell]
        assert state == DOWN
        self.grids[seat][cell] = (value, UP)
        self.history.append(("cell_shown", value))

    def _turn_up_all(self, seat: int) -> None:
        for cell in self.hidden_cells(seat):
            self._turn_up(seat, cell)

    # Removing lines: A.5

    def _remove_lines(self, seat: int) -> None:
        # A.5: all lines are found first and then removed together, each cell once.
        removed = []
        for line in self._complete_lines(seat):
            for cell in line:
                if cell not in removed:
                    removed.append(cell)
        for cell in removed:
            value = self.grids[seat][cell][0]
            assert value is not None
            self.discard.append(value)
            self.grids[seat][cell] = (None, GONE)

    def _complete_lines(self, seat: int) -> list[list[int]]:
        lines = []
        # A.5: columns from the left, as `column_removal` allows ...
        for column in range(self.rules["columns"]):
            cells = column_cells(self.rules, column)
            if self._is_line(seat, cells) and self._column_leaves(seat, cells):
                lines.append(cells)
        # ... then rows from the top, only with `row_removal`.
        if self.rules["row_removal"]:
            for row in range(self.rules["rows"]):
                cells = row_cells(self.rules, row)
                if self._is_line(seat, cells):
                    lines.append(cells)
        return lines

    def _is_line(self, seat: int, cells: list[int]) -> bool:
        # A.5: a line of one cell is never removed; all its cells are present, open and equal.
        if len(cells) < 2:
            return False
        first_value = self.grids[seat][cells[0]][0]
        return all(self.grids[seat][cell] == (first_value, UP) for cell in cells)

    def _column_leaves(self, seat: int, cells: list[int]) -> bool:
        if self.rules["column_removal"] == "off":
            return False
        if self.rules["column_removal"] == "not_negative":
            value = self.grids[seat][cells[0]][0]
            return value is not None and value >= 0
        return True

    # The draw pile: A.9

    def _pile_can_be_rebuilt(self) -> bool:
        # A.9: a discard of one card gives nothing to draw.
        return len(self.discard) >= 2

    def _eager_reshuffle(self) -> None:
        # A.9, option `reshuffle_timing`: the pile is looked at after each turn.
        pile_is_due = not self.draw and self._pile_can_be_rebuilt()
        if self.rules["reshuffle_timing"] == "eager" and pile_is_due:
            self._rebuild_draw_pile()

    def _rebuild_draw_pile(self) -> None:
        if self.rules["reshuffle"] == "keep_top":
            # A.9: all discards but the top one.
            order = self._ordered(self.discard[:-1])
            self.discard = self.discard[-1:]
            self.draw = order
            flipped = None
        else:
            # A.9, `all_then_flip`: the whole discard, its first card is turned up.
            order = self._ordered(self.discard)
            flipped = order[0]
            self.discard = [flipped]
            self.draw = order[1:]
        self.reshuffles += 1
        self.history.append(("reshuffled", list(order), flipped))

    def _ordered(self, cards: list[int]) -> list[int]:
        """Return the new pile that the caller of `apply` offers, if it holds these cards."""
        if self._reshuffle is None:
            raise ValueError(f"reshuffle: expected an order of {sorted(cards)}, got none")
        if callable(self._reshuffle):
            order = list(self._reshuffle(sorted(cards)))
        else:
            order = list(self._reshuffle)
        if sorted(order) != sorted(cards):
            raise ValueError(f"reshuffle: expected an order of {sorted(cards)}, got {order}")
        return order
