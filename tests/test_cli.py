# SPDX-License-Identifier: MIT
"""The command skyjo: the same as python -m skyjo_core.NAME."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import skyjo_core
from skyjo_core.cli import main

ROOT = Path(__file__).parent.parent
SKYJO = Path(sys.executable).with_name("skyjo")
TOURNAMENT = ["native:random", "native:threshold", "--deals", "3", "--seed", "1"]


def last_line(*command: str, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()[-1]


def test_all_ways_to_start_a_tournament_are_the_same(tmp_path: Path) -> None:
    python = (sys.executable, "-m")
    lines = {
        last_line(*python, "skyjo_core.tournament", *TOURNAMENT, cwd=tmp_path),
        last_line(*python, "skyjo_core", "tournament", *TOURNAMENT, cwd=tmp_path),
        last_line(str(SKYJO), "tournament", *TOURNAMENT, cwd=tmp_path),
    }
    assert len(lines) == 1
    assert lines.pop().startswith("digest ")


def test_a_command_is_named_as_it_was_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["tournament", "nowhere"])
    assert caught.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("skyjo tournament: nowhere: expected a bot file")
    assert lines[-1] == "try: skyjo tournament --help"


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_names_the_commands(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word]) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {name} " in out for name in ("tournament", "conformance", "verify"))


@pytest.mark.parametrize(
    ("name", "words", "last"),
    [
        ("conformance", [str(ROOT / "tests/data/classic.json")], "43 cases right, 0 wrong"),
        ("verify", [os.devnull], "0 records right in 1 file"),
    ],
)
def test_other_commands_are_the_modules_of_their_name(
    name: str, words: list[str], last: str, tmp_path: Path
) -> None:
    assert last_line(sys.executable, "-m", f"skyjo_core.{name}", *words, cwd=tmp_path) == last
    assert last_line(str(SKYJO), name, *words, cwd=tmp_path) == last


def test_without_a_command_help_is_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("usage: skyjo COMMAND ...")


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"skyjo_core {skyjo_core.__version__}\n"


def test_a_command_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["turnament"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("skyjo: expected a command, got 'turnament'\n")


def test_the_script_gives_the_exit_status_on(tmp_path: Path) -> None:
    done = subprocess.run(
        [SKYJO, "tournament"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
