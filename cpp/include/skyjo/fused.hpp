// SPDX-License-Identifier: MIT
// Random play in one loop: the round of round.hpp with the policy of RandomBot, for the rules under
// which nothing but the classic turn can happen. No order of the deck, no view, no call: each card
// is drawn at random from those that are left when it shows, which gives the same law (RULES E.5).
//
// What bounds it is the number of instructions of a turn, so: choices are masks, not branches; one
// random word a turn; the hot state lies in locals, which no store through a byte pointer can
// alias; seats are counted from the one that starts, so that each index is a constant in the
// unrolled lap.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "skyjo/card.hpp"
#include "skyjo/grid.hpp"
#include "skyjo/move.hpp"
#include "skyjo/portability.hpp"
#include "skyjo/rng.hpp"
#include "skyjo/rules.hpp"
#include "skyjo/scoring.hpp"
#include "skyjo/table.hpp"

namespace skyjo::fused {

inline constexpr int CELLS_OF_GRID = 12;
inline constexpr int MOST_SEATS = 8;
inline constexpr std::uint32_t ALL_CELLS = 0xfff;

// Whether the loop below plays by these rules: 3 x 4 cells, columns that leave, one last turn each,
// a stall rule that ends a round before the cap on turns can, nothing of the house.
[[nodiscard]] constexpr bool plays(const Rules& rules, int n_seats) noexcept {
    const std::int64_t longest =
        (std::int64_t{CELLS_OF_GRID} * n_seats + 1) * (std::int64_t{rules.stall_limit} + 1) +
        n_seats;
    return n_seats <= MOST_SEATS && rules.rows == 3 && rules.columns == 4 &&
           rules.initial_flips <= 2 &&
           rules.initial_flip_restriction == InitialFlipRestriction::NONE &&
           rules.column_removal == ColumnRemoval::MANDATORY && !rules.row_removal &&
           rules.last_turns == LastTurns::ALL_OTHERS && rules.reveal_timing == RevealTiming::END &&
           rules.reshuffle == Reshuffle::KEEP_TOP &&
           rules.reshuffle_timing == ReshuffleTiming::LAZY && !rules.forbid_same_value_swap &&
           rules.stall_limit != OFF && longest <= rules.max_turns_per_round;
}

// A seat:  cards  5 bits a cell as in Grid, but those face down as well; 0 in a hole
//          open   bit c: cell c lies face up or is a hole
//          here   bit c: cell c is no hole
struct Seat {
    std::uint64_t cards = 0;
    std::uint32_t open = 0;
    std::uint32_t here = ALL_CELLS;
};

inline constexpr int FIELD = CODE_BITS;        // bits of a cell
inline constexpr int COLUMN = 3 * CODE_BITS;   // bits of a column
inline constexpr std::uint64_t THREE = 0x421;  // a 1 in each field of a column
inline constexpr std::uint64_t COLUMNS =
    1 | 1ULL << COLUMN | 1ULL << 2 * COLUMN | 1ULL << 3 * COLUMN;

// The raw score of a grid whose cards all lie open: equal columns leave first (RULES A.7).
[[nodiscard]] SKYJO_INLINE int raw_score(std::uint64_t cards) noexcept {
    constexpr std::uint64_t TWO_FIELDS = COLUMNS * 0x3ff;
    // Of each column: which bits of the first two cells differ from the next one's.
    const std::uint64_t differ = (cards ^ (cards >> FIELD)) & TWO_FIELDS;
    const std::uint64_t stays = ((differ + TWO_FIELDS) >> 10) & COLUMNS;
    cards &= stays * 0x7fff;
    constexpr std::uint64_t EVEN =
        0x1f | 0x1fULL << 10 | 0x1fULL << 20 | 0x1fULL << 30 | 0x1fULL << 40 | 0x1fULL << 50;
    constexpr std::uint64_t SUM =
        1 | 1ULL << 10 | 1ULL << 20 | 1ULL << 30 | 1ULL << 40 | 1ULL << 50;
    const std::uint64_t pairs = (cards & EVEN) + ((cards >> FIELD) & EVEN);
    const auto sum = static_cast<int>((pairs * SUM) >> 50 & 0x3ff);
    return sum - BIAS * 3 * std::popcount(stays);
}

// Where the cells of an opening lie, as shifts, and which they are: each set of two cells once.
struct Opening {
    std::uint8_t first = 0;
    std::uint8_t second = 0;
    std::uint16_t cells = 0;
};
inline constexpr std::uint32_t N_OPENINGS = CELLS_OF_GRID * (CELLS_OF_GRID - 1) / 2;
inline constexpr auto OPENINGS = [] {
    std::array<Opening, N_OPENINGS> openings{};
    std::size_t n = 0;
    for (int first = 0; first < CELLS_OF_GRID; ++first)
        for (int second = 0; second < first; ++second)
            openings[n++] = {static_cast<std::uint8_t>(FIELD * first),
                             static_cast<std::uint8_t>(FIELD * second),
                             static_cast<std::uint16_t>(1U << first | 1U << second)};
    return openings;
}();
inline constexpr std::size_t OPENINGS_BY_WORD = 4;  // 6.1 bits each

// Turns up `n` cells, each set of them equally likely, and tells what they show.
[[nodiscard]] SKYJO_INLINE OpenCards turn_up(Seat& seat, int n, Word& word) noexcept {
    OpenCards open;
    if (n == 2) [[likely]] {
        const Opening& opening = OPENINGS[word.below(N_OPENINGS)];
        const int first = static_cast<int>((seat.cards >> opening.first) & 31U) - BIAS;
        const int second = static_cast<int>((seat.cards >> opening.second) & 31U) - BIAS;
        seat.open = opening.cells;
        open.sum = first + second;
        open.highest = std::max(first, second);
    } else if (n == 1) {
        const std::uint32_t cell = word.below(static_cast<std::uint32_t>(CELLS_OF_GRID));
        seat.open = 1U << cell;
        open.sum = open.highest =
            static_cast<int>((seat.cards >> (FIELD * static_cast<int>(cell))) & 31U) - BIAS;
    }
    return open;
}

// A deck written out, for a copy of fixed size.
inline constexpr int ROOM = 256;
using Pile = std::array<Code, ROOM>;

// Writes cards out, ascending; returns how many.
inline std::uint32_t write_out(const Counts& counts, Pile& pile) noexcept {
    std::uint32_t n = 0;
    for (int code = 0; code < N_CODES; ++code)
        for (int i = 0; i < counts[static_cast<Code>(code)]; ++i)
            pile[n++] = static_cast<Code>(code);
    return n;
}

// The cells into which a seat may put a card; with `flip` 1 those that it may turn up after a draw.
[[nodiscard]] SKYJO_INLINE std::uint32_t legal_cells(const Seat& seat, std::uint32_t flip,
                                                     std::uint32_t only_hidden) noexcept {
    const std::uint32_t hidden = ~seat.open & ALL_CELLS;
    return seat.here & (hidden | ((flip - 1U) & ~only_hidden));
}

// What a seat decides in a turn, all at once.
struct Choice {
    std::uint32_t take = 0;  // 1: the top of the discard pile; 0: a card of the draw pile
    std::uint32_t flip = 0;  // 1: the card drawn is rejected and the cell turned up
    std::uint32_t cell = 0;
    std::uint32_t at = 0;  // where in the draw pile the card lies that is drawn
};

// The policy of RandomBot, from one word a turn: the source evenly, place or reject evenly, then
// the cell evenly among the legal ones.
template <class Pick>
struct RandomChoices {
    explicit RandomChoices(Stream given) noexcept : stream(given) {}

