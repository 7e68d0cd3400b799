// SPDX-License-Identifier: MIT
#include "skyjo/scoring.hpp"

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace skyjo::bindings {
namespace {

constexpr int MOST_POINTS = 1'000'000'000;

Points points_from(const std::vector<int>& values, const char* what) {
    if (values.size() < 2 || values.size() > MAX_SEATS)
        throw py::value_error(std::string(what) + ": expected 2 to 10 seats, got " +
                              std::to_string(values.size()));
    Points points{};
    for (std::size_t seat = 0; seat < values.size(); ++seat) {
        if (values[seat] < -MOST_POINTS || values[seat] > MOST_POINTS)
            throw py::value_error(std::string(what) + ": expected points of at most 10**9");
        points[seat] = values[seat];
    }
    return points;
}

template <class Array>
py::tuple seats_tuple(const Array& values, std::size_t n_seats) {
    py::tuple result(n_seats);
    for (std::size_t seat = 0; seat < n_seats; ++seat)
        result[seat] = static_cast<int>(values[seat]);
    return result;
}

// A score sheet with the rules that it needs.
struct Sheet {
    SharedSetup setup;
    ScoreSheet sheet;
};

py::tuple seat_list(Seats seats) {
    py::list list;
    for (Seats rest = seats; rest != 0; rest &= rest - 1) list.append(std::countr_zero(rest));
    return py::tuple(list);
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
        "starters",
        [](const Setup& setup, const std::vector<std::pair<int, int>>& open) {
            std::array<OpenCards, MAX_SEATS> cards{};
            if (open.size() < 2 || open.size() > MAX_SEATS)
                throw py::value_error("starters: expected 2 to 10 seats, got " +
                                      std::to_string(open.size()));
            for (std::size_t seat = 0; seat < open.size(); ++seat)
                cards[seat] = {open[seat].first, open[seat].second};
            return seat_list(highest_sum_seats(setup.rules, cards, static_cast<int>(open.size())));
        },
        py::arg("setup"), py::arg("open"),
        "The seats that may start by their open cards, (sum, highest card) each: one, or those "
        "among which chance decides.");
    py::class_<Sheet>(module, "ScoreSheet", "Totals after each round, and the end of the game.")
        .def(py::init(
                 [](std::shared_ptr<Setup> setup, const std::vector<int>& totals, int n_rounds) {
                     Sheet sheet{std::move(setup), {}};
                     sheet.sheet.totals = points_from(totals, "ScoreSheet");
                     sheet.sheet.n_seats = static_cast<int>(totals.size());
                     sheet.sheet.n_rounds = n_rounds;
                     return sheet;
                 }),
             py::arg("setup"), py::arg("totals"), py::arg("n_rounds") = 0)
        .def(
            "add",
            [](Sheet& self, const std::vector<int>& points) {
                if (self.sheet.over())
                    throw py::value_error("ScoreSheet: expected a game that is not over");
                if (points.size() != static_cast<std::size_t>(self.sheet.n_seats))
                    throw py::value_error("ScoreSheet: expected points for each seat");
                self.sheet.add(self.setup->rules, points_from(points, "ScoreSheet"));
            },
            py::arg("points"), "Adds the points of a round.")
        .def_property_readonly("totals",
                               [](const Sheet& self) {
                                   return seats_tuple(self.sheet.totals,
                                                      static_cast<std::size_t>(self.sheet.n_seats));
                               })
        .def_property_readonly("over", [](const Sheet& self) { return self.sheet.over(); })
        .def_property_readonly("end", [](const Sheet& self) { return end_word(self.sheet.end()); })
        .def_property_readonly("winners",
                               [](const Sheet& self) { return seat_list(self.sheet.winners); })
        .def_property_readonly("places", [](const Sheet& self) -> py::object {
            if (!self.sheet.over()) return py::none();
            return seats_tuple(self.sheet.places(), static_cast<std::size_t>(self.sheet.n_seats));
        });
}

}  // namespace skyjo::bindings
