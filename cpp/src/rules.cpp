// SPDX-License-Identifier: MIT
#include "skyjo/rules.hpp"

#include <algorithm>

namespace skyjo {
namespace {

class Checker {
 public:
    void range(std::string_view field, int value, int low, int high, bool off = false) {
        if ((off && value == OFF) || (value >= low && value <= high)) return;
        found.push_back({field, (off ? "off or an integer from " : "an integer from ") +
                                    std::to_string(low) + " to " + std::to_string(high)});
    }
    // A limit that follows from other fields.
    void at_most(std::string_view field, int value, int high, std::string_view why) {
        if (value <= high) return;
        found.push_back({field, "at most " + std::to_string(high) + ", " + std::string(why)});
    }

    std::vector<RulesFault> found;
};

// The shape of the grid and what follows from it; of a shape that is none there is no more to say.
void check_grid(const Rules& rules, Checker& check) {
    check.range("rows", rules.rows, 1, MAX_CELLS);
    check.range("columns", rules.columns, 1, MAX_CELLS);
    if (!check.found.empty())
        return check.range("initial_flips", rules.initial_flips, 0, MAX_CELLS);
    const int n_cells = rules.rows * rules.columns;
    check.at_most(
        "columns", rules.columns, MAX_CELLS / rules.rows,
        "for a grid has at most 12 cells and there are " + std::to_string(rules.rows) + " rows");
    check.range("initial_flips", rules.initial_flips, 0, std::min(n_cells, MAX_CELLS));
    if (!check.found.empty()) return;
    // RULES A.2: with different_columns more flips than columns is an error.
    if (rules.initial_flip_restriction == InitialFlipRestriction::DIFFERENT_COLUMNS)
        check.at_most("initial_flips", rules.initial_flips, rules.columns,
                      "the columns, for initial_flip_restriction is different_columns");
    if (rules.deck.total() < 2 * n_cells + 1)
        check.found.push_back({"deck", "at least " + std::to_string(2 * n_cells + 1) +
                                           " cards, for two grids of " + std::to_string(n_cells) +
                                           " cells and the discard pile"});
}

}  // namespace

std::vector<RulesFault> faults(const Rules& rules) {
    Checker check;
    check_grid(rules, check);
    check.range("double_factor", rules.double_factor, 1, 100);
    check.range("threshold", rules.threshold, 1, 1'000'000, true);
    check.range("max_rounds", rules.max_rounds, 1, 100'000, true);
    check.range("stall_limit", rules.stall_limit, 1, 1'000'000, true);
    check.range("max_turns_per_round", rules.max_turns_per_round, 1, 1'000'000);
    check.range("max_rounds_guard", rules.max_rounds_guard, 1, 100'000);
    if (rules.threshold == OFF && rules.max_rounds == OFF)
        check.found.push_back({"max_rounds", "a number of rounds when threshold is off"});
    return check.found;
}

}  // namespace skyjo
