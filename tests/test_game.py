# SPDX-License-Identifier: MIT
"""The game as Python sees it (API 3): names, illegal moves, rounds, starters, ends, lane decks."""

from __future__ import annotations

import copy
import decimal
import pickle
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from case_runner import play_steps
from skyjo_core import HIDDEN, REMOVED, Game, IllegalMove, Phase, Rules, _core

RandomGame = Callable[..., Game]


def play_opening(game: Game) -> None:
    """Each seat turns up r1c1 and r2c1."""
    while game.phase == Phase.FLIP:
        game.apply(game.legal_moves()[0])


def play_round(game: Game, rng: random.Random) -> None:
    """Random moves to the end of the present round."""
    number = game.round_number
    while game.seat >= 0 and game.round_number == number:
        game.apply(rng.choice(game.legal_moves()))


# A new game


def test_game_has_defaults() -> None:
    """Two seats, the default rules, seed 0, one stack; dealt, and seat 0's first flip is due."""
    game = Game()
    assert game.n_seats == 2
    assert game.rules == Rules()
    assert game.record()["seed"] == "0"
    assert game.record()["deck_kind"] == "stack"
    assert (game.seat, game.phase) == (0, Phase.FLIP)
    assert game.legal_moves() == list(range(12))
    assert game.totals == (0, 0)
    assert game.places is None
    assert game.rounds == ()
    assert game.round_number == 0


@pytest.mark.parametrize("seats", range(2, 9))
def test_deal_gives_twelve_hidden_cards_each(seats: int) -> None:
    """149 - 12 n cards stay in the pile and one is the discard (RULES A.2, E.1)."""
    game = Game(seats, seed=seats)
    assert game.totals == (0,) * seats
    for seat in range(seats):
        view = game.view(seat)
        assert view.cells(0) == (HIDDEN,) * 12
        assert view.draw_pile_size == 149 - 12 * seats
        assert view.discard_counts.sum() == 1


def test_phase_is_an_int_enum() -> None:
    """FLIP 0, TURN 1, HOLD 2, OVER 3; members survive pickle."""
    assert [(phase.name, int(phase)) for phase in Phase] == [
        ("FLIP", 0),
        ("TURN", 1),
        ("HOLD", 2),
        ("OVER", 3),
    ]
    assert Phase.HOLD == 2
    assert all(pickle.loads(pickle.dumps(phase)) is phase for phase in Phase)


@pytest.mark.parametrize("seats", [-1, 0, 1, 9, 10, 2**40])
def test_seats_out_of_range_are_refused(seats: int) -> None:
    """P34: two to eight seats by the classic rules; the message names the limits."""
    with pytest.raises(ValueError, match=f"seats: expected 2 to 8, got {seats}"):
        Game(seats)


@pytest.mark.parametrize("seed", [-1, 2**64, 2**100])
def test_seeds_out_of_range_are_refused(seed: int) -> None:
    """Seeds are 0..2**64 - 1."""
    with pytest.raises(ValueError, match=f"seed: expected 0 to {2**64 - 1}, got {seed}"):
        Game(2, seed=seed)


def test_largest_seed_plays() -> None:
    """The whole range is in use: both ends deal, and deal different cards."""
    assert Game(2, seed=2**64 - 1).record()["seed"] == str(2**64 - 1)
    assert Game(2, seed=2**64 - 1).position() != Game(2, seed=2**63 - 1).position()
    assert Game(2, seed=2**32).position() != Game(2, seed=0).position()


@pytest.mark.parametrize("value", [True, 2.0, "2", None, np.float64(2)])
def test_seats_and_seeds_of_other_kinds_are_refused(value: Any) -> None:
    """Neither bool nor float nor text is a number of seats or a seed."""
    with pytest.raises(TypeError, match="seats: expected an integer"):
        Game(value)
    with pytest.raises(TypeError, match="seed: expected an integer"):
        Game(2, seed=value)


def test_other_arguments_are_checked() -> None:
    """Rules are Rules; a deck is a stack or lanes."""
    with pytest.raises(TypeError, match="rules: expected Rules, got 'classic-fr'"):
        Game(2, "classic-fr")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="deck: expected 'stack' or 'lanes', got 'lane'"):
        Game(2, deck="lane")


def test_numpy_integers_are_seats_and_seeds() -> None:
    """Any integer type counts."""
    game = Game(np.int8(3), seed=np.uint64(2**64 - 1))
    assert game.position() == Game(3, seed=2**64 - 1).position()


