// SPDX-License-Identifier: MIT
// Native bots: the yardsticks that need no file.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "skyjo/bot_abi.h"
#include "skyjo/move.hpp"
#include "skyjo/rng.hpp"
#include "skyjo/view.hpp"

namespace skyjo {

// Random play: the source (discard or draw) evenly, then place or reject evenly, then the cell
// evenly among the legal ones. A decision takes one random number: its highest bit is the first
// choice, where there is one, and the rest the cell; none where a draw is all that is legal.
class RandomBot {
 public:
    explicit RandomBot(std::uint64_t key) noexcept : stream_(key), next_{stream_.next()} {}

    template <class Pick>
    [[nodiscard]] SKYJO_INLINE Move choose_by(const skyjo_view& view) noexcept {
        return choose_among<Pick>(legal_of(view), view.hand != NO_CARD);
    }
    // `holds`: whether a card has been drawn.
    template <class Pick>
    [[nodiscard]] SKYJO_INLINE Move choose_among(MoveSet legal, bool holds) noexcept {
        const std::uint32_t flips = legal.cells(FLIP);
        if (holds) {
            Word word = take();
            const std::uint32_t places = legal.cells(PLACE);
            if (flips == 0) [[unlikely]]
                return pick<Pick>(word, places, PLACE);
            // Masks, where a branch would be foreseen badly.
            const std::uint32_t keeps = std::uint32_t{word.coin()} - 1;
            return pick<Pick>(word, flips ^ ((flips ^ places) & keeps),
                              static_cast<Move>(PLACE & keeps));
        }
        const std::uint32_t takes = legal.cells(TAKE);
        if (takes == 0) [[unlikely]]
            return legal.has(DRAW) ? DRAW : pick<Pick>(take(), flips, FLIP);
        Word word = take();
        if (legal.has(DRAW) && word.coin()) return DRAW;
        return pick<Pick>(word, takes, TAKE);
    }
    [[nodiscard]] Move choose_move(const skyjo_view& view) noexcept {
        return choose_by<PickByTable>(view);
    }

 private:
    SKYJO_INLINE Word take() noexcept { return std::exchange(next_, Word{stream_.next()}); }
    template <class Pick>
    SKYJO_INLINE Move pick(Word word, std::uint32_t cells, Move verb) noexcept {
        return static_cast<Move>(verb + Pick::nth(cells, word.below(Pick::size(cells))));
    }

    Stream stream_;
    Word next_;  // made before it is asked for, so that the choice does not wait for it
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

// Takes the largest immediate drop of the sum of its grid: a card face down counts as 4 points, a
// complete column as gone, a draw as what a card of the whole classic deck would bring on average
// where it would bring most. Of equal moves the first. Uses no random numbers.
class GreedyBot {
 public:
    template <class Pick>
    [[nodiscard]] SKYJO_INLINE Move choose_by(const skyjo_view& view) const noexcept {
        const MoveSet legal = legal_of(view);
        const Grid own = grid_of(view, 0);
        const bool holds = view.hand != NO_CARD;
        const Code card = holds ? view.hand : view.discard_top;
        Best best;
        if (legal.cells(FLIP) != 0)
            best = {0, static_cast<Move>(FLIP + std::countr_zero(legal.cells(FLIP)))};
        const Move verb = holds ? PLACE : TAKE;
        for (std::uint32_t rest = legal.cells(verb); rest != 0; rest &= rest - 1) {
            const int cell = std::countr_zero(rest);
            best.offer(DECK * drop(*view.rules, own, cell, card), static_cast<Move>(verb + cell));
        }
        if (legal.has(DRAW)) best.offer(draw_drop(*view.rules, own), DRAW);
        return best.move;
    }

 private:
    static constexpr int FACE_DOWN = 4;
    static constexpr int DECK = 150;  // drops are compared in points of a whole deck

    struct Best {
        int drop = INT32_MIN;
        Move move = 0;
        SKYJO_INLINE void offer(int other, Move candidate) noexcept {
            if (other <= drop) return;
            drop = other;
            move = candidate;
        }
    };

    // For the highest card of a grid from -4 to 13: the sum over the deck of what is gained by a
    // card that is lower.
    [[nodiscard]] static constexpr std::array<int, 18> draw_drops() noexcept {
        constexpr Counts WHOLE = classic_deck();
        std::array<int, 18> sums{};
        for (int highest = MIN_VALUE; highest <= MAX_VALUE; ++highest)
            for (int value = MIN_VALUE; value < highest; ++value)
                sums[static_cast<std::size_t>(code_of(highest))] +=
                    (highest - value) * WHOLE[code_of(value)];
        return sums;
    }
    [[nodiscard]] static int cost(const Grid& own, int cell) noexcept {
        return own.is_up(cell) ? points_of(own.code(cell)) : FACE_DOWN;
    }
    [[nodiscard]] static int drop(const skyjo_table_rules& rules, const Grid& own, int cell,
                                  Code card) noexcept {
        const int start = cell - cell % rules.rows;
        int column = 0;
        int n_equal = 0;
        for (int i = start; i < start + rules.rows; ++i) {
            column += cost(own, i);
            if (i != cell && own.is_up(i) && own.code(i) == card) ++n_equal;
        }
        const bool changes = !own.is_up(cell) || own.code(cell) != card;
        if (changes && rules.rows > 1 && n_equal == rules.rows - 1) return column;
        return cost(own, cell) - points_of(card);
    }
    [[nodiscard]] static int draw_drop(const skyjo_table_rules& rules, const Grid& own) noexcept {
        static constexpr std::array<int, 18> DROPS = draw_drops();
        int highest = MIN_VALUE;
        for (int cell = 0; cell < rules.rows * rules.columns; ++cell)
            if (!own.is_removed(cell)) highest = std::max(highest, cost(own, cell));
        return DROPS[static_cast<std::size_t>(code_of(highest))];
    }
};

// The built-in bots by name, nullptr for another name.
[[nodiscard]] const skyjo_bot* native_bot(const char* name) noexcept;

// Room for the object of any built-in bot. Made there, it costs no allocation and needs no destroy.
struct NativeRoom {
    alignas(8) std::array<std::byte, 24> bytes;
};
// Makes the `self` of a built-in bot in `room`; nullptr where the bot refuses the options.
using MakeNative = void* (*)(NativeRoom& room, const char* options, std::uint64_t key);
// nullptr for a bot that is not built in.
[[nodiscard]] MakeNative maker_of(const skyjo_bot* bot) noexcept;
inline constexpr const char* NATIVE_BOTS[] = {"random", "threshold", "greedy"};

}  // namespace skyjo
