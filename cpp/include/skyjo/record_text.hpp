// SPDX-License-Identifier: MIT
// The rounds of a record as JSON: skyjo-record/1, as docs/format.md has it.
#pragma once

#include <string>

#include "skyjo/game.hpp"
#include "skyjo/record.hpp"

namespace skyjo {

// The list of rounds of a game in one line, the last one as far as it is played. Laid out as
// Python's json.dumps lays lists and objects out.
[[nodiscard]] std::string rounds_text(const GameLog& log, const Game& game);

}  // namespace skyjo