# Moves


def test_legal_moves_ascend_and_are_never_empty() -> None:
    """In every phase before the end; OVER has none and seat -1."""
    game = Game(3, seed=1)
    rng = random.Random(1)
    while game.seat >= 0:
        legal = game.legal_moves()
        assert legal
        assert legal == sorted(set(legal))
        assert all(type(move) is int for move in legal)
        assert game.legal_mask == sum(1 << move for move in legal)
        game.apply(rng.choice(legal))
    assert game.seat == -1
    assert game.phase == Phase.OVER
    assert game.legal_moves() == []


@pytest.mark.parametrize("seats", [2, 4])
def test_illegal_move_raises_and_changes_nothing(seats: int) -> None:
    """Every int that is not legal is refused, at every phase; the state stays byte for byte."""
    game = Game(seats, Rules(max_rounds=1), 3)
    rng = random.Random(3)
    while True:
        legal = game.legal_moves()
        before = (game.position(), game.record(), game.totals, game.seat, game.phase)
        for move in set(range(-2, 40)) - set(legal) | {99, 255, 256, 2**31, 2**63 - 1, -(2**63)}:
            with pytest.raises(IllegalMove):
                game.apply(move)
        assert (game.position(), game.record(), game.totals, game.seat, game.phase) == before
        if game.seat < 0:
            break
        game.apply(rng.choice(legal))


def test_illegal_move_names_move_seat_phase_and_the_legal_ones() -> None:
    """The message tells what to mend; the error is a ValueError (API 3)."""
    game = Game(2, seed=1)
    play_opening(game)
    game.apply(36)
    assert issubclass(IllegalMove, ValueError)
    with pytest.raises(IllegalMove) as caught:
        game.apply(12)
    message = str(caught.value)
    for part in (
        "move 12 (take r1c1)",
        f"seat {game.seat}",
        "phase HOLD",
        "flip r3c1",
        "place r3c4",
    ):
        assert part in message
    assert "flip r1c1" not in message
    with pytest.raises(IllegalMove, match=r"move 77 \(no move\)"):
        game.apply(77)


@pytest.mark.parametrize("move", [2**64, -(2**64), 10**30])
def test_huge_numbers_are_illegal_moves_too(move: int) -> None:
    """An int of any size is a number, so it is refused as an illegal move."""
    with pytest.raises(IllegalMove):
        Game(2).apply(move)


@pytest.mark.parametrize(
    "move", [None, "draw", 3.0, np.float64(3), np.float32(3.7), decimal.Decimal("3.7"), [3]]
)
def test_moves_of_other_kinds_are_refused(move: Any) -> None:
    """A move is an integer: nothing else is cut down to one, and the state stays."""
    game = Game(2, seed=1)
    before = game.position()
    with pytest.raises(TypeError):
        game.apply(move)
    assert game.position() == before


def test_numpy_integers_are_moves() -> None:
    """Any integer type plays."""
    game, twin = Game(2, seed=1), Game(2, seed=1)
    for move in (np.int64(3), np.uint8(4)):
        game.apply(move)
        twin.apply(int(move))
    assert game.record() == twin.record()


def test_turns_go_clockwise() -> None:
    """A seat keeps the turn from the draw to the cell, then the next seat has it (A.0, A.4)."""
    for seats in (2, 3, 8):
        game = Game(seats, seed=seats)
        play_opening(game)
        for turn in range(3 * seats):
            seat = game.seat
            assert seat == (game.position()["starter"] + turn) % seats
            if turn % 2:
                game.apply(36)
                assert (game.seat, game.phase) == (seat, Phase.HOLD)
                game.apply(24)
            else:
                game.apply(12)
            assert game.phase == Phase.TURN


# Same seed, same game; copies


def test_same_seed_and_moves_give_the_same_game(random_game: RandomGame) -> None:
    """Seats, rules, seed and moves decide all; another seed or number of seats is another game."""
    one = random_game(3, Rules(), 17)
    assert random_game(3, Rules(), 17).record() == one.record()
    assert (
        random_game(3, Rules(), 18).record()["rounds"][0]["deck"]
        != (one.record()["rounds"][0]["deck"])
    )


