// SPDX-License-Identifier: MIT
// Rounds by the plain rules, turn by turn: where nearly all of a match is played. The view that the
// bots get is itself the state, so that nothing is copied for a decision; what most turns do not
// change stays in the table.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "skyjo/bot_abi.h"
#include "skyjo/game.hpp"
#include "skyjo/move.hpp"
#include "skyjo/portability.hpp"
#include "skyjo/view.hpp"

namespace skyjo {

//   in the view   the seat, the phase, the hand, the top discard, counts of turns, of moves, of the
//                 draw pile
//   in the viewer the grids, each twice (see there)
//   in the table  the discard pile, the pools, and from store() on everything
//
// Two pointers and nothing else, handed on by value, also to what is not inlined: an object whose
// address is known elsewhere would be read from memory again after each call of a bot. So would the
// seat to move be, which is in the view: the loop hands it on in a register.
class PlainTurns {
 public:
    // Takes a round over. Precondition: it is_plain and not finished, no card is drawn; `moves` are
    // those of the round so far.
    PlainTurns(Round& round, Viewer& viewer, const skyjo_played* moves,
               std::size_t n_moves) noexcept
        : round_(&round), viewer_(&viewer) {
        assert(round.is_plain() && table().hand == NO_CARD);
        limits().all = shape().all;
        for (std::size_t seat = 0; seat < static_cast<std::size_t>(n_seats()); ++seat) {
            limits().next[seat] =
                static_cast<std::uint8_t>(table().next_seat(static_cast<int>(seat)));
            limits().windows[seat] = {viewer.grids_.data() + seat, viewer.totals_.data() + seat};
            show_moves(seat);
        }
        show_starter();
        load(moves, n_moves);
        view().to_move = 0;
    }

    // Gives the state back: before anything else looks at the game.
    SKYJO_APART static void store(PlainTurns self) noexcept {
        Table& table = self.table();
        const skyjo_view& view = self.view();
        for (int seat = 0; seat < self.n_seats(); ++seat)
            table.grids[static_cast<std::size_t>(seat)] =
                std::bit_cast<Grid>(self.viewer_->grids_[static_cast<std::size_t>(seat)]);
        table.seat = view.seat;
        table.phase = static_cast<Phase>(view.phase);
        table.hand = view.hand;
        table.draw_pile_size = view.draw_pile_size;
        table.turns = view.turn_number;
        table.stall_count = view.stall_count;
    }

    // The seat to move.
    [[nodiscard]] SKYJO_INLINE std::size_t seat() const noexcept {
        return static_cast<std::size_t>(view().seat);
    }
    [[nodiscard]] SKYJO_INLINE bool opening() const noexcept {
        return view().phase == static_cast<std::int8_t>(Phase::FLIP);
    }

    // From now on the moves of the round lie there.
    SKYJO_INLINE void look_into(const skyjo_played* moves) const noexcept { view().moves = moves; }

    // The view of the seat to move, in each phase.
    SKYJO_INLINE const skyjo_view& look_at_flip(std::size_t seat) const noexcept {
        return show(std::uint64_t{hidden(own(seat))} << FLIP);
    }
    SKYJO_INLINE const skyjo_view& look_at_turn(std::size_t seat) const noexcept {
        if (limits().is_scarce) [[unlikely]]
            return show(scarce_moves(*this));
        return show(limits().moves[seat].turn);
    }
    SKYJO_INLINE const skyjo_view& look_at_hold(std::size_t seat) const noexcept {
        std::uint64_t places = limits().moves[seat].places;
        if (limits().is_scarce) [[unlikely]]
            places = std::uint64_t{scarce_targets(*this)} << PLACE;
        return show(places | std::uint64_t{hidden(own(seat))} << FLIP);
    }

    // Precondition of the moves: legal, of the seat to move, and in the phase of the last look.
    // Where a flip or a turn ends they return whether the round goes on, and then with which seat;
    // if not, all is stored.

