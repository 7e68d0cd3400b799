// SPDX-License-Identifier: MIT
#include "skyjo/playouts.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "skyjo/baselines.hpp"
#include "skyjo/fused.hpp"
#include "skyjo/levels.hpp"

namespace skyjo {
namespace {

void write(const Rules& rules, const Points& raw, int n_seats, int closer, std::int64_t number,
           const PlayoutResults& results) noexcept {
    const Points points = score(rules, raw, n_seats, closer);
    const auto row = static_cast<std::size_t>(number) * static_cast<std::size_t>(n_seats);
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(n_seats); ++seat) {
        results.raw[row + seat] = static_cast<std::int16_t>(raw[seat]);
        results.points[row + seat] = static_cast<std::int16_t>(points[seat]);
    }
    results.closer[number] = static_cast<std::int8_t>(closer);
}

// By any rules, move by move.
void play_out_by_moves(const Game& game, std::uint64_t key, std::int64_t number,
                       const PlayoutResults& results) noexcept {
    Game world = game;
    world.deal_anew(game.table().seat, key);
    RandomBot bot(key);
    while (!world.round().finished())
        world.apply(
            bot.choose_among<PickByTable>(world.legal(), world.table().phase == Phase::HOLD));
    write(game.setup().rules, world.round().raw(), game.n_seats(), world.table().closer, number,
          results);
}

// The rest of a round by the rules of fused::plays, seats counted from the one to move.
class FusedRest {
 public:
    explicit FusedRest(const Game& game) noexcept
        : rules_(game.setup().rules),
          n_seats_(game.n_seats()),
          closer_(game.table().closer),
          first_(game.table().seat) {
        const Table& table = game.table();
        start_.n_seats = n_seats_;
        for (int i = 0; i < n_seats_; ++i) {
            const Grid& grid = table.grids[static_cast<std::size_t>(absolute(i))];
            start_.seats[static_cast<std::size_t>(i)] = {
                grid.codes, std::uint32_t{grid.up} | grid.removed,
                fused::ALL_CELLS & ~std::uint32_t{grid.removed}};
        }
        std::copy_n(table.discard.cards.data(), table.discard.size, discards_.data());
        start_.top_at = table.discard.size - 1U;
        start_.top = table.discard.top();
        start_.idle = table.stall_count;
        start_.only_hidden = table.stalled ? ~0U : 0U;
        hand_ = table.hand;
        n_last_ = table.closer >= 0 ? table.last_turns.size : -1;
        one_pool_ = table.reshuffles == 0;
        n_hidden_pool_ = fused::write_out(table.hidden_pool, hidden_pool_);
        n_pile_ = one_pool_ ? n_hidden_pool_ : fused::write_out(table.pile_pool, pile_pool_);
    }

    template <class Pick>
    SKYJO_INLINE void play(std::uint64_t key, std::int64_t number,
                           const PlayoutResults& results) noexcept {
        fused::RandomChoices<Pick> choices{Stream(key)};
        auto hot = start_;
        deal(hot, choices.stream);
        const int closer = n_last_ >= 0 ? play_last(hot, choices) : play_all(hot, choices);
        Points raw{};
        for (int i = 0; i < n_seats_; ++i)
            raw[static_cast<std::size_t>(absolute(i))] =
                fused::raw_score(hot.seats[static_cast<std::size_t>(i)].cards);
        write(rules_, raw, n_seats_, closer, number, results);
    }

 private:
    using Round = fused::Round;

