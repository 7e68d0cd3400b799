# SPDX-License-Identifier: MIT
"""What goes wrong in Skyjo programs (PITFALLS.md): each fault seen in the wild is a test here.

P36 and P37 have most of their tests in test_view.py, P38 and P39 in test_rng.py. Expected values
are worked out by hand. Grids are written column after column, each from the top, as in the list.
"""

from __future__ import annotations

import pickle
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from case_runner import play_steps
from skyjo_core import (
    HIDDEN,
    REMOVED,
    Game,
    IllegalMove,
    Phase,
    Round,
    Rules,
    View,
    _core,
    play_game,
)

DOWN = "h1 h2 h3"  # a column face down, worth 6


def grid(*columns: str) -> str:
    """The text of a grid from its columns."""
    words = [column.split() for column in columns]
    return " / ".join(" ".join(column[row] for column in words) for row in range(3))


def worth(total: int) -> str:
    """A grid of open cards with this sum and no equal column: -8..48."""
    cards = [[0, 1, -1] for _ in range(4)]
    for column in cards:
        step = max(-2, min(12, total))
        column[0] += step
        total -= step
    assert total == 0
    return grid(*(" ".join(map(str, column)) for column in cards))


def finished(grids: Sequence[str], closer: int, totals: Sequence[int] | None = None) -> Game:
    """The game after a last turn that changes nothing: the last seat takes the equal of r1c1."""
    last = (closer - 1) % len(grids)
    game = Game.from_position(
        grids=list(grids),
        draw=[],
        discard=[grids[last].split()[0].removeprefix("h")],
        closer=closer,
        turn=last,
        totals=totals,
    )
    game.apply(12)
    assert game.phase == Phase.OVER
    return game


def scored(grids: Sequence[str], closer: int) -> Round:
    return finished(grids, closer).rounds[0]


def cards_of(grid_text: str) -> list[int]:
    words = grid_text.replace("/", " ").split()
    return [int(word.removeprefix("h")) for word in words if word != "."]


# Scoring


def test_p01_tie_with_the_closer_doubles_it() -> None:
    """P0 ends with 8, P1 has 8: 16 and 8."""
    assert scored([worth(8), worth(8)], closer=0).points == (16, 8)


@pytest.mark.parametrize(("own", "other"), [(-3, -5), (0, -1), (-1, -1), (0, 0)])
def test_p02_negative_or_zero_total_is_not_doubled(own: int, other: int) -> None:
    """P0 ends at -3, P1 at -5: -3 and -5. P0 0, P1 -1: 0 and -1."""
    assert scored([worth(own), worth(other)], closer=0).points == (own, other)


@pytest.mark.parametrize(
    ("totals", "closer"),
    [((20, 5), 1), ((20, 30, 5), 2), ((20, 5, 30), 1), ((5, 20, 30), 0)],
)
def test_p03_closer_is_not_compared_with_itself(totals: tuple[int, ...], closer: int) -> None:
    """Ender in seat 1 of 2 or seat 2 of 3 with 5 against 20 and 30: 5, not 10."""
    assert scored([worth(total) for total in totals], closer).points == totals


def test_p04_penalty_hits_the_closer() -> None:
    """P1 ends with 15, others 9 and 20: 9, 30, 20."""
    assert scored([worth(9), worth(15), worth(20)], closer=1).points == (9, 30, 20)


def test_p05_later_finisher_is_not_the_closer() -> None:
    """P0 ends with 10; P1's last turn opens its last card (12); P2 11: 10, 12, 11.

    P0: 4+0-1+3+1-1+2+1+1+0-1+1 = 10. P1: 5+0-1+3+1-1+1+1-1+0+2+2 = 12. P2: 11.
    """
    grids = [
        grid("4 0 -1", "3 1 -1", "2 1 1", "0 -1 h1"),
        grid("5 0 -1", "3 1 -1", "1 1 -1", "0 2 h2"),
        worth(11),
    ]
    game = Game.from_position(grids=grids, draw=[12, 11], discard=[9])
    play_steps(game, "ABC", ["A draw", "A flip r3c4", "B draw", "B flip r3c4"])
    assert game.position()["closer"] == 0
    assert game.position()["last_turns_left"] == [2]
    play_steps(game, "ABC", ["C take r1c1"])  # the rejected 11 for its own 11
    assert game.rounds[0].closer == 0
    assert game.rounds[0].raw == (10, 12, 11)
    assert game.rounds[0].points == (10, 12, 11)


def test_p06_columns_that_match_at_the_reveal_leave() -> None:
    """`[12 ?12 ?12]` and 15 elsewhere: 15 (4+5+6 = 15, 0)."""
    other = grid("12 h12 h12", "4 5 6", "1 h-1 0", "0 2 -2")
    result = scored([worth(3), other], closer=0)
    assert result.raw == (3, 15)
    assert result.points == (3, 15)


