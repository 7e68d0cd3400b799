// SPDX-License-Identifier: MIT
// Work that is compiled for several levels of processor, and done by the best one there is.
#pragma once

#include "skyjo/move.hpp"
#include "skyjo/portability.hpp"

namespace skyjo {
namespace levels {

template <class Work>
void portable(Work& work) {
    work.template run<PickByTable>();
}
#if SKYJO_DISPATCH
template <class Work>
SKYJO_V2 void v2(Work& work) {
    work.template run<PickByCount>();
}
template <class Work>
SKYJO_V3 void v3(Work& work) {
    work.template run<PickByDeposit>();
}
#else
template <class Work>
void native(Work& work) {
    work.template run<PickNative>();
}
#endif

}  // namespace levels

// Calls work.run<Pick>() with the Pick of the level. All that it calls is inlined but for what is
// marked SKYJO_COLD.
template <class Work>
void run_at(Level level, Work& work) {
    switch (level) {
#if SKYJO_DISPATCH
        case Level::V3: return levels::v3(work);
        case Level::V2: return levels::v2(work);
#else
        case Level::NATIVE: return levels::native(work);
#endif
        default: return levels::portable(work);
    }
}

}  // namespace skyjo
