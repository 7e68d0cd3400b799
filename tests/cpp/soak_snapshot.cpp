// SPDX-License-Identifier: MIT
// Snapshots under the sanitizers: the same bytes and the same game again, and damaged bytes that
// are refused or give a game that can be played.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "state_checks.hpp"

namespace skyjo::testing {
namespace {

// Applies a move and all that is due after it.
Step go_on(Saved& saved, Move move) {
    Game& game = saved.game;
    const int seat = game.table().seat;
    const Step step = game.apply(move);
    if (saved.log) saved.log->played(game, seat, move, step);
    if (!game.round().finished()) return step;
    if (saved.log) saved.log->end(game);
    game.settle();
    if (game.over()) return step;
    game.next_round();
    if (saved.log) saved.log->begin(game);
    return step;
}

Move any_move(const Saved& saved, Stream& stream) {
    return choose(saved.game.table(), saved.game.legal(), static_cast<Style>(pick(stream, 3)),
                  stream);
}

// The same public state and the same cards face down and in the pile.
Game position_of(const Setup& setup, const Game& game) {
    OrderedDeck deck;
    for (int seat = 0; seat < game.n_seats(); ++seat)
        for (unsigned rest = game.table().grids[static_cast<std::size_t>(seat)].hidden(setup.shape);
             rest != 0; rest &= rest - 1) {
            const int cell = std::countr_zero(rest);
            deck.hide(seat, cell, game.round().deck().reveal(game.table(), seat, cell));
        }
    std::array<Code, MAX_CARDS> pile{};
    deck.lay_pile(pile.data(), game.round().deck().undrawn(pile.data()));
    return Game(setup, Round(setup, game.table(), deck, {}), game.totals(), game.round_number());
}

Game game_of_a_view(const Setup& setup, const Game& game, Stream& stream) {
    const KeptView kept = view_of(game, pick(stream, game.n_seats()));
    require(view_fault(setup, kept.view).empty(), "a view of a running round");
    return game_from_view(setup, kept.view, stream.next());
}

// Other ways to come by a game than to play it from the deal.
void come_by(Saved& saved, const Setup& setup, Stream& stream) {
    switch (pick(stream, 4)) {
        case 0: break;
        case 1:
            saved.game.deal_anew(pick(stream, saved.game.n_seats()), stream.next());
            saved.imagined = true;
            break;
        case 2:
            saved.game = position_of(setup, saved.game);
            if (saved.log) saved.log.emplace().resume({});
            saved.piles = {{1, 2, 3}, {}, {N_CODES - 1}};
            break;
        case 3:
            saved.game = game_of_a_view(setup, saved.game, stream);
            if (saved.log) saved.log.emplace().resume({{0, 3, 7}, {1, DRAW, NO_CARD}});
            break;
    }
}

// A game in the middle.
Saved random_state(const Setup& setup, std::uint64_t seed, Stream& stream) {
    const int n_seats = 2 + pick(stream, setup.max_seats - 1);
    const DeckKind kind = pick(stream, 2) == 0 ? DeckKind::STACK : DeckKind::LANES;
    Saved saved;
    saved.game = Game(setup, n_seats, seed, kind);
    if (pick(stream, 2) == 0) saved.log.emplace().begin(saved.game);
    for (int moves = pick(stream, 200); moves > 0 && !saved.game.over(); --moves)
        go_on(saved, any_move(saved, stream));
    saved.n_forced = stream.next();
    if (!saved.game.over()) come_by(saved, setup, stream);
    return saved;
}

void require_same_state(const Saved& one, const Saved& other) {
    const Table& a = one.game.table();
    const Table& b = other.game.table();
    require(a.grids == b.grids && a.hidden_pool == b.hidden_pool && a.pile_pool == b.pile_pool,
            "the same grids and pools");
    require(a.discard_counts == b.discard_counts && a.discard.size == b.discard.size &&
                a.discard.top() == b.discard.top() && a.draw_pile_size == b.draw_pile_size,
            "the same piles");
    require(a.hand == b.hand && a.phase == b.phase && a.seat == b.seat && a.starter == b.starter &&
                a.closer == b.closer && a.stalled == b.stalled && a.capped == b.capped,
            "the same state of the round");
    require(one.game.sheet() == other.game.sheet() && one.game.legal() == other.game.legal(),
            "the same sheet and legal moves");
    require(
        one.game.round_number() == other.game.round_number() && one.game.end() == other.game.end(),
        "the same round and end");
}

void check_snapshot(const Setup& setup, const Saved& saved, Stream& stream, int& n_moves) {
    const std::string bytes = Snapshot::write(saved);
    std::optional<Saved> copy = Snapshot::read(setup, bytes);
    require(copy.has_value(), "a game of its own bytes");
    require(Snapshot::write(*copy) == bytes, "the same bytes again");
    require(copy->piles == saved.piles && copy->imagined == saved.imagined &&
                copy->n_forced == saved.n_forced && copy->log.has_value() == saved.log.has_value(),
            "what is kept beside the game");
    Saved original = saved;
    require_same_state(original, *copy);
    while (!original.game.over()) {
        const Move move = any_move(original, stream);
        const Step one = go_on(original, move);
        const Step other = go_on(*copy, move);
        require(one.card == other.card && one.reshuffled == other.reshuffled, "the same card");
        require_same_state(original, *copy);
        ++n_moves;
    }
    require(Snapshot::write(*copy) == Snapshot::write(original), "the same bytes at the end");
    if (original.log) require(copy->log->moves_hash() == original.log->moves_hash(), "one log");
}

void soak_snapshots(int n_games) {
    context.test = "snapshots";
    Stream stream(21);
    int n_moves = 0;
    for (int i = 0; i < n_games; ++i) {
        const Setup setup(random_rules(stream));
        context.seed = stream.next();
        const Saved saved = random_state(setup, context.seed, stream);
        context.n_seats = saved.game.n_seats();
        check_snapshot(setup, saved, stream, n_moves);
    }
    require(n_moves > 50 * n_games, "many moves after the copy");
}

// Damage

// Another small number where one may stand: 8 bytes, the lowest first.
void change_a_number(std::string& bytes, Stream& stream) {
    if (bytes.size() < 8) return;
    for (std::size_t at = stream.below(bytes.size() - 7); at + 8 <= bytes.size(); ++at) {
        const auto is_zero = [](char byte) { return byte == 0; };
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        if (!std::all_of(first + 2, first + 8, is_zero)) continue;
        const int number = pick(stream, 3) == 0 ? pick(stream, 4096) : pick(stream, 12) - 1;
        for (int i = 0; i < 8; ++i)
            first[i] = static_cast<char>(std::int64_t{number} >> (8 * i) & 0xff);
        return;
    }
}

std::string damaged(std::string bytes, Stream& stream) {
    for (int n = 1 + pick(stream, 3); n > 0; --n) {
        const auto at = static_cast<std::size_t>(stream.below(bytes.size() + 1));
        const auto byte = static_cast<char>(pick(stream, 256));
        switch (pick(stream, 10)) {
            case 0: bytes.resize(at); break;
            case 1: bytes.insert(at, 1 + stream.below(9), byte); break;
            case 2: bytes.erase(at, 1 + stream.below(9)); break;
            case 3:
                if (at < bytes.size()) bytes[at] = byte;
                break;
            case 4:
                if (at < bytes.size()) bytes[at] = static_cast<char>(pick(stream, 4));
                break;
            case 5:
            case 6: change_a_number(bytes, stream); break;
            default:
                if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << (byte & 7)));
        }
    }
    return bytes;
}

