// SPDX-License-Identifier: MIT
#include "skyjo/simulation.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <utility>

#include "skyjo/baselines.hpp"
#include "skyjo/fused.hpp"
#include "skyjo/levels.hpp"
#include "skyjo/match_loop.hpp"
#include "skyjo/record.hpp"
#include "skyjo/thread_pool.hpp"

namespace skyjo {
namespace {

// The history that a match needs: the moves of the present round. Its room is used again.
class MoveLog {
 public:
    static constexpr bool STAYS = true;
    static constexpr bool COUNTS_DECISIONS = false;

    // Room for the moves of any round by these rules; what no round uses takes no memory.
    explicit MoveLog(const Setup& setup)
        : room_(new skyjo_played[static_cast<std::size_t>(setup.max_seats * setup.shape.n_cells +
                                                          2 * setup.rules.max_turns_per_round)]),
          end_(room_.get()) {}

    void begin(const Game&) noexcept { end_ = room_.get(); }
    SKYJO_INLINE void played(const Game&, int seat, Move move, const Step& step) noexcept {
        *end_++ = {static_cast<std::int8_t>(seat), move, step.card};
    }
    void end(const Game& game) noexcept {
        hash_ = hash_moves(hash_, room_.get(), moves().size());
        turns_ += game.table().turns;
    }
    [[nodiscard]] std::span<const skyjo_played> moves() const noexcept {
        return {room_.get(), end_};
    }
    void has_now(std::size_t n_moves) noexcept { end_ = room_.get() + n_moves; }

    void begin_game() noexcept {
        end_ = room_.get();
        hash_ = 0;
        turns_ = 0;
    }
    [[nodiscard]] std::uint64_t hash() const noexcept { return mix64(hash_ + GOLDEN); }
    [[nodiscard]] std::int64_t turns() const noexcept { return turns_; }

 private:
    std::unique_ptr<skyjo_played[]> room_;
    skyjo_played* end_;
    std::uint64_t hash_ = 0;
    std::int64_t turns_ = 0;
};

// `hash`: of the moves. Its last word becomes that of the whole game.
void write_results(const GameResults& results, std::int64_t number, const Points& totals,
                   const std::array<std::int8_t, MAX_SEATS>& places, int n_seats, int n_rounds,
                   std::int64_t turns, std::uint64_t hash) noexcept {
    const auto row = static_cast<std::size_t>(number) * static_cast<std::size_t>(n_seats);
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(n_seats); ++seat) {
        results.totals[row + seat] = totals[seat];
        results.places[row + seat] = places[seat];
        hash = mix64(hash + GOLDEN) ^ (static_cast<std::uint64_t>(totals[seat]) << 8 |
                                       static_cast<std::uint8_t>(places[seat]));
    }
    results.rounds[number] = n_rounds;
    results.turns[number] = turns;
    results.hashes[number] = mix64(hash + GOLDEN);
}

// One thread's share of games between bots, one after the other.
class Player {
 public:
    Player(const Setup& setup, const std::vector<BotChoice>& bots, std::uint64_t seed,
           const GameResults& results)
        : setup_(setup), choices_(bots), seed_(seed), results_(results), log_(setup) {
        for (std::size_t seat = 0; seat < bots.size(); ++seat)
            makers_[seat] = maker_of(bots[seat].bot);
    }

    template <class Pick>
    SKYJO_INLINE void play(std::int64_t number) {
        const auto deal = static_cast<std::uint64_t>(number);
        std::construct_at(&game_, setup_, n_seats(), game_seed(seed_, deal), DeckKind::STACK);
        log_.begin_game();
        std::array<SeatBot, MAX_SEATS> seats{};
        const BotKeys keys(seed_, deal, 0, 0);
        for (std::size_t seat = 0; seat < choices_.size(); ++seat)
            seats[seat] = sit_down(seat, keys.of(seat));
        MatchResult result =
            MatchLoop<MoveLog, Timing::OFF>(game_, log_, seats, MatchOptions{}).play();
        for (std::size_t seat = 0; seat < choices_.size(); ++seat)
            if (seats[seat].self != &rooms_[seat]) leave(seats[seat]);
        write(number, result);
        for (Fault& fault : result.faults) faults_.push_back({number, fault});
    }

