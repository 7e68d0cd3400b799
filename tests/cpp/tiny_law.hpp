// SPDX-License-Identifier: MIT
// The exact law of a round with a tiny deck, as whole numbers: the weight of each course that the
// round can take, found from every order of the deck and of each new pile, or from every card that
// a pool may give.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "testing.hpp"

namespace skyjo::testing {

using Weight = std::uint64_t;
using TinyLaw = std::unordered_map<std::string, Weight>;

// 9! times 6! for each of four new piles: divisible by whatever a deck of up to nine cards and four
// piles of up to six can give, and small enough to be multiplied by a count.
inline constexpr Weight WHOLE = Weight{362'880} * 720 * 720 * 720 * 720;

struct TinyCase {
    const char* name = "";
    Rules rules{};
    int n_seats = 2;
    Style style = Style::DRAWER;
    std::uint64_t policy = 0;
};

// What everybody has seen of a round, and the hash from which the next move is chosen.
struct Course {
    explicit Course(std::uint64_t policy) : hash(policy) {}

    void note(int byte) {
        shown.push_back(static_cast<char>(byte));
        hash = mix64(hash + GOLDEN) ^ static_cast<std::uint64_t>(byte);
    }
    template <class Deck>
    void note_move(const BasicRound<Deck>& round, Move move, const Step& step) {
        const Table& table = round.table();
        note(move);
        note(move == DRAW ? table.hand : step.card);
        note(table.discard.top());
        note(table.reshuffles);
    }
    template <class Deck>
    void note_end(const BasicRound<Deck>& round) {
        const Table& table = round.table();
        note(table.starter);
        note(table.closer);
        const Points raw = round.raw();
        for (int seat = 0; seat < table.n_seats; ++seat) {
            const auto i = static_cast<std::size_t>(seat);
            note(raw[i]);
            note(table.grids[i].removed);
            for (int cell = 0; cell < MAX_CELLS; ++cell) note(table.grids[i].code(cell));
        }
    }

    std::string shown;
    std::uint64_t hash;
};

// A move that depends on what was seen alone.
inline Move public_move(const TinyCase& tiny, const Table& table, MoveSet legal,
                        const Course& course) {
    Stream stream(course.hash);
    return choose(table, legal, tiny.style, stream);
}

// A round of a deck that is dealt: its first discard shows, the opening flips are due.
inline Table dealt_table(const Setup& setup, int n_seats, Code first_discard) {
    Table table;
    table.n_seats = static_cast<std::int8_t>(n_seats);
    table.hidden_pool = setup.rules.deck;
    --table.hidden_pool[first_discard];
    table.push_discard(first_discard);
    table.draw_pile_size =
        static_cast<std::uint8_t>(setup.n_cards - n_seats * setup.shape.n_cells - 1);
    return table;
}

inline std::vector<Code> cards_of(const Counts& counts) {
    std::vector<Code> cards;
    for (int code = 0; code < N_CODES; ++code)
        cards.insert(cards.end(), static_cast<std::size_t>(counts[static_cast<Code>(code)]),
                     static_cast<Code>(code));
    return cards;
}

// How many different orders some cards have.
inline Weight n_orders(const Counts& counts) {
    Weight n = 1;
    int placed = 0;
    for (int code = 0; code < N_CODES; ++code)
        for (int i = 1; i <= counts[static_cast<Code>(code)]; ++i)
            n = n * static_cast<Weight>(++placed) / static_cast<Weight>(i);
    return n;
}

inline Weight share(Weight weight, Weight part, Weight whole) {
    require(weight * part % whole == 0, "a weight that can be shared out without a rest");
    return weight * part / whole;
}

// Every order of the cards given, each once.
template <class Visit>
void for_each_order(const Counts& counts, Visit visit) {
    std::vector<Code> cards = cards_of(counts);
    do visit(cards);
    while (std::next_permutation(cards.begin(), cards.end()));
}

// The law of an ordered deck.
class OrderedLaw {
 public:
    OrderedLaw(const TinyCase& tiny, DeckKind kind) : tiny_(tiny), setup_(tiny.rules) {
        const Weight each = share(WHOLE, 1, n_orders(setup_.rules.deck));
        for_each_order(setup_.rules.deck, [&](const std::vector<Code>& cards) {
            OrderedDeck deck(0, kind);
            const Code first =
                deck.deal_as(cards.data(), setup_.n_cards, tiny.n_seats, setup_.shape.n_cells);
            Course course(tiny.policy);
            course.note(first);
            play(Round(setup_, dealt_table(setup_, tiny.n_seats, first), deck, {}), course, each);
        });
    }

    TinyLaw law;
    Weight reshuffled = 0;  // weight of the courses with two new piles or more
    Weight removed = 0;     // of those that leave a hole in the first grid

 private:
    void play(Round round, Course course, Weight weight) {
        while (!round.finished()) {
            const Move move = public_move(tiny_, round.table(), round.legal(), course);
            const Step step = round.apply(move);
            if (step.reshuffled) return play_each_pile(round, course, move, step, weight);
            course.note_move(round, move, step);
        }
        course.note_end(round);
        law[course.shown] += weight;
        if (round.table().reshuffles > 1) reshuffled += weight;
        if (round.table().grids[0].removed != 0) removed += weight;
    }
    void play_each_pile(const Round& round, const Course& before, Move move, const Step& step,
                        Weight weight) {
        std::array<Code, MAX_CARDS> pile{};
        const int n = round.new_pile(pile.data());
        Counts counts;
        for (int i = 0; i < n; ++i) ++counts[pile[static_cast<std::size_t>(i)]];
        const Weight each = share(weight, 1, n_orders(counts));
        for_each_order(counts, [&](const std::vector<Code>& cards) {
            Round next = round;
            next.relay_pile(cards.data(), n);
            Course course = before;
            course.note_move(next, move, step);
            play(next, course, each);
        });
    }

    TinyCase tiny_;
    Setup setup_;
};

// What a pool gives, by script: all scripts one after the other are every way to draw.
class Script {
 public:
    Code pick(const Counts& pool) {
        if (next_ == drawn_.size()) drawn_.push_back({first_from(pool, 0), pool});
        const Code card = drawn_[next_++].card;
        weight_ =
            share(weight_, static_cast<Weight>(pool[card]), static_cast<Weight>(pool.total()));
        return card;
    }
    // Starts over with the next script; false after the last.
    bool advance() {
        next_ = 0;
        weight_ = WHOLE;
        for (; !drawn_.empty(); drawn_.pop_back()) {
            Drawn& last = drawn_.back();
            last.card = first_from(last.pool, last.card + 1);
            if (last.card != NO_CARD) return true;
        }
        return false;
    }
    [[nodiscard]] Weight weight() const { return weight_; }

 private:
    struct Drawn {
        Code card;
        Counts pool;
    };
    static Code first_from(const Counts& pool, int code) {
        while (code < N_CODES && pool[static_cast<Code>(code)] == 0) ++code;
        return code < N_CODES ? static_cast<Code>(code) : NO_CARD;
    }

    std::vector<Drawn> drawn_;
    std::size_t next_ = 0;
    Weight weight_ = WHOLE;
};

// CountedDeck with a script in place of its stream.
class ScriptedDeck {
 public:
    explicit ScriptedDeck(Script* script) : script_(script) {}

    Code draw(const Table& table, int) { return script_->pick(table.draw_pool()); }
    Code reveal(const Table& table, int, int) { return script_->pick(table.hidden_pool); }
    void reshuffle(const Code*, int, int) {}
    [[nodiscard]] std::uint64_t key() const { return 0; }

 private:
    Script* script_;
};

// The law of drawing from counts.
inline TinyLaw counted_law(const TinyCase& tiny) {
    const Setup setup(tiny.rules);
    TinyLaw law;
    Script script;
    do {
        const Code first = script.pick(setup.rules.deck);
        Course course(tiny.policy);
        course.note(first);
        BasicRound<ScriptedDeck> round(setup, dealt_table(setup, tiny.n_seats, first),
                                       ScriptedDeck(&script), {});
        while (!round.finished()) {
            const Move move = public_move(tiny, round.table(), round.legal(), course);
            course.note_move(round, move, round.apply(move));
        }
        course.note_end(round);
        law[course.shown] += script.weight();
    } while (script.advance());
    return law;
}

// A deck of few values, so many copies of each.
inline Counts tiny_deck(std::initializer_list<std::pair<int, int>> copies) {
    Counts deck;
    for (const auto& [value, n] : copies) deck[code_of(value)] = static_cast<std::uint8_t>(n);
    return deck;
}

inline Rules tiny_rules(int rows, int columns, const Counts& deck, int n_turns) {
    Rules rules;
    rules.rows = rows;
    rules.columns = columns;
    rules.deck = deck;
    rules.initial_flips = 1;
    rules.row_removal = rows == 1;
    rules.max_turns_per_round = n_turns;
    rules.stall_limit = OFF;
    return rules;
}

inline std::vector<TinyCase> tiny_cases() {
    const Counts eight = tiny_deck({{-1, 2}, {3, 4}, {7, 2}});
    const Counts nine = tiny_deck({{0, 2}, {5, 5}, {9, 2}});
    std::vector<TinyCase> cases;
    cases.push_back({"keep_top", tiny_rules(2, 1, eight, 8)});
    cases.push_back({"rows", tiny_rules(1, 2, eight, 7)});
    cases.push_back({"long pile", tiny_rules(2, 1, nine, 8)});
    cases.push_back({"even", tiny_rules(2, 1, nine, 8), 2, Style::EVEN});
    cases.push_back({"three seats", tiny_rules(2, 1, nine, 8), 3});
    cases.push_back({"all_then_flip", tiny_rules(2, 1, eight, 7)});
    cases.back().rules.reshuffle = Reshuffle::ALL_THEN_FLIP;
    cases.push_back({"eager", tiny_rules(1, 2, eight, 7)});
    cases.back().rules.reshuffle_timing = ReshuffleTiming::EAGER;
    cases.push_back({"eager, all_then_flip", tiny_rules(2, 1, eight, 5)});
    cases.back().rules.reshuffle_timing = ReshuffleTiming::EAGER;
    cases.back().rules.reshuffle = Reshuffle::ALL_THEN_FLIP;
    return cases;
}

}  // namespace skyjo::testing
