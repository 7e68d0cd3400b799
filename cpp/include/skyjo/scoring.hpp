// SPDX-License-Identifier: MIT
// Points of a round, and who starts one: what the rules say of numbers alone.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "skyjo/card.hpp"
#include "skyjo/move.hpp"
#include "skyjo/rng.hpp"
#include "skyjo/rules.hpp"

namespace skyjo {

using Points = std::array<std::int32_t, MAX_SEATS>;  // by absolute seat
using Seats = std::uint32_t;                         // one bit a seat

// The closer's points (RULES A.8). `lowest_other` is the lowest raw score among the other seats.
[[nodiscard]] constexpr int closer_points(const Rules& rules, int raw, int lowest_other) noexcept {
    bool doubled = false;
    switch (rules.doubling) {
        case Double::STRICT_POSITIVE: doubled = lowest_other <= raw && raw > 0; break;
        case Double::TIES_OK: doubled = lowest_other < raw && raw > 0; break;
        case Double::STRICT_ALL: doubled = lowest_other <= raw; break;
        case Double::OFF: break;
    }
    return doubled ? raw * rules.double_factor : raw;
}

// Points of all seats; closer -1: nobody closed, nobody is doubled.
[[nodiscard]] constexpr Points score(const Rules& rules, const Points& raw, int n_seats,
                                     int closer) noexcept {
    Points points = raw;
    if (closer < 0) return points;
    int lowest_other = INT32_MAX;
    for (int seat = 0; seat < n_seats; ++seat)
        if (seat != closer && raw[static_cast<std::size_t>(seat)] < lowest_other)
            lowest_other = raw[static_cast<std::size_t>(seat)];
    auto& own = points[static_cast<std::size_t>(closer)];
    own = closer_points(rules, own, lowest_other);
    return points;
}

// A seat's cards face up, as the choice of a starter sees them.
struct OpenCards {
    int sum = 0;
    int highest = MIN_VALUE - 1;
};

// The seats that may start by the highest sum: one, or those among which chance decides after
// `start_tie` (RULES A.3).
[[nodiscard]] constexpr Seats highest_sum_seats(const Rules& rules,
                                                const std::array<OpenCards, MAX_SEATS>& open,
                                                int n_seats) noexcept {
    const bool by_card = rules.start_tie == StartTie::MAX_CARD_THEN_SEAT ||
                         rules.start_tie == StartTie::MAX_CARD_THEN_RANDOM;
    // One number for both: the sum, then the highest card, which is within +-16.
    const auto rank = [&open, by_card](int seat) {
        const OpenCards& cards = open[static_cast<std::size_t>(seat)];
        return 32 * cards.sum + (by_card ? cards.highest : 0);
    };
    int best = INT32_MIN;
    Seats tied = 0;
    for (int seat = 0; seat < n_seats; ++seat) {
        const int own = rank(seat);
        const Seats kept = own > best ? 0 : tied;
        tied = kept | Seats{own >= best} << seat;
        best = std::max(best, own);
    }
    const bool by_chance =
        rules.start_tie == StartTie::MAX_CARD_THEN_RANDOM || rules.start_tie == StartTie::RANDOM;
    return by_chance ? tied : tied & (~tied + 1);
}

// What a round leaves to the next one; -1 where there is no such seat.
struct LastRound {
    int starter = -1;
    int closer = -1;
    int winner = -1;
};

// Fewest points, then the lowest seat.
[[nodiscard]] constexpr int winner_of_round(const Points& points, int n_seats) noexcept {
    int best = 0;
    for (int seat = 1; seat < n_seats; ++seat)
        if (points[static_cast<std::size_t>(seat)] < points[static_cast<std::size_t>(best)])
            best = seat;
    return best;
}

// The seats that may start a round, as far as that is settled before the deal; none: the highest
// sum does (RULES A.3, A.11). `last`: the round before, if there is one.
[[nodiscard]] constexpr Seats settled_starters(const Rules& rules, int n_seats, int round_number,
                                               const LastRound& last) noexcept {
    const Seats all = (Seats{1} << n_seats) - 1;
    if (round_number == 0) {
        switch (rules.start_first) {
            case StartFirst::HIGHEST_SUM: return 0;
            case StartFirst::SEAT: return 1;
            case StartFirst::RANDOM: return all;
        }
    }
    switch (rules.start_later) {
        case StartLater::HIGHEST_SUM: return 0;
        // After a capped round nobody has closed.
        case StartLater::CLOSER: return last.closer < 0 ? 0 : Seats{1} << last.closer;
        case StartLater::ROTATE: return Seats{1} << ((last.starter + 1) % n_seats);
        case StartLater::PREVIOUS_WINNER: return Seats{1} << last.winner;
        case StartLater::RANDOM: return all;
    }
    return 0;
}

// Chance decides among some seats; `key` seeds it. Precondition: seats is not empty.
[[nodiscard]] constexpr int random_seat(Seats seats, std::uint64_t key) noexcept {
    Stream stream(derive(key, Purpose::STARTER));
    return nth_bit(seats, stream.below(static_cast<std::uint64_t>(std::popcount(seats))));
}

}  // namespace skyjo
