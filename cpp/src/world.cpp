// SPDX-License-Identifier: MIT
#include "skyjo/world.hpp"

#include <bit>
#include <cstring>

#include "skyjo/soundness.hpp"
#include "skyjo/view.hpp"

namespace skyjo {
namespace {

Counts counts_of(const std::uint8_t* given) noexcept {
    Counts counts;
    std::memcpy(counts.n.data(), given, sizeof counts);
    return counts;
}

int absolute_seat(const skyjo_view& view, int relative) noexcept {
    return relative < 0 ? -1 : (view.seat + relative) % view.n_seats;
}

// The seat to move has a card in its grid: no view shows one that has not.
bool has_card(const Setup& setup, const Table& table) noexcept {
    return table.grids[static_cast<std::size_t>(table.seat)].present(setup.shape) != 0;
}

bool is_card(Code code) noexcept {
    return code < N_CODES;
}

// Whether another seat has drawn a card that this view does not show.
bool holds_for_another(const skyjo_view& view) noexcept {
    return view.phase == static_cast<int>(Phase::HOLD) && view.to_move != 0;
}

// Whether only cards are counted, at most as many as the largest deck has.
bool is_count(const Counts& counts) noexcept {
    int total = 0;
    for (std::size_t code = 0; code < counts.n.size(); ++code) {
        if (code >= N_CODES && counts.n[code] > 0) return false;
        total += counts.n[code];
    }
    return total <= MAX_CARDS;
}

int n_hidden(const Setup& setup, const Table& table) noexcept {
    int n = 0;
    for (int seat = 0; seat < table.n_seats; ++seat)
        n += std::popcount(table.grids[static_cast<std::size_t>(seat)].hidden(setup.shape));
    return n;
}

// Whether the fields hold with which a table can be made.
bool fields_hold(const skyjo_view& view) noexcept {
    const auto is_seat = [&view](int seat) { return seat >= 0 && seat < view.n_seats; };
    if (view.n_seats < 2 || view.n_seats > MAX_SEATS) return false;
    if (!is_seat(view.seat) || !is_seat(view.to_move)) return false;
    for (const int seat : {view.starter, view.closer})
        if (seat != -1 && !is_seat(seat)) return false;
    if (view.n_last_turns < -1 || view.n_last_turns > view.n_seats) return false;
    for (int i = 0; i < view.n_last_turns; ++i)
        if (!is_seat(view.last_turns[i])) return false;
    for (const std::uint8_t* counts : {view.pile_counts, view.hidden_counts, view.discard_counts})
        if (!is_count(counts_of(counts))) return false;
    const Counts discard = counts_of(view.discard_counts);
    return discard.total() == 0 ? view.discard_top == NO_CARD
                                : is_card(view.discard_top) && discard[view.discard_top] > 0;
}

// Whether the pools hold as many cards as lie unseen.
bool pools_hold(const Setup& setup, const skyjo_view& view, const Table& table) noexcept {
    const Counts pile = counts_of(view.pile_counts);
    const Counts hidden = counts_of(view.hidden_counts);
    const int n_pile = view.draw_pile_size + (holds_for_another(view) ? 1 : 0);
    const int n_cells = n_hidden(setup, table);
    if (view.reshuffles > 0) return pile.total() == n_pile && hidden.total() == n_cells;
    return pile == hidden && pile.total() == n_pile + n_cells;
}

Table table_of(const skyjo_view& view) noexcept {
    Table table;
    table.n_seats = view.n_seats;
    for (int i = 0; i < view.n_seats; ++i)
        table.grids[static_cast<std::size_t>(absolute_seat(view, i))] = grid_of(view, i);
    table.hidden_pool = counts_of(view.hidden_counts);
    if (view.reshuffles > 0) table.pile_pool = counts_of(view.pile_counts);
    Counts below = counts_of(view.discard_counts);
    if (view.discard_top != NO_CARD) --below[view.discard_top];
    for (int code = 0; code < N_CODES; ++code)
        for (int i = 0; i < below[static_cast<Code>(code)]; ++i)
            table.push_discard(static_cast<Code>(code));
    if (view.discard_top != NO_CARD) table.push_discard(view.discard_top);
    table.draw_pile_size = view.draw_pile_size;
    table.phase = static_cast<Phase>(view.phase);
    table.seat = static_cast<std::int8_t>(absolute_seat(view, view.to_move));
    table.starter = static_cast<std::int8_t>(absolute_seat(view, view.starter));
    table.closer = static_cast<std::int8_t>(absolute_seat(view, view.closer));
    table.stalled = view.stalled != 0;
    for (int i = 0; i < view.n_last_turns; ++i)
        table.last_turns.push(absolute_seat(view, view.last_turns[i]));
    table.turns = view.turn_number;
    table.stall_count = view.stall_count;
    table.reshuffles = view.reshuffles;
    table.hand = view.hand;
    return table;
}

Starters starters_of(const Rules& rules, const skyjo_view& view) noexcept {
    const Seats all = (Seats{1} << view.n_seats) - 1;
    if (view.round_number == 0) {
        if (rules.start_first == StartFirst::SEAT) return {1};
        return {rules.start_first == StartFirst::RANDOM ? all : 0};
    }
    return {rules.start_later == StartLater::HIGHEST_SUM ? 0 : all};
}

}  // namespace

std::string_view view_fault(const Setup& setup, const skyjo_view& view) noexcept {
    if (view.phase < 0 || view.phase >= static_cast<int>(Phase::OVER))
        return "a view of a round that is not over";
    if (!fields_hold(view)) return "a view whose seats and counts hold";
    Table table = table_of(view);
    if (!pools_hold(setup, view, table)) return "a view whose counts fit its hidden cells and pile";
    if (holds_for_another(view)) {
        if (view.hand != NO_CARD) return "a view that shows no other seat's card";
        table.hand = 0;  // any
    }
    if (!is_sound(setup, table) || !has_card(setup, table))
        return "a view of a table that can be played on";
    if (view.round_number < 0 || view.round_number > MANY) return "a view with rounds from 0";
    for (int i = 0; i < view.n_seats; ++i)
        if (view.totals[i] < -MANY || view.totals[i] > MANY) return "a view with totals in bounds";
    return {};
}

Game game_from_view(const Setup& setup, const skyjo_view& view, std::uint64_t seed) noexcept {
    Table table = table_of(view);
    if (holds_for_another(view)) {
        // Any card of its pool, until deal_anew draws one.
        table.hand = 0;
        while (table.draw_pool()[table.hand] == 0) ++table.hand;
        --table.draw_pool()[table.hand];
    }
    OrderedDeck deck;
    const std::array<Code, MAX_CARDS> blank{};
    deck.lay_pile(blank.data(), table.draw_pile_size);
    Points totals{};
    for (int i = 0; i < view.n_seats; ++i)
        totals[static_cast<std::size_t>(absolute_seat(view, i))] = view.totals[i];
    Game game(setup, Round(setup, table, deck, starters_of(setup.rules, view)), totals,
              view.round_number);
    game.deal_anew(view.seat, seed);
    return game;
}

}  // namespace skyjo
