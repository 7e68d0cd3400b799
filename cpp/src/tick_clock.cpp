// SPDX-License-Identifier: MIT
#include "skyjo/tick_clock.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "skyjo/portability.hpp"
#if SKYJO_HAS_TICKS
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <fcntl.h>
#include <unistd.h>
#endif

namespace skyjo {

#if SKYJO_HAS_TICKS
namespace {

// The counter runs at one rate in every state of power: AMD64 Architecture Programmer's Manual 3,
// section E.4.7, and Intel SDM 3B, 19.17.1.
bool is_invariant() noexcept {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007U, &a, &b, &c, &d) != 0 && ((d >> 8) & 1U) != 0;
}

// Linux compares the counters of all processors as long as it runs, and takes its own time from
// them only while they agree.
bool system_trusts_it() noexcept {
#if defined(__linux__)
    const int file = ::open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                            O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    char name[8] = {};
    const auto n = ::read(file, name, sizeof name - 1);
    ::close(file);
    return n == 4 && std::memcmp(name, "tsc\n", 4) == 0;
#else
    return true;
#endif
}

}  // namespace
#endif

bool TickClock::has_even_ticks() noexcept {
#if SKYJO_HAS_TICKS
    return is_invariant() && system_trusts_it();
#else
    return false;
#endif
}

// Against the steady clock, over 0.2 ms.
double TickClock::ns_per_tick() noexcept {
    struct Moment {
        std::int64_t ticks = 0;
        std::int64_t ns = 0;
    };
    // Both clocks at one moment: the closest of some pairs, for whatever may come between two
    // reads.
    const auto look = []() noexcept {
        constexpr int TRIES = 16;
        Moment closest;
        std::int64_t least = INT64_MAX;
        for (int i = 0; i < TRIES; ++i) {
            const std::int64_t before = now();
            const std::int64_t ns = steady_ns();
            const std::int64_t width = now() - before;
            if (width >= least) continue;
            least = width;
            closest = {before + width / 2, ns};
        }
        return closest;
    };
    constexpr std::int64_t LONG_ENOUGH = 200'000;
    const Moment first = look();
    while (steady_ns() - first.ns < LONG_ENOUGH) {
    }
    const Moment last = look();
    return static_cast<double>(last.ns - first.ns) / static_cast<double>(last.ticks - first.ticks);
}

std::int64_t TickClock::nanoseconds(std::int64_t ticks) noexcept {
    if (!counts_ticks()) return ticks;
    static const double rate = ns_per_tick();
    return std::llround(static_cast<double>(ticks) * rate);
}

}  // namespace skyjo
