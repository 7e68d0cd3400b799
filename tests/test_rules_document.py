# SPDX-License-Identifier: MIT
"""docs/rules.md tells what the package does: its options, its defaults, and tests that exist."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from typing import Any

import pytest

from case_runner import CLASSIC, OPTIONS, load_cases
from conftest import ROOT
from skyjo_core import Rules
from skyjo_core._core import RULE_WORDS
from skyjo_core.rules import DEFAULTS, PRESETS

TEXT = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
# Each rule: its number and its text, down to the next rule or heading.
RULES = {
    int(found[1]): found[2]
    for found in re.finditer(r"^- \*\*R(\d+)(.*?)(?=^- \*\*R\d|^$)", TEXT, re.MULTILINE | re.DOTALL)
}
SOURCES = re.search(r"\*\*Sources\*\*\n\n(.*?)\n\n", TEXT, re.DOTALL)
SHOWN = re.compile(r"tests/(\w+\.py)::(\w+)|\b([CO]\d\d[a-z]?)\b|\b(P\d+)\b")
CASES = {case["id"]: path.name for path in (CLASSIC, OPTIONS) for case in load_cases(path)}
KINDS = {"A", "G", "H", "V", "V/H", "H/V"}


def option_rows() -> dict[str, list[str]]:
    """The table of options: values, default, kind, rules, what it decides."""
    found = re.findall(r"^\| `(\w+)` \| (.*) \|$", TEXT, re.MULTILINE)
    return {name: rest.split(" | ") for name, rest in found if rest.count(" | ") == 4}


ROWS = option_rows()


@cache
def functions_in(file: str) -> frozenset[str]:
    """The names of the test functions in a file."""
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def shown_by(text: str) -> list[tuple[str, str, str, str]]:
    return SHOWN.findall(text)


# The rules


def test_ids_are_unique_and_consecutive() -> None:
    numbers = [int(number) for number in re.findall(r"^- \*\*R(\d+)", TEXT, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert list(RULES) == numbers


def test_ids_that_are_mentioned_exist() -> None:
    assert {int(number) for number in re.findall(r"\bR(\d+)\b", TEXT)} == set(RULES)


@pytest.mark.parametrize("number", RULES)
def test_every_rule_has_a_source_and_something_that_shows_it(number: int) -> None:
    found = re.search(r"\*Source: (.+?)\. (?:Option: (.+?)\. )?Shown\s+by: (.+)\.\*", flat(number))
    assert found is not None
    assert SOURCES is not None
    keys = re.findall(r"\b(?:S\d|[A-Z]+(?:-[A-Z]+)?|ours)\b", found[1])
    assert keys or re.fullmatch(r"follows from R\d+( and R\d+)?", found[1])
    for key in keys:
        assert re.search(rf"\b{key}\b", SOURCES[1]) or re.fullmatch(r"R\d+", key), key
    assert {name.strip("`") for name in (found[2] or "").split(", ") if name} <= set(DEFAULTS)
    assert shown_by(found[3])


def flat(number: int) -> str:
    """A rule in one line."""
    return " ".join(RULES[number].split())


def test_named_tests_exist() -> None:
    named = [(file, name) for file, name, _, _ in shown_by(TEXT) if file]
    assert named
    for file, name in named:
        assert name in functions_in(file), f"tests/{file}::{name}"


def test_cases_that_are_cited_exist() -> None:
    cited = {case for _, _, case, _ in shown_by(TEXT) if case}
    assert cited <= set(CASES)


def test_every_case_of_the_rules_by_default_shows_a_rule() -> None:
    cited = {case for rule in RULES.values() for _, _, case, _ in shown_by(rule)}
    assert {id_ for id_, file in CASES.items() if file == CLASSIC.name} <= cited


def test_every_pitfall_of_the_game_shows_a_rule() -> None:
    """P1 to P42; each stands in the name of a test."""
    cited = {pitfall for rule in RULES.values() for _, _, _, pitfall in shown_by(rule) if pitfall}
    assert cited == {f"P{number}" for number in range(1, 43)}
    files = ("test_pitfalls.py", "test_view.py", "test_rng.py")
    names = [name for file in files for name in functions_in(file)]
    for pitfall in cited:
        prefix = f"test_p{int(pitfall[1:]):02}_"
        assert any(name.startswith(prefix) for name in names), pitfall


# The options


def test_every_option_has_a_row_in_the_order_of_the_fields() -> None:
    assert list(ROWS) == list(DEFAULTS)
    assert {row[2] for row in ROWS.values()} <= KINDS


@pytest.mark.parametrize("name", DEFAULTS)
def test_default_in_the_table_is_that_of_the_rules(name: str) -> None:
    default = ROWS[name][1].replace(",", "")
    value = str(getattr(Rules(), name))
    assert default == {"None": "off", "True": "true", "False": "false"}.get(value, value)


@pytest.mark.parametrize("name", RULE_WORDS)
def test_words_in_the_table_are_those_of_the_rules(name: str) -> None:
    assert ROWS[name][0].split(", ") == list(RULE_WORDS[name])


# Fields that let the others take the largest or smallest value.
BESIDES: dict[str, dict[str, Any]] = {
    "rows": {"columns": 1, "initial_flips": 1},
    "columns": {"rows": 1, "initial_flips": 1},
    "threshold": {"max_rounds": 1},
}


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if " to " in row[0]][1:])
def test_limits_in_the_table_are_those_of_the_rules(name: str) -> None:
    found = re.fullmatch(r"([\d,]+) to ([\d,]+)(, off)?", ROWS[name][0])
    assert found is not None
    low, high = (int(number.replace(",", "")) for number in found.groups()[:2])
    fields: dict[str, Any] = BESIDES.get(name, {})
    right: list[int | None] = [low, high]
    wrong: list[int | None] = [low - 1, high + 1]
    (right if found[3] else wrong).append(None)
    for value in right:
        assert getattr(Rules(**fields | {name: value}), name) == value
    for value in wrong:
        with pytest.raises(ValueError, match=f"{name}: expected"):
            Rules(**fields | {name: value})


def test_decks_in_the_table_are_those_of_the_rules() -> None:
    names = re.findall(r"\b[a-z]+\d+\b", ROWS["deck"][0])
    assert [Rules(deck=name).deck for name in names] == ["classic150", "numbers105"]
    assert Rules(deck=[[-4, 120], [13, 120]]).values == (-4, 13)
    for deck in ([[-5, 60]], [[14, 60]], [[1, 121]], [[1, 120], [2, 120], [3, 1]]):
        with pytest.raises(ValueError, match="deck: expected"):
            Rules(deck=deck)


def test_options_name_the_rules_that_name_them() -> None:
    """Both ways: the table's rules, and each rule's options."""
    by_rule: dict[str, set[str]] = {name: set() for name in DEFAULTS}
    for number in RULES:
        found = re.search(r"Option: (.+?)\. Shown", flat(number))
        for name in re.findall(r"`(\w+)`", found[1] if found else ""):
            by_rule[name].add(f"R{number}")
    for name, row in ROWS.items():
        assert set(row[3].split(", ")) <= by_rule[name], name
        assert by_rule[name], name


def test_presets_are_told() -> None:
    found = re.search(r"^\*\*Presets\.\*\*(.*?)$\n\n", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None
    for preset, changes in PRESETS.items():
        assert f"`{preset}`" in found[1]
        for name, value in changes.items():
            assert f"`{name}={json.dumps(value).strip(chr(34))}`" in found[1]


def test_figures_of_random_play_have_their_place() -> None:
    assert "\n## How random play looks\n" in TEXT
