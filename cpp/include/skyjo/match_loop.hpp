// SPDX-License-Identifier: MIT
// The loop of a match, over whatever keeps its history: a whole log, or the moves of one round.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "skyjo/baselines.hpp"
#include "skyjo/bot_abi.h"
#include "skyjo/game.hpp"
#include "skyjo/match.hpp"
#include "skyjo/plain_turns.hpp"
#include "skyjo/tick_clock.hpp"
#include "skyjo/view.hpp"

namespace skyjo {

// A Log has begin(game) after each deal, played(game, seat, move, step), end(game) when a round is
// finished, and moves(): those of the present round. STAYS: they lie where they lie for the whole
// round, so that turns by the plain rules write them there, and then has_now(n) tells how many they
// are; otherwise room_for_turn() is called before each flip and each turn, and what it gives stays
// for the two moves that may follow. COUNTS_DECISIONS: whether those of the result are wanted.
template <class Log, Timing TIMING>
class MatchLoop {
 public:
    MatchLoop(Game& game, Log& log, const std::array<SeatBot, MAX_SEATS>& bots,
              const MatchOptions& options) noexcept
        : game_(game), log_(log), bots_(bots), options_(options) {
        viewer_.refresh(game_);
        for (std::size_t seat = 0; seat < static_cast<std::size_t>(n_seats()); ++seat) {
            take_place(seat, bots_[seat]);
            if (bots_[seat].bot->event != nullptr) none_listens_ = false;
        }
    }

    MatchResult play() {
        events(SKYJO_GAME_START);
        while (running() && !game_.over()) {
            if (game_.round().is_plain())
                play_plain_round();
            else
                play_round();
            if (running()) finish_round();
        }
        if (running())
            finish_game();
        else
            settle_faults();
        for (std::size_t seat = 0; seat < decided_.size(); ++seat)
            if (decided_[seat] >= 0) result_.decisions[seat] = decided_[seat];
        return std::move(result_);
    }

 private:
    using Clock = TickClock;
    // What a decision takes of a seat's bot, one load nearer.
    struct Chooser {
        int (*choose_move)(void* self, const skyjo_view* view) = nullptr;
        void* self = nullptr;
    };

    [[nodiscard]] bool running() const noexcept { return !result_.aborted && !result_.stopped; }
    [[nodiscard]] int n_seats() const noexcept { return game_.n_seats(); }
    [[nodiscard]] bool stands_in(int seat) const noexcept {
        return bots_[static_cast<std::size_t>(seat)].self == &stand_in_;
    }
    [[nodiscard]] std::span<const skyjo_played> moves_so_far() const noexcept {
        return log_.moves();
    }
    void take_place(std::size_t seat, const SeatBot& at) noexcept {
        bots_[seat] = at;
        choosers_[seat] = {at.bot->choose_move, at.self};
    }
    const skyjo_view& look(int seat) noexcept {
        const auto moves = moves_so_far();
        return viewer_.look(game_, seat, moves.data(), moves.size());
    }

    // Calls a bot, timed in ticks where asked for: play_match makes nanoseconds of them.
    template <class Call>
    int timed(int seat, Call call) {
        const auto i = static_cast<std::size_t>(seat);
        if (TIMING == Timing::OFF || stands_in(seat)) return call();
        const std::int64_t start = Clock::now();
        const int answer = call();
        result_.nanoseconds[i] += Clock::now() - start;
        return answer;
    }

    // Plays to the end of the round, or until a bot stops the match.
    SKYJO_APART void play_round() {
        while (!game_.round().finished() && play_move()) {
        }
    }
    // The same by the plain rules.
    SKYJO_INLINE void play_plain_round() {
        const auto moves = moves_so_far();
        PlainTurns turns(game_.round(), viewer_, moves.data(), moves.size());
        play_turns(turns);
        if constexpr (Log::STAYS) log_.has_now(turns.n_moves());
    }
    SKYJO_INLINE void play_turns(PlainTurns turns) {
        std::size_t seat = turns.seat();
        while (turns.opening())
            if (!play_flip(turns, seat)) return;
        while (play_turn(turns, seat)) {
        }
    }
    SKYJO_APART bool play_move() {
        const int seat = game_.table().seat;
        if constexpr (!Log::STAYS) log_.room_for_turn();
        const auto moves = moves_so_far();
        const int move = ask(viewer_.look(game_.table(), game_.legal(), moves.data(), moves.size()),
                             static_cast<std::size_t>(seat));
        if (move < 0) return false;
        log_.played(game_, seat, static_cast<Move>(move), game_.apply(static_cast<Move>(move)));
        viewer_.moved(game_.table(), seat);
        return true;
    }
    // One flip or turn of the seat to move, which is then that of who moves next; false where the
    // round is finished or a bot stops the match.
    SKYJO_INLINE bool play_flip(PlainTurns turns, std::size_t& seat) {
        const std::size_t mover = seat;
        make_room(turns);
        const int move = ask(turns.look_at_flip(seat), seat);
        if (move < 0) return stop(turns);
        Step step;
        const bool goes_on = turns.flip(seat, move - FLIP, step);
        write_down(turns, mover, move, step);
        return goes_on;
    }
    SKYJO_INLINE bool play_turn(PlainTurns turns, std::size_t& seat) {
        make_room(turns);
        int move = ask(turns.look_at_turn(seat), seat);
        if (move < 0) return stop(turns);
        int cell = move - TAKE;
        std::uint32_t rejects = 0;
        Code card = NO_CARD;
        if (move == DRAW) {
            write_down(turns, seat, DRAW, turns.draw(seat));
            move = ask(turns.look_at_hold(seat), seat);
            if (move < 0) return stop(turns);
            // All bits or none: a branch would be foreseen badly.
            rejects = 0 - (static_cast<std::uint32_t>(move - TAKE) >> 31);
            cell = move - PLACE + static_cast<int>(PLACE & rejects);
            card = turns.drop_hand();
        } else {
            card = turns.take();
        }
        const PlainTurns::Leaving old = turns.look_below(seat, cell);
        write_down(turns, seat, move, old.seen());
        return turns.lay(seat, cell, card, rejects, old);
    }
    SKYJO_INLINE void write_down(PlainTurns turns, std::size_t seat, int move, const Step& step) {
        if constexpr (Log::STAYS) {
            turns.write_move({static_cast<std::int8_t>(seat), static_cast<Move>(move), step.card});
        } else {
            turns.count_move();
            log_.played(game_, static_cast<int>(seat), static_cast<Move>(move), step);
        }
    }
    SKYJO_INLINE void make_room([[maybe_unused]] PlainTurns turns) {
        if constexpr (!Log::STAYS) turns.look_into(log_.room_for_turn());
    }
    SKYJO_COLD bool stop(PlainTurns turns) {
        PlainTurns::store(turns);
        return false;
    }
    // A legal move of the seat's bot, or of the one that stands in for it; negative to stop.
    SKYJO_INLINE int ask(const skyjo_view& view, std::size_t seat) {
        const Chooser& at = choosers_[seat];
        const int answer =
            timed(static_cast<int>(seat), [&] { return at.choose_move(at.self, &view); });
        if constexpr (Log::COUNTS_DECISIONS) ++result_.decisions[seat];
        if (MoveSet{view.legal}.has(answer)) [[likely]]
            return answer;
        blame(view, answer, true);
        if (!running()) return -1;
        return at.choose_move(at.self, &view);  // by now the one that stands in
    }

