// SPDX-License-Identifier: MIT
#include "skyjo/batch_game.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <initializer_list>
#include <memory>

#include "skyjo/portability.hpp"
#include "skyjo/view.hpp"

namespace skyjo {
namespace {

// How many rows ahead the memory of a game is asked for.
constexpr int AHEAD = 4;
constexpr int MAX_COUNT = 127;

// Words of 8 bytes: byte i is the one that lies at i in memory.
using Bytes = std::uint64_t;

void store(void* out, Bytes bytes) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(out, &bytes, sizeof bytes);
    } else {
        for (int i = 0; i < 8; ++i)
            static_cast<std::uint8_t*>(out)[i] = static_cast<std::uint8_t>(bytes >> (8 * i));
    }
}
constexpr Bytes each(std::uint8_t byte) noexcept {
    return 0x0101010101010101U * byte;
}

// The bits of a byte as bytes of 0 or 1.
constexpr std::array<Bytes, 256> make_bit_bytes() noexcept {
    std::array<Bytes, 256> table{};
    for (std::size_t bits = 0; bits < 256; ++bits)
        for (unsigned i = 0; i < 8; ++i) table[bits] |= Bytes{(bits >> i) & 1U} << (8 * i);
    return table;
}
constexpr std::array<Bytes, 256> BIT_BYTES = make_bit_bytes();

// The lowest 8 codes of a grid as bytes: the upper half of them moves up, then that of each half.
constexpr Bytes code_bytes(std::uint64_t codes) noexcept {
    static_assert(CODE_BITS == 5);
    codes = (codes & 0xfffffU) | (codes & 0xfffff00000U) << 12;
    codes = (codes & 0x000003ff000003ffU) | (codes & 0x000ffc00000ffc00U) << 6;
    return (codes & 0x001f001f001f001fU) | (codes & 0x03e003e003e003e0U) << 3;
}
static_assert(code_bytes(std::uint64_t{31} << 35 | 17U << 5 | 3U) == 0x1f00000000001103U);

// 8 cells of a grid from the first on: value, HIDDEN or REMOVED.
constexpr Bytes cell_bytes(const Grid& grid, int first) noexcept {
    static_assert(REMOVED == HIDDEN - 1);
    const Bytes up = 255U * BIT_BYTES[(grid.up >> first) & 255U];
    // Code minus BIAS in every byte: the highest bit keeps a byte from borrowing of the next.
    const Bytes codes = code_bytes(grid.codes >> (CODE_BITS * first));
    const Bytes values = ((codes | each(128)) - each(BIAS)) ^ each(128);
    return ((values & up) | (each(HIDDEN) & ~up)) - BIT_BYTES[(grid.removed >> first) & 255U];
}

void write_mask(std::uint64_t bits, std::uint8_t* out) noexcept {
    for (const int first : {0, 8, 16, 24, N_MOVES - 8})
        store(out + first, BIT_BYTES[(bits >> first) & 255U]);
}

// Copies n bytes in pieces of 16, first to last, so that up to 15 bytes more are read and written.
// An observation has room: behind its cells stand points_left and last_turns, of two seats or more,
// and scalars.
using Piece = std::array<std::int8_t, 16>;
static_assert(2 * 2 + N_SCALARS >= 16 && 2 + N_SCALARS >= MAX_SEATS);
Piece piece_at(const std::int8_t* from) noexcept {
    Piece piece;
    std::memcpy(piece.data(), from, sizeof piece);
    return piece;
}
void copy_pieces(std::int8_t* out, const std::int8_t* from, int n) noexcept {
    const std::int8_t* const end = from + n;
    for (; from < end; from += sizeof(Piece), out += sizeof(Piece)) {
        const Piece piece = piece_at(from);
        std::memcpy(out, piece.data(), sizeof piece);
    }
}

// How many seats on from one to the other.
int distance(int from, int to, int n_seats) noexcept {
    const int seats = to - from;
    return seats + (seats < 0 ? n_seats : 0);
}

// The same, or -1 where there is no other seat; without a branch that nobody can foresee.
int seat_or_none(int from, int to, int n_seats) noexcept {
    return distance(from, to, n_seats) | (to >> 31);
}

