// SPDX-License-Identifier: MIT
// The turn machine of one round: RULES A.2 to A.9, A.12, A.13.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <type_traits>

#include "skyjo/deck.hpp"
#include "skyjo/grid.hpp"
#include "skyjo/move.hpp"
#include "skyjo/rules.hpp"
#include "skyjo/scoring.hpp"
#include "skyjo/table.hpp"

namespace skyjo {

// What a move did, for whoever keeps a log.
struct Step {
    Code card = NO_CARD;      // turned up by flip, take or place, or drawn
    bool reshuffled = false;  // the draw pile was made anew: before the draw, or after the turn
};

// Who will start the round, as it is settled before the deal.
struct Starters {
    Seats among = 0;  // these, chance deciding between several; none: the highest sum starts
    int wish = -1;    // the seat that chance chooses where it can; -1: the round's key decides
};

template <class Deck>
class BasicRound {
 public:
    BasicRound() = default;

    // Shuffles and deals; the first opening flip is due. The setup must outlive the round.
    BasicRound(const Setup& setup, int n_seats, std::uint64_t round_key, DeckKind kind,
               Starters starters) noexcept
        : setup_(&setup),
          deck_(round_key, kind),
          key_(round_key),
          starters_(starters),
          house_(setup.house) {
        lay_out(n_seats, deck_.deal(setup.deck, n_seats, setup.shape.n_cells));
    }

    // Deals a given deck of setup.n_cards cards, in the order of a record (RULES A.2).
    BasicRound(const Setup& setup, int n_seats, const Code* cards, Starters starters) noexcept
        : setup_(&setup), starters_(starters), house_(setup.house) {
        lay_out(n_seats, deck_.deal_as(cards, setup.n_cards, n_seats, setup.shape.n_cells));
    }

    // A round in the middle: for positions that are given rather than played. The seat whose turn
    // it is closes at once if its grid is empty.
    BasicRound(const Setup& setup, const Table& table, const Deck& deck, Starters starters) noexcept
        : setup_(&setup),
          table_(table),
          deck_(deck),
          key_(deck.key()),
          starters_(starters),
          house_(setup.house || has_empty_grid() || has_line()) {
        if (table_.phase == Phase::TURN) begin_turn(table_.seat);
    }

    // Whose decision
    [[nodiscard]] const Table& table() const noexcept { return table_; }
    [[nodiscard]] const Deck& deck() const noexcept { return deck_; }
    // The seat that will start, where it is settled before the opening flips; else -1.
    [[nodiscard]] int given_starter() const noexcept {
        return starters_.among == 0 ? -1 : choose_starter(starters_.among);
    }
    // The seats that could start: of several chance has chosen one; none before the turns begin.
    [[nodiscard]] Seats may_start() const noexcept { return may_start_; }
    [[nodiscard]] bool finished() const noexcept { return table_.phase == Phase::OVER; }

    // Moves

    // The legal moves of the seat to move; never empty before the round is finished.
    [[nodiscard]] MoveSet legal() const noexcept {
        switch (table_.phase) {
            case Phase::FLIP: return {std::uint64_t{opening_cells()} << FLIP};
            case Phase::TURN: return legal_turn();
            case Phase::HOLD: return legal_hold();
            case Phase::OVER: break;
        }
        return {};
    }

    // Plays a move. Precondition: legal().has(move).
    Step apply(Move move) noexcept {
        assert(legal().has(move));
        if (table_.phase == Phase::FLIP) return opening_flip(cell_of(move));
        switch (verb_of(move)) {
            case Verb::DRAW: return draw();
            case Verb::TAKE: return take(cell_of(move));
            case Verb::PLACE: return place(cell_of(move));
            case Verb::FLIP: break;
        }
        return house_ ? reject<true>(cell_of(move)) : reject<false>(cell_of(move));
    }

    // Whether nothing of the house can come up: for PlainTurns, which then plays whole turns.
    [[nodiscard]] bool is_plain() const noexcept {
        return !house_ && !setup_->rules.forbid_same_value_swap &&
               setup_->rules.initial_flip_restriction == InitialFlipRestriction::NONE;
    }