    // Tells an event to every bot that listens, in seat order.
    void events(int kind) {
        if (!none_listens_) tell(kind);
    }
    SKYJO_APART void tell(int kind) {
        for (int seat = 0; seat < n_seats() && running(); ++seat) {
            const SeatBot& at = bots_[static_cast<std::size_t>(seat)];
            if (at.bot->event == nullptr) continue;
            const skyjo_view& view = look(seat);
            std::array<std::int8_t, MAX_SEATS> relative{};
            for (int i = 0; kind == SKYJO_GAME_END && i < n_seats(); ++i)
                relative[static_cast<std::size_t>(i)] =
                    result_.places[static_cast<std::size_t>((seat + i) % n_seats())];
            const std::int8_t* places = kind == SKYJO_GAME_END ? relative.data() : nullptr;
            const int answer =
                timed(seat, [&] { return at.bot->event(at.self, kind, &view, places); });
            if (answer < 0) blame(view, answer, false);
        }
    }

    void finish_round() {
        log_.end(game_);
        game_.settle();
        if (!none_listens_) {
            viewer_.refresh(game_);
            tell(SKYJO_ROUND_END);
        }
        // After a stop at a fault as well: the decision at fault is the first of the next round.
        if (result_.stopped || game_.over()) return;
        game_.next_round();
        log_.begin(game_);
        viewer_.refresh(game_);
        settle_faults();
    }

    SKYJO_APART void finish_game() {
        result_.places = game_.sheet().places();
        if (!result_.faults.empty())
            result_.places = places_with_faults(result_.places, n_seats(), result_.faults);
        events(SKYJO_GAME_END);
        settle_faults();
        if (!running())
            result_.places = {};
        else if (!result_.faults.empty())
            result_.places = places_with_faults(game_.sheet().places(), n_seats(), result_.faults);
    }

    // A fault of a hook stands at the decision that comes next.
    [[nodiscard]] Fault at_next_decision(Fault fault, int n_moves) const {
        fault.round = game_.round_number();
        fault.move = n_moves;
        return fault;
    }
    void settle_faults() {
        for (Fault& fault : result_.faults)
            if (fault.move < 0) fault = at_next_decision(fault, n_moves_so_far());
    }
    [[nodiscard]] int n_moves_so_far() const { return static_cast<int>(log_.moves().size()); }

    SKYJO_COLD void blame(const skyjo_view& view, int answer, bool at_decision) {
        if (answer == SKYJO_STOP && ((options_.may_stop >> view.seat) & 1U) != 0) {
            result_.stopped = true;
            return;
        }
        Fault fault;
        fault.seat = view.seat;
        fault.kind =
            answer == SKYJO_FAULT_EXCEPTION ? FaultKind::EXCEPTION : FaultKind::ILLEGAL_MOVE;
        fault.answer = answer;
        fault.legal = view.legal;
        fault.phase = static_cast<Phase>(view.phase);
        // After a hook the next decision is only known once the next round is dealt.
        fault.move = -1;
        const int n_moves = at_decision ? view.n_moves : n_moves_so_far();
        if (at_decision || !game_.round().finished()) fault = at_next_decision(fault, n_moves);
        result_.faults.push_back(fault);
        const auto guilty = static_cast<std::size_t>(fault.seat);
        decided_[guilty] = result_.decisions[guilty];
        take_place(guilty, {native_bot("threshold"), &stand_in_});
        if (options_.on_fault == OnFault::ABORT) result_.aborted = true;
    }

    Game& game_;
    Log& log_;
    std::array<SeatBot, MAX_SEATS> bots_;
    std::array<Chooser, MAX_SEATS> choosers_{};
    MatchOptions options_;
    bool none_listens_ = true;
    MatchResult result_{};
    Viewer viewer_{};
    // Decisions of the bots for which another one stands in; -1 for the rest.
    std::array<std::int64_t, MAX_SEATS> decided_ = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    ThresholdBot stand_in_{ThresholdBot::DEFAULT_LIMIT};
};

}  // namespace skyjo