def test_card_of_a_deck_does_not_depend_on_what_is_played() -> None:
    """Rounds of one seed have the same decks whatever was done before; P33: and different ones."""
    rules = Rules(threshold=None, max_rounds=3)
    decks = []
    for style in range(3):
        game = Game(2, rules, 6)
        rng = random.Random(style)
        while game.seat >= 0:
            game.apply(rng.choice(game.legal_moves()))
        entries = game.record()["rounds"]
        decks.append([entry["deck"] for entry in entries])
        assert len({len(entry["moves"]) for entry in entries}) > 1
    assert decks[0] == decks[1] == decks[2]
    assert decks[0][0] != decks[0][1] != decks[0][2]


@pytest.mark.parametrize("make", [Game.copy, copy.copy, copy.deepcopy])
def test_copy_is_independent_and_has_the_same_future(make: Callable[[Game], Game]) -> None:
    """At any moment: the copy plays on as the game would, and neither moves the other."""
    game = Game(3, Rules(threshold=None, max_rounds=4), 8)
    rng = random.Random(8)
    for _ in range(90):
        game.apply(rng.choice(game.legal_moves()))
    before, record = game.position(), game.record()
    twin = make(game)
    assert type(twin) is Game
    assert twin.rules is game.rules
    assert twin.record() == record
    moves = []
    while twin.seat >= 0:
        moves.append(rng.choice(twin.legal_moves()))
        twin.apply(moves[-1])
    assert game.position() == before
    assert game.record() == record
    for move in moves:
        game.apply(move)
    assert game.record() == twin.record()
    assert game.totals == twin.totals
    assert game.places == twin.places


def test_copy_outlives_its_game_and_rules() -> None:
    """The copy holds all it needs when everything else is gone."""
    game = Game(2, Rules(threshold=30), 5)
    twin = game.copy()
    view = twin.view(1)
    expected = game.record()
    del game
    assert twin.record() == expected
    rng = random.Random(0)
    while twin.seat >= 0:
        twin.apply(rng.choice(twin.legal_moves()))
    assert view.rules.threshold == 30
    assert max(twin.totals) >= 30


# Rounds


def test_new_round_is_dealt_by_itself() -> None:
    """After a scored round the first flip of the next is due, at seat 0, with a new deck."""
    game = Game(3, Rules(threshold=None, max_rounds=2), 4)
    play_round(game, random.Random(4))
    assert len(game.rounds) == game.round_number == 1
    assert (game.seat, game.phase) == (0, Phase.FLIP)
    view = game.view(0)
    assert all(view.cells(seat) == (HIDDEN,) * 12 for seat in range(3))
    assert view.moves == ()
    assert (view.stall_count, view.turn_number, view.reshuffles) == (0, 0, 0)
    assert view.closer is None
    assert view.draw_pile_size == 113
    play_round(game, random.Random(5))
    assert (game.seat, game.phase, game.round_number) == (-1, Phase.OVER, 1)


def test_rounds_tell_what_happened() -> None:
    """starter, closer, raw, points, grids, moves, stalled, capped of a round, by hand."""
    game = Game.from_position(
        grids=["1 2 3 0 / 0 2 1 4 / 0 5 -1 6", "8 h9 2 h8 / 8 h12 0 h8 / h8 h7 5 3"],
        draw=[12, 3],
        discard=[6],
        starter=1,
        closer=0,
        turn=1,
    )
    assert game.rounds == ()
    play_steps(game, "AB", ["B draw", "B place r1c4"])
    (entry,) = game.rounds
    assert entry.starter == 1
    assert entry.closer == 0
    # B: the 8s leave at the reveal, then 9+12+7 + 2+0+5 + 12+8+3 = 58; A: 23.
    assert entry.raw == (23, 58)
    assert entry.points == (23, 58)
    assert entry.moves == (36, 24 + 9)
    assert entry.stalled is False
    assert entry.capped is False
    assert entry.grids.dtype == np.int8
    assert not entry.grids.flags.writeable
    assert entry.grids.tolist() == [
        [[1, 2, 3, 0], [0, 2, 1, 4], [0, 5, -1, 6]],
        [[REMOVED, 9, 2, 12], [REMOVED, 12, 0, 8], [REMOVED, 7, 5, 3]],
    ]
    with pytest.raises(AttributeError):
        entry.raw = (0, 0)


