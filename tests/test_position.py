# SPDX-License-Identifier: MIT
"""Positions: what from_position takes, what position() gives, and that they fit (API 3)."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from case_runner import play_steps
from skyjo_core import Game, IllegalMove, Phase, Rules

A = "11 h9 h7 h8 / h4 h12 h0 h8 / h5 h7 h5 3"
B = "h-1 h11 h-1 h2 / h3 h3 h7 h-2 / h5 h12 4 3"
DOWN = "h1 h2 h3 h4 / h5 h6 h7 h8 / h9 h10 h11 h12"
PLAIN: dict[str, Any] = {"grids": [A, B], "draw": [8, 1], "discard": [6, 2]}
# Seat 0 has closed; seats 1 and 2 still play.
OPEN = "1 2 3 0 / 0 2 1 4 / 0 5 -1 6"
CLOSED: dict[str, Any] = {"grids": [OPEN, A, B], "draw": [8, 1, 2], "discard": [6], "closer": 0}


# Reading


def test_position_has_defaults() -> None:
    """Grids, draw and discard are enough: seat 0 started and is to move (cases/README.md)."""
    assert Game.from_position(**PLAIN).position() == {
        "grids": [A, B],
        "draw": [8, 1],
        "discard": [6, 2],
        "hand": None,
        "turn": 0,
        "starter": 0,
        "closer": None,
        "last_turns_left": None,
        "reshuffles": [],
        "stalled": False,
        "totals": [0, 0],
        "phase": "TURN",
        "rules": Rules(),
    }


def test_position_takes_names_and_texts() -> None:
    """Players by name or seat, cards as text or int, rules as dict or Rules: the same position."""
    by_name = Game.from_position(
        grids={"Lea": OPEN, "Tom": A, "Ines": B},
        draw=["8", "1"],
        discard=["6", "-2"],
        hand="12",
        turn="Ines",
        starter="Tom",
        closer="Lea",
        last_turns_left=["Ines"],
        reshuffles=[["6"]],
        stalled=True,
        totals={"Ines": 7, "Lea": 5, "Tom": -6},
        phase="HOLD",
        rules={"threshold": 50},
    )
    by_seat = Game.from_position(
        grids=[OPEN, A, B],
        draw=[8, 1],
        discard=[6, -2],
        hand=12,
        turn=2,
        starter=1,
        closer=0,
        last_turns_left=[2],
        reshuffles=[[6]],
        stalled=True,
        totals=[5, -6, 7],
        phase=Phase.HOLD,
        rules=Rules(threshold=50),
    )
    assert by_name.position() == by_seat.position()
    assert by_name.position()["totals"] == [5, -6, 7]
    assert by_name.position()["turn"] == 2
    assert by_name.position()["rules"] == Rules(threshold=50)


def test_position_spaces_are_free() -> None:
    """Blanks between cells and around the slashes do not count."""
    spaced = A.replace(" / ", "/").replace(" ", "   ")
    assert Game.from_position(**{**PLAIN, "grids": [spaced, B]}).position()["grids"] == [A, B]


def test_hand_makes_the_phase_hold() -> None:
    """With a hand the default phase is HOLD, and the card is placed or rejected."""
    game = Game.from_position(**PLAIN, hand=5)
    assert game.phase == Phase.HOLD
    assert 36 not in game.legal_moves()
    game.apply(24)
    assert game.position()["discard"] == [6, 2, 11]
    assert game.position()["grids"][0].startswith("5 h9")


@pytest.mark.parametrize(("turn", "left"), [(1, [1, 2]), (2, [2])])
def test_closer_leaves_the_players_from_turn_on(turn: int, left: list[int]) -> None:
    """Without last_turns_left the players from `turn` up to the one before the closer play."""
    game = Game.from_position(**CLOSED, turn=turn)
    assert game.position()["last_turns_left"] == left
    assert game.view().last_turns_left == tuple(range(len(left)))


def test_default_last_turns_go_round_the_table() -> None:
    """Seat 1 closed, seat 2 is to play: then seat 0, and nobody more."""
    game = Game.from_position(grids=[A, OPEN, B], draw=[8, 1], discard=[6], closer=1, turn=2)
    assert game.position()["last_turns_left"] == [2, 0]


def test_position_needs_no_deck() -> None:
    """Counts need not fit a deck, and what play cannot reach is taken where it can be played."""
    twelves = " / ".join(["12 12 12 12"] * 3)
    game = Game.from_position(grids=[twelves, twelves], draw=[-2] * 30, discard=[0])
    play_steps(game, ["A", "B"], ["A draw", "A place r1c1"])
    # The three columns that are whole leave, the fourth is broken by the -2.
    assert game.position()["grids"][0] == "-2 . . . / 12 . . . / 12 . . ."
    assert game.position()["closer"] == 0


def test_stalled_position_is_bound_by_the_stall_rule() -> None:
    """Only moves that use up a hidden card are legal, until a seat has none (A.12)."""
    grids = ["11 h9 0 . / 2 5 1 . / 3 1 2 .", B]
    game = Game.from_position(grids=grids, draw=[12], discard=[6], stalled=True)
    assert game.legal_moves() == [12 + 3, 36]
    game.apply(36)
    assert game.legal_moves() == [3, 24 + 3]


def test_stall_count_goes_on_through_the_last_turns() -> None:
    """Turns of all seats are counted together, last turns included (A.12): here two of two."""
    rules = Rules(stall_limit=2)
    game = Game.from_position(
        grids=[OPEN, A, B, A], draw=[12], discard=[6], closer=0, turn=1, rules=rules
    )
    play_steps(game, "ABCD", ["B take r1c1"])
    assert not game.view().stalled
    play_steps(game, "ABCD", ["C take r3c4"])
    assert game.view().stalled
    assert game.legal_moves() == [*(12 + cell for cell in range(1, 11)), 36]
    play_steps(game, "ABCD", ["D take r1c2"])
    assert game.rounds[0].stalled


def test_stall_rule_does_not_bind_a_seat_without_hidden_cards() -> None:
    """In its last turn a seat whose cards are all open may exchange any of them (A.12)."""
    game = Game.from_position(
        grids=[OPEN, OPEN, B], draw=[12], discard=[6], stalled=True, closer=0, turn=1
    )
    assert game.legal_moves() == [*range(12, 24), 36]
    game.apply(36)
    assert game.legal_moves() == list(range(24, 36))
    game.apply(24)
    hidden = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10]
    assert game.legal_moves() == [*(12 + cell for cell in hidden), 36]


def test_given_reshuffles_are_used_in_turn() -> None:
    """Each new draw pile lies as given; what is left of the list shows in position()."""
    game = Game.from_position(
        grids=[A, B], draw=[], discard=[4, 9, 1, 7], reshuffles=[[9, 1, 4], [7, 11]]
    )
    play_steps(game, ["A", "B"], ["A draw"])
    assert game.position()["hand"] == 9
    assert game.position()["draw"] == [1, 4]
    assert game.position()["discard"] == [7]
    assert game.position()["reshuffles"] == [[7, 11]]
    play_steps(game, ["A", "B"], ["A place r1c1", "B take r1c1", "A draw", "A place r1c1"])
    assert game.position()["discard"] == [7, -1, 9]


def test_reshuffle_of_other_cards_is_refused() -> None:
    """A given pile must be made of the discards without the top one."""
    game = Game.from_position(grids=[A, B], draw=[], discard=[4, 9, 7], reshuffles=[[9, 7]])
    before = game.position()
    with pytest.raises(ValueError, match="the discards without the top one"):
        game.apply(36)
    assert game.position() == before


def test_reshuffle_of_another_size_is_refused() -> None:
    """With the right cards and others."""
    for pile in ([7] * 200 + [5] * 3, [5, 5, 5, 7], [5, 5]):
        game = Game.from_position(
            grids=["h1 h2 h3 1 / h4 h5 h6 2 / h7 h8 h9 3"] * 2,
            draw=[],
            discard=[5, 5, 5, 4],
            reshuffles=[pile],
        )
        with pytest.raises(ValueError, match="the discards without the top one"):
            game.apply(36)


# What is refused


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"grids": [A]}, "grids: expected 2 to 10 grids"),
        ({"grids": A}, "grids: expected 2 to 10 grids"),
        ({"grids": None}, "grids: expected 2 to 10 grids"),
        ({"grids": [A, "1 2 3 / 4 5 6 / 7 8 9"]}, "grids: expected 3 rows of 4 cells"),
        ({"grids": [A, B + " / 1 2 3 4"]}, "grids: expected 3 rows of 4 cells"),
        ({"grids": [A, B.replace("h11", "h13")]}, "grids: expected cards from -2 to 12, got '13'"),
        ({"grids": [A, B.replace("h11", "?")]}, "grids: expected cards from -2 to 12, got '?'"),
        ({"grids": [A, B.replace("h11", "hh1")]}, "grids: expected cards from -2 to 12"),
        ({"draw": [-3]}, "draw: expected cards from -2 to 12, got -3"),
        ({"draw": ["x"]}, "draw: expected cards from -2 to 12, got 'x'"),
        ({"draw": [True]}, "draw: expected cards from -2 to 12, got True"),
        ({"draw": [1.0]}, "draw: expected cards from -2 to 12, got 1.0"),
        ({"draw": "12"}, "draw: expected a list of cards, got '12'"),
        ({"draw": 5}, "draw: expected a list of cards, got 5"),
        ({"discard": [126]}, "discard: expected cards from -2 to 12"),
        ({"hand": 13}, "hand: expected cards from -2 to 12"),
        ({"turn": 2}, "turn: expected one of the players (seats 0 to 1), got 2"),
        ({"turn": -1}, "turn: expected one of the players"),
        ({"turn": "A"}, "turn: expected one of the players"),
        ({"turn": True}, "turn: expected one of the players"),
        ({"starter": 5}, "starter: expected one of the players"),
        ({"closer": 9}, "closer: expected one of the players"),
        ({"last_turns_left": [1]}, "last_turns_left: expected none without a closer"),
        ({"totals": [1]}, "totals: expected a whole number for each seat"),
        ({"totals": [1, 2.5]}, "totals: expected a whole number for each seat"),
        ({"phase": "OVER"}, "phase: expected FLIP, TURN or HOLD"),
        ({"phase": "turn"}, "phase: expected FLIP, TURN or HOLD"),
        ({"phase": "HOLD"}, "phase: expected HOLD with a hand"),
        ({"phase": "TURN", "hand": 3}, "phase: expected HOLD with a hand"),
        ({"phase": "FLIP"}, "phase: expected seat 1 to have opening flips left"),
        ({"rules": "classic-fr"}, "rules: expected Rules or a dict"),
        ({"rules": {"treshold": 1}}, "no field 'treshold', nearest: threshold"),
        ({"draw": [], "discard": []}, "expected a card to take or to draw, got empty piles"),
        ({"draw": [1] * 240}, "expected at most 240 cards, got 266"),
        ({"draw": [9] * 124}, "expected at most 120 cards of a value, got"),
        ({"grids": [". . . . / . . . . / . . . .", A], "hand": 3}, "a card in the grid of seat 0"),
        ({"discards": [3]}, "no key 'discards'"),
        ({"draw": ["\u0661"]}, "draw: expected cards from -2 to 12"),
        ({"totals": 5}, "totals: expected a whole number for each seat, got 5"),
        ({"totals": [True, 1]}, "totals: expected a whole number for each seat"),
        ({"reshuffles": 5}, "reshuffles: expected"),
        ({"reshuffles": [[1] * 241]}, "reshuffles: expected at most 240 cards, got 241"),
        ({"reshuffles": [[1]] * 1001}, "reshuffles: expected at most 1000 items, got 1001"),
        ({"reshuffled": -1}, "reshuffled: expected how often"),
        ({"reshuffled": True}, "reshuffled: expected how often"),
        ({"phase": True}, "phase: expected FLIP, TURN or HOLD, got True"),
        ({"draw": b"\x05"}, "draw: expected a list of cards"),
        ({"grids": [DOWN] * 2, "phase": "FLIP", "closer": 1}, "closer: expected none during the"),
        ({"grids": [DOWN] * 2, "phase": "FLIP", "draw": [], "discard": []}, "got empty piles"),
        ({"stalled": "no"}, "stalled: expected"),
    ],
)
def test_wrong_position_is_refused(change: dict[str, Any], message: str) -> None:
    """Each fault has a message with the key, what was expected and what came."""
    with pytest.raises(ValueError, match=re.escape(message)):
        Game.from_position(**{**PLAIN, **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turn": 0}, "turn: expected the first of last_turns_left"),
        ({"turn": 2, "last_turns_left": [1, 2]}, "turn: expected the first of last_turns_left"),
        ({"turn": 1, "last_turns_left": []}, "turn: expected the first of last_turns_left"),
        ({"turn": 1, "last_turns_left": [1, 1]}, "last_turns_left: expected each seat once"),
        ({"turn": 1, "last_turns_left": [1, 0]}, "last_turns_left: expected each seat once"),
        ({"turn": 1, "last_turns_left": [1, 7]}, "last_turns_left: expected one of the players"),
        ({"turn": 1, "last_turns_left": 5}, "last_turns_left: expected"),
    ],
)
def test_wrong_last_turns_are_refused(change: dict[str, Any], message: str) -> None:
    """After a closing the next of the last turns is to move, and the closer has none."""
    with pytest.raises(ValueError, match="position: ") as caught:
        Game.from_position(**{**CLOSED, **change})
    assert message in str(caught.value)


def test_every_fault_of_a_position_is_named_at_once() -> None:
    """One message holds them all (convention 50)."""
    with pytest.raises(ValueError, match="position: ") as caught:
        Game.from_position(grids=[A, B], draw=["x"], discard=[99], turn=5, sum=1, hand=-7)
    for part in ("no key 'sum'", "draw: ", "discard: ", "turn: ", "hand: "):
        assert part in str(caught.value)


def test_empty_grid_of_a_seat_without_a_turn_is_taken() -> None:
    """A closer whose grid is empty is never asked for a move, so the position can be played."""
    empty = ". . . . / . . . . / . . . ."
    game = Game.from_position(grids=[empty, A], draw=[5], discard=[9], closer=0, turn=1)
    play_steps(game, ["A", "B"], ["B take r1c1"])
    assert game.phase == Phase.OVER
    assert game.rounds[0].raw[0] == 0


# Writing: position() and from_position are inverse


def rebuilt(game: Game) -> Game:
    return Game.from_position(**game.position())


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_position_is_taken_back_at_every_move(seats: int) -> None:
    """The position of every state of seeded rounds gives itself again, and the same moves."""
    rng = random.Random(seats)
    rules = Rules(max_rounds=2, stall_limit=20)
    game = Game(seats, rules, seats)
    while game.seat >= 0:
        twin = rebuilt(game)
        assert twin.legal_moves() == game.legal_moves()
        assert twin.position() == game.position()
        game.apply(rng.choice(game.legal_moves()))


def test_rebuilt_position_plays_on_as_the_game() -> None:
    """Until a reshuffle the rest of the round is the same: cards, turns, closing, points."""
    rng = random.Random(1)
    for seed in range(6):
        game = Game(3, Rules(max_rounds=1), seed)
        for _ in range(20):
            game.apply(rng.choice(game.legal_moves()))
        twin = rebuilt(game)
        while game.seat >= 0 and game.view(0).reshuffles == 0:
            assert (twin.seat, twin.phase) == (game.seat, game.phase)
            assert twin.position() == game.position()
            number = rng.choice(game.legal_moves())
            game.apply(number)
            twin.apply(number)
        if game.seat < 0:
            assert twin.rounds[0].raw == game.rounds[0].raw
            assert twin.rounds[0].points == game.rounds[0].points
            assert twin.rounds[0].closer == game.rounds[0].closer


def test_opening_position_has_no_starter() -> None:
    """During the opening flips nobody has started: the rebuilt game shows what the game shows."""
    game = Game(3, seed=5)
    assert game.view().starter is None
    twin = rebuilt(game)
    assert twin.view().starter is None
    assert twin.position() == game.position()
    assert twin.view() == game.view()


def test_opening_position_keeps_the_rule_of_the_starter() -> None:
    """With start_first seat the flips end with seat 0 on turn, in the rebuilt game too."""
    for seed in range(6):
        twin = rebuilt(Game(3, Rules(start_first="seat"), seed))
        for number in (0, 1) * 3:
            twin.apply(number)
        assert (twin.phase, twin.seat) == (Phase.TURN, 0)


@pytest.mark.parametrize("start_first", ["highest_sum", "random", "seat"])
@pytest.mark.parametrize(
    "start_later", ["highest_sum", "closer", "rotate", "previous_winner", "random"]
)
def test_opening_position_of_any_round_keeps_its_starter(
    start_first: str, start_later: str
) -> None:
    """Taken in the opening flips of each round, the position leads to the game's own starter."""
    rules = Rules(start_first=start_first, start_later=start_later, threshold=None, max_rounds=3)
    rng = random.Random(1)
    n_checked = 0
    for seed in range(6):
        game = Game(3, rules, seed)
        while game.seat >= 0:
            twin = rebuilt(game) if game.phase == Phase.FLIP and game.seat == 0 else None
            while twin is not None and game.phase == Phase.FLIP:
                twin.apply(game.legal_moves()[0])
                game.apply(game.legal_moves()[0])
            if twin is not None:
                n_checked += 1
                assert (twin.seat, twin.position()) == (game.seat, game.position())
            game.apply(rng.choice(game.legal_moves()))
    assert n_checked == 18


