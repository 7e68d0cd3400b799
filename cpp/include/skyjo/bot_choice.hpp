// SPDX-License-Identifier: MIT
// A bot with its options, and its objects, one for each game and seat.
#pragma once

#include <cstdint>

#include "skyjo/bot_abi.h"

namespace skyjo {

// A struct that holds, and options as its create() takes them. Both must outlive it.
struct BotChoice {
    const skyjo_bot* bot = nullptr;
    const char* options = "";
};

namespace absent {
inline int choose_move(void*, const skyjo_view*) {
    return SKYJO_FAULT_EXCEPTION;
}
inline int event(void*, int, const skyjo_view*, const std::int8_t*) {
    return SKYJO_FAULT_EXCEPTION;
}
// Sits where a bot could make no object.
inline constexpr skyjo_bot BOT = {sizeof(skyjo_bot), SKYJO_BOT_ABI, SKYJO_VERSION, "absent",
                                  nullptr,           choose_move,   event,         nullptr};
}  // namespace absent

// A fresh object of the bot, for one game; a bot that makes none is at fault in its first call. To
// be given to leave(). Both run the bot's own code.
[[nodiscard]] inline skyjo_seat sit(const BotChoice& choice, std::uint64_t key) {
    if (choice.bot->create == nullptr) return {choice.bot, nullptr};
    void* self = choice.bot->create(choice.options, key);
    return {self == nullptr ? &absent::BOT : choice.bot, self};
}
inline void leave(const skyjo_seat& seat) {
    if (seat.self != nullptr && seat.bot->destroy != nullptr) seat.bot->destroy(seat.self);
}

}  // namespace skyjo
