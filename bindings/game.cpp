// SPDX-License-Identifier: MIT
#include "game.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "skyjo/notation.hpp"
#include "skyjo/view.hpp"
#include "skyjo/world.hpp"

namespace skyjo::bindings {

PlayedGame::PlayedGame(SharedSetup rules, int n_seats, std::uint64_t seed, DeckKind kind)
    : setup(std::move(rules)) {
    game = Game(*setup, n_seats, seed, kind);
    log.emplace().begin(game);
}

PlayedGame::PlayedGame(SharedSetup rules, const Game& start, std::vector<skyjo_played> moves)
    : setup(std::move(rules)) {
    game = start;
    imagined = true;
    log.emplace().resume(std::move(moves));
    if (game.round().finished()) finish_round();
}

PlayedGame::PlayedGame(SharedSetup rules, Saved saved)
    : Saved(std::move(saved)), setup(std::move(rules)) {}

std::string illegal_move_text(const std::string& where, long long move, const Table& table,
                              MoveSet legal, int rows) {
    constexpr const char* PHASES[] = {"FLIP", "TURN", "HOLD", "OVER"};
    const int shown = move < 0 || move >= N_MOVES ? -1 : static_cast<int>(move);
    if (table.phase == Phase::OVER)
        return where + ": move " + std::to_string(move) + " is not legal, for the game is over";
    return where + ": move " + std::to_string(move) + " (" + move_name(shown, rows) +
           ") is not legal for seat " + std::to_string(table.seat) + " in phase " +
           PHASES[static_cast<int>(table.phase)] +
           ", legal: " + (legal.empty() ? "nothing" : move_names(legal, rows));
}

Move PlayedGame::checked(long long move, const char* where) const {
    const MoveSet legal = game.legal();
    if (move >= 0 && move < N_MOVES && legal.has(static_cast<int>(move)))
        return static_cast<Move>(move);
    throw IllegalMove(illegal_move_text(where, move, game.table(), legal, setup->shape.rows));
}

void PlayedGame::apply(long long number, std::optional<int> card) {
    const Move move = checked(number, "apply");
    const int seat = game.table().seat;
    std::optional<Game> before;
    if (!piles.empty()) before = game;
    Step step = card ? force(move, *card) : game.apply(move);
    if (step.reshuffled && before) {
        // A card that is forced leaves no room for a given order.
        if (!card && !lay_given_pile()) {
            game = *before;
            throw std::invalid_argument(std::string("apply: reshuffles: expected ") +
                                        (setup->rules.reshuffle == Reshuffle::KEEP_TOP
                                             ? "the discards without the top one"
                                             : "all discards") +
                                        ", got other cards");
        }
        piles.erase(piles.begin());
        if (move == DRAW) step.card = game.table().hand;
    }
    if (log) log->played(game, seat, move, step);
    if (game.round().finished()) finish_round();
}

// Plays a move that shows a card of this value.
Step PlayedGame::force(Move move, int value) {
    if (!imagined)
        throw std::invalid_argument(
            "apply: card: expected None in a game that was dealt, only games made by determinize, "
            "from_view or from_position take a card");
    const Counts possible = game.round().outcomes(move);
    const bool is_card = value == STAR || (value >= MIN_VALUE && value <= MAX_VALUE);
    if (!is_card || possible[code_of(value)] == 0) {
        std::string values;
        for (int code = 0; code < N_CODES; ++code)
            if (possible[static_cast<Code>(code)] > 0)
                values += (values.empty() ? "" : ", ") +
                          std::to_string(value_of(static_cast<Code>(code)));
        throw std::invalid_argument(
            "apply: card: expected " +
            (values.empty() ? "None, for the move shows no card" : "one of " + values) + ", got " +
            std::to_string(value));
    }
    Stream stream(derive(game.round_key(), Purpose::OUTCOME, ++n_forced));
    return game.apply(move, code_of(value), stream);
}

// Puts the pile just made into the order that the position gives for it, if it has the same cards.
bool PlayedGame::lay_given_pile() {
    std::array<Code, MAX_CARDS> pile{};
    const int n = game.round().new_pile(pile.data());
    if (piles.front().size() != static_cast<std::size_t>(n)) return false;
    Counts made;
    Counts given;
    for (int i = 0; i < n; ++i) ++made[pile[static_cast<std::size_t>(i)]];
    for (const Code code : piles.front()) ++given[code];
    if (made != given) return false;
    game.relay_pile(piles.front().data(), n);
    return true;
}

void PlayedGame::finish_round() {
    if (log) log->end(game);
    game.settle();
    if (game.over()) return;
    game.next_round();
    if (log) log->begin(game);
}

Counts PlayedGame::outcomes(long long move) const {
    return game.round().outcomes(checked(move, "outcomes"));
}

void PlayedGame::determinize(std::uint64_t seed, int seat) {
    const bool hides_hand = hides_last_card(game.table(), seat);
    game.deal_anew(seat, seed);
    if (log) log->forget_deal();
    if (log && hides_hand) log->replace_last_card(game.table().hand);
    piles.clear();
    imagined = true;
}

void PlayedGame::reveal() {
    game.reveal();
    finish_round();
}

namespace {

int checked_seat(const PlayedGame& self, int seat) {
    if (seat < 0 || seat >= self.game.n_seats())
        throw py::index_error("seat: expected 0 to " + std::to_string(self.game.n_seats() - 1) +
                              ", got " + std::to_string(seat));
    return seat;
}

// The view of a seat as two strings of bytes: skyjo_kept_view without pointers, and the moves.
py::tuple view_bytes(const PlayedGame& self, int seat) {
    std::vector<skyjo_played> moves;
    if (self.log) moves = self.log->rounds().back().moves;
    if (!moves.empty() && hides_last_card(self.game.table(), checked_seat(self, seat)))
        moves.back().card = NO_CARD;
    skyjo_kept_view kept{};
    keep_view(self.game, checked_seat(self, seat), moves.data(), moves.size(), kept);
    skyjo_view& view = kept.view;
    view.moves = nullptr;
    view.rules = nullptr;
    view.grids = nullptr;
    view.totals = nullptr;
    view.discard_counts = view.pile_counts = view.hidden_counts = nullptr;
    return py::make_tuple(py::bytes(reinterpret_cast<const char*>(&kept), sizeof kept),
                          py::bytes(reinterpret_cast<const char*>(moves.data()),
                                    moves.size() * sizeof(skyjo_played)));
}

// A game of one round from the bytes of a view.
std::shared_ptr<PlayedGame> game_from_view_bytes(std::shared_ptr<Setup> setup,
                                                 std::string_view bytes, std::string_view moves,
                                                 std::uint64_t seed) {
    skyjo_kept_view kept{};
    if (bytes.size() != sizeof kept || moves.size() % sizeof(skyjo_played) != 0)
        throw py::value_error("from_view: expected a view of this version");
    std::memcpy(&kept, bytes.data(), sizeof kept);
    skyjo_bind_view(&kept);
    const skyjo_view& view = kept.view;
    if (const std::string_view fault = view_fault(*setup, view); !fault.empty())
        throw py::value_error("from_view: expected " + std::string(fault));
    std::vector<skyjo_played> played(moves.size() / sizeof(skyjo_played));
    std::memcpy(played.data(), moves.data(), moves.size());
    const Game game = game_from_view(*setup, view, seed);
    for (const skyjo_played& move : played)
        if (move.seat < 0 || move.seat >= view.n_seats || move.move >= N_MOVES ||
            (move.card >= N_CODES && move.card != NO_CARD))
            throw py::value_error("from_view: expected moves of its seats and cards");
    auto result = std::make_shared<PlayedGame>(std::move(setup), game, std::move(played));
    if (result->log && hides_last_card(game.table(), view.seat))
        result->log->replace_last_card(game.table().hand);
    return result;
}

// An integer of any type as a C++ one, nothing beyond 64 bits; `what` for the message.
std::optional<long long> whole_number(const py::object& given, const std::string& what) {
    const bool is_bool = PyBool_Check(given.ptr()) != 0;
    if (is_bool || PyIndex_Check(given.ptr()) == 0) {
        std::string got = is_bool ? "a bool" : py::repr(given).cast<std::string>();
        if (got.size() > 100) got = got.substr(0, 100) + "...";
        throw py::type_error(what + " as an int, got " + got);
    }
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    if (!index) throw py::error_already_set();
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    return overflow == 0 ? std::optional(number) : std::nullopt;
}

long long move_number(const py::object& move, const std::string& where) {
    const bool is_text = py::isinstance<py::str>(move);
    const std::optional<long long> number = whole_number(
        move, where + ": expected a move" + (is_text ? " (skyjo_core.move reads a text)" : ""));
    if (!number)
        throw IllegalMove(where + ": expected a move from 0 to 36, got a number beyond 64 bits");
    return *number;
}

void apply_object(PlayedGame& self, const py::object& move, const py::object& card) {
    const long long number = move_number(move, "apply");
    if (card.is_none()) return self.apply(number, {});
    const std::optional<long long> value = whole_number(card, "apply: card: expected a value");
    const bool small = value && *value >= -1000 && *value <= 1000;
    self.apply(number, small ? static_cast<int>(*value) : 1000);
}

py::tuple outcomes(const PlayedGame& self, const py::object& move) {
    const Counts counts = self.outcomes(move_number(move, "outcomes"));
    py::list values;
    py::list weights;
    for (int code = 0; code < N_CODES; ++code) {
        const int n = counts[static_cast<Code>(code)];
        if (n == 0) continue;
        values.append(value_of(static_cast<Code>(code)));
        weights.append(n);
    }
    return py::make_tuple(py::tuple(values), py::tuple(weights));
}

std::shared_ptr<PlayedGame> copy(const PlayedGame& other, bool log) {
    if (log) return std::make_shared<PlayedGame>(other);
    Saved bare;
    bare.game = other.game;
    bare.piles = other.piles;
    bare.imagined = other.imagined;
    bare.n_forced = other.n_forced;
    return std::make_shared<PlayedGame>(other.setup, std::move(bare));
}

std::shared_ptr<PlayedGame> read_bytes(std::shared_ptr<Setup> setup, const py::bytes& bytes) {
    std::optional<Saved> saved = Snapshot::read(*setup, std::string_view(bytes));
    if (!saved) throw py::value_error("from_bytes: expected the bytes of a game by these rules");
    return std::make_shared<PlayedGame>(std::move(setup), std::move(*saved));
}

}  // namespace

void register_game(py::module_& module) {
    py::register_exception<IllegalMove>(module, "IllegalMove", PyExc_ValueError);
    py::class_<PlayedGame, std::shared_ptr<PlayedGame>>(module, "Game", "A game with its history.")
        // First, because overloads are tried in turn and searches copy at every node.
        .def(py::init(&copy), py::arg("other"), py::arg("log"))
        .def(py::init([](std::shared_ptr<Setup> setup, int seats, std::uint64_t seed, bool lanes) {
                 return std::make_shared<PlayedGame>(std::move(setup), seats, seed,
                                                     lanes ? DeckKind::LANES : DeckKind::STACK);
             }),
             py::arg("setup"), py::arg("seats"), py::arg("seed"), py::arg("lanes"))
        .def(py::init([](std::shared_ptr<Setup> setup, const py::dict& position) {
                 return game_from(std::move(setup), position);
             }),
             py::arg("setup"), py::arg("position"))
        .def(py::init([](std::shared_ptr<Setup> setup, const py::bytes& view,
                         const py::bytes& moves, std::uint64_t seed) {
                 return game_from_view_bytes(std::move(setup), view, moves, seed);
             }),
             py::arg("setup"), py::arg("view"), py::arg("moves"), py::arg("seed"))
        .def(py::init([](std::shared_ptr<Setup> setup, const py::bytes& saved) {
                 return read_bytes(std::move(setup), saved);
             }),
             py::arg("setup"), py::arg("saved"))
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
                return seats_tuple(self.game.sheet().places(), self.game.n_seats());
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
        .def(
            "apply", &apply_object, py::arg("move"), py::arg("card") = py::none(),
            "Plays a move; `card` is the value that it shows, in games whose unseen cards are only "
            "thought to lie so.")
        .def("outcomes", &outcomes, py::arg("move"),
             "The cards that may show if the move turns up or draws one: (values, weights).")
        .def("_determinize", &PlayedGame::determinize, py::arg("seed"), py::arg("seat"))
        .def("_reveal", &PlayedGame::reveal)
        .def("_view_bytes", &view_bytes, py::arg("seat"))
        .def("_saved", [](const PlayedGame& self) { return py::bytes(Snapshot::write(self)); })
        .def("_state", &state)
        .def("_round_dicts", &round_dicts)
        .def("_finished_rounds", &finished_rounds)
        .def("_moves_hash",
             [](const PlayedGame& self) {
                 if (!self.log) throw py::value_error("_moves_hash: expected a game with its log");
                 return self.log->moves_hash();
             })
        .def_property_readonly("_has_log",
                               [](const PlayedGame& self) { return self.log.has_value(); })
        .def_property_readonly("_has_record", &PlayedGame::has_record)
        .def_property_readonly("_end",
                               [](const PlayedGame& self) { return end_word(self.game.end()); })
        .def_property_readonly("_seed", [](const PlayedGame& self) { return self.game.seed(); })
        .def_property_readonly("_lanes", [](const PlayedGame& self) {
            return self.game.deck_kind() == DeckKind::LANES;
        });
}

}  // namespace skyjo::bindings
