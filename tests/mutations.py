# SPDX-License-Identifier: MIT
"""Proves that the tests notice wrong rules: python tests/mutations.py

Each mutation of tests/data/mutations.toml changes one line of the engine. For each of them the core
is compiled in a temporary folder, as one file and without optimisation, and put into a copy of the
package; there some fast tests must fail. The unchanged core, built the same way, must pass them.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data" / "mutations.toml"
# The tests that judge, those that catch most first: a run ends with the first that fails.
TESTS = (
    "tests/test_pitfalls.py",
    "tests/test_conformance.py::test_case_is_right",
    "tests/test_game.py",
    "tests/test_view.py",
    "tests/test_position.py",
    "tests/test_reference.py",
    "tests/test_simulation.py::test_games_are_those_of_a_table",
    "tests/test_simulation.py::test_random_play_has_its_known_means",
)
FLAGS = ("-std=c++20", "-O0", "-g0", "-w", "-fPIC", "-fvisibility=hidden", "-DNDEBUG")
PREFIX = """\
#include <pybind11/native_enum.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
"""
# Names that two binding files define, each in its own unnamed namespace: one file of all of them
# has room for one.
SHARED_NAMES = {"match.cpp": ("Seats", "play")}
# Compile-time proofs: a mutation is for the tests to catch, and without them it compiles faster.
CONTRACTS = re.compile(r"namespace contract \{\n.*?\n\}  // namespace contract\n", re.DOTALL)
# A pytest plugin: the tests must run with the package beside it, not with an installed one.
PLUGIN = """\
import pathlib
import skyjo_core
import skyjo_core._core

for module in (skyjo_core, skyjo_core._core):
    if pathlib.Path(__file__).parent not in pathlib.Path(module.__file__).parents:
        raise SystemExit(f"expected the package beside {__file__}, got {module.__file__}")
"""
COMPILE_SECONDS = 600
TEST_SECONDS = 900


@dataclass(frozen=True, slots=True)
class Mutation:
    """One line of the engine made wrong."""

    name: str
    file: str
    old: str
    new: str

    def fault(self, root: Path = ROOT) -> str | None:
        """Why it cannot be applied; None if it can."""
        n_found = (root / self.file).read_text(encoding="utf-8").count(self.old)
        if n_found != 1:
            return f"{self.file}: expected {self.old!r} once, found it {n_found} times"
        return f"{self.file}: {self.old!r} is replaced by itself" if self.old == self.new else None

    def apply(self, root: Path) -> None:
        """Changes the file below this folder."""
        path = root / self.file
        path.write_text(
            path.read_text(encoding="utf-8").replace(self.old, self.new), encoding="utf-8"
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a core: the first failing test, or why none could fail."""

    test: str | None = None
    problem: str | None = None
    seconds: float = 0.0


def mutations() -> list[Mutation]:
    """All mutations, in the order of the rules."""
    with DATA.open("rb") as file:
        return [Mutation(**entry) for entry in tomllib.load(file)["mutation"]]


def compiler() -> str:
    """The C++ compiler: CXX if it is given, else g++ or c++."""
    for name in (os.environ.get("CXX"), "g++", "c++"):
        if name and (found := shutil.which(name)):
            return found
    raise SystemExit("mutations: expected a C++ compiler as CXX, g++ or c++, found none")


def include_flags() -> list[str]:
    """Where the headers of Python and pybind11 are."""
    try:
        import pybind11
    except ImportError:
        raise SystemExit(
            "mutations: expected pybind11, found none: pip install 'pybind11>=3.1'"
        ) from None

    folders = (sysconfig.get_path("include"), pybind11.get_include())
    return [f"-I{folder}" for folder in folders]


