# SPDX-License-Identifier: MIT
"""The list of wrong rules fits the engine; tests/mutations.py runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutations import TESTS, Mutation, main, mutations

MUTATIONS = {mutation.name: mutation for mutation in mutations()}


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutation_fits_its_file(name: str) -> None:
    assert MUTATIONS[name].fault() is None


def test_mutations_are_many_and_named_apart() -> None:
    assert len(MUTATIONS) == len(mutations()) >= 25


def test_every_file_of_judging_tests_exists(root: Path) -> None:
    assert [test for test in TESTS if not (root / test.partition("::")[0]).is_file()] == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("std::", "x", "found it"),
        ("no such line", "x", "found it 0 times"),
        ("Points of a round, and who", "Points of a round, and who", "replaced by itself"),
    ],
)
def test_mutation_that_does_not_fit_is_told(old: str, new: str, fault: str) -> None:
    found = Mutation("wrong", "cpp/include/skyjo/scoring.hpp", old, new).fault()
    assert found is not None
    assert fault in found


def test_list_prints_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    assert capsys.readouterr().out.splitlines() == list(MUTATIONS)


def test_a_name_that_no_mutation_has_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "no such rule"])
    assert "'no such rule'" in capsys.readouterr().err
