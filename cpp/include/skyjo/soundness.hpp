// SPDX-License-Identifier: MIT
// Whether a table that comes from outside is one that the turn machine can go on from.
#pragma once

#include <cstdint>

#include "skyjo/rules.hpp"
#include "skyjo/table.hpp"

namespace skyjo {

// Bounds every count and total that comes from outside, so that none overflows later.
inline constexpr std::int32_t MANY = 1'000'000'000;

// Whether grids, seats, phase, hand, last turns and piles fit each other and the rules: all indices
// are in bounds from here to the end of the round, and every seat to come has a legal move. The
// pools are not looked at.
[[nodiscard]] bool is_sound(const Setup& setup, const Table& table) noexcept;

}  // namespace skyjo
