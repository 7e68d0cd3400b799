// SPDX-License-Identifier: MIT
// A match of the built-in bots, with its log.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "testing.hpp"

namespace skyjo::testing {

inline SeatBot native_seat(const char* name, std::uint64_t key) {
    const skyjo_bot* bot = native_bot(name);
    require(bot != nullptr && bot->size == sizeof(skyjo_bot), "a native bot of this name");
    return {bot, bot->create("", key)};
}

struct Played {
    Game game;
    GameLog log;
    MatchResult result;
};

inline Played native_match(const Setup& setup, int n_seats, std::uint64_t seed, DeckKind kind,
                           Timing timing = Timing::OFF) {
    Played played{Game(setup, n_seats, seed, kind), {}, {}};
    played.log.begin(played.game);
    std::array<SeatBot, MAX_SEATS> bots{};
    for (int seat = 0; seat < n_seats; ++seat)
        bots[static_cast<std::size_t>(seat)] =
            native_seat(seat % 2 == 0 ? "random" : "threshold",
                        BotKeys(seed, 0, 0, 0).of(static_cast<std::uint64_t>(seat)));
    played.result = play_match(played.game, played.log, bots, {OnFault::FORFEIT, timing});
    for (const SeatBot& bot : bots)
        if (bot.bot != nullptr) bot.bot->destroy(bot.self);
    return played;
}

}  // namespace skyjo::testing
