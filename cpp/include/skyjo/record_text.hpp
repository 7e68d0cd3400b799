// SPDX-License-Identifier: MIT
// A record as one line of JSON: skyjo-record/1, as docs/format.md has it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "skyjo/game.hpp"
#include "skyjo/record.hpp"
#include "skyjo/text_buffer.hpp"

namespace skyjo {

// What a record tells beside the game itself.
struct RecordFrame {
    std::string_view rules;  // this and the next two are JSON already
    std::string_view players;
    std::string_view faults;
    std::int64_t deal = 0;
    std::span<const int> places;  // by absolute seat; empty stands for null
};

// Appends the line without its end, the last round as far as it is played. No spaces between items:
// with them gzip takes 1.7 times as long and leaves 1.4 times as much.
void append_record(TextBuffer& text, const RecordFrame& frame, const GameLog& log,
                   const Game& game);

}  // namespace skyjo
