# SPDX-License-Identifier: MIT
"""Lines into a gzip file: all of them, in order, the same bytes however they come."""

from __future__ import annotations

import errno
import gzip
import io
import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest

from skyjo_core.record_writer import RecordWriter

RNG = random.Random(1)
LINES = [json.dumps([RNG.randrange(100) for _ in range(500)]).encode() for _ in range(300)]


def written(*parts: list[bytes]) -> bytes:
    file = io.BytesIO()
    writer = RecordWriter(file)
    for part in parts:
        writer.add(part)
    writer.close()
    assert not file.closed
    return file.getvalue()


def test_what_is_written_is_gzip_line_by_line() -> None:
    assert gzip.decompress(written(LINES)) == b"".join(line + b"\n" for line in LINES)
    assert gzip.decompress(written()) == b""


def test_how_the_lines_come_never_shows() -> None:
    whole = written(LINES)
    assert written(*([line] for line in LINES)) == whole
    assert written(LINES[:7], [], LINES[7:]) == whole


def test_lines_are_on_their_way_before_the_end() -> None:
    file = io.BytesIO()
    writer = RecordWriter(file)
    writer.add(LINES)
    assert len(file.getvalue()) > 1000
    writer.close()
    writer.close()
    assert gzip.decompress(file.getvalue()).count(b"\n") == 300


class FullOnce(io.BytesIO):
    """Has no room at its second write, and room again later."""

    n_writes = 0

    def write(self, data: Any) -> int:
        self.n_writes += 1
        if self.n_writes == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


def test_nothing_is_written_behind_a_hole() -> None:
    file = FullOnce()
    writer = RecordWriter(file)
    writer.add(LINES)
    with pytest.raises(OSError, match="No space left on device"):
        writer.add(LINES)
    length = len(file.getvalue())
    writer.add(LINES)
    writer.close()
    assert len(file.getvalue()) == length
    stream = zlib.decompressobj(31)
    (*whole, _) = stream.decompress(file.getvalue()).split(b"\n")
    assert len(whole) > 100
    assert whole == LINES[: len(whole)]


def test_a_file_of_its_own_is_closed_also_where_the_disk_is_full(tmp_path: Path) -> None:
    (tmp_path / "full").symlink_to("/dev/full")
    writer = RecordWriter(tmp_path / "full")
    with pytest.raises(OSError, match="No space left on device"):
        writer.add(LINES)
    writer.close()
    writer.close()
