# distutils: language = c++
"""Random play in Cython: the policy and the random numbers of native:random.

Put this file into a folder of bots, and it is compiled and plays. It holds no Python objects while
it plays, so games run side by side in threads.
"""

from libc.stdint cimport uint32_t, uint64_t

from skyjo_core.bot_abi cimport bot_capsule, skyjo_bot, skyjo_view
from skyjo_core.stream cimport Stream

cdef enum:
    FLIP = 0
    TAKE = 12
    PLACE = 24
    DRAW = 36

cdef enum Phase:
    FLIPPING = 0
    TURNING = 1
    HOLDING = 2


cdef uint32_t cells_of(uint64_t legal, int verb) noexcept nogil:
    """The cells that a verb is legal for: bit c for cell c."""
    return (legal >> verb) & 0xFFF


cdef int pick(uint32_t cells, int verb, Stream* stream) noexcept nogil:
    """The verb with one of the cells, each equally likely."""
    cdef uint32_t rest = cells
    cdef uint64_t n = 0
    while rest:
        rest &= rest - 1  # without its lowest bit
        n += 1
    cdef uint64_t left_out = stream.below(n)
    while left_out > 0:
        cells &= cells - 1
        left_out -= 1
    cdef int cell = 0
    while not (cells >> cell) & 1:
        cell += 1
    return verb + cell


# A choice with one alternative left draws no random number.
cdef int choose_move(void* self, const skyjo_view* view) noexcept nogil:
    cdef Stream* stream = <Stream*>self
    cdef uint64_t legal = view.legal
    cdef uint32_t flips = cells_of(legal, FLIP)
    cdef uint32_t takes = cells_of(legal, TAKE)
    cdef bint draws = (legal >> DRAW) & 1
    if view.phase == FLIPPING:
        return pick(flips, FLIP, stream)
    if view.phase == TURNING:
        if draws and (takes == 0 or stream.below(2) == 1):
            return DRAW
        return pick(takes, TAKE, stream)
    if flips != 0 and stream.below(2) == 1:
        return pick(flips, FLIP, stream)
    return pick(cells_of(legal, PLACE), PLACE, stream)


cdef void* create(const char* options, uint64_t seed) noexcept nogil:
    """The stream of a game; the bot takes no options."""
    return NULL if options[0] != 0 else new Stream(seed)


cdef void destroy(void* self) noexcept nogil:
    cdef Stream* stream = <Stream*>self
    del stream


cdef skyjo_bot bot
SKYJO_BOT = bot_capsule(&bot, "cython random", choose_move, create, NULL, destroy)
