// SPDX-License-Identifier: MIT
// Playing what a record holds: decks, new draw piles and the choices of chance are given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "skyjo/game.hpp"

namespace skyjo {

// A round as a record has it. `deck` has the cards of the rules, in any order.
struct GivenRound {
    std::vector<Code> deck;
    int starter = -1;  // taken where chance decides and it may start
    std::vector<Move> moves;
    std::vector<std::vector<Code>> reshuffles;
};

// What makes it impossible to go on at a move.
enum class ReplayProblem : std::uint8_t {
    NONE,
    OVER,       // the round was over before it
    ILLEGAL,    // it is not legal
    RESHUFFLE,  // it makes a new draw pile, which is not given or holds other cards
};

struct ReplayedRound {
    ReplayProblem problem = ReplayProblem::NONE;
    std::size_t n_played = 0;        // moves before the problem
    MoveSet legal{};                 // at the problem, or after the last move
    Counts cards{};                  // of these the new draw pile has to be made
    std::vector<std::int8_t> seats;  // of each move played, and the one whose decision is next
    int opening = -1;                // moves before the turns began; -1: they have not
};

class Replay {
 public:
    // The setup must outlive it. Precondition: 2 <= n_seats <= setup.max_seats.
    Replay(const Setup& setup, int n_seats) noexcept : setup_(&setup), n_seats_(n_seats) {}

    // Plays the next round as far as it goes; a finished round is booked. After a problem nothing
    // more can be played. Precondition: ready().
    ReplayedRound play(const GivenRound& given);

    // Whether a round may be played: the one before is finished, and the game is not over.
    [[nodiscard]] bool ready() const noexcept {
        return !begun_ || (game_.round().finished() && !stuck_ && !game_.over());
    }
    [[nodiscard]] bool begun() const noexcept { return begun_; }
    [[nodiscard]] const Setup& setup() const noexcept { return *setup_; }
    [[nodiscard]] int n_seats() const noexcept { return n_seats_; }
    // As it stands; precondition: begun().
    [[nodiscard]] const Game& game() const noexcept { return game_; }

 private:
    void deal(const GivenRound& given) noexcept;
    [[nodiscard]] bool relay(const GivenRound& given, ReplayedRound& result);

    const Setup* setup_;
    int n_seats_;
    Game game_{};
    bool begun_ = false;
    bool stuck_ = false;
};

}  // namespace skyjo
