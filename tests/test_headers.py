# SPDX-License-Identifier: MIT
"""Where what compiled bots are built against lies, by function and on the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import skyjo_core
from skyjo_core import headers


def test_the_headers_of_this_version_lie_in_the_include_folder(root: Path) -> None:
    folder = Path(skyjo_core.get_include()) / "skyjo"
    names = {path.name for path in (root / "cpp/include/skyjo").iterdir()}
    assert names <= {path.name for path in folder.iterdir()}
    version = f'#define SKYJO_VERSION "{skyjo_core.__version__}"'
    assert version in (folder / "bot_abi.h").read_text(encoding="utf-8")


def test_declarations_for_cython_lie_in_a_package_of_the_path(root: Path) -> None:
    folder = Path(skyjo_core.get_cython_path()) / "skyjo_core"
    for path in (root / "src/skyjo_core").glob("*.pxd"):
        assert (folder / path.name).is_file()


def test_cmake_finds_the_package_in_its_folder() -> None:
    folder = Path(skyjo_core.get_cmake_dir())
    names = {"skyjo_core-config.cmake", "skyjo_core-config-version.cmake"}
    assert {path.name for path in folder.iterdir()} == names
    config = (folder / "skyjo_core-config.cmake").read_text(encoding="utf-8")
    assert "${CMAKE_CURRENT_LIST_DIR}/../include" in config
    assert folder.parent / "include" == Path(skyjo_core.get_include())


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        ([], skyjo_core.get_include()),
        (["--include"], skyjo_core.get_include()),
        (["--cmakedir"], skyjo_core.get_cmake_dir()),
    ],
)
def test_the_command_prints_a_folder(
    words: list[str], folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert headers.main(words) == 0
    assert capsys.readouterr().out == f"{folder}\n"


def test_the_command_says_what_it_expects(capsys: pytest.CaptureFixture[str]) -> None:
    assert headers.main(["--includes"]) == 2
    assert "expected --include or --cmakedir, got --includes" in capsys.readouterr().err


def test_the_command_runs_as_a_module_without_a_warning() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "skyjo_core.headers"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == skyjo_core.get_include()
