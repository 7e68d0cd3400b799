# SPDX-License-Identifier: MIT
"""Simulated games are the games of a tournament, and fused ones a fair sample of the same."""

from __future__ import annotations

import itertools
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skyjo_core
from skyjo_core import Game, Rules, _core, simulate
from skyjo_core.loader import load_bot
from skyjo_core.play import play_table
from skyjo_core.rules import PRESETS
from skyjo_core.spec import parse_spec
from test_reference import VARIANTS

# Random play by classic-fr (docs/rules.md, 10**6 rounds each): turns a round, points a seat.
RANDOM_PLAY = {2: (32.880, 78.00), 4: (59.477, 72.94), 8: (109.692, 67.50)}


def played_alone(specs: list[str], rules: Rules, seed: int, number: int) -> Any:
    """Game `number` of a simulation, as a table of its own."""
    bots = [load_bot(parse_spec(spec)[0]) for spec in specs]
    keys = _core.bot_keys(seed, deal=number, lineup=0, seating=0, n=len(bots))
    game = Game(len(bots), rules, _core.game_seed(seed, number))
    return play_table(game, bots, specs, keys)


def check_turn_by_turn(played: Game) -> None:
    """The moves lead to the same end where each is applied alone: whole turns are no other game."""
    game = Game(played.n_seats, played.rules, played._seed)
    for a_round in played.rounds:
        for move in a_round.moves:
            game.apply(move)
    assert game.seat == -1
    assert game.rounds == played.rounds
    assert game.totals == played.totals


def check_games(specs: list[str], rules: Rules, *, games: int) -> None:
    result = simulate(specs, games, rules=rules, seed=9, threads=2, path="pluggable")
    for number in range(games):
        played = played_alone(specs, rules, 9, number)
        assert tuple(result.totals[number]) == played.totals
        assert tuple(result.places[number]) == played.places
        rounds = played.game.rounds
        check_turn_by_turn(played.game)
        assert result.rounds[number] == len(rounds)
        n_moves = sum(len(a_round.moves) for a_round in rounds)
        draws = sum(move == skyjo_core.DRAW for a_round in rounds for move in a_round.moves)
        flips = len(rounds) * len(specs) * rules.initial_flips
        assert result.turns[number] == n_moves - draws - flips


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", range(2, 9))
def test_games_are_those_of_a_table(preset: str, seats: int) -> None:
    native = ["native:random", "native:threshold", "native:greedy"]
    check_games([native[seat % 3] for seat in range(seats)], Rules.preset(preset), games=12)


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_are_those_of_a_table_by_every_option(variant: str) -> None:
    rules = Rules(**VARIANTS[variant])
    check_games(["native:random", "native:greedy"], rules, games=4)


@pytest.mark.parametrize("path", ["fused", "pluggable"])
@pytest.mark.parametrize("seats", [2, 4, 8])
def test_random_play_has_its_known_means(path: str, seats: int) -> None:
    """Within five standard errors, taken from the sample itself."""
    result = simulate("native:random", 20_000, seats=seats, seed=seats, path=path)
    n_rounds = int(result.rounds.sum())
    turns, points = RANDOM_PLAY[seats]
    assert result.turns.sum() / n_rounds == pytest.approx(
        turns, abs=5 * 0.25 * turns / math.sqrt(n_rounds)
    )
    mean = result.totals.sum() / n_rounds / seats
    assert mean == pytest.approx(points, abs=5 * 20 / math.sqrt(n_rounds))


@pytest.mark.parametrize("rules", [Rules(), Rules.preset("classic-en"), Rules(threshold=50)])
def test_both_paths_give_one_law(rules: Rules) -> None:
    """Totals, rounds and wins by seat of either path, by a two-sample z test each."""
    one, other = (
        simulate("native:random", 20_000, seats=3, rules=rules, seed=4, path=path)
        for path in ("fused", "pluggable")
    )
    for pick in (
        lambda result: result.totals.astype(float),
        lambda result: (result.places == 1).astype(float),
        lambda result: result.rounds[:, None].astype(float),
        lambda result: result.turns[:, None].astype(float),
    ):
        a, b = pick(one), pick(other)
        z = (a.mean(0) - b.mean(0)) / np.sqrt(a.var(0) / len(a) + b.var(0) / len(b))
        assert np.abs(z).max() < 4.5


@pytest.mark.parametrize("path", ["fused", "pluggable"])
def test_any_number_of_threads_gives_the_same(path: str) -> None:
    results = [
        simulate("native:random", 700, seats=4, seed=3, threads=threads, path=path)
        for threads in (1, 2, 3)
    ]
    assert len({result.digest for result in results}) == 1
    assert all((result.totals == results[0].totals).all() for result in results)
    other = simulate("native:random", 700, seats=4, seed=4, path=path)
    assert other.digest != results[0].digest


def test_the_first_games_do_not_depend_on_how_many_follow() -> None:
    for path in ("fused", "pluggable"):
        few = simulate("native:random", 10, seats=2, seed=1, path=path)
        many = simulate("native:random", 1000, seats=2, seed=1, path=path)
        assert (many.totals[:10] == few.totals).all()


def test_arrays_are_as_documented() -> None:
    result = simulate(["native:random", "native:threshold"], 5, seed=1)
    assert result.path == "pluggable"
    assert result.faults == []
    for name, dtype, shape in (
        ("totals", np.int32, (5, 2)),
        ("places", np.int8, (5, 2)),
        ("rounds", np.int32, (5,)),
        ("turns", np.int64, (5,)),
    ):
        array = getattr(result, name)
        assert (array.dtype, array.shape) == (dtype, shape)
        assert not array.flags.writeable
    assert len(bytes.fromhex(result.digest)) == 16
    assert simulate("native:random", 0, seats=2).totals.shape == (0, 2)


