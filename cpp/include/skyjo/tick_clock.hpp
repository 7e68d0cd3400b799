// SPDX-License-Identifier: MIT
// Time stamps of decisions that take less than a look at the system's clock does.
#pragma once

#include <chrono>
#include <cstdint>

#include "skyjo/portability.hpp"

namespace skyjo {

// Ticks at an even rate: those of the processor's own counter where processor and system vouch for
// it, else nanoseconds of the steady clock.
class TickClock {
 public:
    [[nodiscard]] SKYJO_INLINE static std::int64_t now() noexcept {
#if SKYJO_HAS_TICKS
        if (counts_ticks()) [[likely]]
            return processor_ticks();
#endif
        return steady_ns();
    }

    // The time that so many ticks take, to 0.1 %. The first call takes 0.2 ms to measure the rate.
    [[nodiscard]] static std::int64_t nanoseconds(std::int64_t ticks) noexcept;

    // Whether now() reads the processor's counter: a fact of the machine, found out once.
    [[nodiscard]] SKYJO_INLINE static bool counts_ticks() noexcept {
        static const bool trusted = has_even_ticks();
        return trusted;
    }

 private:
    [[nodiscard]] static bool has_even_ticks() noexcept;
    [[nodiscard]] static double ns_per_tick() noexcept;
    [[nodiscard]] static std::int64_t steady_ns() noexcept {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(
                   std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
};

}  // namespace skyjo