def test_rounds_add_up_to_totals_and_raw_to_grids(random_game: RandomGame) -> None:
    """Totals are the sums of points; raw is the sum of each grid; points double the closer only."""
    n_doubled = 0
    for seed in range(8):
        game = random_game(2 + seed % 4, Rules(), seed)
        totals = np.zeros(game.n_seats, dtype=int)
        for entry in game.rounds:
            sums = np.where(entry.grids == REMOVED, 0, entry.grids).sum(axis=(1, 2))
            assert tuple(sums.tolist()) == entry.raw
            raw = list(entry.raw)
            assert entry.closer is not None
            own = raw[entry.closer]
            others = [raw[seat] for seat in range(game.n_seats) if seat != entry.closer]
            if own > 0 and min(others) <= own:
                raw[entry.closer] = 2 * own
                n_doubled += 1
            assert list(entry.points) == raw
            totals += entry.points
        assert game.totals == tuple(totals.tolist())
    assert n_doubled > 5


@pytest.mark.parametrize(
    ("rules", "raw", "closer", "points"),
    [
        (Rules(), [10, 10], 0, (20, 10)),
        (Rules(), [10, 10], None, (10, 10)),
        (Rules(double_factor=3), [10, 10], 0, (30, 10)),
        (Rules(double_factor=1), [10, 10], 0, (10, 10)),
        (Rules(double_factor=3, double="strict_all"), [3, -4], 1, (3, -4)),
        (Rules(double_factor=3, double="strict_all"), [-4, -4], 1, (-4, -12)),
        (Rules(double="ties_ok"), [10, 10, 11], 1, (10, 10, 11)),
        (Rules(double="ties_ok"), [9, 10, 11], 1, (9, 20, 11)),
        (Rules(double="off"), [9, 10], 1, (9, 10)),
        (Rules(), [1, 1], 1, (1, 2)),
    ],
)
def test_score_doubles_as_the_option_says(
    rules: Rules, raw: list[int], closer: int | None, points: tuple[int, ...]
) -> None:
    """RULES A.8 with `double` and `double_factor`; nobody is doubled without a closer."""
    assert _core.score(rules._setup, raw, closer) == points


def test_places_share_equal_totals() -> None:
    """Place = 1 + the number of seats with a lower total (API 3)."""
    assert places_after([40, 40, 104]) == (1, 1, 3)
    assert places_after([5, -3, 5, 20]) == (2, 1, 2, 4)
    assert places_after([7, 7]) == (1, 1)
    assert places_after([3, 2, 1]) == (3, 2, 1)


def places_after(totals: list[int]) -> tuple[int, ...] | None:
    """Places at the end of a game of one round."""
    sheet = _core.ScoreSheet(Rules(max_rounds=1)._setup, [0] * len(totals))
    sheet.add(totals)
    return sheet.places


def sheet_after(rules: Rules, *rounds: list[int], n_before: int = 0) -> Any:
    """The score sheet after rounds with these points."""
    sheet = _core.ScoreSheet(rules._setup, [0] * len(rounds[0]), n_before)
    for points in rounds:
        sheet.add(points)
    return sheet


def test_last_round_breaks_a_tie_for_first() -> None:
    """A.10, last_round: of those tied for the lowest total the lower score in the last round wins.

    40 + 2, 30 + 12, 38 + 4: all 42, points 2, 12, 4; the others follow by total, which is equal.
    """
    rules = Rules(winner_tie="last_round", max_rounds=2)
    sheet = sheet_after(rules, [40, 30, 38, 50], [2, 12, 4, 0])
    assert (sheet.winners, sheet.places, sheet.end) == ((0,), (1, 2, 2, 4), "max_rounds")
    # Still shared where the last round ties as well: 20 + 5 twice; 5 below 25 elsewhere.
    sheet = sheet_after(rules, [20, 20, 60], [5, 5, -3])
    assert (sheet.winners, sheet.places) == ((0, 1), (1, 1, 3))


def test_playoff_is_one_more_round_for_all_which_only_the_tied_can_win() -> None:
    """A.10, playoff: A and B tie at 40 with C at 100; the playoff's points count in the totals.

    Then A 40 + 9, B 40 + 9, C 100 - 80 = 20: A and B are tied still, so another; A 50, B 52 end it.
    C has the lowest total, but could not win: it comes after B, which was tied for first.
    """
    sheet = sheet_after(Rules(winner_tie="playoff"), [40, 40, 100])
    assert (sheet.over, sheet.end, sheet.winners, sheet.places) == (False, None, (), None)
    sheet.add([9, 9, -80])
    assert not sheet.over
    sheet.add([1, 3, 0])
    assert sheet.totals == (50, 52, 20)
    assert (sheet.over, sheet.end) == (True, "threshold")
    assert (sheet.winners, sheet.places) == ((0,), (1, 2, 3))
    with pytest.raises(ValueError, match="not over"):
        sheet.add([0, 0, 0])


