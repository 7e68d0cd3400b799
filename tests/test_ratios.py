# SPDX-License-Identifier: MIT
"""The script of the promised ratios: medians, bounds, and what is left without the yardstick."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from skyjo_core import Game


@pytest.fixture
def ratios(root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    spec = importlib.util.spec_from_file_location("ratios", root / "benchmarks/ratios.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "ratios", module)
    spec.loader.exec_module(module)
    return module


def test_ratio_is_the_median_of_neighbours(ratios: ModuleType) -> None:
    ratio = ratios.Ratio("ours", "turns/s", lambda: (1.0, 1.0), 0.75, stretch=1.0)
    text, met = ratios.row(ratio, [(8e6, 10e6), (3e6, 4e6), (9e6, 9e6)])  # 0.8, 0.75, 1
    assert met
    cells = text.strip("| ").split(" | ")
    assert cells == [
        "ours",
        "8 M turns/s",
        "9 M turns/s",
        "0.8",
        "0.75 to 1",
        "≥ 0.75 (1)",
        "yes",
    ]


@pytest.mark.parametrize(("value", "met"), [(59.0, True), (60.0, True), (61.0, False)])
def test_bound_of_a_time_holds_from_above(ratios: ModuleType, value: float, met: bool) -> None:
    ratio = ratios.Ratio("copy", "ns", lambda: (1.0, 1.0), 60, at_least=False)
    text, got = ratios.row(ratio, [(value, 1.0)])
    assert got == met
    assert ("**no**" in text) == (not met)


def test_without_the_yardstick_nothing_is_held_against_it(
    ratios: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "limit.cpp").touch()
    with_it = ratios.ratios(ratios.Bench(tmp_path, tmp_path, 0.0))
    without = ratios.ratios(ratios.Bench(tmp_path, tmp_path / "none", 0.0))
    assert len(with_it) == len(without) + 4
    names = [ratio.name for ratio in with_it]
    assert len(set(names)) == len(names)


def test_missed_bound_is_red_with_the_yardstick_alone(
    ratios: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missed = ratios.Ratio("a copy", "ns", lambda: (61.0, 1.0), 60, at_least=False)
    monkeypatch.setattr(ratios, "ratios", lambda bench: [missed])
    words = ["--rounds", "1", "--yardstick", str(tmp_path)]
    assert ratios.main(words) == 0
    (tmp_path / "limit.cpp").touch()
    assert ratios.main(words) == 1


def test_turns_begin_with_the_draw_pile_or_the_discard(ratios: ModuleType) -> None:
    game = Game(2, seed=1)
    n_turns = 0
    while game.round_number == Game(2, seed=1).round_number and game.seat >= 0:
        n_turns += game.phase.name == "TURN"
        game.apply(game.legal_moves()[-1])
    assert ratios.turns_of(game) == n_turns
