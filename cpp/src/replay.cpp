// SPDX-License-Identifier: MIT
#include "skyjo/replay.hpp"

#include <array>
#include <cassert>

namespace skyjo {
namespace {

// Counts a pile; what is no card counts nowhere, so that such a pile equals no other.
Counts counts_of(const Code* cards, std::size_t n) {
    Counts counts;
    for (std::size_t i = 0; i < n; ++i)
        if (cards[i] < N_CODES) ++counts[cards[i]];
    return counts;
}

}  // namespace

ReplayedRound Replay::play(const GivenRound& given) {
    assert(ready());
    deal(given);
    ReplayedRound result;
    for (const Move move : given.moves) {
        const Table& table = game_.table();
        if (result.opening < 0 && table.starter >= 0)
            result.opening = static_cast<int>(result.n_played);
        result.legal = game_.legal();
        if (game_.round().finished()) {
            result.problem = ReplayProblem::OVER;
        } else if (!result.legal.has(move)) {
            result.problem = ReplayProblem::ILLEGAL;
        } else {
            const std::int8_t seat = table.seat;
            const Step step = game_.apply(move);
            if (step.reshuffled && !relay(given, result))
                result.problem = ReplayProblem::RESHUFFLE;
            else
                result.seats.push_back(seat);
        }
        stuck_ = result.problem != ReplayProblem::NONE;
        if (stuck_) return result;
        ++result.n_played;
    }
    if (result.opening < 0 && game_.table().starter >= 0)
        result.opening = static_cast<int>(result.n_played);
    result.legal = game_.legal();
    if (game_.round().finished())
        game_.settle();
    else
        result.seats.push_back(game_.table().seat);
    return result;
}

void Replay::deal(const GivenRound& given) noexcept {
    if (begun_)
        game_.next_round_as(given.deck.data(), given.starter);
    else
        game_ = Game(*setup_, n_seats_, given.deck.data(), given.starter);
    begun_ = true;
}

// Puts the pile that the last move has made into the order given for it.
bool Replay::relay(const GivenRound& given, ReplayedRound& result) {
    std::array<Code, MAX_CARDS> pile{};
    const int n = game_.round().new_pile(pile.data());
    result.cards = counts_of(pile.data(), static_cast<std::size_t>(n));
    const auto number = static_cast<std::size_t>(game_.table().reshuffles) - 1;
    if (number >= given.reshuffles.size()) return false;
    const std::vector<Code>& order = given.reshuffles[number];
    if (order.size() != static_cast<std::size_t>(n) ||
        counts_of(order.data(), order.size()) != result.cards)
        return false;
    game_.relay_pile(order.data(), n);
    return true;
}

}  // namespace skyjo