def test_playoff_narrows_to_those_still_tied_and_stops_at_the_guard() -> None:
    """A.10, A.12: of three tied two stay, C falls behind them; at the guard the tie is shared."""
    sheet = sheet_after(Rules(winner_tie="playoff", max_rounds=1), [5, 5, 5], [1, 1, 4])
    assert not sheet.over
    sheet.add([7, 2, -90])
    assert (sheet.winners, sheet.places) == ((1,), (3, 1, 2))
    rules = Rules(winner_tie="playoff", max_rounds=1, max_rounds_guard=2)
    sheet = sheet_after(rules, [5, 5], [1, 1])
    assert (sheet.winners, sheet.end) == ((0, 1), "max_rounds")


def test_places_come_with_the_end(random_game: RandomGame) -> None:
    """None while the game runs, then by absolute seat."""
    game = random_game(4, Rules(), 2)
    assert game.places == tuple(1 + sum(t < own for t in game.totals) for own in game.totals)


# The end of a game (RULES A.10, A.12)


def end_after(rules: Rules, totals: list[int], n_rounds: int) -> str | None:
    return sheet_after(rules, totals, n_before=n_rounds - 1).end


def test_threshold_itself_ends_the_game() -> None:
    """P9: 100 ends it, 99 does not; one seat is enough; any number of rounds."""
    assert end_after(Rules(), [100, 12], 1) == "threshold"
    assert end_after(Rules(), [12, 101], 3) == "threshold"
    assert end_after(Rules(), [99, 99], 5) is None
    assert end_after(Rules(threshold=50), [50, 0], 1) == "threshold"
    assert end_after(Rules(threshold=None, max_rounds=9), [5000, 0], 8) is None


def test_max_rounds_ends_the_game_besides_the_threshold() -> None:
    """Whichever comes first; the threshold is named first where both hold (API 6)."""
    assert end_after(Rules(max_rounds=4), [99, 3], 3) is None
    assert end_after(Rules(max_rounds=4), [99, 3], 4) == "max_rounds"
    assert end_after(Rules(max_rounds=4), [100, 3], 4) == "threshold"


def test_guard_ends_the_game_at_last() -> None:
    """200 rounds by default, named last."""
    assert end_after(Rules(), [0, 0], 199) is None
    assert end_after(Rules(), [0, 0], 200) == "guard"
    assert end_after(Rules(max_rounds_guard=3), [0, 0], 3) == "guard"
    assert end_after(Rules(max_rounds_guard=3, max_rounds=3), [0, 0], 3) == "max_rounds"
    assert end_after(Rules(max_rounds_guard=3), [150, 0], 3) == "threshold"


@pytest.mark.parametrize(
    ("rules", "end"),
    [
        (Rules(threshold=40), "threshold"),
        (Rules(threshold=None, max_rounds=2), "max_rounds"),
        (Rules(threshold=100_000, max_rounds_guard=2), "guard"),
    ],
)
def test_games_end_as_their_rules_say(rules: Rules, end: str, random_game: RandomGame) -> None:
    """The played game stops at the first round after which its reason holds, and names it."""
    game = random_game(3, rules, 3)
    assert game.record()["end"] == end
    if end == "threshold":
        sums = np.cumsum([entry.points for entry in game.rounds], axis=0).max(axis=1)
        assert sums[-1] >= 40
        assert (sums[:-1] < 40).all()
    else:
        assert len(game.rounds) == 2


# Starters (RULES A.3, A.11)


def sums_of_open_cards(game: Game) -> list[tuple[int, int]]:
    view = game.view(0)
    cards = [[c for c in view.cells(seat) if c != HIDDEN] for seat in range(game.n_seats)]
    return [(sum(pair), max(pair)) for pair in cards]


def starts(rules: Rules, seats: int, seeds: range) -> list[tuple[list[tuple[int, int]], int]]:
    """(sum, highest card) of each seat after the opening, and who starts."""
    found = []
    for seed in seeds:
        game = Game(seats, rules, seed)
        play_opening(game)
        found.append((sums_of_open_cards(game), game.seat))
    return found


def test_highest_sum_starts_then_highest_card_then_seat() -> None:
    """P35 and the default tie-break, on 2,000 deals with their ties."""
    n_ties = n_full_ties = 0
    for cards, seat in starts(Rules(), 4, range(2000)):
        assert seat == cards.index(max(cards))
        n_ties += [card[0] for card in cards].count(max(cards)[0]) > 1
        n_full_ties += cards.count(max(cards)) > 1
    assert n_ties > 50
    assert n_full_ties > 5


