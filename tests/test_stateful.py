# SPDX-License-Identifier: MIT
"""A game and the reference side by side, whatever is done to the game in whatever order."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from random_play import all_cards, play_on
from random_rules import random_rules
from reference import ReferenceGame, ReferenceRound, deck_cards
from skyjo_core import Game, IllegalMove, Phase
from test_reference import choose, compare_views, step

STYLES = st.sampled_from(["even", "swapper", "drawer"])
SEEDS = st.integers(0, 2**64 - 1)


def running(machine: GameMachine) -> bool:
    return machine.game.seat >= 0


class GameMachine(RuleBasedStateMachine):
    """Rules, seats and seed are drawn; then moves, refusals, copies, pickles, positions, worlds."""

    game: Game
    whole: ReferenceGame
    reference: ReferenceRound

    @initialize(
        draw=st.randoms(use_true_random=False), seed=SEEDS, deck=st.sampled_from(["stack", "lanes"])
    )
    def deal(self, draw: random.Random, seed: int, deck: str) -> None:
        rules = random_rules(draw)
        seats = draw.randrange(2, rules.max_seats + 1)
        self.game = Game(seats, rules, seed, deck)
        self.whole = ReferenceGame(rules.to_dict(), seats)
        self.left: tuple[Game, bytes] | None = None
        self.rng = random.Random(seed)
        self.next_round()

    def next_round(self) -> None:
        dealt = self.game.record()["rounds"][-1]
        # Of lanes a record has the order of drawing only afterwards.
        self.is_seen = self.game.record()["deck_kind"] == "stack"
        self.reference = self.whole.next_round(dealt["deck"], dealt["starter"])

    def play(self, move: int) -> None:
        """A move on both; where a card of a lane is drawn the reference is told which it is."""
        if move == 36 and not self.is_seen and self.reference.draw:
            drawn = self.game.copy()
            drawn.apply(move)
            card = drawn.position()["hand"]
            self.reference.draw.remove(card)
            self.reference.draw.insert(0, card)
        step(self.game, self.reference, move)
        if self.reference.phase == "OVER":
            self.whole.finish_round()
            assert self.game.totals == tuple(self.whole.totals)
            assert self.game.rounds[-1].points == tuple(self.reference.points or ())
            if not self.whole.over:
                self.next_round()

    # Moves

    @precondition(running)
    @rule(number=st.integers(0, 36))
    def legal_move(self, number: int) -> None:
        legal = self.game.legal_moves()
        self.play(legal[number % len(legal)])

    @precondition(running)
    @rule(n_moves=st.integers(1, 12), style=STYLES)
    def several_moves(self, n_moves: int, style: str) -> None:
        for _ in range(n_moves):
            if self.game.seat >= 0:
                self.play(choose(self.rng, self.game.legal_moves(), style))

    @precondition(running)
    @rule()
    def to_the_end_of_the_round(self) -> None:
        number = self.whole.round_number
        while self.whole.round_number == number:
            self.play(choose(self.rng, self.game.legal_moves(), "even"))

    @rule(move=st.integers(-1, 40) | st.integers())
    def illegal_move(self, move: int) -> None:
        if move in self.game.legal_moves():
            return
        before = self.game.to_bytes()
        with pytest.raises(IllegalMove):
            self.game.apply(move)
        with pytest.raises(IllegalMove):
            self.game.outcomes(move)
        assert self.game.to_bytes() == before

    @precondition(running)
    @rule()
    def card_is_refused(self) -> None:
        before = self.game.to_bytes()
        with pytest.raises(ValueError, match="in a game that was dealt"):
            self.game.apply(self.game.legal_moves()[0], card=0)
        assert self.game.to_bytes() == before

    # The same game by other ways

    @rule()
    def go_on_with_a_copy(self) -> None:
        self.left = (self.game, self.game.to_bytes())
        self.game = self.game.copy()
        assert self.game.to_bytes() == self.left[1]

    @rule()
    def leave_a_copy_behind(self) -> None:
        self.left = (self.game.copy(), self.game.to_bytes())

    @rule()
    def go_on_from_a_pickle(self) -> None:
        other = pickle.loads(pickle.dumps(self.game))
        assert other.record() == self.game.record()
        self.game = other

    # Games beside it

    @precondition(running)
    @rule(n_moves=st.integers(0, 30))
    def position_plays_alike(self, n_moves: int) -> None:
        """Until something that a position does not tell: a new pile, a count, a chance."""
        game = self.game.copy()
        twin = Game.from_position(**game.position())
        assert twin.position() == game.position()
        lanes = game.record()["deck_kind"] == "lanes" and game.view().reshuffles == 0
        for _ in range(n_moves):
            if game.seat < 0 or differs_later(game):
                return
            assert twin.legal_moves() == game.legal_moves()
            move = self.rng.choice(game.legal_moves())
            if move == 36 and lanes:
                return
            number = game.round_number
            game.apply(move)
            twin.apply(move)
            if game.seat < 0 or game.round_number > number:
                assert twin.rounds[0].points == game.rounds[-1].points
                return
            assert {**twin.position(), "starter": 0} == {**game.position(), "starter": 0}

    @precondition(running)
    @rule(seed=SEEDS, number=st.integers(0, 9))
    def worlds_disturb_nothing(self, seed: int, number: int) -> None:
        seat = number % self.game.n_seats
        before = self.game.to_bytes()
        for world in (
            self.game.determinize(seed, seat),
            Game.from_view(self.game.view(seat), seed),
            self.game.copy(log=False),
        ):
            if world._has_log:
                assert world.view(seat) == self.game.view(seat)
            assert world.legal_moves() == self.game.legal_moves()
            assert all_cards(world) == all_cards(self.game)
            play_on(world, self.rng, 20)
        assert self.game.to_bytes() == before

    # What holds at all times

    @invariant()
    def both_are_in_the_same_state(self) -> None:
        if self.game.seat < 0:
            assert (self.game.phase, self.game.legal_moves()) == (Phase.OVER, [])
            assert self.whole.over
            assert self.game.places == tuple(self.whole.places or ())
            assert self.game.record()["end"] == self.whole.end
            return
        assert (self.game.seat, self.game.phase.name) == (self.reference.seat, self.reference.phase)
        assert self.game.legal_moves() == self.reference.legal_moves()
        assert self.game.round_number == self.whole.round_number
        assert self.reference.conserved()
        assert sorted(all_cards(self.game).elements()) == deck_cards(self.whole.rules)
        compare_views(self.game, self.reference, self.rng)

    @invariant()
    def copies_left_behind_stay(self) -> None:
        if self.left is not None:
            assert self.left[0].to_bytes() == self.left[1]


def differs_later(game: Game) -> bool:
    """Whether the next move may meet what a position leaves out.

    That is a new draw pile, the turns counted so far towards the stall rule or the cap, and chance
    between seats of equal sums.
    """
    rules, view = game.rules, game.view()
    stalls = rules.stall_limit is not None and view.stall_count + 1 >= rules.stall_limit
    capped = view.turn_number + 1 >= rules.max_turns_per_round
    chance = "random" in rules.start_tie and game.phase == Phase.FLIP
    return view.draw_pile_size < 2 or (stalls and not view.stalled) or capped or chance


QUICK: Any = {
    "derandomize": True,
    "database": None,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
}


class TestGame(GameMachine.TestCase):  # type: ignore[misc, valid-type]
    """Forty sequences of up to thirty steps."""

    settings = settings(max_examples=40, stateful_step_count=30, **QUICK)


@pytest.mark.slow
class TestGameAtLength(GameMachine.TestCase):  # type: ignore[misc, valid-type]
    """Six hundred sequences of up to eighty steps."""

    settings = settings(max_examples=600, stateful_step_count=80, **QUICK)
