# SPDX-License-Identifier: MIT
"""Bots of C functions that are there at run time: those of numba, or of ctypes."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from skyjo_core import _core

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

__all__ = ["compiled_bot", "is_capsule"]


def compiled_bot(
    name: str, *, choose_move: Any, create: Any = None, event: Any = None, destroy: Any = None
) -> CapsuleType:
    """A bot of C functions, to be offered as a module's `SKYJO_BOT` or played at once.

    Parameters
    ----------
    name : str
        The bot's name.
    choose_move : object
        int choose_move(void* self, const skyjo_view* view): a numba cfunc or whatever else has an
        `address`, a function of ctypes, or the address itself as an int. It is kept.
    create : object, optional
        void* create(const char* options, uint64_t seed), likewise. Without it the bot takes no
        options and its `self` is NULL.
    event : object, optional
        int event(void* self, int kind, const skyjo_view* view, const int8_t* places), likewise.
    destroy : object, optional
        void destroy(void* self), likewise.

    Raises
    ------
    TypeError, ValueError
        There is no function, or no name.

    Examples
    --------
    >>> import ctypes
    >>> @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    ... def choose_move(self, view):
    ...     return -1
    >>> bot = compiled_bot("resigns", choose_move=choose_move)
    """
    if not isinstance(name, str) or not name:
        raise TypeError(f"compiled_bot: name: expected a text, got {name!r}")
    given = {"choose_move": choose_move, "create": create, "event": event, "destroy": destroy}
    addresses = {key: _address(key, function) for key, function in given.items()}
    if addresses["choose_move"] == 0:
        raise ValueError("compiled_bot: choose_move: expected a function, got the address 0")
    return _core.bot_capsule(name, **addresses, owner=tuple(given.values()))


def _address(key: str, function: Any) -> int:
    """Where a function lies; 0 for None."""
    if function is None:
        return 0
    if hasattr(function, "address"):
        return operator.index(function.address)
    if hasattr(function, "restype"):  # a function of ctypes
        import ctypes

        return ctypes.cast(function, ctypes.c_void_p).value or 0
    try:
        return operator.index(function)
    except TypeError:
        raise TypeError(
            f"compiled_bot: {key}: expected a numba cfunc, a function of ctypes or an address, "
            f"got {function!r}"
        ) from None


def is_capsule(value: object) -> bool:
    """Whether a value is a capsule, as SKYJO_BOT has to be."""
    return type(value).__name__ == "PyCapsule"