    // Plays a move whose card is given: the one that it turns up or draws. Precondition:
    // legal().has(move) and outcomes(move) hold the card.
    Step apply(Move move, Code card, Stream& stream) noexcept {
        assert(outcomes(move)[card] > 0);
        if (move != DRAW) {
            deck_.bring(table_, setup_->shape, {table_.seat, cell_of(move)}, card, stream);
            return apply(move);
        }
        const bool reshuffles = table_.draw_pile_size == 0;
        if (reshuffles) reshuffle();
        if (!reshuffles || !bring_flipped(card, stream))
            deck_.bring(table_, setup_->shape, deck_.top_of_pile(table_.seat), card, stream);
        Step step = apply(DRAW);
        step.reshuffled = reshuffles;
        return step;
    }

    // The cards that may show if a legal move turns one up or draws one, as counts; none if it
    // shows none. What the seat to move knows decides (RULES E.5).
    [[nodiscard]] Counts outcomes(Move move) const noexcept {
        if (move != DRAW) {
            const bool is_hidden = ((hidden_cells() >> cell_of(move)) & 1U) != 0;
            return is_hidden ? table_.hidden_pool : Counts{};
        }
        if (table_.draw_pile_size > 0) return table_.draw_pool();
        // A new pile: the discards without the one that stays on top, or all, one of which is
        // flipped at random.
        Counts cards = table_.discard_counts;
        if (keeps_top()) --cards[table_.discard.top()];
        return cards;
    }

    // The draw pile that the last move made anew, in draw order, with all_then_flip the card
    // flipped first; `out` has room for MAX_CARDS. Precondition: its Step said reshuffled.
    int new_pile(Code* out) const noexcept {
        int n = 0;
        if (!keeps_top()) out[n++] = table_.discard.cards[0];
        if (table_.phase == Phase::HOLD) out[n++] = table_.hand;
        return n + deck_.undrawn(out + n);
    }
    // Puts that pile into another order, of the same cards. The same precondition.
    void relay_pile(const Code* cards, int n) noexcept {
        if (!keeps_top()) {
            Code& flipped = table_.discard.cards[0];
            ++table_.pile_pool[flipped];
            --table_.discard_counts[flipped];
            flipped = *cards;
            --table_.pile_pool[flipped];
            ++table_.discard_counts[flipped];
            ++cards;
            --n;
        }
        if (table_.phase == Phase::HOLD) {
            ++table_.pile_pool[table_.hand];
            table_.hand = *cards;
            --table_.pile_pool[table_.hand];
            ++cards;
            --n;
        }
        deck_.lay_pile(cards, n);
    }

    // Deals anew what a seat cannot know, and everything random that is still to come; the seat's
    // view stays as it is (RULES E.5).
    void deal_anew(int seat, std::uint64_t round_key) noexcept {
        key_ = round_key;
        if (table_.hand != NO_CARD && table_.seat != seat) {
            // Among the cards of its pool the drawn one is as unknown as the rest.
            Counts& pool = table_.draw_pool();
            ++pool[table_.hand];
            Stream stream(derive(round_key, Purpose::OUTCOME));
            table_.hand = pick(pool, stream);
            --pool[table_.hand];
        }
        deck_.deal_anew(table_, setup_->shape, round_key);
    }

    // Ends the round as it stands: the final reveal, and the score that follows (RULES A.7).
    void reveal() noexcept { finish(); }

    // Outcome, once finished

    [[nodiscard]] Points raw() const noexcept {
        Points sums{};
        for (int seat = 0; seat < table_.n_seats; ++seat)
            sums[static_cast<std::size_t>(seat)] = grid(seat).open_points();
        return sums;
    }
    [[nodiscard]] Points points() const noexcept {
        return score(setup_->rules, raw(), table_.n_seats, table_.closer);
    }

    // Whether a card can be drawn: from the pile, or from one made of the discards (RULES A.9).
    [[nodiscard]] bool can_draw() const noexcept { return can_draw(table_.draw_pile_size); }
    // The same with a pile of this size.
    [[nodiscard]] bool can_draw(int draw_pile_size) const noexcept {
        return draw_pile_size > 0 || table_.discard.size > 1;
    }

