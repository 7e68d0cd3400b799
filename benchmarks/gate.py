# SPDX-License-Identifier: MIT
"""Counts the instructions of the hot paths and holds them against gate.json.

    python benchmarks/gate.py                     # exit status 1 where a path takes 2 % more
    python benchmarks/gate.py --set               # enter today's counts, on purpose
    python benchmarks/gate.py --profile fused-4   # which files and lines a path spends them in

Instructions repeat to the last digit where seconds do not. Only those of the engine count: not the
start of the program, not the system's libraries. The code is that of x86-64-v3 on any processor.
Counts of another compiler version say nothing: a compiler that gate.json does not know is reported
and never red.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from hot_paths import BuildError, HotPaths, Run, build, compiler, read_run, tell

BASELINE: Final = Path(__file__).with_name("gate.json")
TOLERANCE: Final = 0.02
LEVEL: Final = "V3"

FINE: Final = 0
SLOWER: Final = 1
USAGE: Final = 2
MACHINE: Final = 4

Counts = dict[str, int]
Lines = Counter[tuple[str, int]]
"""Instructions by file and line."""

_NAME: Final = re.compile(r"(ob|fl|fi|fe|fn|cob|cfi|cfl|cfn)=(?:\((\d+)\))? ?(.*)")


def read_profile(text: str, program: str) -> Lines:
    """The instructions of a callgrind output that lie in the program itself.

    The format is that of the Valgrind manual, "Callgrind Format Specification": names are
    compressed to numbers, lines may be relative, and the line behind `calls=` holds what the
    callee took.
    """
    names: dict[tuple[str, str], str] = {}
    lines: Lines = Counter()
    here = file = ""
    number = 0
    is_call = False
    for line in text.splitlines():
        if (found := _NAME.fullmatch(line)) is not None:
            kind, index, name = found.groups()
            table = {"o": "object", "f": "function" if kind.endswith("n") else "file"}
            key = (table.get(kind.removeprefix("c")[0], "file"), index)
            name = names.setdefault(key, name) if name else names[key]
            if kind == "ob":
                here = name
            elif kind in ("fl", "fi", "fe"):
                file = name
        elif line.startswith("calls="):
            is_call = True
        elif line[:1] in "+-*0123456789" and line:
            position, _, cost = line.partition(" ")
            number = _line_number(position, number)
            if not is_call and here == program:
                lines[file, number] += int(cost)
            is_call = False
    return lines


def _line_number(position: str, before: int) -> int:
    if position == "*":
        return before
    return before + int(position) if position[0] in "+-" else int(position)


def profile(paths: HotPaths, name: str, folder: Path) -> tuple[Lines, Run]:
    """The instructions of one hot path, and what it did."""
    out = folder / f"{name}.out"
    command = [
        "valgrind",
        "--tool=callgrind",
        "--collect-atstart=no",
        "--toggle-collect=skyjo_measured",
        f"--callgrind-out-file={out}",
        str(paths.program),
        name,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)}\n{done.stderr}".rstrip())
    lines = read_profile(out.read_text(encoding="utf-8"), str(paths.program))
    return lines, read_run(done.stdout)


def count_all(paths: HotPaths, folder: Path) -> Counts:
    """The instructions of each hot path, two at a time."""

    def count(name: str) -> int:
        lines, done = profile(paths, name, folder)
        n = sum(lines.values())
        tell(f"{name}: {n / done.n:.1f} instructions a {done.unit}")
        return n

    names = paths.names()
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(names, pool.map(count, names), strict=True))


def compare(counts: Counts, known: Counts) -> tuple[list[str], int]:
    """A row of each path against its baseline, and the exit status."""
    rows = [f"{'path':16}{'instructions':>14}{'baseline':>14}{'change':>9}"]
    status = FINE
    for name in [*counts, *(name for name in known if name not in counts)]:
        new, old = counts.get(name), known.get(name)
        change, note = "", ""
        if new is None or old is None:
            status = SLOWER
            note = "only in gate.json" if new is None else "not in gate.json"
        else:
            share = new / old - 1
            change = f"{100 * share:+.2f} %"
            if share > TOLERANCE:
                status, note = SLOWER, "slower"
            elif share < -TOLERANCE:
                note = "faster: set anew"
        columns = [f"{'-' if n is None else n:>14}" for n in (new, old)]
        rows.append(f"{name:16}{''.join(columns)}{change:>9}  {note}".rstrip())
    return rows, status


def check(key: str, counts: Counts, baselines: dict[str, Counts]) -> int:
    """Prints the counts beside the baseline; returns the exit status."""
    if key not in baselines:
        for name, n in counts.items():
            print(f"{name:16}{n:>14}")
        print(f"gate: {key}: not in {BASELINE.name}, so this is a report only; --set enters it")
        return FINE
    rows, status = compare(counts, baselines[key])
    print("\n".join(rows))
    if status != FINE:
        print(
            f"gate: {key}: expected at most {100 * TOLERANCE:.0f} % more than {BASELINE.name} and "
            "the same paths; if it is meant: python benchmarks/gate.py --set"
        )
    return status


def print_profile(name: str, lines: Lines, done: Run) -> None:
    """The shares of files and of the dearest lines, as Markdown."""
    total = sum(lines.values())
    files: Counter[str] = Counter()
    for (file, _), n in lines.items():
        files[Path(file).name] += n
    print(f"{name}: {total / done.n:.1f} instructions a {done.unit}, of {done.n:,}\n")
    print("| file | share |\n|---|---|")
    for file, n in files.most_common(8):
        print(f"| {file} | {100 * n / total:.1f} % |")
    print("\n| line | share | |\n|---|---|---|")
    for (file, number), n in lines.most_common(12):
        print(f"| {Path(file).name}:{number} | {100 * n / total:.1f} % | `{_text(file, number)}` |")


def _text(file: str, number: int) -> str:
    try:
        text = Path(file).read_text(encoding="utf-8").splitlines()[number - 1].strip()
    except (OSError, IndexError):
        return ""
    return text.replace("|", "\\|")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--set", action="store_true", help="enter today's counts in gate.json")
    parser.add_argument("--profile", metavar="PATH", help="where one path spends its instructions")
    arguments = parser.parse_args(argv)
    if shutil.which("valgrind") is None:
        tell("gate: expected valgrind on PATH, found none: apt-get install valgrind")
        return MACHINE
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            return _run(arguments, folder)
        except BuildError as error:
            tell(f"gate: {error}")
            return MACHINE


def _run(arguments: argparse.Namespace, folder: Path) -> int:
    tell("building")
    paths = build(folder / "build", SKYJO_LEVEL=LEVEL)
    key = compiler(folder / "build")
    if arguments.profile is not None:
        if arguments.profile not in paths.names():
            tell(f"gate: --profile: expected one of {', '.join(paths.names())}")
            return USAGE
        print_profile(arguments.profile, *profile(paths, arguments.profile, folder))
        return FINE
    counts = count_all(paths, folder)
    baselines = json.loads(BASELINE.read_text(encoding="utf-8")) if BASELINE.exists() else {}
    if arguments.set:
        baselines[key] = counts
        BASELINE.write_text(json.dumps(baselines, indent=2) + "\n", encoding="utf-8")
        print(f"gate: {key}: {len(counts)} counts entered in {BASELINE.name}")
        return FINE
    return check(key, counts, baselines)


if __name__ == "__main__":
    sys.exit(main())
