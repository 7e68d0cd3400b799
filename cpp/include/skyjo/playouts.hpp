// SPDX-License-Identifier: MIT
// Random play from the middle of a round, many times over worlds that a seat cannot tell apart.
#pragma once

#include <cstdint>

#include "skyjo/game.hpp"

namespace skyjo {

// Where the results go: arrays by playout, and by playout and seat.
struct PlayoutResults {
    std::int16_t* raw = nullptr;     // (n, seats)
    std::int16_t* points = nullptr;  // (n, seats)
    std::int8_t* closer = nullptr;   // (n): absolute seat, -1 where nobody has closed
};

// Plays number first .. first + n - 1 of the playouts of a seed: deals anew what the seat to move
// cannot know, then plays to the end of the round with the policy of RandomBot. Precondition: the
// round is not finished. Cost: by the rules of fused::plays about 0.7 us a playout and seat from
// the first turn on, by others some 10 us.
void play_out(const Game& game, std::int64_t first, std::int64_t n, std::uint64_t seed,
              const PlayoutResults& results);

}  // namespace skyjo
