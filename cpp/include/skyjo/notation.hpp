// SPDX-License-Identifier: MIT
// Moves as text.
#pragma once

#include <string>

#include "skyjo/move.hpp"

namespace skyjo {

// "flip r3c1", "take r1c2", "place r2c4", "draw"; rows and columns counted from 1. Any other number
// gives "no move".
[[nodiscard]] std::string move_name(int move, int rows);

// The names of a set, ascending, joined by ", ".
[[nodiscard]] std::string move_names(MoveSet moves, int rows);

}  // namespace skyjo