def run(command: Sequence[str | Path], seconds: float) -> str | None:
    """What a command of the compiler says if it fails; None if all is well."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds, check=False, cwd=ROOT
        )
    except subprocess.TimeoutExpired:
        return f"the compiler did not end in {seconds:.0f} s"
    return None if done.returncode == 0 else f"{done.stdout}{done.stderr}"


def precompile(folder: Path) -> Path:
    """The header that every core begins with, compiled once: 2 s less for each of them."""
    header = folder / "prefix.hpp"
    header.write_text(PREFIX, encoding="utf-8")
    gch = header.with_name("prefix.hpp.gch")
    said = run(
        [compiler(), *FLAGS, *include_flags(), "-x", "c++-header", header, "-o", gch],
        COMPILE_SECONDS,
    )
    if said is not None:
        raise SystemExit(f"mutations: the headers do not compile:\n{said}")
    return header


def one_file(tree: Path) -> str:
    """A C++ file that includes all others."""
    lines = []
    for folder in ("cpp/src", "bindings"):
        for path in sorted((tree / folder).glob("*.cpp")):
            names = SHARED_NAMES.get(path.name, ()) if folder == "bindings" else ()
            lines += [f"#define {name} {path.stem}_{name}" for name in names]
            lines.append(f'#include "{folder}/{path.name}"')
            lines += [f"#undef {name}" for name in names]
    return "\n".join(lines) + "\n"


def copy_sources(tree: Path) -> None:
    """The C++ sources, without the proofs that the compiler would make."""
    for name in ("cpp", "bindings"):
        shutil.copytree(ROOT / name, tree / name)
    for path in (tree / "cpp").rglob("*.hpp"):
        text = path.read_text(encoding="utf-8")
        path.write_text(CONTRACTS.sub("", text), encoding="utf-8")


def build_core(tree: Path, header: Path, target: Path) -> str | None:
    """Compiles the core of these sources; what the compiler says if it cannot."""
    source = tree / "core.cpp"
    source.write_text(one_file(tree), encoding="utf-8")
    folders = [f"-I{tree}", f"-I{tree / 'cpp' / 'include'}"]
    command: list[str | Path] = [compiler(), *FLAGS, "-include", header, *include_flags(), *folders]
    return run([*command, "-shared", source, "-o", target], COMPILE_SECONDS)


def build_package(place: Path) -> Path:
    """A copy of the package without its core; returns where the core belongs."""
    package = place / "skyjo_core"
    package.mkdir()
    for pattern in ("*.py", "*.pyi", "py.typed"):
        for path in (ROOT / "src" / "skyjo_core").glob(pattern):
            shutil.copy(path, package)
    # These know nothing of the rules: the installed ones do.
    for name in ("_view", "_rng"):
        spec = importlib.util.find_spec(f"skyjo_core.{name}")
        if spec is None or spec.origin is None:
            raise SystemExit(f"mutations: expected skyjo_core.{name} to be installed, found none")
        shutil.copy(spec.origin, package)
    (place / "mutated_package.py").write_text(PLUGIN, encoding="utf-8")
    return package / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"


def run_tests(place: Path, tests: Sequence[str]) -> Outcome:
    """The tests with the package in this folder, up to the first that fails."""
    # -S: no finder of an editable install stands before PYTHONPATH.
    folders = dict.fromkeys([str(place), *map(sysconfig.get_path, ("purelib", "platlib"))])
    options = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "mutated_package"]
    try:
        done = subprocess.run(
            [sys.executable, "-S", "-m", "pytest", *options, *tests],
            capture_output=True,
            text=True,
            timeout=TEST_SECONDS,
            check=False,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        )
    except subprocess.TimeoutExpired:
        return Outcome(problem=f"the tests did not end in {TEST_SECONDS} s")
    failed = re.search(r"^FAILED (\S+)", done.stdout, re.MULTILINE)
    if done.returncode == 1 and failed is not None:
        return Outcome(test=failed[1])
    if done.returncode == 0:
        return Outcome()
    said = "\n".join(f"{done.stdout}{done.stderr}".splitlines()[-15:])
    return Outcome(problem=f"the tests did not run (status {done.returncode}):\n{said}")


def judge(mutation: Mutation | None, folder: Path, header: Path, tests: Sequence[str]) -> Outcome:
    """Builds the core with a mutation, or as it is, and runs the tests with it."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(dir=folder) as name:
        place = Path(name)
        tree = place / "sources"
        copy_sources(tree)
        if mutation is not None:
            mutation.apply(tree)
        said = build_core(tree, header, build_package(place))
        if said is None:
            outcome = run_tests(place, tests)
        else:
            outcome = Outcome(problem=f"does not compile:\n{said[:2000]}")
    return Outcome(outcome.test, outcome.problem, time.monotonic() - started)


def outcomes(
    chosen: Sequence[Mutation], folder: Path, header: Path, jobs: int
) -> Iterator[tuple[Mutation, Outcome]]:
    """Each mutation with its outcome, as they come in."""
    with ThreadPoolExecutor(jobs) as pool:
        futures = {
            pool.submit(judge, mutation, folder, header, TESTS): mutation for mutation in chosen
        }
        for future in as_completed(futures):
            yield futures[future], future.result()


def check(chosen: Sequence[Mutation], jobs: int) -> int:
    """Runs the mutations and tells of each; returns how many were not caught."""
    started = time.monotonic()
    n_missed = 0
    print(f"{len(chosen)} mutations, {jobs} at a time; first the unchanged core", flush=True)
    with tempfile.TemporaryDirectory(prefix="skyjo-mutations-") as name:
        folder = Path(name)
        header = precompile(folder)
        plain = judge(None, folder, header, TESTS)
        if plain.test is not None or plain.problem is not None:
            raise SystemExit(f"mutations: the unchanged core fails: {plain.test or plain.problem}")
        print(f"unchanged: passes, {plain.seconds:.0f} s", flush=True)
        for i, (mutation, outcome) in enumerate(outcomes(chosen, folder, header, jobs), 1):
            n_missed += outcome.test is None
            verdict = f"caught by {outcome.test}"
            if outcome.test is None:
                verdict = f"NOT CAUGHT: {outcome.problem or 'all tests pass'}"
            place = f"[{i}/{len(chosen)}]"
            print(f"{place} {mutation.name}: {verdict}, {outcome.seconds:.0f} s", flush=True)
    print(f"{time.monotonic() - started:.0f} s")
    return n_missed


def main(words: Sequence[str] | None = None) -> int:
    """The command line; 0 if all mutations are caught."""
    parser = argparse.ArgumentParser(description="Runs the tests on wrong rules; all must fail.")
    parser.add_argument("--only", metavar="NAME", help="those whose name holds this text")
    parser.add_argument(
        "--jobs", type=int, default=2, help="how many at a time, from 1 (default: 2)"
    )
    parser.add_argument("--list", action="store_true", help="print the names alone")
    options = parser.parse_args(words)
    chosen = [one for one in mutations() if options.only is None or options.only in one.name]
    if options.list:
        print("\n".join(mutation.name for mutation in chosen))
        return 0
    if options.jobs < 1:
        parser.error(f"--jobs: expected a number from 1, got {options.jobs}")
    if not chosen:
        parser.error(f"--only: expected a part of a name that --list prints, got {options.only!r}")
    faults = [f"{one.name}: {fault}" for one in chosen if (fault := one.fault()) is not None]
    if faults:
        print("\n".join(faults))
        return 1
    n_missed = check(chosen, options.jobs)
    print(f"{len(chosen)} mutations, {f'{n_missed} not caught' if n_missed else 'all caught'}")
    return 1 if n_missed else 0


if __name__ == "__main__":
    sys.exit(main())