def test_p07_doubling_is_decided_after_the_final_removals() -> None:
    """P0 ends with 20, P1 shows 30 of which `[4 ?4 ?4]` leaves: 18; so P0 40."""
    other = grid("4 h4 h4", "5 6 7", "1 h-1 0", "0 2 -2")
    assert sum(cards_of(other)) == 30
    result = scored([worth(20), other], closer=0)
    assert result.raw == (20, 18)
    assert result.points == (40, 18)


def test_p08_cards_face_down_are_counted() -> None:
    """All twelve are turned up and counted: 1+...+9 + 10+11+12 = 78."""
    other = grid("h1 h2 h3", "h4 h5 h6", "h7 h8 h9", "h10 h11 h12")
    result = scored([worth(3), other], closer=0)
    assert result.points == (3, 78)
    assert result.grids[1].tolist() == [[1, 4, 7, 10], [2, 5, 8, 11], [3, 6, 9, 12]]


def test_p09_threshold_itself_ends_the_game() -> None:
    """100 ends it; 99 does not; the game of a bot that scores exactly that shows it."""
    for points, end in (([9, 4], None), ([10, 9], "threshold")):
        sheet = _core.ScoreSheet(Rules()._setup, [90, 60], n_rounds=3)
        sheet.add(points)
        assert sheet.end == end
    highest = max(lowest_moves(Rules(max_rounds=1)).totals)
    assert highest > 0
    for threshold, n_rounds in ((highest, 1), (highest + 1, 2)):
        game = lowest_moves(Rules(threshold=threshold, max_rounds=2))
        assert len(game.rounds) == n_rounds


def lowest_moves(rules: Rules) -> Game:
    """A game in which everybody plays the lowest legal move."""
    game = Game(2, rules, 3)
    while game.seat >= 0:
        game.apply(game.legal_moves()[0])
    return game


def test_p10_equal_totals_share_the_place() -> None:
    """44 + 5 = 40 + 9 = 49: both are first; the next after two is third."""
    assert finished([worth(5), worth(9)], closer=0, totals=[44, 40]).places == (1, 1)
    game = finished([worth(5), worth(9), worth(20)], closer=0, totals=[44, 40, 40])
    assert game.totals == (49, 49, 60)
    assert game.places == (1, 1, 3)


# Last turns


def movers_after_closing(closer: int, seats: int, rules: Rules | None = None) -> list[int]:
    """Who plays after this seat has closed, turn by turn, to the end of the round."""
    up = grid("1 2 3", "0 0 2", "1 4 0", "5 -1 h6")
    down = grid("h8 h4 h0", "h11 h6 h7", "h12 h2 4", "h0 h3 3")
    game = Game.from_position(
        grids=[up if seat == closer else down for seat in range(seats)],
        draw=[9] * 20,
        discard=[10],
        turn=closer,
        starter=0,
        rules=rules,
    )
    game.apply(36)
    game.apply(24 + 11)
    movers = []
    while game.seat >= 0:
        movers.append(game.seat)
        game.apply(12)
    assert game.rounds[0].closer == closer
    return movers


def test_p11_every_other_seat_has_one_last_turn() -> None:
    """3 seats, P0 ends: P1 and P2 once each."""
    assert movers_after_closing(0, 3) == [1, 2]
    assert movers_after_closing(0, 2) == [1]


def test_p12_last_lap_does_not_end_at_seat_0() -> None:
    """P1 of 3 ends: P2, then P0, then stop; and so for every seat of every table."""
    assert movers_after_closing(1, 3) == [2, 0]
    for seats in range(2, 9):
        for closer in range(seats):
            expected = [(closer + i) % seats for i in range(1, seats)]
            assert movers_after_closing(closer, seats) == expected


def test_p12_other_last_turns_play_as_their_option_says() -> None:
    """equal_turns: those between the closer and the starter (seat 0); none: nobody."""
    equal, none = Rules(last_turns="equal_turns"), Rules(last_turns="none")
    assert movers_after_closing(1, 4, equal) == [2, 3]
    assert movers_after_closing(3, 4, equal) == []
    assert movers_after_closing(0, 4, equal) == [1, 2, 3]
    for closer in range(4):
        assert movers_after_closing(closer, 4, none) == []


def test_p13_removal_of_the_last_hidden_card_closes() -> None:
    """`-- -- [1 2 3] [7 7 ?4]`, a 7 put on the 4: discard 4 7 7 7, closed with 6."""
    own = grid(". . .", ". . .", "1 2 3", "7 7 h4")
    for steps in (["A take r3c4"], ["A draw", "A place r3c4"]):
        game = Game.from_position(grids=[own, worth(20)], draw=[7], discard=[7])
        play_steps(game, "AB", steps)
        position = game.position()
        assert position["closer"] == 0
        assert position["grids"][0] == grid(". . .", ". . .", "1 2 3", ". . .")
        below = [] if len(steps) == 1 else [7]
        assert position["discard"] == [*below, 4, 7, 7, 7]
        assert (game.seat, position["last_turns_left"]) == (1, [1])
        play_steps(game, "AB", ["B take r1c1"])
        assert game.rounds[0].raw[0] == game.rounds[0].points[0] == 6