def test_start_tie_seat_takes_the_lowest_seat() -> None:
    """The highest sum alone, then the lowest seat, whatever the cards."""
    n_differ = 0
    for cards, seat in starts(Rules(start_tie="seat"), 4, range(1000)):
        sums = [card[0] for card in cards]
        assert seat == sums.index(max(sums))
        n_differ += seat != cards.index(max(cards))
    assert n_differ > 5


@pytest.mark.parametrize("start_tie", ["random", "max_card_then_random"])
def test_start_tie_random_chooses_among_the_tied(start_tie: str) -> None:
    """Only tied seats start, and not always the same of them."""
    orders: Counter[int] = Counter()
    for cards, seat in starts(Rules(start_tie=start_tie), 4, range(3000)):
        keys = [card if start_tie == "max_card_then_random" else card[0] for card in cards]
        tied = [other for other in range(4) if keys[other] == max(keys)]
        assert seat in tied
        if len(tied) == 2:
            orders[tied.index(seat)] += 1
    assert sum(orders.values()) > 20
    assert stats.binomtest(orders[0], sum(orders.values())).pvalue > 1e-3


def test_start_first_seat_and_random() -> None:
    """Seat 0 always; or each seat as often as another."""
    assert {seat for _, seat in starts(Rules(start_first="seat"), 3, range(50))} == {0}
    found = Counter(seat for _, seat in starts(Rules(start_first="random"), 3, range(900)))
    assert stats.chisquare([found[seat] for seat in range(3)]).pvalue > 1e-4


def starters_of(rules: Rules, seed: int, seats: int = 3) -> list[tuple[int | None, Any]]:
    """For each later round its starter, with the round before it."""
    game = Game(seats, rules, seed)
    rng = random.Random(seed)
    while game.seat >= 0:
        game.apply(rng.choice(game.legal_moves()))
    pairs = zip(game.rounds, game.rounds[1:], strict=False)
    return [(later.starter, before) for before, later in pairs]


LATER = Rules(threshold=None, max_rounds=6)


def test_start_later_closer() -> None:
    """The player who ended the round starts the next (English booklet, RULES A.11)."""
    for seed in range(5):
        found = starters_of(LATER.replace(start_later="closer"), seed)
        assert [starter for starter, _ in found] == [before.closer for _, before in found]


def test_start_later_closer_falls_back_after_a_capped_round() -> None:
    """Without a closer the highest sum decides."""
    rules = LATER.replace(start_later="closer", max_turns_per_round=2)
    game = Game(3, rules, 1)
    expected = []
    while game.seat >= 0:
        if game.phase == Phase.FLIP:
            play_opening(game)
            cards = sums_of_open_cards(game)
            expected.append(cards.index(max(cards)))
            assert game.seat == expected[-1]
        game.apply(game.legal_moves()[0])
    assert all(entry.capped and entry.closer is None for entry in game.rounds)
    assert len(set(expected)) > 1


def test_start_later_rotate() -> None:
    """The seat after the previous starter; the first round by start_first."""
    rules = LATER.replace(start_later="rotate", start_first="seat")
    for seats in (2, 3, 5):
        found = starters_of(rules, 1, seats)
        assert [starter for starter, _ in found] == [i % seats for i in range(1, 6)]


def test_start_later_previous_winner() -> None:
    """Fewest points in the previous round, not raw and not in total; then the lowest seat.

    Raw scores and points differ in who is first where the closer ties for the lowest: it doubles.
    """
    rules = Rules(threshold=None, max_rounds=11, start_later="previous_winner")
    n_doubled = n_tied = 0
    for seed in range(60):
        for starter, before in starters_of(rules, seed, 2 + seed % 3):
            assert starter == before.points.index(min(before.points))
            n_doubled += starter != before.raw.index(min(before.raw))
            n_tied += before.points.count(min(before.points)) > 1
    assert n_doubled > 0
    assert n_tied > 0


def test_start_later_random() -> None:
    """Each seat as often as another."""
    rules = LATER.replace(start_later="random", max_turns_per_round=1)
    found = Counter(starter for seed in range(120) for starter, _ in starters_of(rules, seed))
    assert sum(found.values()) == 600
    assert stats.chisquare([found[seat] for seat in range(3)]).pvalue > 1e-4


