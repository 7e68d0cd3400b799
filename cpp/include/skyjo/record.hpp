// SPDX-License-Identifier: MIT
// The history of a game, kept beside the bare state by whoever owns it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "skyjo/bot_abi.h"
#include "skyjo/game.hpp"

namespace skyjo {

// Goes on with a hash by the moves of one more round: eight moves a step, in three words of 64 bits
// of which the masks leave the moves. Each word has a lane of its own, in which it is folded in by
// a product (as in wyhash, Wang Yi 2019), so that none waits for another.
[[nodiscard]] inline std::uint64_t hash_moves(std::uint64_t hash, const skyjo_played* moves,
                                              std::size_t n) noexcept {
    static constexpr std::array<std::uint64_t, 3> MOVES = {0xff0000ff0000ff00U, 0x0000ff0000ff0000U,
                                                           0x00ff0000ff0000ffU};
    static_assert(sizeof(skyjo_played) == 3 && offsetof(skyjo_played, move) == 1);
    hash = mix64(hash + GOLDEN) ^ n;
    std::array<std::uint64_t, 3> lanes = {hash, hash + GOLDEN, hash + 2 * GOLDEN};
    std::array<std::uint64_t, 3> words{};
    const auto fold = [&lanes, &words] {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::uint64_t word = little_endian(words[i]) & MOVES[i];
            const Product product = multiply(lanes[i] ^ word, 0xa0761d6478bd642fU);
            lanes[i] = product.high ^ product.low;
        }
    };
    for (; n >= 8; moves += 8, n -= 8) {
        std::memcpy(words.data(), moves, sizeof words);
        fold();
    }
    words = {};
    std::memcpy(words.data(), moves, n * sizeof *moves);
    fold();
    return mix64(mix64(lanes[0] + lanes[1]) + lanes[2]);
}

// One round: all that a replay needs, and what came of it.
struct RoundLog {
    std::vector<Code> dealt;    // seat by seat in cell order, then the first discard
    std::size_t pile_size = 0;  // of the first draw pile
    std::vector<skyjo_played> moves;
    std::vector<std::vector<Code>> reshuffles;  // each new draw pile in draw order
    std::vector<Code> undrawn;                  // what is left of the first draw pile
    std::optional<OrderedDeck> left;            // the same, not written out yet
    int starter = -1;
    int closer = -1;
    bool stalled = false;
    bool capped = false;
    bool finished = false;
    Points raw{};
    Points points{};
    std::array<Grid, MAX_SEATS> grids{};  // as scored

    // The whole deck: dealt, then the first draw pile in the order in which it was drawn.
    [[nodiscard]] std::vector<Code> deck() const;
    // The same into room for MAX_CARDS; returns how many.
    std::size_t copy_deck(Code* out) const noexcept;
    // Puts what is left of the first draw pile into `undrawn`: most rounds are never asked for it.
    void write_out_pile();
};

// Keeps rounds in step with a game: call begin() after each deal, played() after each move and
// end() when a round is finished, before it is settled.
class GameLog {
 public:
    static constexpr bool STAYS = false;
    static constexpr bool COUNTS_DECISIONS = true;

    void begin(const Game& game);
    // Instead of begin() where the round was not dealt here: its moves so far, no deck.
    void resume(std::vector<skyjo_played> moves);
    // Makes room for the two moves that a turn may have; where the moves of the round lie now.
    const skyjo_played* room_for_turn();
    void played(const Game& game, int seat, Move move, const Step& step);
    void end(const Game& game);
    // Forgets the cards of the running round that nobody has seen: they are dealt anew.
    void forget_deal() noexcept;
    // Corrects what the last move drew, where the game was made of a view that hides it.
    void replace_last_card(Code card) noexcept;

    // The moves of the present round.
    [[nodiscard]] const std::vector<skyjo_played>& moves() const noexcept {
        return rounds_.back().moves;
    }
    // The rounds so far; the last one may be running: complete() gives it with what is known now.
    [[nodiscard]] const std::vector<RoundLog>& rounds() const noexcept { return rounds_; }
    [[nodiscard]] RoundLog complete(const RoundLog& round, const Game& game) const;

    // A 64-bit hash of all moves of all rounds, in order.
    [[nodiscard]] std::uint64_t moves_hash() const noexcept;

 private:
    friend struct Snapshot;

    std::vector<RoundLog> rounds_;
};

}  // namespace skyjo
