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
    "numbers105": {"deck": "numbers105"},
    "few-values": {"deck": [[0, 40], [1, 40], [5, 40], [12, 30]]},
    "odd-values": {"deck": [[-4, 30], [-3, 20], [0, 50], [13, 60]], "double": "strict_all"},
    "tight-deck": {"deck": [[-1, 9], [3, 9], [8, 9], [12, 8]], "columns": 2, "threshold": 60},
    "all-in-grids": {"deck": [[1, 20], [2, 20], [6, 9]], "max_rounds": 3},
    "3x3": {"rows": 3, "columns": 3, "initial_flips": 1},
    "2x2-rows": {"rows": 2, "columns": 2, "row_removal": True, "max_rounds": 4},
    "4x3-rows": {"rows": 4, "columns": 3, "row_removal": True},
    "6x2": {"rows": 6, "columns": 2},
    "1x5": {"rows": 1, "columns": 5, "row_removal": True, "max_rounds": 5},
    "12x1": {"rows": 12, "columns": 1},
    "1x1": {"rows": 1, "columns": 1, "initial_flips": 0, "max_rounds": 6},
    "2x1-emptied": {
        "rows": 2,
        "columns": 1,
        "deck": [[0, 60], [7, 60]],
        "max_rounds": 12,
        "start_tie": "random",
    },
    "flips-0": {"initial_flips": 0},
    "flips-3": {"initial_flips": 3, "deck": [[0, 60], [7, 60]]},
    "flips-12": {"initial_flips": 12},
    "flips-9-rows": {"initial_flips": 9, "row_removal": True, "deck": [[0, 60], [7, 60]]},
    "columns-differ": {"initial_flip_restriction": "different_columns"},
    "columns-differ-4": {"initial_flip_restriction": "different_columns", "initial_flips": 4},
    "columns-stay": {"column_removal": "off"},
    "columns-stay-rows-leave": {"column_removal": "off", "row_removal": True},
    "negative-columns-stay": {
        "column_removal": "not_negative",
        "deck": [[-2, 50], [-1, 50], [4, 50]],
        "max_rounds": 3,
    },
    "negative-columns-stay-rows-leave": {
        "column_removal": "not_negative",
        "row_removal": True,
        "deck": [[-2, 50], [-1, 50], [4, 50]],
        "max_rounds": 3,
    },
    "rows-leave": {"row_removal": True, "deck": [[2, 80], [3, 70]]},
    "reveal-own": {"reveal_timing": "after_own_last_turn"},
    "reveal-own-few-values": {
        "reveal_timing": "after_own_last_turn",
        "deck": [[2, 80], [3, 70]],
        "row_removal": True,
    },
    "all-then-flip": {"reshuffle": "all_then_flip"},
    "eager": {"reshuffle_timing": "eager"},
    "eager-all-then-flip": {"reshuffle_timing": "eager", "reshuffle": "all_then_flip"},
    "eager-tight": {
        "reshuffle_timing": "eager",
        "reshuffle": "all_then_flip",
        "columns": 2,
        "deck": [[-1, 9], [3, 9], [8, 9], [12, 24]],
    },
    "last-round": {"winner_tie": "last_round", "columns": 1, "threshold": 12},
    "playoff": {"winner_tie": "playoff", "columns": 1, "threshold": 12},
    "playoff-few-values": {
        "winner_tie": "playoff",
        "rows": 2,
        "columns": 1,
        "deck": [[1, 60], [2, 60]],
        "threshold": 5,
        "max_rounds_guard": 9,
    },
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
    """A move on both; new draw piles and chance starters are the engine's."""
    number = game.round_number
    game.apply(move)

    def of_round(key: str) -> Any:
        return game.record()["rounds"][number][key]

    reference.apply(
        move,
        reshuffle=lambda _: of_round("reshuffles")[reference.reshuffles],
        random_choice=lambda _: of_round("starter"),
    )


def play_game(seats: int, rules: Rules, seed: int, style: str) -> Game:
    game = Game(seats, rules, seed)
    whole = ReferenceGame(rules.to_dict(), seats)
    rng = random.Random(seed)
    while not whole.over:
        dealt = game.record()["rounds"][-1]
        reference = whole.next_round(dealt["deck"], dealt["starter"])
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


def seats_of(rules: Rules, number: int) -> int:
    """Each number of seats that can play, in turn."""
    return 2 + number % (rules.max_seats - 1)


STYLES = ("even", "swapper", "drawer")


def play_variant(variant: str, style: str, tables: slice) -> None:
    """A game each at some of the tables: at the most seats, at a number between, at two seats."""
    rules = Rules(**VARIANTS[variant])
    between = seats_of(rules, 1 + list(VARIANTS).index(variant) % 5)
    for seats in dict.fromkeys([rules.max_seats, between, 2][tables]):
        game = play_game(seats, rules, seed=1000 + seats, style=style)
        assert check_record(game.record()) == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_engine_plays_as_the_reference(variant: str) -> None:
    """Each variant in one of the styles and at one of the tables, which take turns."""
    number = list(VARIANTS).index(variant)
    table = number // 3 % 3
    play_variant(variant, STYLES[number % 3], slice(table, table + 1))


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_engine_plays_as_the_reference_in_every_style(variant: str) -> None:
    for style in STYLES:
        play_variant(variant, style, slice(3))


@pytest.mark.parametrize("seats", range(2, 9))
def test_lane_decks_play_as_the_reference_replays_them(seats: int, random_game: Any) -> None:
    for seed in range(5):
        assert check_record(random_game(seats, Rules(), seed, deck="lanes").record()) == []
