# SPDX-License-Identifier: MIT
"""Builds benchmarks/cpp, a program of the engine's hot paths, and runs it."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent


class BuildError(Exception):
    """What the compiler or CMake said."""


@dataclass(frozen=True)
class Run:
    """What a hot path did: units of work (turns, copies, ...) in seconds."""

    unit: str
    n: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.n / self.seconds

    @property
    def ns(self) -> float:
        return 1e9 * self.seconds / self.n


@dataclass(frozen=True)
class HotPaths:
    """The program of one build."""

    program: Path

    def names(self) -> list[str]:
        return run([str(self.program)]).split()

    def time(self, name: str, seconds: float, threads: int = 1) -> Run:
        return read_run(run([str(self.program), name, str(seconds), str(threads)]))


def read_run(line: str) -> Run:
    """What the program told of a hot path."""
    told = json.loads(line)
    return Run(told["unit"], told["n"], told["seconds"])


def run(command: list[str]) -> str:
    """The standard output of a program that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def build(folder: Path, **options: str) -> HotPaths:
    """The program built in a folder, with options of CMake."""
    cmake = shutil.which("cmake")
    if cmake is None:
        raise BuildError(
            "cmake: expected CMake 3.24 or later on PATH, found none: pip install cmake"
        )
    defined = [f"-D{name}={value}" for name, value in options.items()]
    run([cmake, "-S", str(ROOT / "benchmarks/cpp"), "-B", str(folder), *defined])
    run([cmake, "--build", str(folder), "--parallel", str(min(2, os.cpu_count() or 1))])
    return HotPaths(folder / "skyjo_hot_paths")


def compiler(folder: Path) -> str:
    """The compiler of a build folder with its version and what it compiles for."""
    for line in (folder / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("CMAKE_CXX_COMPILER:"):
            command = line.partition("=")[2]
            first = run([command, "--version"]).splitlines()[0]
            kind = "clang++" if "clang" in first else "g++"
            version = run([command, "-dumpfullversion" if kind == "g++" else "-dumpversion"])
            return f"{kind} {version.strip()} {platform.machine()}"
    raise BuildError(f"{folder}/CMakeCache.txt: expected CMAKE_CXX_COMPILER, found none")


def tell(text: str) -> None:
    """How far it is, on standard error."""
    print(text, file=sys.stderr, flush=True)
