// SPDX-License-Identifier: MIT
// Many games of native or compiled bots, in threads: what came of each, and no history.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "skyjo/bot_choice.hpp"
#include "skyjo/game.hpp"
#include "skyjo/match.hpp"

namespace skyjo {

// Where the results of games go: arrays by game, and by game and seat. Game i stands at index i.
struct GameResults {
    std::int32_t* totals = nullptr;   // (games, seats)
    std::int8_t* places = nullptr;    // (games, seats)
    std::int32_t* rounds = nullptr;   // (games)
    std::int64_t* turns = nullptr;    // (games): complete turns
    std::uint64_t* hashes = nullptr;  // (games): of moves, totals and places
};

struct GameFault {
    std::int64_t game = 0;
    Fault fault;
};

// How games are played: by a loop that is random play and nothing else, or bot by bot. Both are
// fair samples of the same game; the decks of a seed differ.
enum class Path : std::uint8_t { FUSED, PLUGGABLE };

// Whether there is a fused loop for these bots and rules: for native:random, by fused::plays.
[[nodiscard]] bool can_fuse(const Setup& setup, const std::vector<BotChoice>& bots) noexcept;

// The games of one call: on the path PLUGGABLE game i is that of game_seed(seed, i), and seat s of
// it plays with the stream of BotKeys(seed, i, 0, 0).of(s). So no result depends on threads or on
// where a part begins.
class Simulation {
 public:
    // `bots`: one a seat. The setup, the bots and their options must outlive the simulation.
    // Precondition: for the path FUSED, can_fuse.
    Simulation(const Setup& setup, std::vector<BotChoice> bots, std::uint64_t seed, Path path)
        : setup_(&setup), bots_(std::move(bots)), seed_(seed), path_(path) {}

    // Plays games first .. first + n - 1. A bot at fault forfeits as in a match; its faults are
    // returned by game. Cost: a view and a call a decision, no allocation in a turn.
    [[nodiscard]] std::vector<GameFault> play(std::int64_t first, std::int64_t n, int n_threads,
                                              const GameResults& results) const;

 private:
    const Setup* setup_;
    std::vector<BotChoice> bots_;
    std::uint64_t seed_;
    Path path_;
};

}  // namespace skyjo
