# SPDX-License-Identifier: MIT
"""One round of classic Skyjo in plain lists; each rule names its paragraph of RULES.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .rules import Rules, column_of, complete
from .score import points_of_round
from .starter import PreviousRound, allowed_starters
from .table import GONE, UP, Cell, ReferenceTable, Reshuffle

FLIP, TURN, HOLD, OVER = "FLIP", "TURN", "HOLD", "OVER"

# API.md 1: the numbers of the moves, the same for every shape of the grid.
FLIP_FROM, TAKE_FROM, PLACE_FROM, DRAW_MOVE = 0, 12, 24, 36

Choice = int | Callable[[list[int]], int] | None


class IllegalMove(ValueError):  # noqa: N818 (the engine's exception has this name, too)
    """A move that the rules do not allow now."""


class ReferenceRound(ReferenceTable):
    """A round from the deal to the score.

    A ValueError about a reshuffle or a starter leaves the round unusable; IllegalMove changes
    nothing.
    """

    def __init__(
        self,
        rules: Rules,
        seats: int,
        deck: Sequence[int],
        previous: PreviousRound | None = None,
        random_choice: Choice = None,
    ) -> None:
        self._set_first_state(complete(rules), seats, previous)
        self._deal(list(deck))
        # The starter that the caller offers for the move that is being played.
        self._random_choice: Choice = random_choice
        if self.rules["initial_flips"] == 0:
            # A.2 step 4 is void, so the starter is due at once.
            self._choose_starter()

    def _set_first_state(self, rules: Rules, seats: int, previous: PreviousRound | None) -> None:
        super().__init__(rules, seats)
        self.previous = previous
        self.phase = FLIP
        self.seat = 0
        self.starter: int | None = None
        self.allowed_starters: list[int] | None = None
        self.closer: int | None = None
        self.last_turns_left: list[int] | None = None
        self.turns = 0
        self.stall_count = 0
        self.stalled = False
        self.capped = False
        self.raw: list[int] | None = None
        self.points: list[int] | None = None
        self._random_choice = None

    @classmethod
    def from_position(
        cls,
        rules: Rules,
        grids: list[list[Cell]],
        draw: list[int],
        discard: list[int],
        turn: int = 0,
        starter: int = 0,
        closer: int | None = None,
        last_turns_left: list[int] | None = None,
        stalled: bool = False,
        hand: int | None = None,
    ) -> ReferenceRound:
        """Return a round in the phase TURN, or HOLD where a hand is given (cases/README.md)."""
        self = cls.__new__(cls)
        self._set_first_state(complete(rules), len(grids), None)
        self.grids = [list(grid) for grid in grids]
        self.draw, self.discard, self.hand = list(draw), list(discard), hand
        self.seat, self.starter, self.closer, self.stalled = turn, starter, closer, stalled
        self.phase = TURN if hand is None else HOLD
        if closer is not None and last_turns_left is None:
            # cases/README.md: the players from `turn` up to the one before the closer.
            last_turns_left = self._seats_between(turn, closer)
        if last_turns_left is not None:
            self.last_turns_left = self._with_cards(last_turns_left)
        self._know_position()
        return self

    def _know_position(self) -> None:
        # What lies open in a position counts as seen by everybody.
        self.deck = self.all_cards()
        self.history = [("cell_shown", card) for card in self.discard]
        for seat in range(self.seats):
            self.history += [("cell_shown", card) for card in self.open_cards(seat)]
        if self.hand is not None:
            self.history.append(("drawn", self.hand, self.seat))

    # Which moves are legal

    def legal_moves(self) -> list[int]:
        """Return the legal moves of the seat to decide, ascending (A.4)."""
        if self.phase == FLIP:
            moves = self._opening_moves()
        elif self.phase == TURN:
            moves = self._turn_moves()
        elif self.phase == HOLD:
            moves = self._hold_moves()
        else:
            moves = []
        return sorted(moves)

    def _opening_moves(self) -> list[int]:
        # A.2 step 4: any own hidden cell ...
        cells = self.hidden_cells(self.seat)
        if self.rules["initial_flip_restriction"] == "different_columns":
            # ... or, with the house rule, in a column where nothing was turned up yet.
            used = self.cells_with_state(self.seat, UP, GONE)
            used_columns = [column_of(self.rules, cell) for cell in used]
            cells = [cell for cell in cells if column_of(self.rules, cell) not in used_columns]
        return [FLIP_FROM + cell for cell in cells]

    def _turn_moves(self) -> list[int]:
        takes = self._take_cells()
        allowed = [cell for cell in takes if not self._same_value_swap(cell)]
        moves = [TAKE_FROM + cell for cell in allowed]
        # A.4: drawing needs a card in the pile, or a pile that can be rebuilt.
        if self.draw or self._pile_can_be_rebuilt():
            moves.append(DRAW_MOVE)
        if not moves:
            # The bar of `forbid_same_value_swap` never leaves a seat without a move.
            moves = [TAKE_FROM + cell for cell in takes]
        return moves

    def _take_cells(self) -> list[int]:
        if not self.discard:
            return []
        # A.12: the stall rule leaves only the hidden cells.
        if self._stall_rule_binds():
            return self.hidden_cells(self.seat)
        return self.card_cells(self.seat)

    def _same_value_swap(self, cell: int) -> bool:
        # A.4, option `forbid_same_value_swap`: an open card of the same value, from the discard.
        if not self.rules["forbid_same_value_swap"]:
            return False
        return self.grids[self.seat][cell] == (self.discard[-1], UP)

    def _hold_moves(self) -> list[int]:
        # A.4: reject the card and turn up a hidden cell, or place it on any own card.
        flips = [FLIP_FROM + cell for cell in self.hidden_cells(self.seat)]
        if self._stall_rule_binds():
            places = [PLACE_FROM + cell for cell in self.hidden_cells(self.seat)]
        else:
            places = [PLACE_FROM + cell for cell in self.card_cells(self.seat)]
        return flips + places

    def _stall_rule_binds(self) -> bool:
        # A.12: a seat without a hidden card is not bound by the stall rule.
        return self.stalled and len(self.hidden_cells(self.seat)) > 0

    # How a move changes the state

    def apply(self, move: int, reshuffle: Reshuffle = None, random_choice: Choice = None) -> None:
        """Play a move.

        `reshuffle` is the new draw pile in draw order where this move needs one (the flipped card
        first with `all_then_flip`), or a function from the ascending cards to that order.
        `random_choice` is the starter where this move ends the opening and chance decides, or a
        function from the allowed seats to it.
        """
        legal = self.legal_moves()
        if move not in legal:
            raise IllegalMove(
                f"round: expected a move of {legal} for seat {self.seat} in phase {self.phase}, "
                f"got {move!r}"
            )
        self._reshuffle = reshuffle
        self._random_choice = random_choice
        before = self.reshuffles
        self._play(move)
        if self.reshuffles == before and reshuffle is not None and not callable(reshuffle):
            raise ValueError("round: a new draw pile was given, but this move needs none")

    def _play(self, move: int) -> None:
        seat = self.seat
        if self.phase == FLIP:
            self._opening_flip(seat, move - FLIP_FROM)
        elif move == DRAW_MOVE:
            self._draw_card(seat)
            self.phase = HOLD
        elif move >= PLACE_FROM:
            self._finish_turn(seat, self._place(seat, move - PLACE_FROM))
        elif move >= TAKE_FROM:
            self._finish_turn(seat, self._take(seat, move - TAKE_FROM))
        else:
            self._reject(seat, move - FLIP_FROM)
            self._finish_turn(seat, used_hidden=True)

    def _opening_flip(self, seat: int, cell: int) -> None:
        self._turn_up(seat, cell)
        # A.2 step 4: a line completed in the opening leaves at once.
        self._remove_lines(seat)
        flips_made = len(self.cells_with_state(seat, UP, GONE))
        if flips_made < self.rules["initial_flips"]:
            return
        # A.2 step 4: in seat order, each seat turns up all of its cards.
        if seat + 1 < self.seats:
            self.seat = seat + 1
        else:
            self._choose_starter()

    def _choose_starter(self) -> None:
        # A.3 and A.11.
        open_cards = [self.open_cards(seat) for seat in range(self.seats)]
        allowed = allowed_starters(self.rules, open_cards, self.previous)
        self.allowed_starters = allowed
        choice = self._random_choice
        if callable(choice):
            choice = choice(list(allowed)) if len(allowed) > 1 else allowed[0]
        if choice is None and len(allowed) == 1:
            choice = allowed[0]
        if choice not in allowed:
            raise ValueError(f"starter: expected one of {allowed}, got {choice!r}")
        self.starter = choice
        self._begin_turn(choice)

    # RESOLVE: A.5, A.6, A.13

    def _finish_turn(self, seat: int, used_hidden: bool) -> None:
        self.turns += 1
        self._count_stall(used_hidden)
        self._remove_lines(seat)
        if self.closer is None:
            # A.6.1: the first seat without hidden cards closes the round.
            if not self.hidden_cells(seat):
                self._close(seat)
        else:
            # A.6.3: a seat that turns up everything in its last turn is not a closer.
            self._end_last_turn(seat)
        if self.closer is not None and not self.last_turns_left:
            self._end_round()
        elif self.turns >= self.rules["max_turns_per_round"]:
            self._cap_round()
        else:
            self._eager_reshuffle()
            self._begin_turn(self._next_seat(seat))

    def _count_stall(self, used_hidden: bool) -> None:
        # A.12: consecutive turns, of all seats together, that use up no hidden card.
        self.stall_count = 0 if used_hidden else self.stall_count + 1
        limit = self.rules["stall_limit"]
        if limit is not None and self.stall_count >= limit:
            self.stalled = True

    def _close(self, seat: int) -> None:
        self.closer = seat
        self.last_turns_left = self._last_turns_after(seat)

    def _last_turns_after(self, closer: int) -> list[int]:
        option = self.rules["last_turns"]
        if option == "none":
            # A.6.2: the round stops dead.
            return []
        if option == "all_others":
            # A.6.2: every other seat, from the closer's left.
            seats = self._seats_between((closer + 1) % self.seats, closer)
        else:
            # A.6.2, `equal_turns`: only the seats between the closer and the starter.
            assert option == "equal_turns"
            assert self.starter is not None
            seats = self._seats_between((closer + 1) % self.seats, self.starter)
        # PITFALLS.md P13: an empty grid is never asked for a move.
        return self._with_cards(seats)

    def _with_cards(self, seats: list[int]) -> list[int]:
        return [seat for seat in seats if self.card_cells(seat)]

    def _seats_between(self, first: int, end: int) -> list[int]:
        """Return the seats clockwise from `first` up to the one before `end`."""
        seats = []
        seat = first
        while seat != end:
            seats.append(seat)
            seat = (seat + 1) % self.seats
        return seats

    def _end_last_turn(self, seat: int) -> None:
        assert self.last_turns_left is not None
        self.last_turns_left.remove(seat)
        if self.rules["reveal_timing"] == "after_own_last_turn":
            # A.7, option: the seat's cards are turned up now, its lines go on the discard now.
            self._turn_up_all(seat)
            self._remove_lines(seat)

    def _next_seat(self, seat: int) -> int:
        if self.last_turns_left:
            return self.last_turns_left[0]
        return (seat + 1) % self.seats

    def _begin_turn(self, seat: int) -> None:
        if self.closer is None and not self.card_cells(seat):
            # A.6.1 and PITFALLS.md P13: an empty grid closes and is never asked for a move.
            self._close(seat)
            if not self.last_turns_left:
                self._end_round()
                return
            seat = self._next_seat(seat)
        self.seat = seat
        self.phase = TURN

    # The end of the round: A.7, A.8, A.12

    def _cap_round(self) -> None:
        # A.12: the round ends at once and is scored without a closer.
        self.capped = True
        self.closer = None
        self.last_turns_left = None
        self._end_round()

    def _end_round(self) -> None:
        # A.7: all hidden cards are turned up at the same time, then the lines leave.
        for seat in range(self.seats):
            self._turn_up_all(seat)
        for seat in range(self.seats):
            self._remove_lines(seat)
        # A.8.
        self.raw = [sum(self.grid_cards(seat)) for seat in range(self.seats)]
        self.points = points_of_round(self.rules, self.raw, self.closer)
        self.phase = OVER
        self.seat = -1

    def reveal_and_score(self) -> None:
        """Go straight to the final reveal (A.7), as the cases of kind `final_count` ask."""
        self._end_round()

    def as_previous(self) -> PreviousRound:
        """Return what the next round needs to know of this finished one."""
        assert self.starter is not None
        assert self.points is not None
        return PreviousRound(self.starter, self.closer, list(self.points))
