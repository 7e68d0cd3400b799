// SPDX-License-Identifier: MIT
// A game as bytes: the same on every platform, and checked when it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skyjo/game.hpp"
#include "skyjo/record.hpp"

namespace skyjo {

// A game with what its owner keeps beside it.
struct Saved {
    Game game;
    std::optional<GameLog> log;
    std::vector<std::vector<Code>> piles;  // given draw piles not used yet
    bool imagined = false;                 // its unseen cards were not dealt from its seed
    std::uint64_t n_forced = 0;            // cards forced so far
};

struct Snapshot {
    // All fields one after the other, numbers as 8 bytes, the lowest first. The rules are not in
    // it.
    [[nodiscard]] static std::string write(const Saved& saved);

    // The game of these bytes; nothing where they are cut, too long, or no state that a game by
    // these rules can be in. The setup must outlive the game. Never reads outside the bytes.
    [[nodiscard]] static std::optional<Saved> read(const Setup& setup, std::string_view bytes);

 private:
    template <class Archive>
    static void visit(Archive& archive, Saved& saved);
    template <class Archive>
    static void visit(Archive& archive, Game& game);
    template <class Archive>
    static void visit(Archive& archive, Round& round);
    template <class Archive>
    static void visit(Archive& archive, Table& table);
    template <class Archive>
    static void visit(Archive& archive, OrderedDeck& deck);
    template <class Archive>
    static void visit(Archive& archive, ScoreSheet& sheet);
    template <class Archive>
    static void visit(Archive& archive, RoundLog& round);
    [[nodiscard]] static bool is_sound(const Setup& setup, Saved& saved);
    [[nodiscard]] static bool is_sound(const Setup& setup, const OrderedDeck& deck,
                                       const Table& table);
    [[nodiscard]] static bool is_sound(const RoundLog& round, int n_seats);
    static void count_pools(const Setup& setup, Round& round);
};

}  // namespace skyjo
