# SPDX-License-Identifier: MIT
"""Runs case files on the engine, through its public names (cases/README.md, classic game only)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from skyjo_core import Game, IllegalMove, Rules, _core, move, move_name

Case = dict[str, Any]
Result = dict[str, Any]

CLASSIC = Path(__file__).parent / "data" / "classic.json"

_ALWAYS = {"id", "title", "kind", "want", "rules", "note"}
_GIVEN = {
    *("grids", "draw", "discard", "hand", "turn", "starter", "closer", "last_turns_left"),
    *("reshuffles", "stalled", "totals", "phase"),
}
_KEYS: dict[str, set[str]] = {
    "starter": {"open"},
    "position": _GIVEN | {"steps", "illegal"},
    "final_count": {"grids", "closer"},
    "score": {"raw", "closer"},
    "doubling_options": {"raw", "closer"},
    "game_end": {"totals", "points", "raw", "closer"},
    "game": {"rounds"},
}


def load_cases(path: Path = CLASSIC) -> list[Case]:
    """The cases of a file."""
    cases: list[Case] = json.loads(path.read_text(encoding="utf-8"))
    return cases


def play_steps(game: Game, players: Sequence[str], steps: Sequence[str]) -> None:
    """Plays steps such as "A take r1c1"; raises where one is not that player's or not legal."""
    for step in steps:
        seat, number = _read_step(game, players, step)
        if seat != game.seat or number is None:
            raise IllegalMove(f"{step}: expected a move of seat {game.seat}")
        game.apply(number)


def run_case(case: Case) -> list[str]:
    """The differences between what a case wants and what the engine does; none if it is right."""
    kind = case.get("kind")
    if kind not in _KEYS:
        return [f"kind: expected one of {sorted(_KEYS)}, got {kind!r}"]
    faults = [f"{key}: unknown key" for key in sorted(set(case) - _ALWAYS - _KEYS[kind])]
    faults += [f"{key}: missing" for key in sorted({"id", "title", "want"} - set(case))]
    if faults:
        return faults
    rules = Rules.from_dict(case.get("rules", {}))
    got = _RUNNERS[kind](rules, case)
    return [*got.pop("problems", ()), *_differences(case["want"], got)]


def _differences(want: Result, got: Result) -> list[str]:
    differences = []
    for key, expected in want.items():
        if key not in got:
            differences.append(f"{key}: this kind of case gives no such result")
        elif key == "grids":
            for player, grid in expected.items():
                if grid.split() != got["grids"][player].split():
                    differences.append(f"grid of {player}: {grid!r}, got {got['grids'][player]!r}")
        elif key in ("legal_has", "legal_has_not"):
            wrong = [step for step in expected if (step in got[key]) != (key == "legal_has")]
            differences += [f"{key}: {step}" for step in wrong]
        elif expected != got[key]:
            differences.append(f"{key}: expected {expected!r}, got {got[key]!r}")
    return differences


def _read_step(game: Game, players: Sequence[str], step: str) -> tuple[int, int | None]:
    """Seat and move of a step; no move for `drop`, which the classic game does not know."""
    player, _, text = step.partition(" ")
    number = None if text == "drop" else move(text, rules=game.rules)
    return players.index(player), number


def _is_refused(game: Game, players: Sequence[str], step: str) -> bool:
    seat, number = _read_step(game, players, step)
    if seat != game.seat or number is None:
        return True
    try:
        game.apply(number)
    except IllegalMove:
        return True
    return False


def _named(players: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(players, values, strict=True))


def _run_starter(rules: Rules, case: Case) -> Result:
    players = list(case["open"])
    cards = [(sum(pair), max(pair)) for pair in case["open"].values()]
    starter = _core.starter(rules._setup, cards)
    # A seat is among those with the highest sum when the lowest-seat tie-break picks it first.
    by_seat = rules.replace(start_tie="seat")._setup
    tied = [
        player
        for seat, player in enumerate(players)
        if _core.starter(by_seat, cards[seat:] + cards[:seat]) == 0
    ]
    return {"starter": players[starter], "tied": tied}