def test_p13_empty_grid_closes_with_zero_and_is_not_asked() -> None:
    """The last column leaves: 0 points, one last turn for each other seat, none for the closer."""
    own = grid(". . .", ". . .", ". . .", "6 h6 6")
    grids = [worth(20), own, worth(-3)]
    game = Game.from_position(grids=grids, draw=[3], discard=[9], turn=1)
    play_steps(game, "ABC", ["B draw", "B flip r2c4"])
    assert game.position()["closer"] == 1
    movers = []
    while game.seat >= 0:
        movers.append(game.seat)
        assert game.legal_moves()
        game.apply(12)
    assert movers == [2, 0]
    assert game.rounds[0].points[1] == 0
    assert set(game.view(1).cells(0)) == {REMOVED}


def test_p13_grid_emptied_in_a_last_turn_ends_with_zero() -> None:
    """The seat is no closer, and the round goes on to the seats that are left."""
    own = grid(". . .", ". . .", ". . .", "6 h6 6")
    game = Game.from_position(
        grids=[own, worth(20), worth(5)], draw=[3], discard=[9], closer=2, turn=0
    )
    play_steps(game, "ABC", ["A draw", "A flip r2c4"])
    assert (game.seat, game.position()["closer"]) == (1, 2)
    play_steps(game, "ABC", ["B take r1c1"])
    assert game.rounds[0].raw[0] == 0
    # The closer's 5 is not the lowest: 10.
    assert game.rounds[0].points[2] == 10


def test_p14_cards_stay_down_until_the_end() -> None:
    """After a seat's own last turn its hidden cards are still hidden, its columns still there."""
    down = grid("7 h7 h7", "h11 h6 h7", "h12 h2 4", "h0 h3 3")
    game = Game.from_position(
        grids=[worth(4), down, down], draw=[5], discard=[12], closer=0, turn=1
    )
    play_steps(game, "ABC", ["B take r1c4"])
    view = game.view(2)
    assert view.to_move == 0
    assert view.cells(2) == (7, *[HIDDEN] * 7, 4, 12, HIDDEN, 3)
    assert view.discard_top == 0
    play_steps(game, "ABC", ["C draw", "C flip r2c1"])
    assert HIDDEN not in game.view(2).cells(2)
    assert game.view(2).cells(2)[:3] == (REMOVED,) * 3


# Columns and the discard pile


def test_p15_one_seat_removes_several_columns() -> None:
    """Three columns leave one after the other, in one round of one seat."""
    own = grid("7 7 h1", "5 5 h2", "-2 -2 h3", "h9 h4 8")
    game = Game.from_position(grids=[own, grid(*[DOWN] * 4)], draw=[7, 5, -2], discard=[10])
    for column in range(3):
        play_steps(game, "AB", ["A draw", f"A place r3c{column + 1}"])
        assert game.view(0).cells(0)[: 3 * column + 3] == (REMOVED,) * (3 * column + 3)
        play_steps(game, "AB", ["B take r1c1"])
    assert game.position()["grids"][0] == grid(*[". . ."] * 3, "h9 h4 8")


def test_p15_one_move_cannot_complete_two_columns_but_both_leave() -> None:
    """A column that stood complete in a given position leaves with the one just completed."""
    own = grid("7 7 h1", "h1 h2 h3", "5 5 5", "h9 h4 8")
    game = Game.from_position(grids=[own, grid(*[DOWN] * 4)], draw=[], discard=[3, 7])
    play_steps(game, "AB", ["A take r3c1"])
    assert game.position()["grids"][0] == grid(". . .", "h1 h2 h3", ". . .", "h9 h4 8")
    assert game.position()["discard"] == [3, 1, 7, 7, 7, 5, 5, 5]


def test_p16_removed_cards_go_on_the_discard_pile() -> None:
    """A whole deck is 150 cards before and after a removal, code by code."""
    deck = Game(2).record()["rounds"][0]["deck"]
    for card in (7, 7, 7, 1):
        deck.remove(card)
    own = grid("7 7 h1", *[f"h{deck.pop()} h{deck.pop()} h{deck.pop()}" for _ in range(3)])
    other = grid(*[f"h{deck.pop()} h{deck.pop()} h{deck.pop()}" for _ in range(4)])
    game = Game.from_position(grids=[own, other], draw=deck, discard=[7])
    assert len(all_cards(game)) == 150
    before = Counter(all_cards(game))
    play_steps(game, "AB", ["A take r3c1"])
    assert game.position()["discard"] == [1, 7, 7, 7]
    assert Counter(all_cards(game)) == before


