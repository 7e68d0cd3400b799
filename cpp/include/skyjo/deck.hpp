// SPDX-License-Identifier: MIT
// Where unseen cards come from: two models behind one set of calls.
//
// OrderedDeck  one seeded permutation per round, so that a deal can be played again in other seats.
//              It is settled card by card, as far as a round needs it.
// CountedDeck  no order at all: a card is drawn from the counts of its pool when it shows. Small,
//              no shuffle; the same law, because unseen cards are exchangeable (RULES E.5).
//
// Both offer deal, draw, reveal and reshuffle. The caller keeps the pools of the Table right.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "skyjo/card.hpp"
#include "skyjo/grid.hpp"
#include "skyjo/rng.hpp"
#include "skyjo/table.hpp"

namespace skyjo {

// How the draw pile is shared out: one pile, or a lane of its own for each seat (STATISTICS 5).
enum class DeckKind : std::uint8_t { STACK, LANES };

// A card drawn from counts, each card equally likely. Precondition: they are not all 0.
[[nodiscard]] constexpr Code pick(const Counts& pool, Stream& stream) noexcept {
    auto n = static_cast<int>(stream.below(static_cast<std::uint64_t>(pool.total())));
    Code code = 0;
    while (n >= pool[code]) n -= pool[code++];
    return code;
}

class OrderedDeck {
 public:
    OrderedDeck() noexcept : cards_{} {}
    // Precondition of all else but key(): it is dealt.
    OrderedDeck(std::uint64_t round_key, DeckKind kind) noexcept : key_(round_key), kind_(kind) {}

    // Shuffles the deck and deals: n_cells cards to each seat, then the first discard, which is
    // returned; the rest is the draw pile (RULES A.2). Cost: a shuffle of the cards dealt, for
    // lanes of all.
    Code deal(const Composition& deck, int n_seats, int n_cells) noexcept {
        cards_ = deck.cards;
        begin_shuffle(deck.n_cards, derive(key_, Purpose::DECK));
        const int n_dealt = n_seats * n_cells + 1;
        settle(kind_ == DeckKind::LANES ? end_ : std::min<int>(n_dealt + AHEAD, end_));
        return hand_out(n_seats, n_cells);
    }

    // Deals a deck in a given order, as a record has it.
    Code deal_as(const Code* cards, int n, int n_seats, int n_cells) noexcept {
        put_down(cards, n);
        return hand_out(n_seats, n_cells);
    }

    // The next card of the draw pile for this seat. Precondition: the pile is not empty.
    Code draw([[maybe_unused]] const Table& table, int seat) noexcept {
        assert(table.draw_pile_size > 0);
        if (kind_ == DeckKind::LANES) return draw_from_lane(seat);
        if (next_ == settled_) [[unlikely]]
            settle_more();
        return cards_[next_++];
    }

    // The cards that were dealt face down to a seat, 5 bits a cell as in Grid.
    [[nodiscard]] std::uint64_t hidden_codes(int seat) const noexcept {
        return hidden_[static_cast<std::size_t>(seat)];
    }
    // The card that lies face down in this cell.
    [[nodiscard]] Code reveal(const Table&, int seat, int cell) const noexcept {
        return hidden_card(seat, cell);
    }

    // Makes a new draw pile from n cards; number counts the reshuffles of the round from 0.
    void reshuffle(const Code* cards, int n, int number) noexcept {
        std::copy_n(cards, n, cards_.data());
        begin_shuffle(n, derive(key_, Purpose::RESHUFFLE, static_cast<std::uint64_t>(number)));
        lay();
    }

    // Lays a pile by hand, next card first, and puts a card face down: for given positions.
    void lay_pile(const Code* cards, int n) noexcept {
        put_down(cards, n);
        lay();
    }
    void hide(int seat, int cell, Code card) noexcept {
        auto& codes = hidden_[static_cast<std::size_t>(seat)];
        codes &= ~(std::uint64_t{31} << (CODE_BITS * cell));
        codes |= std::uint64_t{card} << (CODE_BITS * cell);
    }

    // The cards of the pile that nobody has drawn yet, in position order (which for a stack is the
    // order of drawing); `out` has room for them. Returns how many.
    int undrawn(Code* out) const noexcept {
        OrderedDeck whole = *this;
        whole.settle(end_);
        int n = 0;
        if (kind_ == DeckKind::STACK) {
            std::copy_n(whole.cards_.data() + next_, end_ - next_, out);
            return end_ - next_;
        }
        for (int i = first_undrawn(); i < end_; i = after(i))
            out[n++] = whole.cards_[static_cast<std::size_t>(i)];
        return n;
    }
    [[nodiscard]] std::uint64_t key() const noexcept { return key_; }

