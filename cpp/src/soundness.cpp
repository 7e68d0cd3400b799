// SPDX-License-Identifier: MIT
#include "skyjo/soundness.hpp"

#include <bit>

namespace skyjo {
namespace {

const Grid& cards_of(const Table& table, int seat) noexcept {
    return table.grids[static_cast<std::size_t>(seat)];
}

bool is_seat(const Table& table, int seat) noexcept {
    return seat >= 0 && seat < table.n_seats;
}

bool has_card(const Setup& setup, const Table& table, int seat) noexcept {
    return cards_of(table, seat).present(setup.shape) != 0;
}

bool is_grid(const Grid& grid, const Shape& shape) noexcept {
    if ((grid.up & grid.removed) != 0 || ((grid.up | grid.removed) & ~shape.all) != 0) return false;
    if (grid.codes >> (CODE_BITS * MAX_CELLS) != 0 || grid.unused != 0) return false;
    for (int cell = 0; cell < MAX_CELLS; ++cell)
        if (grid.is_up(cell) ? grid.code(cell) >= N_CODES : grid.code(cell) != 0) return false;
    return true;
}

bool grids_hold(const Setup& setup, const Table& table) noexcept {
    for (int seat = 0; seat < MAX_SEATS; ++seat)
        if (seat < table.n_seats ? !is_grid(cards_of(table, seat), setup.shape)
                                 : cards_of(table, seat) != Grid{})
            return false;
    return true;
}

// No more cards than the largest deck has, and only cards on the discard pile.
bool cards_hold(const Setup& setup, const Table& table) noexcept {
    int n_cards = table.discard.size + table.draw_pile_size + (table.hand < N_CODES ? 1 : 0);
    for (int seat = 0; seat < table.n_seats; ++seat)
        n_cards += std::popcount(cards_of(table, seat).present(setup.shape));
    if (n_cards > MAX_CARDS) return false;
    for (int i = 0; i < table.discard.size; ++i)
        if (table.discard.cards[static_cast<std::size_t>(i)] >= N_CODES) return false;
    return true;
}

// Whether a seat can make the opening flips that are due; holes were turned up as well.
bool has_flips_left(const Setup& setup, const Grid& grid) noexcept {
    const Shape& shape = setup.shape;
    const Cells hidden = grid.hidden(shape);
    const int due = setup.rules.initial_flips - (shape.n_cells - std::popcount(hidden));
    if (setup.rules.initial_flip_restriction == InitialFlipRestriction::NONE)
        return due > 0 && due <= std::popcount(hidden);
    int fresh_columns = 0;
    for (int column = 0; column < shape.columns; ++column) {
        const unsigned whole = ((1U << shape.rows) - 1U) << (shape.rows * column);
        fresh_columns += (hidden & whole) == whole ? 1 : 0;
    }
    return due > 0 && due <= fresh_columns;
}

bool opening_holds(const Setup& setup, const Table& table) noexcept {
    if (table.starter != -1 || table.closer != -1 || table.last_turns != SeatQueue{}) return false;
    for (int seat = table.seat; seat < table.n_seats; ++seat)
        if (!has_flips_left(setup, cards_of(table, seat))) return false;
    return true;
}

// Each seat of the last turns once, with a card to play with, the mover first.
bool last_turns_hold(const Setup& setup, const Table& table) noexcept {
    const SeatQueue& queue = table.last_turns;
    if ((table.closer >= 0) != (queue.size > 0) || queue.size >= table.n_seats) return false;
    if (queue.seats >> (4 * queue.size) != 0) return false;
    if (queue.size > 0 && queue.at(0) != table.seat) return false;
    unsigned seen = 0;
    for (int i = 0; i < queue.size; ++i) {
        const int seat = queue.at(i);
        if (!is_seat(table, seat) || seat == table.closer || ((seen >> seat) & 1U) != 0 ||
            !has_card(setup, table, seat))
            return false;
        seen |= 1U << seat;
    }
    return true;
}

bool turn_holds(const Setup& setup, const Table& table) noexcept {
    if (!is_seat(table, table.starter)) return false;
    // Before the closing a seat with an empty grid closes when its turn comes.
    const bool may_be_empty = table.phase == Phase::TURN && table.closer < 0;
    return (may_be_empty || has_card(setup, table, table.seat)) && last_turns_hold(setup, table);
}

}  // namespace

bool is_sound(const Setup& setup, const Table& table) noexcept {
    if (table.n_seats < 2 || table.n_seats > MAX_SEATS) return false;
    if (!grids_hold(setup, table) || !cards_hold(setup, table)) return false;
    if ((table.hand < N_CODES) != (table.phase == Phase::HOLD)) return false;
    if (table.hand >= N_CODES && table.hand != NO_CARD) return false;
    if (table.closer != -1 && !is_seat(table, table.closer)) return false;
    for (const std::int32_t count : {table.turns, table.stall_count, table.reshuffles})
        if (count < 0 || count > MANY) return false;
    if (table.phase == Phase::OVER)
        return table.seat == -1 && table.last_turns == SeatQueue{} && is_seat(table, table.starter);
    if (!is_seat(table, table.seat)) return false;
    // At a turn there must be something to take or to draw, and after the opening as well.
    if (table.phase != Phase::HOLD && table.discard.size == 0 && table.draw_pile_size == 0)
        return false;
    return table.phase == Phase::FLIP ? opening_holds(setup, table) : turn_holds(setup, table);
}

}  // namespace skyjo