def _run_position(rules: Rules, case: Case) -> Result:
    players = list(case["grids"])
    given = {key: case[key] for key in _GIVEN & set(case)}
    game = Game.from_position(**given, rules=rules)
    problems = []
    for step in case.get("steps", []):
        if _is_refused(game, players, step):
            problems.append(f"{step}: expected a legal move")
    for step in case.get("illegal", []):
        before = game.position()
        if not _is_refused(game, players, step):
            problems.append(f"{step}: expected to be refused")
        elif game.position() != before:
            problems.append(f"{step}: expected the state to stay as it was")
    return {**_position_results(game, players), "problems": problems}


def _position_results(game: Game, players: list[str]) -> Result:
    position = game.position()

    def player(seat: int | None) -> str | None:
        return None if seat is None else players[seat]

    left = position["last_turns_left"]
    legal = [move_name(number, rules=game.rules) for number in game.legal_moves()]
    result = {
        "grids": _named(players, position["grids"]),
        "discard": [str(card) for card in position["discard"]],
        "draw": [str(card) for card in position["draw"]],
        "hand": None if position["hand"] is None else str(position["hand"]),
        "turn": player(position["turn"]),
        "phase": position["phase"],
        "closer": player(position["closer"]),
        "last_turns_left": None if left is None else [players[seat] for seat in left],
        "legal_count": len(legal),
        "legal_has": legal,
        "legal_has_not": legal,
    }
    if game.rounds:
        result["raw"] = _named(players, game.rounds[0].raw)
        result["points"] = _named(players, game.rounds[0].points)
    return result


def _run_final_count(rules: Rules, case: Case) -> Result:
    """Counts grids by a last turn that changes nothing: a card is exchanged for its equal."""
    players = list(case["grids"])
    closer = case["closer"]
    seat = next(i for i, player in enumerate(players) if player != closer)
    words = case["grids"][players[seat]].replace("/", " ").split()
    index, word = next((i, word) for i, word in enumerate(words) if word != ".")
    if closer is None:  # a capped round has no closer
        rules = rules.replace(max_turns_per_round=1)
    game = Game.from_position(
        grids=case["grids"],
        draw=[],
        discard=[word.removeprefix("h")],
        turn=seat,
        closer=closer,
        last_turns_left=None if closer is None else [seat],
        rules=rules,
    )
    row, column = divmod(index, rules.columns)
    game.apply(move(f"take r{row + 1}c{column + 1}", rules=rules))
    return _position_results(game, players)


def _points(rules: Rules, raw: dict[str, int], closer: str | None) -> dict[str, int]:
    players = list(raw)
    seat = None if closer is None else players.index(closer)
    return _named(players, _core.score(rules._setup, list(raw.values()), seat))


def _run_score(rules: Rules, case: Case) -> Result:
    return {"points": _points(rules, case["raw"], case["closer"])}


def _run_doubling_options(rules: Rules, case: Case) -> Result:
    closer = case["closer"]
    return {
        "closer_points": {
            option: [
                _points(rules.replace(double=option), raw, closer)[closer] for raw in case["raw"]
            ]
            for option in ("strict_positive", "off", "ties_ok", "strict_all")
        }
    }


def _run_game_end(rules: Rules, case: Case) -> Result:
    points = case.get("points") or _points(rules, case["raw"], case["closer"])
    totals = {player: total + points[player] for player, total in case["totals"].items()}
    return {"totals": totals, **_end(rules, totals, 1)}


def _run_game(rules: Rules, case: Case) -> Result:
    totals = dict.fromkeys(case["rounds"][0]["raw"], 0)
    history = []
    problems = []
    end: Result = {"over": False}
    for number, entry in enumerate(case["rounds"], start=1):
        if end["over"]:
            problems.append(f"round {number}: expected the game to run, it is over")
        points = _points(rules, entry["raw"], entry["closer"])
        totals = {player: total + points[player] for player, total in totals.items()}
        history.append(totals)
        end = _end(rules, totals, number)
    return {"totals_after_each_round": history, "problems": problems, **end}


def _end(rules: Rules, totals: dict[str, int], n_rounds: int) -> Result:
    values = list(totals.values())
    if _core.game_end(rules._setup, values, n_rounds) is None:
        return {"over": False}
    places = _core.places(values)
    winners = [player for player, place in zip(totals, places, strict=True) if place == 1]
    return {"over": True, "winners": winners}


_RUNNERS: dict[str, Callable[[Rules, Case], Result]] = {
    "starter": _run_starter,
    "position": _run_position,
    "final_count": _run_final_count,
    "score": _run_score,
    "doubling_options": _run_doubling_options,
    "game_end": _run_game_end,
    "game": _run_game,
}
