# SPDX-License-Identifier: MIT
"""Installs of this project in environments of their own, for what is built against them.

What else is needed comes from the environment of the tests: nothing is downloaded. The compiled
parts are built once for all installs; `$SKYJO_TEST_BUILD` names a folder in which they stay.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "python"
KINDS = ("wheel", "editable")


class Install:
    """An environment in which this project is installed."""

    def __init__(self, folder: Path, kind: str, build: Path) -> None:
        venv.create(folder, symlinks=True)
        self.folder = folder
        self.python = folder / "bin" / "python"
        (self.site_packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
        editable = ["--editable"] if kind == "editable" else []
        self.pip("-Cbuild-dir=" + str(build), *editable, str(ROOT))

    @property
    def site_packages(self) -> Path:
        (found,) = (self.folder / "lib").glob("python*/site-packages")
        return found

    def pip(self, *words: str) -> None:
        """Installs from a folder, without looking anywhere else."""
        options = ["-q", "--no-deps", "--no-build-isolation", "--no-index", "--no-cache-dir"]
        pip = [sys.executable, "-m", "pip", f"--python={self.python}", "install", *options]
        self.run(*pip, "--disable-pip-version-check", "--root-user-action=ignore", *words)

    def run(self, *words: object, cwd: Path | None = None) -> str:
        """What a command prints to its standard output; it must end well."""
        done = subprocess.run(
            list(map(str, words)),
            cwd=cwd or self.folder,
            env=os.environ | {"SKYJO_CACHE": str(self.folder / "cache"), "PYTHONWARNINGS": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def tournament(self, *words: object) -> dict[str, Any]:
        """The result of a tournament in this environment."""
        module = [self.python, "-m", "skyjo_core.tournament"]
        out = self.folder / "runs" / os.urandom(4).hex()
        printed = self.run(*module, *words, "--seed", 1, "--json", "--out", out)
        result: dict[str, Any] = json.loads(printed.splitlines()[0])
        return result
