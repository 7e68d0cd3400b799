// SPDX-License-Identifier: MIT
#include "skyjo/match.hpp"

#include "skyjo/match_loop.hpp"
#include "skyjo/tick_clock.hpp"

namespace skyjo {

MatchResult play_match(Game& game, GameLog& log, std::array<SeatBot, MAX_SEATS> bots,
                       const MatchOptions& options) {
    if (options.timing == Timing::OFF)
        return MatchLoop<GameLog, Timing::OFF>(game, log, bots, options).play();
    MatchResult result = MatchLoop<GameLog, Timing::ON>(game, log, bots, options).play();
    for (std::int64_t& spent : result.nanoseconds) spent = TickClock::nanoseconds(spent);
    return result;
}

std::array<std::int8_t, MAX_SEATS> places_with_faults(
    const std::array<std::int8_t, MAX_SEATS>& played, int n_seats,
    const std::vector<Fault>& faults) {
    std::array<bool, MAX_SEATS> at_fault{};
    for (const Fault& fault : faults) at_fault[static_cast<std::size_t>(fault.seat)] = true;
    int n_clean = 0;
    for (int seat = 0; seat < n_seats; ++seat)
        n_clean += at_fault[static_cast<std::size_t>(seat)] ? 0 : 1;
    std::array<std::int8_t, MAX_SEATS> result{};
    for (int seat = 0; seat < n_seats; ++seat) {
        const auto own = static_cast<std::size_t>(seat);
        int place = at_fault[own] ? 1 + n_clean : 1;
        for (int other = 0; !at_fault[own] && other < n_seats; ++other) {
            const auto i = static_cast<std::size_t>(other);
            if (!at_fault[i] && played[i] < played[own]) ++place;
        }
        result[own] = static_cast<std::int8_t>(place);
    }
    return result;
}

}  // namespace skyjo
