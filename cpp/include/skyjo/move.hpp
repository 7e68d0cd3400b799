// SPDX-License-Identifier: MIT
// Moves of the classic game: one decision of a bot as a small int, and sets of them as a mask.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "skyjo/card.hpp"
#include "skyjo/portability.hpp"

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
        const auto number = static_cast<unsigned>(move);
        return number < unsigned{N_MOVES} && ((bits >> number) & 1U) != 0;
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

// The same for the cells of a grid, without a loop whose length would be hard to foresee: a table
// tells the bits of each half, 4 bits each from the lowest, and how many there are.
class CellPicker {
 public:
    constexpr CellPicker() noexcept {
        for (unsigned half = 0; half < HALVES; ++half)
            for (unsigned bit = 0; bit < HALF_BITS; ++bit)
                if ((half >> bit & 1U) != 0) places_[half] |= bit << (4 * sizes_[half]++);
    }
    // Precondition: cells < 2**12, and it has more than n bits.
    [[nodiscard]] constexpr int nth(std::uint32_t cells, std::uint32_t n) const noexcept {
        const std::uint32_t low = cells % HALVES;
        const bool beyond = n >= sizes_[low];
        const std::uint32_t half = beyond ? cells / HALVES : low;
        const std::uint32_t rest = beyond ? n - sizes_[low] : n;
        const std::uint32_t place = (places_[half] >> (4 * rest)) & 15U;
        return static_cast<int>(beyond ? place + HALF_BITS : place);
    }
    [[nodiscard]] constexpr std::uint32_t size(std::uint32_t cells) const noexcept {
        return std::uint32_t{sizes_[cells % HALVES]} + sizes_[cells / HALVES];
    }

 private:
    static constexpr unsigned HALF_BITS = MAX_CELLS / 2;
    static constexpr unsigned HALVES = 1U << HALF_BITS;

    std::array<std::uint32_t, HALVES> places_{};
    std::array<std::uint8_t, HALVES> sizes_{};
};
inline constexpr CellPicker CELLS;

// How one of some cells is found and how many there are, by what the processor offers: nothing, the
// count of bits, the deposit of bits.
struct PickByTable {
    [[nodiscard]] SKYJO_INLINE static std::uint32_t size(std::uint32_t cells) noexcept {
        return CELLS.size(cells);
    }
    [[nodiscard]] SKYJO_INLINE static std::uint32_t nth(std::uint32_t cells,
                                                        std::uint32_t n) noexcept {
        return static_cast<std::uint32_t>(CELLS.nth(cells, n));
    }
};
struct PickByCount : PickByTable {
    [[nodiscard]] SKYJO_INLINE static std::uint32_t size(std::uint32_t cells) noexcept {
        return static_cast<std::uint32_t>(std::popcount(cells));
    }
};
#if SKYJO_HAS_BMI2
struct PickByDeposit : PickByCount {
    [[nodiscard]] SKYJO_INLINE static std::uint32_t nth(std::uint32_t cells,
                                                        std::uint32_t n) noexcept {
        return static_cast<std::uint32_t>(std::countr_zero(deposit_bits(1U << n, cells)));
    }
};
#endif
#if defined(__BMI2__)
using PickNative = PickByDeposit;
#else
using PickNative = PickByCount;
#endif

namespace contract {
constexpr bool every_cell_is_picked() {
    for (std::uint32_t cells = 0; cells < 1U << MAX_CELLS; ++cells)
        for (std::uint32_t n = 0; n < CELLS.size(cells); ++n)
            if (CELLS.nth(cells, n) != nth_bit(cells, n)) return false;
    return true;
}
static_assert(every_cell_is_picked());
}  // namespace contract

static_assert(verb_of(11) == Verb::FLIP && verb_of(12) == Verb::TAKE &&
              verb_of(24) == Verb::PLACE && verb_of(DRAW) == Verb::DRAW && cell_of(35) == 11);

}  // namespace skyjo
