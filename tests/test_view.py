# SPDX-License-Identifier: MIT
"""The view: types, seats, freshness, and that nothing in it knows more than its seat (API 4)."""

from __future__ import annotations

import copy
import functools
import gc
import inspect
import pickle
import random
import sys
import types
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest

import skyjo_core.bot_abi
from case_runner import play_steps
from skyjo_core import HIDDEN, REMOVED, Bot, Game, Phase, Rules, View, _core, _view, play_game

N_VALUES = 15  # -2..12
COUNTS = ("discard_counts", "pile_counts", "hidden_counts")
A = "11 h9 h7 . / h4 h12 h0 . / h5 h7 h5 ."
B = "h-1 h11 h-1 h2 / h3 h3 h7 h-2 / h5 h12 4 3"
C = "1 2 h3 0 / 0 h2 1 4 / 0 5 -1 6"


def middle(**changes: Any) -> Game:
    """Three seats in the middle of a round, seat 1 to move."""
    given: dict[str, Any] = {
        "grids": [A, B, C],
        "draw": [8, 1, 2],
        "discard": [6, 2, 2],
        "turn": 1,
        "starter": 2,
        "totals": [30, -4, 50],
    }
    return Game.from_position(**{**given, **changes})


def counted(counts: Any) -> list[int]:
    """The values of a count array, each as often as it is counted."""
    return [
        value for value, n in zip(range(-2, 13), counts.tolist(), strict=True) for _ in range(n)
    ]


def states(
    seats: int, seed: int, rules: Rules | None = None, *, slow: bool = False
) -> Iterator[tuple[Game, random.Random]]:
    """Every state of a seeded round of random moves, with the game alive.

    A slow game draws and exchanges open cards most of the time, so that it lasts.
    """
    game = Game(seats, rules or Rules(max_rounds=1), seed)
    rng = random.Random(seed)
    while game.seat >= 0:
        yield game, rng
        legal = game.legal_moves()
        up = [move for move in legal if is_slow(game, move)] if slow else []
        game.apply(rng.choice(up if up and rng.random() < 0.95 else legal))
    yield game, rng


def is_slow(game: Game, move: int) -> bool:
    """Whether a move draws, or puts the drawn card on an open one."""
    return move == 36 or (move >= 24 and game.view().cells(0)[move % 12] != HIDDEN)


# Attributes


def test_p37_view_shows_the_table_from_its_seat() -> None:
    """all that is by seat is relative to the own one; every attribute of API 4 by hand."""
    view = middle(closer=0, last_turns_left=[1, 2]).view()
    assert view.phase is Phase.TURN
    assert view.n_seats == 3
    assert view.seat == 1
    assert view.to_move == 0
    assert view.legal_moves == (*range(12, 24), 36)
    assert view.hand is None
    assert view.discard_top == 2
    assert view.grid.tolist() == [
        [HIDDEN] * 4,
        [HIDDEN] * 4,
        [HIDDEN, HIDDEN, 4, 3],
    ]
    assert view.cells(0) == (*[HIDDEN] * 8, 4, HIDDEN, HIDDEN, 3)
    assert view.cells(1) == (1, 0, 0, 2, HIDDEN, 5, HIDDEN, 1, -1, 0, 4, 6)
    assert view.cells(2) == (11, *[HIDDEN] * 8, *[REMOVED] * 3)
    assert view.totals == (-4, 50, 30)
    assert view.threshold == 100
    assert view.round_number == 0
    assert view.turn_number == 0
    assert view.starter == 1
    assert view.closer == 2
    assert view.last_turns_left == (0, 1)
    assert view.stalled is False
    assert view.stall_count == 0
    assert view.reshuffles == 0
    assert view.values == tuple(range(-2, 13))
    assert counted(view.discard_counts) == [2, 2, 6]
    assert view.draw_pile_size == 3
    assert view.moves == ()
    assert view.rules == Rules()
    assert view.time_limit is None
    assert view.time_left is None


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_p37_relative_seats_turn_with_the_seat(seat: int) -> None:
    """absolute seat s is relative seat (s - own) mod n, in every attribute that has seats."""
    game = middle(closer=0, last_turns_left=[1, 2])
    position = game.position()
    view = game.view(seat)
    assert view.seat == seat
    assert view.to_move == (1 - seat) % 3
    assert view.starter == (2 - seat) % 3
    assert view.closer == (0 - seat) % 3
    assert view.last_turns_left == ((1 - seat) % 3, (2 - seat) % 3)
    for relative in range(3):
        absolute = (seat + relative) % 3
        assert view.totals[relative] == position["totals"][absolute]
        assert view.cells(relative) == game.view(absolute).cells(0)


