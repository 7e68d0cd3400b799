// SPDX-License-Identifier: MIT
#include "skyjo/record.hpp"

#include <algorithm>
#include <utility>

namespace skyjo {
std::size_t RoundLog::copy_deck(Code* out) const noexcept {
    Code* at = std::copy(dealt.begin(), dealt.end(), out);
    const Code* const pile_end = at + pile_size;  // later draws are from new piles
    for (const skyjo_played& played : moves) {
        if (at == pile_end) break;
        *at = played.card;
        at += played.move == DRAW ? 1 : 0;
    }
    at = left ? at + left->undrawn(at) : std::copy(undrawn.begin(), undrawn.end(), at);
    return static_cast<std::size_t>(at - out);
}

std::vector<Code> RoundLog::deck() const {
    std::vector<Code> cards(MAX_CARDS);
    cards.resize(copy_deck(cards.data()));
    return cards;
}

void RoundLog::write_out_pile() {
    if (!left) return;
    undrawn.resize(MAX_CARDS);
    undrawn.resize(static_cast<std::size_t>(left->undrawn(undrawn.data())));
    left.reset();
}

void GameLog::begin(const Game& game) {
    RoundLog& round = rounds_.emplace_back();
    const Table& table = game.table();
    const int n_cells = game.setup().shape.n_cells;
    round.dealt.reserve(static_cast<std::size_t>(table.n_seats * n_cells) + 1);
    for (int seat = 0; seat < table.n_seats; ++seat)
        for (int cell = 0; cell < n_cells; ++cell)
            round.dealt.push_back(game.round().deck().reveal(table, seat, cell));
    round.dealt.push_back(table.discard.top());
    round.pile_size = table.draw_pile_size;
    round.moves.reserve(256);
}

void GameLog::resume(std::vector<skyjo_played> moves) {
    rounds_.emplace_back().moves = std::move(moves);
}

const skyjo_played* GameLog::room_for_turn() {
    std::vector<skyjo_played>& moves = rounds_.back().moves;
    if (moves.capacity() < moves.size() + 2) moves.reserve(2 * moves.size() + 64);
    return moves.data();
}

void GameLog::played(const Game& game, int seat, Move move, const Step& step) {
    RoundLog& round = rounds_.back();
    if (step.reshuffled) {
        std::vector<Code>& pile = round.reshuffles.emplace_back(MAX_CARDS);
        pile.resize(static_cast<std::size_t>(game.round().new_pile(pile.data())));
    }
    round.moves.push_back({static_cast<std::int8_t>(seat), move, step.card});
}

namespace {

// Fills in what is known of a round that may still run.
void look_at(const Game& game, RoundLog& round) {
    const Table& table = game.table();
    round.starter = table.starter;
    round.closer = table.closer;
    round.stalled = table.stalled;
    round.capped = table.capped;
    if (table.reshuffles == 0) round.left = game.round().deck();
}

}  // namespace

RoundLog GameLog::complete(const RoundLog& round, const Game& game) const {
    RoundLog whole = round;
    if (!round.finished) look_at(game, whole);
    whole.write_out_pile();
    return whole;
}

void GameLog::end(const Game& game) {
    RoundLog& round = rounds_.back();
    look_at(game, round);
    round.finished = true;
    round.raw = game.round().raw();
    round.points = game.round().points();
    round.grids = game.table().grids;
}

void GameLog::forget_deal() noexcept {
    RoundLog& round = rounds_.back();
    round.dealt.clear();
    round.undrawn.clear();
    round.left.reset();
    round.reshuffles.clear();
    round.pile_size = 0;
}

void GameLog::replace_last_card(Code card) noexcept {
    std::vector<skyjo_played>& moves = rounds_.back().moves;
    if (!moves.empty()) moves.back().card = card;
}

std::uint64_t GameLog::moves_hash() const noexcept {
    std::uint64_t hash = 0;
    for (const RoundLog& round : rounds_)
        hash = hash_moves(hash, round.moves.data(), round.moves.size());
    return mix64(hash + GOLDEN);
}

}  // namespace skyjo
