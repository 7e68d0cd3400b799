# SPDX-License-Identifier: MIT
"""The structs of bot_abi.h as dtypes: they lie as C lays them, and hold what a view tells."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from skyjo_core import Game, bot_abi, get_include

STRUCTS = {
    "skyjo_grid": bot_abi.GRID,
    "skyjo_played": bot_abi.PLAYED,
    "skyjo_table_rules": bot_abi.TABLE_RULES,
    "skyjo_view": bot_abi.VIEW,
}
CONSTANTS = {
    "SKYJO_MAX_SEATS": bot_abi.MAX_SEATS,
    "SKYJO_COUNTS": bot_abi.COUNTS,
    "SKYJO_NO_CARD": bot_abi.NO_CARD,
    "SKYJO_OFF": bot_abi.OFF,
    "SKYJO_FAULT_ILLEGAL": bot_abi.FAULT_ILLEGAL,
    "SKYJO_FAULT_EXCEPTION": bot_abi.FAULT_EXCEPTION,
}


def held_game() -> Game:
    """A game in which the seat to move holds a card."""
    game = Game(3, seed=2)
    while int(game.phase) != 1:
        game.apply(game.legal_moves()[0])
    game.apply(36)
    return game


@pytest.mark.parametrize("game", [Game(2, seed=1), held_game()])
def test_a_view_in_bytes_holds_what_the_view_tells(game: Game) -> None:
    view = game.view()
    held = np.frombuffer(game._view_bytes(game.seat)[0][: bot_abi.VIEW.itemsize], bot_abi.VIEW)[0]
    told = (view.phase, view.n_seats, view.seat, view.to_move, view.draw_pile_size)
    names = ["phase", "n_seats", "seat", "to_move", "draw_pile_size"]
    assert tuple(held[name] for name in names) == told
    assert held["size"] == bot_abi.VIEW.itemsize
    assert held["legal"] == view.legal_mask
    assert held["discard_top"] - bot_abi.CARD_BIAS == view.discard_top
    assert held["hand"] == (bot_abi.NO_CARD if view.hand is None else view.hand + bot_abi.CARD_BIAS)
    assert (held["closer"], held["n_last_turns"], held["time_limit"]) == (-1, -1, -1.0)
    assert (held["round_number"], held["turn_number"]) == (view.round_number, view.turn_number)


@pytest.mark.slow
@pytest.mark.system
def test_the_compiler_lays_the_structs_out_likewise(tmp_path: Path) -> None:
    lines = [
        f'printf("{struct}.{name} %zu %zu\\n", offsetof({struct}, {name}), '
        f"sizeof((({struct}*)0)->{name}));"
        for struct, dtype in STRUCTS.items()
        for name in dtype.names or ()
    ]
    lines += [f'printf("{struct} %zu 0\\n", sizeof({struct}));' for struct in STRUCTS]
    lines += [f'printf("{name} %d 0\\n", {name});' for name in CONSTANTS]
    source, program = tmp_path / "layout.c", tmp_path / "layout"
    source.write_text(
        '#include <stdio.h>\n#include "skyjo/bot_abi.h"\nint main(void) {\n'
        + "\n".join(lines)
        + "\nreturn 0;\n}\n"
    )
    compiler = shutil.which("cc") or shutil.which("gcc") or "cc"
    command = [compiler, "-std=c11", "-Wall", "-Werror", f"-I{get_include()}"]
    subprocess.run([*command, str(source), "-o", str(program)], check=True)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    expected: dict[str, tuple[int, int]] = {}
    for struct, dtype in STRUCTS.items():
        for name, (field, offset, *_) in (dtype.fields or {}).items():
            expected[f"{struct}.{name}"] = (offset, field.itemsize)
        expected[struct] = (dtype.itemsize, 0)
    expected |= {name: (value, 0) for name, value in CONSTANTS.items()}
    found = {name: (int(a), int(b)) for name, a, b in map(str.split, printed.splitlines())}
    assert found == expected


def test_arrays_of_a_struct_are_as_wide_as_in_c(random_game: Callable[..., Game]) -> None:
    """The moves of a round lie one behind the other, 3 bytes each."""
    game = held_game()
    played = np.frombuffer(game._view_bytes(game.seat)[1], bot_abi.PLAYED)
    assert [int(move) for move in played["move"]] == [move for _, move, _ in game.view().moves]