def test_p37_moves_name_relative_seats() -> None:
    """the same move is seat 0's for its mover and n - distance for another."""
    game = Game(3, seed=1)
    for number in (0, 5, 1, 2, 4, 8):
        game.apply(number)
    seats = [0, 0, 1, 1, 2, 2]
    for own in range(3):
        assert [entry[0] for entry in game.view(own).moves] == [(s - own) % 3 for s in seats]
        assert [entry[1] for entry in game.view(own).moves] == [0, 5, 1, 2, 4, 8]


def test_plain_attributes_have_plain_types() -> None:
    """Ints are ints, tuples are tuples of them, switches are bool; in every phase."""
    for game, _ in states(3, 2):
        view = game.view(0)
        assert isinstance(view.phase, Phase)
        for name in ("n_seats", "seat", "legal_mask", "discard_top", "round_number"):
            assert type(getattr(view, name)) is int
        for name in ("turn_number", "stall_count", "reshuffles", "draw_pile_size", "threshold"):
            assert type(getattr(view, name)) is int
        for name in ("to_move", "starter", "closer", "hand"):
            assert type(getattr(view, name)) in (int, type(None))
        assert type(view.stalled) is bool
        for name in ("legal_moves", "totals", "values", "moves"):
            assert type(getattr(view, name)) is tuple
        assert {type(item) for item in view.totals} == {int}
        assert all(type(entry) is tuple and len(entry) == 3 for entry in view.moves)
        assert all(type(value) is int for seat in range(3) for value in view.cells(seat))
        left = view.last_turns_left
        assert left is None or (type(left) is tuple and {type(seat) for seat in left} <= {int})


@pytest.mark.parametrize("seats", [2, 8])
def test_arrays_have_their_shape_and_are_fresh_and_read_only(seats: int) -> None:
    """int8, row by row, a new array at each reading, and no way to make it writable."""
    view = Game(seats, seed=3).view()
    shapes = {"grid": (3, 4), "grids": (seats, 3, 4)} | dict.fromkeys(COUNTS, (N_VALUES,))
    for name, shape in shapes.items():
        array = getattr(view, name)
        assert type(array) is np.ndarray
        assert array.dtype == np.int8
        assert array.shape == shape
        assert array.flags.c_contiguous
        again = getattr(view, name)
        assert again is not array
        assert not np.shares_memory(again, array)
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
        base = array.base
        while isinstance(base, np.ndarray):
            assert not base.flags.writeable
            base = base.base
        assert type(base) is bytes


def test_arrays_and_cells_tell_the_same() -> None:
    """Cell = 3 * column + row; grids[0] is grid."""
    for game, _ in states(4, 5):
        for seat in range(4):
            view = game.view(seat)
            grids = view.grids
            assert np.array_equal(grids[0], view.grid)
            for relative in range(4):
                by_column = tuple(grids[relative].T.ravel().tolist())
                assert by_column == view.cells(relative)


def test_cells_refuses_other_seats() -> None:
    """Relative seats run from 0 to n - 1."""
    view = Game(2).view()
    for seat in (-1, 2, 9):
        with pytest.raises(IndexError, match="expected a seat from 0 to 1"):
            view.cells(seat)


def test_cells_refuses_floats() -> None:
    """A float is of the wrong kind; it is not cut down to a seat."""
    with pytest.raises(TypeError):
        Game(2).view().cells(1.7)  # type: ignore[arg-type]


def test_legal_moves_and_mask_agree_with_the_game() -> None:
    """Ascending, the mask's bits, and nothing for a seat that is not to move."""
    for game, _ in states(3, 6):
        for seat in range(3):
            view = game.view(seat)
            expected = game.legal_moves() if seat == game.seat else []
            assert view.legal_moves == tuple(expected)
            assert view.legal_mask == sum(1 << move for move in expected)


def test_view_of_the_seat_to_move_is_the_default() -> None:
    """game.view() is game.view(game.seat); other seats are refused, and none is to move at OVER."""
    for game, _ in states(3, 7):
        if game.seat >= 0:
            assert game.view() == game.view(game.seat)
    with pytest.raises(ValueError, match="view: expected a seat"):
        game.view()
    for seat in (-1, 3):
        with pytest.raises(IndexError, match="expected 0 to 2"):
            game.view(seat)


def test_phases_follow_the_opening_and_the_turn() -> None:
    """FLIP without a starter, then TURN with one, HOLD after a draw; turns are counted from 0."""
    game = Game(2, seed=4)
    for _ in range(4):
        view = game.view()
        assert (view.phase, view.starter, view.turn_number) == (Phase.FLIP, None, 0)
        assert view.last_turns_left is None
        game.apply(game.legal_moves()[0])
    assert game.view().phase is Phase.TURN
    assert game.view().starter == 0
    game.apply(36)
    assert game.view().phase is Phase.HOLD
    assert game.view().turn_number == 0
    game.apply(24)
    assert game.view().turn_number == 1


