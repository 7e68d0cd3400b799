# SPDX-License-Identifier: MIT
"""Rounds and cases on the fused loop: what goes in, what comes out, worded as cases are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from case_runner import Case, rewound
from reference.notation import read_cards, read_grid, write_grid
from skyjo_core import Rules, _core, move, move_name
from skyjo_core.case import players_of
from skyjo_core.conformance import compare

DRAW, PLACE, TAKE = 36, 24, 12
UP, GONE = "up", "gone"

# Why a case cannot be played in the loop.
COUNTED: Final = "no moves: one function counts on every path"
OTHER_RULES: Final = "rules that it does not play"
OPENING: Final = "it begins after the opening flips"
IN_HAND: Final = "a turn is one step: no new pile between the draw and what becomes of the card"

Turn = tuple[bool, bool, int]  # takes the discard, rejects the card drawn, cell
Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FusedRound:
    """A state of a round and the turns that are played from there."""

    rules: Rules
    cards: list[list[int | None]]  # by seat and cell, the hidden ones as well; None: a hole
    open: list[int]  # by seat, the cells that are not hidden as bits
    discard: list[int]
    draw: list[int]
    seat: int
    turns: list[Turn]
    closer: int | None = None
    stalled: bool = False
    reshuffles: list[list[int]] = field(default_factory=list)

    def play(self, *, whole: bool, n_turns: int | None = None) -> Found:
        """What _core.fused_round finds after the turns, or the first of them."""
        names = ("cards", "open", "discard", "draw", "reshuffles", "seat", "closer", "stalled")
        start = {name: getattr(self, name) for name in names}
        return _core.fused_round(self.rules._setup, start, self.turns[:n_turns], whole=whole)


def turns_of(moves: Sequence[int]) -> list[Turn]:
    """The moves of whole turns, a turn each; a draw at the end is no turn yet."""
    turns = []
    draws = False
    for number in moves:
        if number == DRAW:
            draws = True
            continue
        turns.append((not draws, draws and number < TAKE, number % 12))
        draws = False
    return turns


def revealed(found: Found) -> tuple[list[list[int | None]], list[int]]:
    """Grids and discards after the final reveal: equal columns lie on the discard pile."""
    grids, discard = [list(cells) for cells in found["cards"]], list(found["discard"])
    for cells in grids:
        for first in range(0, 12, 3):
            column = cells[first : first + 3]
            if column[0] is not None and len(set(column)) == 1:
                discard += column
                cells[first : first + 3] = [None] * 3
    return grids, discard


# Cases


def why_not_fused(case: Case) -> str | None:
    """Why a case cannot be played in the loop; None if it can."""
    if case["kind"] not in ("position", "final_count"):
        return COUNTED
    rules = Rules.from_dict(case.get("rules", {}))
    if not _core.fused_plays(rules._setup, len(players_of(case))):
        return OTHER_RULES
    if case.get("phase") == "FLIP":
        return OPENING
    if ends_in_hand(rewound(case)) and not case["draw"]:
        return IN_HAND
    return None


def ends_in_hand(case: Case) -> bool:
    return _moves(case)[-1:] == [DRAW]


def _moves(case: Case) -> list[int]:
    return [move(step.split(" ", 1)[1]) for step in case.get("steps", [])]


def fused_case(case: Case) -> FusedRound:
    players = players_of(case)
    rules = Rules.from_dict(case.get("rules", {}))
    grids = [read_grid(rules.to_dict(), text) for text in case["grids"].values()]
    closer = case.get("closer") if case["kind"] == "position" else None
    return FusedRound(
        rules,
        cards=[[value for value, _ in grid] for grid in grids],
        open=[
            sum(1 << cell for cell, (_, state) in enumerate(grid) if state in (UP, GONE))
            for grid in grids
        ],
        discard=read_cards(case.get("discard", ["0"])),
        draw=read_cards(case.get("draw", [])),
        seat=players.index(case.get("turn", players[0])),
        turns=turns_of(_moves(case)),
        closer=None if closer is None else players.index(closer),
        stalled=case.get("stalled", False),
        reshuffles=[read_cards(pile) for pile in case.get("reshuffles", [])],
    )


def run_fused(case: Case) -> list[str]:
    """The differences of a case in the loop: turn by turn and, where it ends the round, at once."""
    case = rewound(case)
    start, players = fused_case(case), players_of(case)
    if case["kind"] == "final_count":
        closer = None if case["closer"] is None else players.index(case["closer"])
        found = start.play(whole=False) | {"seat": None, "closer": closer}
        return [str(difference) for difference in compare(case["want"], _words(case, found))]
    differences = _seat_faults(case, start)
    found = start.play(whole=False)
    if found["seat"] is None and start.play(whole=True) != found:
        differences.append(f"expected {found} in one go, got {start.play(whole=True)}")
    words = _words(case, found)
    want = dict(case["want"])
    if ends_in_hand(case):
        # That the card drawn is the one given for it says nothing of the loop.
        want = {key: want[key] for key in want if key not in ("draw", "hand", "phase")}
    elif "draw" in want:
        want["draw"] = sorted(want["draw"])
    for step in case.get("illegal", []):
        player, text = step.split(" ", 1)
        if player == words["turn"] and text in words["legal_has"]:
            differences.append(f"{step}: expected no legal step")
    return differences + [str(difference) for difference in compare(want, words)]


def _seat_faults(case: Case, start: FusedRound) -> list[str]:
    """The loop asks seat after seat: what differs from whose steps they are."""
    n, players, left = len(start.cards), players_of(case), case.get("last_turns_left")
    order = [players[(start.seat + i) % n] for i in range(n)]
    if left is not None and left != order[: order.index(case["closer"])]:
        return [f"last_turns_left: expected those before the closer in {order}, got {left}"]
    whose = [order[i % n] for i in range(len(start.turns))]
    ends = [step.split(" ")[0] for step in case.get("steps", []) if not step.endswith(" draw")]
    return [] if ends == whose else [f"steps: expected turns of {whose}, got {ends}"]


def _words(case: Case, found: Found) -> Found:
    """What was found, as a case wants it."""
    players, rules = players_of(case), Rules.from_dict(case.get("rules", {}))
    over, closer = found["seat"] is None, found["closer"]
    grids, discard = revealed(found) if over else (found["cards"], found["discard"])
    legal = [] if over else found["legal_hold" if ends_in_hand(case) else "legal_turn"]
    steps = [move_name(number) for number in legal]
    points = _core.score(rules._setup, found["raw"], closer)
    texts = [
        write_grid(rules.to_dict(), _cells(cells, 0xFFF if over else up))
        for cells, up in zip(grids, found["open"], strict=True)
    ]
    return {
        "grids": dict(zip(players, texts, strict=True)),
        "discard": [str(card) for card in discard],
        "draw": sorted(str(card) for card in found["draw"]),
        "hand": None,
        "turn": None if over else players[found["seat"]],
        "phase": "OVER" if over else "TURN",
        "closer": None if closer is None else players[closer],
        "last_turns_left": None if closer is None else _left(players, found),
        "raw": dict(zip(players, found["raw"], strict=True)) if over else None,
        "points": dict(zip(players, points, strict=True)) if over else None,
        "legal_count": len(legal),
        "legal_has": steps,
        "legal_has_not": steps,
    }


def _cells(cells: Sequence[int | None], up: int) -> list[Any]:
    return [
        (value, GONE if value is None else UP if up >> cell & 1 else "down")
        for cell, value in enumerate(cells)
    ]


def _left(players: Sequence[str], found: Found) -> list[str]:
    if found["seat"] is None:
        return []
    n, first = len(players), found["seat"]
    return [players[(first + i) % n] for i in range((found["closer"] - first) % n)]


# Whole rounds of records


def fused_record(rules: Rules, n_seats: int, entry: dict[str, Any]) -> FusedRound:
    """A finished round of a record, from the end of its opening on."""
    deck, n_flips = entry["deck"], rules.initial_flips * n_seats
    opened = [0] * n_seats
    for i, cell in enumerate(entry["moves"][:n_flips]):
        opened[i // rules.initial_flips] |= 1 << cell
    n_dealt = 12 * n_seats
    return FusedRound(
        rules,
        cards=[deck[12 * seat : 12 * seat + 12] for seat in range(n_seats)],
        open=opened,
        discard=[deck[n_dealt]],
        draw=deck[n_dealt + 1 :],
        seat=entry["starter"],
        turns=turns_of(entry["moves"][n_flips:]),
        reshuffles=entry["reshuffles"],
    )
