// SPDX-License-Identifier: MIT
// Filling a view: all that one seat may know of a game, seen from that seat.
#pragma once

#include <bit>
#include <cassert>
#include <cstring>

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

// Fills `view` for `seat`. `moves` is the round so far as the log has it; the caller keeps it (and
// the game's setup) alive while the view is in use. While another seat holds a drawn card, the last
// move's card must be hidden from this one: see `hides_last_card`.
template <class AnyGame>
void fill_view(const AnyGame& game, int seat, const skyjo_played* moves, std::size_t n_moves,
               skyjo_view& view) noexcept {
    const Table& table = game.table();
    const int n = table.n_seats;
    assert(seat >= 0 && seat < n);
    view.size = sizeof(skyjo_view);
    view.phase = static_cast<std::int8_t>(table.phase);
    view.n_seats = static_cast<std::int8_t>(n);
    view.seat = static_cast<std::int8_t>(seat);
    view.to_move = relative_seat(table.seat, seat, n);
    view.starter = relative_seat(table.starter, seat, n);
    view.closer = relative_seat(table.closer, seat, n);
    view.discard_top = table.discard.top();
    view.draw_pile_size = table.draw_pile_size;
    view.stalled = table.stalled ? 1 : 0;
    view.n_last_turns = table.closer >= 0 ? table.last_turns.size : std::int8_t{-1};
    std::memset(view.last_turns, 0, sizeof view.last_turns);
    for (int i = 0; i < table.last_turns.size; ++i)
        view.last_turns[i] =
            static_cast<std::uint8_t>(relative_seat(table.last_turns.at(i), seat, n));
    view.round_number = game.round_number();
    view.turn_number = table.turns;
    view.stall_count = table.stall_count;
    view.reshuffles = table.reshuffles;
    view.n_moves = static_cast<std::int32_t>(n_moves);
    view.legal = table.seat == seat ? game.legal().bits : 0;
    for (int i = 0; i < n; ++i) {
        const auto from = static_cast<std::size_t>(seat + i < n ? seat + i : seat + i - n);
        view.grids[i] = std::bit_cast<skyjo_grid>(table.grids[from]);
        view.totals[i] = game.totals()[from];
    }
    const Counts& pile = table.draw_pool();
    std::memcpy(view.discard_counts, &table.discard_counts, sizeof(Counts));
    std::memcpy(view.pile_counts, &pile, sizeof(Counts));
    std::memcpy(view.hidden_counts, &table.hidden_pool, sizeof(Counts));
    view.hand = table.seat == seat ? table.hand : NO_CARD;
    if (table.hand != NO_CARD && table.seat != seat) {
        // For the others the drawn card still counts in the pool it came from.
        ++view.pile_counts[table.hand];
        if (table.reshuffles == 0) ++view.hidden_counts[table.hand];
    }
    view.time_limit = -1.0;
    view.time_left = -1.0;
    view.moves = moves;
    view.rules = &game.setup().known;
}

// Whether the last move of the log is a draw whose card this seat may not see.
[[nodiscard]] inline bool hides_last_card(const Table& table, int seat) noexcept {
    return table.hand != NO_CARD && table.seat != seat;
}

// Reading functions for bots written against the C struct.

[[nodiscard]] inline Grid grid_of(const skyjo_view& view, int relative) noexcept {
    return std::bit_cast<Grid>(view.grids[relative]);
}
[[nodiscard]] inline MoveSet legal_of(const skyjo_view& view) noexcept {
    return {view.legal};
}

}  // namespace skyjo
