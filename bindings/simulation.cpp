// SPDX-License-Identifier: MIT
#include "skyjo/simulation.hpp"

#include <string>
#include <vector>

#include "compiled_bot.hpp"
#include "fault.hpp"
#include "game.hpp"
#include "skyjo/playouts.hpp"

namespace skyjo::bindings {
namespace {

// An array that is written to as it lies.
template <class Item>
using Out = py::array_t<Item, py::array::c_style>;

std::vector<BotChoice> choices(const py::list& bots) {
    std::vector<BotChoice> result;
    for (const py::handle bot : bots) result.push_back(bot.cast<const CompiledBot&>().choice());
    return result;
}

// Plays games first .. first + n - 1; without the GIL, which bots that need it take themselves.
py::list simulate(const SharedSetup& setup, const py::list& bots, std::uint64_t seed, bool fused,
                  std::int64_t first, std::int64_t n, int threads, Out<std::int32_t>& totals,
                  Out<std::int8_t>& places, Out<std::int32_t>& rounds, Out<std::int64_t>& turns,
                  Out<std::uint64_t>& hashes) {
    const Simulation simulation(*setup, choices(bots), seed, fused ? Path::FUSED : Path::PLUGGABLE);
    const GameResults results = {totals.mutable_data(), places.mutable_data(),
                                 rounds.mutable_data(), turns.mutable_data(),
                                 hashes.mutable_data()};
    std::vector<GameFault> faults;
    {
        const py::gil_scoped_release released;
        faults = simulation.play(first, n, threads, results);
    }
    py::list told;
    for (const GameFault& fault : faults) {
        py::dict entry = fault_dict(fault.fault, setup->shape.rows);
        entry["game"] = fault.game;
        told.append(entry);
    }
    return told;
}

void playouts(const PlayedGame& game, std::int64_t first, std::int64_t n, std::uint64_t seed,
              Out<std::int16_t>& raw, Out<std::int16_t>& points, Out<std::int8_t>& closer) {
    const PlayoutResults results = {raw.mutable_data(), points.mutable_data(),
                                    closer.mutable_data()};
    const Game start = game.game;  // another thread may play on
    const py::gil_scoped_release released;
    play_out(start, first, n, seed, results);
}

}  // namespace

void register_simulation(py::module_& module) {
    module.def("simulate", &simulate, py::arg("setup"), py::arg("bots"), py::kw_only(),
               py::arg("seed"), py::arg("fused"), py::arg("first"), py::arg("n"),
               py::arg("threads"), py::arg("totals").noconvert(), py::arg("places").noconvert(),
               py::arg("rounds").noconvert(), py::arg("turns").noconvert(),
               py::arg("hashes").noconvert(),
               "Plays games into arrays for all games; returns the faults.");
    module.def(
        "can_fuse",
        [](const SharedSetup& setup, const py::list& bots) {
            return can_fuse(*setup, choices(bots));
        },
        py::arg("setup"), py::arg("bots"), "Whether there is a fused loop for bots and rules.");
    module.def("playouts", &playouts, py::arg("game"), py::kw_only(), py::arg("first"),
               py::arg("n"), py::arg("seed"), py::arg("raw").noconvert(),
               py::arg("points").noconvert(), py::arg("closer").noconvert(),
               "Plays playouts into arrays for all of them.");
}

}  // namespace skyjo::bindings