def test_opening_position_may_leave_the_start_to_chance() -> None:
    """start_first = random: any seat, the highest sum or not; the same position, the same seat."""
    starters = set()
    for value in range(-2, 13):
        grid = f"h{value} h0 h0 h0 / h0 h1 h0 h0 / h0 h0 h0 h0"
        game = Game.from_position(
            grids=[grid] * 5,
            draw=[],
            discard=[1],
            phase="FLIP",
            rules=Rules(start_first="random"),
        )
        game = game.determinize(value + 2, 0)
        for _ in range(10):
            game.apply(game.legal_moves()[0])
        starters.add(game.seat)
    assert len(starters) > 2


def test_opening_position_takes_a_starter() -> None:
    """A starter that is named starts, whatever the cards; the views do not tell before."""
    grids = [
        "h1 h2 h3 h4 / h5 h6 h7 h8 / h9 h10 h11 h12",
        "h0 h0 h0 h0 / h0 h1 h0 h0 / h0 h0 h2 h0",
    ]
    game = Game.from_position(grids=grids, draw=[1], discard=[2], starter=1, phase="FLIP")
    assert game.view().starter is None
    play_steps(game, "AB", ["A flip r3c4", "A flip r3c3", "B flip r1c1", "B flip r1c2"])
    assert (game.phase, game.seat, game.view().starter) == (Phase.TURN, 1, 0)


