# SPDX-License-Identifier: MIT
"""Records packed: gzip, with whichever library is there."""

from __future__ import annotations

import gzip
import importlib
import json
import random
import subprocess
import sys
import zlib
from functools import partial

import pytest

from skyjo_core import Rules, play_game, record_pack
from skyjo_core._core import RecordText
from skyjo_core.record_pack import Packer, pack

RNG = random.Random(1)
LINES = [json.dumps([RNG.randrange(100) for _ in range(500)]).encode() + b"\n" for _ in range(300)]
TEXT = b"".join(LINES)


@pytest.fixture(params=["isal.isal_zlib", "zlib"], autouse=True)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that may compress."""
    monkeypatch.setattr(record_pack, "_LIBRARY", importlib.import_module(request.param))


def test_what_is_packed_is_gzip() -> None:
    assert gzip.decompress(pack(TEXT)) == TEXT
    assert len(pack(TEXT)) < len(TEXT) / 2


def test_parts_behind_each_other_are_the_whole() -> None:
    parts = [pack(TEXT[:9_999]), pack(b""), pack(memoryview(TEXT)[9_999:])]
    assert gzip.decompress(b"".join(parts)) == TEXT


@pytest.mark.parametrize("n_lines", [1, 2, 33, 34, 300])
def test_lines_that_come_one_by_one_are_one_member(n_lines: int) -> None:
    packer = Packer(Rules())
    for line in LINES[:n_lines]:
        packer.add(partial(RecordText.add_line, line=line.rstrip(b"\n")))
    member = packer.member()
    whole = zlib.decompressobj(31)
    assert whole.decompress(member) == b"".join(LINES[:n_lines])
    assert whole.eof
    assert whole.unused_data == b""


def test_no_lines_are_nothing() -> None:
    assert Packer(Rules()).member() == b""


def test_equal_lines_are_equal_bytes() -> None:
    assert pack(TEXT) == pack(bytes(bytearray(TEXT)))


@pytest.mark.parametrize(("hidden", "expected"), [("isal", "zlib"), ("nothing", "isal.isal_zlib")])
def test_without_isal_zlib_does_it(hidden: str, expected: str) -> None:
    program = (
        f"import sys; sys.modules[{hidden!r}] = None\n"
        "from skyjo_core import record_pack; print(record_pack._LIBRARY.__name__)"
    )
    command = [sys.executable, "-c", program]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == expected


def test_lines_added_while_others_are_taken_are_the_next() -> None:
    text = RecordText("{}")
    text.add_line("a" * 100_000)

    def pack_and_add(lines: memoryview) -> bytes:
        text.add_line("b" * 1_000_000)
        return bytes(lines)

    assert text.take(pack_and_add) == b"a" * 100_000 + b"\n"
    assert text.take(bytes) == b"b" * 1_000_000 + b"\n"
    assert text.take(bytes) == b""


def test_lines_that_cannot_be_packed_are_kept() -> None:
    text = RecordText("{}")
    text.add_line("one")

    def add_and_fail(lines: memoryview) -> bytes:
        text.add_line("two")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        text.take(add_and_fail)
    assert text.take(bytes) == b"one\ntwo\n"


@pytest.mark.parametrize("n_places", [0, 1, 3, 1000])
def test_a_record_has_a_place_for_each_seat(n_places: int) -> None:
    played = play_game(["native:random"] * 2, seed=1)
    with pytest.raises(ValueError, match="a place for each seat"):
        played._replace(places=(2**31 - 1,) * n_places).record_line()
