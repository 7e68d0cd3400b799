// SPDX-License-Identifier: MIT
#include "skyjo/baselines.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>

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

template <class Bot, class... Values>
void* put(NativeRoom& room, Values... values) noexcept {
    static_assert(sizeof(Bot) <= sizeof room && alignof(Bot) <= alignof(NativeRoom) &&
                  std::is_trivially_destructible_v<Bot>);
    return ::new (room.bytes.data()) Bot(values...);
}
void* make_random(NativeRoom& room, const char* options, std::uint64_t key) {
    return *options == '\0' ? put<RandomBot>(room, key) : nullptr;
}
void* make_greedy(NativeRoom& room, const char* options, std::uint64_t) {
    return *options == '\0' ? put<GreedyBot>(room) : nullptr;
}
void* make_threshold(NativeRoom& room, const char* options, std::uint64_t) {
    int limit = ThresholdBot::DEFAULT_LIMIT;
    const std::string_view text(options);
    constexpr std::string_view KEY = "limit=";
    if (!text.empty()) {
        if (text.substr(0, KEY.size()) != KEY) return nullptr;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + KEY.size(), end, limit);
        if (error != std::errc{} || stop != end) return nullptr;
    }
    return put<ThresholdBot>(room, limit);
}

template <MakeNative MAKE>
void* create(const char* options, std::uint64_t seed) {
    auto* room = new (std::nothrow) NativeRoom;
    void* self = room == nullptr ? nullptr : MAKE(*room, options, seed);
    if (self == nullptr) delete room;
    return self;
}
void destroy(void* self) {
    delete static_cast<NativeRoom*>(self);
}

struct Native {
    skyjo_bot bot;
    MakeNative make;
};
template <class Bot, MakeNative MAKE>
[[nodiscard]] Native make_bot(const char* name) noexcept {
    return {{sizeof(skyjo_bot), SKYJO_BOT_ABI, SKYJO_VERSION, name, create<MAKE>,
             best_choice<Bot>(), nullptr, destroy},
            MAKE};
}
[[nodiscard]] const std::array<Native, 3>& natives() noexcept {
    static const std::array<Native, 3> ALL = {
        make_bot<RandomBot, make_random>("random"),
        make_bot<ThresholdBot, make_threshold>("threshold"),
        make_bot<GreedyBot, make_greedy>("greedy"),
    };
    return ALL;
}

}  // namespace

const skyjo_bot* native_bot(const char* name) noexcept {
    for (const Native& native : natives())
        if (std::strcmp(native.bot.name, name) == 0) return &native.bot;
    return nullptr;
}

MakeNative maker_of(const skyjo_bot* bot) noexcept {
    for (const Native& native : natives())
        if (&native.bot == bot) return native.make;
    return nullptr;
}

}  // namespace skyjo
