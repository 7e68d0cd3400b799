// SPDX-License-Identifier: MIT
// Batches under the sanitizers: any rules, any number of threads, each row beside its game.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "testing.hpp"

namespace skyjo::testing {
namespace {

// A row's arrays tell what its game is.
void check_row(const BatchGame& batch, int row, const Game& game) {
    const auto i = static_cast<std::size_t>(row);
    const BatchArrays& arrays = *batch.arrays();
    require(arrays.seats[i] == game.table().seat, "the seat to move");
    for (int move = 0; move < N_MOVES; ++move)
        require((arrays.legal_masks[i * N_MOVES + static_cast<std::size_t>(move)] != 0) ==
                    game.legal().has(move),
                "the legal moves");
    const std::int8_t* seen =
        arrays.observations.data() + i * static_cast<std::size_t>(batch.layout().n_features);
    const Grid& own = game.table().grids[static_cast<std::size_t>(game.table().seat)];
    for (int cell = 0; cell < batch.layout().n_cells; ++cell)
        require(seen[cell] == (own.is_removed(cell) ? REMOVED
                               : own.is_up(cell)    ? value_of(own.code(cell))
                                                    : HIDDEN),
                "the own cells");
}

// Plays a row's move in its own game, and starts the next one where it ends.
void play_beside(const BatchGame& batch, int row, Move move, Game& game) {
    const auto i = static_cast<std::size_t>(row);
    game.apply(move);
    if (game.round().finished()) {
        game.settle();
        if (!game.over()) game.next_round();
    }
    require((batch.arrays()->dones[i] != 0) == game.over(), "the end of a game");
    if (game.over())
        game = Game(batch.setup(), batch.n_seats(), batch.arrays()->game_seeds[i], DeckKind::STACK);
}

bool same_arrays(const BatchArrays& one, const BatchArrays& other) {
    return one.observations == other.observations && one.legal_masks == other.legal_masks &&
           one.seats == other.seats && one.rewards == other.rewards && one.dones == other.dones &&
           one.truncated == other.truncated && one.final_totals == other.final_totals &&
           one.game_seeds == other.game_seeds;
}

void play_batch(const Setup& setup, Stream& stream) {
    const int n = 1 + pick(stream, 9);
    BatchGame batch(setup, {n, context.n_seats, 1}, context.seed);
    BatchGame other(setup, {n, context.n_seats, 1 + pick(stream, 4)}, context.seed);
    std::vector<Game> games;
    for (const std::uint64_t seed : batch.arrays()->game_seeds)
        games.emplace_back(setup, context.n_seats, seed, DeckKind::STACK);
    std::vector<std::int64_t> moves(games.size());
    // As long as the observations, so that the sanitizer sees any byte beyond.
    std::vector<std::int8_t> seen(batch.arrays()->observations.size());
    for (context.move = 0; context.move < 100; ++context.move) {
        const auto style = static_cast<Style>(pick(stream, 3));
        for (std::size_t i = 0; i < games.size(); ++i)
            moves[i] = choose(games[i].table(), games[i].legal(), style, stream);
        require(batch.step(moves.data()).count == 0, "legal moves");
        require(other.step(moves.data()).count == 0, "legal moves in the other batch");
        require(same_arrays(*batch.arrays(), *other.arrays()), "the same for any threads");
        for (int row = 0; row < n; ++row) {
            const auto i = static_cast<std::size_t>(row);
            play_beside(batch, row, static_cast<Move>(moves[i]), games[i]);
            check_row(batch, row, games[i]);
        }
        batch.observe(pick(stream, context.n_seats), seen.data());
    }
    const BatchArrays before = *batch.arrays();
    moves.back() = N_MOVES;
    const BatchGame::Faults faults = batch.step(moves.data());
    require(faults.count > 0 && same_arrays(before, *batch.arrays()), "nothing played");
}

void soak_batches(int n_batches) {
    context.test = "batches";
    Stream stream(44);
    for (int i = 0; i < n_batches; ++i) {
        context.seed = stream.position();
        const Setup setup(i == 0 ? Rules{} : random_rules(stream));
        context.n_seats = 2 + pick(stream, setup.max_seats - 1);
        play_batch(setup, stream);
    }
}

}  // namespace
}  // namespace skyjo::testing

int main() {
    skyjo::testing::soak_batches(400);
    std::puts("soak of batches: fine");
    return 0;
}