def all_cards(game: Game) -> list[int]:
    position = game.position()
    in_grids = [card for text in position["grids"] for card in cards_of(text)]
    return [*in_grids, *position["draw"], *position["discard"]]


def test_p16_removed_cells_are_no_zeros() -> None:
    """They show REMOVED, and each of the three cards is on the pile once."""
    own = grid("7 7 h1", DOWN, DOWN, DOWN)
    game = Game.from_position(grids=[own, grid(*[DOWN] * 4)], draw=[], discard=[3, 7])
    play_steps(game, "AB", ["A take r3c1"])
    assert game.view(0).cells(0)[:3] == (REMOVED,) * 3
    counts = dict(zip(game.view(0).values, game.view(0).discard_counts.tolist(), strict=True))
    assert {value: n for value, n in counts.items() if n} == {1: 1, 3: 1, 7: 3}


def test_p17_triplet_lies_above_the_exchanged_or_rejected_card() -> None:
    """The exchanged (or rejected) card first, then the three."""
    own = grid("7 7 10", "3 h2 9", "h4 1 -1", "0 5 2")
    for steps, draw, expected in (
        (["A draw", "A place r3c1"], [7], [9, 10, 7, 7, 7]),
        (["A take r3c1"], [], [9, 10, 7, 7, 7]),
    ):
        discard = [9] if draw else [9, 7]
        game = Game.from_position(grids=[own, worth(9)], draw=draw, discard=discard)
        play_steps(game, "AB", steps)
        assert game.position()["discard"] == expected
    hidden = grid("7 7 h7", "3 h2 9", "h4 1 -1", "0 5 2")
    game = Game.from_position(grids=[hidden, worth(9)], draw=[11], discard=[9])
    play_steps(game, "AB", ["A draw", "A flip r3c1"])
    assert game.position()["discard"] == [9, 11, 7, 7, 7]
    assert game.view().discard_top == 7


def test_p17_replaced_card_of_the_same_value_is_a_fourth() -> None:
    """The hidden card under the completing one is a 7 too: four 7s end on the pile (A.5)."""
    own = grid("7 7 h7", "3 h2 9", "h4 1 -1", "0 5 2")
    game = Game.from_position(grids=[own, worth(9)], draw=[], discard=[9, 7])
    play_steps(game, "AB", ["A take r3c1"])
    assert game.position()["discard"] == [9, 7, 7, 7, 7]


def test_p18_zero_is_a_card() -> None:
    """`[0 5 5]` stays, zeros leave, a drawn, placed or discarded 0 is a 0."""
    own = grid("h0 5 5", "0 0 h9", "h4 1 -1", "0 5 2")
    game = Game.from_position(grids=[own, grid(*[DOWN] * 4)], draw=[0, 12], discard=[9])
    play_steps(game, "AB", ["A draw"])
    assert game.view().hand == 0
    assert game.view().moves[-1][2] == 0
    play_steps(game, "AB", ["A flip r1c1"])
    assert game.position()["grids"][0].startswith("0 0 h4 0 / 5 0")
    assert game.view().discard_top == 0
    play_steps(game, "AB", ["B draw", "B place r1c1"])
    assert game.position()["grids"][1].startswith("12 h1")
    game = Game.from_position(grids=[own, grid(*[DOWN] * 4)], draw=[3], discard=[9, 0])
    play_steps(game, "AB", ["A take r3c2"])
    assert game.position()["grids"][0] == grid("h0 5 5", ". . .", "h4 1 -1", "0 5 2")
    assert game.position()["discard"] == [9, 9, 0, 0, 0]
    assert _core.score(Rules()._setup, [0, 0], 0) == (0, 0)


def test_p19_column_with_a_face_down_card_stays() -> None:
    """Two open 7s over a hidden 7, and three hidden 3s: nothing leaves before they show."""
    own = grid("7 7 h7", "h3 h3 h3", "h4 1 -1", "0 5 2")
    game = Game.from_position(grids=[own, grid(*[DOWN] * 4)], draw=[], discard=[9])
    play_steps(game, "AB", ["A take r3c4", "B take r1c1", "A take r3c4"])
    assert game.position()["grids"][0].count(".") == 0
    assert game.view().discard_top == 9


def test_p20_two_columns_at_the_reveal_both_leave() -> None:
    """`[?3 3 3]`, `[0 0 ?0]` and `[?9 ?9 ?9]` leave; 1+3+12 = 16 is left."""
    other = grid("h3 3 3", "h9 h9 h9", "0 0 h0", "1 3 h12")
    result = scored([worth(3), other], closer=0)
    assert result.raw == (3, 16)
    assert result.grids[1].tolist() == [
        [REMOVED, REMOVED, REMOVED, 1],
        [REMOVED, REMOVED, REMOVED, 3],
        [REMOVED, REMOVED, REMOVED, 12],
    ]


