"""Random play in numba: the policy and the random numbers of native:random.

The functions are compiled when the file is loaded, which takes a second or two in each process.
"""

from __future__ import annotations

import numpy as np
from _skyjo_numba import (
    CHOOSE_MOVE,
    CREATE,
    DESTROY,
    at,
    below,
    free,
    new_stream,
    ones,
    stream_of,
    view_of,
)
from numba import cfunc, njit

import skyjo_core
from skyjo_core import DRAW, FLIP, PLACE, TAKE, Phase

FLIPPING, TURNING = int(Phase.FLIP), int(Phase.TURN)


@njit
def cells_of(legal, verb):
    """The cells that a verb is legal for: bit c for cell c."""
    return (legal >> np.uint64(verb)) & np.uint64(0xFFF)


@njit
def pick(cells, verb, stream):
    """The verb with one of the cells, each equally likely."""
    for _ in range(below(stream, ones(cells))):
        cells &= cells - np.uint64(1)  # without its lowest bit
    cell = 0
    while not (cells >> np.uint64(cell)) & np.uint64(1):
        cell += 1
    return verb + cell


@cfunc(CHOOSE_MOVE)
def choose_move(self, pointer):
    """A choice with one alternative left draws no random number."""
    view = view_of(pointer)
    stream = stream_of(self)
    flips, takes = cells_of(view.legal, FLIP), cells_of(view.legal, TAKE)
    draws = view.legal >> np.uint64(DRAW)
    if view.phase == FLIPPING:
        return pick(flips, FLIP, stream)
    if view.phase == TURNING:
        if draws and (takes == 0 or below(stream, 2) == 1):
            return DRAW
        return pick(takes, TAKE, stream)
    if flips != 0 and below(stream, 2) == 1:
        return pick(flips, FLIP, stream)
    return pick(cells_of(view.legal, PLACE), PLACE, stream)


@cfunc(CREATE)
def create(options, seed):
    """The stream of a game; the bot takes no options."""
    if options[0] != 0:
        return at(np.uint64(0))
    return new_stream(seed)


@cfunc(DESTROY)
def destroy(self):
    """Gives the stream's memory back."""
    free(self)


SKYJO_BOT = skyjo_core.compiled_bot(
    "numba random", choose_move=choose_move, create=create, destroy=destroy
)
