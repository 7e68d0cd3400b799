# SPDX-License-Identifier: MIT
"""Records (API 6), and the faults that play_game writes into them."""

from __future__ import annotations

import enum
import json
import random
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

from reference import check_record
from skyjo_core import Bot, Game, PlayedGame, Rules, View, play_game

RandomGame = Callable[..., Game]

KEYS = [
    *("format", "rules", "seed", "deck_kind", "deal", "players", "rounds", "totals", "places"),
    *("faults", "end"),
]
ROUND_KEYS = [
    *("deck", "starter", "moves", "reshuffles", "closer", "stalled", "capped", "raw", "points"),
]
CLASSIC_DECK = [-2] * 5 + [-1] * 10 + [0] * 15 + [v for v in range(1, 13) for _ in range(10)]
THREE_ROUNDS = Rules(threshold=None, max_rounds=3)


def first(view: View) -> int:
    """Plays the lowest legal move; never at fault."""
    return view.legal_moves[0]


# The form


def test_record_has_the_keys_of_the_contract(random_game: RandomGame) -> None:
    """Every key of API 6 in its order, with plain JSON types; a game without bots."""
    game = random_game(3, Rules(), 2**64 - 1)
    record = game.record()
    assert list(record) == KEYS
    assert record["format"] == "skyjo-record/1"
    assert record["rules"] == Rules().to_dict()
    assert record["seed"] == str(2**64 - 1)
    assert record["deck_kind"] == "stack"
    assert record["deal"] == 0
    assert record["players"] == ["0", "1", "2"]
    assert record["totals"] == list(game.totals)
    assert record["places"] == list(game.places or ())
    assert record["faults"] == []
    assert record["end"] == "threshold"
    assert len(record["rounds"]) == len(game.rounds)
    for entry, finished in zip(record["rounds"], game.rounds, strict=True):
        assert sorted(entry) == sorted(ROUND_KEYS)
        assert entry["starter"] == finished.starter
        assert entry["closer"] == finished.closer
        assert entry["moves"] == list(finished.moves)
        assert entry["raw"] == list(finished.raw)
        assert entry["points"] == list(finished.points)
        assert entry["stalled"] is False
        assert entry["capped"] is False
    assert json.loads(json.dumps(record)) == record


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("deck", ["stack", "lanes"])
def test_record_replays_on_the_reference(seats: int, deck: str, random_game: RandomGame) -> None:
    """Replaying needs no random numbers: the reference finds no difference."""
    for rules in (Rules(threshold=60), THREE_ROUNDS.replace(stall_limit=2)):
        record = random_game(seats, rules, 40 + seats, deck=deck).record()
        assert record["deck_kind"] == deck
        assert check_record(record) == []


def test_record_is_dealt_again_by_its_seed(random_game: RandomGame) -> None:
    """Game(seats, rules, seed, deck=deck_kind) and the moves give the record again."""
    for deck in ("stack", "lanes"):
        record = random_game(3, THREE_ROUNDS, 7, deck=deck).record()
        rules = Rules.from_dict(record["rules"])
        seats = len(record["players"])
        game = Game(seats, rules, int(record["seed"]), deck=record["deck_kind"])
        for entry in record["rounds"]:
            for move in entry["moves"]:
                game.apply(move)
        assert game.record() == record


def test_deck_lists_cells_then_discard_then_pile() -> None:
    """Seat by seat in cell order, the first discard, then the draw pile as it will be drawn."""
    for seats in (2, 5, 8):
        game = Game(seats, seed=seats)
        position = game.position()
        cells = []
        for grid in position["grids"]:
            rows = [
                [int(word.removeprefix("h")) for word in row.split()] for row in grid.split("/")
            ]
            cells += [rows[row][column] for column in range(4) for row in range(3)]
        (entry,) = game.record()["rounds"]
        assert entry["deck"] == cells + position["discard"] + position["draw"]
        assert sorted(entry["deck"]) == CLASSIC_DECK


def test_deck_does_not_change_while_it_is_played() -> None:
    """With a stack the deck of a round is the same list at every moment."""
    game = Game(2, seed=3)
    deck = game.record()["rounds"][0]["deck"]
    rng = random.Random(3)
    while game.round_number == 0 and game.seat >= 0:
        assert game.record()["rounds"][0]["deck"] == deck
        game.apply(rng.choice(game.legal_moves()))
    assert game.record()["rounds"][0]["deck"] == deck