def test_p21_holes_are_not_playable_and_shift_nothing() -> None:
    """No move names a hole, it shows REMOVED, and the columns behind keep their cells."""
    own = grid("h1 4 h3", ". . .", "7 h8 9", "h10 11 h12")
    game = Game.from_position(grids=[own, worth(9)], draw=[5], discard=[2])
    present = [0, 1, 2, 6, 7, 8, 9, 10, 11]
    assert game.legal_moves() == [*(12 + cell for cell in present), 36]
    assert game.view().cells(0) == (
        *(HIDDEN, 4, HIDDEN),
        *[REMOVED] * 3,
        *(7, HIDDEN, 9),
        *(HIDDEN, 11, HIDDEN),
    )
    game.apply(36)
    assert game.legal_moves() == [0, 2, 7, 9, 11, *(24 + cell for cell in present)]
    play_steps(game, "AB", ["A place r3c4"])
    assert game.position()["grids"][0] == grid("h1 4 h3", ". . .", "7 h8 9", "h10 11 5")
    assert game.position()["discard"] == [2, 12]


def test_p22_complete_column_leaves_at_once() -> None:
    """It is gone before anybody moves again, and its owner cannot break it."""
    own = grid("7 7 h1", "h9 h2 9", "h4 1 -1", "0 5 2")
    game = Game.from_position(grids=[own, grid(*[DOWN] * 4)], draw=[], discard=[3, 7])
    play_steps(game, "AB", ["A take r3c1"])
    assert game.view(1).cells(1)[:3] == (REMOVED,) * 3
    assert game.view(1).discard_top == 7
    play_steps(game, "AB", ["B take r1c1"])
    assert not {12, 13, 14} & set(game.legal_moves())


# Moves


def test_p23_taken_discard_stays_and_nothing_is_flipped() -> None:
    """Taking is one decision with its cell; then it is the next seat's turn."""
    own = grid("h1 4 h3", DOWN, DOWN, DOWN)
    game = Game.from_position(grids=[own, grid(*[DOWN] * 4)], draw=[5], discard=[2])
    play_steps(game, "AB", ["A take r2c1"])
    assert (game.seat, game.phase) == (1, Phase.TURN)
    assert game.position()["discard"] == [4]
    assert game.view(0).cells(0)[:3] == (HIDDEN, 2, HIDDEN)


def test_p24_no_flip_without_a_draw_and_no_target_before_the_card() -> None:
    """At TURN nothing can be flipped or placed; the card is seen before its cell is chosen."""
    game = Game.from_position(grids=[grid(*[DOWN] * 4)] * 2, draw=[5], discard=[2])
    assert all(12 <= move < 24 or move == 36 for move in game.legal_moves())
    game.apply(36)
    assert game.view().hand == 5
    assert game.seat == 0
    assert game.legal_moves() == [*range(12), *range(24, 36)]


def test_p25_nothing_to_flip_no_reject_and_nothing_to_take_no_take() -> None:
    """A last turn with all cards open cannot reject; an empty discard pile cannot be taken from."""
    game = Game.from_position(grids=[worth(9), worth(4)], draw=[5], discard=[2], closer=1, turn=0)
    game.apply(36)
    assert game.legal_moves() == list(range(24, 36))
    empty = Game.from_position(grids=[worth(9), worth(4)], draw=[5], discard=[])
    assert empty.legal_moves() == [36]
    assert empty.view().discard_top is None


def test_p25_nothing_to_draw_no_draw() -> None:
    """Without a pile, one discard can only be taken; of two a pile can be made (A.9)."""
    grids = [grid(*[DOWN] * 4)] * 2
    one = Game.from_position(grids=grids, draw=[], discard=[2])
    two = Game.from_position(grids=grids, draw=[], discard=[3, 2])
    assert one.legal_moves() == list(range(12, 24))
    assert two.legal_moves() == [*range(12, 24), 36]


@pytest.mark.parametrize("top", [5, 12])
def test_p26_equal_and_higher_cards_may_be_put(top: int) -> None:
    """A 5 or a 12 onto an open 5 is legal, and nothing but the card changes."""
    own = grid("5 h9 h1", DOWN, DOWN, DOWN)
    game = Game.from_position(grids=[own, grid(*[DOWN] * 4)], draw=[3], discard=[7, top])
    play_steps(game, "AB", ["A take r1c1"])
    assert game.position()["discard"] == [7, 5]
    assert game.position()["grids"][0] == grid(f"{top} h9 h1", DOWN, DOWN, DOWN)