int value_or_hidden(Code card) noexcept {
    return card == NO_CARD ? HIDDEN : value_of(card);
}
int clipped(int count) noexcept {
    return std::min(count, MAX_COUNT);
}
void put(std::int8_t* scalars, Scalar scalar, int value) noexcept {
    scalars[static_cast<std::size_t>(scalar)] = static_cast<std::int8_t>(value);
}

}  // namespace

BatchLayout::BatchLayout(const Setup& setup, int seats) noexcept
    : n_seats(seats),
      n_cells(setup.shape.n_cells),
      lowest(setup.known.values[0]),
      n_values(setup.known.values[setup.known.n_values - 1U] - lowest + 1),
      pile_counts(n_seats * n_cells),
      hidden_counts(pile_counts + n_values),
      points_left(hidden_counts + n_values),
      last_turns(points_left + n_seats),
      scalars(last_turns + n_seats),
      n_features(scalars + N_SCALARS) {}

BatchGame::BatchGame(const Setup& setup, BatchSize size, std::uint64_t seed)
    : setup_(&setup),
      layout_(setup, size.n_seats),
      size_(size),
      seed_(seed),
      arrays_(std::make_shared<BatchArrays>()),
      pool_(std::min(size.n_threads, size.n)) {
    assert(size.n > 0 && size.n_seats >= 2 && size.n_seats <= setup.max_seats);
    while (setup.rules.threshold > MAX_COUNT << points_shift_) ++points_shift_;
    const auto n = static_cast<std::size_t>(size.n);
    const auto n_seats = static_cast<std::size_t>(size.n_seats);
    arrays_->observations.resize(n * static_cast<std::size_t>(layout_.n_features));
    arrays_->legal_masks.resize(n * N_MOVES);
    arrays_->seats.resize(n);
    arrays_->rewards.resize(n * n_seats);
    arrays_->dones.resize(n);
    arrays_->truncated.resize(n);
    arrays_->final_totals.resize(n * n_seats);
    arrays_->game_seeds.resize(n);
    rows_.resize(n);
    legal_.resize(n);
    moves_.resize(n);
    reset();
}

template <class Part>
void BatchGame::for_parts(Part part) noexcept {
    struct Call {
        BatchGame& batch;
        Part& part;
    } call{*this, part};
    pool_.run(
        [](void* context, int number) noexcept {
            const Call& to = *static_cast<Call*>(context);
            const std::int64_t n = to.batch.size_.n;
            const int n_parts = to.batch.pool_.n_parts();
            to.part(static_cast<int>(n * number / n_parts),
                    static_cast<int>(n * (number + 1) / n_parts));
        },
        &call);
}

void BatchGame::reset() noexcept {
    for_parts([this](int begin, int end) noexcept {
        clear_results(begin, end);
        std::fill_n(arrays_->final_totals.begin() + std::ptrdiff_t{begin} * size_.n_seats,
                    std::ptrdiff_t{end - begin} * size_.n_seats, 0);
        for (int row = begin; row < end; ++row) {
            start(row, 0);
            write(row);
        }
    });
}

BatchGame::Faults BatchGame::step(const std::int64_t* moves) noexcept {
    const Faults faults = read(moves);
    if (faults.count > 0) return faults;
    for_parts([this](int begin, int end) noexcept {
        clear_results(begin, end);
        for (int row = begin; row < end; ++row) {
            prefetch_row(row, end);
            play(row);
        }
    });
    return faults;
}

void BatchGame::observe(int seat, std::int8_t* out) noexcept {
    assert(seat >= 0 && seat < size_.n_seats);
    for_parts([this, seat, out](int begin, int end) noexcept {
        for (int row = begin; row < end; ++row)
            show(row, seat, out + std::ptrdiff_t{row} * layout_.n_features);
    });
}

BatchGame::Faults BatchGame::read(const std::int64_t* moves) noexcept {
    Faults faults;
    for (int row = size_.n - 1; row >= 0; --row) {
        const auto i = static_cast<std::size_t>(row);
        const auto move = static_cast<std::uint64_t>(moves[i]);
        if (move >= N_MOVES || ((legal_[i] >> move) & 1U) == 0) {
            ++faults.count;
            faults.first = row;
        }
        moves_[i] = static_cast<Move>(move);
    }
    return faults;
}