def test_deck_of_lanes_lists_cards_as_they_were_drawn() -> None:
    """First the cards drawn, in the order of drawing, then the others in position order."""
    game, stack = Game(2, seed=3, deck="lanes"), Game(2, seed=3)
    positions = stack.record()["rounds"][0]["deck"]
    for move in (0, 1, 0, 1):
        game.apply(move)
    drawn = []
    for _ in range(6):
        game.apply(36)
        drawn.append(game.position()["hand"])
        game.apply(24)
    starter = game.record()["rounds"][0]["starter"]
    lanes = [25 + 2 * turn + (starter + seat) % 2 for turn in range(3) for seat in range(2)]
    assert drawn == [positions[i] for i in lanes]
    rest = [positions[i] for i in range(25, 150) if i not in lanes]
    assert game.record()["rounds"][0]["deck"] == positions[:25] + drawn + rest


def test_moves_hold_the_opening_flips_first() -> None:
    """Seat 0's two, seat 1's two, then the turns, whoever's they are."""
    game = Game(2, seed=1)
    for move in (3, 7, 0, 11, 36, 24):
        game.apply(move)
    assert game.record()["rounds"][0]["moves"] == [3, 7, 0, 11, 36, 24]


def test_reshuffles_list_each_new_pile_in_draw_order() -> None:
    """The cards drawn after a reshuffle are the listed ones, in order, and all of them."""
    rules = Rules(max_rounds=1, stall_limit=None, max_turns_per_round=400)
    game = Game(2, rules, 5)
    drawn: list[list[int]] = [[]]
    while game.seat >= 0:
        if game.phase.name == "FLIP":
            game.apply(game.legal_moves()[0])
        elif game.phase.name == "HOLD":
            game.apply(24)
        else:
            if not game.position()["draw"]:
                drawn.append([])
            game.apply(36)
            drawn[-1].append(game.position()["hand"])
    (entry,) = game.record()["rounds"]
    assert entry["deck"][25:] == drawn[0]
    assert len(entry["reshuffles"]) == len(drawn) - 1 >= 2
    for pile, cards in zip(entry["reshuffles"], drawn[1:], strict=True):
        assert pile[: len(cards)] == cards
    assert entry["reshuffles"][0] == drawn[1]
    assert entry["capped"] is True
    assert entry["closer"] is None
    assert check_record(game.record()) == []


def test_stalled_and_capped_rounds_are_flagged(random_game: RandomGame) -> None:
    """The flags stand in the record and in rounds; a capped round doubles nobody (A.12)."""
    stalled = random_game(2, THREE_ROUNDS.replace(stall_limit=1), 1)
    assert [entry["stalled"] for entry in stalled.record()["rounds"]] == [True] * 3
    assert [entry.stalled for entry in stalled.rounds] == [True] * 3
    capped = random_game(2, THREE_ROUNDS.replace(max_turns_per_round=3), 1)
    for entry in capped.record()["rounds"]:
        assert entry["capped"] is True
        assert entry["closer"] is None
        assert entry["points"] == entry["raw"]
        assert len([move for move in entry["moves"] if move != 36]) == 4 + 3
    for record in (stalled.record(), capped.record()):
        assert check_record(record) == []


def test_record_of_a_running_game_has_no_end() -> None:
    """`end` and `places` are null while the game runs; so are raw and points of its last round."""
    game = Game(2, THREE_ROUNDS, 4)
    rng = random.Random(4)
    while game.seat >= 0:
        record = game.record()
        assert record["end"] is None
        assert record["places"] is None
        assert record["rounds"][-1]["raw"] is None
        assert record["rounds"][-1]["points"] is None
        assert record["rounds"][-1]["capped"] is False
        assert record["totals"] == list(game.totals)
        if rng.random() < 0.05 or not record["rounds"][-1]["moves"]:
            assert check_record(record) == []
        for _ in range(3):
            if game.seat >= 0:
                game.apply(rng.choice(game.legal_moves()))


def test_starter_is_null_until_the_opening_is_over() -> None:
    """Nobody has started while flips are due."""
    game = Game(2, seed=1)
    for move in (0, 1, 0, 1):
        assert game.record()["rounds"][0]["starter"] is None
        game.apply(move)
    assert game.record()["rounds"][0]["starter"] == game.seat


# Games between bots


