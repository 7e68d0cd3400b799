// SPDX-License-Identifier: MIT
#include "skyjo/record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game.hpp"
#include "skyjo/record_text.hpp"
#include "skyjo/text_buffer.hpp"

namespace skyjo::bindings {
namespace {

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

}  // namespace

py::list round_dicts(const PlayedGame& self) {
    py::list rounds;
    if (!self.log) return rounds;
    for (const RoundLog& round : self.log->rounds())
        rounds.append(round_dict(self.log->complete(round, self.game), self.game.n_seats()));
    return rounds;
}

// Finished rounds as (starter, closer, raw, points, cells, moves, stalled, capped).
py::list finished_rounds(const PlayedGame& self) {
    const int n = self.game.n_seats();
    py::list rounds;
    if (!self.log) return rounds;
    for (const RoundLog& round : self.log->rounds()) {
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

namespace {

// Records of games by the same rules, a line each.
class RecordText {
 public:
    explicit RecordText(std::string rules) : rules_(std::move(rules)) {}

    // The texts are JSON already.
    void add(const PlayedGame& played, std::string_view players, std::string_view faults,
             std::int64_t deal, const std::optional<std::vector<int>>& places) {
        if (!played.has_record())
            throw py::value_error("RecordText: expected a game with its deal and history");
        if (places && places->size() != static_cast<std::size_t>(played.game.n_seats()))
            throw py::value_error("RecordText: expected a place for each seat");
        RecordFrame frame = {rules_, players, faults, deal, {}};
        if (places) frame.places = *places;
        append_record(text_, frame, *played.log, played.game);
        text_.append("\n");
    }
    void add_line(std::string_view line) {
        text_.append(line);
        text_.append("\n");
    }
    [[nodiscard]] std::size_t size() const noexcept { return text_.size(); }
    // Meanwhile the lines are out of reach of what `pack` may call; where it raises they are kept.
    py::object take(const py::function& pack) {
        TextBuffer lines = std::exchange(text_, {});
        try {
            py::object made = lent(lines.view(), pack);
            lines.clear();
            if (text_.size() == 0) text_ = std::move(lines);  // its memory
            return made;
        } catch (...) {
            lines.append(text_.view());
            text_ = std::move(lines);
            throw;
        }
    }

 private:
    std::string rules_;
    TextBuffer text_;
};

}  // namespace

py::object lent(std::string_view text, const py::function& function) {
    const auto view =
        py::memoryview::from_memory(text.data(), static_cast<py::ssize_t>(text.size()));
    const auto forget = [&view] { view.attr("release")(); };
    try {
        py::object made = function(view);
        forget();
        return made;
    } catch (...) {
        forget();
        throw;
    }
}

void register_record(py::module_& module) {
    py::class_<RecordText>(module, "RecordText", "Records of games by the same rules, a line each.")
        .def(py::init<std::string>(), py::arg("rules"))
        .def("__len__", &RecordText::size)
        .def("add", &RecordText::add, py::arg("game"), py::arg("players"), py::arg("faults"),
             py::arg("deal"), py::arg("places").none(true), "Appends the record of a game.")
        .def("add_line", &RecordText::add_line, py::arg("line"), "Appends a line without its end.")
        .def("take", &RecordText::take, py::arg("pack"),
             "What `pack` makes of all lines, which it gets where they lie; then they are gone.");
}

}  // namespace skyjo::bindings
