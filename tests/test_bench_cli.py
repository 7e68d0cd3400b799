# SPDX-License-Identifier: MIT
"""The command line of the benchmark: options, forms, exit statuses."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from skyjo_core import bench_cli
from skyjo_core.bench import Benchmark, Work
from skyjo_core.bench_cli import main
from skyjo_core.cli import main as skyjo

FAST = ["--seconds", "0", "--only", "views"]

BOT = """
def choose_move(view):
    return view.legal_moves[-1]
"""


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows that always take the same time."""

    def rows(seats: object, threads: int) -> list[Benchmark]:
        return [
            Benchmark("one", "quick", "units", lambda: lambda: (4, 1.0)),
            Benchmark("two", "slow", "units", lambda: lambda: (1, 1.0)),
        ]

    monkeypatch.setattr(bench_cli, "benchmarks", rows)


def usage(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What is said of a wrong call."""
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err


def test_table_has_a_row_of_each_benchmark(
    steady: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--quick"]) == 0
    out, err = capsys.readouterr()
    assert re.search(r"one: quick +4\.00 +units +0\.0 +250\.00 ms", out)
    assert re.search(r"two: slow +1\.00 +units +0\.0 +1\.00 s", out)
    assert err == ""


def test_skyjo_bench_is_the_same_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert skyjo(["bench", *FAST]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if " views: " in line]
    assert len(rows) == 5


def test_only_takes_parts_and_patterns(steady: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--quick", "--only", "t?o:*"]) == 0
    assert "one: quick" not in capsys.readouterr().out
    assert "'one: quick'" in usage(capsys, "--only", "three")


def test_json_alone_stands_on_standard_output(
    steady: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--quick", "--format", "customBiggerIsBetter"]) == 0
    out, err = capsys.readouterr()
    assert [entry["value"] for entry in json.loads(out)] == [4.0, 1.0]
    assert "one: quick" in err


def test_json_goes_to_a_file(
    steady: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "now.json"
    assert main(["--quick", "--json", str(file)]) == 0
    assert "one: quick" in capsys.readouterr().out
    assert len(json.loads(file.read_text(encoding="utf-8"))["benchmarks"]) == 2


def test_where_json_cannot_go_is_told_before_anything_is_measured(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--json", str(tmp_path / "none" / "now.json")])
    told = capsys.readouterr()
    assert "--json: expected a file in a folder that is there, got '" in told.err
    assert told.out == ""


def test_a_file_that_cannot_be_written_is_told(
    steady: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["--quick", "--json", str(tmp_path)]) == 4
    assert "stopped by the machine" in capsys.readouterr().err


@pytest.mark.parametrize(("threshold", "status"), [(None, 0), ("60", 0), ("40", 1)])
def test_compare_shows_the_change_and_holds_the_threshold(
    steady: None,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    threshold: str | None,
    status: int,
) -> None:
    file = tmp_path / "before.json"
    file.write_text('[{"name": "one: quick", "value": 8.0}]', encoding="utf-8")
    more = [] if threshold is None else ["--threshold", threshold]
    assert main(["--quick", "--compare", str(file), *more]) == status
    out, err = capsys.readouterr()
    assert re.search(r"one: quick.* -50\.0 %", out)
    assert re.search(r"two: slow.* new", out)
    assert ("one: quick: expected at least 4.80 a second, got 4.00" in err) == (status == 1)


@pytest.mark.parametrize(("spread", "status"), [("± 29.9 %", 1), ("± 30.1 %", 0), ("± 120.0 %", 0)])
def test_a_row_is_not_called_slower_within_the_spreads(
    spread: str,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    # Seconds 0.8 0.8 0.8 1 1.2 1.2 1.2 after one to warm up: median 1, half the distance of the
    # quartiles 0.2. From 2 a second to 1 is a fall of 50 %.
    times = iter([1.0, 0.8, 1.2, 0.8, 1.2, 0.8, 1.2, 1.0])
    row = Benchmark("one", "row", "units", lambda: lambda: (1, next(times)))
    monkeypatch.setattr(bench_cli, "benchmarks", lambda seats, threads: [row])
    file = tmp_path / "before.json"
    before = [{"name": "one: row", "value": 2.0, "range": spread}]
    file.write_text(json.dumps(before), encoding="utf-8")
    assert main(["--seconds", "0", "--compare", str(file), "--threshold", "20"]) == status
    said = capsys.readouterr().err
    assert "one: row: expected at least 1.60 a second, got 1.00" in said
    assert ("the spreads of both" in said) == (status == 0)


def test_compare_with_rows_of_something_else_is_a_usage_error(
    steady: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A guard that compares nothing must not pass; what it leaves out is told."""
    file = tmp_path / "before.json"
    file.write_text('[{"name": "other: row", "value": 8.0}]', encoding="utf-8")
    said = usage(capsys, "--quick", "--compare", str(file))
    assert "expected rows of what is measured, such as 'one: quick'" in said
    assert "'other: row'" in said
    file.write_text(
        '[{"name": "one: quick", "value": 4.0}, {"name": "other: row", "value": 8.0}]',
        encoding="utf-8",
    )
    assert main(["--quick", "--compare", str(file), "--threshold", "50"]) == 0
    said = capsys.readouterr().err
    assert "has no row 'two: slow': not compared" in said
    assert "not measured, but in" in said
    assert "'other: row'" in said


def test_bot_that_does_not_compile_is_told_line_by_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text("def choose_move(view:\n    return 1\n", encoding="utf-8")
    assert main(["--bot", str(tmp_path / "broken.py")]) == 3
    said = capsys.readouterr().err
    assert "the bot cannot be loaded: " in said
    assert "\\n" not in said


def test_wrong_options_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    said = usage(
        capsys, "--seats", "9", "--threads", "0", "--threshold", "5", "--quick", "--seconds", "1"
    )
    for option in ("--seats: expected 2 to 8", "--threads:", "--threshold:", "--quick:"):
        assert option in said


def test_compare_with_another_file_is_a_usage_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    assert "other.json: expected JSON" in usage(capsys, "--compare", str(tmp_path / "other.json"))
    assert "No such file" in usage(capsys, "--compare", str(tmp_path / "none.json"))


def test_bot_is_measured_at_every_number_of_seats(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(BOT, encoding="utf-8")
    words = ["--bot", str(tmp_path / "mine.py"), "--seats", "2", "--seats", "3", "--seconds", "0"]
    assert main(words) == 0
    out = capsys.readouterr().out
    for row in ("2 seats: mine, whole games", "3 seats: mine, in the bot"):
        assert re.search(row + r" .* decisions .* [nµ]s", out)


def test_bot_that_cannot_be_loaded_gives_3(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text("import nothing_of_this_name", encoding="utf-8")
    assert main(["--bot", str(tmp_path / "broken.py")]) == 3
    assert "nothing_of_this_name" in capsys.readouterr().err
    assert "found nothing there" in usage(capsys, "--bot", str(tmp_path / "none.py"))


def test_bot_that_forfeits_gives_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "lost.py").write_text("def choose_move(view): return 99", encoding="utf-8")
    assert main(["--bot", str(tmp_path / "lost.py"), "--quick"]) == 1
    assert "forfeited a game: lost: illegal_move" in capsys.readouterr().err


def test_interrupt_shows_the_rows_with_a_sample(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed() -> Work:
        raise KeyboardInterrupt

    rows = [
        Benchmark("one", "quick", "units", lambda: lambda: (4, 1.0)),
        Benchmark("two", "slow", "units", pressed),
    ]
    monkeypatch.setattr(bench_cli, "benchmarks", lambda seats, threads: rows)
    assert main(["--quick"]) == 130
    out, err = capsys.readouterr()
    assert re.search(r"one: quick +4\.00 +units +- +250\.00 ms", out)
    assert "two" not in out
    assert err == "python -m skyjo_core.bench: interrupted after 1 of 14 samples\n"


@pytest.mark.slow  # the first line comes after five seconds
def test_interrupt_tells_what_is_measured_and_gives_130() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "skyjo_core.bench", "--seconds", "3", "--only", "views"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stderr is not None
    assert "of 35 samples taken" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted after" in err
    assert "views: empty function called" in out
