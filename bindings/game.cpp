// SPDX-License-Identifier: MIT
#include "game.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "skyjo/notation.hpp"
#include "skyjo/view.hpp"

namespace skyjo::bindings {

PlayedGame::PlayedGame(SharedSetup rules, int n_seats, std::uint64_t seed, DeckKind kind)
    : setup(std::move(rules)), game(*setup, n_seats, seed, kind) {
    log.begin(game);
}

PlayedGame::PlayedGame(SharedSetup rules, const Round& round, const Points& totals,
                       std::vector<std::vector<Code>> given)
    : setup(std::move(rules)), game(*setup, round, totals), piles(std::move(given)) {
    log.begin(game);
}

namespace {

// A given draw pile must be made of the discards without the top one.
void check_pile(std::vector<Code> pile, const DiscardPile& discard) {
    std::vector<Code> cards(discard.cards.begin(), discard.cards.begin() + (discard.size - 1));
    std::sort(cards.begin(), cards.end());
    std::sort(pile.begin(), pile.end());
    if (pile != cards)
        throw std::invalid_argument(
            "apply: reshuffles: expected the discards without the top one, got other cards");
}

}  // namespace

void PlayedGame::apply(long long move) {
    const MoveSet legal = game.legal();
    const Table& table = game.table();
    if (move < 0 || move >= N_MOVES || !legal.has(static_cast<int>(move))) {
        constexpr const char* PHASES[] = {"FLIP", "TURN", "HOLD", "OVER"};
        const int rows = setup->shape.rows;
        const int shown = move < 0 || move >= N_MOVES ? -1 : static_cast<int>(move);
        throw IllegalMove("apply: move " + std::to_string(move) + " (" + move_name(shown, rows) +
                          ") is not legal for seat " + std::to_string(table.seat) + " in phase " +
                          PHASES[static_cast<int>(table.phase)] +
                          ", legal: " + (legal.empty() ? "nothing" : move_names(legal, rows)));
    }
    const int seat = table.seat;
    bool given_pile = false;
    if (move == DRAW && table.draw_pile_size == 0 && !piles.empty()) {
        check_pile(piles.front(), table.discard);
        game.reshuffle_as(piles.front().data(), static_cast<int>(piles.front().size()));
        piles.erase(piles.begin());
        given_pile = true;
    }
    Step step = game.apply(static_cast<Move>(move));
    step.reshuffled = step.reshuffled || given_pile;
    log.played(game, seat, static_cast<Move>(move), step);
    if (!game.round().finished()) return;
    log.end(game);
    game.settle();
    if (game.over()) return;
    game.next_round();
    log.begin(game);
}

namespace {

template <class Cards>
py::list values_list(const Cards& cards) {
    py::list list;
    for (const Code card : cards) list.append(value_of(card));
    return list;
}

template <class Array>
py::tuple seats_tuple(const Array& values, int n_seats) {
    py::tuple result(n_seats);
    for (int seat = 0; seat < n_seats; ++seat)
        result[static_cast<std::size_t>(seat)] =
            static_cast<int>(values[static_cast<std::size_t>(seat)]);
    return result;
}

// One byte a cell, signed, seat after seat in cell order.
py::bytes cells_bytes(const std::array<Grid, MAX_SEATS>& grids, int n_seats, const Shape& shape) {
    std::string cells;
    for (int seat = 0; seat < n_seats; ++seat) {
        const Grid& grid = grids[static_cast<std::size_t>(seat)];
        for (int cell = 0; cell < shape.n_cells; ++cell) {
            const int value = grid.is_removed(cell) ? REMOVED
                              : grid.is_up(cell)    ? value_of(grid.code(cell))
                                                    : HIDDEN;
            cells.push_back(static_cast<char>(value));
        }
    }
    return cells;
}

py::dict round_dict(const RoundLog& round, int n_seats) {
    py::dict result;
    py::list moves;
    for (const skyjo_played& played : round.moves) moves.append(static_cast<int>(played.move));
    py::list reshuffles;
    for (const auto& pile : round.reshuffles) reshuffles.append(values_list(pile));
    result["deck"] = values_list(round.deck());
    result["starter"] = seat_or_none(round.starter);
    result["moves"] = moves;
    result["reshuffles"] = reshuffles;
    result["closer"] = seat_or_none(round.finished ? round.closer : -1);
    result["stalled"] = round.stalled;
    result["capped"] = round.capped;
    result["raw"] =
        round.finished ? py::object(py::list(seats_tuple(round.raw, n_seats))) : py::none();
    result["points"] =
        round.finished ? py::object(py::list(seats_tuple(round.points, n_seats))) : py::none();
    return result;
}

py::list round_dicts(const PlayedGame& self) {
    py::list rounds;
    for (const RoundLog& round : self.log.rounds())
        rounds.append(round_dict(self.log.complete(round, self.game), self.game.n_seats()));
    return rounds;
}

// Finished rounds as (starter, closer, raw, points, cells, moves, stalled, capped).
py::list finished_rounds(const PlayedGame& self) {
    const int n = self.game.n_seats();
    py::list rounds;
    for (const RoundLog& round : self.log.rounds()) {
        if (!round.finished) continue;
        py::tuple moves(round.moves.size());
        for (std::size_t i = 0; i < round.moves.size(); ++i)
            moves[i] = static_cast<int>(round.moves[i].move);
        rounds.append(py::make_tuple(seat_or_none(round.starter), seat_or_none(round.closer),
                                     seats_tuple(round.raw, n), seats_tuple(round.points, n),
                                     cells_bytes(round.grids, n, self.setup->shape), moves,
                                     round.stalled, round.capped));
    }
    return rounds;
}

int checked_seat(const PlayedGame& self, int seat) {
    if (seat < 0 || seat >= self.game.n_seats())
        throw py::index_error("seat: expected 0 to " + std::to_string(self.game.n_seats() - 1) +
                              ", got " + std::to_string(seat));
    return seat;
}

// The view of a seat as two strings of bytes: skyjo_view without its pointers, and the moves.
py::tuple view_bytes(const PlayedGame& self, int seat) {
    std::vector<skyjo_played> moves = self.log.rounds().back().moves;
    if (!moves.empty() && hides_last_card(self.game.table(), checked_seat(self, seat)))
        moves.back().card = NO_CARD;
    skyjo_view view{};
    fill_view(self.game, checked_seat(self, seat), moves.data(), moves.size(), view);
    view.moves = nullptr;
    view.rules = nullptr;
    return py::make_tuple(py::bytes(reinterpret_cast<const char*>(&view), sizeof view),
                          py::bytes(reinterpret_cast<const char*>(moves.data()),
                                    moves.size() * sizeof(skyjo_played)));
}

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
    const int n_pile = self.game.round().deck().undrawn(table, pile.data());
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
    result["totals"] = py::list(seats_tuple(self.game.totals(), table.n_seats));
    result["phase"] = table.phase;
    return result;
}

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
    for (const Code card : pile) ++table.hidden_pool[card];
    deck.lay_pile(pile.data(), static_cast<int>(pile.size()));
    table.draw_pile_size = static_cast<std::uint8_t>(pile.size());
    if (given.hand) table.hand = code_of(*given.hand);
    table.phase = given.phase;
    table.seat = static_cast<std::int8_t>(given.turn);
    table.starter = static_cast<std::int8_t>(given.starter);
    table.closer = static_cast<std::int8_t>(given.closer);
    table.stalled = given.stalled;
    for (const int seat : given.last_turns) table.last_turns.push(seat);
    if (table.phase != Phase::FLIP) return {setup, table, deck, -1};
    table.starter = -1;
    return {setup, table, deck, given.starter};
}

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
    given.totals = fields["totals"].cast<std::vector<int>>();
    given.phase = static_cast<Phase>(fields["phase"].cast<int>());
    std::vector<std::vector<Code>> piles;
    for (const auto& pile : given.reshuffles) piles.push_back(codes_of(pile));
    Points totals{};
    std::copy(given.totals.begin(), given.totals.end(), totals.begin());
    const Round round = round_of(*setup, given);
    return std::make_shared<PlayedGame>(std::move(setup), round, totals, std::move(piles));
}

