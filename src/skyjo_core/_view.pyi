# SPDX-License-Identifier: MIT
# Held against _view.pyx by tests/test_stubs.py. Seats are relative; arrays fresh and read-only.
from collections.abc import Callable
from typing import Any, NoReturn, final

import numpy as np
import numpy.typing as npt
from typing_extensions import CapsuleType

from skyjo_core._core import Phase
from skyjo_core.rng import Rng
from skyjo_core.rules import Rules

@final
class View:
    def __init__(self) -> NoReturn: ...  # comes from game.view()
    # The decision
    @property
    def phase(self) -> Phase: ...
    @property
    def n_seats(self) -> int: ...
    @property
    def seat(self) -> int: ...  # absolute
    @property
    def to_move(self) -> int | None: ...
    @property
    def legal_mask(self) -> int: ...
    @property
    def legal_moves(self) -> tuple[int, ...]: ...
    @property
    def hand(self) -> int | None: ...
    @property
    def discard_top(self) -> int: ...  # None only in a given position without discards
    # The grids
    def cells(self, seat: int) -> tuple[int, ...]: ...
    @property
    def grid(self) -> npt.NDArray[np.int8]: ...  # (rows, columns)
    @property
    def grids(self) -> npt.NDArray[np.int8]: ...  # (n_seats, rows, columns)
    # The game
    @property
    def totals(self) -> tuple[int, ...]: ...
    @property
    def threshold(self) -> int | None: ...
    @property
    def round_number(self) -> int: ...
    @property
    def turn_number(self) -> int: ...
    @property
    def starter(self) -> int | None: ...
    @property
    def closer(self) -> int | None: ...
    @property
    def last_turns_left(self) -> tuple[int, ...] | None: ...
    @property
    def stalled(self) -> bool: ...
    @property
    def stall_count(self) -> int: ...
    @property
    def reshuffles(self) -> int: ...
    # The cards
    @property
    def values(self) -> tuple[int, ...]: ...
    @property
    def draw_pile_size(self) -> int: ...
    @property
    def discard_counts(self) -> npt.NDArray[np.int8]: ...  # (n_values,)
    @property
    def pile_counts(self) -> npt.NDArray[np.int8]: ...  # (n_values,)
    @property
    def hidden_counts(self) -> npt.NDArray[np.int8]: ...  # (n_values,)
    @property
    def moves(self) -> tuple[tuple[int, int, int | None], ...]: ...  # (seat, move, card)
    @property
    def time_limit(self) -> float | None: ...
    @property
    def time_left(self) -> float | None: ...
    @property
    def rules(self) -> Rules: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore(view: bytes, moves: bytes, rules: Rules) -> View: ...

@final
class PythonSeat:
    # make() gives (choose_move, game_start, round_end, game_end), the last three None or callable.
    def __new__(
        cls,
        make: Callable[[], tuple[Any, ...]],
        rules: Rules,
        rng: Rng | None,
        stop_on_interrupt: bool,
    ) -> PythonSeat: ...
    def capsule(self) -> CapsuleType: ...
    @property
    def error(self) -> BaseException | None: ...
    @property
    def answer(self) -> str | None: ...
