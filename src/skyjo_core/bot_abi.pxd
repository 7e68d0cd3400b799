# SPDX-License-Identifier: MIT
"""The C struct of compiled bots for Cython: the names of skyjo/bot_abi.h, which tells them."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "skyjo/bot_abi.h" nogil:
    const char* SKYJO_VERSION
    const char* SKYJO_BOT_CAPSULE
    const char* SKYJO_SEAT_CAPSULE
    enum:
        SKYJO_BOT_ABI
        SKYJO_MAX_SEATS
        SKYJO_COUNTS
        SKYJO_NO_CARD
        SKYJO_OFF
        SKYJO_GAME_START
        SKYJO_ROUND_END
        SKYJO_GAME_END
        SKYJO_FAULT_ILLEGAL
        SKYJO_FAULT_EXCEPTION
        SKYJO_STOP
    ctypedef struct skyjo_grid:
        uint64_t codes
        uint16_t up
        uint16_t removed
    ctypedef struct skyjo_played:
        int8_t seat
        uint8_t move
        uint8_t card
    ctypedef struct skyjo_table_rules:
        uint8_t rows
        uint8_t columns
        uint8_t n_values
        uint8_t values[21]
        int32_t threshold
    ctypedef struct skyjo_view:
        uint32_t size
        int8_t phase
        int8_t n_seats
        int8_t seat
        int8_t to_move
        int8_t starter
        int8_t closer
        uint8_t hand
        uint8_t discard_top
        uint8_t draw_pile_size
        uint8_t stalled
        int8_t n_last_turns
        uint8_t last_turns[10]
        int32_t round_number
        int32_t turn_number
        int32_t stall_count
        int32_t reshuffles
        int32_t n_moves
        uint64_t legal
        const skyjo_grid* grids
        const int32_t* totals
        const uint8_t* discard_counts
        const uint8_t* pile_counts
        const uint8_t* hidden_counts
        double time_limit
        double time_left
        const skyjo_played* moves
        const skyjo_table_rules* rules
    ctypedef struct skyjo_kept_view:
        skyjo_view view
        skyjo_grid grids[10]
        int32_t totals[10]
        uint8_t discard_counts[24]
        uint8_t pile_counts[24]
        uint8_t hidden_counts[24]
    void skyjo_bind_view(skyjo_kept_view* kept)
    void skyjo_keep_view(skyjo_kept_view* kept, const skyjo_view* view)
    ctypedef struct skyjo_bot:
        uint32_t size
        uint32_t abi
        const char* built_with
        const char* name
        void* (*create)(const char* options, uint64_t seed) noexcept
        int (*choose_move)(void* self, const skyjo_view* view) noexcept
        int (*event)(void* self, int kind, const skyjo_view* view, const int8_t* places) noexcept
        void (*destroy)(void* self) noexcept
    ctypedef struct skyjo_seat:
        const skyjo_bot* bot
        void* self

ctypedef void* (*skyjo_create)(const char* options, uint64_t seed) noexcept nogil
ctypedef int (*skyjo_choose_move)(void* self, const skyjo_view* view) noexcept nogil
ctypedef int (*skyjo_event)(
    void* self, int kind, const skyjo_view* view, const int8_t* places
) noexcept nogil
ctypedef void (*skyjo_destroy)(void* self) noexcept nogil


cdef inline object bot_capsule(
    skyjo_bot* bot,
    const char* name,
    skyjo_choose_move choose_move,
    skyjo_create create,
    skyjo_event event,
    skyjo_destroy destroy,
):
    """Fills the struct (NULL: no such function) and makes of it what SKYJO_BOT is to be.

    Both the struct and the name must live as long as the module.
    """
    bot.size = sizeof(skyjo_bot)
    bot.abi = SKYJO_BOT_ABI
    bot.built_with = SKYJO_VERSION
    bot.name = name
    bot.create = create
    bot.choose_move = choose_move
    bot.event = event
    bot.destroy = destroy
    return PyCapsule_New(bot, SKYJO_BOT_CAPSULE, NULL)