def test_start_later_highest_sum() -> None:
    """The default decides each round anew, by the two open cards."""
    game = Game(3, LATER, 2)
    rng = random.Random(2)
    for _ in range(6):
        play_opening(game)
        cards = sums_of_open_cards(game)
        assert game.seat == cards.index(max(cards))
        play_round(game, rng)
    assert game.seat == -1


# Lane decks (STATISTICS 5)


class Lanes:
    """Who draws which position: base + k * n + s while it is there, else the highest undrawn."""

    def __init__(self, base: int, n_seats: int) -> None:
        self.base = base
        self.n_seats = n_seats
        self.draws = [0] * n_seats
        self.drawn: set[int] = set()
        self.n_astray = 0

    def draw(self, seat: int) -> int:
        position = self.base + self.draws[seat] * self.n_seats + seat
        self.draws[seat] += 1
        if position >= 150 or position in self.drawn:
            position = max(set(range(self.base, 150)) - self.drawn)
            self.n_astray += 1
        self.drawn.add(position)
        return position

    def undrawn(self) -> list[int]:
        return sorted(set(range(self.base, 150)) - self.drawn)


@pytest.mark.parametrize("seats", [2, 3, 5, 8])
def test_lanes_give_each_seat_its_own_cards(seats: int) -> None:
    """The k-th draw of a seat is the card of its lane, whatever the others do; on whole games."""
    rules = Rules(threshold=None, max_rounds=2, stall_limit=None, max_turns_per_round=300)
    lanes_game, stack_game = Game(seats, rules, 9, deck="lanes"), Game(seats, rules, 9)
    positions = stack_game.record()["rounds"][0]["deck"]
    lanes = Lanes(12 * seats + 1, seats)
    rng = random.Random(seats)
    n_draws = 0
    while lanes_game.round_number == 0:
        legal = lanes_game.legal_moves()
        seat = lanes_game.seat
        # Seat 0 draws twice as often as the others, so that lanes run out at different times.
        wants = 36 in legal and (seat == 0 or rng.random() < 0.5)
        # A place, take or flip of one of the first cells: the round goes on for long.
        move = 36 if wants else rng.choice(legal[:3] if legal[0] >= 12 else legal[-3:])
        if move == 36 and lanes_game.view(0).draw_pile_size == 0:
            break
        lanes_game.apply(move)
        if move == 36:
            n_draws += 1
            assert lanes_game.position()["hand"] == positions[lanes.draw(seat)]
            assert lanes_game.position()["draw"] == [positions[i] for i in lanes.undrawn()]
    assert n_draws > (149 - 12 * seats) // 2
    assert 0 < lanes.n_astray < n_draws // 2


def test_lanes_deal_the_same_cards_as_the_stack() -> None:
    """The deal and the first discard are those of the stack of the same seed; only draws differ."""
    for seats in range(2, 9):
        lanes, stack = Game(seats, seed=3, deck="lanes"), Game(seats, seed=3)
        assert lanes.position() == stack.position()
        assert lanes.record()["deck_kind"] == "lanes"
        assert lanes.view() == stack.view()


def test_lanes_become_a_stack_after_a_reshuffle() -> None:
    """A reshuffled pile is drawn in order, by whoever draws."""
    rules = Rules(max_rounds=1, stall_limit=None, max_turns_per_round=500)
    game = Game(2, rules, 1, deck="lanes")
    play_opening(game)
    n_checked = 0
    while game.seat >= 0:
        pile = game.position()["draw"]
        if game.phase == Phase.TURN:
            # Seat 1 draws at every turn, seat 0 at every other one.
            draws = game.seat == 1 or game.view().turn_number % 4 < 2
            game.apply(36 if draws else 12)
            if draws and game.view(0).reshuffles > 0 and pile:
                n_checked += 1
                assert game.position()["hand"] == pile[0]
                assert game.position()["draw"] == pile[1:]
        else:
            game.apply(24)
    assert n_checked > 100