def test_play_game_gives_totals_places_and_record() -> None:
    """A played game's record has the players' names; the game is over."""

    class Calm(Bot):
        NAME = "calm"

        def choose_move(self, view: View) -> int:
            return view.legal_moves[-1]

    played = play_game([first, Calm, "native:random"], seed=5)
    assert isinstance(played, PlayedGame)
    record = played.record()
    assert record["players"][0] == "first"
    assert record["players"][2] == "random"
    assert record["seed"] == "5"
    assert record["totals"] == list(played.totals)
    assert played.places is not None
    assert record["places"] == list(played.places)
    assert record["end"] == "threshold"
    assert record["faults"] == played.faults == []
    assert check_record(record) == []


def test_play_game_is_the_same_each_time() -> None:
    """Seed and bots decide everything, random numbers of the bots included."""

    def roll(view: View, rng: random.Random) -> int:
        return rng.choice(view.legal_moves)

    one, again = (play_game([roll, roll], seed=9).record() for _ in range(2))
    assert one == again
    other = play_game([roll, roll], seed=10).record()
    assert other["rounds"] != one["rounds"]


def test_bots_draw_from_streams_of_their_own() -> None:
    """Two seats with one function do not get the same random numbers."""
    draws: dict[int, list[int]] = {0: [], 1: []}

    def roll(view: View, rng: Any) -> int:
        draws[view.seat].append(rng.below(2**32))
        return view.legal_moves[0]

    play_game([roll, roll], seed=1, rules=Rules(max_rounds=1))
    assert draws[0][:3] != draws[1][:3]
    assert not set(draws[0]) & set(draws[1])


def test_bot_lives_for_one_game_and_hears_its_events() -> None:
    """A new object for each game; start, every round's end, and places by relative seat."""
    heard: list[Any] = []

    class Listener(Bot):
        def __init__(self) -> None:
            heard.append("init")

        def choose_move(self, view: View) -> int:
            return view.legal_moves[0]

        def game_start(self, view: View) -> None:
            heard.append(("start", view.seat, view.phase.name, view.moves))

        def round_end(self, view: View) -> None:
            heard.append(("end", view.round_number, view.phase.name))

        def game_end(self, places: tuple[int, ...]) -> None:
            heard.append(places)

    played = play_game([first, Listener, "native:random"], seed=1, rules=THREE_ROUNDS)
    assert played.places is not None
    relative = tuple(played.places[(1 + i) % 3] for i in range(3))
    assert heard == [
        "init",
        ("start", 1, "FLIP", ()),
        ("end", 0, "OVER"),
        ("end", 1, "OVER"),
        ("end", 2, "OVER"),
        relative,
    ]
    play_game([Listener, first], seed=1, rules=THREE_ROUNDS)
    assert heard.count("init") == 2


# Faults of a decision


class Verb(enum.IntEnum):
    """A bot's own names for moves."""

    LOWEST = 0


class Number:
    """An object that is an integer to those who ask."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Int(int):
    """A subclass of int."""


def answering(answer: Any, at: int = 0) -> Callable[[View], int]:
    """A bot that gives this answer at its n-th decision and lowest moves else."""
    n = -1

    def answers(view: View) -> int:
        nonlocal n
        n += 1
        return answer if n == at else view.legal_moves[0]

    return answers


@pytest.mark.parametrize(
    "answer",
    [np.int64(0), np.uint8(0), np.int8(0), np.array(0), Verb.LOWEST, Int(0), Number(0)],
    ids=lambda answer: type(answer).__name__,
)
def test_any_integer_type_is_an_answer(answer: Any) -> None:
    """The return value may be any integer type, numpy's too (API 5)."""
    played = play_game([answering(answer), first], seed=3, rules=THREE_ROUNDS)
    assert played.faults == []
    assert played.record() == play_game([answering(0), first], seed=3, rules=THREE_ROUNDS).record()


JUNK = [
    *(None, 3.0, True, False, "draw", b"0", [0], (0,), {}, 0j, object(), np.float32(0), np.nan),
    *(np.bool_(True), np.bool_(False), np.array([0]), np.array([1, 2]), Exception("x"), int),
]


@pytest.mark.parametrize("answer", JUNK, ids=lambda answer: type(answer).__name__)
def test_answer_that_is_no_integer_is_an_illegal_move(answer: Any) -> None:
    """P27: None, bool, float, text and the rest: illegal_move, with what came in the detail."""
    played = play_game([first, answering(answer, at=1)], seed=3, rules=THREE_ROUNDS)
    (fault,) = played.faults
    detail = fault["detail"]
    expected = {"round": 0, "move": 3, "seat": 1, "kind": "illegal_move", "detail": detail}
    assert fault == expected
    assert repr(answer)[:50] in detail
    assert type(answer).__name__ in detail
    assert "flip r2c1" in detail
    assert check_record(played.record()) == []


