// SPDX-License-Identifier: MIT
// What other code relies on: sizes and layouts, small functions on their whole domain, and that the
// two models of the deck have one law.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "testing.hpp"

namespace skyjo::testing {
namespace {

// Sizes, triviality, layout

template <class Value>
constexpr bool IS_PLAIN = std::is_trivially_copyable_v<Value> && std::is_standard_layout_v<Value>;

static_assert(IS_PLAIN<Grid> && sizeof(Grid) == 16);
static_assert(IS_PLAIN<Counts> && sizeof(Counts) == 24);
static_assert(IS_PLAIN<MoveSet> && sizeof(MoveSet) == 8);
static_assert(IS_PLAIN<Stream> && sizeof(Stream) == 16);
static_assert(IS_PLAIN<Table> && sizeof(Table) <= 520);
static_assert(std::is_trivially_copyable_v<OrderedDeck>);
static_assert(std::is_trivially_copyable_v<CountedDeck> && sizeof(CountedDeck) == 16);
static_assert(std::is_trivially_copyable_v<Round> && sizeof(Round) <= 1024);
static_assert(std::is_trivially_copyable_v<CountedRound> && sizeof(CountedRound) <= 640);
static_assert(std::is_trivially_copyable_v<Game> && sizeof(Game) <= 1152);
static_assert(std::is_trivially_copyable_v<Rules>);
static_assert(sizeof(Move) == 1 && sizeof(Code) == 1);

// The C structs: bots compiled elsewhere read them, so no field may ever move.
static_assert(IS_PLAIN<skyjo_view> && IS_PLAIN<skyjo_bot> && IS_PLAIN<skyjo_seat>);
static_assert(sizeof(skyjo_played) == 3 && alignof(skyjo_played) == 1);
static_assert(sizeof(skyjo_grid) == 16 && offsetof(skyjo_grid, up) == 8 &&
              offsetof(skyjo_grid, removed) == 10);
static_assert(offsetof(Grid, codes) == offsetof(skyjo_grid, codes) &&
              offsetof(Grid, up) == offsetof(skyjo_grid, up) &&
              offsetof(Grid, removed) == offsetof(skyjo_grid, removed));
static_assert(offsetof(skyjo_table_rules, values) == 3 &&
              offsetof(skyjo_table_rules, threshold) == 24 && sizeof(skyjo_table_rules) == 28);
static_assert(offsetof(skyjo_view, size) == 0 && offsetof(skyjo_view, phase) == 4 &&
              offsetof(skyjo_view, hand) == 10 && offsetof(skyjo_view, n_last_turns) == 14 &&
              offsetof(skyjo_view, last_turns) == 15 && offsetof(skyjo_view, round_number) == 28 &&
              offsetof(skyjo_view, legal) == 48 && offsetof(skyjo_view, grids) == 56 &&
              offsetof(skyjo_view, totals) == 216 && offsetof(skyjo_view, discard_counts) == 256 &&
              offsetof(skyjo_view, time_limit) == 328 && offsetof(skyjo_view, moves) == 344);
static_assert(sizeof(void*) != 8 ||
              (sizeof(skyjo_view) == 360 && sizeof(skyjo_bot) == 48 && sizeof(skyjo_seat) == 16));

// Cells that no card value can be, each within int8 (API 1)
static_assert(HIDDEN > MAX_VALUE && REMOVED > MAX_VALUE && STAR > MAX_VALUE && HIDDEN <= 127 &&
              HIDDEN != REMOVED && REMOVED != STAR && HIDDEN != STAR);

// Random numbers: the outputs of splitmix64 with seed 1234567, published with its reference code
constexpr std::uint64_t splitmix64(std::uint64_t n) {
    return mix64(1234567 + n * GOLDEN);
}
static_assert(splitmix64(1) == 6457827717110365317U && splitmix64(2) == 3203168211198807973U &&
              splitmix64(3) == 9817491932198370423U && splitmix64(4) == 4593380528125082431U &&
              splitmix64(5) == 16408922859458223821U);

constexpr bool products_are_whole() {
    constexpr std::uint64_t MAX = UINT64_MAX;
    return multiply(MAX, MAX).high == MAX - 1 && multiply(MAX, MAX).low == 1 &&
           multiply(std::uint64_t{1} << 32, std::uint64_t{1} << 32).high == 1 &&
           multiply(3, 5).high == 0 && multiply(3, 5).low == 15;
}
static_assert(products_are_whole());

constexpr bool keys_differ_in_each_word() {
    const std::uint64_t key = derive(1, Purpose::BOT, std::uint64_t{2}, std::uint64_t{3});
    return key != derive(2, Purpose::BOT, std::uint64_t{2}, std::uint64_t{3}) &&
           key != derive(1, Purpose::GAME, std::uint64_t{2}, std::uint64_t{3}) &&
           key != derive(1, Purpose::BOT, std::uint64_t{3}, std::uint64_t{2}) &&
           key != derive(1, Purpose::BOT, std::uint64_t{2}) &&
           bot_key(1, 0, 0, 0, 0) != bot_key(0, 1, 0, 0, 0);
}
static_assert(keys_differ_in_each_word());

// Small domains, whole

void check_codes() {
    context.test = "codes";
    for (int value = MIN_VALUE; value <= MAX_VALUE; ++value) {
        require(value_of(code_of(value)) == value, "a value back from its code");
        require(points_of(code_of(value)) == value, "a card to count its value");
        require(code_of(value) < N_CODES - 1, "codes below the Star's");
    }
    require(value_of(code_of(STAR)) == STAR && points_of(STAR_CODE) == 0, "a Star to count 0");
}

void check_moves() {
    context.test = "moves";
    const std::array<std::string, 3> verbs = {"flip", "take", "place"};
    for (int move = -3; move < 300; ++move) {
        std::string expected = "no move";
        if (move == 36) expected = "draw";
        if (move >= 0 && move < 36) {
            const int cell = move % 12;
            expected = verbs[static_cast<std::size_t>(move / 12)] + " r" +
                       std::to_string(cell % 3 + 1) + "c" + std::to_string(cell / 3 + 1);
            require(cell_of(static_cast<Move>(move)) == cell, "the cell of a move");
            require(static_cast<int>(verb_of(static_cast<Move>(move))) == move / 12, "its verb");
        }
        require(move_name(move, 3) == expected, "the text of a move");
        require(!MoveSet{}.has(move), "nothing in an empty set");
        require(MoveSet{UINT64_MAX}.has(move) == (move >= 0 && move < N_MOVES),
                "moves alone in a set");
    }
    const MoveSet some = {std::uint64_t{1} << 2 | std::uint64_t{1} << 13 |
                          std::uint64_t{1} << DRAW};
    require(some.size() == 3 && some.cells(FLIP) == 1U << 2 && some.cells(TAKE) == 1U << 1 &&
                some.cells(PLACE) == 0,
            "the parts of a set");
    require(move_names(some, 3) == "flip r3c1, take r2c1, draw", "the names of a set");
    require(
        nth_bit(some.bits, 0) == 2 && nth_bit(some.bits, 1) == 13 && nth_bit(some.bits, 2) == 36,
        "the bits of a mask in turn");
}

// Every column of every value against a plain comparison, at each place of the grid.
void check_columns() {
    context.test = "columns";
    const Shape shape = make_shape(3, 4);
    for (int column = 0; column < 4; ++column)
        for (int a = -2; a <= 12; ++a)
            for (int b = -2; b <= 12; ++b)
                for (int c = -2; c <= 12; ++c) {
                    Grid grid;
                    grid.put(3 * column, code_of(a));
                    grid.put(3 * column + 1, code_of(b));
                    require(grid.complete(shape.column_lines) == 0, "two cards to be no column");
                    grid.put(3 * column + 2, code_of(c));
                    const bool equal = a == b && b == c;
                    const int found = equal ? 1 << (3 * column) : 0;
                    require(grid.complete(shape.column_lines) == found, "a column when equal");
                    require(grid.open_points() == a + b + c, "the sum of open cards");
                }
}

// All that the doubling depends on (RULES A.8), against the sentences of the rules.
void check_doubling() {
    context.test = "doubling";
    for (int raw = -17; raw <= 140; ++raw)
        for (int other = -17; other <= 140; ++other)
            for (const int factor : {1, 2, 3}) {
                Rules rules;
                rules.double_factor = factor;
                const bool lowest = raw < other;
                const auto points = [&](Double doubling) {
                    rules.doubling = doubling;
                    return closer_points(rules, raw, other);
                };
                const int times = factor * raw;
                require(points(Double::STRICT_POSITIVE) == (!lowest && raw > 0 ? times : raw),
                        "strict_positive");
                require(points(Double::TIES_OK) == (other < raw && raw > 0 ? times : raw),
                        "ties_ok");
                require(points(Double::STRICT_ALL) == (!lowest ? times : raw), "strict_all");
                require(points(Double::OFF) == raw, "off");
            }
}

// One law for both decks (RULES E.5): chi-square at fixed seeds

// How unlikely a chi-square is, in standard deviations (Wilson and Hilferty 1931).
double deviation(double chi_square, double freedom) {
    const double spread = 2.0 / (9.0 * freedom);
    return (std::cbrt(chi_square / freedom) - (1.0 - spread)) / std::sqrt(spread);
}

using Histogram = std::vector<double>;

void require_same_law(const Histogram& a, const Histogram& b, const char* what) {
    double n_a = 0.0;
    double n_b = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        n_a += a[i];
        n_b += b[i];
    }
    double chi_square = 0.0;
    double freedom = -1.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] + b[i] == 0.0) continue;
        const double difference = a[i] * std::sqrt(n_b / n_a) - b[i] * std::sqrt(n_a / n_b);
        chi_square += difference * difference / (a[i] + b[i]);
        freedom += 1.0;
    }
    require(freedom > 1.0, "more than one kind of outcome");
    require(deviation(chi_square, freedom) < 4.0, what);
}

