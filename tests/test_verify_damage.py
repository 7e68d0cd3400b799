# SPDX-License-Identifier: MIT
"""A hundred thousand damaged records: verify never breaks, and lets no lie pass.

What it lets pass is held against the slow reference; so all that the reference refuses is refused.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reference import check_record
from skyjo_core import HIDDEN, Game, Rules, View, play_game
from skyjo_core.verify import verify_file, verify_record

Record = dict[str, Any]
Place = tuple[Any, Any]

SHORT = {"threshold": None, "max_rounds": 1}
KINDS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"max_rounds": 2}),
    (8, {"reshuffle_timing": "eager", "stall_limit": None, "max_turns_per_round": 120}),
    (8, {"reshuffle": "all_then_flip", "stall_limit": None, "max_turns_per_round": 120}),
    (2, {"winner_tie": "playoff", "deck": [[0, 24], [1, 2]], "max_rounds_guard": 3}),
    (3, {"winner_tie": "last_round", "deck": [[0, 40], [1, 2]], "max_rounds": 2}),
    (4, {"start_tie": "random", "deck": [[1, 20], [2, 40]]}),
    (3, {"start_first": "random", "start_later": "random", "max_rounds": 2}),
    (3, {"initial_flips": 0, "start_tie": "random"}),
    (2, {"row_removal": True, "deck": [[0, 20], [5, 20]]}),
    (10, {"rows": 3, "columns": 3, "initial_flips": 1}),
    (2, {"rows": 1, "columns": 2, "initial_flips": 1, "deck": [[1, 3], [2, 3], [12, 1]]}),
    (2, {"rows": 2, "columns": 2, "deck": [[-2, 4], [7, 8]], "double": "strict_all"}),
    (2, {"threshold": 30, "max_rounds": None, "last_turns": "equal_turns"}),
    (2, {"stall_limit": 1, "forbid_same_value_swap": True}),
    (3, {"max_turns_per_round": 5, "start_later": "closer", "max_rounds": 2}),
    (2, {"reveal_timing": "after_own_last_turn", "column_removal": "not_negative"}),
    (2, {"last_turns": "none", "initial_flip_restriction": "different_columns"}),
]


def play(seats: int, rules: Rules, rng: random.Random) -> Record:
    """A game of random moves, some of which draw as long as they can, some cut short."""
    game = Game(seats, rules, rng.getrandbits(64), deck=rng.choice(["stack", "lanes"]))
    draws = rng.choice([0.0, 0.0, 0.9])
    n_moves = rng.choice([-1, -1, -1, -1, rng.randrange(40)])
    while game.seat >= 0 and n_moves != 0:
        legal = game.legal_moves()
        if rng.random() < draws and game.phase.name in ("TURN", "HOLD"):
            cells = game.view().cells(0)
            legal = [
                move for move in legal if move == 36 or (move >= 24 and cells[move - 24] != HIDDEN)
            ] or legal
        game.apply(rng.choice(legal))
        n_moves -= 1
    return game.record()


def with_faults(seats: int, rules: Rules, rng: random.Random) -> Record:
    """A game in which bots fail now and then."""

    def choose(view: View) -> Any:
        chance = rng.random()
        if chance < 0.01:
            return "nonsense"
        if chance < 0.02:
            raise RuntimeError
        return rng.choice(view.legal_moves)

    on_fault = rng.choice(["forfeit", "abort"])
    seed = rng.getrandbits(64)
    return play_game([choose] * seats, seed=seed, rules=rules, on_fault=on_fault).record()


def right_records(rng: random.Random) -> list[str]:
    records = []
    for seats, fields in KINDS:
        rules = Rules(**SHORT | fields)
        for number in range(6):
            record = (play if number < 4 else with_faults)(seats, rules, rng)
            assert check_record(record) == []
            assert verify_record(record) is None
            records.append(json.dumps(record))
    return records


# Damage


def places_of(value: Any) -> list[Place]:
    """Every place in a tree of lists and objects, as its parent and key."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    places: list[Place] = []
    for key in keys:
        places.append((value, key))
        if isinstance(value[key], (dict, list)):
            places += places_of(value[key])
    return places


def some_place(record: Record, rng: random.Random, wanted: Callable[[Any], bool]) -> Place:
    """A place with such a value; the many cards and moves do not crowd out the others."""
    places = [place for place in places_of(record) if wanted(place[0][place[1]])]
    if rng.random() < 0.5:
        few = [place for place in places if len(place[0]) < 12]
        places = few or places
    return rng.choice(places)


def is_number(value: Any) -> bool:
    return type(value) is int


def is_anything(value: Any) -> bool:
    return True


def change_number(record: Record, rng: random.Random) -> None:
    parent, key = some_place(record, rng, is_number)
    parent[key] += rng.choice([-(10**20), -13, -2, -1, 1, 1, 2, 12, 24, 100, 2**31, 10**4000])


def other_number(record: Record, rng: random.Random) -> None:
    parent, key = some_place(record, rng, is_number)
    parent[key] = rng.choice([-1, 0, 1, 2, 3, 5, 12, 36, 37])


def insert_number(record: Record, rng: random.Random) -> None:
    lists = [parent for parent, _ in places_of(record) if isinstance(parent, list)]
    lists += [entry["reshuffles"] for entry in record["rounds"]] + [record["faults"]]
    some = rng.choice(lists)
    some.insert(rng.randint(0, len(some)), rng.choice([0, 1, 2, 7, 36]))


