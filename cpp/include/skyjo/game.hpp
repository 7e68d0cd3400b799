// SPDX-License-Identifier: MIT
// A game: rounds until the end, totals and places (RULES A.10, A.11).
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "skyjo/round.hpp"
#include "skyjo/score_sheet.hpp"

namespace skyjo {

template <class Deck>
class BasicGame {
 public:
    BasicGame() = default;

    // Deals the first round. Same setup, seats, seed and moves: same game. The setup must outlive
    // the game. Precondition: 2 <= n_seats <= setup.max_seats.
    BasicGame(const Setup& setup, int n_seats, std::uint64_t seed, DeckKind kind) noexcept
        : setup_(&setup),
          seed_(seed),
          n_seats_(n_seats),
          kind_(kind),
          round_(setup, n_seats, round_key(), kind, Starters{starters(), -1}) {
        sheet_.n_seats = n_seats;
    }

    // The same with a given deck, as a record has it; where chance decides who starts, it chooses
    // `wish` if it can.
    BasicGame(const Setup& setup, int n_seats, const Code* cards, int wish) noexcept
        : setup_(&setup),
          n_seats_(n_seats),
          round_(setup, n_seats, cards, Starters{starters(), wish}) {
        sheet_.n_seats = n_seats;
    }

    // One round from the middle, after which the game is over.
    BasicGame(const Setup& setup, const BasicRound<Deck>& round, const Points& totals,
              int round_number) noexcept
        : setup_(&setup),
          n_seats_(round.table().n_seats),
          round_number_(round_number),
          single_round_(true),
          round_(round) {
        sheet_.n_seats = n_seats_;
        sheet_.totals = totals;
        sheet_.n_rounds = round_number;
    }

    [[nodiscard]] const Setup& setup() const noexcept { return *setup_; }
    [[nodiscard]] const BasicRound<Deck>& round() const noexcept { return round_; }
    [[nodiscard]] const Table& table() const noexcept { return round_.table(); }
    [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
    [[nodiscard]] DeckKind deck_kind() const noexcept { return kind_; }
    [[nodiscard]] int n_seats() const noexcept { return n_seats_; }
    [[nodiscard]] const ScoreSheet& sheet() const noexcept { return sheet_; }
    [[nodiscard]] const Points& totals() const noexcept { return sheet_.totals; }
    [[nodiscard]] int round_number() const noexcept { return round_number_; }
    [[nodiscard]] End end() const noexcept { return sheet_.end(); }
    [[nodiscard]] bool single_round() const noexcept { return single_round_; }
    // Whether no decision is left: of a finished game, settled.
    [[nodiscard]] bool over() const noexcept { return sheet_.over(); }

    [[nodiscard]] MoveSet legal() const noexcept { return round_.legal(); }

    // Plays a move. When it finishes the round, settle() is due, then next_round() unless over().
    Step apply(Move move) noexcept { return round_.apply(move); }

    // For PlainTurns, which plays the turns of a round itself.
    [[nodiscard]] BasicRound<Deck>& round() noexcept { return round_; }

    // As the functions of BasicRound.
    Step apply(Move move, Code card, Stream& stream) noexcept {
        return round_.apply(move, card, stream);
    }
    void relay_pile(const Code* cards, int n) noexcept { round_.relay_pile(cards, n); }
    void reveal() noexcept { round_.reveal(); }

    // Deals anew what a seat cannot know: hidden cards, the draw pile, another seat's drawn card,
    // and every later deal and reshuffle.
    void deal_anew(int seat, std::uint64_t seed) noexcept {
        seed_ = derive(seed, Purpose::WORLD);
        round_.deal_anew(seat, round_key());
    }

    // Adds the points of the finished round and sees whether the game ends.
    void settle() noexcept {
        assert(round_.finished() && !over());
        const Points points = round_.points();
        last_ = {round_.table().starter, round_.table().closer, winner_of_round(points, n_seats_)};
        if (single_round_)
            sheet_.add_last(setup_->rules, points);
        else
            sheet_.add(setup_->rules, points);
    }

    // Deals the next round.
    void next_round() noexcept {
        ++round_number_;
        deal();
    }
    // With a given deck.
    void next_round_as(const Code* cards, int wish) noexcept {
        ++round_number_;
        deal_as(cards, wish);
    }

    // The key from which everything random in the present round comes.
    [[nodiscard]] std::uint64_t round_key() const noexcept {
        return derive(seed_, Purpose::ROUND, static_cast<std::uint64_t>(round_number_));
    }

 private:
    friend struct Snapshot;

    SKYJO_APART void deal() noexcept {
        std::construct_at(&round_, *setup_, n_seats_, round_key(), kind_, Starters{starters(), -1});
    }
    void deal_as(const Code* cards, int wish) noexcept {
        std::construct_at(&round_, *setup_, n_seats_, cards, Starters{starters(), wish});
    }
    // The seats that may start the round to be dealt; none: the highest sum does.
    [[nodiscard]] Seats starters() const noexcept {
        return settled_starters(setup_->rules, n_seats_, round_number_, last_);
    }

    const Setup* setup_ = nullptr;
    ScoreSheet sheet_{};
    std::uint64_t seed_ = 0;
    int n_seats_ = 0;
    int round_number_ = 0;
    LastRound last_{};
    DeckKind kind_ = DeckKind::STACK;
    bool single_round_ = false;
    BasicRound<Deck> round_{};  // last: the first deal follows from all before
};

using Game = BasicGame<OrderedDeck>;
static_assert(std::is_trivially_copyable_v<Game> && sizeof(Game) <= 1152);

}  // namespace skyjo