def test_p26_option_bars_equal_open_cards_from_the_discard_alone() -> None:
    """forbid_same_value_swap: neither hidden equals, nor other values, nor a drawn card (A.4)."""
    own = grid("5 h5 4", "6 5 h1", DOWN, DOWN)
    rules = Rules(forbid_same_value_swap=True)
    game = Game.from_position(grids=[own, grid(*[DOWN] * 4)], draw=[5], discard=[7, 5], rules=rules)
    takes = [cell for cell in range(12) if cell not in (0, 4)]
    assert game.legal_moves() == [*(12 + cell for cell in takes), 36]
    with pytest.raises(IllegalMove):
        game.apply(12)
    game.apply(36)
    assert [move for move in game.legal_moves() if move >= 24] == list(range(24, 36))


def test_p26_option_never_takes_the_last_move_away() -> None:
    """Where only equals could be taken and nothing drawn, they may be taken."""
    own = grid("5 . .", ". . .", ". . .", ". . .")
    rules = Rules(forbid_same_value_swap=True)
    game = Game.from_position(grids=[own, worth(9)], draw=[], discard=[5], rules=rules)
    assert game.legal_moves() == [12]


def test_p27_illegal_move_is_a_fault_and_never_another_move() -> None:
    """The game refuses it; in a match it is a forfeit with seat, move, kind and detail."""
    game = Game(2, seed=1)
    before = game.position()
    with pytest.raises(IllegalMove, match=r"move 36 \(draw\) is not legal for seat 0"):
        game.apply(36)
    assert game.position() == before

    def draws(view: View) -> int:
        return 36

    def lowest(view: View) -> int:
        return view.legal_moves[0]

    (fault,) = play_game([lowest, draws], seed=1, rules=Rules(max_rounds=1)).faults
    assert (fault["round"], fault["move"], fault["seat"]) == (0, 2, 1)
    assert fault["kind"] == "illegal_move"
    assert "36 (draw)" in fault["detail"]


# Deck


@pytest.mark.parametrize("seats", range(2, 9))
def test_p28_deck_has_the_right_count_of_each_value(seats: int) -> None:
    """-2 five times, 0 fifteen times, every other value ten times: 150 cards, sum 760 (A.1)."""
    for seed in range(5):
        deck = Game(seats, seed=seed).record()["rounds"][0]["deck"]
        assert Counter(deck) == {-2: 5, 0: 15} | dict.fromkeys((-1, *range(1, 13)), 10)
        assert len(deck) == 150
        assert sum(deck) == 760


def test_p29_card_turned_up_is_the_one_dealt() -> None:
    """Cell c of seat s shows card 12 s + c of the deck; draws come from behind the deal."""
    game = Game(4, seed=2)
    deck = game.record()["rounds"][0]["deck"]
    for seat in range(4):
        for cell in (5, 11):
            game.apply(cell)
            assert game.view(0).cells(seat)[cell] == deck[12 * seat + cell]
    assert game.view().discard_top == deck[48]
    for draw in range(12):
        game.apply(36)
        assert game.view().hand == deck[49 + draw]
        seat = game.seat
        cell = next(move for move in game.legal_moves() if move < 12)
        game.apply(cell)
        assert deck[12 * seat + cell] in (game.view(seat).cells(0)[cell], game.view().discard_top)


def test_p30_drawn_card_is_neither_lost_nor_unseen() -> None:
    """Rejected it tops the discard pile; in the hand its holder no longer counts it as unseen."""
    game = Game.from_position(grids=[grid(*[DOWN] * 4)] * 2, draw=[9, 4], discard=[2])
    index = game.view().values.index(9)
    assert game.view().pile_counts[index] == game.view().hidden_counts[index] == 1
    game.apply(36)
    assert game.view(0).pile_counts[index] == game.view(0).hidden_counts[index] == 0
    assert game.view(1).pile_counts[index] == game.view(1).hidden_counts[index] == 1
    game.apply(0)
    assert game.position()["discard"] == [2, 9]
    assert game.view(1).pile_counts[index] == 0


def test_p31_reshuffle_keeps_the_top_card_and_shuffles_the_rest() -> None:
    """The top stays, the others are the new pile: all of them, neither in order nor reversed."""
    discard = [*range(-2, 13), *range(-2, 13), 12]
    game = Game.from_position(grids=[grid(*[DOWN] * 4)] * 2, draw=[], discard=discard)
    game.apply(36)
    position = game.position()
    pile = [position["hand"], *position["draw"]]
    assert position["discard"] == [12]
    assert sorted(pile) == sorted(discard[:-1])
    assert pile != discard[:-1]
    assert pile != discard[-2::-1]
    assert game.view().reshuffles == 1


