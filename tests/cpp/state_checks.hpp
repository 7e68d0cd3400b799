// SPDX-License-Identifier: MIT
// What holds of every state of a game (RULES E.2, E.5): no card lost or made, pools equal to what
// really lies there, grids in form, legal moves not empty, views in step.
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "kept_view.hpp"
#include "testing.hpp"

namespace skyjo::testing {

inline Counts& operator+=(Counts& sum, const Counts& counts) {
    for (std::size_t i = 0; i < sum.n.size(); ++i)
        sum.n[i] = static_cast<std::uint8_t>(sum.n[i] + counts.n[i]);
    return sum;
}

inline Counts open_cards(const Table& table) {
    Counts counts;
    for (int seat = 0; seat < table.n_seats; ++seat) {
        const Grid& grid = table.grids[static_cast<std::size_t>(seat)];
        for (unsigned rest = grid.up; rest != 0; rest &= rest - 1)
            ++counts[grid.code(std::countr_zero(rest))];
    }
    return counts;
}

inline int n_hidden(const Table& table, const Shape& shape) {
    int n = 0;
    for (int seat = 0; seat < table.n_seats; ++seat)
        n += std::popcount(
            static_cast<unsigned>(table.grids[static_cast<std::size_t>(seat)].hidden(shape)));
    return n;
}

// No complete column is left, and holes are whole columns.
inline void check_columns_left(const Grid& grid, const Shape& shape) {
    require(grid.complete(shape.column_lines) == 0, "complete columns to have left");
    const int whole = (1 << shape.rows) - 1;
    for (int column = 0; column < shape.columns; ++column) {
        const int holes = (grid.removed >> (shape.rows * column)) & whole;
        require(holes == 0 || holes == whole, "whole columns of holes");
    }
}

// Whether every complete column leaves, and no row.
inline bool only_columns_leave(const Rules& rules) {
    return rules.column_removal == ColumnRemoval::MANDATORY && !rules.row_removal;
}

inline void check_grids(const Table& table, const Setup& setup) {
    for (int seat = 0; seat < MAX_SEATS; ++seat) {
        const Grid& grid = table.grids[static_cast<std::size_t>(seat)];
        if (seat >= table.n_seats) {
            require(grid == Grid{}, "no card at a seat that is not there");
            continue;
        }
        require((grid.up & grid.removed) == 0, "a cell to be open or a hole, not both");
        require(((grid.up | grid.removed) & ~setup.shape.all) == 0, "cells of the grid");
        for (int cell = 0; cell < setup.shape.n_cells; ++cell) {
            if (!grid.is_up(cell))
                require(grid.code(cell) == 0, "no code in a cell that is not up");
            if (grid.is_up(cell))
                require(setup.rules.deck[grid.code(cell)] > 0, "a card of the deck in a cell");
        }
        if (only_columns_leave(setup.rules)) check_columns_left(grid, setup.shape);
    }
}

// No card lost or made, code by code; pools of the right sizes (RULES E.2, E.5).
inline void check_cards(const Table& table, const Setup& setup) {
    Counts discards;
    for (int i = 0; i < table.discard.size; ++i)
        ++discards[table.discard.cards[static_cast<std::size_t>(i)]];
    require(discards == table.discard_counts, "counts of the discard pile");
    Counts all = open_cards(table);
    all += table.discard_counts;
    all += table.hidden_pool;
    all += table.pile_pool;
    if (table.hand != NO_CARD) ++all[table.hand];
    require(all == setup.rules.deck, "every card of the deck once");
    const int hidden = n_hidden(table, setup.shape);
    if (table.reshuffles == 0) {
        require(table.pile_pool == Counts{}, "one pool before a reshuffle");
        require(table.hidden_pool.total() == hidden + table.draw_pile_size, "the size of the pool");
    } else {
        require(table.hidden_pool.total() == hidden, "the pool of the cells to be theirs");
        require(table.pile_pool.total() == table.draw_pile_size, "the pool of the pile");
    }
    require((table.hand != NO_CARD) == (table.phase == Phase::HOLD), "a hand in HOLD alone");
    require(table.phase != Phase::TURN || table.discard.size > 0, "a discard at a turn");
}

// With an ordered deck what really lies face down is known: the pools must be exactly that.
inline void check_truth(const Table& table, const OrderedDeck& deck, const Setup& setup) {
    Counts hidden;
    for (int seat = 0; seat < table.n_seats; ++seat)
        for (unsigned rest = table.grids[static_cast<std::size_t>(seat)].hidden(setup.shape);
             rest != 0; rest &= rest - 1)
            ++hidden[deck.reveal(table, seat, std::countr_zero(rest))];
    std::array<Code, MAX_CARDS> cards{};
    const int n = deck.undrawn(cards.data());
    require(n == table.draw_pile_size, "as many undrawn cards as the pile has");
    Counts pile;
    for (int i = 0; i < n; ++i) ++pile[cards[static_cast<std::size_t>(i)]];
    if (table.reshuffles == 0) {
        hidden += pile;
        require(hidden == table.hidden_pool, "the pool to be what lies unseen");
    } else {
        require(hidden == table.hidden_pool, "the cells' pool to be what lies in the cells");
        require(pile == table.pile_pool, "the pile's pool to be what lies in the pile");
    }
}
inline void check_truth(const Table&, const CountedDeck&, const Setup&) {}

template <class AnyGame>
void check_views(const AnyGame& game) {
    const Table& table = game.table();
    for (int seat = 0; seat < table.n_seats; ++seat) {
        const KeptView kept = view_of(game, seat);
        const skyjo_view& view = kept.view;
        const bool moves = seat == table.seat;
        require(view.seat == seat && view.n_seats == table.n_seats, "the view's own seat");
        require((view.to_move == 0) == moves, "relative seat 0 to be the own one");
        require(legal_of(view) == (moves ? game.legal() : MoveSet{}), "the mover's legal moves");
        require(view.hand == (moves ? table.hand : NO_CARD), "the hand for its holder alone");
        for (int i = 0; i < table.n_seats; ++i) {
            const auto absolute = static_cast<std::size_t>((seat + i) % table.n_seats);
            require(grid_of(view, i) == table.grids[absolute], "grids by relative seat");
            require(view.totals[i] == game.totals()[absolute], "totals by relative seat");
        }
        const int held = table.hand != NO_CARD && !moves ? 1 : 0;
        int pile = 0;
        int hidden = 0;
        for (int code = 0; code < SKYJO_COUNTS; ++code) {
            pile += view.pile_counts[code];
            hidden += view.hidden_counts[code];
        }
        const int n = n_hidden(table, game.setup().shape);
        const int both = n + table.draw_pile_size + held;
        require(pile == (table.reshuffles == 0 ? both : table.draw_pile_size + held), "the pile");
        require(hidden == (table.reshuffles == 0 ? both : n), "the cells");
    }
}

template <class Deck>
void check_state(const BasicGame<Deck>& game, int& hidden_before) {
    const Table& table = game.table();
    check_grids(table, game.setup());
    check_cards(table, game.setup());
    check_truth(table, game.round().deck(), game.setup());
    const int hidden = n_hidden(table, game.setup().shape);
    require(hidden <= hidden_before, "no more hidden cards than before");
    hidden_before = hidden;
    require(table.phase != Phase::OVER || hidden == 0, "all cards open at the end");
    require((table.seat < 0) == (table.phase == Phase::OVER), "a seat to move until the end");
    require(game.legal().empty() == (table.phase == Phase::OVER), "a legal move until the end");
}

}  // namespace skyjo::testing
