# SPDX-License-Identifier: MIT
"""The results folder: made new, never written over; records, log and result."""

from __future__ import annotations

import gc
import gzip
import json
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from skyjo_core.batch import GameResult, PlayedBatch
from skyjo_core.folder import FolderTakenError, Output, new_folder
from skyjo_core.record_pack import pack
from skyjo_core.schedule import Table

TABLE = Table(game=4, deal=2, lineup=0, lineup_key=99, seating=1, seats=(1, 0))
RESULT = GameResult(
    totals=[50, 101],
    places=[1, 2],
    decisions=[40, 41],
    seconds=[0.1, 0.2],
    moves_hash="00000000000000ff",
    faults=[],
)
RECORD = pack(b'{"deal": 2}\n')


def n_open_files() -> int:
    """Descriptors of this process, without those that are garbage; a warning is an error here."""
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


# Where it is


def test_the_folder_that_is_named_is_made_with_those_above(tmp_path: Path) -> None:
    assert new_folder(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    assert (tmp_path / "a" / "b").is_dir()


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    assert new_folder(tmp_path) == tmp_path


def test_a_folder_in_use_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text("{}")
    with pytest.raises(FolderTakenError, match="--out: expected a new or empty folder, got "):
        new_folder(tmp_path)
    with pytest.raises(FolderTakenError, match="which is in use"):
        new_folder(tmp_path / "result.json")
    assert (tmp_path / "result.json").read_text() == "{}"


def test_without_a_name_folders_are_numbered_by_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    day = date.today().isoformat()
    (tmp_path / "runs" / f"{day}-2").mkdir(parents=True)
    made = [new_folder(None) for _ in range(3)]
    assert made == [Path("runs") / f"{day}-{number}" for number in (1, 3, 4)]
    assert all(path.is_dir() for path in made)


def test_a_file_in_the_way_is_an_error_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").write_text("")
    for out in (None, Path("runs/deeper")):
        with pytest.raises(OSError, match="Not a directory"):
            new_folder(out)


# What is written


def test_a_game_leaves_its_record_and_what_was_printed_in_it(tmp_path: Path) -> None:
    output = Output(tmp_path, True, ["first", "[b]second"])
    output.loaded("first", "hello")
    output.loaded("[b]second", "")
    other = TABLE._replace(game=5, seats=(0, 1))
    games = [replace(RESULT, printed="one\ntwo"), RESULT]
    output.add([TABLE, other, other], PlayedBatch(games, RECORD + pack(b'{"deal": 3}\n')))
    assert output.close('{"result": 1}') == tmp_path / "records.jsonl.gz"
    with gzip.open(tmp_path / "records.jsonl.gz", "rt") as lines:
        assert [json.loads(line) for line in lines] == [{"deal": 2}, {"deal": 3}]
    assert (tmp_path / "result.json").read_text() == '{"result": 1}\n'
    assert (tmp_path / "log").read_text() == (
        "== loading first\nhello\n== game 4: [b]second, first\none\ntwo\n"
    )


def test_a_fault_is_logged_with_its_place_and_whole_detail(tmp_path: Path) -> None:
    output = Output(tmp_path, False, ["first", "second"])
    fault = {"round": 1, "move": 7, "seat": 0, "kind": "exception", "detail": "Trace\n\ud800 last"}
    faults = [fault, {**fault, "seat": 1, "detail": "other"}]
    output.add([TABLE], PlayedBatch([replace(RESULT, faults=faults)], b""))
    assert output.close() is None
    assert (tmp_path / "log").read_text() == (
        "== game 4: second forfeits (exception), round 1, move 7, seat 0\nTrace\n\\ud800 last\n"
        "== game 4: first forfeits (exception), round 1, move 7, seat 1\nother\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log"]


def test_equal_records_are_equal_files(tmp_path: Path) -> None:
    files = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        output = Output(tmp_path / name, True, ["first", "second"])
        output.add([TABLE], PlayedBatch([RESULT], RECORD))
        output.close()
        files.append((tmp_path / name / "records.jsonl.gz").read_bytes())
    assert files[0] == files[1]


def test_without_a_folder_records_are_kept_and_the_rest_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    output = Output(None, True, ["first", "second"])
    output.loaded("first", "hello")
    output.add([TABLE], PlayedBatch([replace(RESULT, printed="one")], RECORD))
    records = output.close("{}")
    assert not isinstance(records, (Path, type(None)))
    records.seek(0)
    assert gzip.decompress(records.read()) == b'{"deal": 2}\n'
    assert list(tmp_path.iterdir()) == []


def test_records_without_a_folder_go_without_a_warning() -> None:
    n_open = n_open_files()
    output = Output(None, True, ["first", "second"])
    output.add([TABLE], PlayedBatch([RESULT], RECORD))
    records = output.close()
    del output, records
    assert n_open_files() == n_open


def test_closing_twice_does_no_harm(tmp_path: Path) -> None:
    output = Output(tmp_path, True, ["first", "second"])
    output.close()
    assert output.close("{}") == tmp_path / "records.jsonl.gz"


@pytest.mark.parametrize("full", ["log", "records.jsonl.gz"])
def test_a_full_disk_is_told_and_all_files_are_closed(full: str, tmp_path: Path) -> None:
    n_open = n_open_files()
    (tmp_path / full).symlink_to("/dev/full")
    output = Output(tmp_path, True, ["first", "second"])
    output.add([TABLE], PlayedBatch([replace(RESULT, printed="one")], RECORD))
    with pytest.raises(OSError, match="No space left on device"):
        output.close("{}")
    assert n_open_files() == n_open
    output.close()


def test_a_result_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "result.json.part").symlink_to("/dev/full")
    output = Output(tmp_path, False, ["first", "second"])
    with pytest.raises(OSError, match="No space left on device"):
        output.close("{}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log"]


def test_a_full_disk_is_told_while_games_are_written(tmp_path: Path) -> None:
    (tmp_path / "log").symlink_to("/dev/full")
    output = Output(tmp_path, False, ["first", "second"])
    with pytest.raises(OSError, match="No space left on device"):
        output.add([TABLE], PlayedBatch([replace(RESULT, printed="x" * 100_000)], b""))
    with suppress(OSError):
        output.close()
    output.close()
