// SPDX-License-Identifier: MIT
// The hot paths of the engine, each a fixed seeded amount of work: for callgrind, which counts its
// instructions, and for the clock.
//
//   skyjo_hot_paths                        the names, one a line
//   skyjo_hot_paths NAME                   once, for callgrind
//   skyjo_hot_paths NAME SECONDS THREADS   again and again for so long
//
// One line of JSON on standard output: units of work (turns, copies, ...) and seconds.
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "skyjo/baselines.hpp"
#include "skyjo/batch_game.hpp"
#include "skyjo/match.hpp"
#include "skyjo/playouts.hpp"
#include "skyjo/record.hpp"
#include "skyjo/record_text.hpp"
#include "skyjo/simulation.hpp"
#include "skyjo/text_buffer.hpp"
#include "skyjo/view.hpp"

// All that is measured, and nothing else, runs below this function: callgrind looks for its name.
extern "C" [[gnu::noinline]] void skyjo_measured(void (*work)(void*), void* self) {
    work(self);
    asm volatile("" ::: "memory");
}

namespace skyjo::hot {
namespace {

using Clock = std::chrono::steady_clock;

class Meter {
 public:
    // Timed work is longer than counted work: next to it the start of threads takes no time.
    Meter(int scale, int threads) noexcept : scale(scale), threads(threads) {}

    template <class Work>
    void run(Work work) {
        const Clock::time_point start = Clock::now();
        skyjo_measured([](void* self) { (*static_cast<Work*>(self))(); }, &work);
        taken_ += Clock::now() - start;
    }
    [[nodiscard]] double seconds() const noexcept {
        return std::chrono::duration<double>(taken_).count();
    }

    const int scale;
    const int threads;

 private:
    Clock::duration taken_{};
};

// Makes the compiler believe that a value is read.
template <class Value>
void keep(const Value& value) noexcept {
    asm volatile("" ::"r"(&value) : "memory");
}

const Setup& setup() {
    static const Setup SETUP;
    return SETUP;
}

// Results of simulated games, and how many turns they took.
struct Results {
    Results(int n_games, int n_seats)
        : totals(static_cast<std::size_t>(n_games * n_seats)),
          places(totals.size()),
          rounds(static_cast<std::size_t>(n_games)),
          turns(rounds.size()),
          hashes(rounds.size()) {}
    [[nodiscard]] GameResults where() noexcept {
        return {totals.data(), places.data(), rounds.data(), turns.data(), hashes.data()};
    }
    [[nodiscard]] std::int64_t all_turns() const noexcept {
        std::int64_t sum = 0;
        for (const std::int64_t n : turns) sum += n;
        return sum;
    }

    std::vector<std::int32_t> totals;
    std::vector<std::int8_t> places;
    std::vector<std::int32_t> rounds;
    std::vector<std::int64_t> turns;
    std::vector<std::uint64_t> hashes;
};

struct Play {
    const char* bot;
    Path path;
    int n_seats;
    int n_games;
};

std::int64_t simulate(Meter& meter, const Play& play) {
    const int n_games = play.n_games * meter.scale;
    Results results(n_games, play.n_seats);
    const std::vector<BotChoice> bots(static_cast<std::size_t>(play.n_seats),
                                      BotChoice{native_bot(play.bot), ""});
    const Simulation simulation(setup(), bots, 1, play.path);
    meter.run([&] {
        if (!simulation.play(0, n_games, meter.threads, results.where()).empty()) std::abort();
    });
    return results.all_turns();
}

template <int SEATS>
std::int64_t fused(Meter& meter) {
    return simulate(meter, {"random", Path::FUSED, SEATS, 800 / SEATS});
}
template <int SEATS>
std::int64_t random_bots(Meter& meter) {
    return simulate(meter, {"random", Path::PLUGGABLE, SEATS, 240 / SEATS});
}
std::int64_t threshold_bots(Meter& meter) {
    return simulate(meter, {"threshold", Path::PLUGGABLE, 4, 120});
}

// A match of random bots with its log, as a tournament plays them.
struct Logged {
    Game game;
    GameLog log;

