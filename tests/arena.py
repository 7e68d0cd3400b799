# SPDX-License-Identifier: MIT
"""What the tests of the arena share: the corpus of bots, and tournaments as real processes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

BOTS = Path(__file__).parent / "bots"
HEALTHY = BOTS / "healthy"
FAULTY = BOTS / "faulty"
BROKEN = BOTS / "broken"
NEIGHBOURS = BOTS / "neighbours"
WATCHING = BOTS / "watching"

# Warnings are errors: what is not closed shows on standard error.
COMMAND = [sys.executable, "-W", "error", "-m", "skyjo_core.tournament"]


def tournament(*words: object, cwd: Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """A tournament on the command line, to its end; never with a traceback of ours."""
    done = subprocess.run(
        [*COMMAND, *map(str, words)],
        cwd=cwd,
        timeout=60,
        check=False,
        **{"capture_output": True, "encoding": "utf-8", **more},
    )
    for text in (done.stdout, done.stderr):
        assert text is None or not re.search(r"^(Traceback|Exception ignored)", text, re.M), text
    return done


def gone(pid: int) -> bool:
    """Whether a process has ended (one that nobody has asked after yet counts as ended)."""
    state = _state(Path(f"/proc/{pid}"))
    return state is None or state[0] in "ZX"


def workers_of(pid: int) -> set[int]:
    """The processes that hold bots, that a process has started and that still run."""
    return {
        int(path.name)
        for path in Path("/proc").iterdir()
        if path.name.isdigit()
        and (state := _state(path)) is not None
        and state[0] not in "ZX"
        and int(state[1]) == pid
        and b"skyjo_core._worker" in (path / "cmdline").read_bytes()
    }


def _state(process: Path) -> list[str] | None:
    """Of a process: state, parent and more, see proc(5); None if it is gone."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def read_terminal(master: int) -> str:
    """All that was shown on a terminal whose other end nobody holds any more; closes it."""
    shown = b""
    while True:
        try:
            shown += os.read(master, 65536)
        except OSError:  # the end
            os.close(master)
            return shown.decode()


def wait_until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    """Returns as soon as the condition holds.

    Raises
    ------
    AssertionError
        It does not hold in time.
    """
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "the condition does not hold in time"
        time.sleep(0.01)
