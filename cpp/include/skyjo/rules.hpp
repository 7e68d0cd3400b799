// SPDX-License-Identifier: MIT
// The rules of one game as a value, with the words of docs/rules.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "skyjo/bot_abi.h"
#include "skyjo/card.hpp"
#include "skyjo/grid.hpp"

namespace skyjo {

inline constexpr int OFF = INT32_MIN;  // `off` beside numbers

enum class InitialFlipRestriction : std::uint8_t { NONE, DIFFERENT_COLUMNS };
enum class StartFirst : std::uint8_t { HIGHEST_SUM, RANDOM, SEAT };
enum class StartTie : std::uint8_t { MAX_CARD_THEN_SEAT, MAX_CARD_THEN_RANDOM, SEAT, RANDOM };
enum class StartLater : std::uint8_t { HIGHEST_SUM, CLOSER, ROTATE, PREVIOUS_WINNER, RANDOM };
enum class ColumnRemoval : std::uint8_t { MANDATORY, OFF, NOT_NEGATIVE };
enum class LastTurns : std::uint8_t { ALL_OTHERS, EQUAL_TURNS, NONE };
enum class RevealTiming : std::uint8_t { END, AFTER_OWN_LAST_TURN };
enum class Double : std::uint8_t { STRICT_POSITIVE, OFF, TIES_OK, STRICT_ALL };
enum class Reshuffle : std::uint8_t { KEEP_TOP, ALL_THEN_FLIP };
enum class ReshuffleTiming : std::uint8_t { LAZY, EAGER };
enum class WinnerTie : std::uint8_t { SHARED, LAST_ROUND, PLAYOFF };

// The words of each choice, in the order of its enumerators.
struct Choice {
    std::string_view field;
    std::array<std::string_view, 5> words;
};
inline constexpr std::array<Choice, 11> CHOICES = {{
    {"initial_flip_restriction", {"none", "different_columns"}},
    {"start_first", {"highest_sum", "random", "seat"}},
    {"start_tie", {"max_card_then_seat", "max_card_then_random", "seat", "random"}},
    {"start_later", {"highest_sum", "closer", "rotate", "previous_winner", "random"}},
    {"column_removal", {"mandatory", "off", "not_negative"}},
    {"last_turns", {"all_others", "equal_turns", "none"}},
    {"reveal_timing", {"end", "after_own_last_turn"}},
    {"double", {"strict_positive", "off", "ties_ok", "strict_all"}},
    {"reshuffle", {"keep_top", "all_then_flip"}},
    {"reshuffle_timing", {"lazy", "eager"}},
    {"winner_tie", {"shared", "last_round", "playoff"}},
}};

// Defaults are the preset classic-fr. Sources of every field: docs/rules.md, at the paragraph
// named.
struct Rules {
    Counts deck = classic_deck();                                                    // A.1
    int rows = 3;                                                                    // A.2
    int columns = 4;                                                                 // A.2
    int initial_flips = 2;                                                           // A.2
    InitialFlipRestriction initial_flip_restriction = InitialFlipRestriction::NONE;  // A.2
    StartFirst start_first = StartFirst::HIGHEST_SUM;                                // A.3
    StartTie start_tie = StartTie::MAX_CARD_THEN_SEAT;                               // A.3
    StartLater start_later = StartLater::HIGHEST_SUM;                                // A.11
    ColumnRemoval column_removal = ColumnRemoval::MANDATORY;                         // A.5
    bool row_removal = false;                                                        // A.5
    LastTurns last_turns = LastTurns::ALL_OTHERS;                                    // A.6
    RevealTiming reveal_timing = RevealTiming::END;                                  // A.7
    Double doubling = Double::STRICT_POSITIVE;                                       // A.8 `double`
    int double_factor = 2;                                                           // A.8
    Reshuffle reshuffle = Reshuffle::KEEP_TOP;                                       // A.9
    ReshuffleTiming reshuffle_timing = ReshuffleTiming::LAZY;                        // A.9
    bool forbid_same_value_swap = false;                                             // A.4
    int threshold = 100;                                                             // A.10, or OFF
    int max_rounds = OFF;                                                            // A.10
    WinnerTie winner_tie = WinnerTie::SHARED;                                        // A.10
    int stall_limit = 100;                                                           // A.12, or OFF
    int max_turns_per_round = 10000;                                                 // A.12
    int max_rounds_guard = 200;                                                      // A.12

    bool operator==(const Rules&) const = default;
};

// One thing wrong with a Rules value: the field and what it may hold.
struct RulesFault {
    std::string_view field;
    std::string expected;
};

// Everything wrong with the rules at once; empty when a game can be played by them. The limits keep
// every total within 32 bits.
[[nodiscard]] std::vector<RulesFault> faults(const Rules& rules);

// The most seats (RULES part C, `players`): 8; 10 on any 3 x 3; 4 with the 105 number cards; fewer
// where the deck is too small, since one card must be left for the discard pile (A.2).
[[nodiscard]] constexpr int max_seats(const Rules& rules) noexcept {
    int seats = rules.rows == 3 && rules.columns == 3 ? 10 : 8;
    if (rules.deck == numbers_deck()) seats = 4;
    const int enough = (rules.deck.total() - 1) / (rules.rows * rules.columns);
    return enough < seats ? enough : seats;
}

// The rules of a game with all that follows from them, worked out once: what a turn reads. The
// families of lines of its shape hold only what may leave by these rules.
struct Setup {
    Rules rules{};
    Shape shape{};
    bool house = false;  // the end of a turn has more to look at: see BasicRound::end_turn
    Composition deck{classic_deck()};
    int n_cards = 0;
    int max_seats = 0;
    skyjo_table_rules known{};  // what every view points to

    Setup() : Setup(Rules{}) {}
    explicit Setup(const Rules& given)
        : rules(given),
          shape(make_shape(given.rows, given.columns)),
          deck(given.deck),
          n_cards(deck.n_cards) {
        known.rows = shape.rows;
        known.columns = shape.columns;
        known.threshold = given.threshold;
        for (int code = 0; code < N_CODES; ++code)
            if (given.deck[static_cast<Code>(code)] > 0)
                known.values[known.n_values++] = static_cast<Code>(code);
        max_seats = skyjo::max_seats(given);
        if (given.column_removal == ColumnRemoval::OFF) {
            shape.column_lines.stay();
            shape.column_of = {};
        }
        if (!given.row_removal) shape.row_lines.stay();
        house = given.row_removal || given.column_removal == ColumnRemoval::NOT_NEGATIVE ||
                given.reveal_timing != RevealTiming::END ||
                given.reshuffle_timing != ReshuffleTiming::LAZY ||
                given.initial_flips == shape.n_cells;  // a grid may be empty before the first turn
    }
};
static_assert(SKYJO_OFF == OFF && sizeof(skyjo_table_rules::values) >= N_CODES);

}  // namespace skyjo
