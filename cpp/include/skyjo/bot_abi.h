/* SPDX-License-Identifier: MIT
 * The fixed memory layout and call convention through which a bot meets the match loop: plain C.
 *
 * Structs only grow, at their end, and carry their size. Cards are codes: value + 4, the Star 18,
 * SKYJO_NO_CARD where there is none. Seats are relative to the bot (0 is the bot itself, 1 the next
 * to play after it) unless a comment says otherwise; -1 means none.
 */
#ifndef SKYJO_BOT_ABI_H
#define SKYJO_BOT_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The version of this header, and of these structs: the name of the capsule and the number change
 * when something that was there before has changed. */
#define SKYJO_VERSION "0.1.0"
#define SKYJO_BOT_ABI 1
#define SKYJO_BOT_CAPSULE "skyjo_core.bot.v1"
#define SKYJO_SEAT_CAPSULE "skyjo_core.seat.v1"
#define SKYJO_MAX_SEATS 10
#define SKYJO_COUNTS 24
#define SKYJO_NO_CARD 255
#define SKYJO_OFF INT32_MIN

#ifdef __cplusplus
extern "C" {
#endif

/* A seat's cards, 5 bits a cell; the code of a cell that is not face up is 0. */
typedef struct skyjo_grid {
    uint64_t codes;
    uint16_t up;      /* bit c: cell c lies face up */
    uint16_t removed; /* bit c: cell c is a hole */
    uint32_t unused;
} skyjo_grid;

/* One move of the round so far, with the card that it showed. */
typedef struct skyjo_played {
    int8_t seat; /* absolute */
    uint8_t move;
    uint8_t card; /* turned up by flip, take or place, or drawn; SKYJO_NO_CARD if none */
} skyjo_played;

/* What everybody knows of the rules during a round. */
typedef struct skyjo_table_rules {
    uint8_t rows;
    uint8_t columns;
    uint8_t n_values;
    uint8_t values[21]; /* the codes that are in the deck, ascending; the first n_values hold */
    int32_t threshold;  /* or SKYJO_OFF */
} skyjo_table_rules;

/* All that one seat may know. It and all that it points to is valid during the call it is passed
 * to; skyjo_keep_view makes a copy that lasts. */
typedef struct skyjo_view {
    uint32_t size; /* sizeof(skyjo_view) of the caller */
    int8_t phase;  /* 0 FLIP, 1 TURN, 2 HOLD, 3 OVER */
    int8_t n_seats;
    int8_t seat;    /* absolute seat of the bot */
    int8_t to_move; /* relative seat whose decision it is */
    int8_t starter;
    int8_t closer;
    uint8_t hand; /* the card drawn, in the view of its holder */
    uint8_t discard_top;
    uint8_t draw_pile_size;
    uint8_t stalled;
    int8_t n_last_turns; /* -1 before the closing, then how many of last_turns hold */
    uint8_t last_turns[SKYJO_MAX_SEATS];
    int32_t round_number;
    int32_t turn_number;
    int32_t stall_count;
    int32_t reshuffles;
    int32_t n_moves;
    uint64_t legal;                /* bit m: move m is legal; 0 for a seat that is not to move */
    const skyjo_grid* grids;       /* n_seats of them, the bot's own first */
    const int32_t* totals;         /* n_seats of them, the bot's own first */
    const uint8_t* discard_counts; /* SKYJO_COUNTS of each, per code: cards in the discard pile, */
    const uint8_t* pile_counts;    /* those of which the draw pile is a random part, */
    const uint8_t* hidden_counts;  /* those of which the cards face down are a random part */
    double time_limit;             /* seconds; negative: none */
    double time_left;
    const skyjo_played* moves; /* n_moves of them */
    const skyjo_table_rules* rules;
} skyjo_view;

/* A view with the arrays that it points to, for whoever keeps one. */
typedef struct skyjo_kept_view {
    skyjo_view view;
    skyjo_grid grids[SKYJO_MAX_SEATS];
    int32_t totals[SKYJO_MAX_SEATS];
    uint8_t discard_counts[SKYJO_COUNTS];
    uint8_t pile_counts[SKYJO_COUNTS];
    uint8_t hidden_counts[SKYJO_COUNTS];
} skyjo_kept_view;

/* Makes a kept view point to its own arrays: after it has been copied elsewhere. */
static inline void skyjo_bind_view(skyjo_kept_view* kept) {
    kept->view.grids = kept->grids;
    kept->view.totals = kept->totals;
    kept->view.discard_counts = kept->discard_counts;
    kept->view.pile_counts = kept->pile_counts;
    kept->view.hidden_counts = kept->hidden_counts;
}

/* Copies a view with its arrays; what holds nothing is 0. The moves and the rules stay where they
 * were, and are valid no longer than there. */
static inline void skyjo_keep_view(skyjo_kept_view* kept, const skyjo_view* view) {
    const size_t n = (size_t)view->n_seats;
    const size_t n_last = view->n_last_turns > 0 ? (size_t)view->n_last_turns : 0;
    memset(kept, 0, sizeof *kept);
    memcpy(&kept->view, view, sizeof kept->view);
    memset(kept->view.last_turns + n_last, 0, SKYJO_MAX_SEATS - n_last);
    memcpy(kept->grids, view->grids, n * sizeof *kept->grids);
    memcpy(kept->totals, view->totals, n * sizeof *kept->totals);
    memcpy(kept->discard_counts, view->discard_counts, SKYJO_COUNTS);
    memcpy(kept->pile_counts, view->pile_counts, SKYJO_COUNTS);
    memcpy(kept->hidden_counts, view->hidden_counts, SKYJO_COUNTS);
    skyjo_bind_view(kept);
}

/* Events of a bot's life besides decisions. */
enum { SKYJO_GAME_START = 0, SKYJO_ROUND_END = 1, SKYJO_GAME_END = 2 };

/* Negative returns of choose_move and event. */
enum {
    SKYJO_FAULT_ILLEGAL = -1,   /* the answer is no move */
    SKYJO_FAULT_EXCEPTION = -2, /* the bot raised */
    SKYJO_STOP = -3 /* the match stops at once: for its caller's own seats, not for bots */
};

/* A kind of bot. One object (`self`) lives for one game; games may be played side by side in
 * threads, each with objects of its own. The functions are called with or without Python's GIL:
 * one that touches Python objects takes it itself, and leaves no exception set.
 *
 * A Python module offers its bot as the attribute SKYJO_BOT: a capsule named SKYJO_BOT_CAPSULE with
 * a pointer to a skyjo_bot that lives as long as the capsule. The first three fields are the same
 * in every version, so that any version can say which one a bot was built with. */
typedef struct skyjo_bot {
    uint32_t size;          /* sizeof(skyjo_bot) where the bot was compiled */
    uint32_t abi;           /* SKYJO_BOT_ABI there */
    const char* built_with; /* SKYJO_VERSION there */
    const char* name;
    /* Options as "key=value,key=value" or "", and the key of the bot's random stream. NULL when it
     * refuses the options. May be NULL: the bot takes no options, and its `self` is NULL. */
    void* (*create)(const char* options, uint64_t seed);
    /* A legal move of the view, or a negative fault. */
    int (*choose_move)(void* self, const skyjo_view* view);
    /* May be NULL. `places` (by relative seat) is NULL but at SKYJO_GAME_END. 0 or a fault. */
    int (*event)(void* self, int kind, const skyjo_view* view, const int8_t* places);
    /* Called once for each object of create. May be NULL. */
    void (*destroy)(void* self);
} skyjo_bot;

/* A bot at its seat for one game: `self` is what create() made, or the caller's own object. */
typedef struct skyjo_seat {
    const skyjo_bot* bot;
    void* self;
} skyjo_seat;

#ifdef __cplusplus
}
#endif

#endif /* SKYJO_BOT_ABI_H */
