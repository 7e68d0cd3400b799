// SPDX-License-Identifier: MIT
#include "skyjo/rules.hpp"

namespace skyjo {
namespace {

class Checker {
 public:
    void range(std::string_view field, int value, int low, int high, bool off = false) {
        if ((off && value == OFF) || (value >= low && value <= high)) return;
        found.push_back({field, (off ? "off or an integer from " : "an integer from ") +
                                    std::to_string(low) + " to " + std::to_string(high)});
    }
    void available(std::string_view field, bool ok, std::string_view only) {
        if (ok) return;
        found.push_back({field, std::string(only) +
                                    " (the only value available in this version; others follow)"});
    }

    std::vector<RulesFault> found;
};

}  // namespace

std::vector<RulesFault> faults(const Rules& rules) {
    const Rules normal;
    Checker check;
    check.available("deck", rules.deck == normal.deck, "classic150");
    check.available("rows", rules.rows == normal.rows, "3");
    check.available("columns", rules.columns == normal.columns, "4");
    check.available("initial_flips", rules.initial_flips == normal.initial_flips, "2");
    check.available("initial_flip_restriction",
                    rules.initial_flip_restriction == normal.initial_flip_restriction, "none");
    check.available("column_removal", rules.column_removal == normal.column_removal, "mandatory");
    check.available("row_removal", rules.row_removal == normal.row_removal, "false");
    check.available("reveal_timing", rules.reveal_timing == normal.reveal_timing, "end");
    check.range("double_factor", rules.double_factor, 1, 100);
    check.available("reshuffle", rules.reshuffle == normal.reshuffle, "keep_top");
    check.available("reshuffle_timing", rules.reshuffle_timing == normal.reshuffle_timing, "lazy");
    check.range("threshold", rules.threshold, 1, 1'000'000, true);
    check.range("max_rounds", rules.max_rounds, 1, 100'000, true);
    check.available("winner_tie", rules.winner_tie == normal.winner_tie, "shared");
    check.range("stall_limit", rules.stall_limit, 1, 1'000'000, true);
    check.range("max_turns_per_round", rules.max_turns_per_round, 1, 1'000'000);
    check.range("max_rounds_guard", rules.max_rounds_guard, 1, 100'000);
    if (rules.threshold == OFF && rules.max_rounds == OFF)
        check.found.push_back({"max_rounds", "a number of rounds when threshold is off"});
    return check.found;
}

}  // namespace skyjo
