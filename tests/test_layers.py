# SPDX-License-Identifier: MIT
"""The arrows of the house as data: what each file may include or import, and nothing else.

In the tables of headers and of modules a file names only files above it, so there is no way round.
A new file or arrow is entered here first, and an arrow that is gone is taken out.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

Arrows = dict[str, frozenset[str]]


def table(text: str) -> Arrows:
    """Rows `name: targets`; a line without a colon goes on with the row above."""
    rows = re.split(r"\n(?=.*:)", text.strip())
    pairs = (row.split(":") for row in rows)
    return {name.strip(): frozenset(targets.split()) for name, targets in pairs}


HEADERS = table("""
    skyjo/portability.hpp:
    skyjo/card.hpp:
    skyjo/rng.hpp: skyjo/portability.hpp
    skyjo/text_buffer.hpp:
    skyjo/tick_clock.hpp: skyjo/portability.hpp
    skyjo/bot_abi.h:
    skyjo/grid.hpp: skyjo/card.hpp
    skyjo/move.hpp: skyjo/card.hpp skyjo/portability.hpp
    skyjo/rules.hpp: skyjo/bot_abi.h skyjo/card.hpp skyjo/grid.hpp
    skyjo/scoring.hpp: skyjo/card.hpp skyjo/move.hpp skyjo/rng.hpp skyjo/rules.hpp
    skyjo/table.hpp: skyjo/card.hpp skyjo/grid.hpp
    skyjo/deck.hpp: skyjo/card.hpp skyjo/grid.hpp skyjo/rng.hpp skyjo/table.hpp
    skyjo/round.hpp:
        skyjo/deck.hpp skyjo/grid.hpp skyjo/move.hpp skyjo/rules.hpp skyjo/scoring.hpp
        skyjo/table.hpp
    skyjo/score_sheet.hpp: skyjo/card.hpp skyjo/rules.hpp skyjo/scoring.hpp
    skyjo/game.hpp: skyjo/round.hpp skyjo/score_sheet.hpp
    skyjo/record.hpp: skyjo/bot_abi.h skyjo/game.hpp
    skyjo/view.hpp: skyjo/bot_abi.h skyjo/game.hpp
    skyjo/baselines.hpp: skyjo/bot_abi.h skyjo/move.hpp skyjo/rng.hpp skyjo/view.hpp
    skyjo/plain_turns.hpp:
        skyjo/bot_abi.h skyjo/game.hpp skyjo/move.hpp skyjo/portability.hpp skyjo/view.hpp
    skyjo/bot_choice.hpp: skyjo/bot_abi.h
    skyjo/fused.hpp:
        skyjo/card.hpp skyjo/grid.hpp skyjo/move.hpp skyjo/portability.hpp skyjo/rng.hpp
        skyjo/rules.hpp skyjo/scoring.hpp skyjo/table.hpp
    skyjo/levels.hpp: skyjo/move.hpp skyjo/portability.hpp
    skyjo/match.hpp: skyjo/bot_abi.h skyjo/game.hpp skyjo/record.hpp
    skyjo/match_loop.hpp:
        skyjo/baselines.hpp skyjo/bot_abi.h skyjo/game.hpp skyjo/match.hpp skyjo/plain_turns.hpp
        skyjo/tick_clock.hpp skyjo/view.hpp
    skyjo/notation.hpp: skyjo/move.hpp
    skyjo/playouts.hpp: skyjo/game.hpp
    skyjo/record_text.hpp: skyjo/game.hpp skyjo/record.hpp skyjo/text_buffer.hpp
    skyjo/replay.hpp: skyjo/game.hpp
    skyjo/snapshot.hpp: skyjo/game.hpp skyjo/record.hpp
    skyjo/soundness.hpp: skyjo/rules.hpp skyjo/table.hpp
    skyjo/thread_pool.hpp:
    skyjo/world.hpp: skyjo/bot_abi.h skyjo/game.hpp
    skyjo/batch_game.hpp: skyjo/game.hpp skyjo/thread_pool.hpp
    skyjo/simulation.hpp: skyjo/bot_choice.hpp skyjo/game.hpp skyjo/match.hpp
    skyjo/native_tables.hpp:
        skyjo/bot_choice.hpp skyjo/game.hpp skyjo/match.hpp skyjo/text_buffer.hpp
