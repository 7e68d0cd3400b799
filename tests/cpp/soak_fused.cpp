// SPDX-License-Identifier: MIT
// The fused loop in step with the engine: the same moves and cards give the same state after every
// turn. And playouts, whose scores are those of possible ends.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "skyjo/fused.hpp"
#include "skyjo/playouts.hpp"
#include "testing.hpp"

namespace skyjo::testing {
namespace {

// A turn that the engine has played, for the fused loop to play again.
struct Script {
    bool takes = false;
    bool rejects = false;
    int cell = 0;
    Code drawn = NO_CARD;

    [[nodiscard]] std::uint32_t take() const noexcept { return takes ? 1 : 0; }
    [[nodiscard]] fused::Choice choose(std::uint32_t take, const fused::Seat&, std::uint32_t,
                                       const Code* pile, std::uint32_t n_draw) const {
        require(take == this->take(), "the source that the engine used");
        fused::Choice choice{take, rejects ? 1U : 0U, static_cast<std::uint32_t>(cell), 0};
        if (takes) return choice;
        while (choice.at < n_draw && pile[choice.at] != drawn) ++choice.at;
        require(choice.at < n_draw, "the card that the engine drew to be in the pile");
        return choice;
    }
};

// The state of a round as the fused loop has it.
struct Twin {
    fused::Round round{};
    fused::Round::Hot hot{};

