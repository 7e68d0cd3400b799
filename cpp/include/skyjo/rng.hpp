// SPDX-License-Identifier: MIT
// The random generator of the engine: fully specified, the same on every platform.
//
//   mix64   the finaliser of splitmix64, a bijection on 64 bits (Stafford 2011, variant 13; Steele,
//           Lea and Flood 2014, "Fast splittable pseudorandom number generators").
//   derive  a key from a seed and a tuple of words. For a fixed length it is a bijection in each
//           single argument, so neighbouring seeds, rounds or deals never share a key.
//   Stream  128 bits of state made from one key: a position and an odd step of its own, as in
//           SplittableRandom. An output is the folded 128-bit product of the position with itself
//           exclusive-or a constant (the mixing step of wyrand, Wang Yi 2019).
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <utility>

#include "skyjo/portability.hpp"

namespace skyjo {

[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

inline constexpr std::uint64_t GOLDEN = 0x9e3779b97f4a7c15U;

// What a key is for: the first word of every derivation.
enum class Purpose : std::uint64_t {
    GAME = 1,       // (master seed, deal)                                   -> game seed
    ROUND = 2,      // (game seed, round)                                    -> round key
    DECK = 3,       // (round key)                                           -> order of the deck
    RESHUFFLE = 4,  // (round key, number of the reshuffle)                  -> order of a new pile
    STARTER = 5,    // (round key)                                           -> random starters
    BOT = 6,        // (master seed, deal, line-up, seating, seat)           -> stream of a bot
    PLAYOUT = 7,    // (seed, number)                                        -> counted rounds
    WORLD = 8,      // (seed), (round key)                                   -> unknown cards anew
    OUTCOME = 9,  // (round key, number)                                   -> a forced card's place
    BATCH = 10,   // (seed, row, number of the game in it)                 -> seed of that game
};

// A step of a derivation.
[[nodiscard]] constexpr std::uint64_t absorb(std::uint64_t key, std::uint64_t word) noexcept {
    return mix64(key + GOLDEN) ^ word;
}

template <std::convertible_to<std::uint64_t>... Words>
[[nodiscard]] constexpr std::uint64_t derive(std::uint64_t seed, Purpose purpose,
                                             Words... words) noexcept {
    std::uint64_t key = absorb(seed, static_cast<std::uint64_t>(purpose));
    ((key = absorb(key, static_cast<std::uint64_t>(words))), ...);
    return mix64(key + GOLDEN);
}

class Stream {
 public:
    Stream() = default;
    explicit constexpr Stream(std::uint64_t key) noexcept
        : position_(mix64(key ^ 0x243f6a8885a308d3U)),
          step_(mix64(key ^ 0x13198a2e03707344U) | 1U) {
        // A step with few changes between neighbouring bits mixes badly (Steele et al., 5.1).
        if (std::popcount(step_ ^ (step_ >> 1)) < 24) step_ ^= 0xaaaaaaaaaaaaaaaaU;
    }
    constexpr Stream(std::uint64_t position, std::uint64_t step) noexcept
        : position_(position), step_(step) {}

    // The next 64 bits.
    constexpr std::uint64_t next() noexcept {
        position_ += step_;
        const Product product = multiply(position_, position_ ^ 0xe7037ed1a0b428dbU);
        return product.high ^ product.low;
    }

    // Uniform on 0..n-1, n in 1..2**32: always one step, biased by less than n / 2**64
    // (Lemire 2019, "Fast random integer generation in an interval", without the rejection).
    constexpr std::uint64_t below(std::uint64_t n) noexcept { return multiply(next(), n).high; }

    [[nodiscard]] constexpr std::uint64_t position() const noexcept { return position_; }
    [[nodiscard]] constexpr std::uint64_t step() const noexcept { return step_; }
    bool operator==(const Stream&) const = default;

 private:
    std::uint64_t position_ = 0;
    std::uint64_t step_ = 1;
};

// A random word from which several small numbers are drawn: the high word of a product is uniform
// on 0..n-1, the low one goes on as the source of the next (Lemire 2019; Brackett-Rozinsky and
// Lemire 2024, "Batched ranged random integer generation", without the rejection). The bias of all
// together is at most their product / 2**64.
struct Word {
    std::uint64_t bits = 0;

    template <std::unsigned_integral Number>
    SKYJO_INLINE constexpr Number below(Number n) noexcept {
        const Product product = multiply(bits, n);
        bits = product.low;
        return static_cast<Number>(product.high);
    }
    // below(2) == 1, without a product.
    SKYJO_INLINE constexpr bool coin() noexcept {
        const bool is_one = bits >> 63 != 0;
        bits <<= 1;
        return is_one;
    }
};

// Shuffles items[0..n): Fisher-Yates from the front, the places of four items by one output.
inline constexpr int SHUFFLED_BY_WORD = 4;
template <class Item>
constexpr void shuffle(Item* items, int n, Stream& stream) noexcept {
    Word word;
    for (int i = 0; i + 1 < n; ++i) {
        if (i % SHUFFLED_BY_WORD == 0) word = {stream.next()};
        std::swap(items[i],
                  items[i + static_cast<int>(word.below(static_cast<std::uint64_t>(n - i)))]);
    }
}

// The keys of the bots' streams in one game. One way: a bot holds its stream, and no arithmetic
// leads from it back to the master seed.
class BotKeys {
 public:
    constexpr BotKeys(std::uint64_t master, std::uint64_t deal, std::uint64_t lineup,
                      std::uint64_t seating) noexcept
        : game_(derive(master, Purpose::BOT, deal, lineup, seating)) {}

    // derive(master, BOT, deal, lineup, seating, seat), mixed once more.
    [[nodiscard]] constexpr std::uint64_t of(std::uint64_t seat) const noexcept {
        const std::uint64_t key = mix64((game_ ^ seat) + GOLDEN);
        return mix64(key + GOLDEN) ^ key;
    }

 private:
    std::uint64_t game_;
};

[[nodiscard]] constexpr std::uint64_t game_seed(std::uint64_t master, std::uint64_t deal) noexcept {
    return derive(master, Purpose::GAME, deal);
}

static_assert(mix64(0x9e3779b97f4a7c15U) == 0xe220a8397b1dcdafU);  // splitmix64, seed 0, output 1

}  // namespace skyjo
