// SPDX-License-Identifier: MIT
// The match loop: bots play a game to its end. It knows one kind of bot, the C struct.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "skyjo/bot_abi.h"
#include "skyjo/game.hpp"
#include "skyjo/record.hpp"

namespace skyjo {

using SeatBot = skyjo_seat;

enum class FaultKind : std::uint8_t { ILLEGAL_MOVE, EXCEPTION };

// A forfeit. `move` is the index in the round's moves of the decision at fault.
struct Fault {
    int round = 0;
    int move = 0;
    int seat = 0;
    FaultKind kind = FaultKind::ILLEGAL_MOVE;
    int answer = -1;          // an illegal move as the bot gave it, else negative
    std::uint64_t legal = 0;  // what was legal then
    Phase phase = Phase::FLIP;
};

enum class OnFault : std::uint8_t { FORFEIT, ABORT };
enum class Timing : std::uint8_t { OFF, ON };

struct MatchOptions {
    OnFault on_fault = OnFault::FORFEIT;
    Timing timing = Timing::OFF;
    Seats may_stop = 0;  // who may answer SKYJO_STOP: for anybody else it is a fault
};

struct MatchResult {
    std::array<std::int8_t, MAX_SEATS> places{};  // forfeiters last; all 0 when aborted or stopped
    std::array<std::int64_t, MAX_SEATS> decisions{};    // of the bot itself, not of its stand-in
    std::array<std::int64_t, MAX_SEATS> nanoseconds{};  // spent in the bot, where timed
    std::vector<Fault> faults;
    bool aborted = false;  // on_fault is ABORT and a bot was at fault
    bool stopped = false;  // a bot answered SKYJO_STOP
};

// Plays `game` from where it stands (a fresh deal) to its end; `log` has begun the present round.
// A bot at fault forfeits: the built-in threshold bot plays its seat from that decision on.
// Cost: a view and a call a decision; no allocation in a turn but the log's growth.
MatchResult play_match(Game& game, GameLog& log, std::array<SeatBot, MAX_SEATS> bots,
                       const MatchOptions& options);

// Places with forfeits: all forfeiters share 1 + the number of seats without a fault; the others
// keep their places among each other. `played`: the places without forfeits.
[[nodiscard]] std::array<std::int8_t, MAX_SEATS> places_with_faults(
    const std::array<std::int8_t, MAX_SEATS>& played, int n_seats,
    const std::vector<Fault>& faults);

}  // namespace skyjo
