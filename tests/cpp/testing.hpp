// SPDX-License-Identifier: MIT
// What the C++ test programs share: a check that says where it fails, and random choices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "skyjo/skyjo.hpp"

namespace skyjo::testing {

// Where the running test is, for the message of a failing check.
struct Context {
    const char* test = "";
    std::uint64_t seed = 0;
    int n_seats = 0;
    int move = 0;
};
inline Context context;

inline void require(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "%s: expected %s (seed %llu, %d seats, move %d)\n", context.test, what,
                 static_cast<unsigned long long>(context.seed), context.n_seats, context.move);
    std::exit(1);
}

inline int pick(Stream& stream, int n) {
    return static_cast<int>(stream.below(static_cast<std::uint64_t>(n)));
}

enum class Style { EVEN, SWAPPER, DRAWER };

// A legal move: any; mostly one that exchanges an open card; or mostly draws.
inline Move choose(const Table& table, MoveSet legal, Style style, Stream& stream) {
    const Grid& own = table.grids[static_cast<std::size_t>(table.seat)];
    if (style != Style::EVEN && pick(stream, 16) != 0) {
        const std::uint64_t open = std::uint64_t{own.up} << TAKE | std::uint64_t{own.up} << PLACE;
        const std::uint64_t keep = legal.bits & open;
        const bool draws = style == Style::DRAWER || keep == 0 || pick(stream, 4) == 0;
        if (table.phase == Phase::TURN && legal.has(DRAW) && draws) return DRAW;
        if (keep != 0)
            return static_cast<Move>(
                nth_bit(keep, stream.below(static_cast<std::uint64_t>(std::popcount(keep)))));
    }
    return static_cast<Move>(
        nth_bit(legal.bits, stream.below(static_cast<std::uint64_t>(legal.size()))));
}

// A deck that is at least large enough for two such grids: named, or of a few values.
inline Counts random_deck(int n_cells, Stream& stream) {
    if (pick(stream, 2) == 0) return classic_deck();
    if (pick(stream, 4) == 0) return numbers_deck();
    Counts deck;
    while (deck.total() < 2 * n_cells + 1 || pick(stream, 3) > 0) {
        const auto code = static_cast<Code>(pick(stream, STAR_CODE));
        const int n = 1 + pick(stream, 30);
        if (deck.total() + n > MAX_CARDS || deck[code] + n > MAX_COPIES) break;
        deck[code] = static_cast<std::uint8_t>(deck[code] + n);
    }
    return deck.total() < 2 * n_cells + 1 ? classic_deck() : deck;
}

// Rules with any options, such that a game by them is short.
inline Rules random_rules(Stream& stream) {
    Rules rules;
    if (pick(stream, 2) == 0) {
        rules.rows = 1 + pick(stream, 4);
        rules.columns = 1 + pick(stream, MAX_CELLS / rules.rows);
    }
    const int n_cells = rules.rows * rules.columns;
    rules.deck = random_deck(n_cells, stream);
    rules.initial_flips = pick(stream, (pick(stream, 3) == 0 ? n_cells : std::min(3, n_cells)) + 1);
    if (rules.initial_flips <= rules.columns)
        rules.initial_flip_restriction = static_cast<InitialFlipRestriction>(pick(stream, 2));
    rules.column_removal = static_cast<ColumnRemoval>(pick(stream, 3));
    rules.row_removal = pick(stream, 3) == 0;
    rules.reveal_timing = static_cast<RevealTiming>(pick(stream, 2));
    rules.reshuffle = static_cast<Reshuffle>(pick(stream, 2));
    rules.reshuffle_timing = static_cast<ReshuffleTiming>(pick(stream, 2));
    rules.winner_tie = static_cast<WinnerTie>(pick(stream, 3));
    rules.start_first = static_cast<StartFirst>(pick(stream, 3));
    rules.start_tie = static_cast<StartTie>(pick(stream, 4));
    rules.start_later = static_cast<StartLater>(pick(stream, 5));
    rules.last_turns = static_cast<LastTurns>(pick(stream, 3));
    rules.doubling = static_cast<Double>(pick(stream, 4));
    rules.double_factor = 1 + pick(stream, 4);
    rules.forbid_same_value_swap = pick(stream, 2) == 1;
    rules.stall_limit = pick(stream, 4) == 0 ? OFF : 1 + pick(stream, 40);
    rules.max_turns_per_round = 1 + pick(stream, 300);
    rules.threshold = pick(stream, 4) == 0 ? OFF : 1 + pick(stream, 150);
    rules.max_rounds = 1 + pick(stream, 3);
    return rules;
}

// The same without what only the house has: most games are played by such rules, in loops of their
// own. With `classic` they are those of the fused loop, which knows one shape of the grid.
inline Rules plain_rules(bool classic, Stream& stream) {
    const Rules any = random_rules(stream);
    Rules rules;
    if (!classic) {
        rules = any;
        rules.initial_flips = std::min(any.initial_flips, any.rows * any.columns - 1);
        rules.column_removal = pick(stream, 3) == 0 ? ColumnRemoval::OFF : ColumnRemoval::MANDATORY;
    } else {
        rules.deck = random_deck(12, stream);
        rules.initial_flips = pick(stream, 3);
        rules.stall_limit = 1 + pick(stream, 100);
        rules.start_first = any.start_first;
        rules.start_tie = any.start_tie;
        rules.start_later = any.start_later;
        rules.doubling = any.doubling;
        rules.threshold = any.threshold;
        rules.max_rounds = any.max_rounds;
    }
    rules.initial_flip_restriction = InitialFlipRestriction::NONE;
    rules.row_removal = false;
    rules.reveal_timing = RevealTiming::END;
    rules.reshuffle_timing = ReshuffleTiming::LAZY;
    rules.forbid_same_value_swap = false;
    return rules;
}

}  // namespace skyjo::testing
