// SPDX-License-Identifier: MIT
#include "skyjo/match.hpp"

#include "compiled_bot.hpp"
#include "fault.hpp"
#include "game.hpp"

namespace skyjo::bindings {
namespace {

// The seats of one match; owns the compiled bots' objects.
class Seats {
 public:
    Seats(const py::list& given, const py::list& keys) {
        for (std::size_t i = 0; i < given.size(); ++i) {
            const py::handle item = given[i];
            if (PyCapsule_IsValid(item.ptr(), SKYJO_SEAT_CAPSULE) != 0) {
                bots[i] = *static_cast<const skyjo_seat*>(
                    PyCapsule_GetPointer(item.ptr(), SKYJO_SEAT_CAPSULE));
                any_python = true;
                may_stop |= std::uint32_t{1} << i;
            } else {
                const auto key = keys[i].cast<std::uint64_t>();
                bots[i] = sit(item.cast<const CompiledBot&>().choice(), key);
                owned_[i] = true;
            }
        }
    }
    Seats(const Seats&) = delete;
    Seats& operator=(const Seats&) = delete;
    ~Seats() {
        for (std::size_t i = 0; i < owned_.size(); ++i)
            if (owned_[i]) leave(bots[i]);
    }

    std::array<SeatBot, MAX_SEATS> bots{};
    bool any_python = false;
    std::uint32_t may_stop = 0;  // those that are this package's own

 private:
    std::array<bool, MAX_SEATS> owned_{};
};

// As the stub has it: places, decisions, seconds, faults, aborted, stopped.
py::tuple result_tuple(const MatchResult& result, const PlayedGame& game) {
    const auto n = static_cast<std::size_t>(game.game.n_seats());
    py::list faults;
    for (const Fault& fault : result.faults)
        faults.append(fault_dict(fault, game.setup->shape.rows));
    py::tuple places(n), decisions(n), seconds(n);
    for (std::size_t seat = 0; seat < n; ++seat) {
        places[seat] = static_cast<int>(result.places[seat]);
        decisions[seat] = result.decisions[seat];
        seconds[seat] = static_cast<double>(result.nanoseconds[seat]) * 1e-9;
    }
    py::tuple whole(6);
    whole[0] = result.aborted || result.stopped ? py::object(py::none()) : places;
    whole[1] = decisions;
    whole[2] = seconds;
    whole[3] = faults;
    whole[4] = result.aborted;
    whole[5] = result.stopped;
    return whole;
}

// Plays a fresh game to its end. Without a Python bot the GIL is released.
py::tuple play(PlayedGame& game, const py::list& bots, const py::list& keys, bool abort_on_fault,
               bool timed) {
    if (bots.size() != static_cast<std::size_t>(game.game.n_seats()) || keys.size() != bots.size())
        throw py::value_error("play: expected a bot and a key for each seat");
    if (!game.log) throw py::value_error("play: expected a game with its history");
    Seats seats(bots, keys);
    const MatchOptions options = {abort_on_fault ? OnFault::ABORT : OnFault::FORFEIT,
                                  timed ? Timing::ON : Timing::OFF, seats.may_stop};
    MatchResult result;
    if (seats.any_python) {
        result = play_match(game.game, *game.log, seats.bots, options);
    } else {
        const py::gil_scoped_release released;
        result = play_match(game.game, *game.log, seats.bots, options);
    }
    return result_tuple(result, game);
}

}  // namespace

void register_match(py::module_& module) {
    module.def("play", &play, py::arg("game"), py::arg("bots"), py::kw_only(), py::arg("keys"),
               py::arg("abort_on_fault"), py::arg("timed"),
               "Plays a game to its end with one bot a seat: CompiledBot or a seat capsule.");
}

}  // namespace skyjo::bindings