""")

# Compiled files of the engine, the bindings, and the headers that Cython reads.
SOURCES = table("""
    cpp/src/rules.cpp: skyjo/rules.hpp
    cpp/src/baselines.cpp: skyjo/baselines.hpp
    cpp/src/record.cpp: skyjo/record.hpp
    cpp/src/record_text.cpp: skyjo/record_text.hpp
    cpp/src/match.cpp: skyjo/match.hpp skyjo/match_loop.hpp skyjo/tick_clock.hpp
    cpp/src/notation.cpp: skyjo/notation.hpp
    cpp/src/replay.cpp: skyjo/replay.hpp
    cpp/src/snapshot.cpp: skyjo/snapshot.hpp skyjo/soundness.hpp
    cpp/src/soundness.cpp: skyjo/soundness.hpp
    cpp/src/world.cpp: skyjo/world.hpp skyjo/soundness.hpp skyjo/view.hpp
    cpp/src/thread_pool.cpp: skyjo/thread_pool.hpp skyjo/portability.hpp
    cpp/src/tick_clock.cpp: skyjo/tick_clock.hpp skyjo/portability.hpp
    cpp/src/batch_game.cpp: skyjo/batch_game.hpp skyjo/portability.hpp skyjo/view.hpp
    cpp/src/playouts.cpp:
        skyjo/playouts.hpp skyjo/baselines.hpp skyjo/fused.hpp skyjo/levels.hpp
    cpp/src/simulation.cpp:
        skyjo/simulation.hpp skyjo/baselines.hpp skyjo/fused.hpp skyjo/levels.hpp
        skyjo/match_loop.hpp skyjo/record.hpp skyjo/thread_pool.hpp
    cpp/src/native_tables.cpp:
        skyjo/native_tables.hpp skyjo/baselines.hpp skyjo/record_text.hpp skyjo/rng.hpp
    bindings/bindings.hpp: skyjo/rules.hpp skyjo/score_sheet.hpp
    bindings/card.cpp: bindings.hpp skyjo/card.hpp skyjo/table.hpp
    bindings/rng.cpp: bindings.hpp skyjo/rng.hpp
    bindings/rules.cpp: bindings.hpp skyjo/rules.hpp
    bindings/scoring.cpp: bindings.hpp skyjo/scoring.hpp
    bindings/notation.cpp: bindings.hpp skyjo/notation.hpp
    bindings/game.hpp: bindings.hpp skyjo/game.hpp skyjo/record.hpp skyjo/snapshot.hpp
    bindings/game.cpp: game.hpp skyjo/notation.hpp skyjo/view.hpp skyjo/world.hpp
    bindings/position.cpp: game.hpp
    bindings/record.cpp:
        game.hpp skyjo/record.hpp skyjo/record_text.hpp skyjo/text_buffer.hpp
    bindings/replay.cpp: game.hpp skyjo/notation.hpp skyjo/replay.hpp
    bindings/batch_game.cpp: game.hpp skyjo/batch_game.hpp
    bindings/compiled_bot.hpp: bindings.hpp skyjo/bot_choice.hpp
    bindings/fault.hpp: bindings.hpp skyjo/match.hpp skyjo/notation.hpp
    bindings/simulation.cpp:
        compiled_bot.hpp fault.hpp game.hpp skyjo/playouts.hpp skyjo/simulation.hpp
    bindings/compiled_bot.cpp: compiled_bot.hpp game.hpp skyjo/baselines.hpp skyjo/view.hpp
    bindings/fused.cpp: bindings.hpp skyjo/fused.hpp
    bindings/match.cpp: compiled_bot.hpp fault.hpp game.hpp skyjo/match.hpp
    bindings/native_tables.cpp:
        compiled_bot.hpp skyjo/native_tables.hpp skyjo/text_buffer.hpp
    bindings/module.cpp: bindings.hpp
    src/skyjo_core/stream.pxd: skyjo/rng.hpp
    src/skyjo_core/_rng.pyx: skyjo_core.stream
    src/skyjo_core/__init__.pxd:
    src/skyjo_core/bot_abi.pxd: skyjo/bot_abi.h
    src/skyjo_core/_view.pyx: skyjo_core.bot_abi
