// SPDX-License-Identifier: MIT
#include "skyjo/card.hpp"

#include "bindings.hpp"
#include "skyjo/table.hpp"

namespace skyjo::bindings {

void register_card(py::module_& module) {
    module.attr("HIDDEN") = HIDDEN;
    module.attr("REMOVED") = REMOVED;
    module.attr("STAR") = STAR;
    py::native_enum<Phase>(module, "Phase", "enum.IntEnum", "Which decision is due.")
        .value("FLIP", Phase::FLIP)
        .value("TURN", Phase::TURN)
        .value("HOLD", Phase::HOLD)
        .value("OVER", Phase::OVER)
        .finalize();
}

}  // namespace skyjo::bindings