@pytest.mark.parametrize("answer", [-1, -2, -3, 12, 36, 37, 99, 255, 256, 2**31, 2**63, 2**70])
def test_integer_that_is_not_legal_is_an_illegal_move(answer: int) -> None:
    """P27: no number is folded into a legal one, none is a signal, and the detail quotes it."""
    for value in (answer, Int(answer), Number(answer)):
        played = play_game([first, answering(value)], seed=3, rules=THREE_ROUNDS)
        (fault,) = played.faults
        assert fault["kind"] == "illegal_move"
        assert (fault["round"], fault["move"], fault["seat"]) == (0, 2, 1)
        if value is answer:
            assert str(answer) in fault["detail"]


@pytest.mark.parametrize(
    "answer",
    [np.uint64(2**64 - 1), np.int64(-(2**63)), 10**5000],
    ids=["uint64", "int64", "5001-digits"],
)
def test_integer_of_any_size_is_an_illegal_move(answer: Any) -> None:
    """Numbers beyond a machine word, or too long to print, are no more than illegal."""
    (fault,) = play_game([first, answering(answer)], seed=3, rules=THREE_ROUNDS).faults
    assert fault["kind"] == "illegal_move"
    assert len(fault["detail"]) < 1000


def test_move_legal_in_another_phase_is_illegal() -> None:
    """Draw after a draw, a flip instead of a draw, an open cell at the opening."""
    for at, answer in ((0, 12), (1, 0), (2, 0), (2, 24)):
        played = play_game([answering(answer, at), first], seed=3, rules=THREE_ROUNDS)
        (fault,) = played.faults
        assert fault["kind"] == "illegal_move"
        assert fault["seat"] == 0
        assert check_record(played.record()) == []


@pytest.mark.parametrize("error", [RuntimeError, SystemExit, MemoryError, GeneratorExit])
def test_exception_is_a_fault_with_its_traceback(error: type[BaseException]) -> None:
    """The kind is exception; the detail shows the bot's own lines and not the arena's."""

    def breaks(view: View) -> int:
        if view.phase.name == "TURN":
            raise error("out of ideas")
        return view.legal_moves[0]

    played = play_game([breaks, first], seed=3, rules=THREE_ROUNDS)
    (fault,) = played.faults
    assert fault["kind"] == "exception"
    moves = played.record()["rounds"][0]["moves"]
    starter = played.record()["rounds"][0]["starter"]
    assert fault["seat"] == 0
    assert fault["move"] == (4 if starter == 0 else next(i for i in (5, 6) if moves[i] != 24))
    assert 'raise error("out of ideas")' in fault["detail"]
    assert f"{error.__name__}: out of ideas" in fault["detail"]
    assert "_view.pyx" not in fault["detail"]
    assert "play.py" not in fault["detail"]
    assert check_record(played.record()) == []


def test_exception_that_cannot_be_printed_is_a_fault_too() -> None:
    """Nothing that a bot raises breaks the arena."""

    class NastyError(Exception):
        def __str__(self) -> str:
            raise ValueError("no")

    def breaks(view: View) -> int:
        raise NastyError

    (fault,) = play_game([breaks, first], seed=3, rules=THREE_ROUNDS).faults
    assert fault["kind"] == "exception"
    assert "NastyError" in fault["detail"]


def test_answer_that_cannot_be_printed_is_a_fault_too() -> None:
    """An answer whose repr raises, or whose __index__ does, ends in a fault and not in a crash."""

    class Mute:
        def __repr__(self) -> str:
            raise ValueError("no")

    class Broken:
        def __index__(self) -> int:
            raise RuntimeError("no")

    for answer in (Mute(), Broken()):
        played = play_game([answering(answer), first], seed=3, rules=THREE_ROUNDS)
        assert [fault["seat"] for fault in played.faults] == [0]
        assert check_record(played.record()) == []


def test_forfeiter_is_last_and_its_seat_is_played_on() -> None:
    """The built-in bot plays from that decision on; totals stay as played (API 8)."""
    played = play_game([answering(None, at=7), first, first], seed=2)
    record = played.record()
    (fault,) = played.faults
    stand_in = record["rounds"][fault["round"]]["moves"][fault["move"]]
    assert stand_in in range(37)
    assert record["end"] == "threshold"
    assert record["totals"] == list(played.game.totals)
    others = record["totals"][1:]
    assert record["places"] == [3, 1 + (others[1] < others[0]), 1 + (others[0] < others[1])]
    assert played.places == tuple(record["places"])
    assert check_record(record) == []