def test_totals_and_round_number_count_finished_rounds() -> None:
    """Totals hold the points of the finished rounds only, by relative seat."""
    game = Game(3, Rules(threshold=None, max_rounds=3), 5)
    rng = random.Random(5)
    while game.seat >= 0:
        sums = [sum(entry.points[seat] for entry in game.rounds) for seat in range(3)]
        for own in range(3):
            view = game.view(own)
            assert view.round_number == len(game.rounds)
            assert view.totals == tuple(sums[(own + i) % 3] for i in range(3))
        if not game.view().moves:
            assert view.turn_number == 0
        game.apply(rng.choice(game.legal_moves()))
    assert len(game.rounds) == 3


def test_threshold_off_is_none() -> None:
    """A game by rounds alone has no threshold."""
    assert Game(2, Rules(threshold=None, max_rounds=1)).view().threshold is None
    assert Game(2, Rules(threshold=50)).view().threshold == 50


def test_stall_count_counts_turns_without_progress() -> None:
    """Exchanges of open cards count up, a hidden card used up sets 0; at the limit it holds."""
    grids = ["1 2 3 0 / 0 2 1 4 / 0 5 h-1 h6"] * 2
    game = Game.from_position(grids=grids, draw=[7] * 9, discard=[6], rules=Rules(stall_limit=3))
    counts = []
    for step in ["A take r1c1", "B take r1c1", "A draw", "A flip r3c3", "B take r1c1"]:
        play_steps(game, "AB", [step])
        counts.append(game.view(1).stall_count)
    assert counts == [1, 2, 2, 0, 1]
    play_steps(game, "AB", ["A take r1c1"])
    assert not game.view().stalled
    play_steps(game, "AB", ["B take r1c1"])
    assert game.view().stall_count == 3
    assert game.view().stalled
    assert game.view().legal_moves == (12 + 11, 36)


# At the end


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_view_at_over_has_nobody_to_move(seat: int) -> None:
    """No seat is to move: () and 0; the grids are as scored and the totals have the points."""
    *_, (game, _) = states(3, 8)
    view = game.view(seat)
    assert view.phase is Phase.OVER
    assert view.to_move is None
    assert view.legal_moves == ()
    assert view.legal_mask == 0
    assert view.hand is None
    assert view.last_turns_left == ()
    assert view.totals == tuple(game.totals[(seat + i) % 3] for i in range(3))
    closer = game.rounds[0].closer
    assert closer is not None
    assert view.closer == (closer - seat) % 3
    for relative in range(3):
        scored = game.rounds[0].grids[(seat + relative) % 3]
        assert np.array_equal(view.grids[relative], scored)
        assert HIDDEN not in view.cells(relative)


# Who sees the drawn card (RULES E.4, E.5)


def test_drawn_card_is_seen_by_its_holder_alone() -> None:
    """For the others it stays in the pool it came from, and the move has no card."""
    game = middle()
    before = {seat: game.view(seat) for seat in range(3)}
    game.apply(36)
    holder = game.view(1)
    assert holder.hand == 8
    assert holder.moves == ((0, 36, 8),)
    assert counted(holder.pile_counts) == sorted(set_minus(counted(before[1].pile_counts), 8))
    assert np.array_equal(holder.hidden_counts, holder.pile_counts)
    for seat in (0, 2):
        other = game.view(seat)
        assert other.phase is Phase.HOLD
        assert other.hand is None
        assert other.moves == (((1 - seat) % 3, 36, None),)
        assert other.draw_pile_size == 2
        for name in COUNTS:
            assert np.array_equal(getattr(other, name), getattr(before[seat], name))


def set_minus(cards: list[int], card: int) -> list[int]:
    rest = list(cards)
    rest.remove(card)
    return rest


@pytest.mark.parametrize("step", ["B place r1c1", "B flip r1c1"])
def test_drawn_card_is_public_once_played(step: str) -> None:
    """Placed or rejected, the draw shows its card to all, and the pools lose what was shown."""
    game = middle()
    unseen = sorted(counted(game.view(0).hidden_counts))
    play_steps(game, "ABC", ["B draw", step])
    rest = sorted(set_minus(set_minus(unseen, 8), -1))
    for seat in range(3):
        view = game.view(seat)
        assert [entry[2] for entry in view.moves] == [8, -1]
        assert counted(view.hidden_counts) == counted(view.pile_counts) == rest


