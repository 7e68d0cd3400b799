// SPDX-License-Identifier: MIT
// Replays of whole matches under the sanitizers: the same outcome again, and for what was changed
// in a record the right problem at the right move.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "native_match.hpp"

namespace skyjo::testing {
namespace {

GivenRound given_of(const RoundLog& round) {
    GivenRound given;
    given.deck = round.deck();
    given.starter = round.starter;
    for (const skyjo_played& played : round.moves) given.moves.push_back(played.move);
    given.reshuffles = round.reshuffles;
    return given;
}

// A match, and what its seed says of each round: at which moves a new pile was made, who could
// have started.
struct Match {
    Setup setup;
    Played played;
    std::vector<std::vector<std::size_t>> piles;
    std::vector<Seats> may_start;

    Match(const Rules& rules, int n_seats, std::uint64_t seed, DeckKind kind)
        : setup(rules), played(native_match(setup, n_seats, seed, kind)) {
        Game again(setup, n_seats, seed, kind);
        for (const RoundLog& round : played.log.rounds()) {
            std::vector<std::size_t>& made = piles.emplace_back();
            for (std::size_t i = 0; i < round.moves.size(); ++i)
                if (again.apply(round.moves[i].move).reshuffled) made.push_back(i);
            may_start.push_back(again.round().may_start());
            again.settle();
            if (!again.over()) again.next_round();
        }
    }
    Match(const Match&) = delete;
    Match& operator=(const Match&) = delete;