""")

# What a module imports when it is imported itself; numpy is the one package of others among it.
MODULES = table("""
    _core:
    _rng:
    rng: _rng
    rules: _core
    _view: numpy _core rules
    moves: _core rules
    drawing: _core
    position: _core rules
    archive: rules
    game: _core _view rules
    batch_game: _core game rules
    bot: rng
    headers: _core
    bot_abi: numpy
    interrupt:
    __init__: _core _view batch_game bot game interrupt moves rng rules
    spec: _core bot
    private_modules:
    capsule: _core
    cython_build: numpy headers
    loader: _core bot capsule private_modules rng spec
    progress:
    play: _core _view game loader progress rng rules spec
    simulation: _core game play rules
    schedule:
    record_pack: _core rules
    batch: numpy _core game loader play record_pack rules schedule spec
    _worker: batch loader schedule spec
    workers: _worker batch loader schedule spec
    distributions:
    results: numpy
    bradley_terry: numpy distributions
    ratings: numpy bradley_terry distributions results
    standings: numpy distributions ratings results
    report: standings
    tally: numpy batch results schedule
    record_writer:
    folder: batch record_writer schedule
    command_line: interrupt progress
    settings: rules
    entrants: capsule loader settings spec workers
    outcome: bradley_terry ratings report rules schedule settings standings tally
    tournament:
        batch entrants folder interrupt outcome progress rules schedule settings tally workers
    tournament_cli:
        command_line entrants folder interrupt loader outcome progress report rules settings
        tournament workers
    case_difference:
    case_forms: _core
    case: case_difference case_forms
    case_position: _core case case_difference game moves position rules
    conformance: _core case case_difference case_position command_line progress rules
    record_difference:
    record_file: record_difference
    record_form: record_difference rules
    verify: _core moves record_difference record_file record_form rules
    verify_cli: command_line interrupt progress record_difference record_file verify
    bench:
        numpy _core batch_game game loader play ratings results rules simulation verify
    bench_form: bench
    bench_cli: bench bench_form command_line interrupt loader play progress
    cli: interrupt
    __main__: cli
""")

# What only a call imports, or a start as a script.
LATER = table("""
    _view: drawing
    game: numpy archive drawing position
    loader: cython_build
    simulation: numpy
    report: rich
    progress: rich
    tournament: folder tournament_cli
    tournament_cli: rich
    verify: verify_cli
    verify_cli: rich
    simulation: numpy
    bench: bench_cli
    bench_cli: __init__ rich
    cli: __init__
""")

# What only a type checker reads: under TYPE_CHECKING, and all imports of a stub.
TYPING = table("""
    _core: numpy typing_extensions
    _view: numpy typing_extensions _core rng rules
    game: numpy
    batch_game: numpy
    simulation: numpy
    drawing: _view
    bot: _view
    capsule: typing_extensions
    simulation: numpy
    report: rich
    progress: rich
    verify_cli: rich
    bench_cli: rich
    __init__: capsule headers loader play simulation tournament
