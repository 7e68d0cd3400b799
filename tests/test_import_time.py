# SPDX-License-Identifier: MIT
"""`import skyjo_core` loads the engine and no more: a script that needs only it starts fast."""

from __future__ import annotations

import json
import subprocess
import sys

# Modules that only playing bots, showing tables or finding a nearest name needs.
NOT_NEEDED = {
    "asyncio",
    "concurrent.futures",
    "difflib",
    "multiprocessing",
    "pathlib",
    "rich",
    "subprocess",
}

PROGRAM = """
import json, sys, numpy
before = set(sys.modules)
import skyjo_core
game = skyjo_core.Game(seats=2, seed=1)
game.apply(game.legal_moves()[0])
game.view().grids
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def loaded_after_numpy() -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    modules: list[str] = json.loads(done.stdout)
    return modules


def test_import_loads_nothing_that_only_playing_needs() -> None:
    loaded = loaded_after_numpy()
    assert "skyjo_core.game" in loaded
    assert not NOT_NEEDED & set(loaded)


def test_import_leaves_the_arena_for_its_first_use() -> None:
    arena = {f"skyjo_core.{name}" for name in ("loader", "play", "tournament", "ratings", "report")}
    assert not arena & set(loaded_after_numpy())
