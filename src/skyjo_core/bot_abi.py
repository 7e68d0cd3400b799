# SPDX-License-Identifier: MIT
"""The structs of `skyjo/bot_abi.h` as numpy dtypes, for bots in numba; pointers are addresses.

The header tells what the fields mean. Cards are codes: `CARD_BIAS` more than their value.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

__all__ = [
    "CARD_BIAS",
    "COUNTS",
    "FAULT_EXCEPTION",
    "FAULT_ILLEGAL",
    "GRID",
    "MAX_SEATS",
    "NO_CARD",
    "OFF",
    "PLAYED",
    "TABLE_RULES",
    "VIEW",
]

MAX_SEATS: Final = 10
COUNTS: Final = 24
NO_CARD: Final = 255
CARD_BIAS: Final = 4
OFF: Final = -(2**31)
FAULT_ILLEGAL: Final = -1
FAULT_EXCEPTION: Final = -2


def _struct(*fields: tuple[Any, ...]) -> np.dtype[np.void]:
    """Fields laid out as C lays them out."""
    return np.dtype(list(fields), align=True)


GRID: Final = _struct(
    ("codes", np.uint64), ("up", np.uint16), ("removed", np.uint16), ("unused", np.uint32)
)
"""skyjo_grid"""

PLAYED: Final = _struct(("seat", np.int8), ("move", np.uint8), ("card", np.uint8))
"""skyjo_played"""

TABLE_RULES: Final = _struct(
    ("rows", np.uint8),
    ("columns", np.uint8),
    ("n_values", np.uint8),
    ("values", np.uint8, (21,)),
    ("threshold", np.int32),
)
"""skyjo_table_rules"""

VIEW: Final = _struct(
    ("size", np.uint32),
    ("phase", np.int8),
    ("n_seats", np.int8),
    ("seat", np.int8),
    ("to_move", np.int8),
    ("starter", np.int8),
    ("closer", np.int8),
    ("hand", np.uint8),
    ("discard_top", np.uint8),
    ("draw_pile_size", np.uint8),
    ("stalled", np.uint8),
    ("n_last_turns", np.int8),
    ("last_turns", np.uint8, (MAX_SEATS,)),
    ("round_number", np.int32),
    ("turn_number", np.int32),
    ("stall_count", np.int32),
    ("reshuffles", np.int32),
    ("n_moves", np.int32),
    ("legal", np.uint64),
    ("grids", np.uintp),
    ("totals", np.uintp),
    ("discard_counts", np.uintp),
    ("pile_counts", np.uintp),
    ("hidden_counts", np.uintp),
    ("time_limit", np.float64),
    ("time_left", np.float64),
    ("moves", np.uintp),
    ("rules", np.uintp),
)
"""skyjo_view"""
