# SPDX-License-Identifier: MIT
"""Both forms of JSON: what their readers need is in them, and they are read back."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from skyjo_core.bench import Measurement
from skyjo_core.bench_form import FORMS, Rate, read_rates, write_form

DATA = (0.5, 0.25, 0.25, 0.125, 0.25, 0.25, 4.0)
FAST = Measurement("views: grids", "views", "reads", DATA)
SLOW = Measurement("start-up: import", "start-up", "imports", (2.0,) * 7)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_read_back(form: str) -> None:
    text = write_form(form, [FAST, SLOW], "1.2")
    # The quartiles of DATA are .25 and .375, its median .25: half of .125 is a quarter of it.
    assert read_rates(text) == {"views: grids": Rate(4.0, 0.25), "start-up: import": Rate(0.5, 0.0)}


def test_files_without_a_spread_are_read() -> None:
    assert read_rates('[{"name": "a", "value": 4}]') == {"a": Rate(4.0, 0.0)}
    text = '{"benchmarks": [{"name": "a", "stats": {"median": 0.25}}]}'
    assert read_rates(text) == {"a": Rate(4.0, 0.0)}


def test_custom_form_has_what_the_action_reads() -> None:
    entries = json.loads(write_form("customBiggerIsBetter", [FAST, SLOW], "1.2"))
    assert [set(entry) for entry in entries] == [{"name", "unit", "value", "range", "extra"}] * 2
    assert (entries[0]["unit"], entries[0]["value"]) == ("reads/s", 4.0)
    assert entries[1]["range"] == "± 0.0 %"


def test_pytest_form_has_the_statistics_of_its_data() -> None:
    [entry] = json.loads(write_form("pytest-benchmark", [FAST], "1.2"))["benchmarks"]
    stats = entry["stats"]
    assert stats["data"] == list(DATA)
    assert stats["mean"] == pytest.approx(sum(DATA) / 7)
    assert stats["ops"] == pytest.approx(7 / sum(DATA))
    assert stats["stddev"] == pytest.approx(statistics.stdev(DATA))
    # sorted: .125 .25 .25 .25 .25 .5 4; quartiles .25 and .375, fences .0625 and .5625
    assert (stats["q1"], stats["median"], stats["q3"]) == (0.25, 0.25, 0.375)
    assert (stats["ld15iqr"], stats["hd15iqr"]) == (0.125, 0.5)
    assert stats["outliers"] == "1;1"


def test_pytest_benchmark_itself_compares_the_files(tmp_path: Path) -> None:
    for name in ("0001_before", "0002_after"):
        text = write_form("pytest-benchmark", [FAST, SLOW], "1.2")
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    files = [str(path) for path in sorted(tmp_path.iterdir())]
    program = "import sys; from pytest_benchmark.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, "compare", *files],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("views: grids") == 2
    assert done.stdout.count("start-up: import") == 2


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-1", "0", "1" + 400 * "0"])
def test_rates_that_nothing_has_are_refused(value: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_rates(f'[{{"name": "a", "value": {value}}}]')
    with pytest.raises(ValueError, match="expected"):
        read_rates(f'{{"benchmarks": [{{"name": "a", "stats": {{"median": {value}}}}}]}}')


@pytest.mark.parametrize(
    "text", ["", "[", "{}", "[1]", '[{"name": "a"}]', '{"benchmarks": [{"name": "a"}]}', "3"]
)
def test_other_json_is_refused_with_both_forms_named(text: str) -> None:
    with pytest.raises(ValueError, match="pytest-benchmark or customBiggerIsBetter"):
        read_rates(text)
