// SPDX-License-Identifier: MIT
#include "skyjo/scoring.hpp"

#include <string>
#include <vector>

#include "bindings.hpp"

namespace skyjo::bindings {
namespace {

Points points_from(const std::vector<int>& values, const char* what) {
    if (values.size() < 2 || values.size() > MAX_SEATS)
        throw py::value_error(std::string(what) + ": expected 2 to 10 seats, got " +
                              std::to_string(values.size()));
    Points points{};
    for (std::size_t seat = 0; seat < values.size(); ++seat) points[seat] = values[seat];
    return points;
}

template <class Array>
py::tuple seats_tuple(const Array& values, std::size_t n_seats) {
    py::tuple result(n_seats);
    for (std::size_t seat = 0; seat < n_seats; ++seat)
        result[seat] = static_cast<int>(values[seat]);
    return result;
}

}  // namespace

void register_scoring(py::module_& module) {
    module.def(
        "score",
        [](const Setup& setup, const std::vector<int>& raw, std::optional<int> closer) {
            const auto n = static_cast<int>(raw.size());
            if (closer && (*closer < 0 || *closer >= n))
                throw py::index_error("score: no such closer");
            return seats_tuple(
                score(setup.rules, points_from(raw, "score"), n, closer.value_or(-1)), raw.size());
        },
        py::arg("setup"), py::arg("raw"), py::arg("closer"),
        "Points of a round from the raw scores and the closer's seat (or None).");
    module.def(
        "starter",
        [](const Setup& setup, const std::vector<std::pair<int, int>>& open) {
            std::array<OpenCards, MAX_SEATS> cards{};
            if (open.size() < 2 || open.size() > MAX_SEATS)
                throw py::value_error("starter: expected 2 to 10 seats");
            for (std::size_t seat = 0; seat < open.size(); ++seat)
                cards[seat] = {open[seat].first, open[seat].second};
            return highest_sum_seat(setup.rules, cards, static_cast<int>(open.size()), 0);
        },
        py::arg("setup"), py::arg("open"),
        "The starter from each seat's open cards: (sum, highest card).");
    module.def(
        "game_end",
        [](const Setup& setup, const std::vector<int>& totals, int n_rounds) -> const char* {
            switch (game_end(setup.rules, points_from(totals, "game_end"),
                             static_cast<int>(totals.size()), n_rounds)) {
                case End::RUNNING: return nullptr;
                case End::THRESHOLD: return "threshold";
                case End::MAX_ROUNDS: return "max_rounds";
                case End::GUARD: return "guard";
            }
            return nullptr;
        },
        py::arg("setup"), py::arg("totals"), py::arg("n_rounds"),
        "Why a game with these totals after so many rounds is over, or None.");
    module.def(
        "places",
        [](const std::vector<int>& totals) {
            return seats_tuple(
                places(points_from(totals, "places"), static_cast<int>(totals.size())),
                totals.size());
        },
        py::arg("totals"), "Places: 1 + the number of seats with a lower total.");
}

}  // namespace skyjo::bindings