void require_law_of_the_deck(const Histogram& found, const char* what) {
    double n = 0.0;
    for (const double count : found) n += count;
    double chi_square = 0.0;
    for (int value = -2; value <= 12; ++value) {
        const double expected = n * (value == -2 ? 5.0 : value == 0 ? 15.0 : 10.0) / 150.0;
        const double difference = found[code_of(value)] - expected;
        chi_square += difference * difference / expected;
    }
    require(deviation(chi_square, 14.0) < 4.0, what);
}

// What is counted of many rounds of random play.
struct Law {
    Histogram first_discard = Histogram(N_CODES);
    Histogram first_flip = Histogram(N_CODES);
    Histogram first_draw = Histogram(N_CODES);
    Histogram late_flip = Histogram(N_CODES);  // hidden cards that show after a reshuffle
    Histogram late_draw = Histogram(N_CODES);  // draws from a pile made anew
    Histogram score = Histogram(40);           // of seat 0, five points a bin
    Histogram turns = Histogram(60);           // of the round
};

template <class Deck>
Law play_rounds(DeckKind kind, int n_rounds, std::uint64_t first_seed, Style style, int n_seats) {
    Rules rules;
    rules.stall_limit = OFF;
    rules.max_turns_per_round = style == Style::EVEN ? 10'000 : 130;
    const Setup setup(rules);
    Law law;
    for (int i = 0; i < n_rounds; ++i) {
        const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
        context.seed = seed;
        Stream stream(derive(seed, Purpose::PLAYOUT));
        BasicRound<Deck> round(setup, n_seats, derive(seed, Purpose::ROUND), kind, -1);
        ++law.first_discard[round.table().discard.top()];
        bool drawn = false;
        bool flipped = false;
        while (!round.finished()) {
            const Move move = choose(round.table(), round.legal(), style, stream);
            const bool draws = move == DRAW;
            const Step step = round.apply(move);
            const bool late = round.table().reshuffles > 0;
            if (step.card == NO_CARD) continue;
            if (draws) {
                if (!drawn) ++law.first_draw[step.card];
                drawn = true;
                if (late) ++law.late_draw[step.card];
            } else {
                if (!flipped) ++law.first_flip[step.card];
                flipped = true;
                if (late) ++law.late_flip[step.card];
            }
        }
        const auto bin = static_cast<std::size_t>((round.raw()[0] + 20) / 5);
        ++law.score[std::min(bin, law.score.size() - 1)];
        const auto turns = static_cast<std::size_t>(round.table().turns / 3);
        ++law.turns[std::min(turns, law.turns.size() - 1)];
    }
    return law;
}

