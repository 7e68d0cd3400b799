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
using skyjo::Word;

// The verb with one of the cells, each equally likely.
Move pick(std::uint32_t cells, Move verb, Word word) {
    for (auto n = word.below(static_cast<std::uint32_t>(std::popcount(cells))); n > 0; --n)
        cells &= cells - 1;  // without its lowest bit
    return static_cast<Move>(verb + std::countr_zero(cells));
}

// A decision takes one random word: its highest bit is the first choice, the rest the cell.
int choose_move(void* self, const skyjo_view* view) {
    Stream& stream = *static_cast<Stream*>(self);
    const MoveSet legal = {view->legal};
    const std::uint32_t flips = legal.cells(skyjo::FLIP);
    const std::uint32_t takes = legal.cells(skyjo::TAKE);
    if (view->phase == 1 && takes == 0) return skyjo::DRAW;
    Word word{stream.next()};
    switch (view->phase) {
        case 0: return pick(flips, skyjo::FLIP, word);
        case 1:
            if (legal.has(skyjo::DRAW) && word.coin()) return skyjo::DRAW;
            return pick(takes, skyjo::TAKE, word);
        default:
            if (flips != 0 && word.coin()) return pick(flips, skyjo::FLIP, word);
            return pick(legal.cells(skyjo::PLACE), skyjo::PLACE, word);
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
