# SPDX-License-Identifier: MIT
"""Records held against the rules: what is right passes, each lie is named where it stands."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reference import check_record
from skyjo_core import HIDDEN, Bot, Game, Rules, View, play_game
from skyjo_core.record_difference import Difference, text_of
from skyjo_core.verify import Verdict, verify_file, verify_record
from small_records import (
    Record,
    closed_by_seat_1,
    damaged,
    put,
    put_round,
    with_a_new_pile,
)

Change = Callable[[Record], object]
ONE_ROUND = Rules(threshold=None, max_rounds=1)
TWO_ROUNDS = Rules(threshold=None, max_rounds=2)


def played(seats: int, rules: Rules, seed: int, n_moves: int = -1, *, draws: bool = False) -> Game:
    """A game of random moves, to its end or for so many of them; drawing makes rounds last."""
    game = Game(seats, rules, seed)
    rng = random.Random(seed)
    while game.seat >= 0 and n_moves != 0:
        legal = game.legal_moves()
        if draws and game.phase.name in ("TURN", "HOLD") and rng.random() < 0.95:
            cells = game.view().cells(0)
            legal = [
                move for move in legal if move == 36 or (move >= 24 and cells[move - 24] != HIDDEN)
            ] or legal
        game.apply(rng.choice(legal))
        n_moves -= 1
    return game


def difference_of(record: Record) -> Difference:
    """The difference of a record that the reference refuses, too."""
    difference = verify_record(record)
    assert difference is not None
    assert check_record(record) != []
    return difference


def told(record: Record, change: Change) -> str:
    return str(difference_of(damaged(record, change)))


# What is right


@pytest.mark.parametrize("record", [closed_by_seat_1(), with_a_new_pile()])
def test_games_played_by_hand_are_right(record: Record) -> None:
    assert verify_record(record) is None
    assert check_record(record) == []


VARIANTS: dict[str, tuple[int, dict[str, Any]]] = {
    "classic-fr": (4, {}),
    "classic-en": (2, {"start_later": "closer"}),
    "threshold": (3, {"threshold": 40, "max_rounds": None}),
    "guard": (2, {"threshold": 10**6, "max_rounds": None, "max_rounds_guard": 2}),
    "eager": (8, {"reshuffle_timing": "eager"}),
    "flipped": (8, {"reshuffle": "all_then_flip"}),
    "eager-flipped": (8, {"reshuffle": "all_then_flip", "reshuffle_timing": "eager"}),
    "playoff": (2, {"winner_tie": "playoff", "deck": [[0, 80], [1, 4]], "max_rounds_guard": 4}),
    "last-round": (3, {"winner_tie": "last_round", "deck": [[0, 80], [1, 4]]}),
    "tie-random": (6, {"start_tie": "random"}),
    "first-random": (5, {"start_first": "random", "start_later": "random"}),
    "no-flips": (4, {"initial_flips": 0, "start_tie": "random"}),
    "rows": (2, {"row_removal": True, "deck": [[0, 60], [1, 20]]}),
    "ten-seats": (10, {"rows": 3, "columns": 3, "initial_flips": 1}),
    "one-cell": (2, {"rows": 1, "columns": 1, "initial_flips": 1}),
    "small-deck": (2, {"deck": [[1, 10], [2, 10], [7, 6]], "max_turns_per_round": 60}),
    "stalls": (2, {"stall_limit": 1}),
    "capped": (3, {"max_turns_per_round": 5, "start_later": "closer"}),
    "several": (
        4,
        {
            "last_turns": "equal_turns",
            "reveal_timing": "after_own_last_turn",
            "double": "strict_all",
            "double_factor": 3,
            "column_removal": "not_negative",
            "forbid_same_value_swap": True,
            "initial_flip_restriction": "different_columns",
            "start_later": "rotate",
        },
    ),
    "no-last-turns": (2, {"last_turns": "none", "start_later": "previous_winner"}),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_records_of_every_kind_of_rules_are_right(name: str) -> None:
    check_records(name, range(2))


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_more_records_of_every_kind_of_rules_are_right(name: str) -> None:
    check_records(name, range(2, 6))


def check_records(name: str, seeds: range) -> None:
    """Records of random play, with every other seed of the style that draws."""
    seats, fields = VARIANTS[name]
    rules = Rules(**{"threshold": None, "max_rounds": 2, "stall_limit": None} | fields)
    for seed in seeds:
        record = played(seats, rules, seed, draws=seed % 2 == 1).record()
        assert check_record(record) == []
        assert verify_record(record) is None


@pytest.mark.parametrize("name", ["classic-fr", "no-flips", "eager-flipped", "playoff"])
def test_records_of_running_games_are_right(name: str) -> None:
    """Before the first move, in the opening, in turns, between the rounds."""
    seats, fields = VARIANTS[name]
    rules = Rules(**{"threshold": None, "max_rounds": 2} | fields)
    for n_moves in [*range(20), 50, 100, 150, 200]:
        record = played(seats, rules, 1, n_moves, draws=True).record()
        assert check_record(record) == []
        assert verify_record(record) is None


def test_a_running_game_may_leave_open_who_has_closed() -> None:
    game = next(
        game
        for n_moves in range(10, 400)
        if (game := played(2, ONE_ROUND, 3, n_moves)).view().closer is not None
    )
    closer = game.view().closer
    assert closer is not None
    closer = (game.seat + closer) % 2
    record = game.record()
    for value in (None, closer):
        assert verify_record(damaged(record, put_round("closer", value))) is None
    assert difference_of(damaged(record, put_round("closer", 1 - closer))).what == "closer"


def test_what_the_rules_do_not_determine_may_be_anything() -> None:
    record = closed_by_seat_1()
    record |= {"seed": str(2**64 - 1), "deal": 10**30, "deck_kind": "lanes"}
    record["players"] = ["\ud800", "\ud800"]
    assert verify_record(record) is None
    assert check_record(record) == []


# Forfeits and stops


def first(view: View) -> int:
    return view.legal_moves[0]


def wrong_at(round: int, *, hook: str | None = None) -> type[Bot]:
    """Answers nonsense in its first turn of a round, or raises in a hook."""

    class Wrong(Bot):
        def choose_move(self, view: View) -> Any:
            is_due = view.round_number == round and view.phase.name == "TURN" and hook is None
            return "nonsense" if is_due else view.legal_moves[-1]

    def fails(*_: object) -> None:
        raise RuntimeError

    if hook is not None:
        setattr(Wrong, hook, fails)
    return Wrong


HOOKS = [None, "__init__", "game_start", "round_end", "game_end"]


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("on_fault", ["forfeit", "abort"])
def test_games_with_faults_are_right(hook: str | None, on_fault: str) -> None:
    bots = [first, wrong_at(1, hook=hook), first]
    record = play_game(bots, seed=3, rules=TWO_ROUNDS, on_fault=on_fault).record()
    assert record["faults"] != []
    assert check_record(record) == []
    assert verify_record(record) is None


@pytest.fixture(scope="module")
def forfeited() -> Record:
    """Seat 1 answers nonsense in its first turn of round 1."""
    record = play_game([first, wrong_at(1), first], seed=3, rules=TWO_ROUNDS).record()
    assert (record["faults"][0]["seat"], record["faults"][0]["kind"]) == (1, "illegal_move")
    return record


def test_an_illegal_move_is_of_the_seat_that_decides(forfeited: Record) -> None:
    move = forfeited["faults"][0]["move"]
    assert told(forfeited, put("faults", 0, "seat", value=2)) == (
        f"round 1, move {move}: faults[0]: seat: expected 1, got 2"
    )
    # Another kind may be a hook's, but then another seat forfeits.
    change = put("faults", 0, value=forfeited["faults"][0] | {"seat": 2, "kind": "crash"})
    assert told(forfeited, change).startswith("places: expected [")


def test_a_seat_forfeits_once(forfeited: Record) -> None:
    """API 8: from the fault on a built-in bot plays the seat."""
    twice = put("faults", value=forfeited["faults"] * 2)
    assert told(forfeited, twice).endswith(
        "faults[1]: seat: expected each seat once, for a built-in bot plays on for it, got 1"
    )


def test_a_fault_stands_within_its_game(forfeited: Record) -> None:
    n_moves = len(forfeited["rounds"][1]["moves"])
    assert told(forfeited, put("faults", 0, "round", value=2)) == (
        "faults[0]: round: expected 0 to 1, got 2"
    )
    assert told(forfeited, put("faults", 0, "move", value=n_moves + 1)) == (
        f"round 1: faults[0]: move: expected 0 to {n_moves}, got {n_moves + 1}"
    )
    assert told(forfeited, put("faults", 0, "move", value=n_moves)) == (
        f"round 1: faults[0]: move: expected a decision, 0 to {n_moves - 1}, got {n_moves}"
    )
    assert told(forfeited, put("faults", 0, "seat", value=3)) == (
        "faults[0]: seat: expected a seat from 0 to 2, got 3"
    )


def test_forfeiters_share_the_last_place(forfeited: Record) -> None:
    """API 8: 1 + the seats without a fault; the others keep their order."""
    totals = forfeited["totals"]
    others = [2, 1] if totals[0] > totals[2] else [1, 2]
    assert totals[0] != totals[2]
    places = [others[0], 3, others[1]]
    assert forfeited["places"] == places
    lie = sorted(places, key=lambda place: -place)
    assert told(forfeited, put("places", value=lie)) == f"places: expected {places}, got {lie}"


def test_a_stop_leaves_the_last_round_without_results() -> None:
    record = play_game(
        [first, wrong_at(0), first], seed=3, rules=TWO_ROUNDS, on_fault="abort"
    ).record()
    last = len(record["rounds"][0]["moves"]) - 1
    for key, value in (("closer", 0), ("raw", [1, 2, 3]), ("points", [1, 2, 3])):
        assert told(record, put_round(key, value)) == (
            f"round 0, move {last}: {key}: expected null, got {text_of(value)}"
        )
    assert told(record, put("places", value=[1, 2, 3])) == "places: expected null, got [1, 2, 3]"


def test_only_a_stop_may_come_after_the_last_round() -> None:
    """The hooks at the end are called after the game's last move."""
    bots = [wrong_at(0, hook="game_end"), first]
    record = play_game(bots, seed=3, rules=ONE_ROUND, on_fault="abort").record()
    last = len(record["rounds"][0]["moves"]) - 1
    assert told(record, put("end", value=None)) == (
        f"round 0, move {last}: rounds: expected an unfinished last round, got a finished one"
    )
    assert told(record, put("rules", "max_rounds", value=2)) == (
        f"round 0, move {last}: rounds: expected an unfinished last round, got a finished one"
    )


