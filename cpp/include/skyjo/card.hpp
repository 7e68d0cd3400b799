// SPDX-License-Identifier: MIT
// Cards: values as people read them, codes as the engine stores them, and counts per code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace skyjo {

// A card in its stored form, 5 bits: code = value + 4, so that -4..13 are 0..17; the Star is 18.
using Code = std::uint8_t;

inline constexpr int BIAS = 4;
inline constexpr int CODE_BITS = 5;
inline constexpr int N_CODES = 19;
inline constexpr int MIN_VALUE = -4;
inline constexpr int MAX_VALUE = 13;
inline constexpr Code STAR_CODE = 18;
inline constexpr Code NO_CARD = 255;

// What a cell shows where no value can be told; outside the values, each fits int8.
inline constexpr int HIDDEN = 127;
inline constexpr int REMOVED = 126;
inline constexpr int STAR = 125;

// The largest custom deck (240 cards, at most 120 of a value) and the largest table.
inline constexpr int MAX_CARDS = 240;
inline constexpr int MAX_COPIES = 120;
inline constexpr int MAX_SEATS = 10;
inline constexpr int MAX_CELLS = 12;

[[nodiscard]] constexpr Code code_of(int value) noexcept {
    return value == STAR ? STAR_CODE : static_cast<Code>(value + BIAS);
}

[[nodiscard]] constexpr int value_of(Code code) noexcept {
    return code == STAR_CODE ? STAR : static_cast<int>(code) - BIAS;
}

// What a card counts at the end of a round; a Star counts 0.
[[nodiscard]] constexpr int points_of(Code code) noexcept {
    return code == STAR_CODE ? 0 : static_cast<int>(code) - BIAS;
}

// Cards per code. 24 bytes, so that a copy is three 64-bit words.
struct Counts {
    std::array<std::uint8_t, 24> n{};

    [[nodiscard]] constexpr std::uint8_t& operator[](Code code) noexcept { return n[code]; }
    [[nodiscard]] constexpr int operator[](Code code) const noexcept { return n[code]; }
    [[nodiscard]] constexpr int total() const noexcept {
        int sum = 0;
        for (const std::uint8_t count : n) sum += count;
        return sum;
    }
    bool operator==(const Counts&) const = default;
};
static_assert(sizeof(Counts) == 24);

// Cards one after the other: room for the largest deck, and for what writes and reads by eights.
using Cards = std::array<Code, MAX_CARDS + 16>;

// Writes counts out, lowest code first; returns how many cards there are.
constexpr int write_out(const Counts& counts, Cards& out) noexcept {
    std::size_t n = 0;
    for (Code code = 0; code < N_CODES; ++code)
        for (int i = 0; i < counts[code] && n < out.size(); ++i) out[n++] = code;
    return static_cast<int>(n);
}

// A deck before it is shuffled.
struct Composition {
    Counts counts{};
    Cards cards{};
    int n_cards = 0;

    explicit constexpr Composition(const Counts& given) noexcept
        : counts(given), n_cards(write_out(given, cards)) {}
};

// 150 cards: -2 x 5, -1 x 10, 0 x 15, 1..12 x 10 each (RULES A.1).
[[nodiscard]] constexpr Counts classic_deck() noexcept {
    Counts deck;
    for (int value = -2; value <= 12; ++value)
        deck[code_of(value)] = value == -2 ? 5 : value == 0 ? 15 : 10;
    return deck;
}

// 105 cards, the number cards of the Action box: -2 x 3, -1 x 7, 0 x 11, 1..12 x 7 (RULES B.1).
[[nodiscard]] constexpr Counts numbers_deck() noexcept {
    Counts deck;
    for (int value = -2; value <= 12; ++value)
        deck[code_of(value)] = value == -2 ? 3 : value == 0 ? 11 : 7;
    return deck;
}

namespace contract {
constexpr int sum_of_values(const Counts& deck) {
    int sum = 0;
    for (int code = 0; code < N_CODES; ++code)
        sum += deck[static_cast<Code>(code)] * points_of(static_cast<Code>(code));
    return sum;
}
constexpr bool each_count_is_right(const Counts& deck) {
    constexpr int WANT[15] = {5, 10, 15, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10};
    for (int value = -2; value <= 12; ++value)
        if (deck[code_of(value)] != WANT[value + 2]) return false;
    return deck[code_of(-4)] == 0 && deck[code_of(-3)] == 0 && deck[code_of(13)] == 0 &&
           deck[STAR_CODE] == 0;
}
static_assert(each_count_is_right(classic_deck()));
static_assert(classic_deck().total() == 150 && sum_of_values(classic_deck()) == 760);
static_assert(numbers_deck().total() == 105 && sum_of_values(numbers_deck()) == 533);
static_assert(N_CODES <= 1 << CODE_BITS && MAX_CELLS * CODE_BITS <= 64);
}  // namespace contract

}  // namespace skyjo
