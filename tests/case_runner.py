# SPDX-License-Identifier: MIT
"""The case files of the tests, and games played step by step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skyjo_core import Game, IllegalMove, move

Case = dict[str, Any]

DATA = Path(__file__).parent / "data"
CLASSIC = DATA / "classic.json"
OPTIONS = DATA / "options.json"


def load_cases(path: Path = CLASSIC) -> list[Case]:
    """The cases of a file."""
    cases: list[Case] = json.loads(path.read_text(encoding="utf-8"))
    return cases


def play_steps(game: Game, players: Sequence[str], steps: Sequence[str]) -> None:
    """Plays steps such as "A take r1c1"; raises where one is not that player's or not legal."""
    for step in steps:
        player, _, text = step.partition(" ")
        if players.index(player) != game.seat:
            raise IllegalMove(f"{step}: expected a move of seat {game.seat}")
        game.apply(move(text, rules=game.rules))


def rewound(case: Case) -> Case:
    """A case of a position without a card in hand: that it is drawn is the first step."""
    if case.get("hand") is None:
        return case
    player = case.get("turn", next(iter(case["grids"])))
    before = {key: case[key] for key in case if key not in ("hand", "phase")}
    return before | {
        "draw": [case["hand"], *case["draw"]],
        "steps": [f"{player} draw", *case.get("steps", [])],
    }