    SKYJO_INLINE bool flip(std::size_t& seat, int cell, Step& step) const noexcept {
        skyjo_grid& mine = own(seat);
        const int shift = CODE_BITS * cell;
        const auto card =
            static_cast<Code>((round_->deck_.hidden_codes(static_cast<int>(seat)) >> shift) & 31U);
        step.card = card;
        mine.codes |= std::uint64_t{card} << shift;
        mine.up = static_cast<std::uint16_t>(mine.up | 1U << cell);
        --table().hidden_pool[card];
        const int n_open = shape().n_cells - std::popcount(std::uint32_t{hidden(mine)});
        if (n_open >= shape().rows && column_of(cell).is_of(mine.codes, card) &&
            column_of(cell).is_open(mine.up)) [[unlikely]]
            remove_column(*this, cell);
        mirror(seat, mine.codes, mine.up);
        if (n_open < rules().initial_flips) return true;
        if (seat + 1 < static_cast<std::size_t>(n_seats())) {
            look_from(++seat);
            return true;
        }
        return goes_on(start(*this), seat);
    }
    SKYJO_INLINE Step draw(std::size_t seat) const noexcept {
        if (view().draw_pile_size == 0) [[unlikely]]
            return draw_of_new_pile(*this);
        return {draw_card(seat), false};
    }
    [[nodiscard]] SKYJO_INLINE Code take() const noexcept {
        --table().discard.size;
        --table().discard_counts[view().discard_top];
        return view().discard_top;
    }
    [[nodiscard]] SKYJO_INLINE Code drop_hand() const noexcept {
        const Code card = view().hand;
        view().hand = NO_CARD;
        return card;
    }
    // Counts a move that is played; the other also writes it down behind those so far, in the room
    // of a log, to which the view points for those who only look.
    SKYJO_INLINE void count_move() const noexcept { ++view().n_moves; }
    SKYJO_INLINE void write_move(const skyjo_played& played) const noexcept {
        const_cast<skyjo_played*>(view().moves)[view().n_moves++] = played;
    }
    [[nodiscard]] SKYJO_INLINE std::size_t n_moves() const noexcept {
        return static_cast<std::size_t>(view().n_moves);
    }
    // A card that is about to leave its cell.
    struct Leaving {
        std::uint64_t code = 0;
        std::uint64_t hides = 0;  // all bits where it lay face down
        // As the history has it: what nobody had seen, else NO_CARD.
        [[nodiscard]] SKYJO_INLINE Step seen() const noexcept {
            return {static_cast<Code>(code | ~hides), false};
        }
    };

    // Looks at the card of an own cell.
    [[nodiscard]] SKYJO_INLINE Leaving look_below(std::size_t seat, int cell) const noexcept {
        const skyjo_grid& mine = own(seat);
        // Masks, where a branch would be foreseen badly: a cell that lies face down has the code 0
        // in the grid.
        const std::uint64_t hides = ((std::uint64_t{mine.up} >> cell) & 1U) - 1;
        const std::uint64_t dealt = round_->deck_.hidden_codes(static_cast<int>(seat)) & hides;
        const std::uint64_t code = ((mine.codes | dealt) >> (CODE_BITS * cell)) & 31U;
        auto& unseen = table().hidden_pool[static_cast<Code>(code)];
        unseen = static_cast<std::uint8_t>(unseen + hides);
        const auto n_stalled = static_cast<std::uint32_t>(view().stall_count + 1);
        view().stall_count =
            static_cast<std::int32_t>(n_stalled & static_cast<std::uint32_t>(~hides));
        return {code, hides};
    }
    // Puts a card into that cell, or lays it away and turns the cell up where all bits of `rejects`
    // are set, which are 0 otherwise; ends the turn. Whether the round goes on, and then with which
    // seat.
    SKYJO_INLINE bool lay(std::size_t& seat, int cell, Code card, std::uint32_t rejects,
                          const Leaving& old) const noexcept {
        skyjo_grid& mine = own(seat);
        const int shift = CODE_BITS * cell;
        const std::uint64_t kept = (old.code ^ card) & rejects;
        const auto in = static_cast<Code>(card ^ kept);
        const auto out = static_cast<Code>(old.code ^ kept);
        const std::uint64_t codes = (mine.codes & ~(std::uint64_t{31} << shift)) | std::uint64_t{in}
                                                                                       << shift;
        const auto up = static_cast<Cells>(mine.up | 1U << cell);
        mine.codes = codes;
        mine.up = up;
        mirror(seat, codes, up);
        table().push_discard(out);
        view().discard_top = out;
        view().phase = static_cast<std::int8_t>(Phase::TURN);
        const std::int32_t n_turns = ++view().turn_number;
        // Each of these is rare by itself, so that branches are foreseen well.
        if (column_of(cell).is_of(codes, in)) [[unlikely]]
            return goes_on(settle(*this, cell, column_of(cell).is_open(up)), seat);
        if (static_cast<Cells>(up | mine.removed) == limits().all || n_turns >= limits().turns)
            [[unlikely]]
            return goes_on(settle(*this, cell, false), seat);
        seat = next_seat(seat);
        return true;
    }

