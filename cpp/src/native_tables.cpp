// SPDX-License-Identifier: MIT
#include "skyjo/native_tables.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>
#include <string>

#include "skyjo/baselines.hpp"
#include "skyjo/record_text.hpp"
#include "skyjo/rng.hpp"

namespace skyjo {

NativeResult NativeTables::play(const NativeTable& table, TextBuffer& records) const {
    const auto deal = static_cast<std::uint64_t>(table.deal);
    Game game(setup_, n_seats_, game_seed(seed_, deal), kind_);
    GameLog log;
    log.begin(game);
    const BotKeys keys(seed_, deal, table.lineup, table.seating);
    std::array<NativeRoom, MAX_SEATS> rooms{};
    std::array<SeatBot, MAX_SEATS> seats{};
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(n_seats_); ++seat) {
        const BotChoice& bot = bots_[table.bots[seat]];
        seats[seat] = {bot.bot, maker_of(bot.bot)(rooms[seat], bot.options, keys.of(seat))};
        assert(seats[seat].self != nullptr);
    }
    NativeResult result;
    result.match = play_match(game, log, seats, {OnFault::FORFEIT, Timing::ON, 0});
    assert(result.match.faults.empty());
    result.totals = game.totals();
    result.moves_hash = log.moves_hash();
    if (!rules_.empty()) append_line(records, table, result.match, log, game);
    return result;
}

void NativeTables::append_line(TextBuffer& records, const NativeTable& table,
                               const MatchResult& match, const GameLog& log,
                               const Game& game) const {
    const auto n = static_cast<std::size_t>(n_seats_);
    std::string players = "[";
    for (std::size_t seat = 0; seat < n; ++seat)
        players.append(seat == 0 ? "" : ",").append(names_[table.bots[seat]]);
    players += ']';
    std::array<int, MAX_SEATS> places{};
    std::copy(match.places.begin(), match.places.end(), places.begin());
    append_record(records, {rules_, players, "[]", table.deal, std::span(places).first(n)}, log,
                  game);
    records.append("\n");
}

}  // namespace skyjo
