"""What a bot in numba needs: signatures, the arrays behind a view, and the stream of native bots.

Copy it beside your own bot; its name starts with _, so it is not taken for one.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numba import carray, from_dtype, njit, types
from numba.extending import intrinsic

from skyjo_core import bot_abi

# The functions of skyjo_bot; `self` and the options are bare addresses.
VIEW = types.CPointer(from_dtype(bot_abi.VIEW))
CHOOSE_MOVE = types.int32(types.voidptr, VIEW)
CREATE = types.voidptr(types.CPointer(types.uint8), types.uint64)
EVENT = types.int32(types.voidptr, types.int32, VIEW, types.CPointer(types.int8))
DESTROY = types.void(types.voidptr)

# The random numbers: skyjo/rng.hpp tells how they come about.
STREAM = np.dtype([("position", np.uint64), ("step", np.uint64)])

libc = ctypes.CDLL(None)
malloc = libc.malloc
malloc.argtypes, malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
free = libc.free
free.argtypes, free.restype = [ctypes.c_void_p], None


@intrinsic
def at(context: Any, address: Any) -> Any:
    """The pointer to an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.uintp), generate


@njit
def view_of(pointer):
    """The view that a function was called with."""
    return carray(pointer, 1)[0]


@njit
def grids_of(view):
    """The grids of all seats, the bot's own first."""
    return carray(at(view.grids), view.n_seats, bot_abi.GRID)


@njit
def hidden_counts_of(view):
    """Cards per code of which the face-down cells are a random part."""
    return carray(at(view.hidden_counts), bot_abi.COUNTS, np.uint8)


@njit
def stream_of(pointer):
    """The stream behind the pointer that new_stream gave: an array of one."""
    return carray(pointer, 1, STREAM)


@njit
def product(a, b):
    """The full product of two 64-bit numbers: high and low half."""
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a_low, a_high, b_low, b_high = a & mask, a >> half, b & mask, b >> half
    low = a_low * b_low
    cross = a_high * b_low + (low >> half)
    middle = a_low * b_high + (cross & mask)
    return a_high * b_high + (cross >> half) + (middle >> half), a * b


@njit
def mix(x):
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit
def ones(x):
    """How many bits are 1."""
    n = 0
    while x != 0:
        x &= x - np.uint64(1)
        n += 1
    return n


@njit
def new_stream(key):
    """A stream in memory of its own, for `free`; from equal keys equal numbers."""
    memory = at(np.uint64(malloc(np.uint64(16))))
    stream = carray(memory, 1, STREAM)
    step = mix(key ^ np.uint64(0x13198A2E03707344)) | np.uint64(1)
    if ones(step ^ (step >> np.uint64(1))) < 24:
        step ^= np.uint64(0xAAAAAAAAAAAAAAAA)
    stream[0].position = mix(key ^ np.uint64(0x243F6A8885A308D3))
    stream[0].step = step
    return memory


@njit
def below(stream, n):
    """A whole number from 0 to n - 1, each equally likely."""
    stream[0].position += stream[0].step
    position = stream[0].position
    high, low = product(position, position ^ np.uint64(0xE7037ED1A0B428DB))
    return product(high ^ low, np.uint64(n))[0]