    SKYJO_INLINE std::uint32_t take() noexcept {
        random_ = stream.next();
        return static_cast<std::uint32_t>(random_ >> 63);
    }
    SKYJO_INLINE Choice choose(std::uint32_t take, const Seat& seat, std::uint32_t only_hidden,
                               const Code*, std::uint32_t n_draw) noexcept {
        Word word{random_ << 2};
        Choice choice;
        choice.take = take;
        choice.flip = static_cast<std::uint32_t>(random_ >> 62) & (take ^ 1U);
        const std::uint32_t cells = legal_cells(seat, choice.flip, only_hidden);
        choice.cell = Pick::nth(cells, word.below(Pick::size(cells)));
        choice.at = word.below(n_draw);
        return choice;
    }

    Stream stream;

 private:
    std::uint64_t random_ = 0;
};

// One round. The piles are in memory, what a turn changes besides is in a Hot of the caller's.
class Round {
 public:
    alignas(64) Pile draw_pile;
    alignas(64) Pile discards;

    // What a turn changes. The unused high bits of `only_hidden` are as good as the low ones.
    struct Hot {
        std::array<Seat, MOST_SEATS> seats;
        std::int32_t n_seats = 0;
        std::uint32_t n_draw = 0;
        std::uint32_t top_at = 0;  // of the top card among the discards
        std::uint32_t top = 0;
        std::int32_t idle = 0;          // turns in a row that used up no hidden card
        std::uint32_t only_hidden = 0;  // all ones once the round is stalled (RULES A.12)
    };

