// SPDX-License-Identifier: MIT
// The loop of a match, over whatever keeps its history: a whole log, or the moves of one round.
#pragma once

#include <array>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "skyjo/baselines.hpp"
#include "skyjo/bot_abi.h"
#include "skyjo/game.hpp"
#include "skyjo/match.hpp"
#include "skyjo/view.hpp"

namespace skyjo {

// A Log has begin(game) after each deal, played(game, seat, move, step), end(game) when a round is
// finished, and moves(): those of the present round.
template <class Log>
class MatchLoop {
 public:
    MatchLoop(Game& game, Log& log, const std::array<SeatBot, MAX_SEATS>& bots,
              const MatchOptions& options) noexcept
        : game_(game), log_(log), bots_(bots), options_(options) {
        viewer_.refresh(game_);
    }

    MatchResult play() {
        events(SKYJO_GAME_START);
        while (running() && !game_.over()) {
            decide();
            if (game_.round().finished() && running()) finish_round();
        }
        if (running()) finish_game();
        return std::move(result_);
    }

 private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] bool running() const noexcept { return !result_.aborted && !result_.stopped; }
    [[nodiscard]] int n_seats() const noexcept { return game_.n_seats(); }
    [[nodiscard]] bool stands_in(int seat) const noexcept {
        return bots_[static_cast<std::size_t>(seat)].self == &stand_in_;
    }
    const skyjo_view& look(int seat) noexcept {
        const auto& moves = log_.moves();
        return viewer_.look(game_, seat, moves.data(), moves.size());
    }

    // Calls a bot, timed where asked for.
    template <class Call>
    int timed(int seat, Call call) {
        const auto i = static_cast<std::size_t>(seat);
        if (options_.timing == Timing::OFF || stands_in(seat)) return call(bots_[i]);
        const Clock::time_point start = Clock::now();
        const int answer = call(bots_[i]);
        result_.nanoseconds[i] +=
            std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
        return answer;
    }

    void decide() {
        const int seat = game_.table().seat;
        const skyjo_view& view = look(seat);
        int answer =
            timed(seat, [&view](const SeatBot& at) { return at.bot->choose_move(at.self, &view); });
        if (!stands_in(seat)) ++result_.decisions[static_cast<std::size_t>(seat)];
        if (!MoveSet{view.legal}.has(answer)) {
            blame(view, answer, true);
            if (!running()) return;
            const SeatBot& stand_in = bots_[static_cast<std::size_t>(seat)];
            answer = stand_in.bot->choose_move(stand_in.self, &view);
        }
        const auto move = static_cast<Move>(answer);
        log_.played(game_, seat, move, game_.apply(move));
        viewer_.moved(game_.table(), seat);
    }

    // Tells an event to every bot that listens, in seat order.
    void events(int kind) {
        for (int seat = 0; seat < n_seats() && running(); ++seat) {
            if (bots_[static_cast<std::size_t>(seat)].bot->event == nullptr) continue;
            const skyjo_view& view = look(seat);
            std::array<std::int8_t, MAX_SEATS> relative{};
            for (int i = 0; kind == SKYJO_GAME_END && i < n_seats(); ++i)
                relative[static_cast<std::size_t>(i)] =
                    result_.places[static_cast<std::size_t>((seat + i) % n_seats())];
            const std::int8_t* places = kind == SKYJO_GAME_END ? relative.data() : nullptr;
            const int answer = timed(seat, [&](const SeatBot& bot) {
                return bot.bot->event(bot.self, kind, &view, places);
            });
            if (answer < 0) blame(view, answer, false);
        }
    }

    void finish_round() {
        log_.end(game_);
        game_.settle();
        viewer_.refresh(game_);
        events(SKYJO_ROUND_END);
        // After a stop at a fault as well: the decision at fault is the first of the next round.
        if (result_.stopped || game_.over()) return;
        game_.next_round();
        log_.begin(game_);
        viewer_.refresh(game_);
        for (Fault& fault : result_.faults)
            if (fault.move < 0) fault = at_next_decision(fault);
    }

    void finish_game() {
        result_.places = places_with_faults(game_.sheet().places(), n_seats(), result_.faults);
        events(SKYJO_GAME_END);
        for (Fault& fault : result_.faults)
            if (fault.move < 0) fault = at_next_decision(fault);
        if (running())
            result_.places = places_with_faults(game_.sheet().places(), n_seats(), result_.faults);
        else
            result_.places = {};
    }

    // A fault of a hook stands at the decision that comes next.
    [[nodiscard]] Fault at_next_decision(Fault fault) const {
        fault.round = game_.round_number();
        fault.move = static_cast<int>(log_.moves().size());
        return fault;
    }

    void blame(const skyjo_view& view, int answer, bool at_decision) {
        if (answer == SKYJO_STOP) {
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
        if (at_decision || !game_.round().finished()) fault = at_next_decision(fault);
        result_.faults.push_back(fault);
        bots_[static_cast<std::size_t>(fault.seat)] = {native_bot("threshold"), &stand_in_};
        if (options_.on_fault == OnFault::ABORT) {
            result_.aborted = true;
            for (Fault& open : result_.faults)
                if (open.move < 0) open = at_next_decision(open);
        }
    }

    Game& game_;
    Log& log_;
    std::array<SeatBot, MAX_SEATS> bots_;
    MatchOptions options_;
    MatchResult result_{};
    Viewer viewer_{};
    ThresholdBot stand_in_{ThresholdBot::DEFAULT_LIMIT};
};

}  // namespace skyjo
