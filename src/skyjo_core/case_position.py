# SPDX-License-Identifier: MIT
"""Runs the cases that start from a position: steps, refused steps, the final count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from skyjo_core._core import IllegalMove
from skyjo_core.case import players_of
from skyjo_core.case_difference import (
    Difference,
    Missing,
    by_player,
    compare,
    listed,
    reason,
    show,
)
from skyjo_core.game import Game
from skyjo_core.moves import move, move_name
from skyjo_core.position import read_position
from skyjo_core.rules import Rules

__all__ = ["run_final_count", "run_position"]

_GIVEN: Final = (
    *("grids", "draw", "discard", "hand", "turn", "starter", "closer", "last_turns_left"),
    *("reshuffles", "stalled", "totals", "phase"),
)


Case = Mapping[str, Any]
Found = dict[str, Any]  # by key of `want`


def run_final_count(rules: Rules, case: Case) -> list[Difference]:
    """What differs after the final reveal of a case of kind `final_count`."""
    position = {"grids": case["grids"], "closer": case["closer"], "rules": rules}
    try:
        game = Game._from_fields(*read_position(position, playable=False))
    except ValueError as error:
        return [_no_position(error)]
    game._reveal()
    players = players_of(case)
    return compare(case["want"], _position_found(game, players))


def _no_position(error: ValueError) -> Difference:
    return Difference("grids", "a position of these rules", reason(error))


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of a case; no number for `drop`, which the classic game never allows."""

    text: str
    seat: int
    number: int | None


def run_position(rules: Rules, case: Case) -> list[Difference]:
    """What differs after the steps of a case of kind `position`."""
    players = players_of(case)
    faults: list[Difference] = []
    steps = {key: _read_steps(key, case, players, rules, faults) for key in ("steps", "illegal")}
    faults += _wanted_step_faults(case["want"], rules)
    try:
        game = Game.from_position(**{key: case[key] for key in _GIVEN if key in case}, rules=rules)
    except ValueError as error:
        return [*faults, _no_position(error)]
    if faults:
        return faults
    for step in steps["steps"]:
        fault = _play(game, step, players)
        if fault is not None:
            return [fault]
    faults = [fault for step in steps["illegal"] for fault in _probe(game, step)]
    found = _position_found(game, players)
    want = dict(case["want"])
    if game.view(0).reshuffles > len(case.get("reshuffles", [])):
        faults += _compare_heap(want, found)
        want = {key: wanted for key, wanted in want.items() if key not in ("draw", "hand")}
    return faults + compare(want, found)


def _read_steps(
    key: str, case: Case, players: Sequence[str], rules: Rules, faults: list[Difference]
) -> list[_Step]:
    steps = []
    longest_first = sorted(players, key=len, reverse=True)
    for text in case.get(key, []):
        player = next((name for name in longest_first if text.startswith(f"{name} ")), None)
        if player is None:
            faults.append(Difference(key, f"steps of {', '.join(players)}", show(text)))
            continue
        try:
            number = _read_move(text.removeprefix(f"{player} "), rules)
        except ValueError as error:
            faults.append(Difference(key, "steps as in docs/format.md", reason(error)))
            continue
        steps.append(_Step(text, players.index(player), number))
    return steps


def _read_move(text: str, rules: Rules) -> int | None:
    return None if text == "drop" else move(text, rules=rules)


def _wanted_step_faults(want: Case, rules: Rules) -> list[Difference]:
    faults = []
    for key in ("legal_has", "legal_has_not"):
        for text in want.get(key, []):
            try:
                _read_move(text, rules)
            except ValueError as error:
                expected = "steps as in docs/format.md, without the player"
                faults.append(Difference(f"want.{key}", expected, reason(error)))
    return faults


def _legal_steps(game: Game) -> list[str]:
    return [move_name(number, rules=game.rules) for number in game.legal_moves()]


def _play(game: Game, step: _Step, players: Sequence[str]) -> Difference | None:
    """Plays a step; what is wrong if it cannot be played."""
    if step.seat == game.seat and step.number is not None:
        try:
            game.apply(step.number)
            return None
        except IllegalMove:
            pass
        except ValueError as error:
            return Difference("reshuffles", f"a new draw pile for {show(step.text)}", reason(error))
    legal = "none, for the round is over"
    if game.seat >= 0:
        legal = f"one of {players[game.seat]}: {listed(_legal_steps(game))}"
    return Difference("steps", legal, show(step.text))


def _probe(game: Game, step: _Step) -> list[Difference]:
    """What is wrong unless a step is refused and leaves everything as it was."""
    probe = game.copy()
    refused = step.seat != probe.seat or step.number is None
    if step.number is not None and not refused:
        try:
            probe.apply(step.number)
        except IllegalMove:
            refused = True
        except ValueError as error:
            expected = f"{show(step.text)} to be refused as illegal"
            return [Difference("illegal", expected, reason(error))]
    if not refused:
        return [Difference("illegal", f"{show(step.text)} to be refused", "a legal step")]
    if _everything(probe) != _everything(game):
        expected = f"{show(step.text)} to leave everything as it was"
        return [Difference("illegal", expected, "another state")]
    return []


def _everything(game: Game) -> tuple[dict[str, Any], list[tuple[bytes, bytes]]]:
    return game.position(), [game._view_bytes(seat) for seat in range(game.n_seats)]


def _position_found(game: Game, players: Sequence[str]) -> Found:
    position = game.position()

    def player(seat: int | None) -> str | None:
        return None if seat is None else players[seat]

    left, hand, legal = position["last_turns_left"], position["hand"], _legal_steps(game)
    found = {
        "grids": by_player(players, position["grids"]),
        "discard": [str(card) for card in position["discard"]],
        "draw": [str(card) for card in position["draw"]],
        "hand": None if hand is None else str(hand),
        "turn": player(position["turn"]),
        "phase": position["phase"],
        "closer": player(position["closer"]),
        "last_turns_left": None if left is None else [players[seat] for seat in left],
        "raw": Missing("none: the round is not over"),
        "points": Missing("none: the round is not over"),
        "legal_count": len(legal),
        "legal_has": legal,
        "legal_has_not": legal,
    }
    if game.rounds:
        found["raw"] = by_player(players, game.rounds[0].raw)
        found["points"] = by_player(players, game.rounds[0].points)
    return found


def _compare_heap(want: Case, found: Found) -> list[Difference]:
    """Compares `draw` and `hand` where a reshuffle of any order has mixed them."""
    got = [*found["draw"], *([] if found["hand"] is None else [found["hand"]])]
    text = f"in any order {show(found['draw'])} and in hand {show(found['hand'])}"
    differences = []
    if "draw" in want and (
        len(want["draw"]) != len(found["draw"]) or Counter(want["draw"]) - Counter(got)
    ):
        differences.append(Difference("want.draw", show(want["draw"]), text))
    if "hand" in want:
        hand = want["hand"]
        left = Counter(got) - Counter(want.get("draw", []))
        if (hand is None) != (found["hand"] is None) or (hand is not None and left[hand] == 0):
            differences.append(Difference("want.hand", show(hand), text))
    return differences
