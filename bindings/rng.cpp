// SPDX-License-Identifier: MIT
#include "skyjo/rng.hpp"

#include "bindings.hpp"

namespace skyjo::bindings {

namespace {

py::list bot_keys(std::uint64_t master, std::uint64_t deal, std::uint64_t lineup,
                  std::uint64_t seating, std::uint64_t n) {
    py::list keys;
    for (std::uint64_t seat = 0; seat < n; ++seat)
        keys.append(bot_key(master, deal, lineup, seating, seat));
    return keys;
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
