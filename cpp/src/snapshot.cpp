// SPDX-License-Identifier: MIT
#include "skyjo/snapshot.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "skyjo/soundness.hpp"

namespace skyjo {
namespace {

// Writes fields; the bounds are the reader's.
class Writer {
 public:
    template <class Number>
    void number(Number& field, std::int64_t = 0, std::int64_t = 0) {
        bits(static_cast<std::uint64_t>(static_cast<std::int64_t>(field)));
    }
    void bits(std::uint64_t word) {
        for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(word >> (8 * i) & 0xff));
    }
    void cards(Code* codes, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) bytes.push_back(static_cast<char>(codes[i]));
    }
    template <class Item>
    std::size_t size(const std::vector<Item>& items, std::size_t) {
        bits(items.size());
        return items.size();
    }

    std::string bytes;
};

// Reads fields; at the first that is out of bounds or missing it fails, and reads zeros from there.
class Reader {
 public:
    explicit Reader(std::string_view bytes) : rest(bytes) {}

    template <class Number>
    void number(Number& field, std::int64_t low, std::int64_t high) {
        std::uint64_t word = 0;
        bits(word);
        const auto value = static_cast<std::int64_t>(word);
        if (value < low || value > high) fine = false;
        field = static_cast<Number>(fine ? value : 0);
    }
    void bits(std::uint64_t& word) {
        word = 0;
        if (!take(8)) return;
        for (int i = 0; i < 8; ++i)
            word |= std::uint64_t{static_cast<std::uint8_t>(taken[static_cast<std::size_t>(i)])}
                    << (8 * i);
    }
    void cards(Code* codes, std::size_t n) {
        if (n == 0) return;
        std::memset(codes, 0, n);
        if (take(n)) std::memcpy(codes, taken.data(), n);
    }
    // Makes room for as many items as follow; each takes at least `item_bytes`.
    template <class Item>
    std::size_t size(std::vector<Item>& items, std::size_t item_bytes) {
        std::uint64_t n = 0;
        bits(n);
        if (n > rest.size() / item_bytes) fine = false;
        items.resize(fine ? static_cast<std::size_t>(n) : 0);
        return items.size();
    }

    std::string_view rest;
    bool fine = true;

 private:
    bool take(std::size_t n) {
        if (!fine || rest.size() < n) return fine = false;
        taken = rest.substr(0, n);
        rest.remove_prefix(n);
        return true;
    }

    std::string_view taken;
};

template <class Archive>
void visit_points(Archive& archive, Points& points) {
    for (std::int32_t& value : points) archive.number(value, -2 * MANY, 2 * MANY);
}

template <class Archive>
void visit_grids(Archive& archive, std::array<Grid, MAX_SEATS>& grids) {
    for (Grid& grid : grids) {
        archive.bits(grid.codes);
        archive.number(grid.up, 0, 0xfff);
        archive.number(grid.removed, 0, 0xfff);
    }
}

template <class Archive>
void visit_cards(Archive& archive, std::vector<Code>& cards) {
    const std::size_t n = archive.size(cards, 1);
    archive.cards(cards.data(), n);
}

template <class Archive>
void visit_piles(Archive& archive, std::vector<std::vector<Code>>& piles) {
    archive.size(piles, 8);
    for (auto& pile : piles) visit_cards(archive, pile);
}

// Every card on the table, in the hand and in the pools.
Counts all_cards(const Table& table) {
    Counts all = table.discard_counts;
    for (std::size_t i = 0; i < all.n.size(); ++i)
        all.n[i] =
            static_cast<std::uint8_t>(all.n[i] + table.hidden_pool.n[i] + table.pile_pool.n[i]);
    if (table.hand != NO_CARD) ++all[table.hand];
    for (const Grid& grid : table.grids)
        for (unsigned rest = grid.up; rest != 0; rest &= rest - 1)
            ++all[grid.code(std::countr_zero(rest))];
    return all;
}

// No total that so many rounds cannot make: of 12 cells with 13 points at most, doubled.
bool totals_hold(const Setup& setup, const ScoreSheet& sheet) {
    const std::int64_t most = std::int64_t{MAX_CELLS * MAX_VALUE} * setup.rules.double_factor *
                              std::max(sheet.n_rounds, 1);
    for (const std::int64_t total : sheet.totals)
        if (total < -most || total > most) return false;
    return sheet.n_rounds <= setup.rules.max_rounds_guard;
}

bool are_cards(const std::vector<Code>& cards) {
    for (const Code card : cards)
        if (card >= N_CODES) return false;
    return cards.size() <= MAX_CARDS;
}

}  // namespace