void require_same_laws(const Law& a, const Law& b) {
    require_same_law(a.first_discard, b.first_discard, "one law of the first discard");
    require_same_law(a.first_flip, b.first_flip, "one law of the first flip");
    require_same_law(a.first_draw, b.first_draw, "one law of the first draw");
    require_same_law(a.score, b.score, "one law of the score");
}

void check_laws() {
    context.test = "laws";
    constexpr int N = 12'000;
    for (const int n_seats : {2, 5}) {
        context.n_seats = n_seats;
        const Law stack = play_rounds<OrderedDeck>(DeckKind::STACK, N, 0, Style::EVEN, n_seats);
        const Law lanes =
            play_rounds<OrderedDeck>(DeckKind::LANES, N, 1'000'000, Style::EVEN, n_seats);
        const Law counted =
            play_rounds<CountedDeck>(DeckKind::STACK, N, 2'000'000, Style::EVEN, n_seats);
        for (const Law* law : {&stack, &lanes, &counted}) {
            require_law_of_the_deck(law->first_discard, "the deck's law of the first discard");
            require_law_of_the_deck(law->first_flip, "the deck's law of the first flip");
            require_law_of_the_deck(law->first_draw, "the deck's law of the first draw");
        }
        require_same_laws(stack, lanes);
        require_same_laws(stack, counted);
        require_same_law(stack.turns, lanes.turns, "one law of the turns");
        require_same_law(stack.turns, counted.turns, "one law of the turns");
    }
}

