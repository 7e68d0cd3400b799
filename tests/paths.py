# SPDX-License-Identifier: MIT
"""The ways on which a game is played, each with the cases and the recorded games that it can play.

A case is played on a path by `PATHS[path].run`, unless `PATHS[path].why_not` names a reason.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from case_runner import Case, rewound
from fused_rounds import COUNTED, run_fused, why_not_fused
from skyjo_core import Game, Rules, View, bot_abi, compiled_bot, move
from skyjo_core.case import players_of
from skyjo_core.case_position import _GIVEN, _compare_heap, _position_found
from skyjo_core.conformance import compare, run_case
from skyjo_core.play import PlayedGame, load_one, play_table

CHOOSE_MOVE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
NOBODY: Final = "nobody is to move"
PILE_ORDER: Final = "the order of a new pile, whose first card is turned up, cannot be given"
OWN_MOVES: Final = "they choose their moves themselves"
BY_SEED: Final = "games are dealt by their seed"
RANDOM_CARDS: Final = "cards and moves are chosen at random: tests/test_playouts.py has the law"

FAULT_EXCEPTION: Final = -2  # SKYJO_FAULT_EXCEPTION
NO_MOVE: Final = -1  # what a bot answers for `drop`, which no number stands for

Step = tuple[int, int]  # the seat and its move


class EndOfScriptError(Exception):
    """A bot has no more moves to play."""


@dataclass(slots=True)
class Script:
    """Moves for all seats of a table, in order, and what was legal whenever a seat was asked."""

    steps: Sequence[Step]
    asked: list[tuple[int, list[int]]] = field(default_factory=list)

    def answer(self, seat: int, legal: Sequence[int]) -> int | None:
        """The move of a seat; None after the last one, or where it is another seat's turn."""
        number = len(self.asked)
        self.asked.append((seat, list(legal)))
        if number >= len(self.steps) or self.steps[number][0] != seat:
            return None
        return self.steps[number][1]


def python_bot(script: Script) -> Any:
    """A function that answers from a script."""

    def choose_move(view: View) -> int:
        answer = script.answer(view.seat, view.legal_moves)
        if answer is None:
            raise EndOfScriptError
        return answer

    return choose_move


def compiled(script: Script) -> Any:
    """The same behind the C struct of compiled bots; the script keeps nothing alive."""

    @CHOOSE_MOVE
    def choose_move(_: Any, address: int) -> int:
        data = ctypes.string_at(address, bot_abi.VIEW.itemsize)
        view = np.frombuffer(data, bot_abi.VIEW)[0]
        mask = int(view["legal"])
        legal = [number for number in range(mask.bit_length()) if mask >> number & 1]
        answer = script.answer(int(view["seat"]), legal)
        return FAULT_EXCEPTION if answer is None else answer

    return compiled_bot("scripted", choose_move=choose_move)


MakeBot = Callable[[Script], Any]


def play_script(game: Game, script: Script, make_bot: MakeBot) -> PlayedGame:
    """Plays a game in the loop of matches; it stops where the script ends."""
    bots = [load_one(make_bot(script), "paths")] * game.n_seats
    names = [str(seat) for seat in range(game.n_seats)]
    return play_table(game, bots, names, [0] * game.n_seats, on_fault="abort")


# Cases in the loop of matches


def why_not_match(case: Case) -> str | None:
    if case["kind"] != "position":
        return COUNTED if case["kind"] != "final_count" else NOBODY
    if case.get("reshuffles") and case.get("rules", {}).get("reshuffle") == "all_then_flip":
        return PILE_ORDER
    return None


