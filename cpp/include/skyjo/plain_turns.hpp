// SPDX-License-Identifier: MIT
// Whole turns by the plain rules, between the opening and the closing: where nearly all of a match
// is played. The view that the bots get is itself the state, so that nothing is copied for a
// decision; what a turn does not change stays in the table.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "skyjo/bot_abi.h"
#include "skyjo/game.hpp"
#include "skyjo/move.hpp"
#include "skyjo/portability.hpp"
#include "skyjo/view.hpp"

namespace skyjo {

//   in the view   the phase, the hand, the top discard, counts of turns and of the draw pile
//   in the viewer the grids, each twice (see there)
//   in the table  the discard pile, the pools, and from store() on everything
class PlainTurns {
 public:
    // Takes the turns over. Precondition: a turn is due, the round is_plain, nobody has closed.
    SKYJO_INLINE PlainTurns(Round& round, Viewer& viewer) noexcept
        : round_(round),
          table_(round.table_),
          viewer_(viewer),
          view_(viewer.view_),
          all_(round.setup_->shape.all),
          n_seats_(table_.n_seats),
          seat_(table_.seat) {
        assert(round.is_plain() && table_.phase == Phase::TURN && table_.closer < 0);
        viewer.look_at(table_, seat_, nullptr, 0);
        view_.to_move = 0;
    }

    // Gives the state back: before anything else looks at the game.
    void store() noexcept {
        for (int seat = 0; seat < n_seats_; ++seat)
            table_.grids[static_cast<std::size_t>(seat)] =
                std::bit_cast<Grid>(viewer_.grids_[static_cast<std::size_t>(seat)]);
        table_.seat = static_cast<std::int8_t>(seat_);
        table_.phase = static_cast<Phase>(view_.phase);
        table_.hand = view_.hand;
        table_.draw_pile_size = view_.draw_pile_size;
        table_.turns = view_.turn_number;
        table_.stall_count = view_.stall_count;
        table_.stalled = view_.stalled != 0;
    }

    [[nodiscard]] SKYJO_INLINE int seat() const noexcept { return seat_; }

    // The view of the seat to move. Precondition: `moves` are those of the round so far.
    SKYJO_INLINE const skyjo_view& look(const skyjo_played* moves, std::size_t n_moves) noexcept {
        const skyjo_grid& own = viewer_.grids_[static_cast<std::size_t>(seat_)];
        const std::uint64_t targets = view_.stalled != 0 ? hidden(own) : present(own);
        view_.legal = view_.hand == NO_CARD ? targets << TAKE | std::uint64_t{can_draw()} << DRAW
                                            : targets << PLACE | std::uint64_t{hidden(own)} << FLIP;
        view_.moves = moves;
        view_.n_moves = static_cast<std::int32_t>(n_moves);
        return view_;
    }

    // Precondition of the moves: legal, and in the phase of the last look.
    SKYJO_INLINE Step draw() noexcept {
        const bool empty = view_.draw_pile_size == 0;
        if (empty) [[unlikely]]
            reshuffle();
        const Code card = round_.deck_.draw(table_, seat_);
        --table_.draw_pool()[card];
        --view_.draw_pile_size;
        view_.hand = card;
        view_.phase = static_cast<std::int8_t>(Phase::HOLD);
        if (empty) [[unlikely]]
            store();  // the log looks at the new pile
        return {card, empty};
    }
    [[nodiscard]] SKYJO_INLINE Code take() noexcept {
        --table_.discard.size;
        --table_.discard_counts[view_.discard_top];
        return view_.discard_top;
    }
    [[nodiscard]] SKYJO_INLINE Code drop_hand() noexcept {
        const Code card = view_.hand;
        view_.hand = NO_CARD;
        return card;
    }
    // Puts a card into an own cell, or with `rejects` lays it away and turns the cell up. Ends the
    // turn; returns whether the turns go on (else they have been stored).
    SKYJO_INLINE bool lay(int cell, Code card, bool rejects, Step& step) noexcept {
        skyjo_grid& own = viewer_.grids_[static_cast<std::size_t>(seat_)];
        const int shift = CODE_BITS * cell;
        const bool was_up = ((own.up >> cell) & 1U) != 0;
        const std::uint64_t dealt = round_.deck_.hidden_codes(seat_);
        const auto old = static_cast<Code>(((was_up ? own.codes : dealt) >> shift) & 31U);
        const Code out = rejects ? card : old;
        const Code in = rejects ? old : card;
        step.card = was_up ? NO_CARD : old;
        own.codes = (own.codes & ~(std::uint64_t{31} << shift)) | std::uint64_t{in} << shift;
        own.up = static_cast<std::uint16_t>(own.up | 1U << cell);
        table_.hidden_pool[old] = static_cast<std::uint8_t>(table_.hidden_pool[old] - !was_up);
        table_.push_discard(out);
        view_.discard_top = out;
        ++view_.turn_number;
        view_.stall_count = was_up ? view_.stall_count + 1 : 0;
        const bool complete = completes(own, cell);
        const bool stalls = view_.stall_count == stall_limit_;
        const bool ends = hidden(own) == 0 || view_.turn_number >= max_turns_;
        if (complete || stalls || ends) [[unlikely]]
            return settle(cell, complete, stalls);
        mirror(own);
        next_seat();
        return true;
    }

