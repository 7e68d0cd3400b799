// SPDX-License-Identifier: MIT
// The fused loop with given choices in the place of random ones: so that worked examples of the
// rules can be played on it.
#include "skyjo/fused.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"

namespace skyjo::bindings {
namespace {

using GivenValues = std::vector<int>;
using GivenCells = std::vector<std::optional<int>>;
using GivenTurn = std::tuple<bool, bool, int>;  // takes the discard, rejects the card drawn, cell

std::vector<Code> given_codes(const GivenValues& values) {
    std::vector<Code> result;
    for (const int value : values) {
        if (value < MIN_VALUE || value > MAX_VALUE)
            throw py::value_error("fused_round: expected values of cards, got " +
                                  std::to_string(value));
        result.push_back(code_of(value));
    }
    return result;
}

// Choices for fused::Round, turn after turn. The loop must end whatever is given: in the place of
// what cannot be played the first hidden cell is filled, and the turn is noted.
class GivenChoices {
 public:
    GivenChoices(std::span<const GivenTurn> turns, std::span<const Code> draws) noexcept
        : turns_(turns), draws_(draws) {}

    [[nodiscard]] std::uint32_t take() const noexcept {
        return n_turns_ < turns_.size() && !std::get<0>(turns_[n_turns_]) ? 0 : 1;
    }
    fused::Choice choose(std::uint32_t take, const fused::Seat& seat, std::uint32_t only_hidden,
                         const Code* pile, std::uint32_t n_draw) noexcept {
        const std::optional<fused::Choice> given =
            read(take, legal_cells(seat, 0, only_hidden), legal_cells(seat, 1, only_hidden));
        fused::Choice choice = given.value_or(way_out(take, seat));
        bool fits = given.has_value();
        if (take == 0 && fits) {
            const Code* found = n_draws_ < draws_.size()
                                    ? std::find(pile, pile + n_draw, draws_[n_draws_])
                                    : pile + n_draw;
            fits = found != pile + n_draw;
            if (fits) choice.at = static_cast<std::uint32_t>(found - pile);
            ++n_draws_;
        }
        if (!fits && fault_ < 0) fault_ = static_cast<std::int64_t>(n_turns_);
        ++n_turns_;
        return choice;
    }
    [[nodiscard]] std::size_t n_turns() const noexcept { return n_turns_; }
    // Throws unless the turns so far were all of those given, and could be played.
    void check() const {
        if (fault_ >= 0)
            throw py::value_error("fused_round: turn " + std::to_string(fault_) +
                                  ": expected one that can be played");
        if (n_turns_ != turns_.size())
            throw py::value_error("fused_round: expected " + std::to_string(n_turns_) +
                                  " turns, got " + std::to_string(turns_.size()));
    }

 private:
    [[nodiscard]] std::optional<fused::Choice> read(std::uint32_t take, std::uint32_t put,
                                                    std::uint32_t flip) const noexcept {
        if (n_turns_ >= turns_.size()) return {};
        const auto [takes, rejects, cell] = turns_[n_turns_];
        const bool is_cell = cell >= 0 && cell < fused::CELLS_OF_GRID;
        const bool is_legal = is_cell && ((rejects ? flip : put) >> cell & 1U) != 0;
        if (!is_legal || takes != (take == 1) || (takes && rejects)) return {};
        return fused::Choice{take, rejects ? 1U : 0U, static_cast<std::uint32_t>(cell), 0};
    }
    static fused::Choice way_out(std::uint32_t take, const fused::Seat& seat) noexcept {
        const std::uint32_t hidden = ~seat.open & fused::ALL_CELLS;
        const std::uint32_t cells = hidden != 0 ? hidden : seat.here | 1U;
        return {take, 0, static_cast<std::uint32_t>(std::countr_zero(cells)), 0};
    }