void BatchGame::clear_results(int begin, int end) noexcept {
    const std::ptrdiff_t n = end - begin;
    std::fill_n(arrays_->rewards.begin() + std::ptrdiff_t{begin} * size_.n_seats, n * size_.n_seats,
                0.0F);
    std::fill_n(arrays_->dones.begin() + begin, n, std::uint8_t{0});
    std::fill_n(arrays_->truncated.begin() + begin, n, std::uint8_t{0});
}

void BatchGame::start(int row, std::uint64_t number) noexcept {
    const auto i = static_cast<std::size_t>(row);
    const std::uint64_t seed = batch_game_seed(seed_, i, number);
    std::construct_at(&rows_[i].game, *setup_, size_.n_seats, seed, DeckKind::STACK);
    rows_[i].number = number;
    arrays_->game_seeds[i] = seed;
    show_points(row);
}

// Plays the row's move; a round that it finishes is scored, and the next one dealt.
inline void BatchGame::play(int row) noexcept {
    Game& game = rows_[static_cast<std::size_t>(row)].game;
    const Move move = moves_[static_cast<std::size_t>(row)];
    const int seat = game.table().seat;
    const Step step = game.apply(move);
    if (move == DRAW) return write_draw(row, step);
    if (!game.round().finished()) [[likely]]
        return write_turn(row, {seat, cell_of(move), step});
    end_round(row);
    write(row);
}

void BatchGame::end_round(int row) noexcept {
    Game& game = rows_[static_cast<std::size_t>(row)].game;
    const Points points = game.round().points();
    float* rewards = arrays_->rewards.data() + std::ptrdiff_t{row} * size_.n_seats;
    for (int seat = 0; seat < size_.n_seats; ++seat)
        rewards[seat] = static_cast<float>(-points[static_cast<std::size_t>(seat)]);
    game.settle();
    if (game.over()) return end_game(row);
    game.next_round();
    show_points(row);
}

void BatchGame::end_game(int row) noexcept {
    const auto i = static_cast<std::size_t>(row);
    const Game& game = rows_[i].game;
    arrays_->dones[i] = 1;
    arrays_->truncated[i] = game.end() == End::GUARD ? 1 : 0;
    std::copy_n(game.totals().begin(), size_.n_seats,
                arrays_->final_totals.begin() + std::ptrdiff_t{row} * size_.n_seats);
    start(row, rows_[i].number + 1);
}

void BatchGame::show_points(int row) noexcept {
    std::int8_t* points = rows_[static_cast<std::size_t>(row)].points.data();
    for (int seat = 0; seat < size_.n_seats; ++seat) {
        points[seat] = points_left(row, seat);
        points[seat + size_.n_seats] = points[seat];
    }
}

// Up to the threshold, or without one up to the lowest total at the table, in units of
// 1 << points_shift_, rounded down.
std::int8_t BatchGame::points_left(int row, int seat) const noexcept {
    const Points& totals = game(row).totals();
    std::int64_t goal = setup_->rules.threshold;
    if (goal == OFF) goal = *std::min_element(totals.begin(), totals.begin() + size_.n_seats);
    const std::int64_t left = goal - totals[static_cast<std::size_t>(seat)];
    return static_cast<std::int8_t>(
        std::clamp<std::int64_t>(left >> points_shift_, -MAX_COUNT - 1, MAX_COUNT));
}

// What the seat to move sees and may do, of a new deal.
void BatchGame::write(int row) noexcept {
    const Table& table = game(row).table();
    std::int8_t* out = observation(row);
    for (int i = 0, seat = table.seat; i < size_.n_seats; ++i, seat = table.next_seat(seat))
        write_cells(table.grids[static_cast<std::size_t>(seat)], out + i * layout_.n_cells);
    write_counts(table, out);
    write_seats<Viewer::TO_MOVE>(row, table.seat, out);
    put(out + layout_.scalars, Scalar::ROUND_NUMBER, clipped(game(row).round_number()));
    write_legal(row);
}

