# SPDX-License-Identifier: MIT
"""The file of records: all that were added, up to the first that could not be written."""

from __future__ import annotations

import errno
import gzip
import io
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from skyjo_core.record_pack import pack
from skyjo_core.record_writer import RecordWriter

PARTS = [pack(b"%d\n" % number * 1000) for number in range(9)]


def write(writer: RecordWriter, n: int) -> None:
    for part in PARTS[:n]:
        writer.add(part)


def test_what_is_added_is_there_in_order() -> None:
    file = io.BytesIO()
    writer = RecordWriter(file)
    write(writer, 9)
    assert len(file.getvalue()) == sum(map(len, PARTS))
    writer.close()
    writer.close()
    assert gzip.decompress(file.getvalue()) == b"".join(b"%d\n" % n * 1000 for n in range(9))


def test_no_records_are_a_file_that_can_be_read(tmp_path: Path) -> None:
    writer = RecordWriter(tmp_path / "records.gz")
    writer.add(b"")
    writer.close()
    assert (tmp_path / "records.gz").stat().st_size > 0
    assert gzip.decompress((tmp_path / "records.gz").read_bytes()) == b""


class FullOnce(io.BytesIO):
    """Has no room at its third write, and room again later."""

    n_writes = 0

    def write(self, data: Any) -> int:
        self.n_writes += 1
        if self.n_writes == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


def test_nothing_is_written_behind_a_hole() -> None:
    file = FullOnce()
    writer = RecordWriter(file)
    with pytest.raises(OSError, match="No space left on device"):
        write(writer, 9)
    write(writer, 9)
    writer.close()
    assert file.getvalue() == PARTS[0] + PARTS[1]


def test_a_file_of_its_own_is_closed_also_where_the_disk_is_full(tmp_path: Path) -> None:
    (tmp_path / "full").symlink_to("/dev/full")
    writer = RecordWriter(tmp_path / "full")
    with pytest.raises(OSError, match="No space left on device"):
        writer.add(bytes(1_000_000))
    with suppress(OSError):
        writer.close()
    assert writer._file.closed
    writer.close()
