// Random play in C++: the policy and the random numbers of native:random.
//
// A bot is four functions in a struct, and the struct a capsule that the module offers as
// SKYJO_BOT.
#include <Python.h>

#include <bit>
#include <cstdint>
#include <new>

#include "skyjo/bot_abi.h"
#include "skyjo/move.hpp"
#include "skyjo/rng.hpp"

namespace {

using skyjo::Move;
using skyjo::MoveSet;
using skyjo::Stream;

// The verb with one of the cells, each equally likely.
Move pick(std::uint32_t cells, Move verb, Stream& stream) {
    for (auto n = stream.below(static_cast<std::uint64_t>(std::popcount(cells))); n > 0; --n)
        cells &= cells - 1;  // without its lowest bit
    return static_cast<Move>(verb + std::countr_zero(cells));
}

// A choice with one alternative left draws no random number.
int choose_move(void* self, const skyjo_view* view) {
    Stream& stream = *static_cast<Stream*>(self);
    const MoveSet legal = {view->legal};
    const std::uint32_t flips = legal.cells(skyjo::FLIP);
    const std::uint32_t takes = legal.cells(skyjo::TAKE);
    switch (view->phase) {
        case 0: return pick(flips, skyjo::FLIP, stream);
        case 1:
            if (legal.has(skyjo::DRAW) && (takes == 0 || stream.below(2) == 1)) return skyjo::DRAW;
            return pick(takes, skyjo::TAKE, stream);
        default:
            if (flips != 0 && stream.below(2) == 1) return pick(flips, skyjo::FLIP, stream);
            return pick(legal.cells(skyjo::PLACE), skyjo::PLACE, stream);
    }
}

// The stream of a game; the bot takes no options.
void* create(const char* options, std::uint64_t seed) {
    return *options == '\0' ? new (std::nothrow) Stream(seed) : nullptr;
}

void destroy(void* self) {
    delete static_cast<Stream*>(self);
}

constexpr skyjo_bot BOT = {
    sizeof(skyjo_bot), SKYJO_BOT_ABI, SKYJO_VERSION, "cpp random", create,
    choose_move,       nullptr,       destroy,
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "cpp_random", nullptr, -1, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_cpp_random() {
    PyObject* self = PyModule_Create(&module);
    PyObject* capsule = PyCapsule_New(const_cast<skyjo_bot*>(&BOT), SKYJO_BOT_CAPSULE, nullptr);
    if (self == nullptr || PyModule_AddObjectRef(self, "SKYJO_BOT", capsule) < 0) Py_CLEAR(self);
    Py_XDECREF(capsule);
    return self;
}