 private:
    [[nodiscard]] SKYJO_INLINE Cells present(const skyjo_grid& own) const noexcept {
        return static_cast<Cells>(all_ & ~own.removed);
    }
    [[nodiscard]] SKYJO_INLINE Cells hidden(const skyjo_grid& own) const noexcept {
        return static_cast<Cells>(all_ & ~(own.up | own.removed));
    }
    [[nodiscard]] SKYJO_INLINE bool can_draw() const noexcept {
        return view_.draw_pile_size > 0 || table_.discard.size > 1;
    }
    [[nodiscard]] SKYJO_INLINE bool completes(const skyjo_grid& own, int cell) const noexcept {
        const Shape& shape = round_.setup_->shape;
        const int start = shape.column_start[static_cast<std::size_t>(cell)];
        const Lines& lines = shape.column_lines;
        const bool open = ((own.up >> start) & lines.cells) == lines.cells;
        return open & uniform((own.codes >> (CODE_BITS * start)) & lines.fields, lines);
    }
    SKYJO_INLINE void mirror(const skyjo_grid& own) noexcept {
        skyjo_grid& again = viewer_.grids_[static_cast<std::size_t>(seat_ + n_seats_)];
        again.codes = own.codes;
        again.up = own.up;
    }
    SKYJO_INLINE void next_seat() noexcept {
        view_.starter =
            static_cast<std::int8_t>(view_.starter == 0 ? n_seats_ - 1 : view_.starter - 1);
        seat_ = seat_ + 1 == n_seats_ ? 0 : seat_ + 1;
        view_.seat = static_cast<std::int8_t>(seat_);
        view_.grids = viewer_.grids_.data() + seat_;
        view_.totals = viewer_.totals_.data() + seat_;
        view_.phase = static_cast<std::int8_t>(Phase::TURN);
    }
    // What few turns have: a column leaves, the round stalls, somebody closes.
    SKYJO_COLD bool settle(int cell, bool complete, bool stalls) noexcept {
        store();
        if (stalls) table_.stalled = true;
        if (complete) round_.remove_column(cell);
        viewer_.moved(table_, seat_);
        view_.stalled = table_.stalled ? 1 : 0;
        view_.discard_top = table_.discard.top();
        const Grid& own = table_.grids[static_cast<std::size_t>(seat_)];
        if (own.hidden(round_.setup_->shape) != 0 && view_.turn_number < max_turns_) {
            next_seat();
            return true;
        }
        round_.pass_on<false>();
        return false;
    }
    SKYJO_COLD void reshuffle() noexcept {
        store();
        round_.reshuffle();
        view_.draw_pile_size = table_.draw_pile_size;
        view_.discard_top = table_.discard.top();
        view_.reshuffles = table_.reshuffles;
        view_.pile_counts = table_.draw_pool().n.data();
    }

    Round& round_;
    Table& table_;
    Viewer& viewer_;
    skyjo_view& view_;
    Cells all_;
    std::int32_t n_seats_;
    std::int32_t seat_;
    std::int32_t stall_limit_ = round_.setup_->rules.stall_limit;
    std::int32_t max_turns_ = round_.setup_->rules.max_turns_per_round;
};

}  // namespace skyjo