def test_moves_tell_the_card_that_showed() -> None:
    """A take or place of an open card shows nothing new; of a hidden one it shows that card."""
    game = middle()
    steps = ["B take r3c3", "C draw", "C place r1c3", "A take r1c2", "B draw", "B flip r1c1"]
    play_steps(game, "ABC", steps)
    assert game.view(1).moves == (
        (0, 12 + 8, None),
        (1, 36, 8),
        (1, 24 + 6, 3),
        (2, 12 + 3, 9),
        (0, 36, 1),
        (0, 0, -1),
    )


# Pools


def test_before_a_reshuffle_there_is_one_pool() -> None:
    """Both counts are the whole of the unseen cards: hidden 9 + 10 + 2 cells and 3 in the pile."""
    view = middle().view(0)
    hidden = [9, 7, 4, 12, 0, 5, 7, 5, -1, 11, -1, 2, 3, 3, 7, -2, 5, 12, 3, 2]
    assert counted(view.hidden_counts) == sorted([*hidden, 8, 1, 2])
    assert np.array_equal(view.pile_counts, view.hidden_counts)
    assert view.pile_counts.sum() > view.draw_pile_size


def test_after_a_reshuffle_there_are_two_pools() -> None:
    """P32: the pile is exactly the reshuffled discards, the cells keep the old unseen cards."""
    game = middle(draw=[], discard=[4, 9, 1, 7], reshuffles=[[9, 1, 4]])
    hidden = sorted(counted(game.view(0).hidden_counts))
    game.apply(36)
    holder, other = game.view(1), game.view(2)
    assert holder.reshuffles == other.reshuffles == 1
    assert counted(holder.pile_counts) == [1, 4]
    assert counted(other.pile_counts) == [1, 4, 9]
    assert counted(holder.hidden_counts) == counted(other.hidden_counts) == hidden
    assert counted(other.discard_counts) == [7]
    game.apply(24)  # onto the hidden -1 of r1c1
    for seat in range(3):
        view = game.view(seat)
        assert counted(view.pile_counts) == [1, 4]
        assert counted(view.hidden_counts) == set_minus(hidden, -1)
        assert counted(view.discard_counts) == [-1, 7]
        assert view.draw_pile_size == 2


def test_pools_are_true_in_seeded_games() -> None:
    """At every move the pools are exactly the cards that lie there, for every seat."""
    rules = Rules(max_rounds=1, stall_limit=None, max_turns_per_round=250)
    n_after_reshuffle = 0
    for game, _ in states(2, 9, rules, slow=True):
        position = game.position()
        words = " / ".join(position["grids"]).replace("/", " ").split()
        hidden = [int(word[1:]) for word in words if word.startswith("h")]
        for seat in range(2):
            view = game.view(seat)
            held = [] if position["hand"] is None or seat == game.seat else [position["hand"]]
            pile = position["draw"] + held
            if view.reshuffles == 0:
                assert counted(view.pile_counts) == sorted(pile + hidden)
                assert counted(view.hidden_counts) == sorted(pile + hidden)
            else:
                n_after_reshuffle += 1
                assert counted(view.pile_counts) == sorted(pile)
                assert counted(view.hidden_counts) == sorted(hidden)
            assert counted(view.discard_counts) == sorted(position["discard"])
            assert view.draw_pile_size == len(position["draw"])
    assert n_after_reshuffle > 50


# A value


def test_view_cannot_be_changed() -> None:
    """No attribute can be set, none added, none deleted, and no view made out of nothing."""
    view = Game(2).view()
    for name in (name for name in dir(view) if not name.startswith("_")):
        with pytest.raises(AttributeError):
            setattr(view, name, 0)
        with pytest.raises(AttributeError):
            delattr(view, name)
    with pytest.raises(AttributeError):
        view.note = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=r"use game\.view\(\)"):
        View()


def test_views_compare_by_content() -> None:
    """Two looks at one state are equal and hash alike; another seat or state differs."""
    game = Game(3, seed=11)
    assert game.view(0) == game.view(0)
    assert hash(game.view(0)) == hash(game.copy().view(0))
    assert game.view(0) != game.view(1)
    assert game.view(0) != 3
    before = game.view(0)
    game.apply(0)
    assert game.view(0) != before
    assert Game(3, Rules(double="off"), 11).view() != Game(3, seed=11).view()


def test_views_that_differ_in_history_alone_differ() -> None:
    """The moves belong to the content: r1c1 then r2c1 is not r2c1 then r1c1."""
    one, other = Game(2, seed=1), Game(2, seed=1)
    for game, order in ((one, (0, 1)), (other, (1, 0))):
        for number in order:
            game.apply(number)
    assert one.view().cells(1) == other.view().cells(1)
    assert one.view() != other.view()


def test_view_survives_pickle_and_copy() -> None:
    """At every state of a round, with all its moves."""
    for game, rng in states(3, 12):
        view = game.view(rng.randrange(3))
        for twin in (pickle.loads(pickle.dumps(view)), copy.copy(view), copy.deepcopy(view)):
            assert twin == view
            assert hash(twin) == hash(view)
            assert twin.moves == view.moves
            assert twin.cells(1) == view.cells(1)