// A move, as often as not with its card forced.
void play_any(Saved& saved, Stream& stream) {
    const Move move = any_move(saved, stream);
    const Counts outcomes = saved.game.round().outcomes(move);
    if (outcomes == Counts{} || pick(stream, 8) != 0) {
        go_on(saved, move);
        return;
    }
    Saved twin = saved;
    Stream forced(stream.next());
    const Code card = skyjo::pick(outcomes, forced);
    require(twin.game.apply(move, card, forced).card == card, "the card that was forced");
    go_on(saved, move);
}

void check_composition(const Setup& setup, const Game& game) {
    const Table& table = game.table();
    Counts cards = open_cards(table);
    for (const Counts& part : {table.discard_counts, table.hidden_pool, table.pile_pool})
        cards += part;
    if (table.hand != NO_CARD) ++cards[table.hand];
    require(cards == setup.rules.deck, "the deck of the rules");
}

// Plays a game that damaged bytes gave, with all that its owner may do.
void check_playable(const Setup& setup, Saved saved, Stream& stream) {
    if (!saved.game.single_round()) check_composition(setup, saved.game);
    for (int i = 0; i < 250 && !saved.game.over(); ++i) {
        require(!saved.game.legal().empty(), "a legal move");
        if (pick(stream, 16) == 0) {
            for (int seat = 0; seat < saved.game.n_seats(); ++seat)
                static_cast<void>(view_of(saved.game, seat));
            Game world = saved.game;
            world.deal_anew(pick(stream, world.n_seats()), stream.next());
        }
        play_any(saved, stream);
    }
    if (saved.log) {
        require(!saved.log->rounds().empty(), "a round in the log");
        for (const RoundLog& round : saved.log->rounds())
            static_cast<void>(saved.log->complete(round, saved.game).deck());
        static_cast<void>(saved.log->moves_hash());
    }
    if (saved.game.over()) static_cast<void>(saved.game.sheet().places());
    const std::string bytes = Snapshot::write(saved);
    const std::optional<Saved> copy = Snapshot::read(setup, bytes);
    require(copy.has_value() && Snapshot::write(*copy) == bytes, "bytes that can be read again");
}

