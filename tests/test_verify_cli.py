# SPDX-License-Identifier: MIT
"""The command line of verify, as real processes and in this one: API sections 6 and 9."""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena import read_terminal
from skyjo_core import verify_cli
from skyjo_core.tournament import run
from skyjo_core.verify_cli import main
from small_records import Record, closed_by_seat_1, damaged, put, put_round, with_a_new_pile

Done = subprocess.CompletedProcess[str]
COMMAND = [sys.executable, "-W", "error", "-m", "skyjo_core.verify"]

RIGHT = json.dumps(closed_by_seat_1())
LIE = damaged(closed_by_seat_1(), put_round("points", [2, 9]))
WRONG = json.dumps(LIE)
WHY = "round 0, move 4: points: expected [2, 8], got [2, 9]"


def verify(*words: object, **more: Any) -> Done:
    """The command line as a process, to its end; never with a traceback."""
    done = subprocess.run(
        [*COMMAND, *map(str, words)],
        timeout=60,
        check=False,
        **{"capture_output": True, "encoding": "utf-8", **more},
    )
    for text in (done.stdout, done.stderr):
        if isinstance(text, str):
            assert not re.search(r"^(Traceback|Exception ignored)", text, re.M), text
    return done


def start(*words: object, **more: Any) -> subprocess.Popen[str]:
    """The command line as a process that still runs."""
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([*COMMAND, *map(str, words)], encoding="utf-8", **{**streams, **more})


class InProcess:
    """The command line in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: object) -> Done:
        try:
            status: Any = main(list(map(str, words)))
        except SystemExit as error:
            status = error.code
        captured = self._capsys.readouterr()
        return subprocess.CompletedProcess(words, status, captured.out, captured.err)


@pytest.fixture
def here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> InProcess:
    """Runs the command line in this process and in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return InProcess(capsys)


def write(path: str | Path, *lines: str | Record) -> None:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    Path(path).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")


# Right and wrong


def test_right_records_are_counted_in_plain_and_packed_files(tmp_path: Path) -> None:
    """A name says nothing: the first bytes of a file tell what it is."""
    write(tmp_path / "plain.jsonl.gz", closed_by_seat_1(), with_a_new_pile())
    (tmp_path / "packed.jsonl").write_bytes(gzip.compress(RIGHT.encode()))
    done = verify("plain.jsonl.gz", "packed.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "3 records right in 2 files\n"


def test_bad_records_are_told_each_with_its_first_difference(tmp_path: Path) -> None:
    second = damaged(LIE, put("places", value=[2, 1]))
    write(tmp_path / "a.jsonl", RIGHT, second, "", RIGHT + RIGHT)
    (tmp_path / "b.gz").write_bytes(gzip.compress(f"{WRONG}\n{RIGHT}\n".encode())[:-4])
    done = verify("a.jsonl", "b.gz", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"a.jsonl:2: {WHY}"
    assert lines[1] == "a.jsonl:3: line: expected a record, got an empty line"
    assert lines[2].startswith('a.jsonl:4: JSON: expected one record a line, got \'{"format": ')
    assert lines[3] == f"b.gz:1: {WHY}"
    assert lines[4] == (
        "b.gz:3: gzip: expected a stream that is whole, got the end of the file in the middle of it"
    )
    assert lines[5:] == ["2 records right, 5 wrong in 2 files"]


def test_records_of_a_tournament_are_right(here: InProcess) -> None:
    bots = ["native:random", "native:threshold"]
    run(bots, deals=3, seed=1, records=True, out="out", workers=1)
    done = here("out/records.jsonl.gz")
    assert (done.returncode, done.stdout) == (0, "6 records right in 1 file\n")


@pytest.mark.parametrize(
    ("lines", "status", "count"),
    [
        ([], 0, "0 records right in 1 file"),
        ([RIGHT], 0, "1 record right in 1 file"),
        ([RIGHT, RIGHT], 0, "2 records right in 1 file"),
        ([WRONG], 1, "0 records right, 1 wrong in 1 file"),
        ([WRONG, RIGHT], 1, "1 record right, 1 wrong in 1 file"),
    ],
)
def test_the_last_line_counts(lines: list[str], status: int, count: str, here: InProcess) -> None:
    write("games.jsonl", *lines)
    done = here("games.jsonl")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (status, count)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"{}", "keys: expected 'format', got an object without it"),
        (b"[]", "record: expected an object, got []"),
        (b"PK\x03\x04\xff", "line: expected UTF-8, got byte 0xff at offset 4"),
        (b"\xef\xbb\xbf" + RIGHT.encode(), "line: expected a record, got a byte order mark"),
        (RIGHT.encode()[:-1], "JSON: expected ',', got the end of the line"),
        (b"[" * 10**6, "JSON: expected a record, got lists or objects that are nested too deeply"),
        (b'{"end": 1, "end": 1}', "JSON: expected the key 'end' once, got it twice"),
        (
            RIGHT.replace('"deal": 0', '"deal": 1' + "0" * 5000).encode(),
            "JSON: expected numbers of a sane length, got a number of thousands of digits",
        ),
        (b"\x1f\x8b", "gzip: expected a stream that is whole, got "),
    ],
)
def test_what_is_no_record_is_told(content: bytes, text: str, here: InProcess) -> None:
    Path("x").write_bytes(content)
    done = here("x")
    assert done.returncode == 1
    first, last = done.stdout.splitlines()
    assert first.startswith(f"x:1: {text}")
    assert last == "0 records right, 1 wrong in 1 file"


