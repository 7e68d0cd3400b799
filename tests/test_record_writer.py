# SPDX-License-Identifier: MIT
"""Lines into a gzip file: all of them, in order, the same bytes however they come."""

from __future__ import annotations

import errno
import gzip
import importlib
import io
import json
import random
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from skyjo_core import record_writer
from skyjo_core.record_writer import RecordWriter

RNG = random.Random(1)
LINES = [json.dumps([RNG.randrange(100) for _ in range(500)]).encode() + b"\n" for _ in range(300)]
TEXT = b"".join(LINES)


@pytest.fixture(params=["isal.isal_zlib", "zlib"], autouse=True)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that may compress."""
    monkeypatch.setattr(record_writer, "_LIBRARY", importlib.import_module(request.param))


def written(*parts: bytes) -> bytes:
    file = io.BytesIO()
    writer = RecordWriter(file)
    for part in parts:
        writer.add(part)
    writer.close()
    assert not file.closed
    return file.getvalue()


def test_what_is_written_is_gzip_line_by_line() -> None:
    assert gzip.decompress(written(TEXT)) == TEXT
    assert gzip.decompress(written()) == b""
    assert len(written(TEXT)) < len(TEXT) / 2


def write_often(writer: RecordWriter) -> None:
    for _ in range(20):
        writer.add(TEXT)


def cuts(text: bytes) -> Iterator[list[bytes]]:
    yield text.splitlines(keepends=True)
    yield [text[:9_999], b"", text[9_999:]]
    yield [text[: 2**17], text[2**17 :]]


def test_how_the_lines_come_never_shows() -> None:
    whole = written(TEXT)
    for parts in cuts(TEXT):
        assert written(*parts) == whole


def test_lines_are_on_their_way_before_the_end() -> None:
    file = io.BytesIO()
    writer = RecordWriter(file)
    writer.add(TEXT * 2)
    assert len(file.getvalue()) > 1000
    writer.close()
    writer.close()
    assert gzip.decompress(file.getvalue()) == TEXT * 2


class FullOnce(io.BytesIO):
    """Has no room at its tenth write, and room again later."""

    n_writes = 0

    def write(self, data: Any) -> int:
        self.n_writes += 1
        if self.n_writes == 10:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


def test_nothing_is_written_behind_a_hole() -> None:
    file = FullOnce()
    writer = RecordWriter(file)
    with pytest.raises(OSError, match="No space left on device"):
        write_often(writer)
    length = len(file.getvalue())
    write_often(writer)
    writer.close()
    assert len(file.getvalue()) == length
    text = zlib.decompressobj(31).decompress(file.getvalue())
    assert text.count(b"\n") > 10
    assert (TEXT * 20).startswith(text)


def test_a_file_of_its_own_is_closed_also_where_the_disk_is_full(tmp_path: Path) -> None:
    (tmp_path / "full").symlink_to("/dev/full")
    writer = RecordWriter(tmp_path / "full")
    with pytest.raises(OSError, match="No space left on device"):
        write_often(writer)
    with suppress(OSError):
        writer.close()
    assert writer._file.closed
    writer.close()


@pytest.mark.parametrize(("hidden", "expected"), [("isal", "zlib"), ("nothing", "isal.isal_zlib")])
def test_without_isal_zlib_does_it(hidden: str, expected: str) -> None:
    program = (
        f"import sys; sys.modules[{hidden!r}] = None\n"
        "from skyjo_core import record_writer; print(record_writer._LIBRARY.__name__)"
    )
    command = [sys.executable, "-c", program]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == expected
