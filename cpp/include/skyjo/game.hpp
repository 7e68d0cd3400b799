// SPDX-License-Identifier: MIT
// A game: rounds until the end, totals and places (RULES A.10, A.11).
#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>

#include "skyjo/round.hpp"

namespace skyjo {

template <class Deck>
class BasicGame {
 public:
    BasicGame() = default;

    // Deals the first round. Same setup, seats, seed and moves: same game. The setup must outlive
    // the game. Precondition: 2 <= n_seats <= setup.max_seats.
    BasicGame(const Setup& setup, int n_seats, std::uint64_t seed, DeckKind kind) noexcept
        : setup_(&setup), seed_(seed), n_seats_(n_seats), kind_(kind) {
        deal();
    }

    // One round from the middle, after which the game is over.
    BasicGame(const Setup& setup, const BasicRound<Deck>& round, const Points& totals) noexcept
        : setup_(&setup),
          round_(round),
          totals_(totals),
          n_seats_(round.table().n_seats),
          single_round_(true) {}

    [[nodiscard]] const Setup& setup() const noexcept { return *setup_; }
    [[nodiscard]] const BasicRound<Deck>& round() const noexcept { return round_; }
    [[nodiscard]] const Table& table() const noexcept { return round_.table(); }
    [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
    [[nodiscard]] DeckKind deck_kind() const noexcept { return kind_; }
    [[nodiscard]] int n_seats() const noexcept { return n_seats_; }
    [[nodiscard]] const Points& totals() const noexcept { return totals_; }
    [[nodiscard]] int round_number() const noexcept { return round_number_; }
    [[nodiscard]] End end() const noexcept { return end_; }
    [[nodiscard]] bool single_round() const noexcept { return single_round_; }
    // Whether no decision is left: of a finished game, settled.
    [[nodiscard]] bool over() const noexcept { return over_; }

    [[nodiscard]] MoveSet legal() const noexcept { return round_.legal(); }

    // Plays a move. When it finishes the round, settle() is due, then next_round() unless over().
    Step apply(Move move) noexcept { return round_.apply(move); }

    // As BasicRound::reshuffle_as.
    void reshuffle_as(const Code* cards, int n) noexcept { round_.reshuffle_as(cards, n); }

    // Adds the points of the finished round and sees whether the game ends.
    void settle() noexcept {
        assert(round_.finished() && !over_);
        const Points points = round_.points();
        for (int seat = 0; seat < n_seats_; ++seat)
            totals_[static_cast<std::size_t>(seat)] += points[static_cast<std::size_t>(seat)];
        if (!single_round_) end_ = game_end(setup_->rules, totals_, n_seats_, round_number_ + 1);
        over_ = single_round_ || end_ != End::RUNNING;
    }

    // Deals the next round.
    void next_round() noexcept {
        assert(round_.finished() && !over_);
        last_ = {round_.table().starter, round_.table().closer, winner_of_round()};
        ++round_number_;
        deal();
    }

    // The key from which everything random in the present round comes.
    [[nodiscard]] std::uint64_t round_key() const noexcept {
        return derive(seed_, Purpose::ROUND, static_cast<std::uint64_t>(round_number_));
    }

 private:
    struct LastRound {
        int starter = -1;
        int closer = -1;
        int winner = -1;
    };

    void deal() noexcept {
        round_ = BasicRound<Deck>(*setup_, n_seats_, round_key(), kind_, starter());
    }
    // Fewest points, then the lowest seat.
    [[nodiscard]] int winner_of_round() const noexcept {
        const Points points = round_.points();
        int best = 0;
        for (int seat = 1; seat < n_seats_; ++seat)
            if (points[static_cast<std::size_t>(seat)] < points[static_cast<std::size_t>(best)])
                best = seat;
        return best;
    }
    // The seat that starts the round to be dealt; -1: the highest sum (RULES A.3, A.11).
    [[nodiscard]] int starter() const noexcept {
        if (round_number_ == 0) {
            switch (setup_->rules.start_first) {
                case StartFirst::HIGHEST_SUM: return -1;
                case StartFirst::SEAT: return 0;
                case StartFirst::RANDOM: return random_starter();
            }
        }
        switch (setup_->rules.start_later) {
            case StartLater::HIGHEST_SUM: return -1;
            case StartLater::CLOSER: return last_.closer;  // -1 after a capped round
            case StartLater::ROTATE: return last_.starter + 1 == n_seats_ ? 0 : last_.starter + 1;
            case StartLater::PREVIOUS_WINNER: return last_.winner;
            case StartLater::RANDOM: return random_starter();
        }
        return -1;
    }
    [[nodiscard]] int random_starter() const noexcept {
        Stream stream(derive(round_key(), Purpose::STARTER));
        return static_cast<int>(stream.below(static_cast<std::uint64_t>(n_seats_)));
    }

    const Setup* setup_ = nullptr;
    BasicRound<Deck> round_{};
    Points totals_{};
    std::uint64_t seed_ = 0;
    int n_seats_ = 0;
    int round_number_ = 0;
    LastRound last_{};
    DeckKind kind_ = DeckKind::STACK;
    End end_ = End::RUNNING;
    bool single_round_ = false;
    bool over_ = false;
};

using Game = BasicGame<OrderedDeck>;
static_assert(std::is_trivially_copyable_v<Game> && sizeof(Game) <= 1152);

}  // namespace skyjo