def test_opening_position_finds_the_highest_sum() -> None:
    """Flips are played on, then the highest sum starts: 3 + 4, 12 - 2 and 5 + 6; seat 2 has 11."""
    grids = [
        "3 4 h0 h0 / h0 h0 h0 h0 / h0 h0 h0 h0",
        "12 h-2 h0 h0 / h0 h0 h0 h0 / h0 h0 h0 h0",
        "h5 h6 h0 h0 / h0 h0 h0 h0 / h0 h0 h0 h0",
    ]
    game = Game.from_position(grids=grids, draw=[1], discard=[2], turn=1, phase="FLIP")
    assert game.legal_moves() == [cell for cell in range(12) if cell != 0]
    play_steps(game, "ABC", ["B flip r1c2", "C flip r1c1", "C flip r1c2"])
    assert (game.phase, game.seat) == (Phase.TURN, 2)
    assert game.position()["starter"] == 2


# How such a game ends


def test_game_from_a_position_ends_with_its_round() -> None:
    """Phase OVER, seat -1, grids as scored, totals with the points, places; no record (API 3).

    A closed, B takes the 6 for its 11. A: 1+2+3+0 + 0+2+1+4 + 0+5-1+6 = 23, lower than
    B: 6+9+7+8 + 4+12+0+8 + 5+7+5+3 = 74, so A is not doubled.
    """
    game = Game.from_position(
        grids=[OPEN, A], draw=[8], discard=[6], closer=0, turn=1, totals=[90, 50]
    )
    play_steps(game, "AB", ["B take r1c1"])
    assert (game.phase, game.seat, game.legal_moves()) == (Phase.OVER, -1, [])
    position = game.position()
    assert position["phase"] == "OVER"
    assert position["turn"] is None
    assert position["grids"] == [OPEN, "6 9 7 8 / 4 12 0 8 / 5 7 5 3"]
    assert len(game.rounds) == 1
    assert game.rounds[0].raw == game.rounds[0].points == (23, 74)
    assert game.totals == (113, 124)
    assert game.places == (1, 2)
    with pytest.raises(ValueError, match="record: expected a game with its deal"):
        game.record()
    with pytest.raises(IllegalMove):
        game.apply(36)


def test_record_of_a_running_position_is_refused() -> None:
    """Its deck is not known, so there is no record at any time."""
    with pytest.raises(ValueError, match="record: "):
        Game.from_position(**PLAIN).record()


def test_position_below_the_threshold_ends_all_the_same() -> None:
    """The game from a position is one round, whatever the rules' threshold says."""
    game = Game.from_position(
        grids=[OPEN, A], draw=[8], discard=[6], closer=0, turn=1, rules=Rules(threshold=100000)
    )
    game.apply(12)
    assert game.seat == -1
    assert game.places is not None


def test_position_dict_is_fresh() -> None:
    """Changing what position() gave changes nothing in the game."""
    game = Game.from_position(**PLAIN)
    position = game.position()
    position["draw"].clear()
    position["grids"][0] = "x"
    position["totals"][0] = 99
    assert game.position() == Game.from_position(**PLAIN).position()
