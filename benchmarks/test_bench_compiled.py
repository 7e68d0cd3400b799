# SPDX-License-Identifier: MIT
"""What a call of a compiled bot costs, in each language; each benchmark asserts its answer."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path
from typing import Any, Final

import pytest

import skyjo_core
from skyjo_core import Game, _core, bot_abi, compiled_bot
from skyjo_core.cython_build import _FLAGS, _SUFFIX, _compiler
from skyjo_core.loader import LoadedBot, bot_from_object, load_bot
from skyjo_core.spec import BotSpec

CALLS: Final = 100_000
BOUND: Final = 6e-9  # seconds a call

CPP: Final = """
#include <Python.h>
#include <bit>
#include "skyjo/bot_abi.h"

static int empty(void*, const skyjo_view*) { return 0; }
static int first_legal(void*, const skyjo_view* view) { return std::countr_zero(view->legal); }
template <auto function>
constexpr skyjo_bot BOT = {sizeof(skyjo_bot), SKYJO_BOT_ABI, SKYJO_VERSION, "first",
                           nullptr, function, nullptr, nullptr};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "first", nullptr, -1, nullptr,
                             nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC PyInit_first() {
    PyObject* self = PyModule_Create(&module);
    PyModule_AddObject(self, "SKYJO_BOT", PyCapsule_New(
        const_cast<skyjo_bot*>(&BOT<WHICH>), SKYJO_BOT_CAPSULE, nullptr));
    return self;
}
"""

CYTHON: Final = """
from skyjo_core.bot_abi cimport bot_capsule, skyjo_bot, skyjo_view

cdef int first_legal(void* self, const skyjo_view* view) noexcept nogil:
    cdef int move = 0
    while not (view.legal >> move) & 1:
        move += 1
    return move

cdef skyjo_bot bot
SKYJO_BOT = bot_capsule(&bot, "first", first_legal, NULL, NULL, NULL)
"""


def cpp_bot(folder: Path, function: str) -> LoadedBot:
    """A bot in C++ whose choose_move is the function."""
    source, module = folder / "first.cpp", folder / f"first{_SUFFIX}"
    source.write_text(CPP.replace("WHICH", function), encoding="utf-8")
    includes = [f"-I{sysconfig.get_path('include')}", f"-I{skyjo_core.get_include()}"]
    command = [*_compiler(source), *_FLAGS, *includes, str(source), "-o", str(module)]
    subprocess.run(command, check=True)
    return load_bot(BotSpec("file", str(module)))


def cython_bot(folder: Path) -> LoadedBot:
    source = folder / "first.pyx"
    source.write_text(CYTHON, encoding="utf-8")
    return load_bot(BotSpec("file", str(source)))


def numba_bot() -> LoadedBot:
    import numba

    view = numba.types.CPointer(numba.from_dtype(bot_abi.VIEW))

    @numba.cfunc(numba.types.int32(numba.types.voidptr, view))
    def choose_move(self: Any, pointer: Any) -> int:
        legal = numba.carray(pointer, 1)[0].legal
        move = 0
        while not (legal >> move) & 1:
            move += 1
        return move

    return bot_from_object(compiled_bot("first", choose_move=choose_move), "first")


@pytest.mark.parametrize("language", ["nothing", "c++", "cython", "numba"])
def test_bench_call_of_a_compiled_bot(benchmark: Any, language: str, tmp_path: Path) -> None:
    """Many calls through the struct; "nothing" is a function that only returns."""
    bot = {
        "nothing": lambda: cpp_bot(tmp_path, "empty"),
        "c++": lambda: cpp_bot(tmp_path, "first_legal"),
        "cython": lambda: cython_bot(tmp_path),
        "numba": numba_bot,
    }[language]()
    game = Game(2, seed=1)
    seconds, answer = benchmark(_core.time_calls, bot.native, game, calls=CALLS)
    assert answer == game.legal_moves()[0] == 0
    if benchmark.enabled:
        assert benchmark.stats.stats.min / CALLS < BOUND
        benchmark.extra_info["ns_a_call"] = benchmark.stats.stats.median / CALLS * 1e9
    assert seconds > 0
