// SPDX-License-Identifier: MIT
#include "skyjo/record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game.hpp"
#include "skyjo/record_text.hpp"

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

py::bytes record_line(const PlayedGame& self, std::string_view rules, std::string_view players,
                      std::string_view faults, std::int64_t deal,
                      const std::optional<std::vector<int>>& places) {
    if (!self.log) throw py::value_error("_record_line: expected a game with its log");
    RecordFrame frame = {rules, players, faults, deal, {}};
    if (places) frame.places = *places;
    std::string line;
    append_record(line, frame, *self.log, self.game);
    return line;
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

}  // namespace skyjo::bindings