def test_restore_refuses_other_bytes() -> None:
    """A pickle of another version, or a broken one, is an error and not a crash."""
    restore, (table, moves, rules) = Game(2).view().__reduce__()
    assert restore(table, moves, rules) == Game(2).view()
    for wrong in ((table[:-1], moves), (b"", b""), (bytes(len(table)), b""), (table, b"abc")):
        with pytest.raises(ValueError, match="bytes of a view"):
            restore(*wrong, rules)


def test_view_of_a_changed_game_stays_as_it_was() -> None:
    """A view is a copy: what happens later does not show in it."""
    game = middle()
    view = game.view(0)
    before = contents(view)
    play_steps(game, "ABC", ["B draw", "B place r3c4", "C take r1c1", "A draw", "A flip r1c2"])
    assert contents(view) == before


def contents(view: View) -> dict[str, Any]:
    """All that a view says, in plain values."""
    names = [name for name in dir(view) if not name.startswith("_") and name != "cells"]
    values: dict[str, Any] = {name: getattr(view, name) for name in names}
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            values[name] = value.tolist()
    values["cells"] = [view.cells(seat) for seat in range(view.n_seats)]
    return values


# Views in a match


class Keeper(Bot):
    """Keeps every view with what it said at the time; plays at random."""

    kept: ClassVar[list[tuple[View, dict[str, Any]]]]

    def keep(self, view: View) -> None:
        self.kept.append((view, contents(view)))

    def choose_move(self, view: View) -> int:
        self.keep(view)
        return self.rng.choice(view.legal_moves)

    def game_start(self, view: View) -> None:
        self.keep(view)

    def round_end(self, view: View) -> None:
        self.keep(view)


def test_kept_views_stay_as_they_were_and_are_the_games_views() -> None:
    """A bot that keeps every view: none changes later, and each is what game.view() gives."""

    class First(Keeper):
        kept: ClassVar[list[tuple[View, dict[str, Any]]]] = []

    class Second(Keeper):
        kept: ClassVar[list[tuple[View, dict[str, Any]]]] = []

    rules = Rules(threshold=None, max_rounds=2)
    played = play_game([First, Second], seed=21, rules=rules)
    assert played.faults == []
    for bot in (First, Second):
        assert len({id(view) for view, _ in bot.kept}) == len(bot.kept)
        for view, said in bot.kept:
            assert contents(view) == said
    game = Game(2, rules, 21)
    replayed: tuple[list[View], ...] = ([game.view(0)], [game.view(1)])
    for number in [move for entry in played.record()["rounds"] for move in entry["moves"]]:
        replayed[game.seat].append(game.view())
        game.apply(number)
    for bot, views in ((First, replayed[0]), (Second, replayed[1])):
        kept = [view for view, _ in bot.kept if view.phase != Phase.OVER]
        assert kept == views
        assert list(map(pickle.dumps, kept)) == list(map(pickle.dumps, views))
        assert [hash(view) for view in kept] == [hash(view) for view in views]


def test_round_end_shows_the_grids_as_scored() -> None:
    """round_end gets phase OVER with nobody to move, the reveal done and the points booked."""

    class Watcher(Keeper):
        kept: ClassVar[list[tuple[View, dict[str, Any]]]] = []

    rules = Rules(threshold=None, max_rounds=3)
    played = play_game([Watcher, "native:random"], seed=5, rules=rules)
    ends = [view for view, _ in Watcher.kept if view.phase == Phase.OVER]
    rounds = played.game.rounds
    assert len(ends) == len(rounds) == 3
    totals = np.zeros(2, dtype=int)
    for view, entry in zip(ends, rounds, strict=True):
        totals += entry.points
        assert np.array_equal(view.grids, entry.grids)
        assert view.totals == tuple(totals)
        assert (view.to_move, view.legal_moves, view.hand) == (None, (), None)


def test_view_that_is_kept_by_its_method_or_a_frame_stays() -> None:
    """A bound method, a generator or a traceback holds the view as well as a name does."""
    held: list[Any] = []

    def hold(view: View, rng: random.Random) -> int:
        held.append((view.cells, view.cells(0), view.discard_top))
        held.append((functools.partial(getattr, view, "discard_top"), None, view.discard_top))
        generator = (view.discard_top for _ in range(1))
        held.append((generator, None, view.discard_top))
        return rng.choice(view.legal_moves)

    play_game([hold, hold], seed=2, rules=Rules(max_rounds=1))
    assert len(held) > 100
    for holder, cells, top in held:
        if isinstance(holder, functools.partial):
            assert holder() == top
        elif isinstance(holder, types.GeneratorType):
            assert next(holder) == top
        else:
            assert holder(0) == cells
            assert holder.__self__.discard_top == top


