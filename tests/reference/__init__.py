# SPDX-License-Identifier: MIT
"""A slow, plain reference of the classic game, written from RULES.md alone.

It plays rounds and games in step with any engine (`ReferenceRound`, `ReferenceGame`), replays
records (`check_record`) and runs case files (`run_case`).
"""

from __future__ import annotations

from .cases import run_case
from .game import ReferenceGame, places_with_forfeits
from .replay import check_record
from .round import IllegalMove, ReferenceRound
from .rules import DEFAULTS, PRESETS, complete, deck_cards, max_seats, rule_faults
from .starter import PreviousRound

__all__ = [
    "DEFAULTS",
    "PRESETS",
    "IllegalMove",
    "PreviousRound",
    "ReferenceGame",
    "ReferenceRound",
    "check_record",
    "complete",
    "deck_cards",
    "max_seats",
    "places_with_forfeits",
    "rule_faults",
    "run_case",
]