# Lies about a game that was played by hand: small_records.py tells how


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            put("rounds", 0, "moves", 2, value=24),
            "round 0, move 2: legal move: expected one of take r1c1, take r1c2, draw, got "
            "'place r1c1'",
        ),
        (
            put("rounds", 0, "moves", 1, value=36),
            "round 0, move 1: legal move: expected one of flip r1c1, flip r1c2, got 'draw'",
        ),
        (
            put("rounds", 0, "moves", 3, value=2),  # a cell that the grid has not
            "round 0, move 3: legal move: expected one of take r1c1, take r1c2, draw, got 2",
        ),
        (
            put("rounds", 0, "moves", 3, value=-1),
            "round 0, move 3: legal move: expected one of take r1c1, take r1c2, draw, got -1",
        ),
        (
            put("rounds", 0, "moves", 3, value=10**4000),
            "round 0, move 3: legal move: expected one of take r1c1, take r1c2, draw, got a "
            "number of about 3986 digits",
        ),
        (
            put_round("moves", [0, 0, 13, 36]),
            "round 0, move 4: moves: expected one of flip r1c2, place r1c1, place r1c2, got the "
            "end of the moves",
        ),
        (
            put_round("moves", [0]),
            "round 0, move 1: moves: expected one of flip r1c1, flip r1c2, got the end of the "
            "moves",
        ),
        (
            put_round("moves", [0, 0, 13, 36, 25, 36]),
            "round 0, move 5: moves: expected the end of the round, got 'draw'",
        ),
        (  # the first draw is a 3: seat 0 has 1 + 3
            put_round("deck", [1, 3, 2, 12, 2, 3, 1]),
            "round 0, move 4: raw: expected [4, 4], got [2, 4]",
        ),
        (  # the 12 lies open at seat 0, which starts
            put_round("deck", [12, 3, 2, 1, 2, 1, 3]),
            "round 0, move 2: starter: expected 0, got 1",
        ),
        (
            put_round("deck", [1, 3, 2, 12, 2, 1, 2]),
            "round 0: deck: expected 2 cards of 2, got 3",
        ),
        (
            put_round("deck", [1, 3, 2, 12, 2, 1, 10**30]),
            "round 0: deck: expected 2 cards of 3, got 1",
        ),
        (put_round("deck", [1, 3, 2, 12, 2, 1]), "round 0: deck: expected 7 cards, got 6"),
        (put_round("points", [2, 9]), "round 0, move 4: points: expected [2, 8], got [2, 9]"),
        (put_round("points", [2, 4]), "round 0, move 4: points: expected [2, 8], got [2, 4]"),
        (put_round("points", None), "round 0, move 4: points: expected [2, 8], got null"),
        (put_round("raw", [3, 4]), "round 0, move 4: raw: expected [2, 4], got [3, 4]"),
        (put_round("starter", 0), "round 0, move 2: starter: expected 1, got 0"),
        (put_round("starter", None), "round 0, move 2: starter: expected 1, got null"),
        (put_round("starter", 10**30), f"round 0, move 2: starter: expected 1, got {10**30}"),
        (put_round("closer", 0), "round 0, move 4: closer: expected 1, got 0"),
        (put_round("closer", None), "round 0, move 4: closer: expected 1, got null"),
        (put_round("stalled", True), "round 0, move 4: stalled: expected false, got true"),
        (put_round("capped", True), "round 0, move 4: capped: expected false, got true"),
        (
            put_round("reshuffles", [[2]]),
            "round 0, move 4: reshuffles: expected as many as draw piles were made new, 0, got 1",
        ),
        (put("totals", value=[2, 9]), "totals: expected [2, 8], got [2, 9]"),
        (put("places", value=[2, 1]), "places: expected [1, 2], got [2, 1]"),
        (put("places", value=None), "places: expected [1, 2], got null"),
        (put("end", value="threshold"), "end: expected 'max_rounds', got 'threshold'"),
        (
            put("end", value="abort"),
            "round 0, move 4: closer: expected null, got 1",
        ),
        (
            put("end", value=None),
            "round 0, move 4: rounds: expected an unfinished last round, got a finished one",
        ),
        (
            lambda record: record["rounds"].append(record["rounds"][0]),
            "round 1: rounds: expected the end of the game, got another round",
        ),
        (
            put("rules", "max_rounds", value=2),
            "rounds: expected another round, got the end of the record",
        ),
        (
            put("rules", "double", value="off"),
            "round 0, move 4: points: expected [2, 4], got [2, 8]",
        ),
        (
            put("rules", "last_turns", value="none"),
            "round 0, move 3: moves: expected the end of the round, got 'draw'",
        ),
    ],
)
def test_a_lie_is_named_where_it_stands(change: Change, text: str) -> None:
    assert told(closed_by_seat_1(), change) == text


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ([], "round 0, move 4: reshuffles[0]: expected a draw pile made of [2], got none"),
        ([[3]], "round 0, move 4: reshuffles[0]: expected a draw pile made of [2], got [3]"),
        ([[]], "round 0, move 4: reshuffles[0]: expected a draw pile made of [2], got []"),
        ([[2, 2]], "round 0, move 4: reshuffles[0]: expected a draw pile made of [2], got [2, 2]"),
        (
            [[10**30]],
            f"round 0, move 4: reshuffles[0]: expected a draw pile made of [2], got [{10**30}]",
        ),
        (
            [[2], [3]],
            "round 0, move 6: reshuffles: expected as many as draw piles were made new, 1, got 2",
        ),
    ],
)
def test_new_draw_piles_are_made_of_the_cards_that_were_laid_away(
    change: list[list[int]], text: str
) -> None:
    assert told(with_a_new_pile(), put_round("reshuffles", change)) == text


