// SPDX-License-Identifier: MIT
// The one place for compiler extensions.
#pragma once

#include <cstdint>
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace skyjo {

struct Product {
    std::uint64_t high;
    std::uint64_t low;
};

// The full 128-bit product of two 64-bit numbers.
[[nodiscard]] constexpr Product multiply(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
#else
    const std::uint64_t a_low = a & 0xffffffffU, a_high = a >> 32;
    const std::uint64_t b_low = b & 0xffffffffU, b_high = b >> 32;
    const std::uint64_t low = a_low * b_low;
    const std::uint64_t cross = a_high * b_low + (low >> 32);
    const std::uint64_t middle = a_low * b_high + (cross & 0xffffffffU);
    return {a_high * b_high + (cross >> 32) + (middle >> 32), a * b};
#endif
}

// Asks for a cache line that will be written to soon; may do nothing.
inline void prefetch([[maybe_unused]] const void* address) noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(address, 1);
#endif
}

// Tells a process from one forked from it; 0 where processes do not fork.
[[nodiscard]] inline long process_id() noexcept {
#if defined(__unix__) || defined(__APPLE__)
    return static_cast<long>(getpid());
#else
    return 0;
#endif
}

}  // namespace skyjo
