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

// Copies n bytes in pieces of 16, so that up to 15 bytes more are read and written. An observation
// has room: behind its cells stand points_left and last_turns, of two seats or more, and scalars.
static_assert(2 * 2 + N_SCALARS >= 16 && 2 + N_SCALARS >= MAX_SEATS);
void copy_pieces(std::int8_t* out, const std::int8_t* from, int n) noexcept {
    for (int i = 0; i < n; i += 16) std::memcpy(out + i, from + i, 16);
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
    shown_stride_ = 2 * n_seats * static_cast<std::size_t>(layout_.n_cells + 1) + 16;
    shown_.resize(n * shown_stride_);
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
            if (row + AHEAD < end) prefetch_row(row + AHEAD);
            play(row);
        }
    });
    return faults;
}

void BatchGame::observe(int seat, std::int8_t* out) noexcept {
    assert(seat >= 0 && seat < size_.n_seats);
    for_parts([this, seat, out](int begin, int end) noexcept {
        for (int row = begin; row < end; ++row)
            write_observation<Viewer::ANY>(row, seat,
                                           out + std::ptrdiff_t{row} * layout_.n_features);
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
    show_deal(row);
}

// Plays the row's move; a round that it finishes is scored, and the next one dealt.
inline void BatchGame::play(int row) noexcept {
    Game& game = rows_[static_cast<std::size_t>(row)].game;
    const Move move = moves_[static_cast<std::size_t>(row)];
    const int seat = game.table().seat;
    game.apply(move);
    if (move == DRAW) return write_draw(row);
    if (game.round().finished()) [[unlikely]] {
        end_round(row);
    } else {
        show_move(row, seat, cell_of(move));
    }
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
    show_deal(row);
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

// Brings the cells of a seat up to date after its move, which mostly changed this cell alone: by
// the usual rules others leave with it or not at all.
inline void BatchGame::show_move(int row, int seat, int cell) noexcept {
    const Grid& grid = game(row).table().grids[static_cast<std::size_t>(seat)];
    if (setup_->house || !grid.is_up(cell)) return show_seat(row, seat);
    std::int8_t* out = shown(row) + seat * layout_.n_cells + cell;
    *out = static_cast<std::int8_t>(value_of(grid.code(cell)));
    out[layout_.pile_counts] = *out;
}

// Brings all cells of a seat up to date.
void BatchGame::show_seat(int row, int seat) noexcept {
    const Grid& grid = game(row).table().grids[static_cast<std::size_t>(seat)];
    std::array<std::int8_t, 16> cells{};
    store(cells.data(), cell_bytes(grid, 0));
    store(cells.data() + 8, cell_bytes(grid, 8));
    std::int8_t* out = shown(row) + seat * layout_.n_cells;
    std::copy_n(cells.begin(), layout_.n_cells, out);
    std::copy_n(cells.begin(), layout_.n_cells, out + layout_.pile_counts);
}

// The cells of all seats, and the points left.
void BatchGame::show_deal(int row) noexcept {
    for (int seat = 0; seat < size_.n_seats; ++seat) {
        show_seat(row, seat);
        std::int8_t* points = shown(row) + 2 * layout_.pile_counts;
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

// What the seat to move sees and may do.
inline void BatchGame::write(int row) noexcept {
    const int seat = game(row).table().seat;
    write_legal(row);
    arrays_->seats[static_cast<std::size_t>(row)] = static_cast<std::int8_t>(seat);
    write_observation<Viewer::TO_MOVE>(row, seat, observation(row));
}

// The same after a draw, which changes little of what is there: 6 % fewer instructions a step.
inline void BatchGame::write_draw(int row) noexcept {
    const Table& table = game(row).table();
    std::int8_t* out = observation(row);
    write_legal(row);
    write_counts(table, out);
    out += layout_.scalars;
    put(out, Scalar::PHASE, static_cast<int>(table.phase));
    put(out, Scalar::HAND, value_of(table.hand));
    put(out, Scalar::DISCARD_TOP, value_or_hidden(table.discard.top()));
    put(out, Scalar::DRAW_PILE_SIZE, clipped(table.draw_pile_size));
    put(out, Scalar::RESHUFFLES, clipped(table.reshuffles));
}

inline void BatchGame::write_legal(int row) noexcept {
    const auto i = static_cast<std::size_t>(row);
    legal_[i] = rows_[i].game.legal().bits;
    write_mask(legal_[i], arrays_->legal_masks.data() + i * N_MOVES);
}

// In the order of the layout: pieces that are too long are written over by the features behind.
template <BatchGame::Viewer VIEWER>
inline void BatchGame::write_observation(int row, int seat, std::int8_t* out) const noexcept {
    const BatchLayout& at = layout_;
    const Table& table = game(row).table();
    const std::int8_t* seats = shown(row);
    copy_pieces(out, seats + seat * at.n_cells, at.pile_counts);
    write_counts(table, out);
    if (VIEWER == Viewer::ANY && table.hand != NO_CARD && table.seat != seat) {
        // For the others the drawn card still counts in the pool it came from.
        const int index = table.hand - at.lowest;
        ++out[at.pile_counts + index];
        if (table.reshuffles == 0) ++out[at.hidden_counts + index];
    }
    copy_pieces(out + at.points_left, seats + 2 * at.pile_counts + seat, MAX_SEATS);
    write_last_turns(table, seat, out + at.last_turns);
    out += at.scalars;
    const int n = size_.n_seats;
    const bool is_own = VIEWER == Viewer::TO_MOVE || table.seat == seat;
    put(out, Scalar::PHASE, static_cast<int>(table.phase));
    put(out, Scalar::TO_MOVE, is_own ? 0 : relative_seat(table.seat, seat, n));
    put(out, Scalar::HAND, value_or_hidden(is_own ? table.hand : NO_CARD));
    put(out, Scalar::DISCARD_TOP, value_or_hidden(table.discard.top()));
    put(out, Scalar::STARTER, relative_seat(table.starter, seat, n));
    put(out, Scalar::CLOSER, relative_seat(table.closer, seat, n));
    put(out, Scalar::DRAW_PILE_SIZE, clipped(table.draw_pile_size));
    put(out, Scalar::STALLED, table.stalled ? 1 : 0);
    put(out, Scalar::STALL_COUNT, clipped(table.stall_count));
    put(out, Scalar::RESHUFFLES, clipped(table.reshuffles));
    put(out, Scalar::ROUND_NUMBER, clipped(game(row).round_number()));
    put(out, Scalar::TURN_NUMBER, clipped(table.turns));
}

// The counts of both pools. A copy of a known length takes two instructions.
inline void BatchGame::write_counts(const Table& table, std::int8_t* out) const noexcept {
    constexpr std::size_t USUAL = 15;
    const std::uint8_t* pile = &table.draw_pool().n[layout_.lowest];
    const std::uint8_t* hidden = &table.hidden_pool.n[layout_.lowest];
    const auto n_values = static_cast<std::size_t>(layout_.n_values);
    if (n_values == USUAL) {
        std::memcpy(out + layout_.pile_counts, pile, USUAL);
        std::memcpy(out + layout_.hidden_counts, hidden, USUAL);
    } else {
        std::memcpy(out + layout_.pile_counts, pile, n_values);
        std::memcpy(out + layout_.hidden_counts, hidden, n_values);
    }
}

void BatchGame::write_last_turns(const Table& table, int seat, std::int8_t* out) const noexcept {
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

// The lines that a move and an observation read, whatever the move is: 1 to 10 % of a step.
void BatchGame::prefetch_row(int row) const noexcept {
    const Game& game = this->game(row);
    const Table& table = game.table();
    const std::int8_t* seats = shown(row);
    for (const void* line :
         std::initializer_list<const void*>{&game, &table.hidden_pool, &table.discard_counts,
                                            &table.draw_pile_size, &table.turns, seats, seats + 64})
        prefetch(line);
    const auto* deck = reinterpret_cast<const std::uint8_t*>(&game.round().deck());
    for (std::size_t i = 0; i < sizeof(OrderedDeck); i += 64) prefetch(deck + i);
}

}  // namespace skyjo
