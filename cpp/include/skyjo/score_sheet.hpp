// SPDX-License-Identifier: MIT
// The score sheet of a game: totals after each round, and when and how the game ends (RULES A.10).
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "skyjo/card.hpp"
#include "skyjo/rules.hpp"
#include "skyjo/scoring.hpp"

namespace skyjo {

// Why a game is over: the first that holds, in this order (RULES A.10, A.12).
enum class End : std::uint8_t { RUNNING, THRESHOLD, MAX_ROUNDS, GUARD };

// As records word it; nullptr while the game runs.
[[nodiscard]] constexpr const char* end_word(End end) noexcept {
    constexpr std::array<const char*, 4> WORDS = {nullptr, "threshold", "max_rounds", "guard"};
    return WORDS[static_cast<std::size_t>(end)];
}

[[nodiscard]] constexpr End game_end(const Rules& rules, const Points& totals, int n_seats,
                                     int n_rounds) noexcept {
    if (rules.threshold != OFF)
        for (int seat = 0; seat < n_seats; ++seat)
            if (totals[static_cast<std::size_t>(seat)] >= rules.threshold) return End::THRESHOLD;
    if (rules.max_rounds != OFF && n_rounds >= rules.max_rounds) return End::MAX_ROUNDS;
    return n_rounds >= rules.max_rounds_guard ? End::GUARD : End::RUNNING;
}

// Those of some seats that have the fewest points among them. Precondition: seats is not empty.
[[nodiscard]] constexpr Seats lowest_of(Seats seats, const Points& points) noexcept {
    Seats lowest = 0;
    for (Seats rest = seats; rest != 0; rest &= rest - 1) {
        const auto seat = static_cast<std::size_t>(std::countr_zero(rest));
        const auto best = static_cast<std::size_t>(std::countr_zero(lowest));
        if (lowest == 0 || points[seat] < points[best]) lowest = 0;
        if (lowest == 0 || points[seat] == points[best]) lowest |= Seats{1} << seat;
    }
    return lowest;
}

struct ScoreSheet {
    Points totals{};
    std::int32_t n_rounds = 0;
    std::int32_t n_seats = 0;
    Seats tied = 0;             // had the lowest total when the game came to its end
    Seats contenders = 0;       // can still win: during a playoff alone
    Seats winners = 0;          // once the game is over
    End reason = End::RUNNING;  // why it ends; in a playoff known before the game is over

    [[nodiscard]] constexpr bool over() const noexcept { return winners != 0; }
    [[nodiscard]] constexpr End end() const noexcept { return over() ? reason : End::RUNNING; }

    // Adds the points of a round and sees whether the game ends. Precondition: it is not over.
    constexpr void add(const Rules& rules, const Points& points) noexcept {
        add_to_totals(points);
        if (contenders != 0) return settle(rules, points, lowest_of(contenders, totals));
        reason = game_end(rules, totals, n_seats, n_rounds);
        if (reason == End::RUNNING) return;
        tied = lowest_of(all_seats(), totals);
        settle(rules, points, tied);
    }

    // Adds the points of a round after which there is no other, whatever the totals are.
    constexpr void add_last(const Rules& rules, const Points& points) noexcept {
        add_to_totals(points);
        tied = lowest_of(all_seats(), totals);
        winners = rules.winner_tie == WinnerTie::LAST_ROUND ? lowest_of(tied, points) : tied;
    }

    // The winners are 1; the other seats that were tied for first come next, by total, then the
    // rest by total; equal totals share. Precondition: the game is over.
    [[nodiscard]] constexpr std::array<std::int8_t, MAX_SEATS> places() const noexcept {
        std::array<std::int64_t, MAX_SEATS> ranks{};
        std::array<std::int8_t, MAX_SEATS> result{};
        for (std::size_t seat = 0; seat < static_cast<std::size_t>(n_seats); ++seat) {
            const std::int64_t own = ranks[seat] = rank(static_cast<int>(seat));
            int place = 1;
            for (std::size_t other = 0; other < seat; ++other) {
                place += ranks[other] < own ? 1 : 0;
                result[other] = static_cast<std::int8_t>(result[other] + (own < ranks[other]));
            }
            result[seat] = static_cast<std::int8_t>(place);
        }
        return result;
    }

    bool operator==(const ScoreSheet&) const = default;

 private:
    [[nodiscard]] constexpr Seats all_seats() const noexcept { return (Seats{1} << n_seats) - 1; }
    constexpr void add_to_totals(const Points& points) noexcept {
        assert(!over());
        for (int seat = 0; seat < n_seats; ++seat)
            totals[static_cast<std::size_t>(seat)] += points[static_cast<std::size_t>(seat)];
        ++n_rounds;
    }
    // Settles a tie for the lowest total as `winner_tie` says; a playoff is one more round, which
    // the guard on rounds forbids.
    constexpr void settle(const Rules& rules, const Points& points, Seats lowest) noexcept {
        contenders = 0;
        const bool is_tie = (lowest & (lowest - 1)) != 0;
        if (rules.winner_tie == WinnerTie::PLAYOFF && is_tie && n_rounds < rules.max_rounds_guard) {
            contenders = lowest;
            return;
        }
        winners = rules.winner_tie == WinnerTie::LAST_ROUND ? lowest_of(lowest, points) : lowest;
    }
    // Lower is better: the winners, all alike; who was tied for first when the end came; the rest,
    // both by total.
    [[nodiscard]] constexpr std::int64_t rank(int seat) const noexcept {
        constexpr std::int64_t BAND = std::int64_t{1} << 33;  // more than two totals are apart
        const std::int64_t total = totals[static_cast<std::size_t>(seat)];
        const std::int64_t loses = 1 - ((winners >> seat) & 1U);
        const std::int64_t never_tied = 1 - ((tied >> seat) & 1U);
        return loses * (BAND + never_tied * BAND + total);
    }
};

}  // namespace skyjo