    // Deals anew from the pools of the table: a uniform arrangement of the unseen cards over the
    // hidden cells and the draw pile, or of two pools over one of these each (RULES E.5). Later
    // reshuffles come from the new key, and of the old deal nothing is left.
    void deal_anew(const Table& table, const Shape& shape, std::uint64_t round_key) noexcept {
        key_ = round_key;
        Stream stream(derive(round_key, Purpose::WORLD));
        Cards cards{};
        int n = write_out(table.hidden_pool, cards);
        shuffle(cards.data(), n, stream);
        int used = 0;
        cards_ = {};
        hidden_ = {};
        for (int seat = 0; seat < table.n_seats; ++seat)
            for (unsigned rest = table.grids[static_cast<std::size_t>(seat)].hidden(shape);
                 rest != 0; rest &= rest - 1)
                hide(seat, std::countr_zero(rest), cards[static_cast<std::size_t>(used++)]);
        if (table.reshuffles > 0) {
            n = write_out(table.pile_pool, cards);
            shuffle(cards.data(), n, stream);
            used = 0;
        }
        assert(n - used == table.draw_pile_size);
        for (int i = first_undrawn(); i < end_; i = after(i))
            cards_[static_cast<std::size_t>(i)] = cards[static_cast<std::size_t>(used++)];
        settled_ = end_;
        shuffle_ = {};
        word_ = {};
    }

    // A place of an unseen card: a hidden cell, or (seat -1) a position of the draw pile.
    struct Place {
        int seat = -1;
        int index = 0;
    };
    // Where the next card for this seat lies. Precondition: the pile is not empty.
    [[nodiscard]] Place top_of_pile(int seat) const noexcept {
        return {-1, kind_ == DeckKind::LANES ? lane_position(seat) : next_};
    }
    // Brings a card to a place, from one of the places of the same pool that hold such a card, each
    // equally likely: if all lay uniformly before, the rest still does. Precondition: the place's
    // pool holds the card. Cost: a look at each unseen card.
    void bring(const Table& table, const Shape& shape, Place target, Code card,
               Stream& stream) noexcept {
        settle(end_);
        std::array<Place, MAX_CARDS> found{};
        int n = 0;
        const bool one_pool = table.reshuffles == 0;
        for (int seat = 0; seat < table.n_seats && (one_pool || target.seat >= 0); ++seat)
            for (unsigned rest = table.grids[static_cast<std::size_t>(seat)].hidden(shape);
                 rest != 0; rest &= rest - 1)
                if (const Place place{seat, std::countr_zero(rest)}; at(place) == card)
                    found[static_cast<std::size_t>(n++)] = place;
        for (int i = first_undrawn(); i < end_ && (one_pool || target.seat < 0); i = after(i))
            if (at({-1, i}) == card) found[static_cast<std::size_t>(n++)] = {-1, i};
        assert(n > 0);
        const auto chosen = stream.below(static_cast<std::uint64_t>(n));
        const Place source = found[static_cast<std::size_t>(chosen)];
        put(source, at(target));
        put(target, card);
    }

 private:
    friend struct Snapshot;

    // Cards of the pile that are settled before they are asked for: many at once take half the
    // time.
    static constexpr int AHEAD = 4 * SHUFFLED_BY_WORD;

