# SPDX-License-Identifier: MIT
"""The engine in step with the slow reference: same rules, deck and moves, same everything."""

from __future__ import annotations

import random
from typing import Any

import pytest

from reference import ReferenceGame, ReferenceRound, check_record
from skyjo_core import HIDDEN, REMOVED, Game, Rules, View

# Each option of the classic game that the engine offers, in each of its values, and some together.
VARIANTS: dict[str, dict[str, Any]] = {
    "classic-fr": {},
    "classic-en": {"start_later": "closer"},
    "threshold-50": {"threshold": 50},
    "threshold-1": {"threshold": 1},
    "max-rounds-1": {"max_rounds": 1},
    "max-rounds-3": {"max_rounds": 3, "threshold": None},
    "start-first-seat": {"start_first": "seat"},
    "start-first-random": {"start_first": "random"},
    "tie-card-random": {"start_tie": "max_card_then_random"},
    "tie-seat": {"start_tie": "seat"},
    "tie-random": {"start_tie": "random"},
    "later-rotate": {"start_later": "rotate"},
    "later-winner": {"start_later": "previous_winner"},
    "later-random": {"start_later": "random"},
    "equal-turns": {"last_turns": "equal_turns"},
    "no-last-turns": {"last_turns": "none"},
    "double-off": {"double": "off"},
    "double-ties-ok": {"double": "ties_ok"},
    "double-strict-all": {"double": "strict_all"},
    "factor-3": {"double_factor": 3},
    "factor-1": {"double_factor": 1},
    "no-same-value-swap": {"forbid_same_value_swap": True},
    "stall-1": {"stall_limit": 1},
    "stall-5": {"stall_limit": 5},
    "stall-off": {"stall_limit": None, "max_turns_per_round": 300},
    "cap-7": {"max_turns_per_round": 7},
    "cap-40-closer": {"max_turns_per_round": 40, "start_later": "closer"},
    "guard-2": {"threshold": 100000, "max_rounds_guard": 2},
    "several": {
        "last_turns": "equal_turns",
        "forbid_same_value_swap": True,
        "stall_limit": 3,
        "double": "ties_ok",
        "start_later": "previous_winner",
        "start_tie": "random",
        "threshold": 60,
    },
}
STATES = {"down": HIDDEN, "gone": REMOVED}


def choose(rng: random.Random, legal: list[int], style: str) -> int:
    """Random moves; "swapper" prefers to exchange, so that rounds last, stall and reshuffle."""
    if style == "swapper" and rng.random() < 0.9:
        takes = [move for move in legal if 12 <= move < 24]
        if takes:
            return rng.choice(takes)
    if style == "drawer" and 36 in legal:
        return 36
    if style == "drawer" and rng.random() < 0.95:
        places = [move for move in legal if 24 <= move < 36]
        if places:
            return places[0]
    return rng.choice(legal)


def shown(reference: ReferenceRound, seat: int) -> tuple[int, ...]:
    return tuple(STATES.get(state, value) for value, state in reference.grids[seat])


def counts(pool: dict[int, int], rules: Rules) -> list[int]:
    return [pool.get(value, 0) for value in rules.values]


def compare_views(game: Game, reference: ReferenceRound, rng: random.Random) -> None:
    """One seat's view against what the reference says that this seat may know."""
    n = game.n_seats
    seat = rng.randrange(n)
    view = game.view(seat)
    assert view.seat == seat
    assert [view.cells(i) for i in range(n)] == [shown(reference, (seat + i) % n) for i in range(n)]
    pile, hidden, discard = reference.unseen_pools(seat)
    assert view.pile_counts.tolist() == counts(pile, game.rules)
    assert view.hidden_counts.tolist() == counts(hidden, game.rules)
    assert view.discard_counts.tolist() == counts(discard, game.rules)
    assert view.draw_pile_size == len(reference.draw)
    assert view.discard_top == reference.discard[-1]
    assert view.hand == (reference.hand if seat == reference.seat else None)
    check_public(view, reference)


def check_public(view: View, reference: ReferenceRound) -> None:
    n = view.n_seats

    def relative(absolute: int | None) -> int | None:
        return None if absolute is None else (absolute - view.seat) % n

    assert view.phase.name == reference.phase
    assert view.to_move == relative(reference.seat)
    assert view.starter == relative(reference.starter)
    assert view.closer == relative(reference.closer)
    left = reference.last_turns_left
    assert view.last_turns_left == (None if left is None else tuple(map(relative, left)))
    assert view.stalled == reference.stalled
    assert view.stall_count == reference.stall_count
    assert view.turn_number == reference.turns
    assert view.reshuffles == reference.reshuffles


def play_round(game: Game, reference: ReferenceRound, rng: random.Random, style: str) -> None:
    """One round in step; the engine deals the next one by itself."""
    number = game.round_number
    while game.seat >= 0 and game.round_number == number:
        legal = game.legal_moves()
        assert legal == reference.legal_moves()
        assert game.seat == reference.seat
        if rng.random() < 0.1:
            compare_views(game, reference, rng)
        step(game, reference, choose(rng, legal, style))
        assert reference.conserved()


def step(game: Game, reference: ReferenceRound, move: int) -> None:
    reshuffles = move == 36 and not reference.draw
    game.apply(move)
    pile = None
    if reshuffles:
        position = game.position()
        pile = [position["hand"], *position["draw"]]
    reference.apply(move, reshuffle=pile, random_choice=lambda _: starter_of(game))


def starter_of(game: Game) -> int:
    starter = game.position()["starter"]
    assert starter is not None
    return starter


def play_game(seats: int, rules: Rules, seed: int, style: str) -> Game:
    game = Game(seats, rules, seed)
    whole = ReferenceGame(rules.to_dict(), seats)
    rng = random.Random(seed)
    while not whole.over:
        deck = game.record()["rounds"][-1]["deck"]
        reference = whole.next_round(deck)
        n_finished = len(game.rounds)
        play_round(game, reference, rng, style)
        assert reference.phase == "OVER"
        whole.finish_round()
        result = game.rounds[n_finished]
        assert result.raw == tuple(reference.raw)
        assert result.points == tuple(reference.points)
        assert (result.closer, result.starter) == (reference.closer, reference.starter)
        assert (result.stalled, result.capped) == (reference.stalled, reference.capped)
        assert game.totals == tuple(whole.totals)
    assert game.seat == -1
    assert game.places == tuple(whole.places)
    assert game.record()["end"] == whole.end
    return game


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("style", ["even", "swapper", "drawer"])
def test_engine_plays_as_the_reference(variant: str, style: str) -> None:
    rules = Rules(**VARIANTS[variant])
    odd = 3 + list(VARIANTS).index(variant) % 5
    for seats in (2, odd, 8):
        game = play_game(seats, rules, seed=1000 + seats, style=style)
        assert check_record(game.record()) == []


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("style", ["even", "swapper", "drawer"])
def test_engine_plays_as_the_reference_in_many_games(variant: str, style: str) -> None:
    rules = Rules(**VARIANTS[variant])
    for seed in range(40):
        game = play_game(2 + seed % 7, rules, seed=seed, style=style)
        assert check_record(game.record()) == []


@pytest.mark.parametrize("seats", range(2, 9))
def test_lane_decks_play_as_the_reference_replays_them(seats: int, random_game: Any) -> None:
    for seed in range(5):
        assert check_record(random_game(seats, Rules(), seed, deck="lanes").record()) == []
