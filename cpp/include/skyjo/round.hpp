// SPDX-License-Identifier: MIT
// The turn machine of one round: RULES A.2 to A.9, A.12, A.13.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <type_traits>

#include "skyjo/deck.hpp"
#include "skyjo/grid.hpp"
#include "skyjo/move.hpp"
#include "skyjo/rules.hpp"
#include "skyjo/scoring.hpp"
#include "skyjo/table.hpp"

namespace skyjo {

// What a move did, for whoever keeps a log.
struct Step {
    Code card = NO_CARD;      // turned up by flip, take or place, or drawn
    bool reshuffled = false;  // the draw pile was made anew before the draw
};

template <class Deck>
class BasicRound {
 public:
    BasicRound() = default;

    // Shuffles and deals; the first opening flip is due. `starter` is the seat that will start, or
    // -1 for the highest sum. The setup must outlive the round.
    BasicRound(const Setup& setup, int n_seats, std::uint64_t round_key, DeckKind kind,
               int starter) noexcept
        : setup_(&setup), deck_(round_key, kind), key_(round_key), given_starter_(starter) {
        table_.n_seats = static_cast<std::int8_t>(n_seats);
        table_.hidden_pool = setup.rules.deck;
        const Code first = deck_.deal(setup.rules.deck, n_seats, setup.shape.n_cells);
        --table_.hidden_pool[first];
        table_.push_discard(first);
        table_.draw_pile_size =
            static_cast<std::uint8_t>(setup.n_cards - n_seats * setup.shape.n_cells - 1);
    }

    // A round in the middle: for positions that are given rather than played.
    BasicRound(const Setup& setup, const Table& table, const Deck& deck, int starter) noexcept
        : setup_(&setup), table_(table), deck_(deck), key_(deck.key()), given_starter_(starter) {}

    // Whose decision
    [[nodiscard]] const Table& table() const noexcept { return table_; }
    [[nodiscard]] const Deck& deck() const noexcept { return deck_; }
    // The seat that will start, where it is settled before the opening flips; else -1.
    [[nodiscard]] int given_starter() const noexcept { return given_starter_; }
    [[nodiscard]] bool finished() const noexcept { return table_.phase == Phase::OVER; }

    // Moves

    // The legal moves of the seat to move; never empty before the round is finished.
    [[nodiscard]] MoveSet legal() const noexcept {
        switch (table_.phase) {
            case Phase::FLIP: return {std::uint64_t{hidden_cells()} << FLIP};
            case Phase::TURN: return legal_turn();
            case Phase::HOLD: return legal_hold();
            case Phase::OVER: break;
        }
        return {};
    }

    // Plays a move. Precondition: legal().has(move).
    Step apply(Move move) noexcept {
        assert(legal().has(move));
        if (table_.phase == Phase::FLIP) return opening_flip(cell_of(move));
        switch (verb_of(move)) {
            case Verb::DRAW: return draw();
            case Verb::TAKE: return exchange(cell_of(move), table_.pop_discard());
            case Verb::PLACE: {
                const Code card = table_.hand;
                table_.hand = NO_CARD;
                return exchange(cell_of(move), card);
            }
            case Verb::FLIP: break;
        }
        return reject(cell_of(move));
    }

    // Makes the next draw pile in a given order, next card first, as the draw that follows would
    // make it at random. Precondition: the pile is empty, n is the number of discards less one and
    // the cards are these.
    void reshuffle_as(const Code* cards, int n) noexcept {
        assert(table_.draw_pile_size == 0 && n + 1 == table_.discard.size);
        const Code top = table_.pop_discard();
        deck_.lay_pile(cards, n);
        turn_discards_over(top);
    }

    // Outcome, once finished

    [[nodiscard]] Points raw() const noexcept {
        Points sums{};
        for (int seat = 0; seat < table_.n_seats; ++seat)
            sums[static_cast<std::size_t>(seat)] = grid(seat).open_points();
        return sums;
    }
    [[nodiscard]] Points points() const noexcept {
        return score(setup_->rules, raw(), table_.n_seats, table_.closer);
    }

