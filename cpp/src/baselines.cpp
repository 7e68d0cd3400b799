// SPDX-License-Identifier: MIT
#include "skyjo/baselines.hpp"

#include <charconv>
#include <cstring>
#include <new>
#include <string_view>

namespace skyjo {
namespace {

template <class Bot>
int choose(void* self, const skyjo_view* view) {
    return static_cast<Bot*>(self)->choose_move(*view);
}
template <class Bot>
void destroy(void* self) {
    delete static_cast<Bot*>(self);
}

void* create_random(const char* options, std::uint64_t seed) {
    return *options == '\0' ? new (std::nothrow) RandomBot(seed) : nullptr;
}
void* create_threshold(const char* options, std::uint64_t) {
    int limit = ThresholdBot::DEFAULT_LIMIT;
    const std::string_view text(options);
    constexpr std::string_view KEY = "limit=";
    if (!text.empty()) {
        if (text.substr(0, KEY.size()) != KEY) return nullptr;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + KEY.size(), end, limit);
        if (error != std::errc{} || stop != end) return nullptr;
    }
    return new (std::nothrow) ThresholdBot(limit);
}

constexpr skyjo_bot RANDOM = {sizeof(skyjo_bot), SKYJO_BOT_ABI,     SKYJO_VERSION,
                              "random",          create_random,     choose<RandomBot>,
                              nullptr,           destroy<RandomBot>};
constexpr skyjo_bot THRESHOLD = {sizeof(skyjo_bot), SKYJO_BOT_ABI,        SKYJO_VERSION,
                                 "threshold",       create_threshold,     choose<ThresholdBot>,
                                 nullptr,           destroy<ThresholdBot>};

}  // namespace

const skyjo_bot* native_bot(const char* name) noexcept {
    for (const skyjo_bot* bot : {&RANDOM, &THRESHOLD})
        if (std::strcmp(bot->name, name) == 0) return bot;
    return nullptr;
}

}  // namespace skyjo