    [[nodiscard]] GivenRound given(std::size_t round) const {
        return given_of(played.log.rounds()[round]);
    }
    // A replay that stands before a round.
    [[nodiscard]] Replay before(std::size_t round) const {
        Replay replay(setup, played.game.n_seats());
        for (std::size_t i = 0; i < round; ++i)
            require(replay.play(given(i)).problem == ReplayProblem::NONE, "the rounds before");
        require(replay.ready(), "a round to be due");
        return replay;
    }
};

// The opening flips are the moves before the first that takes or draws.
int n_opening_flips(const RoundLog& round) {
    const auto first_turn =
        std::find_if(round.moves.begin(), round.moves.end(),
                     [](const skyjo_played& played) { return verb_of(played.move) != Verb::FLIP; });
    return static_cast<int>(first_turn - round.moves.begin());
}

void check_round(const Replay& replay, const ReplayedRound& result, const RoundLog& round) {
    const Game& game = replay.game();
    require(result.problem == ReplayProblem::NONE && result.n_played == round.moves.size(),
            "a whole round");
    require(result.seats.size() == round.moves.size(), "a seat for each move");
    for (std::size_t i = 0; i < round.moves.size(); ++i)
        require(result.seats[i] == round.moves[i].seat, "the seat of each move");
    require(result.opening == n_opening_flips(round), "the end of the opening flips");
    require(game.table().starter == round.starter && game.table().closer == round.closer,
            "the same starter and closer");
    require(game.table().stalled == round.stalled && game.table().capped == round.capped,
            "the same flags");
    require(game.round().raw() == round.raw && game.round().points() == round.points,
            "the same score");
    require(game.table().grids == round.grids, "the same grids");
}

void check_whole(const Match& match) {
    Replay replay(match.setup, match.played.game.n_seats());
    require(replay.ready() && !replay.begun(), "a fresh replay");
    for (const RoundLog& round : match.played.log.rounds()) {
        require(replay.ready(), "a round to be due");
        check_round(replay, replay.play(given_of(round)), round);
    }
    const Game& game = replay.game();
    require(!replay.ready() && game.over() && game.end() == match.played.game.end(),
            "the same end");
    require(game.totals() == match.played.game.totals(), "the same totals");
    require(game.sheet().places() == match.played.result.places, "the same places");
}

// What is changed in one round, and what a replay has to say of it.

void check_cut(const Match& match, std::size_t number, Stream& stream) {
    GivenRound given = match.given(number);
    const std::vector<Move> moves = given.moves;
    const std::size_t at = stream.below(moves.size());
    given.moves.resize(at);
    Replay replay = match.before(number);
    const ReplayedRound result = replay.play(given);
    require(result.problem == ReplayProblem::NONE && result.n_played == at, "the moves there are");
    require(!replay.ready() && !replay.game().round().finished(), "an unfinished round");
    require(result.seats.size() == at + 1 &&
                result.seats[at] == match.played.log.rounds()[number].moves[at].seat,
            "the seat whose decision is next");

    const MoveSet legal = replay.game().legal();
    auto wrong = static_cast<Move>(pick(stream, 256));
    while (legal.has(wrong)) ++wrong;
    given.moves = moves;
    given.moves[at] = wrong;
    Replay illegal = match.before(number);
    const ReplayedRound stopped = illegal.play(given);
    require(stopped.problem == ReplayProblem::ILLEGAL && stopped.n_played == at,
            "an illegal move where it is");
    require(stopped.legal == legal && !illegal.ready(), "the moves that are legal there");
}

void check_other_move(const Match& match, std::size_t number, Stream& stream) {
    GivenRound given = match.given(number);
    const RoundLog& round = match.played.log.rounds()[number];
    const std::size_t at = stream.below(given.moves.size());
    given.moves[at] = static_cast<Move>(pick(stream, N_MOVES));
    Replay replay = match.before(number);
    const ReplayedRound result = replay.play(given);
    require(result.n_played >= at, "the moves before the change");
    for (std::size_t i = 0; i < at; ++i)
        require(result.seats[i] == round.moves[i].seat, "their seats");
    if (result.problem == ReplayProblem::NONE)
        require(result.n_played == given.moves.size(), "all moves without a problem");
    if (result.problem == ReplayProblem::OVER)
        require(replay.game().round().finished() && result.legal.empty(), "a finished round");
    if (result.problem == ReplayProblem::ILLEGAL)
        require(!result.legal.has(given.moves[result.n_played]), "a move that is not legal");
}

void check_too_long(const Match& match, std::size_t number) {
    GivenRound given = match.given(number);
    const std::size_t n = given.moves.size();
    given.moves.push_back(DRAW);
    Replay replay = match.before(number);
    const ReplayedRound result = replay.play(given);
    require(result.problem == ReplayProblem::OVER && result.n_played == n, "a move too many");
    require(!replay.ready(), "no round after it");
}

Counts counts_of(const std::vector<Code>& cards) {
    Counts counts;
    for (const Code card : cards) ++counts[card];
    return counts;
}

void check_piles(const Match& match, std::size_t number, Stream& stream) {
    const GivenRound given = match.given(number);
    const std::vector<std::size_t>& made = match.piles[number];
    require(made.size() == given.reshuffles.size(), "a move for each new pile");
    if (made.empty()) return;
    const std::size_t which = stream.below(made.size());
    const auto play = [&](const GivenRound& changed) {
        Replay replay = match.before(number);
        return replay.play(changed);
    };
    const auto require_problem = [&](const GivenRound& changed) {
        const ReplayedRound result = play(changed);
        require(result.problem == ReplayProblem::RESHUFFLE && result.n_played == made[which],
                "a wrong pile at the move that makes it");
        require(result.cards == counts_of(given.reshuffles[which]), "the cards it has to have");
    };
    GivenRound changed = given;
    changed.reshuffles.resize(which);
    require_problem(changed);
    changed = given;
    changed.reshuffles[which].pop_back();
    require_problem(changed);
    changed = given;
    changed.reshuffles[which].insert(changed.reshuffles[which].end(), MAX_CARDS, 3);
    require_problem(changed);
    changed = given;
    Code& card = changed.reshuffles[which][stream.below(changed.reshuffles[which].size())];
    card = static_cast<Code>((card + 1 + pick(stream, N_CODES - 1)) % N_CODES);
    require_problem(changed);
    changed = given;
    std::reverse(changed.reshuffles[which].begin(), changed.reshuffles[which].end());
    const ReplayedRound other = play(changed);
    require(other.n_played > made[which], "the same cards in any order");
}

// Where chance decides, the record's starter is taken if he may start.
void check_starters(const Match& match, std::size_t number) {
    GivenRound given = match.given(number);
    const auto n_flips =
        static_cast<std::size_t>(n_opening_flips(match.played.log.rounds()[number]));
    given.moves.resize(n_flips);
    const Seats may_start = match.may_start[number];
    for (int wish = -1; wish < match.played.game.n_seats(); ++wish) {
        given.starter = wish;
        Replay replay = match.before(number);
        const ReplayedRound result = replay.play(given);
        require(
            result.problem == ReplayProblem::NONE && result.opening == static_cast<int>(n_flips),
            "the opening flips whoever starts");
        const int starter = replay.game().table().starter;
        require(((may_start >> starter) & 1U) != 0, "a starter who may start");
        if (wish >= 0 && ((may_start >> wish) & 1U) != 0)
            require(starter == wish, "the starter given");
    }
}

// Moves and piles of any bytes never fail; the deck is one by the rules, in any order.
void check_garbage(const Match& match, std::size_t number, Stream& stream) {
    GivenRound given = match.given(number);
    shuffle(given.deck.data(), static_cast<int>(given.deck.size()), stream);
    given.starter = pick(stream, 20) - 5;
    for (Move& move : given.moves)
        if (pick(stream, 3) == 0) move = static_cast<Move>(pick(stream, 256));
    given.reshuffles.resize(stream.below(4));
    for (std::vector<Code>& pile : given.reshuffles) {
        pile.resize(stream.below(300));
        for (Code& card : pile) card = static_cast<Code>(pick(stream, 256));
    }
    Replay replay(match.setup, match.played.game.n_seats());
    Replay piles = match.before(number);
    static_cast<void>(replay.play(given));
    GivenRound wrong_piles = match.given(number);
    wrong_piles.reshuffles = given.reshuffles;
    const ReplayedRound result = piles.play(wrong_piles);
    const std::size_t n_made = match.piles[number].size();
    require((result.problem == ReplayProblem::RESHUFFLE) == (n_made > 0), "no use of such a pile");
}

void soak_replays(int n_games) {
    context.test = "replays";
    Stream stream(5);
    int n_with_piles = 0;
    for (int i = 0; i < n_games; ++i) {
        const Rules rules = random_rules(stream);
        context.seed = stream.next();
        context.n_seats = 2 + i % (max_seats(rules) - 1);
        const Match match(rules, context.n_seats, context.seed,
                          i % 2 == 0 ? DeckKind::STACK : DeckKind::LANES);
        check_whole(match);
        const std::size_t number = stream.below(match.played.log.rounds().size());
        n_with_piles += match.piles[number].empty() ? 0 : 1;
        check_too_long(match, number);
        check_piles(match, number, stream);
        check_starters(match, number);
        if (match.played.log.rounds()[number].moves.empty()) continue;
        check_cut(match, number, stream);
        check_other_move(match, number, stream);
        check_garbage(match, number, stream);
    }
    require(n_with_piles > n_games / 20, "many rounds with new piles");
}

}  // namespace
}  // namespace skyjo::testing

int main() {
    skyjo::testing::soak_replays(2'000);
    std::puts("soak of replays: fine");
    return 0;
}
