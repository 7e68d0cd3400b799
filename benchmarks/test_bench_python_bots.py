# SPDX-License-Identifier: MIT
"""Speed of bots written in Python: what a call costs, and what each thing that a bot asks for.

docs/bots.md has the figures. Expressions are timed a hundred at a time, without a loop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import repeat
from typing import Any, Final

import pytest

from skyjo_core import Game, Phase, Rng, Rules, View, play_game
from skyjo_core.batch import Batch, play_batch, seed_global_random
from skyjo_core.cython_build import built_module
from skyjo_core.play import load_one
from skyjo_core.schedule import Schedule

AT_ONCE: Final = 100
LONG: Final = Rules(threshold=None, max_rounds=20)  # so long that dealing hardly counts
BOX: Final = "cdef class Box:\n    cdef readonly int number\n"


def empty(view: View) -> None:
    pass


def first_legal(view: View) -> int:
    return view.legal_moves[0]


def random_legal(view: View, rng: Rng) -> int:
    legal = view.legal_moves
    return legal[rng.below(len(legal))]


kept: list[View] = []


def keeping(view: View) -> int:
    kept.append(view)
    return view.legal_moves[0]


def a_view() -> View:
    """A view in the middle of a round."""
    game = Game(4, seed=1)
    for _ in range(20):
        game.apply(game.legal_moves()[0])
    return game.view()


def repeated(expression: str) -> Callable[..., None]:
    """A function (view, rng, box) that evaluates an expression AT_ONCE times."""
    names: dict[str, Any] = {}
    exec("def run(view, rng, box):\n" + f"    {expression}\n" * AT_ONCE, names)
    return names["run"]  # type: ignore[no-any-return]


def tell(benchmark: Any, n: int) -> None:
    if benchmark.enabled:
        benchmark.extra_info["nanoseconds"] = benchmark.stats.stats.min / n * 1e9


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """An object with a Cython int attribute: what a scalar of a view is held against."""
    source = tmp_path_factory.mktemp("box") / "box.pyx"
    source.write_text(BOX, encoding="utf-8")
    loader = ExtensionFileLoader("box", str(built_module(source)))
    spec = spec_from_loader("box", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module.Box()


def test_bench_vectorcall(benchmark: Any) -> None:
    """An empty function, called from C: what a decision is held against."""
    view = a_view()
    last = benchmark(lambda: deque(map(empty, repeat(view, 10_000)), maxlen=1))
    assert list(last) == [None]
    tell(benchmark, 10_000)


@pytest.mark.parametrize("bot", [first_legal, random_legal, keeping])
def test_bench_decision(benchmark: Any, bot: Any) -> None:
    """A decision with all that the engine does for it, in a long game."""
    bots = [load_one(bot, "benchmark")] * 4

    def play() -> Any:
        kept.clear()
        return play_game(bots, seed=1, rules=LONG)

    played = benchmark(play)
    assert played.faults == []
    assert len(played.game.rounds) == 20
    assert len({id(view) for view in kept}) == len(kept)
    tell(benchmark, sum(played.decisions))


@pytest.mark.parametrize("bot", ["first_legal", "random_legal", "native:random"])
def test_bench_whole_game(benchmark: Any, bot: str) -> None:
    """A game to 100 points: dealing, bots, the result."""
    bots = [load_one(globals().get(bot, bot), "benchmark")] * 4
    played = benchmark(play_game, bots, seed=1)
    assert max(played.totals) >= 100
    assert played.faults == []


def test_bench_games_of_a_tournament(benchmark: Any) -> None:
    """What a worker does for each of 100 games of four random bots."""
    names = ("a", "b", "c", "d")
    tables = tuple(Schedule(4, 4, 25, "rotate", "round-robin", 7, names))
    batch = Batch("run", (None,) * 4, names, Rules(), 7, "stack", "forfeit", False, tables)
    bots = dict(enumerate([load_one(random_legal, "benchmark")] * 4))
    results = benchmark(play_batch, batch, bots, before_game=seed_global_random).games
    assert len(results) == 100
    assert all(result.faults == [] and sorted(result.places)[0] == 1 for result in results)
    tell(benchmark, 100)


@pytest.mark.parametrize(
    "expression",
    [
        *("box.number", "view.phase", "view.seat", "view.hand", "view.discard_top"),
        *("view.turn_number", "view.stalled", "view.threshold", "view.values", "view.rules"),
        *("view.legal_mask", "view.legal_moves", "view.totals", "view.cells(0)", "view.moves"),
        *("view.grid", "view.grids", "view.discard_counts", "view.hidden_counts"),
    ],
)
def test_bench_read(benchmark: Any, box: Any, expression: str) -> None:
    """One read from a view."""
    view, rng = a_view(), Rng(1)
    benchmark(repeated(expression), view, rng, box)
    values = {"view": view, "box": box}
    assert str(eval(expression, values)) == str(eval(expression, values))
    assert view.phase is Phase.TURN
    tell(benchmark, AT_ONCE)


@pytest.mark.parametrize(
    "expression", ["rng.below(13)", "rng.random()", "rng.choice(view.legal_moves)"]
)
def test_bench_random_number(benchmark: Any, box: Any, expression: str) -> None:
    """One random number."""
    rng = Rng(1)
    benchmark(repeated(expression), a_view(), rng, box)
    assert 0 <= rng.below(13) < 13
    tell(benchmark, AT_ONCE)
