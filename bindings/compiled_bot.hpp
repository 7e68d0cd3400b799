// SPDX-License-Identifier: MIT
// A bot behind the C struct as Python holds it: a built-in one, or one that a capsule offers.
#pragma once

#include <string>

#include "bindings.hpp"
#include "skyjo/bot_choice.hpp"

namespace skyjo::bindings {

class CompiledBot {
 public:
    // The built-in bot of that name.
    CompiledBot(const std::string& name, std::string options);
    // The bot of a module, from its capsule, which is kept as long as this object.
    CompiledBot(const py::capsule& capsule, std::string options);
    CompiledBot(const CompiledBot&) = delete;
    CompiledBot& operator=(const CompiledBot&) = delete;

    [[nodiscard]] const char* name() const noexcept { return bot_->name; }

    [[nodiscard]] bool built_in() const noexcept { return !owner_; }
    // Valid as long as this object.
    [[nodiscard]] BotChoice choice() const noexcept { return {bot_, options_.c_str()}; }

 private:
    void check_options(const std::string& where) const;

    const skyjo_bot* bot_;
    std::string options_;
    py::object owner_;
};

}  // namespace skyjo::bindings
