# SPDX-License-Identifier: MIT
"""Files of records line by line: plain, gzip, broken, huge, and streams that come in pieces."""

from __future__ import annotations

import gzip
import io
import os
import random
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from skyjo_core import record_file
from skyjo_core.record_difference import Difference
from skyjo_core.record_file import MAX_LINE_BYTES, RecordFile

Lines = list[tuple[int, bytes | Difference]]


def lines_of(path: str | Path) -> Lines:
    with RecordFile(path) as file:
        return list(file)


@pytest.fixture
def written(tmp_path: Path) -> Callable[[bytes], Path]:
    """Writes a file whose name says nothing of what is in it."""

    def write(content: bytes) -> Path:
        path = tmp_path / "records"
        path.write_bytes(content)
        return path

    return write


Written = Callable[[bytes], Path]


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"a", [b"a"]),
        (b"a\n", [b"a"]),
        (b"a\nb", [b"a", b"b"]),
        (b"a\n\nb\n\n", [b"a", b"", b"b", b""]),
        (b"a\r\n\xff\x00\n", [b"a\r", b"\xff\x00"]),
        ("\u2028\x0b\x0c\x85\n".encode(), ["\u2028\x0b\x0c\x85".encode()]),
    ],
)
def test_lines_end_at_line_feeds(
    content: bytes, lines: list[bytes], packed: bool, written: Written
) -> None:
    """A final line feed ends the last line and begins no other."""
    path = written(gzip.compress(content) if packed else content)
    assert lines_of(path) == list(enumerate(lines, start=1))


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_lines_longer_than_a_chunk_are_whole(packed: bool, written: Written) -> None:
    content = [bytes([65 + i]) * (200_000 * i) for i in range(1, 5)]
    text = b"\n".join(content)
    assert lines_of(written(gzip.compress(text) if packed else text)) == list(
        enumerate(content, start=1)
    )


def test_members_of_gzip_files_follow_each_other(written: Written) -> None:
    """A line may go on in the next member; zeros behind the last one are padding (gzip(1))."""
    content = b"".join(gzip.compress(text) for text in (b"a\nb", b"", b"c\n", b"d"))
    assert lines_of(written(content + b"\0" * 700)) == [(1, b"a"), (2, b"bc"), (3, b"d")]


@pytest.mark.parametrize("n_left", [2, 5, 10, 300, -9, -8, -1])
def test_a_cut_gzip_file_is_told_at_the_line_reached(n_left: int, written: Written) -> None:
    rng = random.Random(1)
    texts = [rng.randbytes(40).hex().encode() for _ in range(50)]
    path = written(gzip.compress(b"\n".join(texts))[:n_left])
    *whole, (number, difference) = lines_of(path)
    assert whole == list(enumerate(texts[: len(whole)], start=1))
    assert number == len(whole) + 1
    assert isinstance(difference, Difference)
    assert str(difference) == (
        "gzip: expected a stream that is whole, got the end of the file in the middle of it"
    )
    # Where only the checksum is cut, all but the last line, which has no end, is whole.
    assert (len(whole) == 49) == (n_left < 0)


@pytest.mark.parametrize("place", [3, 30, -6, -2])
def test_a_damaged_gzip_file_is_told_at_the_line_reached(place: int, written: Written) -> None:
    """In the header, in the data, in the checksum, in the length (RFC 1952)."""
    content = bytearray(gzip.compress(b"one\ntwo\n" * 20 + random.Random(1).randbytes(200)))
    content[place] ^= 0xFF
    *_, (_, difference) = lines_of(written(bytes(content)))
    assert isinstance(difference, Difference)
    assert difference.what == "gzip"


def test_what_follows_a_gzip_stream_is_told(written: Written) -> None:
    *lines, last = lines_of(written(gzip.compress(b"a\n") + b"garbage"))
    assert lines == [(1, b"a")]
    assert last[0] == 2
    assert isinstance(last[1], Difference)


def test_a_line_that_is_too_long_is_told_and_the_next_is_read(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_file, "MAX_LINE_BYTES", 10)
    path = written(b"0123456789\n0123456789x\n" + b"y" * 10**6 + b"\nend\n" + b"z" * 11)
    longer = [
        Difference("line", "at most 10 bytes", f"{length} bytes") for length in (11, 10**6, 11)
    ]
    assert lines_of(path) == [
        *((1, b"0123456789"), (2, longer[0]), (3, longer[1]), (4, b"end"), (5, longer[2]))
    ]


@pytest.mark.slow
def test_a_line_of_100_megabytes_is_read_in_little_memory(tmp_path: Path) -> None:
    """The line is neither kept nor copied: memory stays far below its size."""
    import tracemalloc

    path = tmp_path / "long.jsonl.gz"
    n_bytes = 100 * 2**20
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"{}\n")
        for _ in range(100):
            file.write(b" " * 2**20)
        file.write(b"\n{}\n")
    tracemalloc.start()
    lines = lines_of(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    longer = Difference("line", f"at most {MAX_LINE_BYTES} bytes", f"{n_bytes} bytes")
    assert lines == [(1, b"{}"), (2, longer), (3, b"{}")]
    assert peak < MAX_LINE_BYTES + 8 * 2**20


def test_size_and_position_are_bytes_as_stored(written: Written) -> None:
    content = gzip.compress(b"a\n" * 1000)
    with RecordFile(written(content)) as file:
        assert (file.size, file.position) == (len(content), 0)
        assert len(list(file)) == 1000
        assert file.position == len(content)


def test_standard_input_is_named_by_a_dash_and_stays_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stream = io.BytesIO(gzip.compress(b"a\nb\n"))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
    with RecordFile("-") as file:
        assert file.size is None
        assert list(file) == [(1, b"a"), (2, b"b")]
    assert not stream.closed
    monkeypatch.chdir(tmp_path)
    Path("-").write_bytes(b"a file\n")
    assert lines_of("./-") == [(1, b"a file")]


def test_standard_input_that_is_closed_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OSError, match="standard input is closed"):
        RecordFile("-")


def test_a_pipe_may_give_one_byte_at_a_time(tmp_path: Path) -> None:
    """The two bytes that tell gzip come apart here."""
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def write() -> None:
        with path.open("wb", buffering=0) as pipe:
            for byte in gzip.compress(b"a\nb\n"):
                pipe.write(bytes([byte]))

    writer = threading.Thread(target=write)
    writer.start()
    with RecordFile(path) as file:
        assert file.size is None
        assert list(file) == [(1, b"a"), (2, b"b")]
    writer.join()


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        RecordFile(tmp_path / "nowhere")
    with pytest.raises(IsADirectoryError):
        RecordFile(tmp_path)