 private:
    friend struct Snapshot;
    friend class PlainTurns;

    // Legality

    [[nodiscard]] const Grid& grid(int seat) const noexcept {
        return table_.grids[static_cast<std::size_t>(seat)];
    }
    [[nodiscard]] bool has_empty_grid() const noexcept {
        for (int seat = 0; seat < table_.n_seats; ++seat)
            if (grid(seat).present(setup_->shape) == 0) return true;
        return false;
    }
    // Whether a line lies there that has not left: only in a position that was given.
    [[nodiscard]] bool has_line() const noexcept {
        for (int seat = 0; seat < table_.n_seats; ++seat)
            if (grid(seat).complete(setup_->shape.column_lines) != 0) return true;
        return false;
    }
    [[nodiscard]] Grid& own_grid() noexcept {
        return table_.grids[static_cast<std::size_t>(table_.seat)];
    }
    [[nodiscard]] Cells hidden_cells() const noexcept {
        return grid(table_.seat).hidden(setup_->shape);
    }
    // The cells that may be turned up in the opening (RULES A.2).
    [[nodiscard]] Cells opening_cells() const noexcept {
        Cells cells = hidden_cells();
        if (setup_->rules.initial_flip_restriction == InitialFlipRestriction::NONE) return cells;
        const Shape& shape = setup_->shape;
        for (int column = 0; column < shape.columns; ++column) {
            const auto whole =
                static_cast<Cells>(((1U << shape.rows) - 1U) << (shape.rows * column));
            if ((hidden_cells() & whole) != whole) cells = static_cast<Cells>(cells & ~whole);
        }
        return cells;
    }
    // The cells into which a card may go: all that are no holes; under the stall rule those that
    // lie face down, if there are any (RULES A.12).
    [[nodiscard]] Cells target_cells() const noexcept {
        if (table_.stalled && hidden_cells() != 0) [[unlikely]]
            return hidden_cells();
        return grid(table_.seat).present(setup_->shape);
    }
    [[nodiscard]] MoveSet legal_turn() const noexcept {
        Cells takes = table_.discard.size > 0 ? target_cells() : Cells{0};
        const bool draws = can_draw();
        if (setup_->rules.forbid_same_value_swap) {
            const auto barred = static_cast<Cells>(takes & ~same_value_cells());
            // The option never takes the last move away.
            if (barred != 0 || draws) takes = barred;
        }
        return {std::uint64_t{takes} << TAKE | std::uint64_t{draws} << DRAW};
    }
    [[nodiscard]] MoveSet legal_hold() const noexcept {
        return {std::uint64_t{target_cells()} << PLACE | std::uint64_t{hidden_cells()} << FLIP};
    }
    // The open cells that show what lies on the discard pile (RULES A.4).
    [[nodiscard]] Cells same_value_cells() const noexcept {
        const Grid& own = grid(table_.seat);
        const Code top = table_.discard.top();
        Cells cells = 0;
        for (unsigned rest = own.up; rest != 0; rest &= rest - 1)
            if (const int cell = std::countr_zero(rest); own.code(cell) == top)
                cells = static_cast<Cells>(cells | (1U << cell));
        return cells;
    }

    // Moves

