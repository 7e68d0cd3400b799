// SPDX-License-Identifier: MIT
#include "skyjo/rng.hpp"

#include "bindings.hpp"

namespace skyjo::bindings {

void register_rng(py::module_& module) {
    module.def("game_seed", &game_seed, py::arg("master"), py::arg("deal"),
               "The seed of the game that plays this deal; both 0..2**64 - 1.");
    module.def("bot_key", &bot_key, py::arg("master"), py::kw_only(), py::arg("deal"),
               py::arg("lineup"), py::arg("seating"), py::arg("seat"),
               "The key of a bot's random stream, 64 bits; not to be turned back into the seed.");
}

}  // namespace skyjo::bindings