    [[nodiscard]] const std::vector<GameFault>& faults() const noexcept { return faults_; }

 private:
    [[nodiscard]] int n_seats() const noexcept { return static_cast<int>(choices_.size()); }
    // Bots of ours in a room of their seat's, all others where they like.
    [[nodiscard]] SeatBot sit_down(std::size_t seat, std::uint64_t key) {
        const BotChoice& choice = choices_[seat];
        const MakeNative make = makers_[seat];
        void* self = make == nullptr ? nullptr : make(rooms_[seat], choice.options, key);
        return self == nullptr ? sit(choice, key) : SeatBot{choice.bot, self};
    }
    void write(std::int64_t number, const MatchResult& result) noexcept {
        write_results(results_, number, game_.totals(), result.places, n_seats(),
                      game_.sheet().n_rounds, log_.turns(), log_.hash());
    }

    const Setup& setup_;
    const std::vector<BotChoice>& choices_;
    std::uint64_t seed_;
    GameResults results_;
    Game game_{};
    MoveLog log_;
    std::array<MakeNative, MAX_SEATS> makers_{};
    std::array<NativeRoom, MAX_SEATS> rooms_{};
    std::vector<GameFault> faults_;
};

// Random play by the rules of fused::plays, a whole game in one loop.
class FusedPlayer {
 public:
    FusedPlayer(const Setup& setup, int n_seats, std::uint64_t seed,
                const GameResults& results) noexcept
        : rules_(setup.rules), n_seats_(n_seats), seed_(seed), results_(results) {
        n_cards_ = fused::write_out(rules_.deck, deck_);
    }

    template <class Pick>
    SKYJO_INLINE void play(std::int64_t number) noexcept {
        fused::RandomChoices<Pick> choices{
            Stream(derive(seed_, Purpose::PLAYOUT, static_cast<std::uint64_t>(number)))};
        ScoreSheet sheet;
        sheet.n_seats = n_seats_;
        LastRound last;
        std::int64_t turns = 0;
        for (int n_rounds = 0; !sheet.over(); ++n_rounds) {
            const Points points = play_round(n_rounds, last, choices, turns);
            sheet.add(rules_, points);
        }
        write(number, sheet, turns);
    }

 private:
    template <class Pick>
    SKYJO_INLINE Points play_round(int number, LastRound& last, fused::RandomChoices<Pick>& choices,
                                   std::int64_t& turns) noexcept {
        round_.deal(hot_, n_seats_, deck_, n_cards_, choices.stream);
        const int starter = flip_and_start(number, last, choices);
        const auto first = hot_.seats.begin();
        std::rotate(first, first + starter, first + n_seats_);
        int n_turns = 0;
        const int distance = round_.play(hot_, rules_.stall_limit, choices, n_turns);
        turns += n_turns;
        Points raw{};
        for (int i = 0; i < n_seats_; ++i)
            raw[static_cast<std::size_t>((starter + i) % n_seats_)] =
                fused::raw_score(hot_.seats[static_cast<std::size_t>(i)].cards);
        const int closer = (starter + distance) % n_seats_;
        const Points points = score(rules_, raw, n_seats_, closer);
        last = {starter, closer, winner_of_round(points, n_seats_)};
        return points;
    }
    // The opening flips; returns who starts (RULES A.2, A.3, A.11).
    template <class Pick>
    SKYJO_INLINE int flip_and_start(int number, const LastRound& last,
                                    fused::RandomChoices<Pick>& choices) noexcept {
        std::array<OpenCards, MAX_SEATS> open{};
        Word word;
        for (std::size_t seat = 0; seat < static_cast<std::size_t>(n_seats_); ++seat) {
            if (seat % fused::OPENINGS_BY_WORD == 0) word = {choices.stream.next()};
            open[seat] = fused::turn_up(hot_.seats[seat], rules_.initial_flips, word);
        }
        Seats among = settled_starters(rules_, n_seats_, number, last);
        if (among == 0) among = highest_sum_seats(rules_, open, n_seats_);
        if (std::has_single_bit(among)) return std::countr_zero(among);
        return random_seat(among, choices.stream.next());
    }
    void write(std::int64_t number, const ScoreSheet& sheet, std::int64_t turns) noexcept {
        write_results(results_, number, sheet.totals, sheet.places(), n_seats_, sheet.n_rounds,
                      turns, static_cast<std::uint64_t>(turns));
    }