    // Takes the card that lies face down in an own cell out of the unseen ones.
    Code show_hidden(int seat, int cell) noexcept {
        const Code card = deck_.reveal(table_, seat, cell);
        --table_.hidden_pool[card];
        return card;
    }
    Step opening_flip(int cell) noexcept {
        const Code card = show_hidden(table_.seat, cell);
        own_grid().put(cell, card);
        if (house_)
            remove_lines(table_.seat);
        else
            remove_column(cell);
        const Cells hidden = hidden_cells();
        if (setup_->shape.n_cells - std::popcount(hidden) < setup_->rules.initial_flips)
            return {card};
        if (table_.seat + 1 < table_.n_seats) {
            ++table_.seat;
        } else {
            start_turns();
        }
        return {card};
    }
    void lay_out(int n_seats, Code first_discard) noexcept {
        table_.n_seats = static_cast<std::int8_t>(n_seats);
        table_.hidden_pool = setup_->rules.deck;
        --table_.hidden_pool[first_discard];
        table_.push_discard(first_discard);
        table_.draw_pile_size =
            static_cast<std::uint8_t>(setup_->n_cards - n_seats * setup_->shape.n_cells - 1);
        if (setup_->rules.initial_flips == 0) start_turns();
    }
    void start_turns() noexcept {
        may_start_ = starters_.among != 0 ? starters_.among : highest_sum_starters();
        table_.starter = static_cast<std::int8_t>(choose_starter(may_start_));
        begin_turn(table_.starter);
    }
    [[nodiscard]] int choose_starter(Seats among) const noexcept {
        if (starters_.wish >= 0 && ((among >> starters_.wish) & 1U) != 0) return starters_.wish;
        const bool is_one = (among & (among - 1)) == 0;
        return is_one ? std::countr_zero(among) : random_seat(among, key_);
    }
    [[nodiscard]] Seats highest_sum_starters() const noexcept {
        std::array<OpenCards, MAX_SEATS> open;
        for (int seat = 0; seat < table_.n_seats; ++seat) {
            // One by one: these are few.
            OpenCards cards;
            const Grid own = grid(seat);
            for (unsigned rest = own.up; rest != 0; rest &= rest - 1) {
                const int points = points_of(own.code(std::countr_zero(rest)));
                cards.sum += points;
                cards.highest = std::max(cards.highest, points);
            }
            open[static_cast<std::size_t>(seat)] = cards;
        }
        return highest_sum_seats(setup_->rules, open, table_.n_seats);
    }
    SKYJO_INLINE Step draw() noexcept {
        const bool empty = table_.draw_pile_size == 0;
        if (empty) reshuffle();
        table_.hand = draw_card();
        table_.phase = Phase::HOLD;
        return {table_.hand, empty};
    }
    [[nodiscard]] bool keeps_top() const noexcept {
        return setup_->rules.reshuffle == Reshuffle::KEEP_TOP;
    }
    // The discards become the draw pile, a pool of its own: all but the top one, or all, and then
    // the first of them is turned up (RULES A.9, E.5).
    SKYJO_COLD void reshuffle() noexcept {
        Code top = keeps_top() ? table_.pop_discard() : NO_CARD;
        deck_.reshuffle(table_.discard.cards.data(), table_.discard.size, table_.reshuffles);
        table_.draw_pile_size = table_.discard.size;
        table_.pile_pool = table_.discard_counts;
        table_.discard = {};
        table_.discard_counts = {};
        ++table_.reshuffles;
        if (top == NO_CARD) top = draw_card();
        table_.push_discard(top);
    }
    // Takes a card from the pile and its pool.
    SKYJO_INLINE Code draw_card() noexcept {
        const Code card = deck_.draw(table_, table_.seat);
        --table_.draw_pool()[card];
        --table_.draw_pile_size;
        return card;
    }
    // Of a pile just made anew with all_then_flip: the card wished for may be the one flipped, as
    // likely as any of its kind. Then it changes places with the next card of the pile.
    bool bring_flipped(Code card, Stream& stream) noexcept {
        if (keeps_top() || table_.discard.top() != card) return false;
        const auto n_in_pile = static_cast<std::uint64_t>(table_.pile_pool[card]);
        if (stream.below(n_in_pile + 1) < n_in_pile) return false;
        std::array<Code, MAX_CARDS> cards{};
        const int n = new_pile(cards.data());
        std::swap(cards[0], cards[1]);
        relay_pile(cards.data(), n);
        return true;
    }
    Step take(int cell) noexcept {
        const Code card = table_.pop_discard();
        return house_ ? exchange<true>(cell, card) : exchange<false>(cell, card);
    }
    Step place(int cell) noexcept {
        const Code card = table_.hand;
        table_.hand = NO_CARD;
        return house_ ? exchange<true>(cell, card) : exchange<false>(cell, card);
    }
    // Puts a card into an own cell; what lay there goes on the discard pile.
    template <bool HOUSE>
    SKYJO_INLINE Step exchange(int cell, Code card) noexcept {
        Grid& own = own_grid();
        const bool was_up = own.is_up(cell);
        const Code old = was_up ? own.code(cell) : deck_.reveal(table_, table_.seat, cell);
        table_.hidden_pool[old] = static_cast<std::uint8_t>(table_.hidden_pool[old] - !was_up);
        own.put(cell, card);
        table_.push_discard(old);
        return {was_up ? NO_CARD : old, end_turn<HOUSE>(cell, !was_up)};
    }
    // Lays the drawn card away and turns up a hidden one.
    template <bool HOUSE>
    SKYJO_INLINE Step reject(int cell) noexcept {
        table_.push_discard(table_.hand);
        table_.hand = NO_CARD;
        const Code card = show_hidden(table_.seat, cell);
        own_grid().put(cell, card);
        return {card, end_turn<HOUSE>(cell, true)};
    }

