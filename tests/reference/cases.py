# SPDX-License-Identifier: MIT
"""Runs one case of a case file on the reference (cases/README.md, classic game only)."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from .game import ReferenceGame
from .notation import read_cards, read_grid, read_move, write_cards, write_grid
from .round import ReferenceRound
from .rules import WORDS, Rules, complete, rule_faults
from .score import points_of_round
from .starter import seats_with_highest_sum, starters_by_sum

Case = dict[str, Any]

ALWAYS = {"id", "title", "kind", "want", "rules", "note"}
POSITION_KEYS = {
    "grids", "draw", "discard", "turn", "starter", "closer", "last_turns_left", "reshuffles",
    "stalled", "hand", "totals", "phase", "steps", "illegal",
}  # fmt: skip
KEYS: dict[str, set[str]] = {
    "starter": {"open"},
    "position": POSITION_KEYS,
    "final_count": {"grids", "closer"},
    "score": {"raw", "closer"},
    "doubling_options": {"raw", "closer"},
    "game_end": {"totals", "points", "raw", "closer"},
    "game": {"rounds"},
}


def run_case(case: Case) -> list[str]:
    """Return the differences between what a case wants and what the reference does."""
    if case.get("kind") not in KEYS:
        return [f"kind: expected one of {sorted(KEYS)}, got {case.get('kind')!r}"]
    unknown = set(case) - ALWAYS - KEYS[case["kind"]]
    missing = {"id", "title", "want"} - set(case)
    faults = [f"{name}: unknown key" for name in sorted(unknown)]
    faults += [f"{name}: missing" for name in sorted(missing)]
    faults += rule_faults(case.get("rules", {}))
    if faults:
        return faults
    rules = complete(case.get("rules"))
    try:
        got = RUNNERS[case["kind"]](rules, case)
    except (ValueError, KeyError) as fault:
        return [f"{type(fault).__name__}: {fault}"]
    return _differences(case["want"], got)


def _differences(want: dict[str, Any], got: dict[str, Any]) -> list[str]:
    differences = list(got.pop("problems", []))
    for name, expected in want.items():
        if name not in got:
            differences.append(f"{name}: this kind of case gives no such result")
        elif name == "grids":
            for player, grid in expected.items():
                found = got["grids"][player]
                if _words_of_grid(grid) != _words_of_grid(found):
                    differences.append(f"grids, {player}: expected {grid!r}, got {found!r}")
        elif name in ("legal_has", "legal_has_not"):
            for step in expected:
                if (step in got[name]) != (name == "legal_has"):
                    differences.append(f"{name}: {step!r} is not as wanted")
        elif expected != got[name]:
            differences.append(f"{name}: expected {expected!r}, got {got[name]!r}")
    return differences


def _words_of_grid(grid: str) -> list[str]:
    return grid.replace("/", " / ").split()


def _run_starter(rules: Rules, case: Case) -> dict[str, Any]:
    players = list(case["open"])
    open_cards = [[int(card) for card in case["open"][player]] for player in players]
    allowed = starters_by_sum(rules["start_tie"], open_cards)
    tied = seats_with_highest_sum(open_cards)
    got = {"tied": [players[seat] for seat in tied]}
    if len(allowed) == 1:
        got["starter"] = players[allowed[0]]
    return got


def _run_final_count(rules: Rules, case: Case) -> dict[str, Any]:
    players = list(case["grids"])
    played = _position(rules, {**case, "draw": [], "discard": []}, players)
    played.reveal_and_score()
    return _position_results(rules, played, players)


def _named(players: list[str], values: list[int] | None) -> dict[str, int] | None:
    return None if values is None else dict(zip(players, values, strict=True))


def _points(rules: Rules, raw: dict[str, int], closer: str | None) -> dict[str, int]:
    players = list(raw)
    seat = None if closer is None else players.index(closer)
    points = points_of_round(rules, list(raw.values()), seat)
    return dict(zip(players, points, strict=True))


def _run_score(rules: Rules, case: Case) -> dict[str, Any]:
    return {"points": _points(rules, case["raw"], case["closer"])}


def _run_doubling_options(rules: Rules, case: Case) -> dict[str, Any]:
    got: dict[str, list[int]] = {}
    for option in WORDS["double"]:
        got[option] = []
        for raw in case["raw"]:
            points = _points({**rules, "double": option}, raw, case["closer"])
            got[option].append(points[case["closer"]])
    wanted = case["want"].get("closer_points", {})
    return {"closer_points": {option: got.get(option) for option in wanted}}


def _run_game_end(rules: Rules, case: Case) -> dict[str, Any]:
    players = list(case["totals"])
    points = case["points"] if "points" in case else _points(rules, case["raw"], case["closer"])
    game = ReferenceGame(rules, len(players))
    game.totals = list(case["totals"].values())
    game.add_points([points[player] for player in players])
    got: dict[str, Any] = {"totals": _named(players, game.totals), "over": game.over}
    if game.winners is not None:
        got["winners"] = [players[seat] for seat in game.winners]
    return got


def _run_game(rules: Rules, case: Case) -> dict[str, Any]:
    players = list(case["rounds"][0]["raw"])
    game = ReferenceGame(rules, len(players))
    history = []
    problems = []
    for number, entry in enumerate(case["rounds"]):
        if game.over:
            problems.append(f"round {number}: the game is over already")
        points = _points(rules, entry["raw"], entry["closer"])
        game.add_points([points[player] for player in players])
        history.append(_named(players, game.totals))
    got: dict[str, Any] = {"totals_after_each_round": history, "problems": problems}
    if game.winners is not None:
        got["winners"] = [players[seat] for seat in game.winners]
    return got


def _position(rules: Rules, case: Case, players: list[str]) -> ReferenceRound:
    def seat_of(name: str, default: int | None) -> int | None:
        return default if case.get(name) is None else players.index(case[name])

    left = case.get("last_turns_left")
    hand = case.get("hand")
    played = ReferenceRound.from_position(
        rules,
        [read_grid(rules, text) for text in case["grids"].values()],
        read_cards(case["draw"]),
        read_cards(case["discard"]),
        turn=seat_of("turn", 0) or 0,
        starter=seat_of("starter", 0) or 0,
        closer=seat_of("closer", None),
        last_turns_left=None if left is None else [players.index(name) for name in left],
        stalled=bool(case.get("stalled", False)),
        hand=None if hand is None else int(hand),
    )
    if case.get("phase", played.phase) != played.phase:
        raise ValueError(f"phase: expected {played.phase}, got {case['phase']!r}")
    return played


def _run_position(rules: Rules, case: Case) -> dict[str, Any]:
    players = list(case["grids"])
    played = _position(rules, case, players)
    piles = [read_cards(pile) for pile in case.get("reshuffles", [])]

    def new_pile(cards: list[int]) -> list[int]:
        # A reshuffle that the case does not list may have any order.
        return piles.pop(0) if piles else cards

    problems = []
    for step in case.get("steps", []):
        if not _play_step(rules, played, players, step, new_pile):
            problems.append(f"{step}: expected a legal move")
            break
    for step in case.get("illegal", []):
        before = deepcopy(vars(played))
        if _play_step(rules, deepcopy(played), players, step, lambda cards: cards):
            problems.append(f"{step}: expected to be refused")
        if vars(played) != before:
            problems.append(f"{step}: expected the state to stay as it was")
    if not played.conserved():
        problems.append("cards: expected every card to be in play")
    return {**_position_results(rules, played, players), "problems": problems}


def _play_step(
    rules: Rules,
    played: ReferenceRound,
    players: list[str],
    step: str,
    new_pile: Callable[[list[int]], list[int]],
) -> bool:
    """Play a step; return whether it was the player's turn and the move was legal."""
    player, *words = step.split()
    move = read_move(rules, words)
    if players.index(player) != played.seat or move not in played.legal_moves():
        return False
    played.apply(move, new_pile)
    return True