def test_long_texts_are_cut_short(here: InProcess) -> None:
    lie = damaged(closed_by_seat_1(), put("end", value="x" * 10**6))
    write("x", lie, damaged(closed_by_seat_1(), put_round("deck", [0] * 10**5)))
    done = here("x")
    assert done.returncode == 1
    assert max(map(len, done.stdout.splitlines())) < 800
    assert "xxx...\n" in done.stdout


def test_nothing_in_files_or_names_moves_the_cursor(here: InProcess) -> None:
    name = "a\x1b[2J\n.jsonl"
    write(name, damaged(closed_by_seat_1(), put("end", value="\x1b[2J\ud800\n")), '"\u202e"')
    done = here(name)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("a\\x1b[2J\\n.jsonl:1: end: ")
    assert lines[0].endswith("got '\\x1b[2J\\ud800\\n'")
    assert lines[1].endswith("record: expected an object, got '\\u202e'")


# Options


def test_standard_input_is_read_plain_and_packed() -> None:
    text = f"{RIGHT}\n{WRONG}\n"
    for content in (text.encode(), gzip.compress(text.encode())):
        done = verify("-", input=content, encoding=None)
        assert done.returncode == 1
        assert done.stdout == f"-:2: {WHY}\n1 record right, 1 wrong in 1 file\n".encode()


def test_json_is_one_object_on_standard_output(here: InProcess) -> None:
    write("a", RIGHT, WRONG)
    write("b", "", RIGHT)
    done = here("a", "b", "--json")
    assert done.returncode == 1
    assert done.stdout.count("\n") == 1
    points = {"what": "points", "expected": "[2, 8]", "got": "[2, 9]"}
    line = {"what": "line", "expected": "a record", "got": "an empty line"}
    assert json.loads(done.stdout) == {
        "files": ["a", "b"],
        "right": 2,
        "wrong": 2,
        "differences": [
            {"file": "a", "line": 2, "round": 0, "move": 4, **points},
            {"file": "b", "line": 1, "round": None, "move": None, **line},
        ],
    }
    assert done.stderr == "2 records right, 2 wrong in 2 files\n"


def test_json_of_right_records_has_no_differences(here: InProcess) -> None:
    write("a", RIGHT)
    done = here("--json", "a")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {"files": ["a"], "right": 1, "wrong": 0, "differences": []}


@pytest.mark.parametrize("n_told", [0, 1, 2, 3])
def test_no_more_differences_are_told_than_wanted(n_told: int, here: InProcess) -> None:
    write("a", WRONG, WRONG, RIGHT)
    done = here("a", "--max-differences", n_told)
    assert done.returncode == 1
    told = [f"a:{line}: {WHY}" for line in (1, 2)][:n_told]
    more = [f"... and {2 - n_told} more (--max-differences {n_told})"] if n_told < 2 else []
    assert done.stdout.splitlines() == [*told, *more, "1 record right, 2 wrong in 1 file"]
    done = here("a", "--json", "--max-differences", n_told)
    result = json.loads(done.stdout)
    assert (result["wrong"], len(result["differences"])) == (2, min(2, n_told))


def test_help_shows_every_option_with_its_default_and_an_example(here: InProcess) -> None:
    done = here("--help")
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    for words in ("(default: 100)", "(default: no)", "--json", "--max-differences N", "FILE"):
        assert words in text
    assert "python -m skyjo_core.verify mine.jsonl" in text
    assert max(map(len, done.stdout.splitlines())) <= 100


# What cannot be read


def test_all_files_that_cannot_be_read_are_told_before_any_is(here: InProcess) -> None:
    write("a", WRONG)
    Path("folder").mkdir()
    done = here("a", "nowhere", "folder", "x" * 300, "nul\0")
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    prog = "python -m skyjo_core.verify"
    assert lines[:2] == [
        f"{prog}: nowhere: expected a file of records, found nothing",
        f"{prog}: folder: expected a file of records, got a folder",
    ]
    assert lines[2].startswith(f"{prog}: {'x' * 300}: expected a file of records: ")
    assert lines[3].startswith(f"{prog}: nul\\x00: expected a file of records: ")


