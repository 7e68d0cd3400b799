// SPDX-License-Identifier: MIT
// The one place that includes pybind11, so that every binding file sees the same converters.
#pragma once

#include <pybind11/native_enum.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string_view>

#include "skyjo/rules.hpp"
#include "skyjo/score_sheet.hpp"

namespace py = pybind11;

namespace skyjo::bindings {

using SharedSetup = std::shared_ptr<const Setup>;

void register_card(py::module_& module);
void register_rng(py::module_& module);
void register_rules(py::module_& module);
void register_scoring(py::module_& module);
void register_game(py::module_& module);
void register_record(py::module_& module);
void register_compiled_bot(py::module_& module);
void register_fused(py::module_& module);
void register_match(py::module_& module);
void register_native_tables(py::module_& module);
void register_notation(py::module_& module);
void register_replay(py::module_& module);
void register_simulation(py::module_& module);
void register_batch_game(py::module_& module);

// A seat as Python reads it: None for none.
inline py::object seat_or_none(int seat) {
    return seat < 0 ? py::none() : py::object(py::int_(seat));
}

// What a Python function makes of a text, which it may read as a memoryview during its call alone.
py::object lent(std::string_view text, const py::function& function);

}  // namespace skyjo::bindings