// The same after reshuffles, where the two pools part: rounds of slow play at eight seats.
void check_laws_after_reshuffles() {
    context.test = "laws after reshuffles";
    context.n_seats = 8;
    constexpr int N = 2'500;
    const Law ordered = play_rounds<OrderedDeck>(DeckKind::STACK, N, 0, Style::DRAWER, 8);
    const Law counted = play_rounds<CountedDeck>(DeckKind::STACK, N, 5'000'000, Style::DRAWER, 8);
    require_same_laws(ordered, counted);
    require_same_law(ordered.late_flip, counted.late_flip, "one law of late flips");
    // Draws of one pile are not independent, but equally so in both models: compare loosely.
    double n_ordered = 0.0;
    double n_counted = 0.0;
    for (std::size_t i = 0; i < ordered.late_draw.size(); ++i) {
        n_ordered += ordered.late_draw[i];
        n_counted += counted.late_draw[i];
    }
    require(n_ordered > 50'000.0 && n_counted > 50'000.0, "many draws from new piles");
    for (std::size_t i = 0; i < ordered.late_draw.size(); ++i)
        require(
            std::abs(ordered.late_draw[i] / n_ordered - counted.late_draw[i] / n_counted) < 0.006,
            "one law of late draws");
}

// After a reshuffle a card that shows in a grid comes from the cells' own pool, never from the
// recycled ones (P32): what shows is taken out of the pool as it was then.
template <class Deck>
void check_pools_stay_apart() {
    context.test = "pools";
    context.n_seats = 8;
    const Setup setup;
    int n_shown = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        context.seed = seed;
        BasicRound<Deck> round(setup, 8, seed, DeckKind::STACK, 0);
        Stream stream(seed);
        Counts cells;
        bool parted = false;
        while (!round.finished()) {
            if (round.table().reshuffles > 0 && !parted) {
                parted = true;
                cells = round.table().hidden_pool;
            }
            const Style style = parted ? Style::EVEN : Style::DRAWER;
            const Move move = choose(round.table(), round.legal(), style, stream);
            const Step step = round.apply(move);
            if (!parted || step.card == NO_CARD || move == DRAW) continue;
            require(cells[step.card] > 0, "a hidden card out of the cells' own pool");
            --cells[step.card];
            ++n_shown;
        }
    }
    require(n_shown > 5'000, "many cards that show after a reshuffle");
}

}  // namespace
}  // namespace skyjo::testing

int main() {
    using namespace skyjo::testing;
    check_codes();
    check_moves();
    check_columns();
    check_doubling();
    check_pools_stay_apart<skyjo::OrderedDeck>();
    check_pools_stay_apart<skyjo::CountedDeck>();
    check_laws();
    check_laws_after_reshuffles();
    std::puts("contracts: fine");
    return 0;
}