def test_what_a_bot_does_to_a_view_changes_nothing() -> None:
    """Attempts to write into a view fail, and the game is the same as without them."""

    def meddle(view: View, rng: random.Random) -> int:
        for array in (view.grid, view.grids, view.pile_counts):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
        for name in ("hand", "legal_mask", "rules"):
            with pytest.raises(AttributeError):
                setattr(view, name, 0)
        return rng.choice(view.legal_moves)

    def play_fair(view: View, rng: random.Random) -> int:
        return rng.choice(view.legal_moves)

    rules = Rules(max_rounds=1)
    meddled = play_game([meddle, play_fair], seed=9, rules=rules).record()
    fair = play_game([play_fair, play_fair], seed=9, rules=rules).record()
    assert meddled["faults"] == []
    assert meddled["rounds"] == fair["rounds"]


# Nothing hidden (P36, P42)


SKIPPED = (
    type,
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,  # also bound methods of compiled classes: their object is followed
    types.MethodType,
    types.MethodWrapperType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.ClassMethodDescriptorType,
    property,
    classmethod,
    staticmethod,
)
LEAVES = (int, float, str, bytes, bool, type(None), type(NotImplemented))


def reachable(start: Any) -> list[Any]:
    """All objects reachable from one by data: referents and attributes, not by classes."""
    found: dict[int, Any] = {}
    rest = [start]
    while rest:
        item = rest.pop()
        if id(item) in found:
            continue
        is_method = callable(item) and hasattr(item, "__self__")
        if is_method and not isinstance(item.__self__, types.ModuleType):
            rest.append(item.__self__)
        if isinstance(item, SKIPPED) or inspect.isroutine(item):
            continue
        found[id(item)] = item
        if isinstance(item, LEAVES):
            continue
        rest += [part for part in gc.get_referents(item) if not isinstance(part, type)]
        if isinstance(item, np.ndarray):
            rest.append(item.base)
        elif not isinstance(item, (tuple, list, dict, np.dtype)):
            rest += [getattr(item, name, None) for name in dir(item)]
        if isinstance(item, View):
            rest += [item.cells(seat) for seat in range(item.n_seats)]
            rest += [*item.__reduce__()[1], pickle.dumps(item)]
    return list(found.values())


ALLOWED = {
    *(View, Rules, Phase, _core.Setup, np.ndarray, np.dtype, tuple, dict, object),
    *(int, float, str, bytes, bool, type(None), type(NotImplemented)),
}


def check_nothing_hidden(view: View, game: Game, seed: int) -> None:
    """The walk meets only values of allowed kinds: no game, no seed, no order of hidden cards."""
    everything = reachable(view)
    kinds = {type(item) for item in everything}
    assert {kind.__name__ for kind in kinds - ALLOWED} <= {"PyCapsule"}
    position = game.position()
    words = " / ".join(position["grids"]).replace("/", " ").split()
    hidden = [int(word[1:]) for word in words if word.startswith("h")]
    secrets = [position["draw"][:6], position["draw"][-6:], hidden[:6], hidden[-6:]]
    for item in everything:
        if isinstance(item, int):
            assert item != seed
        elif isinstance(item, (bytes, tuple, np.ndarray)):
            check_sequence(item, [secret for secret in secrets if len(secret) == 6])
    assert seed.to_bytes(8, "little") not in pickle.dumps(view)


def check_sequence(item: Any, secrets: list[list[int]]) -> None:
    """No six hidden cards in a row, neither as values nor as the codes of the core (value + 4)."""
    flat = item.ravel().tolist() if isinstance(item, np.ndarray) else list(item)
    if not all(isinstance(value, int) for value in flat):
        return
    text = ",".join(map(str, flat))
    for secret in secrets:
        for shift in (0, 4):
            assert ",".join(str(value + shift) for value in secret) not in text


@pytest.mark.parametrize("seats", [2, 5])
def test_p36_walk_through_a_view_finds_nothing_hidden(seats: int) -> None:
    """Everything reachable by data from game.view(), at states all over a round."""
    seed = 0xFEDCBA9876543210
    game = Game(seats, Rules(max_rounds=1), seed)
    rng = random.Random(1)
    n_walks = 0
    while game.seat >= 0:
        if rng.random() < 0.5:
            check_nothing_hidden(game.view(rng.randrange(seats)), game, seed)
            n_walks += 1
        game.apply(rng.choice(game.legal_moves()))
    assert n_walks > 10


