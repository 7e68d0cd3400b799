// SPDX-License-Identifier: MIT
#include "skyjo/baselines.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <new>
#include <string_view>

namespace skyjo {
namespace {

// The bot's choice, compiled for each level of processor.
template <class Bot>
int choose(void* self, const skyjo_view* view) {
    return static_cast<Bot*>(self)->template choose_by<PickByTable>(*view);
}
#if SKYJO_DISPATCH
template <class Bot>
SKYJO_V2 int choose_v2(void* self, const skyjo_view* view) {
    return static_cast<Bot*>(self)->template choose_by<PickByCount>(*view);
}
template <class Bot>
SKYJO_V3 int choose_v3(void* self, const skyjo_view* view) {
    return static_cast<Bot*>(self)->template choose_by<PickByDeposit>(*view);
}
#endif
template <class Bot>
int choose_native(void* self, const skyjo_view* view) {
    return static_cast<Bot*>(self)->template choose_by<PickNative>(*view);
}
template <class Bot>
[[nodiscard]] auto best_choice() noexcept {
    switch (best_level()) {
#if SKYJO_DISPATCH
        case Level::V2: return choose_v2<Bot>;
        case Level::V3: return choose_v3<Bot>;
#endif
        case Level::NATIVE: return choose_native<Bot>;
        default: return choose<Bot>;
    }
}
template <class Bot>
void destroy(void* self) {
    delete static_cast<Bot*>(self);
}

void* create_random(const char* options, std::uint64_t seed) {
    return *options == '\0' ? new (std::nothrow) RandomBot(seed) : nullptr;
}
void* create_greedy(const char* options, std::uint64_t) {
    return *options == '\0' ? new (std::nothrow) GreedyBot : nullptr;
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

template <class Bot>
[[nodiscard]] skyjo_bot make_bot(const char* name,
                                 void* (*create)(const char*, std::uint64_t)) noexcept {
    return {sizeof(skyjo_bot),  SKYJO_BOT_ABI, SKYJO_VERSION, name, create,
            best_choice<Bot>(), nullptr,       destroy<Bot>};
}

}  // namespace

const skyjo_bot* native_bot(const char* name) noexcept {
    static const std::array<skyjo_bot, 3> BOTS = {
        make_bot<RandomBot>("random", create_random),
        make_bot<ThresholdBot>("threshold", create_threshold),
        make_bot<GreedyBot>("greedy", create_greedy),
    };
    for (const skyjo_bot& bot : BOTS)
        if (std::strcmp(bot.name, name) == 0) return &bot;
    return nullptr;
}

}  // namespace skyjo