    // The shuffle of rng.hpp, a step at a time: the cards before settled_ lie as they will.
    void begin_shuffle(int n, std::uint64_t key) noexcept {
        end_ = static_cast<std::uint8_t>(n);
        settled_ = 0;
        shuffle_ = Stream(key);
    }
    void settle_next() noexcept {
        if (settled_ % SHUFFLED_BY_WORD == 0) word_ = {shuffle_.next()};
        const auto n_left = static_cast<std::uint64_t>(end_ - settled_);
        std::swap(cards_[settled_], cards_[settled_ + word_.below(n_left)]);
        ++settled_;
    }
    SKYJO_APART void settle_more() noexcept { settle(std::min<int>(settled_ + AHEAD, end_)); }
    // By whole words as far as they go, in locals, which no store to a card can alias.
    void settle(int n) noexcept {
        while (settled_ < n && settled_ % SHUFFLED_BY_WORD != 0) settle_next();
        Stream stream = shuffle_;
        Code* card = cards_.data() + settled_;
        auto n_left = static_cast<std::uint64_t>(end_ - settled_);
        for (int i = settled_; i + SHUFFLED_BY_WORD <= n; i += SHUFFLED_BY_WORD) {
            Word word{stream.next()};
            for (int k = 0; k < SHUFFLED_BY_WORD; ++k, ++card, --n_left)
                std::swap(*card, card[word.below(n_left)]);
        }
        shuffle_ = stream;
        settled_ = static_cast<std::uint8_t>(card - cards_.data());
        while (settled_ < n) settle_next();
    }
    void put_down(const Code* cards, int n) noexcept {
        std::copy_n(cards, n, cards_.data());
        end_ = settled_ = static_cast<std::uint8_t>(n);
    }
    // Eight cards from a position on, 5 bits each: 8 bytes become four pairs, two fours, one
    // number.
    [[nodiscard]] std::uint64_t pack_eight(int position) const noexcept {
        std::uint64_t codes = 0;
        std::memcpy(&codes, cards_.data() + position, sizeof codes);
        codes = little_endian(codes);
        codes = (codes & 0x001f001f001f001fU) | (codes & 0x1f001f001f001f00U) >> 3;
        codes = (codes & 0x000003ff000003ffU) | (codes & 0x03ff000003ff0000U) >> 6;
        return (codes & 0x00000000000fffffU) | (codes & 0x000fffff00000000U) >> 12;
    }
    // Deals from cards_[0 .. end_): the first discard is returned, the draw pile follows it.
    Code hand_out(int n_seats, int n_cells) noexcept {
        int next = 0;
        const std::uint64_t cells = (std::uint64_t{1} << (CODE_BITS * n_cells)) - 1;
        for (int seat = 0; seat < n_seats; ++seat, next += n_cells)
            hidden_[static_cast<std::size_t>(seat)] =
                cells & (pack_eight(next) | pack_eight(next + 8) << 40);
        base_ = static_cast<std::uint8_t>(next + 1);
        next_ = base_;
        n_seats_ = static_cast<std::uint8_t>(n_seats);
        return cards_[static_cast<std::size_t>(next)];
    }
    void lay() noexcept {
        base_ = 0;
        next_ = 0;
        kind_ = DeckKind::STACK;
    }
    [[nodiscard]] bool is_drawn(int position) const noexcept {
        return ((drawn_[static_cast<std::size_t>(position) / 64] >> (position % 64)) & 1U) != 0;
    }
    // The positions of the pile that are not drawn yet, one after the other, up to end_.
    [[nodiscard]] int first_undrawn() const noexcept {
        return kind_ == DeckKind::LANES ? after(base_ - 1) : next_;
    }
    [[nodiscard]] int after(int position) const noexcept {
        ++position;
        if (kind_ == DeckKind::LANES)
            while (position < end_ && is_drawn(position)) ++position;
        return position;
    }
    [[nodiscard]] Code at(Place place) const noexcept {
        return place.seat < 0 ? cards_[static_cast<std::size_t>(place.index)]
                              : hidden_card(place.seat, place.index);
    }
    void put(Place place, Code card) noexcept {
        if (place.seat >= 0) return hide(place.seat, place.index, card);
        cards_[static_cast<std::size_t>(place.index)] = card;
    }
    [[nodiscard]] Code hidden_card(int seat, int cell) const noexcept {
        return static_cast<Code>((hidden_[static_cast<std::size_t>(seat)] >> (CODE_BITS * cell)) &
                                 31U);
    }
    // Position base + k * n + s while it is in the pile and not drawn, else the highest not drawn.
    [[nodiscard]] int lane_position(int seat) const noexcept {
        const int position = base_ + lane_[static_cast<std::size_t>(seat)] * n_seats_ + seat;
        if (position < end_ && !is_drawn(position)) return position;
        int highest = end_ - 1;
        while (is_drawn(highest)) --highest;
        return highest;
    }
    Code draw_from_lane(int seat) noexcept {
        const int position = lane_position(seat);
        if (auto& turn = lane_[static_cast<std::size_t>(seat)]; turn < MAX_CARDS) ++turn;
        drawn_[static_cast<std::size_t>(position) / 64] |= std::uint64_t{1} << (position % 64);
        return cards_[static_cast<std::size_t>(position)];
    }

    //   cards_   0 … base-2         base-1          base … end-1
    //            dealt, seat by     the first       the draw pile; a stack is
    //            seat, by cell      discard         drawn from next_ onwards
    //   A pile laid later, as by a reshuffle, is a stack at 0 … end-1, and only that matters.
    Cards cards_;
    std::array<std::uint64_t, MAX_SEATS> hidden_{};  // 5 bits a cell, as in Grid
    std::array<std::uint64_t, 4> drawn_{};           // lanes: one bit a position
    std::array<std::uint8_t, MAX_SEATS> lane_{};     // lanes: draws of each seat
    std::uint64_t key_ = 0;
    Stream shuffle_{};
    Word word_{};
    std::uint8_t settled_ = 0;
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

    Code deal(const Composition& deck, int, int) noexcept { return pick(deck.counts, stream_); }
    Code draw(const Table& table, int) noexcept { return pick(table.draw_pool(), stream_); }
    Code reveal(const Table& table, int, int) noexcept { return pick(table.hidden_pool, stream_); }
    void reshuffle(const Code*, int, int) noexcept {}

 private:
    Stream stream_;
};
static_assert(std::is_trivially_copyable_v<CountedDeck> && sizeof(CountedDeck) == 16);

}  // namespace skyjo