def test_p36_walk_finds_what_is_planted() -> None:
    """The walk itself sees through containers, attributes and arrays: it would find a leak."""

    class Holder:
        def __init__(self, thing: Any) -> None:
            self.thing = thing

    game = Game(2)
    for leak in (Holder(game), [game], {"x": (game,)}, Holder({1: [Holder(game)]}), game.apply):
        assert any(item is game for item in reachable(leak))
    array = np.arange(5)
    assert any(item is array for item in reachable(array[1:3]))
    with pytest.raises(AssertionError):
        check_sequence((0, 5, 3, 2, 1, 9, 8, 7), [[5, 3, 2, 1, 9, 8]])


def test_p36_walk_through_a_view_in_a_match_finds_nothing_hidden() -> None:
    """The live view of the match loop leads to no more than a view of game.view()."""
    seed = 0x0123456789ABCDEF
    rules = Rules(max_rounds=1)
    walks = []

    def curious(view: View, rng: random.Random) -> int:
        if rng.random() < 0.5:
            twin = Game(2, rules, seed)
            for _, number, _ in view.moves:
                twin.apply(number)
            assert twin.view() == view
            check_nothing_hidden(view, twin, seed)
            walks.append(view)
        return rng.choice(view.legal_moves)

    played = play_game([curious, curious], seed=seed, rules=rules)
    assert [fault["detail"] for fault in played.faults] == []
    assert len(walks) > 5


def exchanged(game: Game, rng: random.Random, *, hand: bool) -> dict[str, Any]:
    """The position with its face-down cards, draw pile (and hand) dealt anew among themselves.

    After a reshuffle the face-down cards are one pool, the draw pile with the hand another.
    """
    position = game.position()
    cells = [grid.replace("/", " / ").split() for grid in position["grids"]]
    places = [(g, i) for g, grid in enumerate(cells) for i, w in enumerate(grid) if w[0] == "h"]
    hidden = [int(cells[g][i][1:]) for g, i in places]
    pile = list(position["draw"])
    if hand and position["hand"] is not None:
        pile.append(position["hand"])
    if "reshuffled" not in position:
        hidden += pile
        pile = hidden
    rng.shuffle(hidden)
    for g, i in places:
        cells[g][i] = f"h{hidden.pop()}"
    rng.shuffle(pile)
    if hand and position["hand"] is not None:
        position["hand"] = pile.pop()
    return {**position, "grids": [" ".join(grid) for grid in cells], "draw": pile}


def all_views(game: Game) -> list[bytes]:
    return [pickle.dumps(game.view(seat)) for seat in range(game.n_seats)]


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_p36_exchanged_hidden_cards_give_equal_views(seats: int) -> None:
    """Two states alike in public give equal bytes of every seat's view, in every phase."""
    n_changed = 0
    for seed in range(3):
        for game, rng in states(seats, seed):
            if game.seat < 0 or rng.random() > 0.4:
                continue
            one = Game.from_position(**game.position())
            other = Game.from_position(**exchanged(game, rng, hand=False))
            n_changed += one.position() != other.position()
            assert all_views(one) == all_views(other)
    assert n_changed > 30


def test_p36_exchanged_hand_shows_to_its_holder_alone() -> None:
    """Where the drawn card is exchanged too, only the holder's view may differ."""
    n_differ = 0
    for game, rng in states(4, 3, slow=True):
        if game.phase != Phase.HOLD:
            continue
        one = Game.from_position(**game.position())
        other = Game.from_position(**exchanged(game, rng, hand=True))
        views = list(zip(all_views(one), all_views(other), strict=True))
        n_differ += views[game.seat][0] != views[game.seat][1]
        del views[game.seat]
        assert all(mine == twin for mine, twin in views)
    assert n_differ > 20


@pytest.mark.parametrize("reshuffle", [False, True])
def test_p36_draw_shows_nothing_to_the_others(reshuffle: bool) -> None:
    """Two twins that draw different cards look alike to the others, moves and pools included."""
    for game, rng in states(3, 4):
        if game.phase != Phase.TURN or 36 not in game.legal_moves():
            continue
        position = game.position()
        twin = exchanged(game, rng, hand=False)
        if reshuffle:
            cards = position["draw"] + position["discard"][:-1]
            piles = [rng.sample(cards, len(cards)) for _ in range(2)]
            top = position["discard"][-1:]
            position |= {"draw": [], "discard": cards + top, "reshuffles": [piles[0]]}
            twin |= {"draw": [], "discard": cards + top, "reshuffles": [piles[1]]}
            twin["grids"] = position["grids"]
        one, other = Game.from_position(**position), Game.from_position(**twin)
        one.apply(36)
        other.apply(36)
        for seat in set(range(3)) - {one.seat}:
            assert pickle.dumps(one.view(seat)) == pickle.dumps(other.view(seat))


