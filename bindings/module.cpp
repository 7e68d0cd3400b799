// SPDX-License-Identifier: MIT
// The index of the extension module, in the order of the headers.
#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
    using namespace skyjo::bindings;
    module.doc() = "The compiled core of skyjo_core; private, use the package.";
    register_card(module);
    register_rng(module);
    register_rules(module);
    register_scoring(module);
    register_notation(module);
    register_game(module);
    register_record(module);
    register_compiled_bot(module);
    register_fused(module);
    register_match(module);
    register_native_tables(module);
    register_replay(module);
    register_simulation(module);
    register_batch_game(module);
}
