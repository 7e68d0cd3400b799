// SPDX-License-Identifier: MIT
// What other code relies on: sizes and layouts, and small functions on their whole domain.
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
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
static_assert(IS_PLAIN<skyjo_view> && IS_PLAIN<skyjo_kept_view> && IS_PLAIN<skyjo_bot> &&
              IS_PLAIN<skyjo_seat>);
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
              offsetof(skyjo_bot, abi) == 4 && offsetof(skyjo_bot, built_with) == 8);
static_assert(sizeof(void*) != 8 ||
              (sizeof(skyjo_view) == 128 && offsetof(skyjo_view, totals) == 64 &&
               offsetof(skyjo_view, discard_counts) == 72 && offsetof(skyjo_view, moves) == 112 &&
               sizeof(skyjo_kept_view) == 400 && sizeof(skyjo_bot) == 56 &&
               sizeof(skyjo_seat) == 16));

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
           BotKeys(1, 0, 0, 0).of(0) != BotKeys(0, 1, 0, 0).of(0);
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

// The end of a game and its places (RULES A.10), from the sentences of the rules: every course of a
// few rounds of small points at three seats.
struct PlainSheet {
    std::vector<std::vector<int>> rounds{};

    [[nodiscard]] int total(int seat, std::size_t n_rounds) const {
        int sum = 0;
        for (std::size_t i = 0; i < n_rounds; ++i) sum += rounds[i][static_cast<std::size_t>(seat)];
        return sum;
    }
    // The rounds after which the threshold, a fixed number or the guard ends the game; 0: none.
    [[nodiscard]] std::size_t regular_end(const Rules& rules) const {
        for (std::size_t n = 1; n <= rounds.size(); ++n) {
            const int highest = std::max({total(0, n), total(1, n), total(2, n)});
            const auto limit = static_cast<int>(n);
            if ((rules.threshold != OFF && highest >= rules.threshold) ||
                limit == rules.max_rounds || limit == rules.max_rounds_guard)
                return n;
        }
        return 0;
    }
    template <class Figure>
    static std::set<int> lowest(const std::set<int>& seats, Figure figure) {
        std::multimap<int, int> sorted;
        for (const int seat : seats) sorted.emplace(figure(seat), seat);
        std::set<int> result;
        const auto range = sorted.equal_range(sorted.begin()->first);
        for (auto i = range.first; i != range.second; ++i) result.insert(i->second);
        return result;
    }
    [[nodiscard]] std::set<int> tied(std::size_t end) const {
        return lowest({0, 1, 2}, [&](int seat) { return total(seat, end); });
    }
    // Empty while the game goes on.
    [[nodiscard]] std::set<int> winners(const Rules& rules) const {
        const std::size_t end = regular_end(rules);
        if (end == 0) return {};
        std::set<int> left = tied(end);
        if (rules.winner_tie == WinnerTie::LAST_ROUND)
            return lowest(
                left, [&](int seat) { return rounds[end - 1][static_cast<std::size_t>(seat)]; });
        if (rules.winner_tie == WinnerTie::SHARED) return left;
        for (std::size_t n = end; left.size() > 1; ++n) {
            left = lowest(left, [&](int seat) { return total(seat, n); });
            if (left.size() == 1 || static_cast<int>(n) == rules.max_rounds_guard) break;
            if (n == rounds.size()) return {};
        }
        return left;
    }
    // Where each seat stands in the order: winners, then who was tied at the regular end, then all.
    [[nodiscard]] std::vector<int> places(const Rules& rules) const {
        const std::set<int> first = winners(rules);
        const std::set<int> second = tied(regular_end(rules));
        std::vector<std::pair<int, int>> keys;
        for (int seat = 0; seat < 3; ++seat)
            keys.emplace_back(first.count(seat) > 0    ? std::pair(0, 0)
                              : second.count(seat) > 0 ? std::pair(1, total(seat, rounds.size()))
                                                       : std::pair(2, total(seat, rounds.size())));
        std::vector<std::pair<int, int>> sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        std::vector<int> result;
        for (const auto& key : keys)
            result.push_back(1 +
                             static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), key) -
                                              sorted.begin()));
        return result;
    }
};

int check_sheets_after(const Rules& rules, const ScoreSheet& before, PlainSheet& plain) {
    int n_over = 0;
    for (int course = 0; course < 27; ++course) {
        constexpr std::array<int, 3> POINTS = {-1, 0, 2};
        plain.rounds.push_back({POINTS[static_cast<std::size_t>(course % 3)],
                                POINTS[static_cast<std::size_t>(course / 3 % 3)],
                                POINTS[static_cast<std::size_t>(course / 9)]});
        Points points{};
        std::copy(plain.rounds.back().begin(), plain.rounds.back().end(), points.begin());
        ScoreSheet sheet = before;
        sheet.add(rules, points);
        const std::set<int> winners = plain.winners(rules);
        require(sheet.over() == !winners.empty(), "the end of the game");
        for (int seat = 0; seat < 3; ++seat)
            require(sheet.totals[static_cast<std::size_t>(seat)] ==
                        plain.total(seat, plain.rounds.size()),
                    "totals of all rounds, playoffs too");
        if (sheet.over()) {
            ++n_over;
            const auto found = sheet.places();
            const std::vector<int> places = plain.places(rules);
            require(std::equal(places.begin(), places.end(), found.begin()), "places");
            require(sheet.end() != End::RUNNING, "a reason to end");
        } else {
            require(sheet.end() == End::RUNNING, "no reason to end yet");
            n_over += check_sheets_after(rules, sheet, plain);
        }
        plain.rounds.pop_back();
    }
    return n_over;
}

void check_score_sheet() {
    context.test = "score sheet";
    for (const WinnerTie tie : {WinnerTie::SHARED, WinnerTie::LAST_ROUND, WinnerTie::PLAYOFF})
        for (const int threshold : {2, 3, OFF})
            for (const int max_rounds : {1, 2, OFF}) {
                Rules rules;
                rules.winner_tie = tie;
                rules.threshold = threshold;
                rules.max_rounds = max_rounds;
                rules.max_rounds_guard = 3;
                ScoreSheet sheet;
                sheet.n_seats = 3;
                PlainSheet plain;
                require(check_sheets_after(rules, sheet, plain) >= 27, "games that end");
            }
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
        BasicRound<Deck> round(setup, 8, seed, DeckKind::STACK, {1, -1});
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
    check_score_sheet();
    check_pools_stay_apart<skyjo::OrderedDeck>();
    check_pools_stay_apart<skyjo::CountedDeck>();
    std::puts("contracts: fine");
    return 0;
}
