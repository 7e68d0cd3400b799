# SPDX-License-Identifier: MIT
"""Fuzzes the reader of cases: no input breaks it, and right sums are right on the reference too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from case_runner import CLASSIC, OPTIONS, Case, load_cases
from fuzz.fuzzing import run, words_of
from reference import run_case as run_on_the_reference
from skyjo_core.case import case_faults, players_of, read_cases
from skyjo_core.conformance import run_cases

SUMS = ("score", "doubling_options", "game_end", "game")  # cases in which chance has no say


def seeds() -> Iterator[bytes]:
    """Every case of the files as a file of its own, and three in one."""
    cases = [*load_cases(CLASSIC), *load_cases(OPTIONS)]
    for case in cases:
        yield json.dumps([case]).encode()
    yield json.dumps(cases[:3]).encode()


def check(data: bytes) -> None:
    """Reads the input as a file of cases and runs them."""
    try:
        cases = read_cases(data.decode("utf-8-sig"))
    except ValueError:
        return
    results = run_cases(cases)
    assert [result.number for result in results] == list(range(1, len(cases) + 1))
    for case, result in zip(cases, results, strict=True):
        assert json.dumps(asdict(result))
        assert all(str(difference) for difference in result.differences)
        if not result.differences:
            assert case_faults(case) == []
            assert isinstance(case, dict)
            check_on_the_reference(case)


def check_on_the_reference(case: Case) -> None:
    """A right sum is right there, too; the reference has winners in the order of the seats."""
    if case["kind"] not in SUMS:
        return
    want: dict[str, Any] = dict(case["want"])
    if "winners" in want:
        want["winners"] = sorted(want["winners"], key=players_of(case).index)
    assert run_on_the_reference({**case, "want": want}) == [], case


if __name__ == "__main__":
    words = words_of([*load_cases(CLASSIC), *load_cases(OPTIONS)])
    run(check, seeds(), words, is_json=True)
