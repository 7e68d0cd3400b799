# SPDX-License-Identifier: MIT
"""Records packed: gzip, with whichever library is there."""

from __future__ import annotations

import gzip
import importlib
import json
import random
import subprocess
import sys

import pytest

from skyjo_core import record_pack
from skyjo_core.record_pack import pack

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