    Logged(int n_seats, std::uint64_t number)
        : game(setup(), n_seats, game_seed(1, number), DeckKind::STACK),
          n_seats_(static_cast<std::size_t>(n_seats)) {
        for (std::size_t seat = 0; seat < n_seats_; ++seat)
            seats_[seat] = {BOT, BOT->create("", BotKeys(1, number, 0, 0).of(seat))};
    }
    Logged(const Logged&) = delete;
    Logged& operator=(const Logged&) = delete;
    ~Logged() {
        for (std::size_t seat = 0; seat < n_seats_; ++seat) BOT->destroy(seats_[seat].self);
    }
    void play() {
        log.begin(game);
        keep(play_match(game, log, seats_, {}));
        keep(log.moves_hash());
    }

 private:
    inline static const skyjo_bot* const BOT = native_bot("random");
    std::size_t n_seats_;
    std::array<SeatBot, MAX_SEATS> seats_{};
};

std::int64_t logged(Meter& meter) {
    std::int64_t n_turns = 0;
    for (int i = 0; i < 40 * meter.scale; ++i) {
        Logged match(4, static_cast<std::uint64_t>(i));
        meter.run([&] { match.play(); });
        for (const RoundLog& round : match.log.rounds())
            for (const skyjo_played& played : round.moves)
                n_turns += played.move == DRAW || (played.move >= TAKE && played.move < PLACE);
    }
    return n_turns;
}

std::int64_t records(Meter& meter) {
    const int n = 40 * meter.scale;
    TextBuffer lines;
    for (int i = 0; i < n; ++i) {
        Logged match(2, static_cast<std::uint64_t>(i));
        match.play();
        lines.clear();
        meter.run([&] {
            append_record(lines, {"{}", "[]", "[]", i, {}}, match.log, match.game);
            keep(lines);
        });
    }
    return n;
}

// The lowest legal move but one in two, so that games go on and end.
Move any_move(MoveSet legal, std::uint64_t number) noexcept {
    std::uint64_t bits = legal.bits;
    for (std::uint64_t skip = number * GOLDEN >> 61; skip > 0 && (bits & (bits - 1)) != 0; --skip)
        bits &= bits - 1;
    return static_cast<Move>(std::countr_zero(bits));
}

// Moves one by one, by the most general functions.
std::int64_t moves(Meter& meter) {
    std::int64_t n_moves = 0;
    for (int i = 0; i < 40 * meter.scale; ++i) {
        Game game(setup(), 4, static_cast<std::uint64_t>(i), DeckKind::STACK);
        meter.run([&] {
            while (!game.round().finished())
                game.apply(any_move(game.legal(), static_cast<std::uint64_t>(n_moves++)));
        });
    }
    return n_moves;
}

template <int SEATS>
std::int64_t deals(Meter& meter) {
    const int n = 2'000 * meter.scale;
    meter.run([n] {
        for (int i = 0; i < n; ++i)
            keep(Game(setup(), SEATS, static_cast<std::uint64_t>(i), DeckKind::STACK));
    });
    return n;
}

// A game of four seats some turns after its start.
Game middle() noexcept {
    Game game(setup(), 4, 1, DeckKind::STACK);
    for (std::uint64_t i = 0; i < 40; ++i) game.apply(any_move(game.legal(), i));
    return game;
}

std::int64_t copies(Meter& meter) {
    constexpr std::size_t ROOM = 16;
    const int n = 10'000 * meter.scale;
    const Game game = middle();
    const auto room = std::make_unique<std::array<Game, ROOM>>();
    meter.run([&] {
        for (int i = 0; i < n; ++i) {
            Game& copy = (*room)[static_cast<std::size_t>(i) % ROOM];
            copy = game;
            keep(copy);
        }
    });
    return n;
}

std::int64_t views(Meter& meter) {
    const int n = 10'000 * meter.scale;
    const Game game = middle();
    Viewer viewer;
    viewer.refresh(game);
    meter.run([&] {
        for (int i = 0; i < n; ++i) {
            viewer.moved(game.table(), i % 4);
            keep(viewer.look(game, i % 4, nullptr, 0));
        }
    });
    return n;
}

std::int64_t playouts(Meter& meter) {
    const int n = 400 * meter.scale;
    const Game game = middle();
    std::vector<std::int16_t> raw(static_cast<std::size_t>(4 * n));
    std::vector<std::int16_t> points(raw.size());
    std::vector<std::int8_t> closer(static_cast<std::size_t>(n));
    meter.run([&] { play_out(game, 0, n, 1, {raw.data(), points.data(), closer.data()}); });
    return n;
}

std::int64_t batch_steps(Meter& meter) {
    constexpr int N = 256;
    const int n_steps = 60 * meter.scale;
    BatchGame batch(setup(), {N, 4, meter.threads}, 1);
    std::vector<std::int64_t> chosen(N);
    std::uint64_t number = 0;
    for (int step = 0; step < n_steps; ++step) {
        for (int row = 0; row < N; ++row)
            chosen[static_cast<std::size_t>(row)] = any_move(batch.game(row).legal(), ++number);
        meter.run([&] { keep(batch.step(chosen.data())); });
    }
    return std::int64_t{N} * n_steps;
}

struct HotPath {
    const char* name;
    const char* unit;
    std::int64_t (*run)(Meter&);
};

constexpr HotPath PATHS[] = {
    {"fused-2", "turn", fused<2>},
    {"fused-4", "turn", fused<4>},
    {"fused-8", "turn", fused<8>},
    {"random-2", "turn", random_bots<2>},
    {"random-4", "turn", random_bots<4>},
    {"random-8", "turn", random_bots<8>},
    {"threshold-4", "turn", threshold_bots},
    {"logged-4", "turn", logged},
    {"records-2", "record", records},
    {"moves-4", "move", moves},
    {"deals-2", "deal", deals<2>},
    {"deals-8", "deal", deals<8>},
    {"copies", "copy", copies},
    {"views", "view", views},
    {"playouts-4", "playout", playouts},
    {"batch-steps-4", "decision", batch_steps},
};

const HotPath* path_named(std::string_view name) noexcept {
    for (const HotPath& path : PATHS)
        if (name == path.name) return &path;
    return nullptr;
}

void measure(const HotPath& path, double seconds, Meter meter) {
    std::int64_t n = 0;
    do n += path.run(meter);
    while (meter.seconds() < seconds);
    std::printf("{\"name\": \"%s\", \"unit\": \"%s\", \"n\": %lld, \"seconds\": %.9f}\n", path.name,
                path.unit, static_cast<long long>(n), meter.seconds());
}

}  // namespace
}  // namespace skyjo::hot

int main(int n_words, char** words) {
    using namespace skyjo::hot;
    if (n_words == 1) {
        for (const HotPath& path : PATHS) std::puts(path.name);
        return 0;
    }
    const HotPath* path = path_named(words[1]);
    if (path == nullptr || (n_words != 2 && n_words != 4)) {
        std::fprintf(stderr, "%s: expected NAME or NAME SECONDS THREADS, got another\n", words[0]);
        return 2;
    }
    if (n_words == 2) {
        measure(*path, 0, Meter(1, 1));
        return 0;
    }
    // With threads a piece of work takes as long as a whole measurement: at its start a processor
    // that has nothing to do wakes up, which takes milliseconds.
    const int threads = std::atoi(words[3]);
    measure(*path, std::atof(words[2]), Meter(threads == 1 ? 400 : 1600 * threads, threads));
    return 0;
}