    [[nodiscard]] int absolute(int i) const noexcept {
        return first_ + i < n_seats_ ? first_ + i : first_ + i - n_seats_;
    }
    // The cells from their pool, what is left of one pool being the pile.
    SKYJO_INLINE void deal(Round::Hot& hot, Stream& stream) noexcept {
        round_.discards = discards_;
        round_.draw_pile = hidden_pool_;
        hot.n_draw = n_hidden_pool_;
        for (int i = 0; i < n_seats_; ++i) {
            fused::Seat& seat = hot.seats[static_cast<std::size_t>(i)];
            seat.cards |= round_.draw_cells(hot, ~seat.open & fused::ALL_CELLS, stream);
        }
        if (one_pool_) return;
        round_.draw_pile = pile_pool_;
        hot.n_draw = n_pile_;
    }
    // The turn that is begun: a card has been drawn.
    template <class Pick>
    SKYJO_INLINE bool finish_turn(Round::Hot& hot, fused::RandomChoices<Pick>& choices) noexcept {
        fused::Seat& seat = hot.seats[0];
        static_cast<void>(choices.take());
        const fused::Choice choice = choices.choose(0, seat, hot.only_hidden, nullptr, 1);
        return round_.lay(hot, seat, choice, hand_, rules_.stall_limit);
    }
    template <class Pick>
    SKYJO_INLINE int play_last(Round::Hot& hot, fused::RandomChoices<Pick>& choices) noexcept {
        const bool begun = hand_ != NO_CARD;
        if (begun) finish_turn(hot, choices);
        round_.last_turns(hot, begun ? 1 : 0, n_last_ - (begun ? 1 : 0), rules_.stall_limit,
                          choices);
        return closer_;
    }
    template <class Pick>
    SKYJO_INLINE int play_all(Round::Hot& hot, fused::RandomChoices<Pick>& choices) noexcept {
        const bool begun = hand_ != NO_CARD;
        if (begun && finish_turn(hot, choices)) {
            round_.last_turns(hot, 1, n_seats_ - 1, rules_.stall_limit, choices);
            return absolute(0);
        }
        if (begun) turn_seats(hot);
        int turns = 0;
        const int closer = round_.play(hot, rules_.stall_limit, choices, turns);
        if (begun) turn_back(hot);
        return absolute(begun ? (closer + 1) % n_seats_ : closer);
    }
    // Seat 1 becomes seat 0, and the way back: the loop of a lap begins with seat 0.
    static void turn_seats(Round::Hot& hot) noexcept {
        const auto first = hot.seats.begin();
        std::rotate(first, first + 1, first + hot.n_seats);
    }
    static void turn_back(Round::Hot& hot) noexcept {
        const auto first = hot.seats.begin();
        std::rotate(first, first + hot.n_seats - 1, first + hot.n_seats);
    }

    const Rules& rules_;
    int n_seats_;
    int closer_;
    int first_;
    int n_last_ = -1;
    bool one_pool_ = true;
    Code hand_ = NO_CARD;
    std::uint32_t n_hidden_pool_ = 0;
    std::uint32_t n_pile_ = 0;
    fused::Pile discards_{};
    fused::Pile hidden_pool_{};
    fused::Pile pile_pool_{};
    Round::Hot start_{};
    Round round_{};
};

// Whether a seat can take its turn in the fused loop, which looks for a hidden card.
bool has_hidden(const Game& game, int seat) noexcept {
    return game.table().grids[static_cast<std::size_t>(seat)].hidden(game.setup().shape) != 0;
}

// Whether the seats that still play do so one after the other, each with a hidden card: as in all
// states that play comes to.
bool is_in_order(const Game& game) noexcept {
    const Table& table = game.table();
    const int n = table.closer < 0 ? table.n_seats : table.last_turns.size;
    for (int i = 0; i < n; ++i) {
        const int seat = (table.seat + i) % table.n_seats;
        if (table.closer >= 0 && table.last_turns.at(i) != seat) return false;
        if (!has_hidden(game, seat)) return false;
    }
    return true;
}

// Whether the fused loop can go on from here. The cap on turns must be as far off as it is when a
// round begins.
bool can_fuse(const Game& game) noexcept {
    const Table& table = game.table();
    if (table.phase == Phase::FLIP || !game.round().is_plain() || table.discard.size == 0)
        return false;
    Rules left = game.setup().rules;
    left.max_turns_per_round -= table.turns;
    return fused::plays(left, table.n_seats) && is_in_order(game);
}

struct Share {
    std::int64_t first;
    std::int64_t n;
    std::uint64_t seed;
    PlayoutResults results;

    [[nodiscard]] std::uint64_t key(std::int64_t number) const noexcept {
        return derive(seed, Purpose::PLAYOUT, static_cast<std::uint64_t>(number));
    }
};

struct FusedShare : Share {
    FusedShare(const Share& share, const Game& game) noexcept : Share(share), rest(game) {}

    template <class Pick>
    SKYJO_INLINE void run() noexcept {
        for (std::int64_t number = first; number < first + n; ++number)
            rest.play<Pick>(key(number), number, results);
    }

    FusedRest rest;
};

}  // namespace

void play_out(const Game& game, std::int64_t first, std::int64_t n, std::uint64_t seed,
              const PlayoutResults& results) {
    const Share share{first, n, seed, results};
    if (can_fuse(game)) {
        FusedShare work(share, game);
        return run_at(best_level(), work);
    }
    for (std::int64_t number = first; number < first + n; ++number)
        play_out_by_moves(game, share.key(number), number, results);
}

}  // namespace skyjo
