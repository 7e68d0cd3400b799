// SPDX-License-Identifier: MIT
// A forfeit as Python reads it.
#pragma once

#include "bindings.hpp"
#include "skyjo/match.hpp"
#include "skyjo/notation.hpp"

namespace skyjo::bindings {

inline py::dict fault_dict(const Fault& fault, int rows) {
    py::dict entry;
    entry["round"] = fault.round;
    entry["move"] = fault.move;
    entry["seat"] = fault.seat;
    entry["kind"] = fault.kind == FaultKind::ILLEGAL_MOVE ? "illegal_move" : "exception";
    entry["answer"] = fault.answer;
    entry["legal"] = move_names({fault.legal}, rows);
    return entry;
}

}  // namespace skyjo::bindings
