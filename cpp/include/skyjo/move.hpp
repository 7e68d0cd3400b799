// SPDX-License-Identifier: MIT
// Moves of the classic game: one decision of a bot as a small int, and sets of them as a mask.
#pragma once

#include <bit>
#include <cstdint>

#include "skyjo/card.hpp"

namespace skyjo {

// flip c = 0 + c, take c = 12 + c, place c = 24 + c, draw = 36; cell c = rows * column + row.
using Move = std::uint8_t;

inline constexpr Move FLIP = 0;
inline constexpr Move TAKE = 12;
inline constexpr Move PLACE = 24;
inline constexpr Move DRAW = 36;
inline constexpr int N_MOVES = 37;

enum class Verb : std::uint8_t { FLIP, TAKE, PLACE, DRAW };

[[nodiscard]] constexpr Verb verb_of(Move move) noexcept {
    return static_cast<Verb>(move / MAX_CELLS);
}
[[nodiscard]] constexpr int cell_of(Move move) noexcept {
    return move % MAX_CELLS;
}

// A set of moves, bit m for move m.
struct MoveSet {
    std::uint64_t bits = 0;

    [[nodiscard]] constexpr bool has(int move) const noexcept {
        return move >= 0 && move < N_MOVES && ((bits >> move) & 1U) != 0;
    }
    [[nodiscard]] constexpr bool empty() const noexcept { return bits == 0; }
    [[nodiscard]] constexpr int size() const noexcept { return std::popcount(bits); }
    // The part with one verb, as a mask of cells.
    [[nodiscard]] constexpr std::uint32_t cells(Move verb) const noexcept {
        return static_cast<std::uint32_t>(bits >> verb) & 0xfffU;
    }
    bool operator==(const MoveSet&) const = default;
};

// The index of the n-th set bit, n counted from 0; precondition: the mask has more than n bits.
[[nodiscard]] constexpr int nth_bit(std::uint64_t mask, std::uint64_t n) noexcept {
    for (; n > 0; --n) mask &= mask - 1;
    return std::countr_zero(mask);
}

static_assert(verb_of(11) == Verb::FLIP && verb_of(12) == Verb::TAKE &&
              verb_of(24) == Verb::PLACE && verb_of(DRAW) == Verb::DRAW && cell_of(35) == 11);

}  // namespace skyjo
