// SPDX-License-Identifier: MIT
// Games made from views, unknown cards dealt anew and forced cards, under the sanitizers; views
// that are made up are refused or give a round that can be played to its end.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "state_checks.hpp"

namespace skyjo::testing {
namespace {

// Plays the round to its end; each state is in order, or at least a legal move is there.
enum class States { WHOLE, PLAYABLE };

void play_out(Game game, States states, Stream& stream) {
    const auto style = static_cast<Style>(pick(stream, 3));
    int hidden = MAX_CARDS;
    // Each turn is two moves at most, and each cell is turned up once in the opening.
    int moves_left = 2 * game.setup().rules.max_turns_per_round + MAX_SEATS * MAX_CELLS;
    while (!game.round().finished()) {
        require(!game.legal().empty(), "a legal move");
        require(moves_left-- > 0, "an end of the round");
        const Move move = choose(game.table(), game.legal(), style, stream);
        const Counts outcomes = game.round().outcomes(move);
        if (pick(stream, 3) == 0 && outcomes != Counts{}) {
            const Code card = skyjo::pick(outcomes, stream);
            require(game.apply(move, card, stream).card == card, "the card that was forced");
        } else {
            game.apply(move);
        }
        if (states == States::WHOLE) check_state(game, hidden);
    }
    game.settle();
    require(game.over(), "one round alone");
    static_cast<void>(game.sheet().places());
    for (int seat = 0; seat < game.n_seats(); ++seat) static_cast<void>(view_of(game, seat));
}

// What a seat sees of a game, but for what the holder of a drawn card alone may see.
void require_possible(const Setup& setup, const Game& world, const Game& game, int seat) {
    const KeptView seen = view_of(game, seat);
    KeptView possible = view_of(world, seat);
    require(view_fault(setup, possible.view).empty(), "a possible view");
    if (game.table().phase == Phase::HOLD && game.table().seat == seat) {
        require(possible.view.hand < N_CODES && setup.rules.deck[possible.view.hand] > 0,
                "a possible hand");
        possible.view.hand = seen.view.hand;
        std::memcpy(possible.pile_counts, seen.pile_counts, sizeof seen.pile_counts);
        std::memcpy(possible.hidden_counts, seen.hidden_counts, sizeof seen.hidden_counts);
    }
    require(same_view(possible, seen), "what everybody sees");
}

void check_worlds(const Setup& setup, const Game& game, Stream& stream) {
    for (int seat = 0; seat < game.n_seats(); ++seat) {
        const KeptView kept = view_of(game, seat);
        require(view_fault(setup, kept.view).empty(), "a view of a running round");
        const Game world = game_from_view(setup, kept.view, stream.next());
        require(same_view(view_of(world, seat), kept), "the view that the game was made from");
        for (int other = 0; other < game.n_seats(); ++other)
            if (other != seat) require_possible(setup, world, game, other);
        int hidden = MAX_CARDS;
        check_state(world, hidden);
        if (pick(stream, 4) == 0) play_out(world, States::WHOLE, stream);
    }
}

void check_dealt_anew(const Game& game, Stream& stream) {
    const int seat = pick(stream, game.n_seats());
    Game world = game;
    world.deal_anew(seat, stream.next());
    require(same_view(view_of(world, seat), view_of(game, seat)), "the seat's view as it was");
    int hidden = MAX_CARDS;
    check_state(world, hidden);
    for (int moves = pick(stream, 30); moves > 0 && !world.round().finished(); --moves) {
        const Move move = choose(world.table(), world.legal(), Style::DRAWER, stream);
        const Counts outcomes = world.round().outcomes(move);
        const bool forced = outcomes != Counts{} && pick(stream, 2) == 0;
        if (!forced) {
            world.apply(move);
        } else {
            const Code card = skyjo::pick(outcomes, stream);
            require(world.apply(move, card, stream).card == card, "the card that was forced");
        }
        check_state(world, hidden);
        if (!world.round().finished() && pick(stream, 4) == 0)
            world.deal_anew(pick(stream, world.n_seats()), stream.next());
    }
}

// Whole games, at whose states worlds are made; forced cards in the games themselves, too.
void soak_worlds(int n_games) {
    context.test = "worlds";
    Stream stream(31);
    for (int i = 0; i < n_games; ++i) {
        const Setup setup(random_rules(stream));
        context.seed = stream.next();
        context.n_seats = 2 + i % (setup.max_seats - 1);
        Game game(setup, context.n_seats, context.seed,
                  i % 3 == 0 ? DeckKind::STACK : DeckKind::LANES);
        context.move = 0;
        while (!game.over()) {
            if (pick(stream, 25) == 0) check_worlds(setup, game, stream);
            if (pick(stream, 8) == 0) check_dealt_anew(game, stream);
            game.apply(choose(game.table(), game.legal(), static_cast<Style>(i % 3), stream));
            ++context.move;
            if (!game.round().finished()) continue;
            game.settle();
            if (!game.over()) game.next_round();
        }
    }
}

// Made-up views

// Some bytes of a view of a real game anything else.
KeptView damaged(KeptView view, Stream& stream) {
    std::array<unsigned char, sizeof view> bytes{};
    std::memcpy(bytes.data(), static_cast<skyjo_kept_view*>(&view), sizeof view);
    constexpr std::size_t SCALARS = offsetof(skyjo_view, grids);
    constexpr std::size_t ARRAYS = offsetof(skyjo_kept_view, grids);
    for (int n = 1 + pick(stream, 3); n > 0; --n) {
        auto at = static_cast<std::size_t>(stream.below(SCALARS + sizeof view - ARRAYS));
        if (at >= SCALARS) at += ARRAYS - SCALARS;
        constexpr std::array<unsigned char, 6> SOME = {0, 1, 2, 127, 128, 255};
        bytes[at] = pick(stream, 2) == 0 ? static_cast<unsigned char>(pick(stream, 256))
                                         : SOME[static_cast<std::size_t>(pick(stream, 6))];
    }
    std::memcpy(static_cast<skyjo_kept_view*>(&view), bytes.data(), sizeof view);
    return view;
}

std::int32_t any_count(Stream& stream) {
    constexpr std::array<std::int32_t, 6> SOME = {0, 1, 99, 1'000'000'000, INT32_MAX, INT32_MIN};
    return pick(stream, 4) == 0 ? SOME[static_cast<std::size_t>(pick(stream, 6))] : 0;
}

// `n` cards as counts, of few values or many.
void fill_counts(std::uint8_t (&counts)[SKYJO_COUNTS], int n, Stream& stream) {
    std::memset(counts, 0, sizeof counts);
    const int n_codes = 1 + pick(stream, N_CODES);
    for (; n > 0; --n) ++counts[pick(stream, n_codes)];
}

skyjo_grid any_grid(const Shape& shape, Stream& stream) {
    Grid grid;
    const int odds = 1 + pick(stream, 4);
    const bool all_open = pick(stream, 4) == 0;
    const bool all_gone = pick(stream, 6) == 0;
    for (int cell = 0; cell < shape.n_cells; ++cell) {
        const auto bit = static_cast<Cells>(1U << cell);
        if (all_gone || (!all_open && pick(stream, 6) == 0))
            grid.removed = static_cast<Cells>(grid.removed | bit);
        else if (all_open || pick(stream, odds) > 0)
            grid.put(cell, static_cast<Code>(pick(stream, N_CODES)));
    }
    return std::bit_cast<skyjo_grid>(grid);
}

void make_up_cards(KeptView& kept, const Setup& setup, Stream& stream) {
    skyjo_view& view = kept.view;
    int n_hidden = 0;
    for (int i = 0; i < view.n_seats; ++i) {
        kept.grids[i] = any_grid(setup.shape, stream);
        n_hidden += std::popcount(grid_of(view, i).hidden(setup.shape));
    }
    const bool holds = view.phase == static_cast<int>(Phase::HOLD);
    view.draw_pile_size = static_cast<std::uint8_t>(pick(stream, 3) * pick(stream, 110));
    const int n_pile = view.draw_pile_size + (holds && view.to_move != 0 ? 1 : 0);
    fill_counts(kept.pile_counts, n_pile + (view.reshuffles == 0 ? n_hidden : 0), stream);
    std::memcpy(kept.hidden_counts, kept.pile_counts, sizeof kept.hidden_counts);
    if (view.reshuffles != 0) fill_counts(kept.hidden_counts, n_hidden, stream);
    fill_counts(kept.discard_counts, pick(stream, 4) * pick(stream, 81), stream);
    view.discard_top = NO_CARD;
    for (int code = 0; code < N_CODES; ++code)
        if (view.discard_counts[code] > 0) view.discard_top = static_cast<Code>(code);
    view.hand = holds && view.to_move == 0 ? static_cast<Code>(pick(stream, N_CODES)) : NO_CARD;
}

// A view whose fields fit each other more often than not, of a round that nobody has played.
KeptView made_up(const Setup& setup, Stream& stream) {
    KeptView kept;
    skyjo_view& view = kept.view;
    view.size = sizeof view;
    view.n_seats = static_cast<std::int8_t>(2 + pick(stream, MAX_SEATS - 1));
    const auto any_seat = [&] { return static_cast<std::int8_t>(pick(stream, view.n_seats)); };
    view.phase = static_cast<std::int8_t>(pick(stream, 3));
    view.seat = any_seat();
    view.to_move = pick(stream, 3) == 0 ? any_seat() : std::int8_t{0};
    view.starter = view.phase == 0 ? std::int8_t{-1} : any_seat();
    view.closer = pick(stream, 3) == 0 ? any_seat() : std::int8_t{-1};
    view.stalled = static_cast<std::uint8_t>(pick(stream, 2));
    view.n_last_turns = view.closer < 0 ? std::int8_t{-1}
                                        : static_cast<std::int8_t>(1 + pick(stream, view.n_seats));
    for (std::uint8_t& seat : view.last_turns) seat = static_cast<std::uint8_t>(any_seat());
    view.last_turns[0] = static_cast<std::uint8_t>(view.to_move);
    view.round_number = any_count(stream);
    view.turn_number = any_count(stream);
    view.stall_count = any_count(stream);
    view.reshuffles = pick(stream, 2) == 0 ? 0 : std::max(1, any_count(stream));
    make_up_cards(kept, setup, stream);
    return kept;
}

// Whether a game was made of it.
bool check_any_view(const Setup& setup, const KeptView& kept, Stream& stream) {
    const skyjo_view& view = kept.view;
    if (!view_fault(setup, view).empty()) return false;
    const Game game = game_from_view(setup, view, stream.next());
    for (int seat = 0; seat < game.n_seats(); ++seat) static_cast<void>(view_of(game, seat));
    require(game.legal() == game_from_view(setup, view, 0).legal(), "legal moves of the view");
    play_out(game, States::PLAYABLE, stream);
    return true;
}

void soak_damaged_views(int n_games) {
    context.test = "damaged views";
    Stream stream(32);
    int n_made = 0;
    for (int i = 0; i < n_games; ++i) {
        const Setup setup(random_rules(stream));
        context.seed = stream.next();
        context.n_seats = 2 + i % (setup.max_seats - 1);
        Game game(setup, context.n_seats, context.seed, DeckKind::STACK);
        for (context.move = 0; !game.round().finished(); ++context.move) {
            if (pick(stream, 12) == 0) {
                const KeptView view = view_of(game, pick(stream, game.n_seats()));
                for (int j = 0; j < 5; ++j)
                    n_made += check_any_view(setup, damaged(view, stream), stream) ? 1 : 0;
            }
            game.apply(choose(game.table(), game.legal(), static_cast<Style>(i % 3), stream));
        }
    }
    require(n_made > n_games, "many that give a game");
}

void soak_made_up_views(int n_views) {
    context.test = "made-up views";
    Stream stream(33);
    int n_made = 0;
    for (int i = 0; i < n_views; ++i) {
        context.seed = stream.position();
        const Setup setup(random_rules(stream));
        KeptView view = made_up(setup, stream);
        context.n_seats = view.view.n_seats;
        if (pick(stream, 8) == 0) view = damaged(view, stream);
        n_made += check_any_view(setup, view, stream) ? 1 : 0;
    }
    std::printf("made-up views: %d of %d give a game\n", n_made, n_views);
    require(10 * n_made > n_views, "many that give a game");
}

}  // namespace
}  // namespace skyjo::testing

int main() {
    using namespace skyjo::testing;
    soak_worlds(400);
    soak_damaged_views(1'500);
    soak_made_up_views(20'000);
    std::puts("soak of worlds: fine");
    return 0;
}