def delete(record: Record, rng: random.Random) -> None:
    parent, key = some_place(record, rng, is_anything)
    del parent[key]


def double(record: Record, rng: random.Random) -> None:
    """Something comes twice in its list."""
    place = some_place(record, rng, is_anything)
    parent, key = place
    if isinstance(parent, list):
        parent.insert(key, parent[key])
    else:
        parent[f"{key}{rng.choice(['', 's'])}"] = parent[key]


def swap(record: Record, rng: random.Random) -> None:
    """Two values of one list change places: cards of a deck or a pile, moves, seats."""
    lists = [parent for parent, _ in places_of(record) if isinstance(parent, list)]
    some = rng.choice(lists)
    i, j = rng.randrange(len(some)), rng.randrange(len(some))
    some[i], some[j] = some[j], some[i]


def other_type(record: Record, rng: random.Random) -> None:
    parent, key = some_place(record, rng, is_anything)
    value = parent[key]
    others = [None, True, False, str(value), [value], {"value": value}, [], {}, "", 0, 1]
    if is_number(value):
        others += [float(value), bool(value), str(value)]
    parent[key] = rng.choice(others)


def other_rules(record: Record, rng: random.Random) -> None:
    """The record of a game by other rules."""
    _, fields = rng.choice(KINDS)
    rules = Rules(**SHORT | fields).to_dict()
    name = rng.choice(list(rules))
    record["rules"][name] = rules[name]


def other_result(record: Record, rng: random.Random) -> None:
    """A lie that has the right form."""
    entry = rng.choice(record["rounds"])
    n_seats = len(record["players"])
    change: Record = rng.choice(
        [
            {"starter": rng.choice([None, *range(n_seats)])},
            {"closer": rng.choice([None, *range(n_seats)])},
            {"stalled": not entry["stalled"]},
            {"capped": not entry["capped"]},
            {"raw": entry["points"]},
            {"points": entry["raw"]},
            {"moves": entry["moves"][: rng.randint(0, len(entry["moves"]))]},
            {"reshuffles": []},
        ]
    )
    entry |= change
    record["end"] = rng.choice([record["end"]] * 7 + ["threshold", "max_rounds", "abort", None])


def other_fault(record: Record, rng: random.Random) -> None:
    """Another fault, a changed one, or none."""
    entry = rng.choice(record["rounds"])
    fault = {
        "round": rng.randrange(len(record["rounds"]) + 1),
        "move": rng.randint(0, len(entry["moves"]) + 1),
        "seat": rng.randrange(len(record["players"])),
        "kind": rng.choice(["illegal_move", "illegal_move", "exception", "crash"]),
        "detail": "",
    }
    record["faults"] = rng.choice([[], [fault], [*record["faults"], fault]])
    record["places"] = rng.choice([record["places"], record["places"], None])


TREES = [
    *(change_number, change_number, other_number, insert_number, delete, double, swap, swap),
    *(other_type, other_rules, other_result, other_result, other_fault),
]


def flip_bytes(line: bytes, rng: random.Random) -> bytes:
    changed = bytearray(line)
    for _ in range(rng.choice([1, 1, 2, 10])):
        changed[rng.randrange(len(changed))] = rng.choice([rng.randrange(256), 48, 49, 44, 32])
    return bytes(changed)


def cut(line: bytes, rng: random.Random) -> bytes:
    return line[: rng.randrange(len(line))]


def double_text(line: bytes, rng: random.Random) -> bytes:
    first, last = sorted((rng.randrange(len(line)), rng.randrange(len(line))))
    return rng.choice([line + line, line[:last] + line[first:]])


def leave_out(line: bytes, rng: random.Random) -> bytes:
    first = rng.randrange(len(line))
    return line[:first] + line[first + rng.choice([1, 1, 2, 30]) :]


TEXTS = [flip_bytes, flip_bytes, cut, double_text, leave_out]


def damage(line: str, rng: random.Random) -> bytes:
    if rng.random() < 0.25:
        return rng.choice(TEXTS)(line.encode(), rng)
    record = json.loads(line)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        try:
            rng.choice(TREES)(record, rng)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError):
            break  # the damage before was too great for more
    return json.dumps(record).encode()


def check(seed: int, n_records: int, path: Path) -> Counter[bool]:
    """Verifies so many damaged records as one file; counts what passed."""
    rng = random.Random(seed)
    right = right_records(rng)
    lines = [damage(rng.choice(right), rng).replace(b"\n", b" ") for _ in range(n_records)]
    known = {line.encode() for line in right}  # some damage changes nothing
    path.write_bytes(b"\n".join(lines) + b"\n")
    counts: Counter[bool] = Counter()
    verdicts = list(verify_file(path))
    assert [verdict.line for verdict in verdicts] == list(range(1, n_records + 1))
    for line, verdict in zip(lines, verdicts, strict=True):
        passed = verdict.difference is None
        counts[passed] += 1
        if line in known:
            assert passed
        elif passed:
            assert check_record(json.loads(line)) == [], line
        else:
            assert len(str(verdict.difference)) < 20_000
    return counts


@pytest.mark.parametrize("seed", range(2))
def test_damaged_records_are_refused_or_right(seed: int, tmp_path: Path) -> None:
    counts = check(seed, 500, tmp_path / "records")
    assert counts[False] > 250


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_a_hundred_thousand_damaged_records_are_refused_or_right(seed: int, tmp_path: Path) -> None:
    counts = check(seed, 10_000, tmp_path / "records")
    assert counts[False] > 5_000