""")


def includes(path: Path) -> frozenset[str]:
    """The project's own headers that a C++ file includes, or that a Cython file reads."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r'^(?:#include|cdef extern from) "([^"]+)"', text, re.MULTILINE)
    found += re.findall(r"^from (skyjo_core\.\w+) cimport", text, re.MULTILINE)
    return frozenset(found) - {"Python.h"}


def python_of(path: Path) -> ast.Module:
    """The syntax tree of a file; of a Cython file that of its imports, now and in functions."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".pyx":
        now = re.findall(r"^(?:import|from \S+ import) .+", text, re.MULTILINE)
        later = re.findall(r"^ +(?:import|from \S+ import) .+", text, re.MULTILINE)
        calls = [f"def call(): {line.strip()}" for line in later]
        text = "\n".join([*now, *calls])
    return ast.parse(text)


def imports(tree: ast.AST, when: str) -> Iterator[tuple[str, str]]:
    """Each thing imported by its dotted name, and when: now, later or typing."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((when, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"expected an absolute import, got {ast.unparse(node)}"
            yield from ((when, f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from imports(ast.Module(node.body, []), "typing")
            yield from imports(ast.Module(node.orelse, []), when)
        elif isinstance(node, ast.If) and "__name__ ==" in ast.unparse(node.test):
            yield from imports(node, "later")
        else:
            is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            yield from imports(node, "later" if is_function and when == "now" else when)


def target_of(name: str, package: Path) -> str | None:
    """The module or the package of others that an import needs; None for the standard library."""
    top, _, rest = name.partition(".")
    if top != "skyjo_core":
        return None if top in sys.stdlib_module_names else top
    module = rest.partition(".")[0]
    return module if list(package.glob(f"{module}.py*")) else "__init__"


def found_imports(package: Path) -> dict[str, dict[str, frozenset[str]]]:
    """By when, then by module, what it imports; what it has at import is not told again."""
    found: dict[str, dict[str, set[str]]] = {
        when: defaultdict(set) for when in ("now", "later", "typing")
    }
    for path in package.glob("*.py*"):
        found["now"][path.stem] |= set()
        for when, name in imports(python_of(path), "typing" if path.suffix == ".pyi" else "now"):
            target = target_of(name, package)
            if target is not None:
                found[when][path.stem].add(target)
    return {
        when: {module: frozenset(targets) for module, targets in modules.items()}
        for when, modules in found.items()
    }


@pytest.fixture(scope="module")
def package() -> dict[str, dict[str, frozenset[str]]]:
    return found_imports(Path(__file__).parent.parent / "src/skyjo_core")


@pytest.mark.parametrize("ladder", [HEADERS, MODULES], ids=["headers", "modules"])
def test_tables_name_only_what_stands_above(ladder: Arrows) -> None:
    seen = {"numpy"}
    for name, targets in ladder.items():
        assert targets <= seen, f"{name}: not above it: {sorted(targets - seen)}"
        seen.add(name)


def test_umbrella_header_gives_the_reading_order(root: Path) -> None:
    umbrella = (root / "cpp/include/skyjo/skyjo.hpp").read_text(encoding="utf-8")
    order = re.findall(r'#include "([^"]+)"', umbrella)
    assert sorted(order) == sorted(HEADERS)
    for i, header in enumerate(order):
        assert set(order[:i]) >= HEADERS[header], f"{header}: stands too high in skyjo.hpp"


def test_headers_include_what_their_table_says(root: Path) -> None:
    found = {f"skyjo/{path.name}": path for path in (root / "cpp/include/skyjo").iterdir()}
    del found["skyjo/skyjo.hpp"]
    assert {name: includes(path) for name, path in found.items()} == HEADERS


def test_sources_and_bindings_include_what_their_table_says(root: Path) -> None:
    paths = [*(root / "cpp/src").iterdir(), *(root / "bindings").iterdir()]
    paths += (root / "src/skyjo_core").glob("*.p[yx][xd]")
    assert {path.relative_to(root).as_posix(): includes(path) for path in paths} == SOURCES


@pytest.mark.parametrize(
    ("when", "wanted"), [("now", MODULES), ("later", LATER), ("typing", TYPING)]
)
def test_modules_import_what_their_table_says(
    package: dict[str, dict[str, frozenset[str]]], when: str, wanted: Arrows
) -> None:
    assert package[when] == wanted


def test_sample_bots_import_the_package_and_the_standard_library(root: Path) -> None:
    for path in (root / "python/bots").glob("*.py"):
        tops = {name.partition(".")[0] for _, name in imports(python_of(path), "now")}
        assert tops - sys.stdlib_module_names == {"skyjo_core"}, path.name