def _position_results(rules: Rules, played: ReferenceRound, players: list[str]) -> dict[str, Any]:
    left = played.last_turns_left
    legal = played.legal_moves()
    steps = _legal_steps(rules, legal)
    grids = [write_grid(rules, grid) for grid in played.grids]
    return {
        "grids": dict(zip(players, grids, strict=True)),
        "discard": write_cards(played.discard),
        "draw": write_cards(played.draw),
        "hand": None if played.hand is None else str(played.hand),
        "turn": None if played.seat == -1 else players[played.seat],
        "phase": played.phase,
        "closer": None if played.closer is None else players[played.closer],
        "last_turns_left": None if left is None else [players[seat] for seat in left],
        "raw": _named(players, played.raw),
        "points": _named(players, played.points),
        "legal_count": len(legal),
        "legal_has": steps,
        "legal_has_not": steps,
    }


def _legal_steps(rules: Rules, legal: list[int]) -> list[str]:
    steps = ["draw"]
    for verb in ("flip", "take", "place"):
        for row in range(1, rules["rows"] + 1):
            for column in range(1, rules["columns"] + 1):
                steps.append(f"{verb} r{row}c{column}")
    return [step for step in steps if read_move(rules, step.split()) in legal]


RUNNERS: dict[str, Callable[[Rules, Case], dict[str, Any]]] = {
    "starter": _run_starter,
    "position": _run_position,
    "final_count": _run_final_count,
    "score": _run_score,
    "doubling_options": _run_doubling_options,
    "game_end": _run_game_end,
    "game": _run_game,
}