@pytest.mark.parametrize(("n_faults", "places"), [(2, {0: 3, 1: 3}), (3, {0: 2, 1: 2, 2: 2})])
def test_forfeiters_share_their_place(n_faults: int, places: dict[int, int]) -> None:
    """All forfeiters share 1 + the number of seats without a fault (API 8), at a table of four."""
    bots = [answering(None, at) for at in range(n_faults)] + [first] * (4 - n_faults)
    played = play_game(bots, seed=2)
    assert played.places is not None
    assert {seat: played.places[seat] for seat in places} == places
    assert {fault["seat"] for fault in played.faults} == set(places)
    assert check_record(played.record()) == []


def test_all_forfeit_and_share_the_first_place() -> None:
    """With nobody left the shared place is 1 + 0."""
    played = play_game([answering(None), answering(3.0)], seed=2)
    assert played.places == (1, 1)
    assert len(played.faults) == 2
    assert check_record(played.record()) == []


def test_a_seat_is_blamed_once() -> None:
    """After its forfeit the bot is not called again."""
    calls = []

    def always_wrong(view: View) -> Any:
        calls.append(view)

    played = play_game([always_wrong, first], seed=2, rules=THREE_ROUNDS)
    assert len(calls) == len(played.faults) == 1
    assert len(played.record()["rounds"]) == 3


# Faults of a hook


def failing(hook: str, call: int = 1, error: type[BaseException] = RuntimeError) -> type[Bot]:
    """A bot whose hook raises at its n-th call."""

    class Failing(Bot):
        n_calls: ClassVar[int] = 0

        def choose_move(self, view: View) -> int:
            return view.legal_moves[0]

    def fails(self: Failing, *_: Any) -> None:
        Failing.n_calls += 1
        if Failing.n_calls == call:
            raise error(f"in {hook}")

    setattr(Failing, hook, fails)
    return Failing


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("hook", "call", "round_"),
    [("__init__", 1, 0), ("game_start", 1, 0), ("round_end", 1, 1), ("round_end", 2, 2)],
)
def test_fault_of_a_hook_stands_at_the_next_decision(
    seat: int, hook: str, call: int, round_: int
) -> None:
    """`move` is the index of the decision that comes next: the first flip of that round (API 6)."""
    bots: list[Any] = [first, first]
    bots[seat] = failing(hook, call)
    played = play_game(bots, seed=3, rules=THREE_ROUNDS)
    (fault,) = played.faults
    detail = fault["detail"]
    expected = {"round": round_, "move": 0, "seat": seat, "kind": "exception", "detail": detail}
    assert fault == expected
    assert f"RuntimeError: in {hook}" in detail
    assert played.places == ((2, 1) if seat == 0 else (1, 2))
    assert len(played.record()["rounds"]) == 3
    assert check_record(played.record()) == []


@pytest.mark.parametrize(("hook", "call"), [("game_end", 1), ("round_end", 3)])
def test_fault_after_the_last_move_stands_behind_it(hook: str, call: int) -> None:
    """No decision comes any more: the index is the number of moves; it forfeits all the same."""
    played = play_game([failing(hook, call), first], seed=3, rules=THREE_ROUNDS)
    (fault,) = played.faults
    n_moves = len(played.record()["rounds"][2]["moves"])
    assert (fault["round"], fault["move"], fault["seat"]) == (2, n_moves, 0)
    assert played.places == (2, 1)
    assert check_record(played.record()) == []


def test_hooks_of_others_are_still_called_after_a_fault() -> None:
    """One bot's fault does not silence another's round_end and game_end."""
    heard: list[Any] = []

    class Listener(Bot):
        def choose_move(self, view: View) -> int:
            return view.legal_moves[0]

        def round_end(self, view: View) -> None:
            heard.append("round")

        def game_end(self, places: tuple[int, ...]) -> None:
            heard.append(places)

    play_game([failing("round_end"), Listener], seed=3, rules=THREE_ROUNDS)
    assert heard == ["round"] * 3 + [(1, 2)]


# Abort


