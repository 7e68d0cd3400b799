# SPDX-License-Identifier: MIT
"""How a tournament is played: the options by their names, checked."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, field
from typing import Final

from skyjo_core.rules import Rules

__all__ = ["Settings"]

_MAX_WORKERS: Final = 1024
_MIN_PRIOR: Final = 1e-6  # below it the ratings of a separated field are beyond a float


@dataclass(frozen=True, slots=True)
class Settings:
    """How a tournament is played: the options of the command line, by their names."""

    seats: int = 2
    deals: int = 100
    seed: int = 1
    workers: int = 2
    rules: Rules = field(default_factory=Rules)
    duplicate: str = "rotate"
    format: str = "round-robin"
    deck: str = "stack"
    on_fault: str = "forfeit"
    records: bool = False
    anchor: tuple[str, float] | None = None
    prior: float = 1.0

    def __post_init__(self) -> None:
        for name in ("seats", "deals", "seed", "workers"):
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, operator.index(value))
            except TypeError:
                raise TypeError(f"{name}: expected a whole number, got {value!r}") from None
        if not isinstance(self.rules, Rules):
            raise TypeError(
                f"rules: expected Rules, got {self.rules!r}; a preset is Rules.preset(NAME)"
            )
        if isinstance(self.prior, bool) or not isinstance(self.prior, (int, float)):
            raise TypeError(f"prior: expected a number, got {self.prior!r}")
        if self.anchor is not None and (
            not isinstance(self.anchor, tuple) or len(self.anchor) != 2
        ):
            raise TypeError(f"anchor: expected (name, rating), got {self.anchor!r}")
        faults = [
            f"{name}: expected {expected}, got {getattr(self, name)!r}"
            for name, ok, expected in self._checks()
            if not ok
        ]
        if faults:
            raise ValueError("; ".join(faults))

    def _checks(self) -> list[tuple[str, bool, str]]:
        most = self.rules.max_seats
        choices = {
            "duplicate": ("rotate", "full", "off"),
            "format": ("round-robin", "gauntlet"),
            "deck": ("stack", "lanes"),
            "on_fault": ("forfeit", "abort"),
        }
        return [
            ("seats", 2 <= self.seats <= most, f"2 to {most} under these rules"),
            ("deals", self.deals >= 1, "at least 1"),
            ("seed", 0 <= self.seed < 2**64, "0 to 2**64 - 1"),
            ("workers", 1 <= self.workers <= _MAX_WORKERS, f"1 to {_MAX_WORKERS}"),
            (
                "prior",
                self.prior == 0 or _MIN_PRIOR <= self.prior < math.inf,
                f"a number of virtual ties, 0 or from {_MIN_PRIOR:g} on",
            ),
            (
                "anchor",
                self.anchor is None or math.isfinite(self.anchor[1]),
                "a name and a finite rating",
            ),
            *(
                (name, getattr(self, name) in words, " or ".join(words))
                for name, words in choices.items()
            ),
        ]
