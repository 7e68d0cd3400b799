// SPDX-License-Identifier: MIT
// Native bots: the yardsticks that need no file.
#pragma once

#include <bit>

#include "skyjo/bot_abi.h"
#include "skyjo/move.hpp"
#include "skyjo/rng.hpp"
#include "skyjo/view.hpp"

namespace skyjo {

// Random play: the source (discard or draw) evenly, then place or reject evenly, then the cell
// evenly among the legal ones. A choice with one alternative left draws no random number.
class RandomBot {
 public:
    explicit RandomBot(std::uint64_t key) noexcept : stream_(key) {}

    template <class Pick>
    [[nodiscard]] SKYJO_INLINE Move choose_by(const skyjo_view& view) noexcept {
        return choose_among<Pick>(legal_of(view), view.hand != NO_CARD);
    }
    // `holds`: whether a card has been drawn.
    template <class Pick>
    [[nodiscard]] SKYJO_INLINE Move choose_among(MoveSet legal, bool holds) noexcept {
        if (holds) {
            const std::uint32_t flips = legal.cells(FLIP);
            const bool rejects = flips != 0 && stream_.below(2) == 1;
            return rejects ? pick<Pick>(flips, FLIP) : pick<Pick>(legal.cells(PLACE), PLACE);
        }
        const std::uint32_t takes = legal.cells(TAKE);
        if (legal.has(DRAW) && (takes == 0 || stream_.below(2) == 1)) return DRAW;
        if (takes != 0) return pick<Pick>(takes, TAKE);
        return pick<Pick>(legal.cells(FLIP), FLIP);
    }
    [[nodiscard]] Move choose_move(const skyjo_view& view) noexcept {
        return choose_by<PickByTable>(view);
    }

 private:
    template <class Pick>
    SKYJO_INLINE Move pick(std::uint32_t cells, Move verb) noexcept {
        const auto n = static_cast<std::uint32_t>(stream_.below(Pick::size(cells)));
        return static_cast<Move>(verb + Pick::nth(cells, n));
    }

    Stream stream_;
};

// Keeps cards of at most `limit` points and lays them where they gain most: on the highest open
// card above them, else on a hidden one. Uses no random numbers.
class ThresholdBot {
 public:
    static constexpr int DEFAULT_LIMIT = 3;

    explicit ThresholdBot(int limit) noexcept : limit_(limit) {}

    template <class Pick>
    [[nodiscard]] SKYJO_INLINE Move choose_by(const skyjo_view& view) const noexcept {
        return choose_move(view);
    }
    [[nodiscard]] SKYJO_INLINE Move choose_move(const skyjo_view& view) const noexcept {
        const MoveSet legal = legal_of(view);
        const auto phase = static_cast<Phase>(view.phase);
        if (phase == Phase::FLIP) return first(legal.cells(FLIP), FLIP);
        if (phase == Phase::TURN) {
            const std::uint32_t takes = legal.cells(TAKE);
            const bool wanted = points_of(view.discard_top) <= limit_;
            if (takes != 0 && (wanted || !legal.has(DRAW)))
                return target(view, takes, view.discard_top, TAKE);
            return DRAW;
        }
        const std::uint32_t flips = legal.cells(FLIP);
        if (points_of(view.hand) > limit_ && flips != 0) return first(flips, FLIP);
        return target(view, legal.cells(PLACE), view.hand, PLACE);
    }

 private:
    [[nodiscard]] static Move first(std::uint32_t cells, Move verb) noexcept {
        return static_cast<Move>(verb + std::countr_zero(cells));
    }
    [[nodiscard]] static Move target(const skyjo_view& view, std::uint32_t cells, Code card,
                                     Move verb) noexcept {
        const Grid own = grid_of(view, 0);
        int worst_cell = -1;
        int worst_points = points_of(card);
        for (std::uint32_t rest = cells & own.up; rest != 0; rest &= rest - 1) {
            const int cell = std::countr_zero(rest);
            if (const int points = points_of(own.code(cell)); points > worst_points) {
                worst_points = points;
                worst_cell = cell;
            }
        }
        if (worst_cell >= 0) return static_cast<Move>(verb + worst_cell);
        const std::uint32_t hidden = cells & ~std::uint32_t{own.up};
        return first(hidden != 0 ? hidden : cells, verb);
    }

    int limit_;
};

// The built-in bots by name ("random", "threshold"), nullptr for another name.
[[nodiscard]] const skyjo_bot* native_bot(const char* name) noexcept;
inline constexpr const char* NATIVE_BOTS[] = {"random", "threshold"};

}  // namespace skyjo