    SKYJO_INLINE Code draw_at(Hot& hot, std::uint32_t at) noexcept {
        const Code card = draw_pile[at];
        draw_pile[at] = draw_pile[--hot.n_draw];
        return card;
    }
    // Uniform cards for some cells of a seat, from the draw pile.
    SKYJO_INLINE std::uint64_t draw_cells(Hot& hot, std::uint32_t cells, Stream& stream) noexcept {
        std::uint64_t cards = 0;
        while (cells != 0) {
            Word word{stream.next()};
            for (int i = 0; i < 4 && cells != 0; ++i, cells &= cells - 1)
                cards |= std::uint64_t{draw_at(hot, word.below(hot.n_draw))}
                         << (FIELD * std::countr_zero(cells));
        }
        return cards;
    }
    // Deals: uniform cards in the grids, the first discard.
    SKYJO_INLINE void deal(Hot& hot, int n_seats, const Pile& deck, std::uint32_t n_cards,
                           Stream& stream) noexcept {
        draw_pile = deck;
        hot = {};
        hot.n_seats = n_seats;
        hot.n_draw = n_cards;
        for (int i = 0; i < n_seats; ++i) {
            std::uint64_t cards = 0;
            for (int cell = 0; cell < CELLS_OF_GRID; cell += 4) {
                Word word{stream.next()};
                for (int i = 0; i < 4; ++i)
                    cards |= std::uint64_t{draw_at(hot, word.below(hot.n_draw))}
                             << (FIELD * (cell + i));
            }
            hot.seats[static_cast<std::size_t>(i)].cards = cards;
        }
        Word word{stream.next()};
        hot.top = discards[0] = draw_at(hot, word.below(hot.n_draw));
    }

    // One turn; returns whether the seat has no hidden card left.
    template <class Choices>
    SKYJO_INLINE bool turn(Hot& hot, int number, int stall_limit, Choices& choices) noexcept {
        Seat& seat = hot.seats[static_cast<std::size_t>(number)];
        std::uint32_t take = choices.take();
        if (hot.n_draw == 0) [[unlikely]] {
            if (hot.top_at == 0)
                take = 1;  // nothing to draw: one source is left (RULES A.9)
            else if (take == 0)
                reshuffle(hot);
        }
        const Choice choice =
            choices.choose(take, seat, hot.only_hidden, draw_pile.data(), hot.n_draw);
        // The last card of the pile fills the place of the one drawn, if one is.
        const std::uint32_t taken = 0U - take;
        const std::uint32_t drawn = draw_pile[choice.at];
        hot.n_draw -= take ^ 1U;
        const std::uint32_t last = draw_pile[hot.n_draw];
        draw_pile[choice.at] = static_cast<Code>(last ^ ((last ^ drawn) & taken));
        return lay(hot, seat, choice, drawn ^ ((drawn ^ hot.top) & taken), stall_limit);
    }

