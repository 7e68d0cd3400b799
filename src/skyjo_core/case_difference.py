# SPDX-License-Identifier: MIT
"""In what a case is not right, and how what it wants is compared with what was found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["Difference", "Missing", "by_player", "compare", "listed", "reason", "show"]

_MAX_SHOWN: Final = 300  # characters of a value
_MAX_REASON: Final = 2000  # of what an error says


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which a case is not right.

    Attributes
    ----------
    key : str
        Where: a key of the case, with dots below it: "steps", "want.grids.A".
    expected, got : str
        Texts for a reader.
    """

    key: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.key}: expected {self.expected}, got {self.got}"


def show(value: object) -> str:
    """The `repr` of a value, cut where it is long."""
    return _cut(repr(value), _MAX_SHOWN)


def reason(error: Exception) -> str:
    """What an error says, cut where it is long."""
    return _cut(str(error), _MAX_REASON)


def _cut(text: str, n: int) -> str:
    return text if len(text) <= n else text[:n] + "..."


class Missing(str):
    """Why a wanted thing does not exist; equal to nothing that a case can want."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def compare(want: Mapping[str, Any], found: Mapping[str, Any]) -> list[Difference]:
    """The wanted things that were not found so; of `found`, each key that `want` may have."""
    differences = []
    for key, wanted in want.items():
        if key == "grids":
            differences += _compare_grids(wanted, found[key])
        elif key in ("legal_has", "legal_has_not"):
            differences += _compare_steps(key, wanted, found[key])
        elif not _is_same(key, wanted, found[key]):
            differences.append(Difference(f"want.{key}", show(wanted), show(found[key])))
    return differences


def _is_same(key: str, wanted: Any, found: Any) -> bool:
    if isinstance(found, Missing):
        return False
    if key in ("tied", "winners"):
        return sorted(wanted) == sorted(found)
    return bool(wanted == found)


def _compare_grids(wanted: Mapping[str, str], found: Mapping[str, str]) -> list[Difference]:
    return [
        Difference(f"want.grids.{player}", show(grid), show(found[player]))
        for player, grid in wanted.items()
        if _cells(grid) != _cells(found[player])
    ]


def _cells(grid: str) -> list[list[str]]:
    return [row.split() for row in grid.split("/")]


def _compare_steps(key: str, wanted: Sequence[str], legal: Sequence[str]) -> list[Difference]:
    among = "among" if key == "legal_has" else "not among"
    return [
        Difference(f"want.{key}", f"{show(step)} {among} the legal steps", listed(legal))
        for step in wanted
        if (step in legal) != (key == "legal_has")
    ]


def listed(names: Sequence[str]) -> str:
    """Names in a text."""
    return ", ".join(names) or "nothing"


def by_player(players: Sequence[str], values: Iterable[Any]) -> dict[str, Any]:
    """The values by the names of the players."""
    return dict(zip(players, values, strict=True))
