// SPDX-License-Identifier: MIT
#include "skyjo/native_tables.hpp"

#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiled_bot.hpp"
#include "skyjo/text_buffer.hpp"

namespace skyjo::bindings {
namespace {

std::vector<BotChoice> built_in(const py::list& bots) {
    std::vector<BotChoice> choices;
    for (const py::handle item : bots) {
        const auto& bot = item.cast<const CompiledBot&>();
        if (!bot.built_in())
            throw py::value_error(std::string("play_tables: expected built-in bots, got ") +
                                  bot.name());
        choices.push_back(bot.choice());
    }
    return choices;
}

NativeTable table_of(const py::tuple& given, int n_seats, std::size_t n_bots) {
    NativeTable table = {given[0].cast<std::int64_t>(),
                         given[1].cast<std::uint64_t>(),
                         given[2].cast<std::uint64_t>(),
                         {}};
    const py::list bots = given[3];
    if (bots.size() != static_cast<std::size_t>(n_seats))
        throw py::value_error("play_tables: expected a bot for each seat");
    for (std::size_t seat = 0; seat < bots.size(); ++seat) {
        const auto bot = bots[seat].cast<std::size_t>();
        if (bot >= n_bots) throw py::index_error("play_tables: no such bot");
        table.bots[seat] = static_cast<std::uint32_t>(bot);
    }
    return table;
}

py::str hash_text(std::uint64_t hash) {
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
    return {text.data(), 16};
}

template <class Make>
py::list by_seat(int n_seats, Make make) {
    py::list items(n_seats);
    for (std::size_t seat = 0; seat < items.size(); ++seat) items[seat] = make(seat);
    return items;
}

// What came of tables, as Python has it only when it is asked for: by another thread than the one
// that plays, which then seldom waits for the GIL.
struct NativeGames {
    std::vector<NativeResult> results;
    int n_seats = 0;
};

// As the stub has it.
py::tuple result_tuple(const NativeResult& result, int n) {
    const MatchResult& match = result.match;
    return py::make_tuple(
        by_seat(n, [&](std::size_t seat) { return py::int_(result.totals[seat]); }),
        by_seat(n, [&](std::size_t seat) { return py::int_(match.places[seat]); }),
        by_seat(n, [&](std::size_t seat) { return py::int_(match.decisions[seat]); }),
        by_seat(n,
                [&](std::size_t seat) {
                    return py::float_(static_cast<double>(match.nanoseconds[seat]) * 1e-9);
                }),
        hash_text(result.moves_hash));
}

py::list result_tuples(const NativeGames& games) {
    py::list tuples;
    for (const NativeResult& result : games.results)
        tuples.append(result_tuple(result, games.n_seats));
    return tuples;
}

// Plays the tables one after the other, without the GIL.
py::tuple play_tables(const SharedSetup& setup, const py::list& bots, int seats, std::uint64_t seed,
                      bool lanes, const py::list& tables,
                      const std::optional<std::string_view>& rules,
                      const std::vector<std::string_view>& names, const py::function& pack) {
    if (seats < 2 || seats > setup->max_seats)
        throw py::value_error("play_tables: expected 2 to " + std::to_string(setup->max_seats) +
                              " seats, got " + std::to_string(seats));
    if (rules && names.size() != bots.size())
        throw py::value_error("play_tables: expected a name for each bot");
    const NativeTables native(*setup, seats, built_in(bots), seed,
                              lanes ? DeckKind::LANES : DeckKind::STACK,
                              rules.value_or(std::string_view()), names);
    std::vector<NativeTable> asked;
    for (const py::handle table : tables)
        asked.push_back(table_of(table.cast<py::tuple>(), seats, bots.size()));
    NativeGames games = {{}, seats};
    games.results.reserve(asked.size());
    // Its memory is kept for the next batch.
    static thread_local TextBuffer records;
    records.clear();
    {
        const py::gil_scoped_release released;
        for (const NativeTable& table : asked) games.results.push_back(native.play(table, records));
    }
    return py::make_tuple(std::move(games), lent(records.view(), pack));
}

}  // namespace

void register_native_tables(py::module_& module) {
    py::class_<NativeGames>(module, "NativeGames", "What came of tables of built-in bots.")
        .def(py::init<>())
        .def("__len__", [](const NativeGames& self) { return self.results.size(); })
        .def("tuples", &result_tuples, "A tuple for each game, in the order of the tables.");
    module.def("play_tables", &play_tables, py::arg("setup"), py::arg("bots"), py::kw_only(),
               py::arg("seats"), py::arg("seed"), py::arg("lanes"), py::arg("tables"),
               py::arg("rules"), py::arg("names"), py::arg("pack"),
               "Plays tables of a tournament at which built-in bots alone sit.");
}

}  // namespace skyjo::bindings
