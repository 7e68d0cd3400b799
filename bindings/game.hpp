// SPDX-License-Identifier: MIT
// The game as Python holds it: the bare state, its rules and its history together.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "skyjo/game.hpp"
#include "skyjo/record.hpp"
#include "skyjo/snapshot.hpp"

namespace skyjo::bindings {

class IllegalMove : public std::invalid_argument {
 public:
    using std::invalid_argument::invalid_argument;
};

// What is wrong with a move that is not legal on this table: the move, seat, phase, legal moves.
std::string illegal_move_text(const std::string& where, long long move, const Table& table,
                              MoveSet legal, int rows);

struct PlayedGame : Saved {
    PlayedGame(SharedSetup rules, int n_seats, std::uint64_t seed, DeckKind kind);
    // A round in the middle, whose unseen cards are only thought to lie so. `moves`: what is known
    // of the round so far.
    PlayedGame(SharedSetup rules, const Game& start, std::vector<skyjo_played> moves);
    PlayedGame(SharedSetup rules, Saved saved);

    // Plays a move; with a card, the one that it shows.
    void apply(long long move, std::optional<int> card);
    // The cards that may show if the move turns one up or draws one.
    [[nodiscard]] Counts outcomes(long long move) const;
    // Deals anew what a seat cannot know; earlier rounds stay.
    void determinize(std::uint64_t seed, int seat);
    // Ends the round as it stands, with the final reveal.
    void reveal();
    // Whether the decks are those of its seed, and all of its history is there.
    [[nodiscard]] bool has_record() const noexcept {
        return log && !imagined && !game.single_round();
    }

    SharedSetup setup;

 private:
    [[nodiscard]] Move checked(long long move, const char* where) const;
    [[nodiscard]] Step force(Move move, int value);
    [[nodiscard]] bool lay_given_pile();
    void finish_round();
};

template <class Cards>
py::list values_list(const Cards& cards) {
    py::list list;
    for (const Code card : cards) list.append(value_of(card));
    return list;
}

template <class Array>
py::tuple seats_tuple(const Array& values, int n_seats) {
    py::tuple result(n_seats);
    for (int seat = 0; seat < n_seats; ++seat)
        result[static_cast<std::size_t>(seat)] =
            static_cast<int>(values[static_cast<std::size_t>(seat)]);
    return result;
}

// position.cpp: the true state in values, as Game.position() words it, and the way back.
py::dict state(const PlayedGame& self);
std::shared_ptr<PlayedGame> game_from(SharedSetup setup, const py::dict& fields);

// record.cpp: the rounds as records have them, and as Game.rounds tells them.
py::list round_dicts(const PlayedGame& self);
py::list finished_rounds(const PlayedGame& self);

}  // namespace skyjo::bindings
