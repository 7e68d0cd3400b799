// SPDX-License-Identifier: MIT
// Cards that are forced and cards dealt anew follow the law of the game (RULES E.5): by chi-squares
// against the exact law of tiny decks. The first argument multiplies the repetitions.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <unordered_map>

#include "chi_square.hpp"
#include "kept_view.hpp"
#include "tiny_law.hpp"

namespace skyjo::testing {
namespace {

// Found numbers of whole courses against their exact weights.
class CourseCount {
 public:
    explicit CourseCount(const TinyLaw& law) : found_(law.size()), expected_(law.size()) {
        for (const auto& [course, weight] : law) {
            expected_[index_.size()] = static_cast<double>(weight) / static_cast<double>(WHOLE);
            index_.emplace(course, index_.size());
        }
    }
    void add(const Course& course) {
        const auto place = index_.find(course.shown);
        require(place != index_.end(), "a course that the law knows");
        ++found_[place->second];
    }
    void check(const char* what) {
        Histogram expected = expected_;
        const double n = total_of(found_);
        for (double& share_of_all : expected) share_of_all *= n;
        require_law(found_, expected, what);
        std::fill(found_.begin(), found_.end(), 0.0);
    }

 private:
    std::unordered_map<std::string, std::size_t> index_;
    Histogram found_;
    Histogram expected_;
};

// Which of the moves that show a card have it forced.
enum class Force { NONE, ALL, SOME };

// Plays a move, or its card is chosen first, as likely as the counts of its outcomes say.
template <class AnyRound>
Step play_move(AnyRound& round, Move move, bool forced, Stream& stream) {
    if (!forced) return round.apply(move);
    const Counts outcomes = round.outcomes(move);
    if (outcomes == Counts{}) return round.apply(move);
    const Code card = skyjo::pick(outcomes, stream);
    const Step step = round.apply(move, card, stream);
    require(step.card == card, "the card that was forced");
    return step;
}

Course play_forced(const TinyCase& tiny, Round round, Force force, Stream& stream) {
    Course course(tiny.policy);
    course.note(round.table().discard.top());
    while (!round.finished()) {
        const Move move = public_move(tiny, round.table(), round.legal(), course);
        const bool forced =
            force == Force::ALL || (force == Force::SOME && (course.hash >> 40) % 3 == 0);
        course.note_move(round, move, play_move(round, move, forced, stream));
    }
    course.note_end(round);
    return course;
}

void check_rounds(const TinyCase& tiny, const Setup& setup, CourseCount& count, Force force,
                  int n_rounds) {
    constexpr std::array<const char*, 3> WHAT = {"the exact law of played rounds",
                                                 "the exact law with all cards forced",
                                                 "the exact law with some cards forced"};
    for (const DeckKind kind : {DeckKind::STACK, DeckKind::LANES}) {
        Stream stream(static_cast<std::uint64_t>(force) * 2 + static_cast<std::uint64_t>(kind));
        for (int i = 0; i < n_rounds; ++i)
            count.add(play_forced(tiny, Round(setup, tiny.n_seats, stream.next(), kind, {}), force,
                                  stream));
        count.check(WHAT[static_cast<std::size_t>(force)]);
    }
}

void check_counted_rounds(const TinyCase& tiny, const Setup& setup, CourseCount& count,
                          int n_rounds) {
    for (int i = 0; i < n_rounds; ++i) {
        CountedRound round(setup, tiny.n_seats, static_cast<std::uint64_t>(i), DeckKind::STACK, {});
        Course course(tiny.policy);
        course.note(round.table().discard.top());
        while (!round.finished()) {
            const Move move = public_move(tiny, round.table(), round.legal(), course);
            course.note_move(round, move, round.apply(move));
        }
        course.note_end(round);
        count.add(course);
    }
    count.check("the exact law of rounds with a counted deck");
}

void check_forced_cards(int n_rounds) {
    for (TinyCase& tiny : tiny_cases()) {
        tiny.policy = 7;
        context.test = tiny.name;
        context.n_seats = tiny.n_seats;
        const Setup setup(tiny.rules);
        CourseCount count(counted_law(tiny));
        for (const Force force : {Force::NONE, Force::ALL, Force::SOME})
            check_rounds(tiny, setup, count, force, n_rounds);
        check_counted_rounds(tiny, setup, count, n_rounds);
    }
}

// Dealing anew

// What a seat cannot know: the cards face down, the drawn card of another, the pile as it lies.
std::string unknown_to(int seat, const Game& game) {
    const Table& table = game.table();
    std::string cards;
    for (int owner = 0; owner < table.n_seats; ++owner)
        for (unsigned rest =
                 table.grids[static_cast<std::size_t>(owner)].hidden(game.setup().shape);
             rest != 0; rest &= rest - 1)
            cards.push_back(static_cast<char>(
                game.round().deck().reveal(table, owner, std::countr_zero(rest))));
    cards.push_back('|');
    if (table.hand != NO_CARD && table.seat != seat) cards.push_back(static_cast<char>(table.hand));
    std::array<Code, MAX_CARDS> pile{};
    const int n = game.round().deck().undrawn(pile.data());
    for (int i = 0; i < n; ++i)
        cards.push_back(static_cast<char>(pile[static_cast<std::size_t>(i)]));
    return cards;
}

// How many different arrangements of the unknown cards there are.
Weight n_arrangements(int seat, const Table& table) {
    Counts cells = table.hidden_pool;
    Counts pile = table.pile_pool;
    if (table.hand != NO_CARD && table.seat != seat)
        ++(table.reshuffles == 0 ? cells : pile)[table.hand];
    return n_orders(cells) * n_orders(pile);
}

// All arrangements are as likely, and no seat sees a change but one that holds a dealt card.
void check_dealt_anew(int seat, const Game& game, int repetitions) {
    const Weight n_kinds = n_arrangements(seat, game.table());
    std::unordered_map<std::string, std::size_t> index;
    Histogram found(static_cast<std::size_t>(n_kinds));
    const int n = static_cast<int>(n_kinds) * repetitions;
    for (int i = 0; i < n; ++i) {
        Game world = game;
        world.deal_anew(seat, static_cast<std::uint64_t>(i));
        const auto place = index.emplace(unknown_to(seat, world), index.size()).first->second;
        require(place < n_kinds, "no arrangement of other cards");
        ++found[place];
        for (int viewer = 0; viewer < game.n_seats(); ++viewer) {
            const bool holds = game.table().hand != NO_CARD && game.table().seat == viewer;
            if (viewer == seat || !holds)
                require(same_view(view_of(world, viewer), view_of(game, viewer)), "the same view");
        }
    }
    require(index.size() == n_kinds, "each arrangement");
    const Histogram even(static_cast<std::size_t>(n_kinds), static_cast<double>(repetitions));
    require_law(found, even, "each arrangement as often");
}

// Which kind of state it is for a seat: of both pools, with and without a drawn card; -1 where
// there is too little to deal.
int kind_of(int seat, const Game& game, DeckKind deck) {
    const Table& table = game.table();
    const Weight n = n_arrangements(seat, table);
    if (n < 4 || n > 150) return -1;
    const int hand = table.hand == NO_CARD ? 0 : table.seat == seat ? 1 : 2;
    const int lanes = deck == DeckKind::LANES && table.reshuffles == 0 ? 1 : 0;
    return hand * 6 + std::min(table.reshuffles, 2) * 2 + lanes;
}

// A few states of each kind, met in rounds of the tiny cases.
void check_deals_anew(int repetitions) {
    context.test = "deal_anew";
    std::set<int> kinds;
    for (TinyCase& tiny : tiny_cases()) {
        const Setup setup(tiny.rules);
        context.n_seats = tiny.n_seats;
        std::array<int, 18> n_met{};
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            context.seed = seed;
            const DeckKind deck = seed % 2 == 0 ? DeckKind::STACK : DeckKind::LANES;
            Game game(setup, tiny.n_seats, seed, deck);
            Course course(seed);
            while (!game.round().finished()) {
                const int seat =
                    static_cast<int>(course.hash % static_cast<unsigned>(tiny.n_seats));
                const int kind = kind_of(seat, game, deck);
                if (kind >= 0 && n_met[static_cast<std::size_t>(kind)]++ == 0) {
                    kinds.insert(kind);
                    check_dealt_anew(seat, game, repetitions);
                }
                const Move move = public_move(tiny, game.table(), game.legal(), course);
                course.note_move(game.round(), move, game.apply(move));
            }
        }
    }
    require(kinds.size() == 12, "states of both pools with and without a drawn card");
}

// What comes after a deal anew has the law of the game: the unknown cards of a round dealt anew at
// any moment, and its later new piles.
void check_courses_after_deals(int n_rounds) {
    for (TinyCase& tiny : tiny_cases()) {
        tiny.policy = 8;
        context.test = tiny.name;
        const Setup setup(tiny.rules);
        CourseCount count(counted_law(tiny));
        for (int i = 0; i < n_rounds; ++i) {
            const auto key = static_cast<std::uint64_t>(i);
            Round round(setup, tiny.n_seats, key, i % 2 == 0 ? DeckKind::STACK : DeckKind::LANES,
                        {});
            Course course(tiny.policy);
            course.note(round.table().discard.top());
            while (!round.finished()) {
                if ((course.hash >> 20) % 3 == 0 && round.table().phase == Phase::TURN)
                    round.deal_anew(0, derive(key, Purpose::WORLD, course.shown.size()));
                const Move move = public_move(tiny, round.table(), round.legal(), course);
                course.note_move(round, move, round.apply(move));
            }
            course.note_end(round);
            count.add(course);
        }
        count.check("the exact law after deals anew");
    }
}

}  // namespace
}  // namespace skyjo::testing

int main(int n_arguments, char** arguments) {
    using namespace skyjo::testing;
    const int factor = n_arguments > 1 ? std::max(std::atoi(arguments[1]), 1) : 1;
    check_forced_cards(8'000 * factor);
    check_courses_after_deals(8'000 * factor);
    check_deals_anew(40 * factor);
    std::puts("laws of forced cards: fine");
    return 0;
}
