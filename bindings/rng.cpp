// SPDX-License-Identifier: MIT
#include "skyjo/rng.hpp"

#include "bindings.hpp"

namespace skyjo::bindings {

namespace {

py::list bot_keys(std::uint64_t master, std::uint64_t deal, std::uint64_t lineup,
                  std::uint64_t seating, std::uint64_t n) {
    const BotKeys keys(master, deal, lineup, seating);
    py::list by_seat;
    for (std::uint64_t seat = 0; seat < n; ++seat) by_seat.append(keys.of(seat));
    return by_seat;
}

}  // namespace

void register_rng(py::module_& module) {
    module.def("game_seed", &game_seed, py::arg("master"), py::arg("deal"),
               "The seed of the game that plays this deal; both 0..2**64 - 1.");
    module.def("bot_keys", &bot_keys, py::arg("master"), py::kw_only(), py::arg("deal"),
               py::arg("lineup"), py::arg("seating"), py::arg("n"),
               "The keys of the bots' random streams by absolute seat, 64 bits each; not to be "
               "turned back into the seed.");
}

}  // namespace skyjo::bindings