 private:
    // The grid of the seat to move, to which the view points.
    [[nodiscard]] SKYJO_INLINE skyjo_grid& own(std::size_t seat) const noexcept {
        return viewer_->grids_[seat];
    }
    [[nodiscard]] SKYJO_INLINE Cells hidden(const skyjo_grid& grid) const noexcept {
        return static_cast<Cells>(limits().all & ~(grid.up | grid.removed));
    }
    [[nodiscard]] SKYJO_INLINE Cells targets(const skyjo_grid& grid) const noexcept {
        return static_cast<Cells>(limits().all & ~grid.removed);
    }
    // The same where not all may be legal.
    [[nodiscard]] SKYJO_APART static Cells scarce_targets(PlainTurns self) noexcept {
        const skyjo_grid& mine = self.own(self.seat());
        const Cells cells = self.hidden(mine);
        return self.view().stalled != 0 && cells != 0 ? cells : self.targets(mine);
    }
    [[nodiscard]] SKYJO_COLD static std::uint64_t scarce_moves(PlainTurns self) noexcept {
        const Cells takes = self.table().discard.size > 0 ? scarce_targets(self) : Cells{0};
        const bool draws = self.round_->can_draw(self.view().draw_pile_size);
        return std::uint64_t{takes} << TAKE | std::uint64_t{draws} << DRAW;
    }
    SKYJO_INLINE Code draw_card(std::size_t seat) const noexcept {
        const Code card = round_->deck_.draw(table(), static_cast<int>(seat));
        --const_cast<std::uint8_t*>(view().pile_counts)[card];
        if (--view().draw_pile_size == 0) [[unlikely]]
            limits().is_scarce = true;
        view().hand = card;
        view().phase = static_cast<std::int8_t>(Phase::HOLD);
        return card;
    }
    SKYJO_COLD static Step draw_of_new_pile(PlainTurns self) noexcept {
        reshuffle(self);
        const Code card = self.draw_card(self.seat());
        store(self);  // the log looks at the new pile
        return {card, true};
    }
    SKYJO_INLINE const skyjo_view& show(std::uint64_t legal) const noexcept {
        view().legal = legal;
        return view();
    }
    [[nodiscard]] SKYJO_INLINE const LineOfCell& column_of(int cell) const noexcept {
        return shape().column_of[static_cast<std::uint32_t>(cell)];
    }
    // The own grid again, where the views of other seats have it.
    SKYJO_INLINE void mirror(std::size_t seat, std::uint64_t codes, Cells up) const noexcept {
        skyjo_grid& again = own(seat + static_cast<std::size_t>(n_seats()));
        again.codes = codes;
        again.up = up;
    }
    SKYJO_INLINE void look_from(std::size_t seat) const noexcept {
        view().seat = static_cast<std::int8_t>(seat);
        const Viewer::Limits::Window& window = limits().windows[seat];
        view().grids = window.grids;
        view().totals = window.totals;
    }
    // Who moves after what has changed more than a turn does: a seat, or NOBODY in a finished
    // round.
    static constexpr int NOBODY = -1;
    SKYJO_INLINE static bool goes_on(int next, std::size_t& seat) noexcept {
        seat = static_cast<std::size_t>(next);
        return next != NOBODY;
    }
    SKYJO_INLINE std::size_t next_seat(std::size_t seat) const noexcept {
        const std::size_t next = limits().next[seat];
        view().starter = limits().starter[next];
        look_from(next);
        return next;
    }
    void load(const skyjo_played* moves, std::size_t n_moves) const noexcept {
        viewer_->look_at(table(), table().seat, moves, n_moves);
        limits().turns = next_look();
        limits().is_scarce =
            table().stalled || table().draw_pile_size == 0 || table().discard.size == 0;
    }
    // The turn from which on each may be the last: that of the cap, the first that can make the
    // round stall, after the closing any.
    [[nodiscard]] std::int32_t next_look() const noexcept {
        if (table().closer >= 0) return 0;
        const std::int32_t cap = rules().max_turns_per_round;
        if (rules().stall_limit == OFF || table().stalled) return cap;
        return std::min(cap, table().turns + rules().stall_limit - table().stall_count);
    }
    void show_starter() const noexcept {
        // In locals: a store of a byte may change all that lies in memory.
        const int n = n_seats();
        const int starter = table().starter;
        Viewer::Limits& known = limits();
        for (int seat = 0; seat < n; ++seat)
            known.starter[static_cast<std::size_t>(seat)] = relative_seat(starter, seat, n);
    }
    void show_moves(std::size_t seat) const noexcept {
        const std::uint64_t cells = targets(own(seat));
        limits().moves[seat] = {cells << TAKE | std::uint64_t{1} << DRAW, cells << PLACE};
    }
    // After a change of the table: goes on from there, if the round does.
    int load_again() const noexcept {
        if (round_->finished()) return NOBODY;
        load(view().moves, static_cast<std::size_t>(view().n_moves));
        return view().seat;
    }
    SKYJO_APART static int start(PlainTurns self) noexcept {
        store(self);
        self.round_->start_turns();
        self.show_starter();
        return self.load_again();
    }
    SKYJO_COLD static void remove_column(PlainTurns self, int cell) noexcept {
        store(self);
        self.round_->remove_column(cell);
        self.viewer_->moved(self.table(), self.view().seat);
        self.show_moves(self.seat());
        self.view().discard_top = self.table().discard.top();
    }
    // What few turns have: a column leaves, the round stalls, somebody closes or has closed.
    SKYJO_APART static int settle(PlainTurns self, int cell, bool complete) noexcept {
        if (complete) remove_column(self, cell);
        const bool stalls = self.view().stall_count == self.rules().stall_limit;
        const bool goes_on = self.view().n_last_turns > 1 && !stalls &&
                             self.view().turn_number < self.rules().max_turns_per_round;
        if (goes_on) {
            self.pass_last_turn();
            return self.view().seat;
        }
        store(self);
        if (stalls) self.table().stalled = true;
        self.round_->pass_on<false>();
        return self.load_again();
    }
    // A last turn is over, and there are more.
    void pass_last_turn() const noexcept {
        table().last_turns.pop();
        const int seat = table().last_turns.at(0);
        look_from(static_cast<std::size_t>(seat));
        view().starter = relative_seat(table().starter, seat, n_seats());
        view().closer = relative_seat(table().closer, seat, n_seats());
        viewer_->show_last_turns(table(), seat);
    }
    static void reshuffle(PlainTurns self) noexcept {
        store(self);
        self.round_->reshuffle();
        skyjo_view& view = self.view();
        view.draw_pile_size = self.table().draw_pile_size;
        view.discard_top = self.table().discard.top();
        view.reshuffles = self.table().reshuffles;
        view.pile_counts = self.table().draw_pool().n.data();
        self.limits().is_scarce = self.table().stalled;
    }

    [[nodiscard]] SKYJO_INLINE Table& table() const noexcept { return round_->table_; }
    [[nodiscard]] SKYJO_INLINE skyjo_view& view() const noexcept { return viewer_->view_; }
    [[nodiscard]] SKYJO_INLINE Viewer::Limits& limits() const noexcept { return viewer_->limits_; }
    [[nodiscard]] SKYJO_INLINE int n_seats() const noexcept { return view().n_seats; }
    [[nodiscard]] SKYJO_INLINE const Shape& shape() const noexcept { return round_->setup_->shape; }
    [[nodiscard]] SKYJO_INLINE const Rules& rules() const noexcept { return round_->setup_->rules; }

    Round* round_;
    Viewer* viewer_;
};

}  // namespace skyjo
