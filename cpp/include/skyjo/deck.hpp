// SPDX-License-Identifier: MIT
// Where unseen cards come from: two models behind one set of calls.
//
// OrderedDeck  one seeded permutation per round, so that a deal can be played again in other seats.
// CountedDeck  no order at all: a card is drawn from the counts of its pool when it shows. Small,
//              no shuffle; the same law, because unseen cards are exchangeable (RULES E.5).
//
// Both offer deal, draw, reveal and reshuffle. The caller keeps the pools of the Table right.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <type_traits>

#include "skyjo/card.hpp"
#include "skyjo/rng.hpp"
#include "skyjo/table.hpp"

namespace skyjo {

// How the draw pile is shared out: one pile, or a lane of its own for each seat (STATISTICS 5).
enum class DeckKind : std::uint8_t { STACK, LANES };

class OrderedDeck {
 public:
    OrderedDeck() = default;
    OrderedDeck(std::uint64_t round_key, DeckKind kind) noexcept : key_(round_key), kind_(kind) {}

    // Shuffles the deck and deals: n_cells cards to each seat, then the first discard, which is
    // returned; the rest is the draw pile (RULES A.2). Cost: one shuffle.
    Code deal(const Counts& composition, int n_seats, int n_cells) noexcept {
        end_ = 0;
        for (int code = 0; code < N_CODES; ++code)
            for (int i = 0; i < composition[static_cast<Code>(code)]; ++i)
                cards_[end_++] = static_cast<Code>(code);
        Stream stream(derive(key_, Purpose::DECK));
        shuffle(cards_.data(), end_, stream);
        int next = 0;
        for (int seat = 0; seat < n_seats; ++seat)
            for (int cell = 0; cell < n_cells; ++cell) hide(seat, cell, cards_[next++]);
        base_ = static_cast<std::uint8_t>(next + 1);
        next_ = base_;
        n_seats_ = static_cast<std::uint8_t>(n_seats);
        return cards_[next];
    }

    // The next card of the draw pile for this seat. Precondition: the pile is not empty.
    Code draw(const Table& table, int seat) noexcept {
        assert(table.draw_pile_size > 0);
        if (kind_ == DeckKind::STACK || table.reshuffles > 0) return cards_[next_++];
        return draw_from_lane(seat);
    }

    // The card that lies face down in this cell.
    [[nodiscard]] Code reveal(const Table&, int seat, int cell) const noexcept {
        return static_cast<Code>((hidden_[static_cast<std::size_t>(seat)] >> (CODE_BITS * cell)) &
                                 31U);
    }

    // Makes a new draw pile from n cards; number counts the reshuffles of the round from 0.
    void reshuffle(const Code* cards, int n, int number) noexcept {
        for (int i = 0; i < n; ++i) cards_[static_cast<std::size_t>(i)] = cards[i];
        Stream stream(derive(key_, Purpose::RESHUFFLE, static_cast<std::uint64_t>(number)));
        shuffle(cards_.data(), n, stream);
        lay(n);
    }

    // Lays a pile by hand, next card first, and puts a card face down: for given positions.
    void lay_pile(const Code* cards, int n) noexcept {
        for (int i = 0; i < n; ++i) cards_[static_cast<std::size_t>(i)] = cards[i];
        lay(n);
    }
    void hide(int seat, int cell, Code card) noexcept {
        auto& codes = hidden_[static_cast<std::size_t>(seat)];
        codes &= ~(std::uint64_t{31} << (CODE_BITS * cell));
        codes |= std::uint64_t{card} << (CODE_BITS * cell);
    }

    // The cards of the pile that nobody has drawn yet, in position order (which for a stack is the
    // order of drawing); `out` has room for MAX_CARDS. Returns how many.
    int undrawn(const Table& table, Code* out) const noexcept {
        int n = 0;
        const bool lanes = kind_ == DeckKind::LANES && table.reshuffles == 0;
        for (int i = lanes ? base_ : next_; i < end_; ++i)
            if (!lanes || !is_drawn(i)) out[n++] = cards_[static_cast<std::size_t>(i)];
        return n;
    }
    [[nodiscard]] std::uint64_t key() const noexcept { return key_; }

 private:
    void lay(int n) noexcept {
        next_ = 0;
        end_ = static_cast<std::uint8_t>(n);
        kind_ = DeckKind::STACK;
    }
    [[nodiscard]] bool is_drawn(int position) const noexcept {
        return ((drawn_[static_cast<std::size_t>(position) / 64] >> (position % 64)) & 1U) != 0;
    }
    // Position base + k * n + s while it is in the pile and not drawn, else the highest not drawn.
    Code draw_from_lane(int seat) noexcept {
        auto& turn = lane_[static_cast<std::size_t>(seat)];
        int position = base_ + turn * n_seats_ + seat;
        if (turn < MAX_CARDS) ++turn;
        if (position >= end_ || is_drawn(position)) {
            position = end_ - 1;
            while (is_drawn(position)) --position;
        }
        drawn_[static_cast<std::size_t>(position) / 64] |= std::uint64_t{1} << (position % 64);
        return cards_[static_cast<std::size_t>(position)];
    }

    //   cards_   0 … base-2         base-1          base … end-1
    //            dealt, seat by     the first       the draw pile; a stack is
    //            seat, by cell      discard         drawn from next_ onwards
    //   After a reshuffle the new pile stands at 0 … end-1 and only that matters.
    std::array<Code, MAX_CARDS> cards_{};
    std::array<std::uint64_t, MAX_SEATS> hidden_{};  // 5 bits a cell, as in Grid
    std::array<std::uint64_t, 4> drawn_{};           // lanes: one bit a position
    std::array<std::uint8_t, MAX_SEATS> lane_{};     // lanes: draws of each seat
    std::uint64_t key_ = 0;
    std::uint8_t base_ = 0;
    std::uint8_t next_ = 0;
    std::uint8_t end_ = 0;
    std::uint8_t n_seats_ = 0;
    DeckKind kind_ = DeckKind::STACK;
};
static_assert(std::is_trivially_copyable_v<OrderedDeck>);

class CountedDeck {
 public:
    CountedDeck() = default;
    CountedDeck(std::uint64_t round_key, DeckKind) noexcept : stream_(round_key) {}

    Code deal(const Counts& composition, int, int) noexcept { return pick(composition); }
    Code draw(const Table& table, int) noexcept { return pick(table.draw_pool()); }
    Code reveal(const Table& table, int, int) noexcept { return pick(table.hidden_pool); }
    void reshuffle(const Code*, int, int) noexcept {}

 private:
    Code pick(const Counts& pool) noexcept {
        auto n = static_cast<int>(stream_.below(static_cast<std::uint64_t>(pool.total())));
        Code code = 0;
        while (n >= pool[code]) n -= pool[code++];
        return code;
    }

    Stream stream_;
};
static_assert(std::is_trivially_copyable_v<CountedDeck> && sizeof(CountedDeck) == 16);

}  // namespace skyjo
