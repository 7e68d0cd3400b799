# SPDX-License-Identifier: MIT
"""From .pyx files to modules: what is missing is said, what is built is kept and kept right."""

from __future__ import annotations

import importlib.metadata
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena import tournament
from skyjo_core import Rules, cython_build, play_game
from skyjo_core.cython_build import CompileError, built_module
from skyjo_core.loader import BrokenBotError, load_bot
from skyjo_core.spec import BotSpec

PLAIN = "def choose_move(view):\n    return view.legal_moves[0]\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("SKYJO_CACHE", str(folder))
    return folder


@pytest.fixture
def bot(tmp_path: Path, cache: Path) -> Path:
    path = tmp_path / "bots" / "plain.pyx"
    path.parent.mkdir()
    path.write_text(PLAIN, encoding="utf-8")
    return path


def needs_a_compiler(test: Any) -> Any:
    return pytest.mark.slow(pytest.mark.system(test))


WITH_GIL = """
from libc.stdint cimport int8_t, uint64_t
from libc.string cimport strcmp
from skyjo_core.bot_abi cimport (
    SKYJO_FAULT_EXCEPTION, SKYJO_ROUND_END, bot_capsule, skyjo_bot, skyjo_view
)

heard = []

cdef int choose_move(void* self, const skyjo_view* view) noexcept with gil:
    try:
        moves = [move for move in range(37) if view.legal >> move & 1]
        return moves[0] if view.round_number < 1 else moves[99]
    except IndexError:
        return SKYJO_FAULT_EXCEPTION

cdef int event(
    void* self, int kind, const skyjo_view* view, const int8_t* places
) noexcept with gil:
    heard.append((kind, view.n_seats))
    return 0

cdef void* create(const char* options, uint64_t seed) noexcept nogil:
    return <void*>options if strcmp(options, "limit=4,word=x") == 0 else NULL

cdef skyjo_bot bot
SKYJO_BOT = bot_capsule(&bot, "with gil", choose_move, create, event, NULL)
"""


class Told(list[str]):
    """What was told before compiling: as long as the number of compilations."""

    def __call__(self, text: str) -> None:
        self.append(text)


# What is missing: these need no compiler


def test_a_missing_compiler_is_said_with_what_to_install(
    bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler -m64")
    with pytest.raises(
        BrokenBotError,
        match=r"plain\.pyx: expected a C\+\+ compiler, CXX is 'no-such-compiler', found none: "
        r"install one \(Debian: apt install g\+\+",
    ):
        load_bot(BotSpec("file", str(bot)))
    monkeypatch.delenv("CXX")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CompileError, match=r"expected a C\+\+ compiler, found none: install one"):
        built_module(bot)