@pytest.mark.parametrize(
    ("fields", "key", "lie", "expected", "got"),
    [
        ({"stall_limit": 1}, "stalled", False, "true", "false"),
        ({"max_turns_per_round": 3}, "capped", False, "true", "false"),
        ({"max_turns_per_round": 3}, "closer", 0, "null", "0"),
    ],
)
def test_guards_that_hold_are_not_denied(
    fields: dict[str, Any], key: str, lie: object, expected: str, got: str
) -> None:
    """Three turns do not close a round; a turn that takes for an open card stalls at once."""
    game = Game(2, ONE_ROUND.replace(**fields), 1)
    while game.seat >= 0:
        game.apply(min(move for move in game.legal_moves() if move != 36))
    record = game.record()
    last = len(record["rounds"][0]["moves"]) - 1
    assert record["rounds"][0][key] == {"true": True, "null": None}[expected]
    assert verify_record(record) is None
    assert told(record, put_round(key, lie)) == (
        f"round 0, move {last}: {key}: expected {expected}, got {got}"
    )


def test_a_starter_that_chance_may_choose_decides_whose_moves_they_are() -> None:
    """With equal sums and start_tie=random both may start; a third seat may not."""
    record = closed_by_seat_1()
    record["rules"]["start_tie"] = "random"
    record["rounds"][0]["deck"] = [2, 3, 2, 12, 1, 1, 3]
    changes = {"moves": [0, 0, 13, 36, 25], "raw": [3, 3], "points": [3, 6]}
    record["rounds"][0] |= changes
    record |= {"totals": [3, 6]}
    assert verify_record(record) is None
    assert told(record, put_round("starter", 2)) == (
        "round 0, move 2: starter: expected one of 0, 1, got 2"
    )
    # Seat 0 takes the 1 for its 3 and closes with 3; seat 1 draws a 1 for its 12: 3 as well.
    assert told(record, put_round("starter", 0)) == "round 0, move 4: closer: expected 0, got 1"


