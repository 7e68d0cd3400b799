// SPDX-License-Identifier: MIT
#include "skyjo/batch_game.hpp"

#include <iterator>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "game.hpp"

namespace skyjo::bindings {
namespace {

// A read-only array over memory that it keeps alive through `owner`, whatever becomes of the batch.
template <class Item>
py::array shared_array(const py::dtype& dtype, const std::vector<py::ssize_t>& shape,
                       const Item* items, const py::capsule& owner) {
    py::array array(dtype, shape, items, owner);
    array.attr("flags").attr("writeable") = false;
    return array;
}

// A batch with its rules and the arrays that Python holds. Its calls take turns: each has the lock
// for as long as it runs without the GIL.
struct PlayedBatch {
    PlayedBatch(SharedSetup rules, BatchSize size, std::uint64_t seed)
        : setup(std::move(rules)), batch(*setup, size, seed) {
        const BatchArrays& from = *batch.arrays();
        const py::capsule owner(new std::shared_ptr<BatchArrays>(batch.arrays()), [](void* shared) {
            delete static_cast<std::shared_ptr<BatchArrays>*>(shared);
        });
        const py::ssize_t n = batch.n();
        const py::ssize_t n_seats = batch.n_seats();
        const py::dtype bytes = py::dtype::of<std::int8_t>();
        const py::dtype truths = py::dtype::of<bool>();
        const auto one_each = [&](const py::dtype& dtype, const auto& items) {
            return shared_array(dtype, {n}, items.data(), owner);
        };
        const auto many_each = [&](const py::dtype& dtype, py::ssize_t columns, const auto& items) {
            return shared_array(dtype, {n, columns}, items.data(), owner);
        };
        observations = many_each(bytes, batch.layout().n_features, from.observations);
        legal_masks = many_each(truths, N_MOVES, from.legal_masks);
        seats = one_each(bytes, from.seats);
        rewards = many_each(py::dtype::of<float>(), n_seats, from.rewards);
        dones = one_each(truths, from.dones);
        truncated = one_each(truths, from.truncated);
        final_totals = many_each(py::dtype::of<std::int32_t>(), n_seats, from.final_totals);
        game_seeds = one_each(py::dtype::of<std::uint64_t>(), from.game_seeds);
    }