void soak_damaged(int n_states, int n_each) {
    context.test = "damaged snapshots";
    Stream stream(22);
    int n_read = 0;
    for (int i = 0; i < n_states; ++i) {
        const Setup setup(random_rules(stream));
        context.seed = stream.next();
        const Saved saved = random_state(setup, context.seed, stream);
        context.n_seats = saved.game.n_seats();
        const std::string bytes = Snapshot::write(saved);
        for (int j = 0; j < n_each; ++j) {
            context.move = j;
            // On the heap and of its exact size, so that a read beyond it is seen.
            const std::string wrong = damaged(bytes, stream);
            const auto exact = std::make_unique<char[]>(wrong.size());
            std::memcpy(exact.get(), wrong.data(), wrong.size());
            const std::optional<Saved> read =
                Snapshot::read(setup, std::string_view(exact.get(), wrong.size()));
            if (!read) continue;
            ++n_read;
            check_playable(setup, *read, stream);
        }
    }
    require(n_read > n_states, "some damage that leaves a game");
    std::printf("damaged snapshots: %d of %d give a game\n", n_read, n_states * n_each);
}

// States in which a later seat would have no legal move, or that no round comes to.
void check_unsound_states() {
    context.test = "unsound snapshots";
    const Setup setup;
    const Game game(setup, 2, 1, DeckKind::STACK);
    const OrderedDeck& deck = game.round().deck();
    const auto require_refused = [&](const Table& table, const char* what) {
        Saved saved;
        saved.game = Game(setup, Round(setup, table, deck, {}), {}, 0);
        require(!Snapshot::read(setup, Snapshot::write(saved)), what);
    };
    Table queue = game.table();
    queue.phase = Phase::TURN;
    queue.starter = 0;
    queue.closer = 1;
    queue.last_turns.push(0);
    queue.last_turns.push(0);
    require_refused(queue, "one last turn a seat");
    queue.last_turns = {};
    queue.last_turns.push(0);
    queue.last_turns.push(1);
    queue.grids[1].removed = setup.shape.all;
    require_refused(queue, "no last turn of an empty grid");
    Table flip = game.table();
    flip.closer = 1;
    flip.last_turns.push(0);
    require_refused(flip, "no closer in the opening");
}

// Cut at each byte, and of other rules.
void check_cuts() {
    context.test = "cut snapshots";
    const Setup setup;
    Saved saved;
    saved.game = Game(setup, 3, 1, DeckKind::LANES);
    saved.log.emplace().begin(saved.game);
    const std::string bytes = Snapshot::write(saved);
    for (std::size_t n = 0; n < bytes.size(); ++n)
        require(!Snapshot::read(setup, std::string_view(bytes).substr(0, n)), "cut bytes refused");
    require(!Snapshot::read(setup, bytes + '\0'), "long bytes refused");
    Rules rules;
    rules.rows = 2;
    require(!Snapshot::read(Setup(rules), bytes), "bytes of another grid refused");
    rules = {};
    rules.deck = numbers_deck();
    require(!Snapshot::read(Setup(rules), bytes), "bytes of another deck refused");
}

}  // namespace
}  // namespace skyjo::testing

int main() {
    using namespace skyjo::testing;
    check_cuts();
    check_unsound_states();
    soak_snapshots(1'500);
    soak_damaged(500, 200);
    std::puts("soak of snapshots: fine");
    return 0;
}
