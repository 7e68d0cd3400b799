// SPDX-License-Identifier: MIT
// The game as Python holds it: the bare state, its rules and its history together.
#pragma once

#include <stdexcept>
#include <vector>

#include "bindings.hpp"
#include "skyjo/game.hpp"
#include "skyjo/record.hpp"

namespace skyjo::bindings {

class IllegalMove : public std::invalid_argument {
 public:
    using std::invalid_argument::invalid_argument;
};

struct PlayedGame {
    PlayedGame(SharedSetup rules, int n_seats, std::uint64_t seed, DeckKind kind);
    // A given position: one round without a deal. `piles`: the order of each next reshuffle.
    PlayedGame(SharedSetup rules, const Round& round, const Points& totals,
               std::vector<std::vector<Code>> piles);

    void apply(long long move);
    [[nodiscard]] bool from_deal() const noexcept { return !game.single_round(); }

    SharedSetup setup;
    Game game;
    GameLog log;
    std::vector<std::vector<Code>> piles;  // given draw piles not used yet, the next one first
};

}  // namespace skyjo::bindings
