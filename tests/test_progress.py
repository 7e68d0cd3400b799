# SPDX-License-Identifier: MIT
"""How far a tournament is: lines, a bar on a terminal, or nothing."""

from __future__ import annotations

import io
import os
import pty
import re

import pytest

from arena import read_terminal
from skyjo_core import progress
from skyjo_core.progress import Progress, say


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for every game, not one in some seconds."""
    monkeypatch.setattr(progress, "_LINE_SECONDS", 0.0)


@pytest.mark.parametrize("style", ["lines", "auto"])
def test_where_there_is_no_terminal_lines_tell_how_far_it_is(style: str, at_once: None) -> None:
    stream = io.StringIO()
    with Progress(4, style, stream) as bar:
        for n_forfeits in (0, 2, 0):
            bar.add(1, n_forfeits)
    lines = stream.getvalue().splitlines()
    assert re.fullmatch(r"1 of 4 games, \d+/s, \d+ s left", lines[0])
    assert re.fullmatch(r"3 of 4 games, \d+/s, \d+ s left, 2 forfeits", lines[2])
    assert len(lines) == 3


def test_lines_are_some_seconds_apart() -> None:
    stream = io.StringIO()
    with Progress(1000, "lines", stream) as bar:
        for _ in range(1000):
            bar.add(1, 0)
    assert stream.getvalue() == ""


def test_off_tells_nothing(at_once: None) -> None:
    stream = io.StringIO()
    with Progress(4, "off", stream) as bar:
        bar.add(1, 1)
    assert stream.getvalue() == ""


def test_a_terminal_gets_a_bar_that_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    master, slave = pty.openpty()
    with open(slave, "w") as terminal, Progress(4, "auto", terminal) as bar:  # noqa: PTH123
        bar.add(1, 1)
        bar.add(1, 0)
    text = read_terminal(master)
    assert "2/4" in text
    assert "games, " in text
    assert "1 forfeits" in text
    assert text.endswith("\x1b[2K")  # the line is wiped


def test_a_line_is_said_at_once() -> None:
    reader, writer = os.pipe()
    with open(writer, "w") as stream:  # noqa: PTH123 - a descriptor
        say("hello", stream)
        assert os.read(reader, 100) == b"hello\n"
    os.close(reader)


def test_nobody_need_listen() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as stream:  # noqa: PTH123 - a descriptor
        say("hello", stream)
        say("again", stream)
