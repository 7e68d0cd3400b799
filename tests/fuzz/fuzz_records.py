# SPDX-License-Identifier: MIT
"""Fuzzes the reader of records: no input breaks it, and what it accepts the reference accepts."""

from __future__ import annotations

import gzip
import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fuzz.fuzzing import run, words_of
from reference import check_record
from skyjo_core import Game, Rules
from skyjo_core.record_difference import Difference
from skyjo_core.record_file import RecordFile
from skyjo_core.verify import verify_file
from small_records import SMALL, closed_by_seat_1, with_a_new_pile

MANY_CHARACTERS = 20_000
RULES = [
    Rules(threshold=None, max_rounds=1),
    SMALL.replace(deck=[[-1, 2], [1, 3], [4, 3]], max_rounds=2),
    SMALL.replace(rows=2, columns=2, deck=[[-2, 4], [7, 8]], winner_tie="playoff", threshold=20),
    SMALL.replace(reshuffle="all_then_flip", reshuffle_timing="eager", start_tie="random"),
]


def records() -> list[dict[str, Any]]:
    """Small right records: finished, running, aborted."""
    found = [closed_by_seat_1(), with_a_new_pile()]
    for number, rules in enumerate(RULES):
        for n_moves in (200, 7):
            game = Game(2, rules, number)
            rng = random.Random(number)
            while game.seat >= 0 and n_moves:
                game.apply(rng.choice(game.legal_moves()))
                n_moves -= 1
            found.append(game.record())
    fault = {"round": 0, "move": 0, "seat": 0, "kind": "exception", "detail": "x"}
    found.append({**found[-1], "end": "abort", "faults": [fault]})
    return found


def seeds() -> Iterator[bytes]:
    """The records, each as a file, and some of them as one, plain and packed."""
    lines = [json.dumps(record).encode() for record in records()]
    yield from lines
    yield b"\n".join(lines[:3])
    yield gzip.compress(b"\n".join(lines[:3]), mtime=0)


def check(data: bytes) -> None:
    """Reads the input as a file of records."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(data)
        verdicts = list(verify_file(file.name))
        with RecordFile(file.name) as opened:
            lines = list(opened)
    numbers = list(range(1, len(lines) + 1))
    assert [number for number, _ in lines] == numbers
    assert [verdict.line for verdict in verdicts] == numbers
    for (_, line), verdict in zip(lines, verdicts, strict=True):
        if verdict.difference is None:
            assert not isinstance(line, Difference)
            assert check_record(json.loads(line)) == [], line
        else:
            assert len(str(verdict.difference)) < MANY_CHARACTERS


if __name__ == "__main__":
    run(check, seeds(), words_of(records()), is_json=True)