    explicit Twin(const Game& game) {
        const Table& table = game.table();
        hot.n_seats = table.n_seats;
        for (int seat = 0; seat < table.n_seats; ++seat) hot.seats[at(seat)] = seat_of(game, seat);
        hot.n_draw =
            static_cast<std::uint32_t>(game.round().deck().undrawn(round.draw_pile.data()));
        std::copy_n(table.discard.cards.data(), table.discard.size, round.discards.data());
        hot.top_at = table.discard.size - 1U;
        hot.top = table.discard.top();
    }
    static std::size_t at(int seat) { return static_cast<std::size_t>(seat); }
    // With the cards that lie face down.
    static fused::Seat seat_of(const Game& game, int seat) {
        const Grid& grid = game.table().grids[at(seat)];
        fused::Seat result{grid.codes, std::uint32_t{grid.up} | grid.removed,
                           fused::ALL_CELLS & ~std::uint32_t{grid.removed}};
        for (unsigned rest = grid.hidden(game.setup().shape); rest != 0; rest &= rest - 1) {
            const int cell = std::countr_zero(rest);
            result.cards |= std::uint64_t{game.round().deck().reveal(game.table(), seat, cell)}
                            << (fused::FIELD * cell);
        }
        return result;
    }
    // Precondition: the round is not finished.
    void check(const Game& game) const {
        const Table& table = game.table();
        for (int seat = 0; seat < table.n_seats; ++seat) {
            const fused::Seat want = seat_of(game, seat);
            const fused::Seat& got = hot.seats[at(seat)];
            require(got.cards == want.cards && got.open == want.open && got.here == want.here,
                    "the same grids");
        }
        require(hot.top == table.discard.top() && hot.top_at + 1 == table.discard.size,
                "the same top of the discard pile");
        require(
            std::equal(table.discard.cards.begin(),
                       table.discard.cards.begin() + table.discard.size, round.discards.begin()),
            "the same discard pile");
        require(hot.n_draw == table.draw_pile_size, "as many cards to draw");
        require(hot.idle == table.stall_count, "as many turns without progress");
        require((hot.only_hidden != 0) == table.stalled, "the stall rule at the same time");
    }
};

// One turn of random moves on both; returns whether the seat has no hidden card left.
bool play_turn(Game& game, Twin& twin, Style style, Stream& stream) {
    const int seat = game.table().seat;
    Script script;
    Move move = choose(game.table(), game.legal(), style, stream);
    script.takes = move != DRAW;
    if (move == DRAW) {
        script.drawn = game.apply(DRAW).card;
        move = choose(game.table(), game.legal(), style, stream);
        script.rejects = verb_of(move) == Verb::FLIP;
    }
    script.cell = cell_of(move);
    game.apply(move);
    return twin.round.turn(twin.hot, seat, game.setup().rules.stall_limit, script);
}

void play_round(Game& game, Style style, Stream& stream, int& n_stalled) {
    while (game.table().phase == Phase::FLIP)
        game.apply(choose(game.table(), game.legal(), style, stream));
    Twin twin(game);
    bool closed = false;
    while (!game.round().finished()) {
        const bool is_done = play_turn(game, twin, style, stream);
        ++context.move;
        if (!closed) closed = is_done;
        if (game.round().finished()) break;
        require(closed == (game.table().closer >= 0), "the closing at the same turn");
        n_stalled += game.table().stalled ? 1 : 0;
        twin.check(game);
    }
    for (int seat = 0; seat < game.n_seats(); ++seat)
        require(fused::raw_score(twin.hot.seats[Twin::at(seat)].cards) ==
                    game.round().raw()[Twin::at(seat)],
                "the same score");
}

void soak_turns(int n_games) {
    context.test = "fused turns";
    Stream stream(41);
    int n_stalled = 0;
    for (int i = 0; i < n_games; ++i) {
        const Setup setup(plain_rules(true, stream));
        context.seed = stream.next();
        context.n_seats = 2 + i % (std::min(setup.max_seats, 8) - 1);
        context.move = 0;
        require(fused::plays(setup.rules, context.n_seats), "rules of the fused loop");
        Game game(setup, context.n_seats, context.seed,
                  i % 2 == 0 ? DeckKind::STACK : DeckKind::LANES);
        while (!game.over()) {
            play_round(game, static_cast<Style>(i % 3), stream, n_stalled);
            game.settle();
            if (!game.over()) game.next_round();
        }
    }
    require(n_stalled > n_games, "turns under the stall rule");
}

// Every grid of three cells' worth of columns: equal ones leave before the count.
void check_scores() {
    context.test = "fused scores";
    Stream stream(42);
    const Shape shape = make_shape(3, 4);
    for (int i = 0; i < 200'000; ++i) {
        Grid grid;
        for (int column = 0; column < 4; ++column) {
            const bool equal = pick(stream, 3) == 0;
            const auto first = static_cast<Code>(pick(stream, STAR_CODE));
            for (int cell = 3 * column; cell < 3 * column + 3; ++cell)
                grid.put(cell, equal ? first : static_cast<Code>(pick(stream, STAR_CODE)));
        }
        const int got = fused::raw_score(grid.codes);
        for (unsigned rest = grid.complete(shape.column_lines); rest != 0; rest &= rest - 1)
            grid.remove(std::countr_zero(rest), shape.column_lines);
        require(got == grid.open_points(), "the sum of what has not left");
    }
}

// Playouts from any state of any game: finished rounds, whatever the loop that played them.
void soak_playouts(int n_games) {
    context.test = "playouts";
    Stream stream(43);
    constexpr std::int64_t N = 5;
    std::array<std::int16_t, N * MAX_SEATS> raw{};
    std::array<std::int16_t, N * MAX_SEATS> points{};
    std::array<std::int8_t, N> closer{};
    for (int i = 0; i < n_games; ++i) {
        const Setup setup(i % 3 == 0 ? random_rules(stream) : plain_rules(i % 3 == 1, stream));
        context.seed = stream.next();
        context.n_seats = 2 + i % (setup.max_seats - 1);
        Game game(setup, context.n_seats, context.seed, DeckKind::STACK);
        for (context.move = 0; !game.round().finished(); ++context.move) {
            if (pick(stream, 10) == 0) {
                play_out(game, 0, N, context.seed, {raw.data(), points.data(), closer.data()});
                for (std::size_t k = 0; k < N; ++k) {
                    Points sums{};
                    Points want{};
                    const auto n = static_cast<std::size_t>(context.n_seats);
                    for (std::size_t seat = 0; seat < n; ++seat) sums[seat] = raw[k * n + seat];
                    want = score(setup.rules, sums, context.n_seats, closer[k]);
                    for (std::size_t seat = 0; seat < n; ++seat)
                        require(points[k * n + seat] == want[seat], "points of the raw scores");
                    require(closer[k] < context.n_seats, "a closer at the table");
                    require(game.table().closer < 0 || closer[k] == game.table().closer ||
                                closer[k] == -1,
                            "the one who has closed");
                }
            }
            game.apply(choose(game.table(), game.legal(), static_cast<Style>(i % 3), stream));
        }
    }
}

}  // namespace
}  // namespace skyjo::testing

int main() {
    using namespace skyjo::testing;
    check_scores();
    soak_turns(6'000);
    soak_playouts(1'500);
    std::puts("soak of the fused loop: fine");
}
