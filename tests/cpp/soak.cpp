// SPDX-License-Identifier: MIT
// Plays tens of thousands of random games under the sanitizers and checks every state.
//
// Both models of the deck go through the same template. After every move: no card lost or made,
// pools equal to what really lies there, grids in form, legal moves not empty, views in step.
#include <algorithm>
#include <array>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "testing.hpp"

namespace skyjo::testing {
namespace {

Counts& operator+=(Counts& sum, const Counts& counts) {
    for (std::size_t i = 0; i < sum.n.size(); ++i)
        sum.n[i] = static_cast<std::uint8_t>(sum.n[i] + counts.n[i]);
    return sum;
}

Counts open_cards(const Table& table) {
    Counts counts;
    for (int seat = 0; seat < table.n_seats; ++seat) {
        const Grid& grid = table.grids[static_cast<std::size_t>(seat)];
        for (unsigned rest = grid.up; rest != 0; rest &= rest - 1)
            ++counts[grid.code(std::countr_zero(rest))];
    }
    return counts;
}

int n_hidden(const Table& table, const Shape& shape) {
    int n = 0;
    for (int seat = 0; seat < table.n_seats; ++seat)
        n += std::popcount(
            static_cast<unsigned>(table.grids[static_cast<std::size_t>(seat)].hidden(shape)));
    return n;
}

void check_grids(const Table& table, const Setup& setup) {
    for (int seat = 0; seat < MAX_SEATS; ++seat) {
        const Grid& grid = table.grids[static_cast<std::size_t>(seat)];
        if (seat >= table.n_seats) {
            require(grid == Grid{}, "no card at a seat that is not there");
            continue;
        }
        require((grid.up & grid.removed) == 0, "a cell to be open or a hole, not both");
        require(((grid.up | grid.removed) & ~setup.shape.all) == 0, "cells of the grid");
        for (int cell = 0; cell < setup.shape.n_cells; ++cell) {
            if (!grid.is_up(cell))
                require(grid.code(cell) == 0, "no code in a cell that is not up");
            if (grid.is_up(cell))
                require(setup.rules.deck[grid.code(cell)] > 0, "a card of the deck in a cell");
        }
        require(grid.complete(setup.shape.column_lines) == 0, "complete columns to have left");
        for (int column = 0; column < 4; ++column) {
            const int holes = (grid.removed >> (3 * column)) & 7;
            require(holes == 0 || holes == 7, "whole columns of holes");
        }
    }
}

// No card lost or made, code by code; pools of the right sizes (RULES E.2, E.5).
void check_cards(const Table& table, const Setup& setup) {
    Counts discards;
    for (int i = 0; i < table.discard.size; ++i)
        ++discards[table.discard.cards[static_cast<std::size_t>(i)]];
    require(discards == table.discard_counts, "counts of the discard pile");
    Counts all = open_cards(table);
    all += table.discard_counts;
    all += table.hidden_pool;
    all += table.pile_pool;
    if (table.hand != NO_CARD) ++all[table.hand];
    require(all == setup.rules.deck, "every card of the deck once");
    const int hidden = n_hidden(table, setup.shape);
    if (table.reshuffles == 0) {
        require(table.pile_pool == Counts{}, "one pool before a reshuffle");
        require(table.hidden_pool.total() == hidden + table.draw_pile_size, "the size of the pool");
    } else {
        require(table.hidden_pool.total() == hidden, "the pool of the cells to be theirs");
        require(table.pile_pool.total() == table.draw_pile_size, "the pool of the pile");
    }
    require((table.hand != NO_CARD) == (table.phase == Phase::HOLD), "a hand in HOLD alone");
    require(table.phase != Phase::TURN || table.discard.size > 0, "a discard at a turn");
}

// With an ordered deck what really lies face down is known: the pools must be exactly that.
void check_truth(const Table& table, const OrderedDeck& deck, const Setup& setup) {
    Counts hidden;
    for (int seat = 0; seat < table.n_seats; ++seat)
        for (unsigned rest = table.grids[static_cast<std::size_t>(seat)].hidden(setup.shape);
             rest != 0; rest &= rest - 1)
            ++hidden[deck.reveal(table, seat, std::countr_zero(rest))];
    std::array<Code, MAX_CARDS> cards{};
    const int n = deck.undrawn(table, cards.data());
    require(n == table.draw_pile_size, "as many undrawn cards as the pile has");
    Counts pile;
    for (int i = 0; i < n; ++i) ++pile[cards[static_cast<std::size_t>(i)]];
    if (table.reshuffles == 0) {
        hidden += pile;
        require(hidden == table.hidden_pool, "the pool to be what lies unseen");
    } else {
        require(hidden == table.hidden_pool, "the cells' pool to be what lies in the cells");
        require(pile == table.pile_pool, "the pile's pool to be what lies in the pile");
    }
}
void check_truth(const Table&, const CountedDeck&, const Setup&) {}

template <class AnyGame>
void check_views(const AnyGame& game) {
    const Table& table = game.table();
    for (int seat = 0; seat < table.n_seats; ++seat) {
        skyjo_view view{};
        fill_view(game, seat, nullptr, 0, view);
        const bool moves = seat == table.seat;
        require(view.seat == seat && view.n_seats == table.n_seats, "the view's own seat");
        require((view.to_move == 0) == moves, "relative seat 0 to be the own one");
        require(legal_of(view) == (moves ? game.legal() : MoveSet{}), "the mover's legal moves");
        require(view.hand == (moves ? table.hand : NO_CARD), "the hand for its holder alone");
        for (int i = 0; i < table.n_seats; ++i) {
            const auto absolute = static_cast<std::size_t>((seat + i) % table.n_seats);
            require(grid_of(view, i) == table.grids[absolute], "grids by relative seat");
            require(view.totals[i] == game.totals()[absolute], "totals by relative seat");
        }
        const int held = table.hand != NO_CARD && !moves ? 1 : 0;
        int pile = 0;
        int hidden = 0;
        for (int code = 0; code < SKYJO_COUNTS; ++code) {
            pile += view.pile_counts[code];
            hidden += view.hidden_counts[code];
        }
        const int n = n_hidden(table, game.setup().shape);
        const int both = n + table.draw_pile_size + held;
        require(pile == (table.reshuffles == 0 ? both : table.draw_pile_size + held), "the pile");
        require(hidden == (table.reshuffles == 0 ? both : n), "the cells");
    }
}

template <class Deck>
void check_state(const BasicGame<Deck>& game, int& hidden_before) {
    const Table& table = game.table();
    check_grids(table, game.setup());
    check_cards(table, game.setup());
    check_truth(table, game.round().deck(), game.setup());
    const int hidden = n_hidden(table, game.setup().shape);
    require(hidden <= hidden_before, "no more hidden cards than before");
    hidden_before = hidden;
    require(table.phase != Phase::OVER || hidden == 0, "all cards open at the end");
    require((table.seat < 0) == (table.phase == Phase::OVER), "a seat to move until the end");
    require(game.legal().empty() == (table.phase == Phase::OVER), "a legal move until the end");
}

void check_end_of_round(const Setup& setup, const Table& table, const Points& points) {
    require(table.capped == (table.closer < 0), "a closer, or the cap");
    require(table.turns <= setup.rules.max_turns_per_round, "no turn beyond the cap");
    require(table.last_turns.size == 0, "no last turn left");
    for (int seat = 0; seat < table.n_seats; ++seat) {
        const int raw = table.grids[static_cast<std::size_t>(seat)].open_points();
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
        for (const Grid& grid : table.grids) tally.removals += std::popcount(grid.removed) / 3;
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
        const int n_seats = 2 + i % 7;
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
        std::printf("games: %lld games, %lld rounds, %lld moves, %lld reshuffles, %lld columns\n",
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
        deck.lay_pile(pile.data(), game.round().deck().undrawn(game.table(), pile.data()));
        Game twin(setup, Round(setup, game.table(), deck, -1), game.totals());
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

// Matches

SeatBot native_seat(const char* name, std::uint64_t key) {
    const skyjo_bot* bot = native_bot(name);
    require(bot != nullptr && bot->size == sizeof(skyjo_bot), "a native bot of this name");
    return {bot, bot->create("", key)};
}

struct Played {
    Game game;
    GameLog log;
    MatchResult result;
};

Played native_match(const Setup& setup, int n_seats, std::uint64_t seed, DeckKind kind,
                    Timing timing = Timing::OFF) {
    Played played{Game(setup, n_seats, seed, kind), {}, {}};
    played.log.begin(played.game);
    std::array<SeatBot, MAX_SEATS> bots{};
    for (int seat = 0; seat < n_seats; ++seat)
        bots[static_cast<std::size_t>(seat)] =
            native_seat(seat % 2 == 0 ? "random" : "threshold",
                        bot_key(seed, 0, 0, 0, static_cast<std::uint64_t>(seat)));
    played.result = play_match(played.game, played.log, bots, {OnFault::FORFEIT, timing});
    for (const SeatBot& bot : bots)
        if (bot.bot != nullptr) bot.bot->destroy(bot.self);
    return played;
}

Counts counted(const std::vector<Code>& cards) {
    Counts counts;
    for (const Code card : cards) ++counts[card];
    return counts;
}

// A new draw pile in the log: the card just drawn, then what is left, in draw order.
void check_pile(const Game& game, const Step& step, const RoundLog& round) {
    std::vector<Code> pile(MAX_CARDS + 1, step.card);
    const int n = game.round().deck().undrawn(game.table(), pile.data() + 1);
    pile.resize(static_cast<std::size_t>(n) + 1);
    const auto number = static_cast<std::size_t>(game.table().reshuffles) - 1;
    require(number < round.reshuffles.size() && round.reshuffles[number] == pile, "the new pile");
}

// The log of a finished game: whole decks, and its moves lead to the same rounds again.
void check_log(const Setup& setup, const Played& played) {
    const int n_seats = played.game.n_seats();
    Game again(setup, n_seats, played.game.seed(), played.game.deck_kind());
    std::int64_t decisions = 0;
    Points totals{};
    for (const RoundLog& round : played.log.rounds()) {
        require(round.finished, "finished rounds");
        require(counted(round.deck()) == setup.rules.deck, "the whole deck in the log");
        require(static_cast<int>(round.dealt.size()) == 12 * n_seats + 1, "all that was dealt");
        for (const skyjo_played& move : round.moves) {
            require(again.table().seat == move.seat, "the seat of a move");
            require(again.legal().has(move.move), "a legal move in the log");
            const Step step = again.apply(move.move);
            require(step.card == move.card, "the card that the move showed");
            if (step.reshuffled) check_pile(again, step, round);
            ++decisions;
        }
        require(again.round().finished(), "all moves of the round");
        require(again.round().raw() == round.raw && again.round().points() == round.points,
                "the same score");
        require(again.table().closer == round.closer && again.table().starter == round.starter,
                "the same closer and starter");
        require(static_cast<int>(round.reshuffles.size()) == again.table().reshuffles,
                "each new pile");
        require(again.table().stalled == round.stalled && again.table().capped == round.capped,
                "the same flags");
        for (std::size_t i = 0; i < totals.size(); ++i) totals[i] += round.points[i];
        again.settle();
        if (!again.over()) again.next_round();
    }
    require(again.over() && again.end() == played.game.end(), "the same end");
    require(totals == played.game.totals(), "totals to be the sums of points");
    if (!played.result.faults.empty()) return;
    std::int64_t counted_decisions = 0;
    for (const std::int64_t n : played.result.decisions) counted_decisions += n;
    require(counted_decisions == decisions, "each decision counted");
    require(played.result.places == places(totals, n_seats), "places by totals");
}

void soak_matches(int n_games) {
    context.test = "matches";
    Stream stream(3);
    std::set<std::uint64_t> hashes;
    for (int i = 0; i < n_games; ++i) {
        Rules rules = random_rules(stream);
        const Setup setup(rules);
        const int n_seats = 2 + i % 7;
        context.seed = stream.next();
        context.n_seats = n_seats;
        const DeckKind kind = i % 2 == 0 ? DeckKind::STACK : DeckKind::LANES;
        const Played played = native_match(setup, n_seats, context.seed, kind);
        require(played.result.faults.empty(), "native bots without a fault");
        check_log(setup, played);
        const Played again = native_match(setup, n_seats, context.seed, kind, Timing::ON);
        require(again.log.moves_hash() == played.log.moves_hash(), "the same moves again");
        require(again.game.totals() == played.game.totals(), "the same totals again");
        require(again.result.nanoseconds[0] > 0 && played.result.nanoseconds[0] == 0,
                "time where it is asked for");
        hashes.insert(played.log.moves_hash());
    }
    require(static_cast<int>(hashes.size()) == n_games, "another hash for each game");
}

// A native bot that plays the lowest move until its decision or event number `at`.
struct Faulty {
    int at = 0;
    int answer = 0;
    bool in_event = false;
    int event_kind = 0;
    int n_calls = 0;
    int n_after = 0;  // calls after the fault
    bool failed = false;

    int call(bool is_due, int normal) {
        if (failed) ++n_after;
        if (!is_due || n_calls++ != at) return normal;
        failed = true;
        return answer;
    }
};

int faulty_move(void* self, const skyjo_view* view) {
    auto& bot = *static_cast<Faulty*>(self);
    require(view->legal != 0 && view->to_move == 0, "to be asked at the own turn");
    return bot.call(!bot.in_event, std::countr_zero(view->legal));
}
int faulty_event(void* self, int kind, const skyjo_view* view, const std::int8_t* given) {
    auto& bot = *static_cast<Faulty*>(self);
    require((given != nullptr) == (kind == SKYJO_GAME_END), "places at the end alone");
    require(kind == SKYJO_GAME_START || view->phase == 3, "phase OVER after a round");
    return bot.call(bot.in_event && kind == bot.event_kind, 0);
}
constexpr skyjo_bot FAULTY = {sizeof(skyjo_bot), "faulty",     nullptr,
                              faulty_move,       faulty_event, nullptr};

struct FaultyMatch {
    Played played;
    Faulty bot;
};

FaultyMatch faulty_match(const Setup& setup, Faulty bot, int seat, OnFault on_fault) {
    context.seed = 11;
    context.n_seats = 3;
    FaultyMatch match{{Game(setup, 3, context.seed, DeckKind::STACK), {}, {}}, bot};
    match.played.log.begin(match.played.game);
    std::array<Faulty, 3> seats{};
    seats.fill(Faulty{-1});
    seats[static_cast<std::size_t>(seat)] = bot;
    std::array<SeatBot, MAX_SEATS> bots{};
    for (std::size_t i = 0; i < 3; ++i) bots[i] = {&FAULTY, &seats[i]};
    match.played.result =
        play_match(match.played.game, match.played.log, bots, {on_fault, Timing::OFF});
    match.bot = seats[static_cast<std::size_t>(seat)];
    return match;
}

Rules three_rounds() {
    Rules rules;
    rules.threshold = OFF;
    rules.max_rounds = 3;
    return rules;
}

void check_forfeit(const Setup& setup, Faulty bot, int seat, FaultKind kind) {
    const FaultyMatch match = faulty_match(setup, bot, seat, OnFault::FORFEIT);
    const MatchResult& result = match.played.result;
    require(match.bot.failed && match.bot.n_after == 0, "no call after the fault");
    require(result.faults.size() == 1 && !result.aborted && !result.stopped, "one forfeit");
    const Fault& fault = result.faults[0];
    require(fault.seat == seat && fault.kind == kind && fault.answer == bot.answer, "its fault");
    require(match.played.game.over(), "the game to its end");
    require(result.places[static_cast<std::size_t>(seat)] == 3, "the last place");
    check_log(setup, match.played);
    const auto& rounds = match.played.log.rounds();
    require(fault.round < static_cast<int>(rounds.size()), "a round of the game");
    const auto& moves = rounds[static_cast<std::size_t>(fault.round)].moves;
    require(fault.move <= static_cast<int>(moves.size()), "a move of the round");
    if (!bot.in_event) {
        require(result.decisions[static_cast<std::size_t>(seat)] == bot.at + 1,
                "the bot's own decisions counted");
        const skyjo_played& stand_in = moves[static_cast<std::size_t>(fault.move)];
        require(stand_in.seat == seat, "the stand-in's move at the fault");
        require(MoveSet{fault.legal}.has(stand_in.move), "a move that was legal there");
    }
}

void soak_faults() {
    context.test = "faults";
    const Setup setup(three_rounds());
    for (int seat = 0; seat < 3; ++seat)
        for (const int at : {0, 1, 2, 7, 30})
            for (const int answer : {-1, -2, 37, 255, 1000, -100}) {
                context.move = at;
                check_forfeit(setup, {at, answer}, seat,
                              answer == SKYJO_FAULT_EXCEPTION ? FaultKind::EXCEPTION
                                                              : FaultKind::ILLEGAL_MOVE);
            }
    check_forfeit(setup, {0, DRAW}, 1, FaultKind::ILLEGAL_MOVE);
    check_forfeit(setup, {2, 0}, 1, FaultKind::ILLEGAL_MOVE);
    for (const int kind : {SKYJO_GAME_START, SKYJO_ROUND_END, SKYJO_GAME_END})
        check_forfeit(setup, {0, SKYJO_FAULT_EXCEPTION, true, kind}, 2, FaultKind::EXCEPTION);

    // Two hooks' faults: at the next decision, and behind the last one.
    const FaultyMatch later =
        faulty_match(setup, {1, -2, true, SKYJO_ROUND_END}, 0, OnFault::FORFEIT);
    require(later.played.result.faults[0].round == 2 && later.played.result.faults[0].move == 0,
            "a hook's fault at the next decision");
    const FaultyMatch last =
        faulty_match(setup, {0, -2, true, SKYJO_GAME_END}, 0, OnFault::FORFEIT);
    const std::size_t n_moves = last.played.log.rounds().back().moves.size();
    require(last.played.result.faults[0].move == static_cast<int>(n_moves), "behind the last move");

    for (const bool in_event : {false, true}) {
        const FaultyMatch stop =
            faulty_match(setup, {0, SKYJO_STOP, in_event, SKYJO_ROUND_END}, 1, OnFault::FORFEIT);
        require(stop.played.result.stopped && !stop.played.result.aborted, "a stop");
        require(stop.played.result.faults.empty(), "no fault of the bot's");
        const FaultyMatch abort =
            faulty_match(setup, {0, -2, in_event, SKYJO_ROUND_END}, 1, OnFault::ABORT);
        require(abort.played.result.aborted && abort.played.result.faults.size() == 1, "an abort");
        require(!abort.played.game.over(), "a game that is not over");
        for (const std::int8_t place : abort.played.result.places)
            require(place == 0, "no places after an abort");
    }
}

void check_places_with_faults() {
    context.test = "places";
    const Points totals = {10, 30, 20, 20};
    Fault first;
    first.seat = 0;
    Fault second;
    second.seat = 2;
    const auto none = places_with_faults(totals, 4, {});
    require(none[0] == 1 && none[1] == 4 && none[2] == 2 && none[3] == 2, "places by totals");
    const auto one = places_with_faults(totals, 4, {first});
    require(one[0] == 4 && one[1] == 3 && one[2] == 1 && one[3] == 1, "the forfeiter last");
    const auto two = places_with_faults(totals, 4, {first, second});
    require(two[0] == 3 && two[1] == 2 && two[2] == 3 && two[3] == 1, "forfeiters to share");
}

// P39: over 100,000 consecutive seeds no deal repeats.
void check_decks_differ() {
    context.test = "decks";
    std::vector<std::pair<std::uint64_t, std::uint64_t>> decks;
    const Counts composition = classic_deck();
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
    check_places_with_faults();
    check_decks_differ();
    soak_faults();
    soak_given_positions(2'000);
    soak_matches(1'500);
    soak_games(20'000);
    std::puts("soak: fine");
    return 0;
}
