// SPDX-License-Identifier: MIT
// Views: all that one seat may know of a game, seen from that seat.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "skyjo/bot_abi.h"
#include "skyjo/game.hpp"

namespace skyjo {

static_assert(sizeof(skyjo_grid) == sizeof(Grid) && sizeof(Counts) == SKYJO_COUNTS);
static_assert(SKYJO_MAX_SEATS == MAX_SEATS && SKYJO_NO_CARD == NO_CARD);
static_assert(static_cast<int>(Phase::OVER) == 3);

// Seat of a viewer as others count it: relative to `seat`, -1 stays -1.
[[nodiscard]] constexpr std::int8_t relative_seat(int absolute, int seat, int n_seats) noexcept {
    if (absolute < 0) return -1;
    const int distance = absolute - seat;
    return static_cast<std::int8_t>(distance < 0 ? distance + n_seats : distance);
}

// Whether the last move of the log is a draw whose card this seat may not see.
[[nodiscard]] inline bool hides_last_card(const Table& table, int seat) noexcept {
    return table.hand != NO_CARD && table.seat != seat;
}

// The views of one game, seat after seat, kept up to date move by move: a look writes the scalars
// only. What a look returns holds until the game goes on.
//
//   grids_   seat 0 … n-1, then the same again: from seat s on they lie in the order of its view.
//   totals_  likewise.
class Viewer {
 public:
    Viewer() noexcept {
        view_.size = sizeof(skyjo_view);
        view_.time_limit = -1.0;
        view_.time_left = -1.0;
    }
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;

    // Takes in the whole table: after a deal, and once a round is settled.
    template <class AnyGame>
    void refresh(const AnyGame& game) noexcept {
        n_seats_ = game.table().n_seats;
        for (int seat = 0; seat < n_seats_; ++seat) {
            moved(game.table(), seat);
            const auto i = static_cast<std::size_t>(seat);
            totals_[i] = totals_[i + static_cast<std::size_t>(n_seats_)] = game.totals()[i];
        }
        view_.n_seats = static_cast<std::int8_t>(n_seats_);
        view_.round_number = game.round_number();
        view_.rules = &game.setup().known;
    }

    // Takes in a seat's grid: after its move.
    void moved(const Table& table, int seat) noexcept {
        // Field by field: a load of the whole grid would wait for the stores of its fields to end.
        const auto i = static_cast<std::size_t>(seat);
        const Grid& grid = table.grids[i];
        for (skyjo_grid* mirror : {&grids_[i], &grids_[i + static_cast<std::size_t>(n_seats_)]}) {
            mirror->codes = grid.codes;
            mirror->up = grid.up;
            mirror->removed = grid.removed;
        }
    }

    // The view of a seat. `moves` is the round so far as the log has it. While another seat holds a
    // drawn card, the last move's card must be hidden from this one: see `hides_last_card`.
    template <class AnyGame>
    const skyjo_view& look(const AnyGame& game, int seat, const skyjo_played* moves,
                           std::size_t n_moves) noexcept {
        const Table& table = game.table();
        assert(seat >= 0 && seat < n_seats_ && table.n_seats == n_seats_);
        look_at(table, seat, moves, n_moves);
        view_.to_move = relative_seat(table.seat, seat, n_seats_);
        view_.legal = table.seat == seat ? game.legal().bits : 0;
        if (hides_last_card(table, seat)) put_back_hand(table);
        return view_;
    }

    // The view of the seat to move, with its legal moves. Precondition: the round is not finished.
    SKYJO_INLINE const skyjo_view& look(const Table& table, MoveSet legal,
                                        const skyjo_played* moves, std::size_t n_moves) noexcept {
        look_at(table, table.seat, moves, n_moves);
        view_.to_move = 0;
        view_.legal = legal.bits;
        return view_;
    }

 private:
    friend class PlainTurns;