def test_abort_stops_at_the_fault() -> None:
    """After abort, places and the last round's closer, raw and points are null (API 6)."""
    played = play_game([answering("x", at=9), first], seed=3, rules=THREE_ROUNDS, on_fault="abort")
    record = played.record()
    (fault,) = played.faults
    assert played.aborted
    assert played.places is None
    assert record["places"] is None
    assert record["end"] == "abort"
    entry = record["rounds"][-1]
    assert (entry["closer"], entry["raw"], entry["points"]) == (None, None, None)
    assert fault["round"] == len(record["rounds"]) - 1
    assert fault["move"] == len(entry["moves"])
    assert check_record(record) == []


def test_abort_in_a_later_round_keeps_the_rounds_before() -> None:
    """Finished rounds stay whole, totals are theirs."""
    played = play_game([first, failing_at_round(2)], seed=3, rules=THREE_ROUNDS, on_fault="abort")
    record = played.record()
    assert len(record["rounds"]) == 3
    assert all(entry["points"] is not None for entry in record["rounds"][:2])
    sums = [sum(entry["points"][seat] for entry in record["rounds"][:2]) for seat in (0, 1)]
    assert record["totals"] == sums
    assert check_record(record) == []


def failing_at_round(number: int) -> Callable[[View], int]:
    def fails(view: View) -> int:
        if view.round_number == number and view.phase.name == "HOLD":
            raise RuntimeError("enough")
        return view.legal_moves[-1]

    return fails


@pytest.mark.parametrize("hook", ["__init__", "game_start"])
def test_abort_before_the_first_move(hook: str) -> None:
    """A fault before the first decision leaves one round without moves."""
    played = play_game([first, failing(hook)], seed=3, rules=THREE_ROUNDS, on_fault="abort")
    record = played.record()
    assert [entry["moves"] for entry in record["rounds"]] == [[]]
    assert (record["end"], record["totals"]) == ("abort", [0, 0])
    assert (record["faults"][0]["round"], record["faults"][0]["move"]) == (0, 0)
    assert check_record(record) == []


@pytest.mark.parametrize(("hook", "rounds"), [("round_end", 2), ("game_end", 3)])
def test_abort_after_a_round_leaves_it_unscored_in_the_record(hook: str, rounds: int) -> None:
    """A hook at the end of a round stops the game there; the record is still a right one."""
    played = play_game([failing(hook), first], seed=3, rules=THREE_ROUNDS, on_fault="abort")
    record = played.record()
    assert played.aborted
    assert record["end"] == "abort"
    assert record["places"] is None
    assert len(record["rounds"]) == rounds
    entry = record["rounds"][-1]
    assert (entry["closer"], entry["raw"], entry["points"]) == (None, None, None)
    assert check_record(record) == []


def test_on_fault_is_one_of_two_words() -> None:
    """Another word is an error before a card is played."""
    with pytest.raises(ValueError, match="on_fault: expected 'forfeit' or 'abort', got 'stop'"):
        play_game([first, first], on_fault="stop")


# Interrupts and wrong calls


@pytest.mark.parametrize(
    "where", ["choose_move", "__init__", "game_start", "round_end", "game_end"]
)
def test_keyboard_interrupt_comes_through(where: str) -> None:
    """Ctrl-C in a bot is the user's and not the bot's fault: play_game raises it."""
    with pytest.raises(KeyboardInterrupt):
        play_game([first, failing(where, error=KeyboardInterrupt)], seed=3, rules=THREE_ROUNDS)


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_play_game_refuses_other_numbers_of_bots(seats: int) -> None:
    """One bot a seat, two to eight."""
    with pytest.raises(ValueError, match=f"seats: expected 2 to 8, got {seats}"):
        play_game([first] * seats)


def test_play_game_checks_seed_and_rules() -> None:
    """As Game does."""
    with pytest.raises(ValueError, match="seed: expected 0 to"):
        play_game([first, first], seed=-1)
    with pytest.raises(TypeError, match="rules: expected Rules"):
        play_game([first, first], rules="classic-fr")  # type: ignore[arg-type]


def test_decisions_are_counted_for_the_bot_itself() -> None:
    """Each seat's decisions are its moves; after a forfeit the stand-in's do not count."""
    played = play_game([first, answering(None, at=5)], seed=3, rules=THREE_ROUNDS)
    n_moves = sum(len(entry["moves"]) for entry in played.record()["rounds"])
    assert played.decisions[1] == 6
    assert 6 < played.decisions[0] < n_moves
    assert all(seconds >= 0 for seconds in played.seconds)