    // Whether a card can be drawn: from the pile, or from one made of the discards (RULES A.9).
    [[nodiscard]] bool can_draw() const noexcept {
        return table_.draw_pile_size > 0 || table_.discard.size > 1;
    }

 private:
    // Legality

    [[nodiscard]] const Grid& grid(int seat) const noexcept {
        return table_.grids[static_cast<std::size_t>(seat)];
    }
    [[nodiscard]] Grid& own_grid() noexcept {
        return table_.grids[static_cast<std::size_t>(table_.seat)];
    }
    [[nodiscard]] Cells hidden_cells() const noexcept {
        return grid(table_.seat).hidden(setup_->shape);
    }
    // The cells into which a card may go: all that are no holes; under the stall rule those that
    // lie face down, if there are any (RULES A.12).
    [[nodiscard]] Cells target_cells() const noexcept {
        const Cells hidden = hidden_cells();
        if (table_.stalled && hidden != 0) return hidden;
        return grid(table_.seat).present(setup_->shape);
    }
    [[nodiscard]] MoveSet legal_turn() const noexcept {
        Cells takes = table_.discard.size > 0 ? target_cells() : Cells{0};
        const bool draws = can_draw();
        if (setup_->rules.forbid_same_value_swap) {
            const auto barred = static_cast<Cells>(takes & ~same_value_cells());
            // The option never takes the last move away.
            if (barred != 0 || draws) takes = barred;
        }
        return {std::uint64_t{takes} << TAKE | std::uint64_t{draws} << DRAW};
    }
    [[nodiscard]] MoveSet legal_hold() const noexcept {
        return {std::uint64_t{target_cells()} << PLACE | std::uint64_t{hidden_cells()} << FLIP};
    }
    // The open cells that show what lies on the discard pile (RULES A.4).
    [[nodiscard]] Cells same_value_cells() const noexcept {
        const Grid& own = grid(table_.seat);
        const Code top = table_.discard.top();
        Cells cells = 0;
        for (unsigned rest = own.up; rest != 0; rest &= rest - 1)
            if (const int cell = std::countr_zero(rest); own.code(cell) == top)
                cells = static_cast<Cells>(cells | (1U << cell));
        return cells;
    }

    // Moves

    // Takes the card that lies face down in an own cell out of the unseen ones.
    Code show_hidden(int seat, int cell) noexcept {
        const Code card = deck_.reveal(table_, seat, cell);
        --table_.hidden_pool[card];
        return card;
    }
    Step opening_flip(int cell) noexcept {
        const Code card = show_hidden(table_.seat, cell);
        own_grid().put(cell, card);
        if (std::popcount(own_grid().up) < setup_->rules.initial_flips) return {card};
        if (table_.seat + 1 < table_.n_seats) {
            ++table_.seat;
        } else {
            start_turns();
        }
        return {card};
    }
    void start_turns() noexcept {
        table_.starter =
            static_cast<std::int8_t>(given_starter_ >= 0 ? given_starter_ : highest_sum_starter());
        table_.seat = table_.starter;
        table_.phase = Phase::TURN;
    }
    [[nodiscard]] int highest_sum_starter() const noexcept {
        std::array<OpenCards, MAX_SEATS> open{};
        for (int seat = 0; seat < table_.n_seats; ++seat) {
            auto& cards = open[static_cast<std::size_t>(seat)];
            cards.sum = grid(seat).open_points();
            for (unsigned rest = grid(seat).up; rest != 0; rest &= rest - 1)
                cards.highest =
                    std::max(cards.highest, points_of(grid(seat).code(std::countr_zero(rest))));
        }
        return highest_sum_seat(setup_->rules, open, table_.n_seats, key_);
    }
    Step draw() noexcept {
        const bool empty = table_.draw_pile_size == 0;
        if (empty) reshuffle();
        const Code card = deck_.draw(table_, table_.seat);
        --table_.draw_pool()[card];
        --table_.draw_pile_size;
        table_.hand = card;
        table_.phase = Phase::HOLD;
        return {card, empty};
    }
    // The discards but the top one become the draw pile, a pool of its own (RULES A.9, E.5).
    void reshuffle() noexcept {
        const Code top = table_.pop_discard();
        deck_.reshuffle(table_.discard.cards.data(), table_.discard.size, table_.reshuffles);
        turn_discards_over(top);
    }
    void turn_discards_over(Code top) noexcept {
        table_.draw_pile_size = table_.discard.size;
        table_.pile_pool = table_.discard_counts;
        table_.discard = {};
        table_.discard_counts = {};
        ++table_.reshuffles;
        table_.push_discard(top);
    }
    // Puts a card into an own cell; what lay there goes on the discard pile.
    Step exchange(int cell, Code card) noexcept {
        Grid& own = own_grid();
        const bool was_up = own.is_up(cell);
        const Code old = was_up ? own.code(cell) : show_hidden(table_.seat, cell);
        own.put(cell, card);
        table_.push_discard(old);
        end_turn(!was_up);
        return {was_up ? NO_CARD : old};
    }
    // Lays the drawn card away and turns up a hidden one.
    Step reject(int cell) noexcept {
        table_.push_discard(table_.hand);
        table_.hand = NO_CARD;
        const Code card = show_hidden(table_.seat, cell);
        own_grid().put(cell, card);
        end_turn(true);
        return {card};
    }