template <class Archive>
void Snapshot::visit(Archive& archive, Table& table) {
    visit_grids(archive, table.grids);
    archive.number(table.discard.size, 0, MAX_CARDS);
    archive.cards(table.discard.cards.data(), table.discard.size);
    archive.number(table.draw_pile_size, 0, MAX_CARDS);
    archive.number(table.hand, 0, NO_CARD);
    auto phase = static_cast<int>(table.phase);
    archive.number(phase, 0, static_cast<int>(Phase::OVER));
    table.phase = static_cast<Phase>(phase);
    archive.number(table.n_seats, 2, MAX_SEATS);
    archive.number(table.seat, -1, table.n_seats - 1);
    archive.number(table.starter, -1, table.n_seats - 1);
    archive.number(table.closer, -1, table.n_seats - 1);
    archive.number(table.stalled, 0, 1);
    archive.number(table.capped, 0, 1);
    archive.bits(table.last_turns.seats);
    archive.number(table.last_turns.size, 0, table.n_seats);
    archive.number(table.turns, 0, MANY);
    archive.number(table.stall_count, 0, MANY);
    archive.number(table.reshuffles, 0, MANY);
}

template <class Archive>
void Snapshot::visit(Archive& archive, OrderedDeck& deck) {
    deck.settle(deck.end_);
    archive.number(deck.end_, 0, MAX_CARDS);
    archive.number(deck.base_, 0, deck.end_);
    archive.number(deck.next_, 0, deck.end_);
    archive.cards(deck.cards_.data(), deck.end_);
    deck.settled_ = deck.end_;
    for (std::uint64_t& cells : deck.hidden_) archive.bits(cells);
    for (std::uint64_t& drawn : deck.drawn_) archive.bits(drawn);
    for (std::uint8_t& turn : deck.lane_) archive.number(turn, 0, MAX_CARDS);
    archive.bits(deck.key_);
    archive.number(deck.n_seats_, 0, MAX_SEATS);
    auto kind = static_cast<int>(deck.kind_);
    archive.number(kind, 0, static_cast<int>(DeckKind::LANES));
    deck.kind_ = static_cast<DeckKind>(kind);
}

template <class Archive>
void Snapshot::visit(Archive& archive, Round& round) {
    visit(archive, round.table_);
    visit(archive, round.deck_);
    archive.bits(round.key_);
    const std::int64_t all = (std::int64_t{1} << round.table_.n_seats) - 1;
    archive.number(round.starters_.among, 0, all);
    archive.number(round.starters_.wish, -1, round.table_.n_seats - 1);
    archive.number(round.may_start_, 0, all);
}

template <class Archive>
void Snapshot::visit(Archive& archive, ScoreSheet& sheet) {
    visit_points(archive, sheet.totals);
    archive.number(sheet.n_rounds, 0, MANY);
    archive.number(sheet.n_seats, 2, MAX_SEATS);
    const std::int64_t all = (std::int64_t{1} << sheet.n_seats) - 1;
    for (Seats* seats : {&sheet.tied, &sheet.contenders, &sheet.winners})
        archive.number(*seats, 0, all);
    auto reason = static_cast<int>(sheet.reason);
    archive.number(reason, 0, static_cast<int>(End::GUARD));
    sheet.reason = static_cast<End>(reason);
}

template <class Archive>
void Snapshot::visit(Archive& archive, Game& game) {
    visit(archive, game.round_);
    visit(archive, game.sheet_);
    archive.bits(game.seed_);
    archive.number(game.n_seats_, 2, MAX_SEATS);
    archive.number(game.round_number_, 0, MANY);
    for (int* seat : {&game.last_.starter, &game.last_.closer, &game.last_.winner})
        archive.number(*seat, -1, game.n_seats_ - 1);
    auto kind = static_cast<int>(game.kind_);
    archive.number(kind, 0, static_cast<int>(DeckKind::LANES));
    game.kind_ = static_cast<DeckKind>(kind);
    archive.number(game.single_round_, 0, 1);
}

template <class Archive>
void Snapshot::visit(Archive& archive, RoundLog& round) {
    visit_cards(archive, round.dealt);
    archive.number(round.pile_size, 0, MAX_CARDS);
    archive.size(round.moves, 3);
    for (skyjo_played& played : round.moves) {
        std::array<Code, 3> packed = {static_cast<Code>(played.seat), played.move, played.card};
        archive.cards(packed.data(), packed.size());
        played = {static_cast<std::int8_t>(packed[0]), packed[1], packed[2]};
    }
    visit_piles(archive, round.reshuffles);
    visit_cards(archive, round.undrawn);
    for (int* seat : {&round.starter, &round.closer}) archive.number(*seat, -1, MAX_SEATS - 1);
    for (bool* flag : {&round.stalled, &round.capped, &round.finished}) archive.number(*flag, 0, 1);
    visit_points(archive, round.raw);
    visit_points(archive, round.points);
    visit_grids(archive, round.grids);
}