def run_in_match(case: Case, make_bot: MakeBot) -> list[str]:
    """The differences of a case whose steps bots play, then its refused steps one by one."""
    case = rewound(case)
    steps = steps_of(case, "steps")
    game, played, script = played_case(case, steps, make_bot)
    differences = [str(difference) for difference in _compare(case, game)]
    if [seat for seat, _ in script.asked[: len(steps)]] != [seat for seat, _ in steps]:
        differences.append(f"expected the seats of {steps}, asked were {script.asked}")
    if [fault["kind"] for fault in played.faults] != ["exception"] * (game.seat >= 0):
        differences.append(f"expected the end of the script, got {played.faults}")
    if game.seat >= 0 and script.asked[-1] != (game.seat, game.legal_moves()):
        differences.append(f"expected {game.legal_moves()} to be legal, asked were {script.asked}")
    for step in steps_of(case, "illegal"):
        differences += refused_in_match(case, step, game, make_bot)
    return differences


def refused_in_match(case: Case, step: Step, game: Game, make_bot: MakeBot) -> list[str]:
    """What is wrong unless a step is a fault that leaves the game as it stands after the steps.

    A seat that is not to move is not asked, so its step cannot come up.
    """
    if step[0] != game.seat:
        return []
    steps = steps_of(case, "steps")
    other, played, _ = played_case(case, [*steps, step], make_bot)
    kinds = [(fault["kind"], fault["move"] - len(steps)) for fault in played.faults]
    differences = [] if kinds == [("illegal_move", 0)] else [f"{step}: faults are {kinds}"]
    if other.position() != game.position():
        differences.append(f"{step}: expected the same state, got {other.position()}")
    return differences


def played_case(
    case: Case, steps: Sequence[Step], make_bot: MakeBot
) -> tuple[Game, PlayedGame, Script]:
    rules = Rules.from_dict(case.get("rules", {}))
    game = Game.from_position(**{key: case[key] for key in _GIVEN if key in case}, rules=rules)
    script = Script(steps)
    return game, play_script(game, script, make_bot), script


def steps_of(case: Case, key: str) -> list[Step]:
    """The steps of a case by seat and number."""
    rules, players = Rules.from_dict(case.get("rules", {})), players_of(case)
    pairs = [step.split(" ", 1) for step in case.get(key, [])]
    return [
        (players.index(player), NO_MOVE if text == "drop" else move(text, rules=rules))
        for player, text in pairs
    ]


def _compare(case: Case, game: Game) -> list[Any]:
    """As for Game.apply, but that the loop shuffles every new pile itself."""
    want, found = dict(case["want"]), _position_found(game, players_of(case))
    if game.view(0).reshuffles == 0:
        return compare(want, found)
    heap = _compare_heap(want, found)
    return heap + compare({key: want[key] for key in want if key not in ("draw", "hand")}, found)


# The table of paths


@dataclass(frozen=True, slots=True)
class Path:
    """A way on which games are played; `run` is for the cases for which `why_not` gives None."""

    where: str
    why_not: Callable[[Case], str | None]
    run: Callable[[Case], list[str]]


def never(reason: str) -> Callable[[Case], str | None]:
    return lambda case: reason


def run_nothing(case: Case) -> list[str]:
    raise AssertionError(f"{case['id']}: expected a path that plays cases")


PATHS: Final = {
    "moves": Path(
        "Game.apply, round.hpp",
        lambda case: None,
        lambda case: [str(difference) for difference in run_case(case)],
    ),
    "python bots": Path(
        "play_match with its log, plain_turns.hpp or round.hpp; _view.pyx",
        why_not_match,
        lambda case: run_in_match(case, python_bot),
    ),
    "compiled bots": Path(
        "the same, bots behind the C struct",
        why_not_match,
        lambda case: run_in_match(case, compiled),
    ),
    "native bots": Path("the same", never(OWN_MOVES), run_nothing),
    "simulation": Path(
        "simulate(path='pluggable'): play_match without a log, on threads",
        never(BY_SEED),
        run_nothing,
    ),
    "batch": Path(
        "BatchGame: round.hpp, many games in step",
        never(BY_SEED),
        run_nothing,
    ),
    "fused": Path(
        "fused.hpp: simulate(path='fused') and playouts by the plain rules",
        why_not_fused,
        run_fused,
    ),
    "playouts": Path(
        "round.hpp or fused.hpp, from a position",
        never(RANDOM_CARDS),
        run_nothing,
    ),
}