// Plays a move given as an integer of any type.
void apply_object(PlayedGame& self, const py::object& move) {
    if (PyBool_Check(move.ptr()))
        throw py::type_error("apply: expected a move as an int, got a bool");
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(move.ptr()));
    if (!index) throw py::error_already_set();
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    if (overflow == 0) return self.apply(number);
    throw IllegalMove(std::string("apply: expected a move from 0 to 36, got a number ") +
                      (overflow > 0 ? "above 2**63" : "below -2**63"));
}

const char* end_word(const PlayedGame& self) {
    switch (self.game.end()) {
        case End::THRESHOLD: return "threshold";
        case End::MAX_ROUNDS: return "max_rounds";
        case End::GUARD: return "guard";
        case End::RUNNING: break;
    }
    return nullptr;
}

}  // namespace

void register_game(py::module_& module) {
    py::register_exception<IllegalMove>(module, "IllegalMove", PyExc_ValueError);
    py::class_<PlayedGame, std::shared_ptr<PlayedGame>>(module, "Game", "A game with its history.")
        .def(py::init([](std::shared_ptr<Setup> setup, int seats, std::uint64_t seed, bool lanes) {
                 return std::make_shared<PlayedGame>(std::move(setup), seats, seed,
                                                     lanes ? DeckKind::LANES : DeckKind::STACK);
             }),
             py::arg("setup"), py::arg("seats"), py::arg("seed"), py::arg("lanes"))
        .def(py::init([](std::shared_ptr<Setup> setup, const py::dict& position) {
                 return game_from(std::move(setup), position);
             }),
             py::arg("setup"), py::arg("position"))
        .def(py::init<const PlayedGame&>(), py::arg("other"))
        .def_property_readonly(
            "seat", [](const PlayedGame& self) { return static_cast<int>(self.game.table().seat); },
            "Whose decision it is; -1 when the game is over.")
        .def_property_readonly(
            "phase", [](const PlayedGame& self) { return self.game.table().phase; },
            "Which decision is due.")
        .def_property_readonly(
            "totals",
            [](const PlayedGame& self) {
                return seats_tuple(self.game.totals(), self.game.n_seats());
            },
            "Points so far by absolute seat.")
        .def_property_readonly(
            "places",
            [](const PlayedGame& self) -> py::object {
                if (!self.game.over()) return py::none();
                return seats_tuple(places(self.game.totals(), self.game.n_seats()),
                                   self.game.n_seats());
            },
            "Places by absolute seat, 1 is best; None before the game is over.")
        .def_property_readonly("n_seats",
                               [](const PlayedGame& self) { return self.game.n_seats(); })
        .def_property_readonly("round_number",
                               [](const PlayedGame& self) { return self.game.round_number(); })
        .def_property_readonly("legal_mask",
                               [](const PlayedGame& self) { return self.game.legal().bits; })
        .def(
            "legal_moves",
            [](const PlayedGame& self) {
                py::list moves;
                for (std::uint64_t rest = self.game.legal().bits; rest != 0; rest &= rest - 1)
                    moves.append(std::countr_zero(rest));
                return moves;
            },
            "The legal moves of the seat to move, ascending.")
        .def("apply", &apply_object, py::arg("move"), "Plays a move.")
        .def("_view_bytes", &view_bytes, py::arg("seat"))
        .def("_state", &state)
        .def("_round_dicts", &round_dicts)
        .def("_finished_rounds", &finished_rounds)
        .def("_moves_hash", [](const PlayedGame& self) { return self.log.moves_hash(); })
        .def_property_readonly("_from_deal", &PlayedGame::from_deal)
        .def_property_readonly("_end", &end_word)
        .def_property_readonly("_seed", [](const PlayedGame& self) { return self.game.seed(); })
        .def_property_readonly("_lanes", [](const PlayedGame& self) {
            return self.game.deck_kind() == DeckKind::LANES;
        });
}

}  // namespace skyjo::bindings