def test_lanes_have_the_same_law() -> None:
    """Raw scores and first draws of 400 rounds each: |z| < 4 and a chi-square of the cards."""
    scores: dict[str, list[int]] = {"stack": [], "lanes": []}
    for deck, raw in scores.items():
        for seed in range(400):
            game = Game(
                2, Rules(max_rounds=1), seed + (10_000 if deck == "lanes" else 0), deck=deck
            )
            rng = random.Random(seed)
            while game.seat >= 0:
                game.apply(rng.choice(game.legal_moves()))
            raw += game.rounds[0].raw
    result = stats.ttest_ind(scores["stack"], scores["lanes"], equal_var=False)
    assert abs(result.statistic) < 4
    assert 50 < np.mean(scores["lanes"]) < 70
    firsts: Counter[int] = Counter()
    for seed in range(1500):
        game = Game(2, seed=seed, deck="lanes")
        play_opening(game)
        game.apply(36)
        firsts[game.position()["hand"]] += 1
    expected = [1500 * {-2: 5, 0: 15}.get(value, 10) / 150 for value in range(-2, 13)]
    observed = [firsts[value] for value in range(-2, 13)]
    assert stats.chisquare(observed, expected).pvalue > 1e-4


# As text


def test_printed_game_draws_the_table() -> None:
    """print(game): seats in order, the mover marked, grids, totals, piles; no hidden card."""
    game = Game.from_position(
        grids=["11 h9 7 . / h4 h12 h0 . / h5 h7 h5 .", "1 2 3 0 / 0 2 1 4 / 0 5 -1 6"],
        draw=[8, 1],
        discard=[6, -2],
        closer=1,
        turn=0,
        totals=[30, -4],
    )
    lines = str(game).splitlines()
    assert lines[0] == "round 1, turn 1, TURN   draw pile 2   discard -2"
    assert lines[2].split() == [">", "seat", "0", "seat", "1", "closer"]
    assert lines[3].split() == ["total", "30", "total", "-4"]
    assert lines[4].split() == ["11", "?", "7", ".", "1", "2", "3", "0"]
    assert lines[5].split() == ["?", "?", "?", ".", "0", "2", "1", "4"]
    assert lines[6].split() == ["?", "?", "?", ".", "0", "5", "-1", "6"]
    assert repr(game) == "<Game of 2, round 0, totals (30, -4), TURN>"


def test_printed_game_shows_no_drawn_card_twice() -> None:
    """The hand of the seat to move is shown; at the end the table still prints."""
    game = Game.from_position(grids=["h1 2 3 0 / 0 2 1 4 / 0 5 -1 6"] * 2, draw=[8], discard=[6])
    assert "hand" not in str(game)
    game.apply(36)
    assert "hand 8" in str(game)
    play_steps(game, "AB", ["A flip r1c1", "B take r1c1"])
    assert "OVER" in str(game)
    assert ">" not in str(game)


def test_game_that_skips_init_is_a_whole_game() -> None:
    """What __new__ alone gives can be played, so no call reaches memory without a game."""
    game = Game.__new__(Game)
    assert (game.n_seats, game.seat, game.rules) == (2, 0, Rules())
    assert game.copy().legal_moves() == list(range(12))


def test_init_of_a_running_game_changes_nothing() -> None:
    """The rules of a game are those that it was dealt by."""
    game = Game(3, seed=1)
    game.__init__(2, Rules(threshold=1))  # type: ignore[misc]
    assert (game.n_seats, game.rules) == (3, Rules())


def test_apply_refuses_a_bool() -> None:
    """True is no move, though it is an int."""
    with pytest.raises(TypeError, match="expected a move as an int, got a bool"):
        Game().apply(True)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda game: game.apply("draw"),
            "apply: expected a move (skyjo_core.move reads a text) as",
        ),
        (lambda game: game.apply(36.0), "apply: expected a move as an int, got 36.0"),
        (lambda game: game.apply(True), "apply: expected a move as an int, got a bool"),
        (lambda game: game.outcomes("draw"), "outcomes: expected a move (skyjo_core.move reads a"),
        (lambda game: game.apply(0, card="3"), "apply: card: expected a value as an int, got '3'"),
        (lambda game: game.determinize(1, seat="a"), "determinize: seat: expected an integer or"),
        (lambda game: game.determinize(1, seat=True), "determinize: seat: expected an integer or"),
        (lambda game: game.apply("x" * 500), "x..."),
    ],
)
def test_arguments_of_other_kinds_are_named(call: Callable[[Game], Any], message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        call(Game(seed=1))


def test_after_the_end_a_move_is_told_so(random_game: RandomGame) -> None:
    game = random_game(2, Rules(max_rounds=1), 1)
    with pytest.raises(IllegalMove, match="apply: move 36 is not legal, for the game is over"):
        game.apply(36)
    with pytest.raises(IllegalMove, match="outcomes: move 36 is not legal, for the game is over"):
        game.outcomes(36)
