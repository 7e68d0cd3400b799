# SPDX-License-Identifier: MIT
"""The gate of instruction counts: how it reads callgrind, and when it is red."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

# Two objects; the line behind calls= is what the callee took, and counts there.
PROFILE = """\
# callgrind format
version: 1
positions: line
events: Ir

ob=(1) /tmp/program
fl=(1) /tmp/main.cpp
fn=(1) measured
10 100
+2 20
cob=(2) /lib/libc.so.6
cfi=(2) ???
cfn=(2) memcpy
calls=3 0
* 900
fi=(3) /tmp/deck.hpp
-4 7
fe=(1)
12 1

ob=(2)
fl=(2)
fn=(2)
0 900

totals: 1028
"""


@pytest.fixture
def gate(root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    spec = importlib.util.spec_from_file_location("gate", root / "benchmarks/gate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_profile_counts_the_lines_of_the_program_alone(gate: ModuleType) -> None:
    assert gate.read_profile(PROFILE, "/tmp/program") == {
        ("/tmp/main.cpp", 10): 100,
        ("/tmp/main.cpp", 12): 21,
        ("/tmp/deck.hpp", 8): 7,
    }


@pytest.mark.parametrize(
    ("count", "status", "said"),
    [(1019, 0, "+1.90 %"), (1021, 1, "slower"), (979, 0, "faster: set anew"), (981, 0, "-1.90 %")],
)
def test_gate_is_red_beyond_two_per_cent_more(
    gate: ModuleType, count: int, status: int, said: str
) -> None:
    rows, got = gate.compare({"deals": count}, {"deals": 1000})
    assert got == status
    assert said in rows[1]


def test_gate_is_red_where_a_path_is_missing(gate: ModuleType) -> None:
    rows, status = gate.compare({"new": 5}, {"old": 5})
    assert status == 1
    assert "not in gate.json" in rows[1]
    assert "only in gate.json" in rows[2]


def test_unknown_compiler_is_a_report(gate: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert gate.check("cc 1.0 any", {"deals": 5}, {"cc 2.0 any": {"deals": 1}}) == 0
    assert "report only" in capsys.readouterr().out


def test_baseline_has_the_paths_of_the_program(root: Path) -> None:
    source = (root / "benchmarks/cpp/hot_paths.cpp").read_text(encoding="utf-8")
    for counts in json.loads((root / "benchmarks/gate.json").read_text(encoding="utf-8")).values():
        for name, n in counts.items():
            assert f'{{"{name}", ' in source
            assert n > 100_000  # so that two per cent is more than the start of the work
