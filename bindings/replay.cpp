// SPDX-License-Identifier: MIT
#include "skyjo/replay.hpp"

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "game.hpp"
#include "skyjo/notation.hpp"

namespace skyjo::bindings {
namespace {

// A replay with the rules that it needs.
struct SharedReplay {
    SharedSetup setup;
    Replay replay;
};

std::vector<Code> codes_of(const std::vector<int>& values, const char* what) {
    std::vector<Code> codes;
    codes.reserve(values.size());
    for (const int value : values) {
        if (value != STAR && (value < MIN_VALUE || value > MAX_VALUE))
            throw py::value_error(std::string("Replay: ") + what + ": expected cards, got " +
                                  std::to_string(value));
        codes.push_back(code_of(value));
    }
    return codes;
}

const char* problem_word(ReplayProblem problem) {
    switch (problem) {
        case ReplayProblem::OVER: return "over";
        case ReplayProblem::ILLEGAL: return "illegal";
        case ReplayProblem::RESHUFFLE: return "reshuffle";
        case ReplayProblem::NONE: break;
    }
    return nullptr;
}

py::object seats_of(Seats seats) {
    if (seats == 0) return py::none();
    py::list list;
    for (Seats rest = seats; rest != 0; rest &= rest - 1) list.append(std::countr_zero(rest));
    return py::tuple(list);
}

py::dict result_dict(const ReplayedRound& round, const SharedReplay& self) {
    const Game& game = self.replay.game();
    const Table& table = game.table();
    const bool finished = round.problem == ReplayProblem::NONE && game.round().finished();
    py::list cards;
    if (round.problem == ReplayProblem::RESHUFFLE)
        for (int code = 0; code < N_CODES; ++code)
            for (int i = 0; i < round.cards[static_cast<Code>(code)]; ++i)
                cards.append(value_of(static_cast<Code>(code)));
    py::tuple seats(round.seats.size());
    for (std::size_t i = 0; i < round.seats.size(); ++i)
        seats[i] = static_cast<int>(round.seats[i]);
    py::dict result;
    result["played"] = round.n_played;
    result["problem"] = problem_word(round.problem);
    const bool shows_legal =
        round.problem == ReplayProblem::ILLEGAL || round.problem == ReplayProblem::NONE;
    result["legal"] = shows_legal && !round.legal.empty()
                          ? move_names(round.legal, self.setup->shape.rows)
                          : std::string();
    result["cards"] = cards;
    result["phase"] = table.phase;
    result["starter"] = seat_or_none(table.starter);
    result["starters"] = seats_of(game.round().may_start());
    result["opening"] = round.opening < 0 ? py::none() : py::object(py::int_(round.opening));
    result["closer"] = seat_or_none(table.closer);
    result["stalled"] = table.stalled;
    result["capped"] = table.capped;
    result["reshuffles"] = static_cast<int>(table.reshuffles);
    result["raw"] =
        finished ? py::object(seats_tuple(game.round().raw(), table.n_seats)) : py::none();
    result["points"] =
        finished ? py::object(seats_tuple(game.round().points(), table.n_seats)) : py::none();
    result["seats"] = seats;
    return result;
}

py::dict play(SharedReplay& self, const std::vector<int>& deck, std::optional<int> starter,
              const std::vector<long long>& moves,
              const std::vector<std::vector<int>>& reshuffles) {
    if (!self.replay.ready())
        throw py::value_error("Replay: expected a game with a round to come, got one that is over");
    GivenRound given;
    given.deck = codes_of(deck, "deck");
    Counts counts;
    if (deck.size() == static_cast<std::size_t>(self.setup->n_cards))
        for (const Code card : given.deck) ++counts[card];
    if (counts != self.setup->rules.deck)
        throw py::value_error("Replay: deck: expected the cards of the rules");
    given.starter = starter.value_or(-1);
    if (given.starter < -1 || given.starter >= self.replay.n_seats())
        throw py::index_error("Replay: starter: expected a seat or None");
    given.moves.reserve(moves.size());
    for (const long long move : moves)
        given.moves.push_back(move < 0 || move >= N_MOVES ? Move{N_MOVES}
                                                          : static_cast<Move>(move));
    for (const auto& pile : reshuffles) given.reshuffles.push_back(codes_of(pile, "reshuffles"));
    return result_dict(self.replay.play(given), self);
}

}  // namespace

void register_replay(py::module_& module) {
    py::class_<SharedReplay>(
        module, "Replay",
        "A game whose decks, new draw piles and chance starters are given: what a record holds.")
        .def(py::init([](std::shared_ptr<Setup> setup, int seats) {
                 if (seats < 2 || seats > setup->max_seats)
                     throw py::value_error("Replay: expected 2 to " +
                                           std::to_string(setup->max_seats) + " seats, got " +
                                           std::to_string(seats));
                 const Setup& rules = *setup;
                 return SharedReplay{std::move(setup), Replay(rules, seats)};
             }),
             py::arg("setup"), py::arg("seats"))
        .def("play", &play, py::arg("deck"), py::arg("starter"), py::arg("moves"),
             py::arg("reshuffles"), "Plays the next round as far as it goes, and tells how.")
        .def_property_readonly("totals",
                               [](const SharedReplay& self) {
                                   const Points none{};
                                   const Replay& replay = self.replay;
                                   return seats_tuple(
                                       replay.begun() ? replay.game().totals() : none,
                                       replay.n_seats());
                               })
        .def_property_readonly("places",
                               [](const SharedReplay& self) -> py::object {
                                   const Replay& replay = self.replay;
                                   if (!replay.begun() || !replay.game().over()) return py::none();
                                   return seats_tuple(replay.game().sheet().places(),
                                                      replay.n_seats());
                               })
        .def_property_readonly("end",
                               [](const SharedReplay& self) {
                                   return self.replay.begun() ? end_word(self.replay.game().end())
                                                              : nullptr;
                               })
        .def_property_readonly("over", [](const SharedReplay& self) {
            return self.replay.begun() && self.replay.game().over();
        });
}

}  // namespace skyjo::bindings