    SharedSetup setup;
    BatchGame batch;
    std::mutex busy;
    py::array observations, legal_masks, seats, rewards, dones, truncated, final_totals, game_seeds;
};

std::unique_ptr<PlayedBatch> make_batch(SharedSetup setup, BatchSize size, std::uint64_t seed) {
    try {
        return std::make_unique<PlayedBatch>(std::move(setup), size, seed);
    } catch (const std::system_error& error) {
        throw std::runtime_error("BatchGame: threads: expected the system to start " +
                                 std::to_string(size.n_threads) + " threads, got " + error.what() +
                                 "; use fewer");
    }
}

std::string text_of(const py::handle& object) {
    return py::str(object).cast<std::string>();
}

// The moves as an array of 64-bit integers, in their own memory where they have this form.
py::array_t<std::int64_t> moves_array(const py::object& moves, int n) {
    py::array given = py::array::ensure(moves);
    if (!given)
        throw py::type_error("step: moves: expected an array of " + std::to_string(n) +
                             " integers, got " + text_of(py::type::of(moves)));
    const char kind = given.dtype().kind();
    if (kind != 'i' && kind != 'u')
        throw py::type_error("step: moves: expected an array of integers, got " +
                             text_of(given.dtype()) + "; give them as moves.astype(int)");
    if (given.ndim() != 1 || given.shape(0) != n)
        throw py::value_error("step: moves: expected shape (" + std::to_string(n) +
                              ",), a move for each row, got " + text_of(given.attr("shape")));
    // What 63 bits cannot hold is no move, and stays none.
    if (kind == 'u' && given.itemsize() == sizeof(std::uint64_t))
        given = given.attr("clip")(0, INT64_MAX);
    return py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(given);
}

std::string fault_text(const BatchGame& batch, BatchGame::Faults faults, long long move) {
    const Game& game = batch.game(faults.first);
    std::string text = illegal_move_text("step: row " + std::to_string(faults.first), move,
                                         game.table(), game.legal(), batch.setup().shape.rows);
    if (faults.count > 1)
        text += "; so are the moves of " + std::to_string(faults.count - 1) + " more rows";
    return text + "; no row was played, choose moves where legal_masks is True";
}

void step(PlayedBatch& self, const py::object& moves) {
    const auto numbers = moves_array(moves, self.batch.n());
    const std::int64_t* data = numbers.data();
    std::string text;
    {
        // The moves are converted; without the GIL no Python object is touched.
        const py::gil_scoped_release released;
        const std::lock_guard<std::mutex> turn(self.busy);
        const BatchGame::Faults faults = self.batch.step(data);
        if (faults.count > 0) text = fault_text(self.batch, faults, data[faults.first]);
    }
    if (!text.empty()) throw IllegalMove(text);
}

void reset(PlayedBatch& self) {
    const py::gil_scoped_release released;
    const std::lock_guard<std::mutex> turn(self.busy);
    self.batch.reset();
}

// The array to write to: a new one, or the one given if it fits.
py::array output_array(const PlayedBatch& self, const py::object& out) {
    const py::ssize_t n = self.batch.n();
    const py::ssize_t n_features = self.batch.layout().n_features;
    if (out.is_none()) return py::array_t<std::int8_t>({n, n_features});
    const std::string wanted = "observe: out: expected a writeable C-contiguous int8 array (" +
                               std::to_string(n) + ", " + std::to_string(n_features) + "), got ";
    if (!py::isinstance<py::array>(out)) throw py::type_error(wanted + text_of(py::type::of(out)));
    const auto array = py::reinterpret_borrow<py::array>(out);
    if (!array.dtype().is(py::dtype::of<std::int8_t>()))
        throw py::type_error(wanted + text_of(array.dtype()));
    if (array.ndim() != 2 || array.shape(0) != n || array.shape(1) != n_features)
        throw py::value_error(wanted + "shape " + text_of(array.attr("shape")));
    if (!array.writeable()) throw py::value_error(wanted + "one that is read-only");
    if ((array.flags() & py::array::c_style) == 0)
        throw py::value_error(wanted + "one with strides " + text_of(array.attr("strides")));
    return array;
}

// Precondition: there is such a seat.
py::array observe(PlayedBatch& self, int seat, const py::object& out) {
    py::array array = output_array(self, out);
    auto* data = static_cast<std::int8_t*>(array.mutable_data());
    {
        const py::gil_scoped_release released;
        const std::lock_guard<std::mutex> turn(self.busy);
        self.batch.observe(seat, data);
    }
    return array;
}

py::dict layout(const PlayedBatch& self) {
    const BatchLayout& at = self.batch.layout();
    constexpr const char* SCALARS[] = {
        "phase",          "to_move", "hand",        "discard_top", "starter",      "closer",
        "draw_pile_size", "stalled", "stall_count", "reshuffles",  "round_number", "turn_number",
    };
    static_assert(std::size(SCALARS) == N_SCALARS);
    py::dict slices;
    const auto add = [&slices](const char* name, int begin, int end) {
        slices[name] = py::slice(begin, end, 1);
    };
    add("cells", 0, at.pile_counts);
    add("pile_counts", at.pile_counts, at.hidden_counts);
    add("hidden_counts", at.hidden_counts, at.points_left);
    add("points_left", at.points_left, at.last_turns);
    add("last_turns", at.last_turns, at.scalars);
    for (int i = 0; i < N_SCALARS; ++i) add(SCALARS[i], at.scalars + i, at.scalars + i + 1);
    return slices;
}

}  // namespace

void register_batch_game(py::module_& module) {
    py::class_<PlayedBatch>(module, "BatchGame", "Many games in step.")
        .def(py::init([](std::shared_ptr<Setup> setup, int n, int seats, std::uint64_t seed,
                         int threads) {
                 return make_batch(std::move(setup), {n, seats, threads}, seed);
             }),
             py::arg("setup"), py::kw_only(), py::arg("n"), py::arg("seats"), py::arg("seed"),
             py::arg("threads"))
        .def("reset", &reset, "Starts the first game of every row again: same seed, same games.")
        .def("step", &step, py::arg("moves"),
             "Plays moves[i] in row i, each a legal move; a game that ends starts anew at once.\n\n"
             "An IllegalMove names the first row whose move is not legal; then no row was played.")
        .def("_observe", &observe, py::arg("seat"), py::arg("out"))
        .def_property_readonly("n", [](const PlayedBatch& self) { return self.batch.n(); })
        .def_property_readonly("n_seats",
                               [](const PlayedBatch& self) { return self.batch.n_seats(); })
        .def_property_readonly(
            "n_features", [](const PlayedBatch& self) { return self.batch.layout().n_features; })
        .def_property_readonly("n_moves", [](const PlayedBatch&) { return N_MOVES; })
        .def_property_readonly("threads",
                               [](const PlayedBatch& self) { return self.batch.n_threads(); })
        .def_property_readonly("layout", &layout, "The slice of each feature by its name.")
        .def_readonly("observations", &PlayedBatch::observations)
        .def_readonly("legal_masks", &PlayedBatch::legal_masks)
        .def_readonly("seats", &PlayedBatch::seats)
        .def_readonly("rewards", &PlayedBatch::rewards)
        .def_readonly("dones", &PlayedBatch::dones)
        .def_readonly("truncated", &PlayedBatch::truncated)
        .def_readonly("final_totals", &PlayedBatch::final_totals)
        .def_readonly("game_seeds", &PlayedBatch::game_seeds);
}

}  // namespace skyjo::bindings
