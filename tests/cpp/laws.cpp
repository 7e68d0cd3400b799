// SPDX-License-Identifier: MIT
// The stack, the lanes and the counted deck have one law (RULES E.5, STATISTICS 5): exactly, with
// tiny decks, and by chi-squares over as many rounds of random play as the first argument says.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "chi_square.hpp"
#include "tiny_law.hpp"

namespace skyjo::testing {
namespace {

// Exactly

Weight whole_of(const TinyLaw& law) {
    Weight sum = 0;
    for (const auto& [course, weight] : law) sum += weight;
    return sum;
}

void check_exact_laws() {
    Weight reshuffled = 0;
    Weight removed = 0;
    for (TinyCase& tiny : tiny_cases())
        for (tiny.policy = 1; tiny.policy <= 3; ++tiny.policy) {
            context.test = tiny.name;
            context.seed = tiny.policy;
            context.n_seats = tiny.n_seats;
            const OrderedLaw stack(tiny, DeckKind::STACK);
            const OrderedLaw lanes(tiny, DeckKind::LANES);
            const TinyLaw counted = counted_law(tiny);
            require(whole_of(stack.law) == WHOLE, "weights that sum to the whole");
            require(stack.law.size() > 100, "many courses");
            require(stack.law == lanes.law, "the law of the stack with lanes");
            require(stack.law == counted, "the law of the stack with counts");
            reshuffled = std::max(reshuffled, stack.reshuffled);
            removed = std::max(removed, stack.removed);
        }
    require(reshuffled > WHOLE / 2, "reshuffles that are likely");
    require(removed > WHOLE / 20, "removals that are not rare");
}

// A card drawn from counts: as many of the stream's numbers give it as there are such cards.
void check_pick() {
    context.test = "pick";
    for (const Counts& pool :
         {tiny_deck({{-4, 2}, {0, 1}, {13, 3}}), tiny_deck({{5, 4}}), classic_deck()}) {
        const auto total = static_cast<std::uint64_t>(pool.total());
        std::vector<bool> seen(total);
        Counts found;
        for (std::uint64_t key = 0; found.total() < pool.total(); ++key) {
            Stream number(key);
            Stream stream(key);
            const auto n = static_cast<std::size_t>(number.below(total));
            const Code card = skyjo::pick(pool, stream);
            require(stream == number, "one number a card");
            if (!seen[n]) ++found[card];
            seen[n] = true;
        }
        require(found == pool, "each card as often as the pool holds it");
    }
}

// The counted deck draws from the pool of the cells or of the pile with its one stream.
void check_counted_deck() {
    context.test = "counted deck";
    Table table;
    table.hidden_pool = tiny_deck({{1, 3}, {2, 4}, {3, 1}});
    table.pile_pool = tiny_deck({{8, 3}, {9, 1}, {10, 5}});
    for (const int reshuffles : {0, 1, 2})
        for (std::uint64_t key = 0; key < 100; ++key) {
            table.reshuffles = reshuffles;
            const Counts& pile = reshuffles == 0 ? table.hidden_pool : table.pile_pool;
            CountedDeck deck(key, DeckKind::STACK);
            Stream stream(key);
            require(deck.deal(Composition(classic_deck()), 2, 12) ==
                        skyjo::pick(classic_deck(), stream),
                    "the first discard from the deck");
            for (int i = 0; i < 5; ++i) {
                require(deck.draw(table, 1) == skyjo::pick(pile, stream), "draws from the pile");
                require(deck.reveal(table, 0, 3) == skyjo::pick(table.hidden_pool, stream),
                        "cells from their own pool");
            }
        }
}

// By chi-squares

// What is counted of many rounds of random play; each round adds at most one to a histogram, so
// that what is added is independent.
struct Figures {
    Histogram first_discard = Histogram(N_CODES);
    Histogram first_flip = Histogram(N_CODES);
    Histogram first_draw = Histogram(N_CODES);
    Histogram late_flip = Histogram(N_CODES);   // the first hidden card to show after a reshuffle
    Histogram late_draw = Histogram(N_CODES);   // the first card of a pile made anew
    Histogram later_draw = Histogram(N_CODES);  // and the third
    Histogram score = Histogram(160);           // of seat 0
    Histogram turns = Histogram(400);
    Moments points, turn_count, reshuffles, draws, open_cards;
};

// Which cards a round has shown so far.
struct Shown {
    int flips = 0;
    int draws = 0;
    int late_flips = 0;
    int late_draws = 0;

