// SPDX-License-Identifier: MIT
// Tables of a tournament at which built-in bots alone sit: what came of each, and its record.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "skyjo/bot_choice.hpp"
#include "skyjo/game.hpp"
#include "skyjo/match.hpp"
#include "skyjo/text_buffer.hpp"

namespace skyjo {

// One game of the schedule. `lineup` and `seating` go into the keys of the bots' streams.
struct NativeTable {
    std::int64_t deal = 0;
    std::uint64_t lineup = 0;
    std::uint64_t seating = 0;
    std::array<std::uint32_t, MAX_SEATS> bots{};  // by absolute seat: index of the bot
};

struct NativeResult {
    MatchResult match;
    Points totals{};
    std::uint64_t moves_hash = 0;
};

// What all tables share. Table t plays the game of game_seed(seed, t.deal); the bot at seat s has
// the stream of BotKeys(seed, t.deal, t.lineup, t.seating).of(s).
class NativeTables {
 public:
    // `rules` and `names` (one a bot) are JSON, for the records; without rules there are none. The
    // setup must outlive this object. Precondition: all bots are built in.
    NativeTables(const Setup& setup, int n_seats, std::vector<BotChoice> bots, std::uint64_t seed,
                 DeckKind kind, std::string_view rules, std::vector<std::string_view> names)
        : setup_(setup),
          n_seats_(n_seats),
          bots_(std::move(bots)),
          seed_(seed),
          kind_(kind),
          rules_(rules),
          names_(std::move(names)) {}

    // Plays a game to its end and appends its record, a line of JSON, where records are wanted.
    // Cost: that of play_match, and of the line about half as much.
    [[nodiscard]] NativeResult play(const NativeTable& table, TextBuffer& records) const;

 private:
    void append_line(TextBuffer& records, const NativeTable& table, const MatchResult& match,
                     const GameLog& log, const Game& game) const;

    const Setup& setup_;
    int n_seats_;
    std::vector<BotChoice> bots_;
    std::uint64_t seed_;
    DeckKind kind_;
    std::string_view rules_;
    std::vector<std::string_view> names_;
};

}  // namespace skyjo
