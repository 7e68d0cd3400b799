// SPDX-License-Identifier: MIT
// What lies on the table in one round, for everybody to see, and the bookkeeping that follows.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <type_traits>

#include "skyjo/card.hpp"
#include "skyjo/grid.hpp"

namespace skyjo {

enum class Phase : std::uint8_t { FLIP, TURN, HOLD, OVER };

// The discard pile, bottom first.
struct DiscardPile {
    std::array<Code, MAX_CARDS> cards{};
    std::uint8_t size = 0;

    [[nodiscard]] constexpr Code top() const noexcept {
        return size > 0 ? cards[size - 1U] : NO_CARD;
    }
    constexpr void push(Code card) noexcept { cards[size++] = card; }
    constexpr Code pop() noexcept {
        assert(size > 0);
        return cards[--size];
    }
};

// The seats that still play after the closing, in order: 4 bits each, the next one lowest.
struct SeatQueue {
    std::uint64_t seats = 0;
    std::int8_t size = 0;

    constexpr void push(int seat) noexcept {
        seats |= static_cast<std::uint64_t>(seat) << (4 * size);
        ++size;
    }
    constexpr void pop() noexcept {
        seats >>= 4;
        --size;
    }
    [[nodiscard]] constexpr int at(int i) const noexcept {
        return static_cast<int>((seats >> (4 * i)) & 15U);
    }
    bool operator==(const SeatQueue&) const = default;
};

// Pools of unseen cards (RULES E.5). `hidden_pool`: the cards of which those face down in the grids
// are a random part; until the first reshuffle of the round it holds the draw pile's as well, and
// `pile_pool` stays empty. Afterwards the draw pile is exactly `pile_pool`. A card leaves its pool
// when it shows or is drawn; `hand` is the one datum here that only its holder may see.
struct Table {
    std::array<Grid, MAX_SEATS> grids{};
    Counts hidden_pool{};
    Counts pile_pool{};
    Counts discard_counts{};
    DiscardPile discard{};
    std::uint8_t draw_pile_size = 0;
    Code hand = NO_CARD;
    Phase phase = Phase::FLIP;
    std::int8_t n_seats = 0;
    std::int8_t seat = 0;  // whose decision it is; -1 when the round is over
    std::int8_t starter = -1;
    std::int8_t closer = -1;
    bool stalled = false;
    bool capped = false;
    SeatQueue last_turns{};
    std::int32_t turns = 0;        // finished turns
    std::int32_t stall_count = 0;  // of these the last ones that used up no hidden card
    std::int32_t reshuffles = 0;

    [[nodiscard]] constexpr Counts& draw_pool() noexcept {
        return reshuffles == 0 ? hidden_pool : pile_pool;
    }
    [[nodiscard]] constexpr const Counts& draw_pool() const noexcept {
        return reshuffles == 0 ? hidden_pool : pile_pool;
    }
    constexpr void push_discard(Code card) noexcept {
        discard.push(card);
        ++discard_counts[card];
    }
    constexpr Code pop_discard() noexcept {
        const Code card = discard.pop();
        --discard_counts[card];
        return card;
    }
    [[nodiscard]] constexpr int next_seat(int from) const noexcept {
        return from + 1 == n_seats ? 0 : from + 1;
    }
};
static_assert(std::is_trivially_copyable_v<Table> && sizeof(Table) <= 520);

}  // namespace skyjo
