// SPDX-License-Identifier: MIT
// Plays tens of thousands of random games under the sanitizers and checks every state.
//
// Both models of the deck go through the same template.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "state_checks.hpp"

namespace skyjo::testing {
namespace {

void check_end_of_round(const Setup& setup, const Table& table, const Points& points) {
    require(table.capped == (table.closer < 0), "a closer, or the cap");
    require(table.turns <= setup.rules.max_turns_per_round, "no turn beyond the cap");
    require(table.last_turns.size == 0, "no last turn left");
    for (int seat = 0; seat < table.n_seats; ++seat) {
        const int raw = table.grids[static_cast<std::size_t>(seat)].open_points();
        if (setup.rules.deck == classic_deck() && setup.shape == make_shape(3, 4))
            require(raw >= -17 && raw <= 140, "a raw score within its bounds");  // RULES E.1
        if (seat != table.closer)
            require(points[static_cast<std::size_t>(seat)] == raw, "raw points but for the closer");
    }
}

struct Tally {
    std::int64_t games = 0, rounds = 0, moves = 0, reshuffles = 0, removals = 0, capped = 0,
                 stalled = 0;
};

// A whole game of random moves, every state checked.
template <class Deck>
void play_game(const Setup& setup, int n_seats, std::uint64_t seed, DeckKind kind, Style style,
               Tally& tally) {
    Stream stream(seed);
    context.seed = seed;
    context.n_seats = n_seats;
    context.move = 0;
    BasicGame<Deck> game(setup, n_seats, seed, kind);
    int hidden = MAX_CARDS;
    check_state(game, hidden);
    while (!game.over()) {
        const MoveSet legal = game.legal();
        const bool looks = pick(stream, 8) == 0;
        if (looks) check_views(game);
        game.apply(choose(game.table(), legal, style, stream));
        ++context.move;
        ++tally.moves;
        check_state(game, hidden);
        if (!game.round().finished()) continue;
        const Table& table = game.table();
        check_end_of_round(setup, table, game.round().points());
        tally.reshuffles += table.reshuffles;
        tally.capped += table.capped ? 1 : 0;
        tally.stalled += table.stalled ? 1 : 0;
        for (const Grid& grid : table.grids) tally.removals += grid.removed != 0 ? 1 : 0;
        ++tally.rounds;
        const Points before = game.totals();
        const Points points = game.round().points();
        game.settle();
        for (std::size_t i = 0; i < before.size(); ++i)
            require(game.totals()[i] == before[i] + points[i], "points added to the totals");
        check_views(game);
        if (!game.over()) game.next_round();
        hidden = MAX_CARDS;
    }
    require(game.end() != End::RUNNING, "a reason to end");
    ++tally.games;
}

void soak_games(int n_games) {
    context.test = "games";
    Stream stream(1);
    Tally ordered, counted;
    for (int i = 0; i < n_games; ++i) {
        const Setup setup(random_rules(stream));
        require(faults(setup.rules).empty(), "rules without faults");
        const int n_seats = 2 + i % (setup.max_seats - 1);
        const std::uint64_t seed = stream.next();
        const auto style = static_cast<Style>(pick(stream, 3));
        const DeckKind kind = i % 3 == 0 ? DeckKind::LANES : DeckKind::STACK;
        if (i % 2 == 0)
            play_game<OrderedDeck>(setup, n_seats, seed, kind, style, ordered);
        else
            play_game<CountedDeck>(setup, n_seats, seed, kind, style, counted);
    }
    for (const Tally& tally : {ordered, counted}) {
        require(tally.reshuffles > 100 && tally.removals > 100, "reshuffles and removals");
        require(tally.capped > 100 && tally.stalled > 100, "capped and stalled rounds");
        std::printf(
            "games: %lld games, %lld rounds, %lld moves, %lld reshuffles, %lld grids with holes\n",
            static_cast<long long>(tally.games), static_cast<long long>(tally.rounds),
            static_cast<long long>(tally.moves), static_cast<long long>(tally.reshuffles),
            static_cast<long long>(tally.removals));
    }
}

// A position from the middle of a round, laid by hand, plays on as the round it was taken from.
void soak_given_positions(int n_games) {
    context.test = "positions";
    const Setup setup;
    for (int i = 0; i < n_games; ++i) {
        context.seed = static_cast<std::uint64_t>(i);
        Stream stream(context.seed);
        const int n_seats = 2 + i % 7;
        Game game(setup, n_seats, context.seed, DeckKind::STACK);
        for (int moves = 2 * n_seats + pick(stream, 40); moves > 0; --moves) {
            if (game.round().finished()) break;
            game.apply(choose(game.table(), game.legal(), Style::EVEN, stream));
        }
        if (game.round().finished()) continue;
        OrderedDeck deck;
        for (int seat = 0; seat < n_seats; ++seat)
            for (unsigned rest =
                     game.table().grids[static_cast<std::size_t>(seat)].hidden(setup.shape);
                 rest != 0; rest &= rest - 1) {
                const int cell = std::countr_zero(rest);
                deck.hide(seat, cell, game.round().deck().reveal(game.table(), seat, cell));
            }
        std::array<Code, MAX_CARDS> pile{};
        deck.lay_pile(pile.data(), game.round().deck().undrawn(pile.data()));
        Game twin(setup, Round(setup, game.table(), deck, {}), game.totals(), 0);
        int hidden = MAX_CARDS;
        while (!game.round().finished() && game.table().draw_pile_size > 0) {
            require(twin.legal() == game.legal(), "the same legal moves");
            const Move move = choose(game.table(), game.legal(), Style::EVEN, stream);
            const Step one = game.apply(move);
            const Step other = twin.apply(move);
            require(one.card == other.card, "the same card");
            check_state(twin, hidden);
        }
        require(twin.round().finished() == game.round().finished(), "the same end");
        if (!twin.round().finished()) continue;
        twin.settle();
        require(twin.over() && twin.end() == End::RUNNING, "one round and no reason to end");
    }
}

// P39: over 100,000 consecutive seeds no deal repeats.
void check_decks_differ() {
    context.test = "decks";
    std::vector<std::pair<std::uint64_t, std::uint64_t>> decks;
    const Composition composition(classic_deck());
    for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
        OrderedDeck deck(derive(seed, Purpose::ROUND, std::uint64_t{0}), DeckKind::STACK);
        const Code first = deck.deal(composition, 2, 12);
        // 24 dealt cards and the discard: 125 bits that two decks would have to share.
        Table table;
        std::uint64_t low = first;
        std::uint64_t high = 0;
        for (int cell = 0; cell < 12; ++cell) {
            low = low << 5 | deck.reveal(table, 0, cell);
            high = high << 5 | deck.reveal(table, 1, cell);
        }
        decks.emplace_back(low, high);
    }
    std::sort(decks.begin(), decks.end());
    require(std::adjacent_find(decks.begin(), decks.end()) == decks.end(), "no deal twice");
}

}  // namespace
}  // namespace skyjo::testing

int main() {
    using namespace skyjo::testing;
    check_decks_differ();
    soak_given_positions(2'000);
    soak_games(20'000);
    std::puts("soak: fine");
    return 0;
}
