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
def nth(cells, n, verb):
    """The verb with the n-th of the cells."""
    for _ in range(n):
        cells &= cells - np.uint64(1)  # without its lowest bit
    cell = 0
    while not (cells >> np.uint64(cell)) & np.uint64(1):
        cell += 1
    return verb + cell


@cfunc(CHOOSE_MOVE)
def choose_move(self, pointer):
    """A decision takes one random number: its first half or second, and the cell in it."""
    view = view_of(pointer)
    stream = stream_of(self)
    flips, takes = cells_of(view.legal, FLIP), cells_of(view.legal, TAKE)
    if view.phase == FLIPPING:
        return nth(flips, below(stream, ones(flips)), FLIP)
    if view.phase == TURNING:
        if takes == 0:
            return DRAW
        n = ones(takes)
        draws = view.legal >> np.uint64(DRAW)
        choice = np.int64(below(stream, 2 * n if draws else n))
        return DRAW if choice >= n else nth(takes, choice, TAKE)
    places = cells_of(view.legal, PLACE)
    if flips == 0:
        return nth(places, below(stream, ones(places)), PLACE)
    pairs = ones(flips) * ones(places)
    choice = np.int64(below(stream, 2 * pairs))
    if choice >= pairs:
        return nth(flips, (choice - pairs) // ones(places), FLIP)
    return nth(places, choice // ones(flips), PLACE)


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
