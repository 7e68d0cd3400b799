// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "game.hpp"

namespace skyjo::bindings {

// The true state, in values: what Game.position() words.
py::dict state(const PlayedGame& self) {
    const Table& table = self.game.table();
    py::list grids;
    for (int seat = 0; seat < table.n_seats; ++seat) {
        const Grid& grid = table.grids[static_cast<std::size_t>(seat)];
        py::list cells;
        for (int cell = 0; cell < self.setup->shape.n_cells; ++cell) {
            const bool up = grid.is_up(cell);
            const Code card =
                up ? grid.code(cell) : self.game.round().deck().reveal(table, seat, cell);
            const int value = grid.is_removed(cell) ? REMOVED : value_of(card);
            cells.append(py::make_tuple(value, up));
        }
        grids.append(cells);
    }
    std::array<Code, MAX_CARDS> pile{};
    const int n_pile = self.game.round().deck().undrawn(pile.data());
    py::list last_turns;
    for (int i = 0; i < table.last_turns.size; ++i) last_turns.append(table.last_turns.at(i));
    py::list piles;
    for (const auto& cards : self.piles) piles.append(values_list(cards));

    py::dict result;
    result["grids"] = grids;
    result["draw"] = values_list(std::vector<Code>(pile.begin(), pile.begin() + n_pile));
    result["discard"] = values_list(std::vector<Code>(
        table.discard.cards.begin(), table.discard.cards.begin() + table.discard.size));
    result["hand"] =
        table.hand == NO_CARD ? py::none() : py::object(py::int_(value_of(table.hand)));
    result["turn"] = seat_or_none(table.seat);
    result["starter"] = seat_or_none(table.phase == Phase::FLIP ? self.game.round().given_starter()
                                                                : table.starter);
    result["closer"] = seat_or_none(table.closer);
    result["last_turns_left"] = last_turns;
    result["reshuffles"] = piles;
    result["stalled"] = table.stalled;
    if (table.reshuffles > 0) result["reshuffled"] = table.reshuffles;
    result["totals"] = py::list(seats_tuple(self.game.totals(), table.n_seats));
    result["phase"] = table.phase;
    return result;
}

namespace {

std::vector<Code> codes_of(const std::vector<int>& values) {
    std::vector<Code> codes;
    for (const int value : values) codes.push_back(code_of(value));
    return codes;
}

// Cards of a position, as game.py has parsed and checked them.
struct Position {
    std::vector<std::vector<std::pair<int, bool>>> grids;
    std::vector<int> draw, discard;
    std::optional<int> hand;
    int turn = 0, starter = 0, closer = -1;
    std::vector<int> last_turns;
    std::vector<std::vector<int>> reshuffles;
    bool stalled = false;
    int reshuffled = 0;
    std::vector<int> totals;
    Phase phase = Phase::TURN;
};

Round round_of(const Setup& setup, const Position& given) {
    Table table;
    OrderedDeck deck;
    table.n_seats = static_cast<std::int8_t>(given.grids.size());
    for (std::size_t seat = 0; seat < given.grids.size(); ++seat)
        for (std::size_t cell = 0; cell < given.grids[seat].size(); ++cell) {
            const auto [value, up] = given.grids[seat][cell];
            Grid& grid = table.grids[seat];
            if (value == REMOVED) {
                grid.removed = static_cast<Cells>(grid.removed | (1U << cell));
            } else if (up) {
                grid.put(static_cast<int>(cell), code_of(value));
            } else {
                deck.hide(static_cast<int>(seat), static_cast<int>(cell), code_of(value));
                ++table.hidden_pool[code_of(value)];
            }
        }
    for (const int value : given.discard) table.push_discard(code_of(value));
    const std::vector<Code> pile = codes_of(given.draw);
    table.reshuffles = given.reshuffled;
    for (const Code card : pile) ++table.draw_pool()[card];
    deck.lay_pile(pile.data(), static_cast<int>(pile.size()));
    table.draw_pile_size = static_cast<std::uint8_t>(pile.size());
    if (given.hand) table.hand = code_of(*given.hand);
    table.phase = given.phase;
    table.seat = static_cast<std::int8_t>(given.turn);
    table.starter = static_cast<std::int8_t>(given.starter);
    table.closer = static_cast<std::int8_t>(given.closer);
    table.stalled = given.stalled;
    for (const int seat : given.last_turns) table.last_turns.push(seat);
    if (table.phase != Phase::FLIP) return {setup, table, deck, {}};
    table.starter = -1;
    // -1: the highest sum starts, -2: any seat, by chance.
    const Seats starters = given.starter == -2 ? (Seats{1} << table.n_seats) - 1
                           : given.starter < 0 ? 0
                                               : Seats{1} << given.starter;
    return {setup, table, deck, {starters, -1}};
}

}  // namespace

std::shared_ptr<PlayedGame> game_from(SharedSetup setup, const py::dict& fields) {
    Position given;
    given.grids = fields["grids"].cast<decltype(given.grids)>();
    given.draw = fields["draw"].cast<std::vector<int>>();
    given.discard = fields["discard"].cast<std::vector<int>>();
    given.hand = fields["hand"].cast<std::optional<int>>();
    given.turn = fields["turn"].cast<int>();
    given.starter = fields["starter"].cast<int>();
    given.closer = fields["closer"].cast<int>();
    given.last_turns = fields["last_turns_left"].cast<std::vector<int>>();
    given.reshuffles = fields["reshuffles"].cast<decltype(given.reshuffles)>();
    given.stalled = fields["stalled"].cast<bool>();
    given.reshuffled = fields["reshuffled"].cast<int>();
    given.totals = fields["totals"].cast<std::vector<int>>();
    given.phase = static_cast<Phase>(fields["phase"].cast<int>());
    std::vector<std::vector<Code>> piles;
    for (const auto& pile : given.reshuffles) piles.push_back(codes_of(pile));
    Points totals{};
    std::copy(given.totals.begin(), given.totals.end(), totals.begin());
    const Game game(*setup, round_of(*setup, given), totals, 0);
    auto result = std::make_shared<PlayedGame>(std::move(setup), game, std::vector<skyjo_played>{});
    result->piles = std::move(piles);
    return result;
}

}  // namespace skyjo::bindings