def test_p31_reshuffles_of_one_round_differ() -> None:
    """The second shuffle of the same cards gives another order than the first."""
    orders = []
    game = Game.from_position(
        grids=[grid("12 h2 h3", DOWN, DOWN, DOWN)] * 2, draw=[], discard=[*range(-2, 13), 12]
    )
    for _ in range(2):
        pile: list[int | None] = []
        while not pile or game.position()["draw"]:
            game.apply(36)
            pile.append(game.view().hand)
            game.apply(24)  # r1c1 again and again
        orders.append(pile)
    assert game.view().reshuffles == 2
    assert orders[0] != orders[1]


def test_p32_eight_seats_draw_fifty_three_cards() -> None:
    """149 - 96 = 53 cards are in the pile; the 54th draw is the first of a new one."""
    game = Game(8, Rules(stall_limit=None), 3)
    while game.phase == Phase.FLIP:
        game.apply(game.legal_moves()[0])
    for drawn in range(53):
        assert game.view().draw_pile_size == 53 - drawn
        assert game.view().reshuffles == 0
        game.apply(36)
        game.apply(24)
    assert game.view().draw_pile_size == 0
    hidden = [text.split() for text in game.position()["grids"]]
    n_discards = len(game.position()["discard"])
    game.apply(36)
    assert game.view().reshuffles == 1
    assert game.view().draw_pile_size == n_discards - 1 - 1
    # The cards that lie face down are the same as before: none of them is a recycled one.
    assert [text.split() for text in game.position()["grids"]] == hidden


def test_p32_recycled_cards_are_a_pool_of_their_own() -> None:
    """After the reshuffle of 4, 9, 1 no hidden cell can be a 9, and the next draw is no 2."""
    game = Game.from_position(
        grids=[grid(*[DOWN] * 4)] * 2, draw=[], discard=[4, 9, 1, 7], reshuffles=[[9, 4, 1]]
    )
    play_steps(game, "AB", ["A draw"])
    view = game.view(1)
    pile = dict(zip(view.values, view.pile_counts.tolist(), strict=True))
    cells = dict(zip(view.values, view.hidden_counts.tolist(), strict=True))
    assert {value: n for value, n in pile.items() if n} == {1: 1, 4: 1, 9: 1}
    assert {value: n for value, n in cells.items() if n} == {1: 8, 2: 8, 3: 8}


def test_p33_second_round_has_cards_of_its_own() -> None:
    """Every round of a game is dealt from another order of the deck."""
    game = Game(2, Rules(threshold=None, max_rounds=5), 1)
    while game.seat >= 0:
        game.apply(game.legal_moves()[0])
    decks = {tuple(entry["deck"]) for entry in game.record()["rounds"]}
    assert len(decks) == 5


@pytest.mark.parametrize("seats", [9, 13, 100])
def test_p34_more_seats_than_allowed_is_a_clear_error(seats: int) -> None:
    """The error names the limit, before any card is dealt."""
    with pytest.raises(ValueError, match=f"Game: seats: expected 2 to 8, got {seats}"):
        Game(seats)


# Start


def test_p35_highest_sum_starts() -> None:
    """12 - 2 = 10 beats 4 + 2 = 6; equal sums go to the highest card; not always seat 0."""
    setup = Rules()._setup
    assert _core.starters(setup, [(10, 12), (6, 4)]) == (0,)
    assert _core.starters(setup, [(6, 4), (10, 12)]) == (1,)
    assert _core.starters(setup, [(10, 6), (10, 12)]) == (1,)
    assert _core.starters(setup, [(10, 6), (10, 6)]) == (0,)
    assert _core.starters(setup, [(-4, -2), (-2, -1), (-3, -1)]) == (1,)
    found: Counter[int] = Counter()
    for seed in range(200):
        game = Game(2, seed=seed)
        for move in (0, 1, 0, 1):
            game.apply(move)
        found[game.seat] += 1
    assert min(found[0], found[1]) > 60


def test_p35_same_cell_is_not_flipped_twice() -> None:
    """The second flip is of another cell, and the next seat has all twelve again."""
    game = Game(2, seed=1)
    game.apply(5)
    assert game.seat == 0
    assert game.legal_moves() == [cell for cell in range(12) if cell != 5]
    with pytest.raises(IllegalMove):
        game.apply(5)
    game.apply(6)
    assert (game.seat, game.legal_moves()) == (1, list(range(12)))


# Information


def test_p36_states_alike_in_public_give_equal_views() -> None:
    """A hidden card and the pile exchanged: equal bytes for every seat, also after a draw."""
    one = [grid("h5 2 h3", DOWN, DOWN, DOWN), grid(*[DOWN] * 4)]
    other = [grid("h8 2 h3", DOWN, DOWN, DOWN), grid(*[DOWN] * 4)]
    games = [
        Game.from_position(grids=one, draw=[8, 4], discard=[6]),
        Game.from_position(grids=other, draw=[4, 5], discard=[6]),
    ]
    for seat in (0, 1):
        assert len({pickle.dumps(game.view(seat)) for game in games}) == 1
    for game in games:
        game.apply(36)
    assert len({pickle.dumps(game.view(1)) for game in games}) == 1
    assert len({pickle.dumps(game.view(0)) for game in games}) == 2


