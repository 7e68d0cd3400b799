# SPDX-License-Identifier: MIT
"""Each row of a batch is a Game, its observation a View, in any number of threads."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import pickle
import random
import threading
from typing import Any

import numpy as np
import pytest

from batch_twins import ARRAYS, STYLES, Twins, arrays_of, observation, play_twins, random_moves
from random_rules import random_rules
from skyjo_core import HIDDEN, BatchGame, IllegalMove, Phase, Rules
from skyjo_core.rules import PRESETS
from test_reference import VARIANTS


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", range(2, 9))
def test_rows_play_as_games(preset: str, seats: int) -> None:
    twins = Twins(3, Rules.preset(preset), seats=seats, seed=seats, threads=2)
    play_twins(twins, random.Random(seats), n_steps=400)


@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_play_as_games_by_every_option(variant: str) -> None:
    rules = Rules(**VARIANTS[variant])
    number = list(VARIANTS).index(variant)
    seats = 2 + number % (rules.max_seats - 1)
    play_twins(Twins(2, rules, seats=seats, seed=number), random.Random(number), n_steps=150)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_seat_observes_as_in_games(variant: str) -> None:
    """As above, but all seats are looked at after each step."""
    rules = Rules(**VARIANTS[variant])
    number = list(VARIANTS).index(variant)
    seats = 2 + number % (rules.max_seats - 1)
    twins = Twins(2, rules, seats=seats, seed=number)
    play_twins(twins, random.Random(number), n_steps=150, every_seat=True)


@pytest.mark.parametrize("seed", range(20))
def test_rows_play_as_games_by_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    seats = rng.randint(2, rules.max_seats)
    play_twins(Twins(2, rules, seats=seats, seed=seed), rng, n_steps=120)


def test_games_restart_within_the_step() -> None:
    twins = Twins(4, Rules(threshold=1), seed=2**64 - 1)
    rng = random.Random(1)
    seeds = [set(twins.batch.game_seeds.tolist())]
    while twins.n_done < 20:
        twins.step(rng, "even")
        ended = twins.batch.dones
        assert (twins.batch.observations[ended, twins.batch.layout["phase"]] == Phase.FLIP).all()
        seeds.append(set(twins.batch.game_seeds.tolist()))
    assert len(set().union(*seeds)) == 4 + twins.n_done


def test_rewards_of_a_game_sum_to_minus_its_totals() -> None:
    batch, rng = BatchGame(16, seats=3, seed=5), np.random.default_rng(5)
    sums = np.zeros((16, 3))
    n_done = 0
    while n_done < 40:
        batch.step(random_moves(batch, rng))
        sums += batch.rewards
        n_done += int(batch.dones.sum())
        assert (sums[batch.dones] == -batch.final_totals[batch.dones]).all()
        sums[batch.dones] = 0


def test_a_game_cut_off_by_the_guard_is_truncated() -> None:
    batch, rng = BatchGame(8, rules=Rules(max_rounds_guard=1), seed=1), np.random.default_rng(1)
    ends = set()
    for _ in range(600):
        batch.step(random_moves(batch, rng))
        assert not (batch.truncated & ~batch.dones).any()
        over = batch.final_totals.max(axis=1) >= 100
        ends |= set(zip(batch.truncated[batch.dones].tolist(), over[batch.dones], strict=True))
    assert ends >= {(True, False)}
    assert ends <= {(True, False), (False, True)}


def test_reset_starts_the_same_games_again() -> None:
    batch, rng = BatchGame(5, seats=4, rules=Rules(threshold=20), seed=9), np.random.default_rng(9)
    first = arrays_of(batch)
    for _ in range(300):
        batch.step(random_moves(batch, rng))
    assert arrays_of(batch) != first
    batch.reset()
    assert arrays_of(batch) == first
    assert arrays_of(BatchGame(5, seats=4, rules=Rules(threshold=20), seed=10)) != first


def test_a_row_does_not_depend_on_the_number_of_rows() -> None:
    few, many = BatchGame(3, seed=4), BatchGame(100, seed=4)
    assert few.game_seeds.tolist() == many.game_seeds[:3].tolist()
    assert len(set(many.game_seeds.tolist())) == 100


@pytest.mark.parametrize("n", [1, 2, 7, 100])
def test_any_number_of_threads_gives_the_same_bits(n: int) -> None:
    batches = [BatchGame(n, seats=3, seed=n, threads=threads) for threads in (1, 2, 3, 5)]
    rng = np.random.default_rng(n)
    for _ in range(200):
        moves = random_moves(batches[0], rng)
        for batch in batches:
            batch.step(moves)
        first, *others = map(arrays_of, batches)
        assert all(other == first for other in others)
    seen = batches[0].observe(2)
    assert all((batch.observe(2) == seen).all() for batch in batches)


def test_observations_hold_nothing_that_a_seat_may_not_know() -> None:
    """A seat sees the same in every game that it cannot tell from the one it plays."""
    rng = random.Random(3)
    twins = Twins(6, Rules(), seats=3, seed=3)
    n_held = 0
    for step in range(150):
        twins.step(rng, STYLES[step % 3])
        for seat in range(3):
            seen = twins.batch.observe(seat)
            for row, game in enumerate(twins.games):
                worlds = [game.determinize(seed, seat) for seed in (step, step + 1000)]
                assert all(observation(w.view(seat)) == seen[row].tolist() for w in worlds)
                hand = seen[row, twins.batch.layout["hand"]]
                if game.phase is Phase.HOLD and seat != game.seat:
                    assert hand == HIDDEN
                    n_held += 1
    assert n_held > 100


def test_observe_of_the_seat_to_move_is_the_observation() -> None:
    batch, rng = BatchGame(50, seats=4, seed=8), np.random.default_rng(8)
    out = np.zeros((50, batch.n_features), dtype=np.int8)
    for _ in range(100):
        batch.step(random_moves(batch, rng))
        for seat in range(4):
            assert batch.observe(seat, out=out) is out
            mine = batch.seats == seat
            assert (out[mine] == batch.observations[mine]).all()


@pytest.mark.parametrize(
    ("seats", "rules"),
    [
        (8, {}),
        (8, {"deck": [[value, 13] for value in range(-4, 14)]}),
        (10, {"rows": 3, "columns": 3, "deck": [[value, 13] for value in range(-4, 14)]}),
        (2, {"deck": [[-4, 60], [13, 60]], "rows": 1, "columns": 1, "initial_flips": 0}),
    ],
)
def test_layout_covers_an_observation_of_at_most_160_bytes(
    seats: int, rules: dict[str, Any]
) -> None:
    batch = BatchGame(2, seats=seats, rules=Rules(**rules))
    ends = [0]
    for part in batch.layout.values():
        assert part.start == ends[-1]
        ends.append(part.stop)
    assert ends[-1] == batch.n_features <= 160
    assert batch.observations.shape == (2, batch.n_features)
    play_twins(Twins(2, batch.rules, seats=seats), random.Random(seats), n_steps=100)


def test_attributes_have_the_types_of_the_contract() -> None:
    rules = Rules(threshold=50)
    batch = BatchGame(6, seats=3, rules=rules, seed=1, threads=2)
    wanted = {
        "observations": (np.int8, (6, batch.n_features)),
        "legal_masks": (np.bool_, (6, 37)),
        "seats": (np.int8, (6,)),
        "rewards": (np.float32, (6, 3)),
        "dones": (np.bool_, (6,)),
        "truncated": (np.bool_, (6,)),
        "final_totals": (np.int32, (6, 3)),
        "game_seeds": (np.uint64, (6,)),
    }
    for name, (dtype, shape) in wanted.items():
        array = getattr(batch, name)
        assert (array.dtype, array.shape) == (np.dtype(dtype), shape)
        assert array.flags.c_contiguous
        assert getattr(batch, name) is array
    assert (batch.n, batch.n_seats, batch.n_moves, batch.threads) == (6, 3, 37, 2)
    assert batch.rules is rules
    assert repr(batch) == "<BatchGame of 6 rows, 3 seats, threads 2, Rules(threshold=50)>"


def test_arrays_are_read_only_and_outlive_the_batch() -> None:
    batch = BatchGame(100, seats=4, seed=6)
    arrays = {name: getattr(batch, name) for name in ARRAYS}
    before = arrays_of(batch)
    for array in arrays.values():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    del batch
    gc.collect()
    BatchGame(100, seats=4, seed=7)
    assert {name: array.tobytes() for name, array in arrays.items()} == before


def test_arrays_are_written_in_place() -> None:
    batch = BatchGame(4, seed=1)
    seen = batch.observations
    before = seen.copy()
    batch.step(batch.legal_masks.argmax(axis=1))
    assert (seen != before).any()
    assert batch.observations is seen


@pytest.mark.parametrize("row", [0, 3, 6])
@pytest.mark.parametrize("move", [-1, 36, 37, 12, 2**40, -(2**63)])
def test_an_illegal_move_names_its_row_and_changes_nothing(row: int, move: int) -> None:
    batch = BatchGame(7, seats=3, seed=11, threads=2)
    batch.step([0] * 7)
    before, moves = arrays_of(batch), [1] * 7
    moves[row] = move
    with pytest.raises(IllegalMove) as error:
        batch.step(moves)
    assert f"step: row {row}: move {move} (" in str(error.value)
    assert "is not legal for seat 0 in phase FLIP, legal: flip r2c1, flip r3c1" in str(error.value)
    assert arrays_of(batch) == before
    twin = BatchGame(7, seats=3, seed=11)
    twin.step([0] * 7)
    twin.step([1] * 7)
    batch.step([1] * 7)
    assert arrays_of(batch) == arrays_of(twin)


def test_an_illegal_move_tells_of_more() -> None:
    with pytest.raises(IllegalMove, match=r"row 1: move 12 .* the moves of 2 more rows; no row"):
        BatchGame(4).step([0, 12, 36, 99])


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i4"]
)
def test_step_takes_any_integers(dtype: str) -> None:
    batch, twin, rng = BatchGame(9, seed=2), BatchGame(9, seed=2), np.random.default_rng(2)
    for _ in range(30):
        moves = random_moves(twin, rng)
        twin.step(moves)
        batch.step(np.repeat(moves, 2).astype(dtype)[::2])  # not contiguous
        assert arrays_of(batch) == arrays_of(twin)
    with pytest.raises(IllegalMove, match="row 0"):
        batch.step(np.full(9, 2**64 - 1, dtype="uint64"))


@pytest.mark.parametrize(
    ("moves", "error", "text"),
    [
        ([0.0, 0.0], TypeError, r"expected an array of integers, got float64; give them as"),
        ([True, False], TypeError, r"expected an array of integers, got bool"),
        (["flip r1c1", "draw"], TypeError, r"expected an array of integers, got <U9"),
        ([None, 0], TypeError, r"expected an array of integers, got object"),
        ([[0], [0, 0]], TypeError, r"expected an array of 2 integers, got <class 'list'>"),
        ([0, 2**70], TypeError, r"expected an array of integers, got object"),
        ([0], ValueError, r"expected shape \(2,\), a move for each row, got \(1,\)"),
        ([0, 0, 0], ValueError, r"expected shape \(2,\), a move for each row, got \(3,\)"),
        ([[0, 0]], ValueError, r"expected shape \(2,\), a move for each row, got \(1, 2\)"),
        (0, ValueError, r"expected shape \(2,\), a move for each row, got \(\)"),
    ],
)
def test_step_says_what_moves_it_takes(moves: Any, error: type[Exception], text: str) -> None:
    batch = BatchGame(2)
    before = arrays_of(batch)
    with pytest.raises(error, match=rf"^step: moves: {text}"):
        batch.step(moves)
    assert arrays_of(batch) == before


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"n": 0}, ValueError, "n: expected 1 to 4194304, got 0"),
        ({"n": 2.0}, TypeError, "n: expected an integer from 1 to 4194304, got 2.0"),
        ({"n": True}, TypeError, "n: expected an integer from 1 to 4194304, got True"),
        ({"n": 1, "seats": 1}, ValueError, "seats: expected 2 to 8, got 1"),
        ({"n": 1, "seats": 9}, ValueError, "seats: expected 2 to 8, got 9"),
        ({"n": 1, "rules": "classic-en"}, TypeError, "rules: expected Rules, got 'classic-en'"),
        ({"n": 1, "seed": -1}, ValueError, "seed: expected 0 to 18446744073709551615, got -1"),
        ({"n": 1, "threads": 0}, ValueError, "threads: expected 1 to 256, got 0"),
    ],
)
def test_a_batch_says_what_it_takes(
    options: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=f"^BatchGame: {text}$"):
        BatchGame(**options)


@pytest.mark.parametrize(
    ("seat", "error", "text"),
    [
        (2, IndexError, "seat: expected 0 to 1, got 2"),
        (-1, IndexError, "seat: expected 0 to 1, got -1"),
        (0.0, TypeError, "seat: expected an integer, got 0.0"),
        (True, TypeError, "seat: expected an integer, got True"),
    ],
)
def test_observe_says_what_seat_it_takes(seat: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=f"^observe: {text}$"):
        BatchGame(1).observe(seat)


def test_observe_says_what_array_it_takes() -> None:
    batch = BatchGame(3)
    n, f = batch.observations.shape
    wrong: list[tuple[Any, type[Exception], str]] = [
        ([[0] * f] * n, TypeError, "got <class 'list'>"),
        (np.zeros((n, f)), TypeError, "got float64"),
        (np.zeros((n, f), np.uint8), TypeError, "got uint8"),
        (np.zeros((n, f - 1), np.int8), ValueError, r"got shape \(3, 69\)"),
        (np.zeros((n, f), np.int8, order="F"), ValueError, r"got one with strides \(1, 3\)"),
        (batch.observations, ValueError, "got one that is read-only"),
    ]
    for out, error, text in wrong:
        with pytest.raises(
            error, match=rf"^observe: out: expected .* int8 array \(3, 70\), {text}$"
        ):
            batch.observe(0, out=out)


def test_a_batch_stays_in_its_process() -> None:
    batch = BatchGame(2)
    for move_out in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="BatchGame: expected to stay in its process"):
            move_out(batch)


def test_steps_from_several_threads_take_turns() -> None:
    """Each thread plays opening flips, which are legal in any order of calls."""
    batch = BatchGame(500, seats=8, rules=Rules(initial_flips=4), seed=3, threads=2)
    faults: list[Exception] = []

    def play(cell: int) -> None:
        try:
            batch.step(np.full(500, cell))
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=play, args=(cell,)) for cell in (0, 4, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    shown = batch.observations[:, batch.layout["cells"]][:, :12] != HIDDEN
    assert np.flatnonzero(shown.all(axis=0)).tolist() == [0, 4, 8]


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="needs processes that fork"
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_batch_plays_on_in_a_forked_process() -> None:
    batch = BatchGame(50, seed=5, threads=2)
    batch.step([0] * 50)

    def play(sender: Any) -> None:
        batch.step([1] * 50)
        sender.send(arrays_of(batch))

    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=play, args=(sender,))
    process.start()
    assert receiver.poll(60)
    played = receiver.recv()
    process.join()
    assert process.exitcode == 0
    batch.step([1] * 50)
    assert arrays_of(batch) == played
