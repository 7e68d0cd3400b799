# SPDX-License-Identifier: MIT
"""The examples of compiled bots, each built and played against a wheel and an editable install."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from installs import EXAMPLES, KINDS, Install
from skyjo_core.tournament import run

pytestmark = [pytest.mark.slow, pytest.mark.system]

PYTHON_RANDOM = '''
from skyjo_core import Phase

NAME = "random"


def choose_move(view, rng):
    """The policy of native:random."""
    verb = {0: [], 12: [], 24: [], 36: []}
    for move in view.legal_moves:
        verb[move // 12 * 12].append(move)
    flips, takes, places, draw = verb.values()
    if view.phase == Phase.FLIP:
        return flips[rng.below(len(flips))]
    if view.phase == Phase.TURN:
        if not takes:
            return 36
        choice = rng.below(len(takes) * (2 if draw else 1))
        return takes[choice] if choice < len(takes) else 36
    if not flips:
        return places[rng.below(len(places))]
    n_pairs = len(flips) * len(places)
    rejects, pair = divmod(rng.below(2 * n_pairs), n_pairs)
    return flips[pair // len(places)] if rejects else places[pair // len(flips)]
'''


@pytest.fixture(scope="module", autouse=True)
def tools() -> None:
    for name in ("numba", "scikit_build_core", "pybind11", "Cython", "setuptools"):
        if importlib.util.find_spec(name) is None:
            pytest.fail(f"compiled bots: expected {name}, found none: pip install {name}")


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(os.environ.get("SKYJO_TEST_BUILD") or tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module", params=KINDS)
def install(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, build: Path
) -> Iterator[Install]:
    folder = tmp_path_factory.mktemp(request.param)
    yield Install(folder / "environment", request.param, build)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def cpp_bot(install: Install) -> Path:
    """The module of python/cpp_bot, built against the install."""
    build = install.folder / "cpp_bot"
    source = ["cmake", "-S", EXAMPLES / "cpp_bot", "-B", build]
    install.run(*source, f"-DPython_EXECUTABLE={install.python}")
    install.run("cmake", "--build", build)
    (module,) = build.glob("cpp_random.*")
    return module


@pytest.fixture
def folder(install: Install, cpp_bot: Path, tmp_path: Path) -> Path:
    """Random play in four languages, in one folder of bots; each is called "random"."""
    bots = tmp_path / "bots"
    bots.mkdir()
    (bots / "python_random.py").write_text(PYTHON_RANDOM, encoding="utf-8")
    for name in ("cython_bot/cython_random.pyx", "numba_bot/numba_random.py"):
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        (bots / Path(name).name).write_text(text + '\nNAME = "random"\n', encoding="utf-8")
    shutil.copy(EXAMPLES / "numba_bot/_skyjo_numba.py", bots)
    (bots / "cpp").mkdir()
    shutil.copy(cpp_bot, bots / "cpp")
    (bots / "cpp/__init__.py").write_text('from .cpp_random import SKYJO_BOT\nNAME = "random"\n')
    return bots


def test_the_install_is_the_one_under_test(install: Install) -> None:
    program = "import skyjo_core; print(skyjo_core.get_include())"
    include = Path(install.run(install.python, "-c", program).strip())
    assert include == install.site_packages / "skyjo_core" / "include"
    assert (include / "skyjo" / "bot_abi.h").is_file()


def test_the_cython_project_is_built_and_plays_by_its_module(
    install: Install, tmp_path: Path
) -> None:
    project = tmp_path / "cython_bot"
    shutil.copytree(EXAMPLES / "cython_bot", project)
    install.pip(str(project))
    result = install.tournament("cython_random:SKYJO_BOT", "native:threshold", "--deals", 2)
    assert [line["bot"] for line in result["standings"]] == ["threshold", "cython random"]
    assert result["faults"] == []


def test_each_example_plays_as_it_lies(install: Install, cpp_bot: Path) -> None:
    bots = [EXAMPLES / "cython_bot", EXAMPLES / "numba_bot/numba_random.py", cpp_bot]
    for bot, name in zip(bots, ("cython random", "numba random", "cpp random"), strict=True):
        words = [bot] if bot.is_file() else [bot / "cython_random.pyx"]
        result = install.tournament(*words, "native:threshold", "--deals", 2)
        assert [line["bot"] for line in result["standings"]] == ["threshold", name]
        assert result["faults"] == []


def test_random_play_is_the_same_in_every_language(install: Install, folder: Path) -> None:
    """The same digest natively in threads, and compiled or in Python in 1 and 2 processes."""
    expected = run(["native:random", "native:threshold"], deals=4, seed=1).digest
    names = ("cython_random.pyx", "numba_random.py", "python_random.py", "cpp")
    for name in names:
        for workers in (1, 2):
            words = (folder / name, "native:threshold", "--deals", 4, "--workers", workers)
            assert install.tournament(*words)["digest"] == expected, name


def test_a_folder_of_all_languages_plays_with_native_bots(install: Install, folder: Path) -> None:
    words = (folder, "native:random", "native:threshold", "--deals", 2, "--seats", 3)
    digests = set()
    for workers in (1, 2):
        result = install.tournament(*words, "--workers", workers)
        digests.add(result["digest"])
        names = {line["bot"] for line in result["standings"]}
        assert names == {f"random#{number}" for number in range(1, 6)} | {"threshold"}
        assert result["faults"] == []
    assert len(digests) == 1


def test_a_pyx_file_with_an_error_is_left_out_alone(install: Install, folder: Path) -> None:
    (folder / "wrong.pyx").write_text("def choose_move(view) return 3\n", encoding="utf-8")
    result = install.tournament(folder, "--deals", 1, "--skip-broken")
    assert {line["bot"] for line in result["standings"]} == {
        f"random#{number}" for number in range(1, 5)
    }
