// SPDX-License-Identifier: MIT
// Many games in step, for learners: a move of each, then what its next seat may know, as arrays.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "skyjo/game.hpp"
#include "skyjo/thread_pool.hpp"

namespace skyjo {

// Where each feature of an observation begins. Every feature is a byte; seats are relative.
//
//   cells          n_seats x n_cells   value, HIDDEN or REMOVED; seat after seat, cell after cell
//   pile_counts    n_values            as in a view, for each value from the lowest in the deck
//   hidden_counts  n_values            to the highest; 0 for those between that it lacks
//   points_left    n_seats             points up to the threshold: see BatchGame::points_left
//   last_turns     n_seats             LastTurn of each seat
//   scalars        N_SCALARS           in the order of Scalar
struct BatchLayout {
    BatchLayout(const Setup& setup, int seats) noexcept;

    int n_seats;
    int n_cells;
    Code lowest;
    int n_values;
    int pile_counts;
    int hidden_counts;
    int points_left;
    int last_turns;
    int scalars;
    int n_features;
};

enum class LastTurn : std::int8_t { NOBODY_CLOSED, CLOSER, STILL_PLAYS, PLAYS_NO_MORE };

// The features of one byte. Counts end at 127.
enum class Scalar : std::uint8_t {
    PHASE,
    TO_MOVE,
    HAND,  // HIDDEN: none, or another seat's
    DISCARD_TOP,
    STARTER,
    CLOSER,
    DRAW_PILE_SIZE,
    STALLED,
    STALL_COUNT,
    RESHUFFLES,
    ROUND_NUMBER,
    TURN_NUMBER,
};
inline constexpr int N_SCALARS = 12;

// What a batch writes, row after row. They have an owner of their own, so that they outlive it.
struct BatchArrays {
    std::vector<std::int8_t> observations;   // (n, n_features), of the seat to move
    std::vector<std::uint8_t> legal_masks;   // (n, N_MOVES), 0 or 1
    std::vector<std::int8_t> seats;          // (n), the seat to move
    std::vector<float> rewards;              // (n, n_seats), by absolute seat
    std::vector<std::uint8_t> dones;         // (n), 0 or 1: the game ended with this step
    std::vector<std::uint8_t> truncated;     // (n), 0 or 1: a guard ended it
    std::vector<std::int32_t> final_totals;  // (n, n_seats), of the row's last finished game
    std::vector<std::uint64_t> game_seeds;   // (n), of the running games
};

// The seed of a row's game, counted from 0. One way: it is shown, and no arithmetic leads from it
// back to the seed of the batch.
[[nodiscard]] constexpr std::uint64_t batch_game_seed(std::uint64_t seed, std::uint64_t row,
                                                      std::uint64_t number) noexcept {
    const std::uint64_t key = derive(seed, Purpose::BATCH, row, number);
    return mix64(key + GOLDEN) ^ key;
}

struct BatchSize {
    int n = 1;
    int n_seats = 2;
    int n_threads = 1;
};

// Games that restart by themselves. Rows never touch each other, so that the number of threads
// shows in nothing. Steps allocate nothing.
class BatchGame {
 public:
    // The setup must outlive the batch. Precondition: n > 0, 2 <= n_seats <= setup.max_seats.
    BatchGame(const Setup& setup, BatchSize size, std::uint64_t seed);

    [[nodiscard]] const Setup& setup() const noexcept { return *setup_; }
    [[nodiscard]] const BatchLayout& layout() const noexcept { return layout_; }
    [[nodiscard]] int n() const noexcept { return size_.n; }
    [[nodiscard]] int n_seats() const noexcept { return size_.n_seats; }
    [[nodiscard]] int n_threads() const noexcept { return size_.n_threads; }
    [[nodiscard]] const Game& game(int row) const noexcept { return row_at(row).game; }
    [[nodiscard]] const std::shared_ptr<BatchArrays>& arrays() const noexcept { return arrays_; }

    // Starts the first game of every row again.
    void reset() noexcept;

    // The rows whose move is not legal: how many, and the first.
    struct Faults {
        int count = 0;
        int first = -1;
    };
    // Plays moves[row] in every row, or, if any of them is not legal, none. Each move is read once.
    Faults step(const std::int64_t* moves) noexcept;

    // Writes what one absolute seat may know of every game, (n, n_features).
    void observe(int seat, std::int8_t* out) noexcept;

 private:
    enum class Viewer : std::uint8_t { TO_MOVE, ANY };

    // A move that turned up a card, or exchanged one.
    struct Played {
        int seat;
        int cell;
        Step step;
    };

    // So that a move of four seats touches 8 cache lines of it, the game begins at byte 40.
    struct alignas(64) Row {
        std::uint64_t number = 0;  // of the game in this row
        // Points left of the seats 0 .. n-1 and once more: from any seat on all seats lie one
        // after the other. Reads of MAX_SEATS may go over their end.
        std::array<std::int8_t, 32> points{};
        Game game;
    };

    [[nodiscard]] const Row& row_at(int row) const noexcept {
        return rows_[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] std::int8_t* observation(int row) noexcept {
        return arrays_->observations.data() +
               static_cast<std::size_t>(row) * static_cast<std::size_t>(layout_.n_features);
    }
    [[nodiscard]] const std::int8_t* observation(int row) const noexcept {
        return arrays_->observations.data() +
               static_cast<std::size_t>(row) * static_cast<std::size_t>(layout_.n_features);
    }
    template <class Part>
    void for_parts(Part part) noexcept;
    [[nodiscard]] Faults read(const std::int64_t* moves) noexcept;
    void clear_results(int begin, int end) noexcept;
    void start(int row, std::uint64_t number) noexcept;
    void play(int row) noexcept;
    void end_round(int row) noexcept;
    void end_game(int row) noexcept;
    void show_points(int row) noexcept;
    [[nodiscard]] std::int8_t points_left(int row, int seat) const noexcept;
    void write(int row) noexcept;
    void write_draw(int row, Step step) noexcept;
    void write_turn(int row, Played played) noexcept;
    void write_legal(int row) noexcept;
    void show(int row, int seat, std::int8_t* out) const noexcept;
    void write_cells(const Grid& grid, std::int8_t* out) const noexcept;
    std::int8_t* turn_cells(int n, std::int8_t* out) const noexcept;
    template <Viewer VIEWER>
    void write_seats(int row, int seat, std::int8_t* out) const noexcept;
    void write_counts(const Table& table, std::int8_t* out) const noexcept;
    void write_change(const Table& table, Step step, std::int8_t* out) const noexcept;
    void write_last_turns(const Table& table, int seat, std::int8_t* out) const noexcept;
    void prefetch_row(int row, int end) const noexcept;

    const Setup* setup_;
    BatchLayout layout_;
    BatchSize size_;
    std::uint64_t seed_;
    int points_shift_ = 0;  // points left count in units of 1 << points_shift_
    std::shared_ptr<BatchArrays> arrays_;
    std::vector<Row> rows_;
    std::vector<std::uint64_t> legal_;  // by row, the legal moves as bits
    std::vector<Move> moves_;           // by row, the move to be played
    ThreadPool pool_;
};

}  // namespace skyjo