def test_a_bot_that_does_not_compile_is_the_only_one_left_out(
    bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot.with_name("python.py").write_text(PLAIN, encoding="utf-8")
    monkeypatch.setenv("CXX", "no-such-compiler")
    words = (bot.parent, "native:random", "--deals", 1, "--seed", 1)
    done = tournament(*words, cwd=tmp_path)
    assert done.returncode == 3
    assert "1 bot cannot be loaded" in done.stderr
    assert "plain.pyx: expected a C++ compiler" in done.stderr
    done = tournament(*words, "--skip-broken", cwd=tmp_path)
    assert done.returncode == 0
    assert "2 bots: python, random" in done.stderr
    assert "left out: " in done.stdout


def test_a_missing_cython_is_said_with_its_extra(
    bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setenv("CXX", sys.executable)  # something that can tell its version
    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(CompileError, match=r"pip install \"skyjo-core\[cython\]\""):
        built_module(bot)


def test_a_file_that_cannot_be_read_is_said_so(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", sys.executable)
    monkeypatch.setattr(cython_build, "_cython_version", lambda source: "3.1")
    with pytest.raises(CompileError, match=r"gone\.pyx: expected a file that can be read"):
        built_module(bot.with_name("gone.pyx"))


def test_the_cache_lies_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first() -> Path:
        return next(iter(cython_build._caches()))

    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SKYJO_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert first() == tmp_path / "home/.cache/skyjo_core"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert first() == tmp_path / "xdg/skyjo_core"
    monkeypatch.setenv("SKYJO_CACHE", str(tmp_path / "own"))
    assert first() == tmp_path / "own"


def test_a_cache_is_private(tmp_path: Path) -> None:
    made = cython_build._writable([tmp_path / "deep" / "cache"])
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_a_cache_that_cannot_be_written_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert cython_build._writable([tmp_path / "file" / "x", tmp_path / "b"]) == tmp_path / "b"
    with pytest.raises(CompileError, match=r"cache: expected a folder .*: set SKYJO_CACHE"):
        cython_build._writable([tmp_path / "file" / "x"])


def test_the_cause_is_told_where_cython_breaks_down() -> None:
    dump = (
        "\nmine.pyx:3:0: Compiler crash in AnalyseDeclarationsTransform\n\n"
        "ModuleNode.body = StatListNode(mine.pyx:1:0)\n"
        "StatListNode.stats[1] = CClassDefNode(mine.pyx:3:0,\n    as_name = 'B')\n\n"
        "Compiler crash traceback from this point on:\n"
        '  File "Visitor.py", line 174, in _visit\n    node = self.visit(node)\n'
        "AttributeError: no attribute 'scope'\n"
    )
    told = "mine.pyx:1:0: Function cannot return an array\n"
    assert cython_build._without_dump(told + dump) == (
        f"{told}\nmine.pyx:3:0: Compiler crash in AnalyseDeclarationsTransform: "
        "AttributeError: no attribute 'scope'\n"
    )
    trace = 'Traceback (most recent call last):\n  File "Main.py", line 2, in main\n    run()\n'
    assert cython_build._without_dump(f"{trace}LookupError: foo\n") == "LookupError: foo\n"
    assert cython_build._without_dump(told) == told


@pytest.mark.parametrize("what", ["open", "link", "file"])
def test_a_temporary_folder_that_others_may_write_is_not_used(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("SKYJO_CACHE", str(tmp_path / "own"))
    shared = tmp_path / f"skyjo_core-{os.getuid()}"
    assert list(cython_build._caches()) == [tmp_path / "own", shared]
    shared.rmdir()
    if what == "open":
        shared.mkdir()
        shared.chmod(0o770)
    elif what == "link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        shared.symlink_to("elsewhere")
    else:
        shared.write_text("")
    assert list(cython_build._caches()) == [tmp_path / "own"]


# Compiled


@needs_a_compiler
def test_a_function_and_a_class_of_python_play_compiled(bot: Path) -> None:
    bot.with_name("_helper.py").write_text("LIMIT = 0\n")
    text = (
        "from skyjo_core import Bot\nfrom ._helper import LIMIT\n\n"
        "class Mine(Bot):\n    def __init__(self, limit=1):\n        self.limit = limit\n\n"
        "    def choose_move(self, view):\n        return view.legal_moves[LIMIT]\n"
    )
    other = bot.with_name("odd-n\u00e4me.pyx")
    other.write_text(text, encoding="utf-8")
    played = play_game([bot, f"{other}:limit=4", bot], seed=1)
    assert played.players == ("plain#1", "odd-n\u00e4me", "plain#2")
    assert played.faults == []


@needs_a_compiler
def test_play_game_tells_once_that_it_compiles(
    bot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        play_game([bot, bot], seed=1)
    assert capsys.readouterr().err == f"compiling {bot}, once: it takes some seconds\n"


@needs_a_compiler
def test_a_second_load_compiles_nothing_and_changed_text_does(bot: Path) -> None:
    told = Told()
    built = built_module(bot, told)
    assert built_module(bot, told) == built
    assert told == [f"compiling {bot}, once: it takes some seconds"]
    bot.write_text(PLAIN + "NAME = 'changed'\n", encoding="utf-8")
    assert built_module(bot, told) != built
    assert len(told) == 2
    assert load_bot(BotSpec("file", str(bot))).name == "changed"


@needs_a_compiler
def test_what_is_included_counts_and_other_files_do_not(bot: Path) -> None:
    told = Told()
    bot.with_name("parts.pxi").write_text("LIMIT = 1\n")
    bot.write_text('include "parts.pxi"\n' + PLAIN + "NAME = f'limit {LIMIT}'\n")
    built_module(bot, told)
    bot.with_name("other.py").write_text("")
    assert load_bot(BotSpec("file", str(bot))).name == "limit 1"
    built_module(bot, told)
    assert len(told) == 1
    bot.with_name("parts.pxi").write_text("LIMIT = 2\n")
    built_module(bot, told)
    assert len(told) == 2
    assert load_bot(BotSpec("file", str(bot))).name == "limit 2"


@needs_a_compiler
def test_a_moved_bot_is_not_compiled_again(bot: Path, tmp_path: Path) -> None:
    told = Told()
    (tmp_path / "moved").mkdir()
    moved = tmp_path / "moved" / bot.name
    built = built_module(bot, told)
    moved.write_bytes(bot.read_bytes())
    assert built_module(moved, told) == built
    assert len(told) == 1


@needs_a_compiler
@pytest.mark.parametrize("damage", ["shorter", "no sum", "a file", "empty"])
def test_a_damaged_module_is_built_again(bot: Path, damage: str) -> None:
    built = built_module(bot)
    if damage == "shorter":
        built.write_bytes(built.read_bytes()[:-100])
    elif damage == "no sum":
        (built.parent / "sha256").write_bytes(b"\xff\xfe")
    else:
        for path in built.parent.iterdir():
            path.unlink()
        if damage == "a file":
            built.parent.rmdir()
            built.parent.write_text("")
    told = Told()
    assert built_module(bot, told) == built
    assert len(told) == 1
    assert load_bot(BotSpec("file", str(bot))).name == "plain"
    assert [path.name for path in built.parent.parent.iterdir()] == [built.parent.name]


@needs_a_compiler
def test_two_processes_that_compile_at_once_do_no_harm(bot: Path, cache: Path) -> None:
    program = "import sys\nfrom skyjo_core import play_game\nplay_game([sys.argv[1]] * 2)\n"
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(bot)], stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    told = f"compiling {bot}, once: it takes some seconds\n".encode()
    ended = [(process.communicate()[1], process.returncode) for process in running]
    assert ended in ([(told, 0)] * 2, [(told, 0), (b"", 0)], [(b"", 0), (told, 0)])
    told = Told()
    built_module(bot, told)
    assert told == []
    assert len(list(cache.iterdir())) == 1


@needs_a_compiler
def test_a_cache_that_cannot_be_used_is_replaced_by_a_temporary_one(
    bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SKYJO_CACHE", str(tmp_path / "file" / "cache"))
    (tmp_path / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    told = Told()
    built = built_module(bot, told)
    assert (tmp_path / "t") in built.parents
    assert built_module(bot, told) == built
    assert len(told) == 1


@needs_a_compiler
def test_another_compiler_has_its_own_entry(
    bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = built_module(bot)
    path, *_ = cython_build._compiler(bot)
    wrapper = tmp_path / "wrapped"
    wrapper.write_text(f'#!/bin/sh\nexec "{path}" "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("CXX", str(wrapper))
    assert built_module(bot) != built


def error_of(bot: Path, text: str) -> str:
    """What is said of a .pyx file with that text."""
    bot.write_text(text)
    with pytest.raises(BrokenBotError) as caught:
        load_bot(BotSpec("file", str(bot)))
    return str(caught.value)


@needs_a_compiler
def test_an_error_is_the_text_of_cython_or_of_the_compiler(bot: Path) -> None:
    said = error_of(bot, "def choose_move(view) return 3\n")
    assert re.search(r"(?s)plain\.pyx: .*Cython said:.*plain\.pyx:1:22", said)
    said = error_of(bot, 'cdef extern from "nowhere.h":\n    int limit\n')
    assert re.search(r"(?s)the C\+\+ that Cython made of it, said:\nplain\.cpp:.*nowhere\.h", said)


@needs_a_compiler
def test_an_error_of_the_compiler_names_the_line_of_the_bot(bot: Path) -> None:
    text = (
        'cdef extern from *:\n    """\n    struct Empty {};\n    """\n'
        "    cdef struct Empty:\n        int missing\n\n"
        "def choose_move(view):\n    cdef Empty empty\n    return empty.missing  # not there\n"
    )
    said = error_of(bot, text)
    assert "\nplain.pyx:10:" in said
    assert "return empty.missing  # not there" in said


@needs_a_compiler
def test_where_cython_breaks_down_no_dump_is_told(bot: Path) -> None:
    """Cython 3.1 to 3.3 runs on after this error, and into its own recursion limit."""
    said = error_of(bot, "cdef struct A:\n    A a\ncdef A x\ndef f(): return x\n")
    assert "plain.pyx:2:6: Struct cannot contain itself as a member." in said
    assert "ModuleNode" not in said
    assert "raceback" not in said


@needs_a_compiler
def test_an_error_at_import_names_the_line(bot: Path) -> None:
    bot.write_text("import skyjo_core\nlimit = 1 // 0\n")
    with pytest.raises(BrokenBotError, match=r"plain\.pyx:2: loading raised ZeroDivisionError"):
        load_bot(BotSpec("file", str(bot)))


@needs_a_compiler
def test_a_file_without_a_bot_is_said_so(bot: Path) -> None:
    bot.write_text("cdef int limit = 1\n")
    with pytest.raises(BrokenBotError, match="found neither, nor a capsule SKYJO_BOT; add one"):
        load_bot(BotSpec("file", str(bot)))


@needs_a_compiler
def test_a_bot_takes_the_gil_where_it_needs_python(bot: Path) -> None:
    bot.write_text(WITH_GIL, encoding="utf-8")
    two_rounds = Rules(threshold=None, max_rounds=2)
    played = play_game([f"{bot}:limit=4,word=x", "native:random"], seed=2, rules=two_rounds)
    assert played.players == ("with gil", "random")
    (fault,) = played.faults
    assert (fault["kind"], fault["round"]) == ("exception", 1)
    assert fault["detail"].startswith("returned -2 (SKYJO_FAULT_EXCEPTION)")
    with pytest.raises(BrokenBotError, match="SKYJO_BOT: options not understood: limit=5"):
        play_game([f"{bot}:limit=5", "native:random"])