template <class Archive>
void Snapshot::visit(Archive& archive, Saved& saved) {
    visit(archive, saved.game);
    bool has_log = saved.log.has_value();
    archive.number(has_log, 0, 1);
    if (has_log) {
        if (!saved.log) saved.log.emplace();
        archive.size(saved.log->rounds_, 64);
        for (RoundLog& round : saved.log->rounds_) visit(archive, round);
    }
    visit_piles(archive, saved.piles);
    archive.number(saved.imagined, 0, 1);
    archive.bits(saved.n_forced);
}

std::string Snapshot::write(const Saved& saved) {
    Writer writer;
    Saved fields = saved;
    if (fields.log)
        for (RoundLog& round : fields.log->rounds_) round.write_out_pile();
    visit(writer, fields);
    return std::move(writer.bytes);
}

std::optional<Saved> Snapshot::read(const Setup& setup, std::string_view bytes) {
    Reader reader(bytes);
    Saved saved;
    visit(reader, saved);
    if (!reader.fine || !reader.rest.empty() || !is_sound(setup, saved)) return {};
    saved.game.setup_ = &setup;
    Round& round = saved.game.round_;
    round.setup_ = &setup;
    round.house_ = setup.house || round.has_empty_grid() || round.has_line();
    return saved;
}

// Of fields that are each in their bounds: whether they fit each other. The pools follow from where
// the cards lie.
bool Snapshot::is_sound(const Setup& setup, Saved& saved) {
    Game& game = saved.game;
    Table& table = game.round_.table_;
    if (!skyjo::is_sound(setup, table) || !is_sound(setup, game.round_.deck_, table)) return false;
    count_pools(setup, game.round_);
    if (game.n_seats_ != table.n_seats || game.sheet_.n_seats != table.n_seats) return false;
    if (game.round_.finished() != game.over()) return false;
    if (!game.single_round() &&
        (all_cards(table) != setup.rules.deck || table.n_seats > setup.max_seats ||
         !totals_hold(setup, game.sheet_)))
        return false;
    for (const auto& pile : saved.piles)
        if (!are_cards(pile)) return false;
    if (!saved.log) return true;
    const std::vector<RoundLog>& rounds = saved.log->rounds();
    if (rounds.empty() || rounds.back().finished != game.round_.finished()) return false;
    for (const RoundLog& round : rounds)
        if (!is_sound(round, table.n_seats)) return false;
    return true;
}

bool Snapshot::is_sound(const Setup& setup, const OrderedDeck& deck, const Table& table) {
    for (int i = 0; i < deck.end_; ++i)
        if (deck.cards_[static_cast<std::size_t>(i)] >= N_CODES) return false;
    if (deck.kind_ == DeckKind::LANES &&
        (table.reshuffles > 0 || deck.n_seats_ != table.n_seats || deck.base_ == 0))
        return false;
    std::array<Code, MAX_CARDS> pile{};
    if (deck.undrawn(pile.data()) != table.draw_pile_size) return false;
    for (int seat = 0; seat < table.n_seats; ++seat)
        for (int cell = 0; cell < setup.shape.n_cells; ++cell)
            if (deck.reveal(table, seat, cell) >= N_CODES) return false;
    return true;
}

// What the log shows; its grids are those of finished rounds, which nothing plays on.
bool Snapshot::is_sound(const RoundLog& round, int n_seats) {
    for (const skyjo_played& played : round.moves)
        if (played.seat < 0 || played.seat >= n_seats || played.move >= N_MOVES ||
            (played.card >= N_CODES && played.card != NO_CARD))
            return false;
    for (const auto& pile : round.reshuffles)
        if (!are_cards(pile)) return false;
    return are_cards(round.dealt) && are_cards(round.undrawn);
}

void Snapshot::count_pools(const Setup& setup, Round& round) {
    Table& table = round.table_;
    table.discard_counts = table.hidden_pool = table.pile_pool = {};
    for (int i = 0; i < table.discard.size; ++i)
        ++table.discard_counts[table.discard.cards[static_cast<std::size_t>(i)]];
    for (int seat = 0; seat < table.n_seats; ++seat)
        for (unsigned rest = table.grids[static_cast<std::size_t>(seat)].hidden(setup.shape);
             rest != 0; rest &= rest - 1)
            ++table.hidden_pool[round.deck_.reveal(table, seat, std::countr_zero(rest))];
    std::array<Code, MAX_CARDS> pile{};
    const int n = round.deck_.undrawn(pile.data());
    for (int i = 0; i < n; ++i) ++table.draw_pool()[pile[static_cast<std::size_t>(i)]];
}

}  // namespace skyjo
