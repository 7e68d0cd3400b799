// SPDX-License-Identifier: MIT
// Worlds: games that a seat cannot tell from the one it plays. From the game itself
// BasicGame::deal_anew makes one; here one is made from a view.
#pragma once

#include <cstdint>
#include <string_view>

#include "skyjo/bot_abi.h"
#include "skyjo/game.hpp"

namespace skyjo {

// What a view would need so that a game can be made from it; empty where one can.
[[nodiscard]] std::string_view view_fault(const Setup& setup, const skyjo_view& view) noexcept;

// A game of one round with the public state of a view; the cards that its seat cannot know are
// dealt anew from `seed`. The discards lie in ascending order below the top one: no rule looks at
// them. During the opening flips of a later round the view does not tell who will start: a seat
// that start_later settles before the deal is then chosen by chance. Precondition: no view_fault.
[[nodiscard]] Game game_from_view(const Setup& setup, const skyjo_view& view,
                                  std::uint64_t seed) noexcept;

}  // namespace skyjo
