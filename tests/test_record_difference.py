# SPDX-License-Identifier: MIT
"""What a difference says, and how values of records are written out."""

from __future__ import annotations

from typing import Any

from skyjo_core.record_difference import Difference, shortened, text_of


def test_a_difference_names_what_it_knows() -> None:
    assert str(Difference("end", "'guard'", "null")) == "end: expected 'guard', got null"
    assert str(Difference("deck", "a", "b", 0)) == "round 0: deck: expected a, got b"
    assert str(Difference("deck", "a", "b", 0, 0)) == "round 0, move 0: deck: expected a, got b"


def test_values_are_told_as_json_has_them_and_strings_in_quotes() -> None:
    value = {"a": [None, True, False, 1, 1.5, "it's\n"], "b": {}}
    assert text_of(value) == "{'a': [null, true, false, 1, 1.5, \"it's\\n\"], 'b': {}}"
    assert text_of((1, 2)) == "[1, 2]"


def test_long_and_deep_values_are_cut_short() -> None:
    deep: list[Any] = []
    deep.append(deep)
    assert len(text_of(deep)) < 100
    assert text_of([1, 2] * 1000) == f"[{', '.join(['1', '2'] * 150)}, ...]"
    assert len(text_of([[7] * 1000] * 1000)) < 40_000
    assert text_of("x" * 5000) == repr("x" * 997 + "...")
    assert text_of(-(10**5000)) == "a negative number of about 4983 digits"
    assert shortened("abcdef", 6) == "abcdef"
    assert shortened("abcdefg", 6) == "abc..."