def test_auto_takes_the_fused_path_where_it_can() -> None:
    assert simulate("native:random", 3, seats=8).path == "fused"
    assert simulate("native:random", 3, seats=2, rules=Rules(row_removal=True)).path == "pluggable"
    assert simulate(["native:random", "native:greedy"], 3).path == "pluggable"


@pytest.mark.parametrize(
    "fields",
    [
        {"rows": 4, "columns": 3},
        {"initial_flips": 3},
        {"column_removal": "off"},
        {"last_turns": "equal_turns"},
        {"stall_limit": None},
        {"max_turns_per_round": 500},
        {"reshuffle": "all_then_flip"},
    ],
)
def test_the_fused_path_refuses_what_it_does_not_play(fields: dict[str, Any]) -> None:
    rules = Rules(**fields)
    with pytest.raises(ValueError, match=r"simulate: path: expected native:random on 3 x 4"):
        simulate("native:random", 1, seats=2, rules=rules, path="fused")
    assert simulate("native:random", 1, seats=2, rules=rules).path == "pluggable"


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"bots": "native:random"}, ValueError, "bots: expected one for each of 2 to 8 seats"),
        ({"bots": ["native:random"] * 3, "seats": 2}, ValueError, "one for all or one for each"),
        ({"bots": "native:nobody", "seats": 2}, ValueError, "expected one of native:random"),
        ({"bots": lambda view: 0, "seats": 2}, ValueError, "expected native or compiled bots"),
        ({"bots": "native:random", "seats": 9}, ValueError, "seats: expected 2 to 8, got 9"),
        ({"bots": "native:random", "seats": True}, TypeError, "seats: expected an integer"),
        ({"bots": "native:random", "seats": 2, "games": -1}, ValueError, "games: expected 0"),
        ({"bots": "native:random", "seats": 2, "games": 1.5}, TypeError, "games: expected an int"),
        ({"bots": "native:random", "seats": 2, "threads": 0}, ValueError, "threads: expected 1"),
        ({"bots": "native:random", "seats": 2, "seed": 2**64}, ValueError, "seed: expected 0"),
        ({"bots": "native:random", "seats": 2, "path": "fast"}, ValueError, "path: expected 'auto"),
        ({"bots": "native:random", "seats": 2, "rules": "classic-fr"}, TypeError, "expected Rules"),
    ],
)
def test_wrong_arguments_are_said_so(
    arguments: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        simulate(**({"games": 1} | arguments))


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    simulate(
        "native:random", 3000, seats=2, progress=lambda done, games: told.append((done, games))
    )
    assert told[-1] == (3000, 3000)
    assert [done for done, _ in told] == sorted({done for done, _ in told})


def test_ctrl_c_stops_a_simulation() -> None:
    code = (
        "import skyjo_core; print('on', flush=True);"
        "skyjo_core.simulate('native:random', 10**8, seats=2)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode in (1, -signal.SIGINT, 130)
    assert "KeyboardInterrupt" in errors


def test_threads_default_to_the_processors_that_may_be_used() -> None:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("no affinity on this system")
    from skyjo_core.simulation import _all_processors

    assert _all_processors() == len(os.sched_getaffinity(0))


def test_native_greedy_plays_as_the_sample_bot() -> None:
    path = "python/bots/greedy_bot.py"
    for rules in (Rules(), Rules(rows=2, columns=5, row_removal=True), Rules(deck="numbers105")):
        for seed in range(6):
            seats = 2 + seed % 3
            one = skyjo_core.play_game(["native:greedy"] * seats, seed, rules)
            other = skyjo_core.play_game([path] * seats, seed, rules)
            assert [r.moves for r in one.game.rounds] == [r.moves for r in other.game.rounds]


def test_printed_it_tells_what_was_played() -> None:
    """One line of what, and one of each seat: the means of the arrays."""
    result = simulate(["native:threshold", "native:random"], 40, seed=1)
    head, *seats = str(result).splitlines()
    assert head.startswith("40 games of 2 seats, pluggable: ")
    assert head.endswith(f"0 forfeits, digest {result.digest}")
    assert len(seats) == 2
    points = [float(result.totals[:, seat].mean()) for seat in range(2)]
    for value, line in zip(points, seats, strict=True):
        assert f"{value:.1f} points a game" in line
    assert len(str(simulate("native:random", 0, seats=2)).splitlines()) == 1


def test_python_bot_is_told_how_it_could_play(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("def choose_move(view):\n    return view.legal_moves[0]\n")
    with pytest.raises(ValueError, match=r"'plain', which decides in Python and offers no SK"):
        simulate(str(tmp_path / "plain.py"), 1, seats=2)


def test_first_parts_are_small_so_that_an_interrupt_is_seen() -> None:
    """Between two looks at Ctrl-C: a game for each thread at first, then as many as time allows."""
    done: list[int] = []
    simulate("native:threshold", 400, seats=8, threads=2, progress=lambda n, _: done.append(n))
    assert done[0] == 2
    assert done[-1] == 400
    sizes = [later - earlier for earlier, later in itertools.pairwise([0, *done])]
    assert all(later <= 8 * earlier for earlier, later in itertools.pairwise(sizes))