    // The end of a turn: RESOLVE of RULES A.13

    void end_turn(bool used_hidden) noexcept {
        remove_lines(table_.seat);
        ++table_.turns;
        table_.stall_count = used_hidden ? 0 : table_.stall_count + 1;
        if (table_.stall_count == setup_->rules.stall_limit) table_.stalled = true;
        if (table_.closer >= 0) {
            table_.last_turns.pop();
        } else if (hidden_cells() == 0) {
            close();
        }
        if (table_.closer >= 0 && table_.last_turns.size == 0) return finish();
        if (table_.turns >= setup_->rules.max_turns_per_round) {
            table_.capped = true;
            table_.closer = -1;
            return finish();
        }
        table_.seat = static_cast<std::int8_t>(table_.closer >= 0 ? table_.last_turns.at(0)
                                                                  : table_.next_seat(table_.seat));
        table_.phase = Phase::TURN;
    }
    // The seat to move has turned up everything first: it is the closer (RULES A.6).
    void close() noexcept {
        table_.closer = table_.seat;
        if (setup_->rules.last_turns == LastTurns::NONE) return;
        const int stop =
            setup_->rules.last_turns == LastTurns::ALL_OTHERS ? table_.closer : table_.starter;
        for (int seat = table_.next_seat(table_.closer); seat != stop && seat != table_.closer;
             seat = table_.next_seat(seat))
            table_.last_turns.push(seat);
    }
    // All whole equal columns leave, from the left (RULES A.5).
    void remove_lines(int seat) noexcept {
        Grid& cards = table_.grids[static_cast<std::size_t>(seat)];
        const Lines& lines = setup_->shape.column_lines;
        for (unsigned rest = cards.complete(lines); rest != 0; rest &= rest - 1) {
            const int start = std::countr_zero(rest);
            for (int i = 0; i < lines.length; ++i)
                table_.push_discard(cards.code(start + i * lines.stride));
            cards.remove(start, lines);
        }
    }
    // The final reveal (RULES A.7).
    void finish() noexcept {
        for (int seat = 0; seat < table_.n_seats; ++seat) {
            for (unsigned rest = grid(seat).hidden(setup_->shape); rest != 0; rest &= rest - 1) {
                const int cell = std::countr_zero(rest);
                table_.grids[static_cast<std::size_t>(seat)].put(cell, show_hidden(seat, cell));
            }
            remove_lines(seat);
        }
        table_.last_turns = {};
        table_.seat = -1;
        table_.phase = Phase::OVER;
    }

    const Setup* setup_ = nullptr;
    Table table_{};
    Deck deck_{};
    std::uint64_t key_ = 0;
    int given_starter_ = -1;
};

using Round = BasicRound<OrderedDeck>;
using CountedRound = BasicRound<CountedDeck>;
static_assert(std::is_trivially_copyable_v<Round> && sizeof(Round) <= 1024);
static_assert(std::is_trivially_copyable_v<CountedRound> && sizeof(CountedRound) <= 640);

}  // namespace skyjo