def test_p36_equal_public_history_gives_equal_views() -> None:
    """Played games of different seeds that look alike so far have equal views for every seat.

    After the first discard and two flips many of 3,000 seeded deals agree in all that was shown.
    """
    seen: dict[Any, set[tuple[bytes, ...]]] = {}
    for seed in range(3000):
        game = Game(3, seed=seed)
        for number in (4, 4):
            public = (game.view(0).discard_top, game.view(0).moves)
            seen.setdefault(public, set()).add(tuple(all_views(game)))
            game.apply(number if number in game.legal_moves() else 5)
    assert len(seen) > 100
    assert all(len(views) == 1 for views in seen.values())


def test_p36_drawn_card_does_not_show_in_played_games() -> None:
    """Seeded deals that agree in public up to a draw: only the drawer's view tells them apart."""
    seen: dict[Any, list[set[bytes]]] = {}
    for seed in range(4000):
        game = Game(2, Rules(start_first="seat"), seed)
        for number in (0, 1, 0, 1):
            game.apply(number)
        public = (game.view(0).discard_top, *(game.view(0).cells(seat)[:2] for seat in (0, 1)))
        game.apply(36)
        views = seen.setdefault(public, [set(), set()])
        for seat in (0, 1):
            views[seat].add(pickle.dumps(game.view(seat)))
    assert any(len(views[0]) > 1 for views in seen.values())
    assert all(len(views[1]) == 1 for views in seen.values())


def test_view_draws_the_table() -> None:
    """print(view): the own grid first, `?` face down, `.` a hole, the hand for its holder only."""
    game = middle()
    game.apply(36)
    own, other = str(game.view(1)), str(game.view(0))
    assert "hand 8" in own
    assert "hand" not in other
    assert "draw pile 2" in own
    assert "discard 2" in own
    assert "HOLD" in own
    lines = [line.split() for line in own.splitlines()]
    assert lines[0][:2] == ["round", "1,"]
    assert lines[2] == [">", "you", "+1", "+2"]
    assert lines[3] == ["total", "-4", "total", "50", "total", "30"]
    assert lines[4] == ["?", "?", "?", "?", "1", "2", "?", "0", "11", "?", "?", "."]
    assert lines[5] == ["?", "?", "?", "?", "0", "?", "1", "4", "?", "?", "?", "."]
    assert lines[6] == ["?", "?", "4", "3", "0", "5", "-1", "6", "?", "?", "?", "."]
    assert repr(game.view(1)) == "<View of seat 1 of 3, round 0, turn 0, HOLD>"


def test_bytes_of_a_view_are_read_with_rules_alone() -> None:
    """Rows, columns and values come from Rules: another object could lead reads astray."""
    state = Game()._view_bytes(0)
    fake = types.SimpleNamespace(rows=65536, columns=65536, values=(10**9,))
    with pytest.raises(TypeError, match="View: expected Rules, got namespace"):
        _view.restore(*state, fake)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        _view.restore(state[0], None, Rules())  # type: ignore[arg-type]


def test_view_that_is_not_kept_is_filled_anew_in_place() -> None:
    """One object serves a bot for a whole game; a new one each time would cost the most."""
    seen: set[int] = set()

    def bot(view: View) -> int:
        seen.add(id(view))
        return view.legal_moves[0]

    assert sum(play_game([bot, "native:random"], seed=1).decisions) > 20
    assert len(seen) == 1


def test_legal_moves_are_right_for_more_masks_than_are_remembered() -> None:
    """Views share tuples by mask; whatever was asked for before, each tells its own moves."""
    restore, (table, moves, rules) = Game(2).view().__reduce__()
    place = skyjo_core.bot_abi.VIEW.fields["legal"][1]
    rng = random.Random(1)
    masks = [rng.getrandbits(37) for _ in range(20_000)]
    for mask in [*masks, *masks[:100], 0, 1, 2**37 - 1]:
        view = restore(
            table[:place] + mask.to_bytes(8, sys.byteorder) + table[place + 8 :], moves, rules
        )
        assert view.legal_mask == mask
        assert view.legal_moves == tuple(move for move in range(37) if mask >> move & 1)


def test_view_that_a_bot_returns_or_raises_with_is_kept() -> None:
    """Neither way out of a bot leaves it a view that goes on with the game."""
    held: list[tuple[View, dict[str, Any]]] = []

    def answers(view: View) -> Any:
        held.append((view, contents(view)))
        return view

    def raises(view: View) -> int:
        held.append((view, contents(view)))
        raise ValueError(view)

    played = play_game([answers, raises, "native:random"], seed=1)
    assert [fault["kind"] for fault in played.faults] == ["illegal_move", "exception"]
    assert len(held) == 2
    assert all(contents(view) == said for view, said in held)