@contextmanager
def not_as_root() -> Iterator[None]:
    """Root may read everything: for a moment the process is somebody else's."""
    user = os.geteuid()
    if user == 0:
        Path.cwd().chmod(0o755)
        os.setresuid(65534, 65534, user)
    try:
        yield
    finally:
        os.setresuid(user, user, user)


def test_a_file_without_permission_is_told(here: InProcess) -> None:
    write("a", RIGHT)
    Path("a").chmod(0)
    with not_as_root():
        done = here("a")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(": a: expected a file that may be read, got no permission\n")


def test_a_file_that_is_gone_meanwhile_is_told_with_what_was_counted(
    here: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a", RIGHT)
    monkeypatch.setattr(verify_cli, "_why_unreadable", lambda path: None)
    done = here("a", "gone")
    assert (done.returncode, done.stdout) == (2, "1 record right in 2 files\n")
    assert done.stderr.endswith(": gone: cannot be read: No such file or directory; until there:\n")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], "the following arguments are required: FILE"),
        (["a", "--max-differences", "-1"], "--max-differences: expected 0 or more, got -1"),
        (["a", "--max-differences", "x"], "argument --max-differences: invalid int value: 'x'"),
        (["a", "--jsn"], "unrecognized arguments: --jsn"),
        (["-", "-"], "FILE: expected - at most once"),
    ],
)
def test_a_wrong_call_is_told(words: list[str], text: str, here: InProcess) -> None:
    done = here(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"python -m skyjo_core.verify: {text}")
    assert done.stderr.endswith("try: python -m skyjo_core.verify --help\n")


# Interruptions


def test_ctrl_c_tells_what_was_counted() -> None:
    process = start("-")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{RIGHT}\n{WRONG}\n")
    process.stdin.flush()
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert first == f"-:2: {WHY}\n"
    assert out == "1 record right, 1 wrong in 1 file\n"
    assert err == "python -m skyjo_core.verify: interrupted; so far:\n"


def test_nobody_need_read_to_the_end(tmp_path: Path) -> None:
    """As with `| head -1`: no message, and the status of what was found."""
    write(tmp_path / "a", *[WRONG] * 3000)
    process = start("a", "--max-differences", 10**6, cwd=tmp_path, stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == f"a:1: {WHY}\n"
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=20) == 1
    process.stderr.close()


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    write(tmp_path / "a", WRONG)
    with Path("/dev/full").open("w") as full:
        done = verify("a", cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 4
    assert "stopped by the machine: [Errno 28]" in done.stderr


def test_streams_may_be_closed(tmp_path: Path) -> None:
    write(tmp_path / "a", WRONG)
    for closing, status in ((">&-", 1), ("2>&-", 1), ("<&-", 1)):
        command = f'"$0" -m skyjo_core.verify a {closing}'
        done = subprocess.run(
            ["sh", "-c", command, sys.executable], cwd=tmp_path, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (status, b"")
    done = subprocess.run(
        ["sh", "-c", '"$0" -m skyjo_core.verify - <&-', sys.executable],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"-: cannot be read: standard input is closed" in done.stderr


# Progress


def feed(process: subprocess.Popen[str], until: Callable[[], bool]) -> None:
    assert process.stdin is not None
    while not until():
        process.stdin.write(f"{RIGHT}\n")
        process.stdin.flush()
    process.stdin.write(f"{WRONG}\n")
    process.stdin.close()


def test_a_terminal_gets_progress_and_standard_output_none_of_it() -> None:
    master, slave = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    process = start("-", stderr=slave, env=environment)
    os.close(slave)
    shown = bytearray()

    def watch() -> None:
        while b"records, " not in shown:
            shown.extend(os.read(master, 65536))

    watcher = threading.Thread(target=watch)
    watcher.start()
    feed(process, lambda: b"records, " in shown)
    watcher.join()
    rest = read_terminal(master)
    assert process.stdout is not None
    out = process.stdout.read()
    process.stdout.close()
    assert process.wait(timeout=20) == 1
    assert re.search(r"\d+ records, \d+/s", (bytes(shown).decode() + rest))
    first, last = out.splitlines()
    assert first.endswith(WHY)
    assert re.fullmatch(r"\d+ records right, 1 wrong in 1 file", last)


def test_a_short_run_shows_no_progress(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    write(tmp_path / "a", RIGHT)
    done = verify("a", cwd=tmp_path, capture_output=False, stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    assert read_terminal(master) == ""
    assert done.stdout == "1 record right in 1 file\n"


# A long line


@pytest.mark.slow
def test_a_line_of_100_megabytes_is_one_bad_line(tmp_path: Path) -> None:
    with (tmp_path / "long.jsonl").open("wb") as file:
        file.write(RIGHT.encode() + b"\n")
        for _ in range(100):
            file.write(b"[" * 2**20)
        file.write(b"\n" + RIGHT.encode() + b"\n")
    done = verify("long.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "long.jsonl:2: line: expected at most 67108864 bytes, got 104857600 bytes",
        "2 records right, 1 wrong in 1 file",
    ]