    // The end of a turn: RESOLVE of RULES A.13

    // A card has come to lie open in `cell`. Returns whether the draw pile was made anew. What only
    // some options ask for is left out where none of them is chosen.
    template <bool HOUSE>
    SKYJO_INLINE bool end_turn(int cell, bool used_hidden) noexcept {
        if constexpr (HOUSE)
            remove_lines(table_.seat);
        else
            remove_column(cell);
        ++table_.turns;
        table_.stall_count = used_hidden ? 0 : table_.stall_count + 1;
        if (table_.stall_count == setup_->rules.stall_limit) table_.stalled = true;
        return pass_on<HOUSE>();
    }
    // The turn is counted: somebody closes, the round is finished, or it is the next seat's turn.
    template <bool HOUSE>
    bool pass_on() noexcept {
        if (table_.closer >= 0) {
            table_.last_turns.pop();
            if (HOUSE && setup_->rules.reveal_timing == RevealTiming::AFTER_OWN_LAST_TURN) {
                turn_up_all(table_.seat);
                remove_lines(table_.seat);
            }
        } else if (hidden_cells() == 0) [[unlikely]] {
            close();
        }
        if (table_.closer >= 0 && table_.last_turns.size == 0) [[unlikely]] {
            finish();
            return false;
        }
        if (table_.turns >= setup_->rules.max_turns_per_round) [[unlikely]] {
            table_.capped = true;
            table_.closer = -1;
            finish();
            return false;
        }
        const bool reshuffles = HOUSE && table_.draw_pile_size == 0 && can_draw() &&
                                setup_->rules.reshuffle_timing == ReshuffleTiming::EAGER;
        if (reshuffles) reshuffle();
        const int next =
            table_.closer >= 0 ? table_.last_turns.at(0) : table_.next_seat(table_.seat);
        if constexpr (HOUSE) {
            begin_turn(next);
        } else {
            table_.seat = static_cast<std::int8_t>(next);
            table_.phase = Phase::TURN;
        }
        return reshuffles;
    }
    // A seat with an empty grid is never asked for a move: it closes, if nobody has (RULES A.6).
    void begin_turn(int seat) noexcept {
        table_.seat = static_cast<std::int8_t>(seat);
        table_.phase = Phase::TURN;
        if (grid(seat).present(setup_->shape) != 0 || table_.closer >= 0) return;
        close();
        if (table_.last_turns.size == 0)
            finish();
        else
            table_.seat = static_cast<std::int8_t>(table_.last_turns.at(0));
    }
    // The seat to move has turned up everything first: it is the closer (RULES A.6).
    SKYJO_APART void close() noexcept {
        table_.closer = table_.seat;
        if (setup_->rules.last_turns == LastTurns::NONE) return;
        const int stop =
            setup_->rules.last_turns == LastTurns::ALL_OTHERS ? table_.closer : table_.starter;
        for (int seat = table_.next_seat(table_.closer); seat != stop && seat != table_.closer;
             seat = table_.next_seat(seat))
            if (grid(seat).present(setup_->shape) != 0) table_.last_turns.push(seat);
    }
    // All whole equal lines of a seat leave together: columns from the left, then rows from the
    // top, as far as the rules let them (RULES A.5).
    void remove_lines(int seat) noexcept {
        Grid& cards = table_.grids[static_cast<std::size_t>(seat)];
        const Shape& shape = setup_->shape;
        Cells columns = cards.complete(shape.column_lines);
        if (setup_->rules.column_removal == ColumnRemoval::NOT_NEGATIVE)
            columns = not_negative(cards, columns);
        const Cells rows = cards.complete(shape.row_lines);
        if (columns != 0) discard_lines(cards, columns, shape.column_lines);
        if (rows != 0) discard_lines(cards, rows, shape.row_lines);
    }
    // The columns alone: all that can leave where nothing of the house comes up.
    void remove_columns(int seat) noexcept {
        Grid& cards = table_.grids[static_cast<std::size_t>(seat)];
        const Lines& lines = setup_->shape.column_lines;
        if (const Cells columns = cards.complete(lines); columns != 0) [[unlikely]]
            discard_lines(cards, columns, lines);
    }
    // The own column of a cell alone: no other can have become complete.
    SKYJO_INLINE void remove_column(int cell) noexcept {
        const Shape& shape = setup_->shape;
        const int start = shape.column_start[static_cast<std::size_t>(cell)];
        if (!own_grid().completes(start, shape.column_lines)) [[likely]]
            return;
        const auto column = static_cast<Cells>((1U << start) & shape.column_lines.starts);
        discard_lines(own_grid(), column, shape.column_lines);
    }
    [[nodiscard]] static Cells not_negative(const Grid& cards, Cells starts) noexcept {
        Cells kept = 0;
        for (unsigned rest = starts; rest != 0; rest &= rest - 1)
            if (const int cell = std::countr_zero(rest); points_of(cards.code(cell)) >= 0)
                kept = static_cast<Cells>(kept | (1U << cell));
        return kept;
    }
    // Lays some lines on the discard pile; a cell that a crossing line has taken is a hole by then.
    SKYJO_COLD void discard_lines(Grid& cards, Cells starts, const Lines& lines) noexcept {
        for (unsigned rest = starts; rest != 0; rest &= rest - 1) {
            const int start = std::countr_zero(rest);
            for (int i = 0; i < lines.length; ++i)
                if (const int cell = start + i * lines.stride; !cards.is_removed(cell))
                    table_.push_discard(cards.code(cell));
            cards.remove(start, lines);
        }
    }
    void turn_up_all(int seat) noexcept {
        Grid& cards = table_.grids[static_cast<std::size_t>(seat)];
        const Cells hidden = cards.hidden(setup_->shape);
        std::uint64_t codes = cards.codes;
        for (unsigned rest = hidden; rest != 0; rest &= rest - 1) {
            const int cell = std::countr_zero(rest);
            codes |= std::uint64_t{show_hidden(seat, cell)} << (CODE_BITS * cell);
        }
        cards.codes = codes;
        cards.up = static_cast<Cells>(cards.up | hidden);
    }
    // The final reveal (RULES A.7).
    SKYJO_APART void finish() noexcept {
        for (int seat = 0; seat < table_.n_seats; ++seat) {
            // Where all lies open, what is complete has left at the end of the turn.
            if (!house_ && grid(seat).hidden(setup_->shape) == 0) continue;
            turn_up_all(seat);
            if (house_)
                remove_lines(seat);
            else
                remove_columns(seat);
        }
        table_.last_turns = {};
        table_.seat = -1;
        table_.phase = Phase::OVER;
    }

    const Setup* setup_ = nullptr;
    Table table_{};
    Deck deck_{};
    std::uint64_t key_ = 0;
    Starters starters_{};
    Seats may_start_ = 0;
    bool house_ = false;
};

using Round = BasicRound<OrderedDeck>;
using CountedRound = BasicRound<CountedDeck>;
static_assert(std::is_trivially_copyable_v<Round> && sizeof(Round) <= 1024);
static_assert(std::is_trivially_copyable_v<CountedRound> && sizeof(CountedRound) <= 640);

}  // namespace skyjo
