# SPDX-License-Identifier: MIT
"""Ctrl-C ends a command quietly, also while it still imports what it needs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from skyjo_core.cli import main
from skyjo_core.command_line import run

SKYJO = str(Path(sys.executable).with_name("skyjo"))
WORDS = {
    "tournament": ["native:random", "native:greedy"],
    "conformance": ["none.json"],
    "bench": ["--quick"],
    "verify": [os.devnull],
}
# Ways to start a command, and what each imports: first for the package, then for the command.
MODULE, SCRIPT = "python -m", "skyjo"

# Python imports this by itself: a finder that presses Ctrl-C where a module is looked for.
PRESSES = """
import os, signal, sys

class Presses:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["PRESS_AT"]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Presses())
"""


def started(way: str, command: str) -> list[str]:
    """The command line that starts a command."""
    if way == SCRIPT:
        return [sys.executable, SKYJO, command, *WORDS[command]]
    return [sys.executable, "-m", f"skyjo_core.{command}", *WORDS[command]]


@pytest.mark.parametrize("way", [MODULE, SCRIPT])
@pytest.mark.parametrize(
    ("command", "module"),
    [
        ("tournament", "skyjo_core._core"),
        ("tournament", "numpy"),
        ("tournament", "datetime"),  # looked for in C, which makes an ImportError of what is raised
        ("tournament", "skyjo_core.rules"),
        ("tournament", "skyjo_core.loader"),
        ("tournament", "skyjo_core.settings"),
        ("conformance", "skyjo_core.case"),
        ("bench", "skyjo_core.verify"),
        ("verify", "skyjo_core.record_form"),
    ],
)
def test_ctrl_c_during_imports_ends_the_command_quietly(
    way: str, command: str, module: str, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(PRESSES, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "PRESS_AT": module}
    done = subprocess.run(
        started(way, command),
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_ctrl_c_in_a_command_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    def command() -> int:
        signal.raise_signal(signal.SIGINT)
        return 0

    assert run(command, "skyjo any") == 130
    assert capsys.readouterr().err == "skyjo any: interrupted\n"


@pytest.mark.parametrize(
    "words", ["['-m'] + ['x'] * 10", "['-m']", "[]", "[pathlib.Path('/a/skyjo')]", "[None]"]
)
def test_the_package_is_imported_whatever_the_words_of_the_program(words: str) -> None:
    program = (
        f"import pathlib, signal, sys; sys.argv = {words}; import skyjo_core\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    )
    subprocess.run([sys.executable, "-c", program], timeout=60, check=True)


def test_a_program_named_skyjo_keeps_its_own_ctrl_c_while_it_imports(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(PRESSES, encoding="utf-8")
    program = tmp_path / "skyjo"
    program.write_text(
        "try:\n    import skyjo_core\nexcept KeyboardInterrupt:\n    print('raised')\n"
    )
    done = subprocess.run(
        [sys.executable, str(program)],
        env=os.environ | {"PYTHONPATH": str(tmp_path), "PRESS_AT": "skyjo_core.game"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "raised\n", "")


def test_a_command_that_cannot_be_imported_leaves_ctrl_c_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "skyjo_core.verify_cli", None)
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(ImportError):
        main(["verify"])
    assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.parametrize("name", ["skyjo", "mine.py"])
def test_a_program_that_uses_the_package_keeps_its_own_ctrl_c(name: str, tmp_path: Path) -> None:
    program = tmp_path / name
    program.write_text(
        "import signal, skyjo_core\n"
        "try:\n    signal.raise_signal(signal.SIGINT)\n"
        "except KeyboardInterrupt:\n    print('raised')\n"
    )
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "raised\n", "")