def test_the_starter_of_an_unfinished_opening_is_null() -> None:
    record = played(2, ONE_ROUND, 1, 2).record()
    assert verify_record(record) is None
    assert told(record, put_round("starter", 0)) == (
        "round 0, move 1: starter: expected null before the last opening flip, got 0"
    )


def test_the_first_difference_is_told() -> None:
    """Of several lies that which comes first in the game."""
    record = damaged(closed_by_seat_1(), put_round("points", [0, 0]))
    record |= {"totals": [0, 0], "places": [1, 1], "end": "guard"}
    assert str(difference_of(record)) == "round 0, move 4: points: expected [2, 8], got [0, 0]"
    record["rounds"][0]["moves"][4] = 36
    assert difference_of(record).what == "legal move"


def test_verifying_changes_nothing() -> None:
    record = with_a_new_pile()
    before = copy.deepcopy(record)
    assert verify_record(record) is None
    assert record == before


# Files


def test_each_line_of_a_file_has_a_verdict(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    right = json.dumps(closed_by_seat_1())
    path.write_text(f"{right}\n\n{right}{right}\n{right}")
    verdicts = list(verify_file(path))
    assert [verdict.line for verdict in verdicts] == [1, 2, 3, 4]
    assert verdicts[0] == Verdict(1, None)
    assert verdicts[3] == Verdict(4, None)
    assert verdicts[1].difference == Difference("line", "a record", "an empty line")
    assert verdicts[2].difference is not None
    assert verdicts[2].difference.expected == "one record a line"


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(verify_file(tmp_path / "nowhere"))
