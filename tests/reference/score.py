# SPDX-License-Identifier: MIT
"""The score of a round: A.8."""

from __future__ import annotations

from .rules import Rules


def closer_is_doubled(double: str, raw: list[int], closer: int) -> bool:
    """Return whether the closer's raw score is multiplied (A.8 step 2 and option `double`)."""
    own = raw[closer]
    others = [raw[seat] for seat in range(len(raw)) if seat != closer]
    somebody_lower_or_equal = any(other <= own for other in others)
    somebody_lower = any(other < own for other in others)
    if double == "strict_positive":
        return somebody_lower_or_equal and own > 0
    if double == "ties_ok":
        return somebody_lower and own > 0
    if double == "strict_all":
        return somebody_lower_or_equal
    assert double == "off"
    return False


def points_of_round(rules: Rules, raw: list[int], closer: int | None) -> list[int]:
    """Return the points of every seat; without a closer nobody is doubled (A.8, A.12)."""
    points = list(raw)
    if closer is not None and closer_is_doubled(rules["double"], raw, closer):
        points[closer] = rules["double_factor"] * raw[closer]
    return points
