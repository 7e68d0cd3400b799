// SPDX-License-Identifier: MIT
#include "compiled_bot.hpp"

#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "game.hpp"
#include "skyjo/baselines.hpp"
#include "skyjo/view.hpp"

namespace skyjo::bindings {
namespace {

// The name of every version's capsule but for its number.
constexpr std::string_view ANY_CAPSULE = "skyjo_core.bot.v";
// What every version's struct begins with: size, abi, built_with.
constexpr std::size_t HEAD = offsetof(skyjo_bot, name);
// The whole struct of version 1: later ones of this version may be longer.
constexpr std::size_t WHOLE = offsetof(skyjo_bot, destroy) + sizeof(skyjo_bot::destroy);

std::string text_of(const char* text) {
    return text == nullptr ? "an unknown version" : text;
}

[[noreturn]] void refuse_version(const std::string& abi, const std::string& version) {
    throw py::value_error("expected a bot built for version " + std::to_string(SKYJO_BOT_ABI) +
                          " of the bot ABI (skyjo_core " SKYJO_VERSION "), got one for version " +
                          abi + " (skyjo_core " + version +
                          "): build it again against the installed skyjo_core");
}

// The struct of a capsule, if it is one that this version can call.
const skyjo_bot* bot_of(const py::capsule& capsule) {
    const char* name = capsule.name();
    const std::string_view given = name == nullptr ? "" : name;
    if (!given.starts_with(ANY_CAPSULE))
        throw py::value_error("expected a capsule named " SKYJO_BOT_CAPSULE ", got " +
                              (given.empty() ? "one without a name" : std::string(given)));
    const auto* bot = capsule.get_pointer<const skyjo_bot>();
    const bool has_head = bot->size >= HEAD;
    const std::string version = has_head ? text_of(bot->built_with) : "an unknown version";
    if (given != SKYJO_BOT_CAPSULE)
        refuse_version(std::string(given.substr(ANY_CAPSULE.size())), version);
    if (has_head && bot->abi != SKYJO_BOT_ABI) refuse_version(std::to_string(bot->abi), version);
    if (bot->size < WHOLE)
        throw py::value_error("expected a skyjo_bot of at least " + std::to_string(WHOLE) +
                              " bytes, got " + std::to_string(bot->size) + ", built with " +
                              version + ": set size to sizeof(skyjo_bot)");
    if (bot->choose_move == nullptr)
        throw py::value_error("expected a skyjo_bot with a choose_move, got NULL; built with " +
                              version);
    return bot;
}

// A bot of functions given by their addresses, with all that keeps them there.
struct MadeBot {
    skyjo_bot bot{};
    std::string name;
    py::object owner;
};

template <class Function>
Function* function_at(std::uintptr_t address) {
    return reinterpret_cast<Function*>(address);
}

using Create = void*(const char*, std::uint64_t);
using ChooseMove = int(void*, const skyjo_view*);
using Event = int(void*, int, const skyjo_view*, const std::int8_t*);
using Destroy = void(void*);

struct Addresses {
    std::uintptr_t choose_move, create, event, destroy;
};

py::capsule make_capsule(std::string name, const Addresses& at, py::object owner) {
    auto made = std::make_unique<MadeBot>();
    made->name = std::move(name);
    made->owner = std::move(owner);
    made->bot = {sizeof(skyjo_bot),
                 SKYJO_BOT_ABI,
                 SKYJO_VERSION,
                 made->name.c_str(),
                 function_at<Create>(at.create),
                 function_at<ChooseMove>(at.choose_move),
                 function_at<Event>(at.event),
                 function_at<Destroy>(at.destroy)};
    static_assert(offsetof(MadeBot, bot) == 0, "the capsule's pointer is that of its owner");
    py::capsule capsule(&made->bot, SKYJO_BOT_CAPSULE, [](PyObject* self) {
        delete static_cast<MadeBot*>(PyCapsule_GetPointer(self, SKYJO_BOT_CAPSULE));
    });
    made.release();  // NOLINT(bugprone-unused-return-value): the capsule's from here on
    return capsule;
}

// Seconds that a bot takes to answer the same view `calls` times, and its last answer.
py::tuple time_calls(const CompiledBot& bot, const PlayedGame& game, std::int64_t calls) {
    if (game.game.over() || calls < 1)
        throw py::value_error("time_calls: expected a game that is not over and at least one call");
    skyjo_kept_view kept;
    keep_view(game.game, game.game.table().seat, nullptr, 0, kept);
    using Clock = std::chrono::steady_clock;
    int answer = 0;
    Clock::duration taken{};
    {
        const py::gil_scoped_release released;
        const skyjo_seat seat = sit(bot.choice(), 0);
        const Clock::time_point start = Clock::now();
        for (std::int64_t i = 0; i < calls; ++i)
            answer = seat.bot->choose_move(seat.self, &kept.view);
        taken = Clock::now() - start;
        leave(seat);
    }
    return py::make_tuple(std::chrono::duration<double>(taken).count(), answer);
}

}  // namespace

CompiledBot::CompiledBot(const std::string& name, std::string options)
    : bot_(native_bot(name.c_str())), options_(std::move(options)) {
    if (bot_ == nullptr) throw py::value_error("native: no bot named " + name);
    check_options("native:" + name + ": ");
}

CompiledBot::CompiledBot(const py::capsule& capsule, std::string options)
    : bot_(bot_of(capsule)), options_(std::move(options)), owner_(capsule) {
    check_options("");
}

void CompiledBot::check_options(const std::string& where) const {
    if (bot_->create == nullptr) {
        if (!options_.empty())
            throw py::value_error(where + "expected no options, got: " + options_);
        return;
    }
    void* trial = bot_->create(options_.c_str(), 0);
    if (trial == nullptr) throw py::value_error(where + "options not understood: " + options_);
    skyjo::leave({bot_, trial});
}

void register_compiled_bot(py::module_& module) {
    py::class_<CompiledBot>(
        module, "CompiledBot",
        "A bot behind the C struct, with its options: built in, or a capsule's.")
        .def(py::init<const std::string&, std::string>(), py::arg("name"), py::arg("options"))
        .def(py::init<const py::capsule&, std::string>(), py::arg("capsule"), py::arg("options"))
        .def_property_readonly("name", &CompiledBot::name)
        .def_property_readonly("built_in", &CompiledBot::built_in);
    py::list names;
    for (const char* name : NATIVE_BOTS) names.append(name);
    module.attr("NATIVE_BOTS") = py::tuple(names);
    module.def(
        "bot_capsule",
        [](std::string name, std::uintptr_t choose_move, std::uintptr_t create,
           std::uintptr_t event, std::uintptr_t destroy, py::object owner) {
            return make_capsule(std::move(name), {choose_move, create, event, destroy},
                                std::move(owner));
        },
        py::arg("name"), py::kw_only(), py::arg("choose_move"), py::arg("create"), py::arg("event"),
        py::arg("destroy"), py::arg("owner"),
        "A capsule with a bot of C functions at these addresses (0: none), which owner keeps.");
    module.def("time_calls", &time_calls, py::arg("bot"), py::arg("game"), py::kw_only(),
               py::arg("calls"), "(seconds, answer) of a bot asked for the same move many times.");
}

}  // namespace skyjo::bindings