    void add(Figures& figures, Move move, Code card, bool late) {
        if (card == NO_CARD) return;
        const bool is_draw = move == DRAW;
        int& n = is_draw ? draws : flips;
        if (n++ == 0) ++(is_draw ? figures.first_draw : figures.first_flip)[card];
        if (!late) return;
        const int n_late = (is_draw ? late_draws : late_flips)++;
        if (n_late == 0) ++(is_draw ? figures.late_draw : figures.late_flip)[card];
        if (n_late == 2 && is_draw) ++figures.later_draw[card];
    }
};

std::size_t bin(const Histogram& histogram, int value) {
    return std::min(static_cast<std::size_t>(std::max(value, 0)), histogram.size() - 1);
}

template <class Deck>
void add_end(Figures& figures, const BasicRound<Deck>& round, const Shown& shown) {
    const Table& table = round.table();
    const int raw = round.raw()[0];
    ++figures.score[bin(figures.score, raw + 20)];
    ++figures.turns[bin(figures.turns, table.turns)];
    figures.points.add(raw);
    figures.turn_count.add(table.turns);
    figures.reshuffles.add(table.reshuffles);
    figures.draws.add(shown.draws);
    figures.open_cards.add(std::popcount(static_cast<unsigned>(table.grids[0].up)));
}

struct Sample {
    int n_seats = 2;
    Style style = Style::EVEN;
    int n_rounds = 0;
};

template <class Deck>
Figures play_rounds(const Sample& sample, DeckKind kind, std::uint64_t first_seed) {
    Rules rules;
    rules.stall_limit = OFF;
    rules.max_turns_per_round = sample.style == Style::EVEN ? 10'000 : 130;
    const Setup setup(rules);
    Figures figures;
    for (int i = 0; i < sample.n_rounds; ++i) {
        const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
        context.seed = seed;
        Stream stream(derive(seed, Purpose::PLAYOUT));
        BasicRound<Deck> round(setup, sample.n_seats, derive(seed, Purpose::ROUND), kind, {});
        ++figures.first_discard[round.table().discard.top()];
        Shown shown;
        while (!round.finished()) {
            const Move move = choose(round.table(), round.legal(), sample.style, stream);
            const Step step = round.apply(move);
            shown.add(figures, move, step.card, round.table().reshuffles > 0);
        }
        add_end(figures, round, shown);
    }
    return figures;
}

void require_law_of_the_deck(const Histogram& found, const char* what) {
    Histogram expected(N_CODES);
    for (int value = -2; value <= 12; ++value)  // RULES A.1
        expected[code_of(value)] = total_of(found) *
                                   (value == -2  ? 5.0
                                    : value == 0 ? 15.0
                                                 : 10.0) /
                                   150.0;
    require_law(found, expected, what);
}

void require_same_figures(const Figures& a, const Figures& b, Style style) {
    require_same_law(a.first_discard, b.first_discard, "one law of the first discard");
    require_same_law(a.first_flip, b.first_flip, "one law of the first flip");
    require_same_law(a.first_draw, b.first_draw, "one law of the first draw");
    require_same_law(a.score, b.score, "one law of the score");
    require_same_mean(a.points, b.points, "one mean score");
    require_same_mean(a.draws, b.draws, "one mean of draws");
    require_same_mean(a.open_cards, b.open_cards, "one mean of cards left");
    if (style == Style::EVEN) {
        require_same_law(a.turns, b.turns, "one law of the turns");
        require_same_mean(a.turn_count, b.turn_count, "one mean of turns");
        return;
    }
    require(total_of(a.late_draw) > 0.7 * total_of(a.first_discard), "reshuffles in most rounds");
    require_same_law(a.late_flip, b.late_flip, "one law of flips after a reshuffle");
    require_same_law(a.late_draw, b.late_draw, "one law of draws after a reshuffle");
    require_same_law(a.later_draw, b.later_draw, "one law of later draws after a reshuffle");
    require_same_mean(a.reshuffles, b.reshuffles, "one mean of reshuffles");
}

void check_laws(const Sample& sample) {
    context.test = sample.style == Style::EVEN ? "laws" : "laws after reshuffles";
    context.n_seats = sample.n_seats;
    const Figures stack = play_rounds<OrderedDeck>(sample, DeckKind::STACK, 0);
    const Figures lanes = play_rounds<OrderedDeck>(sample, DeckKind::LANES, 1'000'000'000);
    const Figures counted = play_rounds<CountedDeck>(sample, DeckKind::STACK, 2'000'000'000);
    for (const Figures* figures : {&stack, &lanes, &counted}) {
        require_law_of_the_deck(figures->first_discard, "the deck's law of the first discard");
        require_law_of_the_deck(figures->first_flip, "the deck's law of the first flip");
        require_law_of_the_deck(figures->first_draw, "the deck's law of the first draw");
    }
    require_same_figures(stack, lanes, sample.style);
    require_same_figures(stack, counted, sample.style);
    require_same_figures(lanes, counted, sample.style);
    std::printf(
        "%s: %d rounds of each deck, %d seats: score %.4f %.4f %.4f, turns %.3f %.3f %.3f\n",
        context.test, sample.n_rounds, sample.n_seats, stack.points.mean(), lanes.points.mean(),
        counted.points.mean(), stack.turn_count.mean(), lanes.turn_count.mean(),
        counted.turn_count.mean());
}

}  // namespace
}  // namespace skyjo::testing

int main(int n_arguments, char** arguments) {
    using namespace skyjo::testing;
    const int n_rounds = n_arguments > 1 ? std::max(std::atoi(arguments[1]), 1'000) : 12'000;
    check_pick();
    check_counted_deck();
    check_exact_laws();
    for (const int n_seats : {2, 4, 8}) check_laws({n_seats, Style::EVEN, n_rounds});
    check_laws({8, Style::DRAWER, n_rounds / 4});
    std::puts("laws: fine");
    return 0;
}
