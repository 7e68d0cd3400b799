# SPDX-License-Identifier: MIT
"""A minute of libFuzzer on what reads foreign files; the targets are in tests/fuzz/."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SECONDS = 20
# What even a busy machine gets through in that time, a fifth of the usual.
N_RUNS = {"records": 500, "cases": 1500, "games": 2000}


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.parametrize("name", N_RUNS)
def test_fuzzer_finds_nothing(name: str, tmp_path: Path) -> None:
    if importlib.util.find_spec("atheris") is None:
        pytest.fail("tests/fuzz: expected atheris, found none: pip install 'skyjo-core[fuzz]'")
    options = ["-seed=1", f"-max_total_time={SECONDS}", "-timeout=30", "-rss_limit_mb=2048"]
    done = subprocess.run(
        [sys.executable, "-m", f"fuzz.fuzz_{name}", tmp_path, *options],
        cwd=TESTS,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        timeout=SECONDS * 10,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    runs = re.search(r"^Done (\d+) runs in", done.stdout, re.MULTILINE)
    assert runs is not None
    assert int(runs[1]) >= N_RUNS[name]
    # It has seen the code, and the seeds reach far into it.
    seen = re.search(r"INITED cov: (\d+)", done.stdout)
    assert seen is not None
    assert int(seen[1]) >= 150
    assert {path.name for path in tmp_path.iterdir()} == {"corpus", "words.dict"}