    // The rest of a turn: the card that was taken or drawn goes where the choice says.
    SKYJO_INLINE bool lay(Hot& hot, Seat& seat, const Choice& choice, std::uint64_t card,
                          int stall_limit) noexcept {
        const int shift = FIELD * static_cast<int>(choice.cell);
        const std::uint64_t old = (seat.cards >> shift) & 31U;
        // A card that is rejected goes to the pile itself, and the old one stays.
        const std::uint64_t kept = (old ^ card) & (0 - std::uint64_t{choice.flip});
        const std::uint64_t out = old ^ kept;
        std::uint64_t cards = seat.cards ^ ((old ^ card ^ kept) << shift);
        hot.top_at += choice.take ^ 1U;
        discards[hot.top_at] = static_cast<Code>(out);
        hot.top = static_cast<std::uint32_t>(out);

        const std::uint32_t open = seat.open | 1U << choice.cell;
        hot.idle = (hot.idle + 1) & -static_cast<std::int32_t>(seat.open >> choice.cell & 1U);
        if (hot.idle == stall_limit) [[unlikely]]
            hot.only_hidden = ~0U;
        seat.open = open;
        const std::uint32_t column = choice.cell * 11U >> 5U;
        const auto three = static_cast<std::uint32_t>(cards >> (COLUMN * column));
        if (((three ^ (three >> FIELD)) & 0x3ffU) == 0) [[unlikely]]
            if ((open >> (3 * column) & 7U) == 7U) {
                for (std::uint32_t i = 1; i <= 3; ++i)
                    discards[hot.top_at + i] = static_cast<Code>(three & 31U);
                hot.top_at += 3;
                hot.top = three & 31U;
                cards &= ~(std::uint64_t{0x7fff} << (COLUMN * column));
                seat.here &= ~(7U << (3 * column));
            }
        seat.cards = cards;
        return open == ALL_CELLS;
    }

    // Plays until a seat closes, from seat 0 on, then the others' last turns. Precondition: every
    // seat has a hidden card. Returns the closer; `turns` counts them.
    template <class Choices>
    SKYJO_INLINE int play(Hot& outside, int stall_limit, Choices& choices, int& turns) noexcept {
        Hot hot = outside;
        Choices own = choices;
        int closer = 0;
        int laps = -1;
        for (bool closed = false; !closed; ++laps) {
            for (int seat = 0; seat < hot.n_seats; ++seat)
                if (turn(hot, seat, stall_limit, own)) [[unlikely]] {
                    closer = seat;
                    closed = true;
                    break;
                }
        }
        turns += laps * hot.n_seats + closer + hot.n_seats;
        last_turns(hot, closer + 1 < hot.n_seats ? closer + 1 : 0, hot.n_seats - 1, stall_limit,
                   own);
        choices = own;
        outside = hot;
        return closer;
    }
    // The last turns of `n` seats from `first` on.
    template <class Choices>
    SKYJO_INLINE void last_turns(Hot& hot, int first, int n, int stall_limit,
                                 Choices& choices) noexcept {
        for (int i = 0; i < n; ++i) {
            turn(hot, first, stall_limit, choices);
            first = first + 1 < hot.n_seats ? first + 1 : 0;
        }
    }

 private:
    // All discards but the top one become the draw pile (RULES A.9).
    SKYJO_COLD void reshuffle(Hot& hot) noexcept {
        draw_pile = discards;
        hot.n_draw = hot.top_at;
        discards[0] = static_cast<Code>(hot.top);
        hot.top_at = 0;
    }
};

}  // namespace skyjo::fused