// The same after a draw, which changes little of what is there.
inline void BatchGame::write_draw(int row, Step step) noexcept {
    const Table& table = game(row).table();
    std::int8_t* out = observation(row);
    write_legal(row);
    write_change(table, step, out);
    out += layout_.scalars;
    put(out, Scalar::PHASE, static_cast<int>(table.phase));
    put(out, Scalar::HAND, value_of(table.hand));
    put(out, Scalar::DISCARD_TOP, value_or_hidden(table.discard.top()));
    put(out, Scalar::DRAW_PILE_SIZE, clipped(table.draw_pile_size));
    put(out, Scalar::RESHUFFLES, clipped(table.reshuffles));
}

// The same after any other move in the round: what was there, from the next seat on, and what the
// move changed. Of cells that is mostly one: by the usual rules others leave with it or not at all.
inline void BatchGame::write_turn(int row, Played played) noexcept {
    const Table& table = game(row).table();
    const Grid& grid = table.grids[static_cast<std::size_t>(played.seat)];
    std::int8_t* out = observation(row);
    write_legal(row);
    std::int8_t* cells = turn_cells(distance(played.seat, table.seat, size_.n_seats), out);
    if (setup_->house || !grid.is_up(played.cell)) [[unlikely]]
        write_cells(grid, cells);
    else
        cells[played.cell] = static_cast<std::int8_t>(value_of(grid.code(played.cell)));
    write_change(table, played.step, out);
    write_seats<Viewer::TO_MOVE>(row, table.seat, out);
}

// What any seat sees: the cells as the seat to move sees them, from this seat on.
void BatchGame::show(int row, int seat, std::int8_t* out) const noexcept {
    const BatchLayout& at = layout_;
    const Table& table = game(row).table();
    const std::int8_t* seen = observation(row);
    const int first = at.n_cells * distance(table.seat, seat, size_.n_seats);
    copy_pieces(out, seen + first, at.pile_counts - first);
    copy_pieces(out + at.pile_counts - first, seen, first);
    write_counts(table, out);
    if (table.hand != NO_CARD && table.seat != seat) {
        // For the others the drawn card still counts in the pool it came from.
        const int index = table.hand - at.lowest;
        ++out[at.pile_counts + index];
        if (table.reshuffles == 0) ++out[at.hidden_counts + index];
    }
    write_seats<Viewer::ANY>(row, seat, out);
    put(out + at.scalars, Scalar::ROUND_NUMBER, clipped(game(row).round_number()));
}

inline void BatchGame::write_legal(int row) noexcept {
    const auto i = static_cast<std::size_t>(row);
    legal_[i] = rows_[i].game.legal().bits;
    write_mask(legal_[i], arrays_->legal_masks.data() + i * N_MOVES);
    arrays_->seats[i] = rows_[i].game.table().seat;
}

// The cells of one seat.
void BatchGame::write_cells(const Grid& grid, std::int8_t* out) const noexcept {
    std::array<std::int8_t, 16> cells{};
    store(cells.data(), cell_bytes(grid, 0));
    store(cells.data() + 8, cell_bytes(grid, 8));
    std::copy_n(cells.begin(), layout_.n_cells, out);
}

// Puts the cells of the first n seats behind those of the others. Returns where the first are.
inline std::int8_t* BatchGame::turn_cells(int n, std::int8_t* out) const noexcept {
    const Piece behind = piece_at(out + layout_.pile_counts);
    const int others = layout_.pile_counts - layout_.n_cells;
    std::int8_t* const place = out + (n > 0 ? layout_.pile_counts - n * layout_.n_cells : 0);
    for (; n > 0; --n) {
        const Piece first = piece_at(out);
        copy_pieces(out, out + layout_.n_cells, others);
        std::memcpy(out + others, first.data(), sizeof first);
    }
    std::memcpy(out + layout_.pile_counts, behind.data(), sizeof behind);
    return place;
}