    const Rules& rules_;
    int n_seats_;
    std::uint64_t seed_;
    GameResults results_;
    std::uint32_t n_cards_ = 0;
    fused::Pile deck_{};
    fused::Round round_{};
    fused::Round::Hot hot_{};
};

// Some games of one thread.
template <class AnyPlayer>
struct Part {
    AnyPlayer& player;
    std::int64_t first;
    std::int64_t end;

    template <class Pick>
    SKYJO_INLINE void run() {
        for (std::int64_t game = first; game < end; ++game) player.template play<Pick>(game);
    }
};

// Shares games out among threads, a part at a time: few games, so that all end together, but enough
// to write apart from each other.
template <class AnyPlayer>
class Sharing {
 public:
    Sharing(std::int64_t first, std::int64_t n, std::vector<AnyPlayer>& players) noexcept
        : next_(first), end_(first + n), players_(players) {}

    void play() {
        ThreadPool pool(static_cast<int>(players_.size()));
        pool.run(
            [](void* self, int thread) noexcept {
                static_cast<Sharing*>(self)->play_parts(static_cast<std::size_t>(thread));
            },
            this);
    }

 private:
    void play_parts(std::size_t thread) noexcept {
        constexpr std::int64_t AT_ONCE = 64;
        while (true) {
            const std::int64_t start = next_.fetch_add(AT_ONCE, std::memory_order_relaxed);
            if (start >= end_) return;
            Part<AnyPlayer> part{players_[thread], start, std::min(start + AT_ONCE, end_)};
            run_at(level_, part);
        }
    }

    std::atomic<std::int64_t> next_;
    std::int64_t end_;
    std::vector<AnyPlayer>& players_;
    Level level_ = best_level();
};

bool is_earlier(const GameFault& one, const GameFault& other) noexcept {
    return std::tuple(one.game, one.fault.round, one.fault.move) <
           std::tuple(other.game, other.fault.round, other.fault.move);
}

}  // namespace

bool can_fuse(const Setup& setup, const std::vector<BotChoice>& bots) noexcept {
    const skyjo_bot* random = native_bot("random");
    for (const BotChoice& choice : bots)
        if (choice.bot != random) return false;
    return fused::plays(setup.rules, static_cast<int>(bots.size()));
}

std::vector<GameFault> Simulation::play(std::int64_t first, std::int64_t n, int n_threads,
                                        const GameResults& results) const {
    if (path_ == Path::FUSED) {
        const int n_seats = static_cast<int>(bots_.size());
        std::vector<FusedPlayer> players(static_cast<std::size_t>(n_threads),
                                         FusedPlayer(*setup_, n_seats, seed_, results));
        Sharing(first, n, players).play();
        return {};
    }
    std::vector<Player> players;
    for (int i = 0; i < n_threads; ++i) players.emplace_back(*setup_, bots_, seed_, results);
    Sharing(first, n, players).play();
    std::vector<GameFault> faults;
    for (const Player& player : players)
        faults.insert(faults.end(), player.faults().begin(), player.faults().end());
    std::sort(faults.begin(), faults.end(), is_earlier);
    return faults;
}

}  // namespace skyjo
