// SPDX-License-Identifier: MIT
// The one place for compiler extensions.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#if defined(__GNUC__) || defined(__clang__)
#define SKYJO_INLINE [[gnu::always_inline]] inline
#define SKYJO_COLD [[gnu::noinline, gnu::cold]]
#define SKYJO_APART [[gnu::noinline]]
#else
#define SKYJO_INLINE inline
#define SKYJO_COLD
#define SKYJO_APART
#endif

// Code for newer processors is chosen once, when it runs. A function marked SKYJO_V2 or SKYJO_V3 is
// compiled for that level of x86-64, with all that it calls inlined: so no inline function exists
// twice under one name with other instructions in it. A build for the machine it runs on
// (SKYJO_NATIVE) has no use for any of it.
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define SKYJO_V2 [[gnu::target("arch=x86-64-v2"), gnu::flatten, gnu::noinline]]
#define SKYJO_V3 [[gnu::target("arch=x86-64-v3"), gnu::flatten, gnu::noinline]]
#define SKYJO_HAS_BMI2 1
#if defined(SKYJO_NATIVE)
#define SKYJO_DISPATCH 0
#else
#define SKYJO_DISPATCH 1
#endif
#else
#define SKYJO_HAS_BMI2 0
#define SKYJO_DISPATCH 0
#endif
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace skyjo {

#if SKYJO_HAS_BMI2
// The bits of `source`, lowest first, put at the bits of `mask`: PDEP of BMI2. In assembly, since
// no compiler inlines the intrinsic into a function that is to be inlined into one of SKYJO_V3.
[[nodiscard]] SKYJO_INLINE std::uint32_t deposit_bits(std::uint32_t source,
                                                      std::uint32_t mask) noexcept {
    std::uint32_t result = 0;
    __asm__("pdepl %2, %1, %0" : "=r"(result) : "r"(source), "r"(mask));
    return result;
}
#endif

// A number whose lowest byte comes first in memory, as one that the machine reads so.
template <std::unsigned_integral Word>
[[nodiscard]] constexpr Word little_endian(Word word) noexcept {
    if constexpr (std::endian::native == std::endian::little) return word;
    Word turned = 0;
    for (std::size_t i = 0; i < sizeof word; ++i)
        turned = static_cast<Word>(turned << 8 | ((word >> (8 * i)) & 0xffU));
    return turned;
}

// What the code is compiled for, and the best of it that this processor can run. SKYJO_LEVEL, a
// name of these, is for measurements that must not depend on the processor.
enum class Level : std::uint8_t { PORTABLE, V2, V3, NATIVE };

[[nodiscard]] inline Level best_level() noexcept {
#if defined(SKYJO_LEVEL)
    return Level::SKYJO_LEVEL;
#elif SKYJO_DISPATCH
    if (__builtin_cpu_supports("x86-64-v3")) return Level::V3;
    return __builtin_cpu_supports("x86-64-v2") ? Level::V2 : Level::PORTABLE;
#elif defined(SKYJO_NATIVE)
    return Level::NATIVE;
#else
    return Level::PORTABLE;
#endif
}

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

// The time stamp counter of the processor; whether it may be trusted, tick_clock.hpp knows.
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define SKYJO_HAS_TICKS 1
[[nodiscard]] SKYJO_INLINE std::int64_t processor_ticks() noexcept {
    return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
}
#else
#define SKYJO_HAS_TICKS 0
#endif

// Asks for a cache line that will be written to soon; may do nothing. Inlined by all means: gcc
// leaves out a call of what it finds to have no effect.
SKYJO_INLINE void prefetch([[maybe_unused]] const void* address) noexcept {
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