// All but cells, counts and the number of the round. In the order of the layout: pieces that are
// too long are written over by the features behind.
template <BatchGame::Viewer VIEWER>
inline void BatchGame::write_seats(int row, int seat, std::int8_t* out) const noexcept {
    const Table& table = game(row).table();
    std::memcpy(out + layout_.points_left, row_at(row).points.data() + seat, MAX_SEATS);
    write_last_turns(table, seat, out + layout_.last_turns);
    out += layout_.scalars;
    const int n = size_.n_seats;
    const bool is_own = VIEWER == Viewer::TO_MOVE || table.seat == seat;
    put(out, Scalar::PHASE, static_cast<int>(table.phase));
    put(out, Scalar::TO_MOVE, is_own ? 0 : distance(seat, table.seat, n));
    put(out, Scalar::HAND, value_or_hidden(is_own ? table.hand : NO_CARD));
    put(out, Scalar::DISCARD_TOP, value_or_hidden(table.discard.top()));
    put(out, Scalar::STARTER, seat_or_none(seat, table.starter, n));
    put(out, Scalar::CLOSER, seat_or_none(seat, table.closer, n));
    put(out, Scalar::DRAW_PILE_SIZE, clipped(table.draw_pile_size));
    put(out, Scalar::STALLED, table.stalled ? 1 : 0);
    put(out, Scalar::STALL_COUNT, clipped(table.stall_count));
    put(out, Scalar::RESHUFFLES, clipped(table.reshuffles));
    put(out, Scalar::TURN_NUMBER, clipped(table.turns));
}

// The counts of both pools.
void BatchGame::write_counts(const Table& table, std::int8_t* out) const noexcept {
    const auto n_values = static_cast<std::size_t>(layout_.n_values);
    std::memcpy(out + layout_.pile_counts, &table.draw_pool().n[layout_.lowest], n_values);
    std::memcpy(out + layout_.hidden_counts, &table.hidden_pool.n[layout_.lowest], n_values);
}

// The counts after a move. Mostly that of one card has changed, and to copy all of them would be to
// wait until the store of that one is through.
inline void BatchGame::write_change(const Table& table, Step step,
                                    std::int8_t* out) const noexcept {
    if (setup_->house || step.reshuffled) [[unlikely]]
        return write_counts(table, out);
    // Without a card the count of the lowest one, as it is: which of both comes, no one can guess.
    static_assert(NO_CARD >= 128 && N_CODES <= 128);
    const int index = (step.card - layout_.lowest) & ((step.card >> 7) - 1);
    const auto card = static_cast<Code>(layout_.lowest + index);
    out[layout_.pile_counts + index] = static_cast<std::int8_t>(table.draw_pool()[card]);
    out[layout_.hidden_counts + index] = static_cast<std::int8_t>(table.hidden_pool[card]);
}

inline void BatchGame::write_last_turns(const Table& table, int seat,
                                        std::int8_t* out) const noexcept {
    std::memset(out, static_cast<int>(LastTurn::NOBODY_CLOSED), MAX_SEATS);
    if (table.closer < 0) [[likely]]
        return;
    const int n = size_.n_seats;
    std::fill_n(out, n, static_cast<std::int8_t>(LastTurn::PLAYS_NO_MORE));
    for (int i = 0; i < table.last_turns.size; ++i)
        out[relative_seat(table.last_turns.at(i), seat, n)] =
            static_cast<std::int8_t>(LastTurn::STILL_PLAYS);
    out[relative_seat(table.closer, seat, n)] = static_cast<std::int8_t>(LastTurn::CLOSER);
}

// Asks for the lines that the moves of later rows read and write. What lies on top of a discard
// pile can be asked for once its size is there.
SKYJO_INLINE void BatchGame::prefetch_row(int row, int end) const noexcept {
    if (row + 2 * AHEAD < end) prefetch(&game(row + 2 * AHEAD).table().discard.size);
    row += AHEAD;
    if (row >= end) return;
    const Game& game = this->game(row);
    const Table& table = game.table();
    const auto n_seats = static_cast<std::size_t>(size_.n_seats);
    const std::int8_t* seen = observation(row);
    // The deck begins with its cards, which only a draw needs; then what was dealt face down.
    const auto* deck = reinterpret_cast<const std::uint8_t*>(&game.round().deck());
    const auto* top = table.discard.cards.data() + table.discard.size;
    for (const void* line : std::initializer_list<const void*>{
             &row_at(row), &table.grids[n_seats / 2], &table.grids[n_seats - 1], &table.hidden_pool,
             &table.discard_counts, top, deck + MAX_CARDS + 16, deck + sizeof(OrderedDeck), seen,
             seen + 64})
        prefetch(line);
    if (moves_[static_cast<std::size_t>(row)] == DRAW)
        for (std::size_t i = 0; i < MAX_CARDS; i += 64) prefetch(deck + i);
}

}  // namespace skyjo
