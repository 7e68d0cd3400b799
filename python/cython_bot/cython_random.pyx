# distutils: language = c++
"""Random play in Cython: the policy and the random numbers of native:random.

Put this file into a folder of bots, and it is compiled and plays. It holds no Python objects while
it plays, so games run side by side in threads.
"""

from libc.stdint cimport uint32_t, uint64_t

from skyjo_core.bot_abi cimport bot_capsule, skyjo_bot, skyjo_view
from skyjo_core.stream cimport Stream, Word

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


cdef int pick(uint32_t cells, int verb, Word word) noexcept nogil:
    """The verb with one of the cells, each equally likely."""
    cdef uint32_t rest = cells
    cdef uint64_t n = 0
    while rest:
        rest &= rest - 1  # without its lowest bit
        n += 1
    cdef uint64_t left_out = word.below(n)
    while left_out > 0:
        cells &= cells - 1
        left_out -= 1
    cdef int cell = 0
    while not (cells >> cell) & 1:
        cell += 1
    return verb + cell


# A decision takes one random word: its highest bit is the first choice, the rest the cell.
cdef int choose_move(void* self, const skyjo_view* view) noexcept nogil:
    cdef Stream* stream = <Stream*>self
    cdef uint64_t legal = view.legal
    cdef uint32_t flips = cells_of(legal, FLIP)
    cdef uint32_t takes = cells_of(legal, TAKE)
    cdef bint draws = (legal >> DRAW) & 1
    cdef Word word
    if view.phase == TURNING and takes == 0:
        return DRAW
    word.bits = stream.next()
    if view.phase == FLIPPING:
        return pick(flips, FLIP, word)
    if view.phase == TURNING:
        if draws and word.coin():
            return DRAW
        return pick(takes, TAKE, word)
    if flips != 0 and word.coin():
        return pick(flips, FLIP, word)
    return pick(cells_of(legal, PLACE), PLACE, word)


cdef void* create(const char* options, uint64_t seed) noexcept nogil:
    """The stream of a game; the bot takes no options."""
    return NULL if options[0] != 0 else new Stream(seed)


cdef void destroy(void* self) noexcept nogil:
    cdef Stream* stream = <Stream*>self
    del stream


cdef skyjo_bot bot
SKYJO_BOT = bot_capsule(&bot, "cython random", choose_move, create, NULL, destroy)