def test_p37_view_is_from_the_movers_seat() -> None:
    """Each mover sees its own grid as number 0."""
    game = Game(3, seed=1)
    for seat in range(3):
        view = game.view()
        assert (view.seat, view.to_move) == (seat, 0)
        game.apply(seat)
        assert game.view(seat).cells(0)[seat] != HIDDEN
        game.apply(11)


# Seeds, ends, bookkeeping


def swap(view: View) -> int:
    """Exchanges open cards for ever, and nothing else as long as it may."""
    if view.phase == Phase.FLIP:
        return view.legal_moves[0]
    if view.phase == Phase.HOLD:
        return next(move for move in view.legal_moves if move >= 24)
    takes = [move for move in view.legal_moves if move != 36]
    up = [move for move in takes if view.cells(0)[move - 12] != HIDDEN]
    return up[0] if up else view.legal_moves[-1]


def test_p40_two_swappers_stall_and_end_with_a_closer() -> None:
    """The stall rule ends the round: 100 turns without progress, then every turn uses a card."""
    played = play_game([swap, swap], seed=1, rules=Rules(max_rounds=1))
    (entry,) = played.game.rounds
    assert played.faults == []
    assert (entry.stalled, entry.capped) == (True, False)
    assert entry.closer is not None
    assert played.record()["rounds"][0]["stalled"] is True
    n_turns = len([move for move in entry.moves if move != 36]) - 4
    # 20 cards are hidden after the opening; the last one used closes, one last turn follows.
    assert 100 + 10 <= n_turns <= 100 + 20 + 1


def test_p40_cap_ends_a_round_without_a_closer() -> None:
    """With the stall rule off the cap reveals and scores: flagged, nobody doubled (A.12)."""
    rules = Rules(max_rounds=1, stall_limit=None, max_turns_per_round=250)
    played = play_game([swap, swap], seed=1, rules=rules)
    (entry,) = played.game.rounds
    assert (entry.stalled, entry.capped, entry.closer) == (False, True, None)
    assert entry.points == entry.raw
    assert len([move for move in entry.moves if move != 36]) == 4 + 250
    assert HIDDEN not in entry.grids
    assert played.record()["rounds"][0]["capped"] is True


def test_p40_guard_ends_a_game_whose_totals_do_not_rise() -> None:
    """max_rounds_guard is the bound of a game, and the result says so."""
    rules = Rules(threshold=1_000_000, max_rounds_guard=3, max_turns_per_round=20)
    played = play_game([swap, swap], seed=1, rules=rules)
    assert played.record()["end"] == "guard"
    assert len(played.game.rounds) == 3


def test_p41_bots_of_one_name_are_told_apart() -> None:
    """Two seats with one bot have two names in the record, and results by seat."""
    played = play_game([swap, swap, "native:random"], seed=1, rules=Rules(max_rounds=1))
    assert played.players == ("swap#1", "swap#2", "random")
    assert len(played.totals) == 3


def test_p42_state_of_one_game_does_not_leak_into_the_next() -> None:
    """A match, another match, and the first again: the same record; and games played in turn."""

    def roll(view: View, rng: random.Random) -> int:
        return rng.choice(view.legal_moves)

    first = play_game([roll, roll], seed=1).record()
    play_game([roll, swap], seed=2, rules=Rules(max_turns_per_round=9, max_rounds=2))
    assert play_game([roll, roll], seed=1).record() == first

    games = [Game(3, seed=seed) for seed in (5, 6)]
    rngs = [random.Random(seed) for seed in (5, 6)]
    while any(game.seat >= 0 for game in games):
        for game, rng in zip(games, rngs, strict=True):
            if game.seat >= 0:
                game.apply(rng.choice(game.legal_moves()))
    for seed, game in zip((5, 6), games, strict=True):
        alone, rng = Game(3, seed=seed), random.Random(seed)
        while alone.seat >= 0:
            alone.apply(rng.choice(alone.legal_moves()))
        assert alone.record() == game.record()


def test_every_pitfall_of_the_game_has_a_test() -> None:
    """P1 to P42 each stand in the name of a test."""
    text = "".join(
        (Path(__file__).parent / name).read_text(encoding="utf-8")
        for name in ("test_pitfalls.py", "test_view.py", "test_rng.py")
    )
    found: set[Any] = {int(number) for number in re.findall(r"def test_p(\d\d)_", text)}
    assert found == set(range(1, 43))
