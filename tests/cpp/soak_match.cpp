// SPDX-License-Identifier: MIT
// Matches of native bots under the sanitizers: whole logs, and faults of every kind.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "native_match.hpp"
#include "skyjo/record_text.hpp"
#include "skyjo/text_buffer.hpp"

namespace skyjo::testing {
namespace {

Counts counted(const std::vector<Code>& cards) {
    Counts counts;
    for (const Code card : cards) ++counts[card];
    return counts;
}

// A new draw pile in the log: the card flipped, the one just drawn, what is left in draw order.
void check_pile(const Game& game, const Step& step, const RoundLog& round) {
    std::vector<Code> pile;
    if (game.setup().rules.reshuffle == Reshuffle::ALL_THEN_FLIP)
        pile.push_back(game.table().discard.cards[0]);
    if (game.table().phase == Phase::HOLD) pile.push_back(step.card);
    std::array<Code, MAX_CARDS> rest{};
    const int n = game.round().deck().undrawn(rest.data());
    pile.insert(pile.end(), rest.begin(), rest.begin() + n);
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
        require(static_cast<int>(round.dealt.size()) == setup.shape.n_cells * n_seats + 1,
                "all that was dealt");
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
    require(played.result.places == played.game.sheet().places(), "places of the sheet");
}

template <class Items, class Number>
std::string list_text(const Items& items, Number number) {
    std::string text = "[";
    for (const auto& item : items)
        text.append(text.size() > 1 ? "," : "").append(std::to_string(number(item)));
    return text + "]";
}

// The rounds of a record, written item by item.
std::string rounds_text(const Played& played) {
    const auto seat = [](int value) { return value < 0 ? "null" : std::to_string(value); };
    const auto same = [](int value) { return value; };
    const auto n_seats = static_cast<std::size_t>(played.game.n_seats());
    std::string text;
    for (const RoundLog& round : played.log.rounds()) {
        text += text.empty() ? "[{" : ",{";
        text += "\"deck\":" + list_text(round.deck(), value_of);
        text += ",\"starter\":" + seat(round.starter) + ",\"moves\":";
        text += list_text(round.moves, [](const skyjo_played& move) { return int{move.move}; });
        text += ",\"reshuffles\":[";
        for (const std::vector<Code>& pile : round.reshuffles)
            text.append(&pile == round.reshuffles.data() ? "" : ",")
                .append(list_text(pile, value_of));
        text += "],\"closer\":" + seat(round.closer);
        text.append(",\"stalled\":").append(round.stalled ? "true" : "false");
        text.append(",\"capped\":").append(round.capped ? "true" : "false");
        text += ",\"raw\":" + list_text(std::span(round.raw).first(n_seats), same);
        text += ",\"points\":" + list_text(std::span(round.points).first(n_seats), same) + "}";
    }
    return text + "]";
}

// Behind other text, in a buffer that is used again.
void check_line(const Played& played, TextBuffer& lines) {
    if (lines.size() > 100'000) lines.clear();
    const std::size_t begin = lines.size();
    append_record(lines, {"{}", "[]", "[]", 7, {}}, played.log, played.game);
    const std::string_view line = lines.view().substr(begin);
    require(line.starts_with("{\"format\":\"skyjo-record/1\",\"rules\":{},\"seed\":\"" +
                             std::to_string(played.game.seed())),
            "how a record begins");
    require(line.find("\"rounds\":" + rounds_text(played) + ",\"totals\":") != line.npos,
            "the rounds of the record");
    require(line.ends_with("}"), "how a record ends");
}

void soak_matches(int n_games) {
    context.test = "matches";
    TextBuffer lines;
    Stream stream(3);
    std::set<std::uint64_t> hashes;
    for (int i = 0; i < n_games; ++i) {
        Rules rules = i % 2 == 0 ? plain_rules(i % 4 == 0, stream) : random_rules(stream);
        const Setup setup(rules);
        const int n_seats = 2 + i % (setup.max_seats - 1);
        context.seed = stream.next();
        context.n_seats = n_seats;
        const DeckKind kind = i % 2 == 0 ? DeckKind::STACK : DeckKind::LANES;
        const Played played = native_match(setup, n_seats, context.seed, kind);
        require(played.result.faults.empty(), "native bots without a fault");
        check_log(setup, played);
        check_line(played, lines);
        const Played again = native_match(setup, n_seats, context.seed, kind, Timing::ON);
        require(again.log.moves_hash() == played.log.moves_hash(), "the same moves again");
        require(again.game.totals() == played.game.totals(), "the same totals again");
        std::int64_t spent = 0;
        for (const std::int64_t nanoseconds : again.result.nanoseconds) spent += nanoseconds;
        require(spent > 0 && played.result.nanoseconds == decltype(played.result.nanoseconds){},
                "time where it is asked for");
        hashes.insert(played.log.moves_hash());
    }
    // Games on the smallest grids may be alike.
    require(10 * static_cast<int>(hashes.size()) > 9 * n_games, "another hash for other games");
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
constexpr skyjo_bot FAULTY = {sizeof(skyjo_bot), SKYJO_BOT_ABI, SKYJO_VERSION, "faulty",
                              nullptr,           faulty_move,   faulty_event,  nullptr};

struct FaultyMatch {
    Played played;
    Faulty bot;
};

FaultyMatch faulty_match(const Setup& setup, Faulty bot, int seat, OnFault on_fault,
                         Seats may_stop = 0) {
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
        play_match(match.played.game, match.played.log, bots, {on_fault, Timing::OFF, may_stop});
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
            faulty_match(setup, {0, SKYJO_STOP, in_event, SKYJO_ROUND_END}, 1, OnFault::FORFEIT, 2);
        require(stop.played.result.stopped && !stop.played.result.aborted, "a stop");
        require(stop.played.result.faults.empty(), "no fault of the bot's");
        const FaultyMatch may_not =
            faulty_match(setup, {0, SKYJO_STOP, in_event, SKYJO_ROUND_END}, 1, OnFault::FORFEIT, 5);
        require(may_not.played.result.faults.size() == 1 && !may_not.played.result.stopped,
                "a fault of who may not stop a match");
        const FaultyMatch abort =
            faulty_match(setup, {0, -2, in_event, SKYJO_ROUND_END}, 1, OnFault::ABORT);
        require(abort.played.result.aborted && abort.played.result.faults.size() == 1, "an abort");
        require(!abort.played.game.over(), "a game that is not over");
        const Fault& fault = abort.played.result.faults[0];
        require(!in_event || (fault.round == 1 && fault.move == 0), "where a hook aborts a match");
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
    ScoreSheet sheet;
    sheet.n_seats = 4;
    sheet.add_last(Rules{}, totals);
    const auto none = places_with_faults(sheet.places(), 4, {});
    require(none[0] == 1 && none[1] == 4 && none[2] == 2 && none[3] == 2, "places by totals");
    const auto one = places_with_faults(sheet.places(), 4, {first});
    require(one[0] == 4 && one[1] == 3 && one[2] == 1 && one[3] == 1, "the forfeiter last");
    const auto two = places_with_faults(sheet.places(), 4, {first, second});
    require(two[0] == 3 && two[1] == 2 && two[2] == 3 && two[3] == 1, "forfeiters to share");
}

}  // namespace
}  // namespace skyjo::testing

int main() {
    using namespace skyjo::testing;
    check_places_with_faults();
    soak_faults();
    soak_matches(1'500);
    std::puts("soak of matches: fine");
    return 0;
}
