// SPDX-License-Identifier: MIT
#include "skyjo/notation.hpp"

#include "bindings.hpp"

namespace skyjo::bindings {

void register_notation(py::module_& module) {
    module.def("move_name", &move_name, py::arg("move"), py::arg("rows"),
               "A move as text; \"no move\" for other numbers.");
    module.def(
        "move_names", [](std::uint64_t mask, int rows) { return move_names({mask}, rows); },
        py::arg("mask"), py::arg("rows"), "The moves of a bit mask as text, joined by commas.");
}

}  // namespace skyjo::bindings