    SKYJO_INLINE void look_at(const Table& table, int seat, const skyjo_played* moves,
                              std::size_t n_moves) noexcept {
        view_.phase = static_cast<std::int8_t>(table.phase);
        view_.seat = static_cast<std::int8_t>(seat);
        view_.starter = relative_seat(table.starter, seat, n_seats_);
        view_.closer = relative_seat(table.closer, seat, n_seats_);
        view_.discard_top = table.discard.top();
        view_.draw_pile_size = table.draw_pile_size;
        view_.stalled = table.stalled ? 1 : 0;
        view_.n_last_turns = -1;
        if (table.closer >= 0) show_last_turns(table, seat);
        view_.turn_number = table.turns;
        view_.stall_count = table.stall_count;
        view_.reshuffles = table.reshuffles;
        view_.n_moves = static_cast<std::int32_t>(n_moves);
        view_.moves = moves;
        view_.grids = grids_.data() + seat;
        view_.totals = totals_.data() + seat;
        view_.hand = table.hand;
        view_.discard_counts = table.discard_counts.n.data();
        view_.pile_counts = table.draw_pool().n.data();
        view_.hidden_counts = table.hidden_pool.n.data();
    }
    void show_last_turns(const Table& table, int seat) noexcept {
        view_.n_last_turns = table.last_turns.size;
        for (int i = 0; i < table.last_turns.size; ++i)
            view_.last_turns[i] =
                static_cast<std::uint8_t>(relative_seat(table.last_turns.at(i), seat, n_seats_));
    }
    // For the others the drawn card still counts in the pool it came from.
    void put_back_hand(const Table& table) noexcept {
        view_.hand = NO_CARD;
        pile_ = table.draw_pool();
        hidden_ = table.hidden_pool;
        ++pile_[table.hand];
        if (table.reshuffles == 0) ++hidden_[table.hand];
        view_.pile_counts = pile_.n.data();
        view_.hidden_counts = hidden_.n.data();
    }

    // What PlainTurns looks at in each turn, beside the view itself.
    struct Limits {
        std::int32_t turns = 0;  // from this turn on, each ends with more to look at
        Cells all = 0;           // the cells of a grid
        bool is_scarce = false;  // a pile is empty, or the stall rule holds
        // By seat: who comes after it, and in its view the starter, the grids and the totals. No
        // branch could foresee where a round of turns ends.
        std::array<std::uint8_t, MAX_SEATS> next{};
        std::array<std::int8_t, MAX_SEATS> starter{};
        struct Window {
            const skyjo_grid* grids = nullptr;
            const std::int32_t* totals = nullptr;
        };
        std::array<Window, MAX_SEATS> windows{};
        // By seat, changed when lines leave its grid: the legal moves of a turn, and of a card in
        // the hand those that place it.
        struct Moves {
            std::uint64_t turn = 0;
            std::uint64_t places = 0;
        };
        std::array<Moves, MAX_SEATS> moves{};
    };

    skyjo_view view_{};
    Limits limits_{};
    std::array<skyjo_grid, 2 * MAX_SEATS> grids_{};
    std::array<std::int32_t, 2 * MAX_SEATS> totals_{};
    Counts pile_{};
    Counts hidden_{};
    int n_seats_ = 0;
};

// The view of one seat, once, to be kept: for scripts and tests. `moves` must outlive it.
template <class AnyGame>
void keep_view(const AnyGame& game, int seat, const skyjo_played* moves, std::size_t n_moves,
               skyjo_kept_view& kept) noexcept {
    Viewer viewer;
    viewer.refresh(game);
    skyjo_keep_view(&kept, &viewer.look(game, seat, moves, n_moves));
}

// Reading functions for bots written against the C struct.

[[nodiscard]] inline Grid grid_of(const skyjo_view& view, int relative) noexcept {
    return std::bit_cast<Grid>(view.grids[relative]);
}
[[nodiscard]] inline MoveSet legal_of(const skyjo_view& view) noexcept {
    return {view.legal};
}

}  // namespace skyjo