    std::span<const GivenTurn> turns_;
    std::span<const Code> draws_;
    std::size_t n_turns_ = 0;
    std::size_t n_draws_ = 0;
    std::int64_t fault_ = -1;
};

// A round of the fused loop, whose seats are counted from the one to move.
struct FusedState {
    fused::Round round{};
    fused::Round::Hot hot{};
    std::vector<Code> draws{};  // in order, those of later piles as well
    int first = 0;
    int closer = -1;  // as the loop counts
    int next = 0;

    [[nodiscard]] std::size_t absolute(int seat) const noexcept {
        return static_cast<std::size_t>((first + seat) % hot.n_seats);
    }
    [[nodiscard]] bool over() const noexcept { return closer >= 0 && next == closer; }
};

fused::Seat seat_from(const GivenCells& cells, std::uint32_t open) {
    if (cells.size() != fused::CELLS_OF_GRID)
        throw py::value_error("fused_round: cards: expected 12 of a seat");
    fused::Seat seat{0, open, 0};
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (!cells[cell]) continue;
        seat.here |= 1U << cell;
        seat.cards |= std::uint64_t{given_codes({*cells[cell]}).front()}
                      << (static_cast<std::size_t>(fused::FIELD) * cell);
    }
    seat.open |= fused::ALL_CELLS & ~seat.here;
    return seat;
}

void lay_piles(FusedState& given, const py::dict& start) {
    const auto discard = given_codes(start["discard"].cast<GivenValues>());
    given.draws = given_codes(start["draw"].cast<GivenValues>());
    if (discard.empty() || discard.size() + given.draws.size() > MAX_CARDS)
        throw py::value_error("fused_round: expected 1 to 240 cards on the piles");
    std::copy(discard.begin(), discard.end(), given.round.discards.begin());
    std::copy(given.draws.begin(), given.draws.end(), given.round.draw_pile.begin());
    given.hot.top_at = static_cast<std::uint32_t>(discard.size() - 1);
    given.hot.top = discard.back();
    given.hot.n_draw = static_cast<std::uint32_t>(given.draws.size());
    for (const GivenValues& pile : start["reshuffles"].cast<std::vector<GivenValues>>())
        for (const Code code : given_codes(pile)) given.draws.push_back(code);
}

FusedState round_from(const Setup& setup, const py::dict& start) {
    const auto cards = start["cards"].cast<std::vector<GivenCells>>();
    const auto open = start["open"].cast<std::vector<std::uint32_t>>();
    FusedState given;
    const int n = given.hot.n_seats = static_cast<int>(cards.size());
    given.first = start["seat"].cast<int>();
    const int closer = start["closer"].is_none() ? -1 : start["closer"].cast<int>();
    if (n < 2 || !fused::plays(setup.rules, n))
        throw py::value_error("fused_round: expected rules and seats of the fused loop");
    if (open.size() != cards.size() || given.first < 0 || given.first >= n || closer >= n ||
        closer == given.first)
        throw py::value_error("fused_round: expected seats of the table");
    if (closer >= 0) given.closer = (closer - given.first + n) % n;
    for (int seat = 0; seat < n; ++seat)
        given.hot.seats[static_cast<std::size_t>(seat)] =
            seat_from(cards[given.absolute(seat)], open[given.absolute(seat)]);
    given.hot.only_hidden = start["stalled"].cast<bool>() ? ~0U : 0U;
    lay_piles(given, start);
    return given;
}

// The loop as random play has it, to the end of the round.
void play_whole(FusedState& given, int stall_limit, GivenChoices& choices, int& turns) {
    if (given.closer < 0) {
        given.closer = given.round.play(given.hot, stall_limit, choices, turns);
    } else {
        turns = given.closer;
        given.round.last_turns(given.hot, 0, given.closer, stall_limit, choices);
    }
    given.next = given.closer;
}

// Turn by turn, as far as turns are given.
void play_turns(FusedState& given, int stall_limit, GivenChoices& choices, std::size_t n_turns) {
    for (std::size_t i = 0; i < n_turns; ++i) {
        if (given.over()) throw py::value_error("fused_round: expected no turn after the last");
        const bool is_done = given.round.turn(given.hot, given.next, stall_limit, choices);
        if (is_done && given.closer < 0) given.closer = given.next;
        given.next = (given.next + 1) % given.hot.n_seats;
    }
}

py::list cells_list(const fused::Seat& seat) {
    py::list cells;
    for (int cell = 0; cell < fused::CELLS_OF_GRID; ++cell) {
        const auto code = static_cast<Code>(seat.cards >> (fused::FIELD * cell) & 31U);
        cells.append((seat.here >> cell & 1U) != 0 ? py::object(py::int_(value_of(code)))
                                                   : py::none());
    }
    return cells;
}

py::list pile_list(const fused::Pile& pile, std::uint32_t n) {
    py::list values;
    for (std::uint32_t i = 0; i < n; ++i) values.append(value_of(pile[i]));
    return values;
}

py::list moves_list(std::uint64_t moves) {
    py::list result;
    for (; moves != 0; moves &= moves - 1) result.append(std::countr_zero(moves));
    return result;
}

void add_seats(const FusedState& given, py::dict& found) {
    const auto n = static_cast<std::size_t>(given.hot.n_seats);
    py::list cards(n), open(n), raw(n);
    for (int i = 0; i < given.hot.n_seats; ++i) {
        const fused::Seat& seat = given.hot.seats[static_cast<std::size_t>(i)];
        cards[given.absolute(i)] = cells_list(seat);
        open[given.absolute(i)] = seat.open;
        raw[given.absolute(i)] = fused::raw_score(seat.cards);
    }
    found["cards"] = cards;
    found["open"] = open;
    found["raw"] = raw;
}

void add_legal(const FusedState& given, py::dict& found) {
    const fused::Seat& seat = given.hot.seats[static_cast<std::size_t>(given.next)];
    const std::uint64_t put = legal_cells(seat, 0, given.hot.only_hidden);
    const std::uint64_t flip = legal_cells(seat, 1, given.hot.only_hidden);
    const std::uint64_t can_draw = given.hot.n_draw > 0 || given.hot.top_at > 0 ? 1 : 0;
    found["legal_turn"] = moves_list(put << TAKE | can_draw << DRAW);
    found["legal_hold"] = moves_list(put << PLACE | flip << FLIP);
}

py::dict fused_round(const SharedSetup& setup, const py::dict& start,
                     const std::vector<GivenTurn>& turns, bool whole) {
    FusedState given = round_from(*setup, start);
    GivenChoices choices(turns, given.draws);
    const int stall_limit = setup->rules.stall_limit;
    int n_turns = static_cast<int>(turns.size());
    if (whole) {
        n_turns = 0;
        play_whole(given, stall_limit, choices, n_turns);
    } else {
        play_turns(given, stall_limit, choices, turns.size());
    }
    choices.check();
    py::dict found;
    add_seats(given, found);
    add_legal(given, found);
    found["discard"] = pile_list(given.round.discards, given.hot.top_at + 1);
    found["draw"] = pile_list(given.round.draw_pile, given.hot.n_draw);
    found["turns"] = n_turns;
    found["seat"] =
        given.over() ? py::object(py::none()) : py::object(py::int_(given.absolute(given.next)));
    found["closer"] = given.closer < 0 ? py::object(py::none())
                                       : py::object(py::int_(given.absolute(given.closer)));
    found["stalled"] = given.hot.only_hidden != 0;
    return found;
}

}  // namespace

void register_fused(py::module_& module) {
    module.def(
        "fused_plays",
        [](const SharedSetup& setup, int seats) { return fused::plays(setup->rules, seats); },
        py::arg("setup"), py::arg("seats"), "Whether the fused loop plays by these rules.");
    module.def("fused_round", &fused_round, py::arg("setup"), py::arg("start"), py::arg("turns"),
               py::kw_only(), py::arg("whole"),
               "Plays given turns in the fused loop; `whole`: to the end of the round, in one go.");
}

}  // namespace skyjo::bindings
