# SPDX-License-Identifier: MIT
"""The command line of the tournament, as real processes: API section 8."""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import resource
import signal
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arena import (
    BROKEN,
    COMMAND,
    FAULTY,
    HEALTHY,
    WATCHING,
    gone,
    read_terminal,
    tournament,
    wait_until,
    workers_of,
)
from skyjo_core.tournament import run
from skyjo_core.tournament_cli import main

Done = subprocess.CompletedProcess[str]
NATIVE = ["native:random", "native:threshold"]
DIGEST = re.compile(r"digest ([0-9a-f]{32})")


def digest_of(line: str) -> str:
    found = DIGEST.fullmatch(line)
    assert found, line
    return found[1]


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Done, Path]:
    """A tournament of healthy bots, one of which prints, with records; its results folder."""
    cwd = tmp_path_factory.mktemp("healthy")
    words = [HEALTHY, FAULTY / "prints.py", "native:threshold", "--seats", 3, "--deals", 2]
    words += ["--seed", 7, "--workers", 2, "--records", "--out", "out"]
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    return tournament(*words, cwd=cwd, env=environment), cwd / "out"


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> tuple[Done, Path]:
    """A tournament with a bot that raises and one that moves illegally, as JSON."""
    cwd = tmp_path_factory.mktemp("faulty")
    bots = [FAULTY / "raises.py", FAULTY / "illegal.py", FAULTY / "prints.py", HEALTHY]
    return tournament(*bots, "--json", "--deals", 2, "--out", "out", cwd=cwd), cwd / "out"


class InProcess:
    """A tournament in this process: the command line without the start of a process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: object) -> Done:
        status = main(list(map(str, words)))
        captured = self._capsys.readouterr()
        return subprocess.CompletedProcess(words, status, captured.out, captured.err)


@pytest.fixture
def here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> InProcess:
    """Runs the command line in this process and in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return InProcess(capsys)


# A tournament that goes well


def test_a_good_tournament_prints_tables_and_the_digest_last(healthy: tuple[Done, Path]) -> None:
    done, _ = healthy
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("5 bots, 3 seats, 2 deals, 60 games, rules classic-fr, stack deck")
    digest_of(lines[-1])
    for bot in ("first", "lucky", "taker", "prints", "threshold"):
        assert re.search(rf"^ \d  {bot} .* 36 ", done.stdout, re.MULTILINE)
    assert "score in % against" in done.stdout
    assert re.match(r"5 bots: first, .*; seed 7; results in out$", done.stderr.splitlines()[0])


def test_the_folder_holds_records_log_and_result(healthy: tuple[Done, Path]) -> None:
    done, out = healthy
    result = json.loads((out / "result.json").read_text())
    assert result["digest"] == digest_of(done.stdout.splitlines()[-1])
    with gzip.open(out / "records.jsonl.gz", "rt") as lines:
        records = [json.loads(line) for line in lines]
    assert len(records) == 60
    assert {record["format"] for record in records} == {"skyjo-record/1"}


def test_what_bots_print_is_in_the_log_by_game_and_nowhere_else(
    healthy: tuple[Done, Path],
) -> None:
    done, out = healthy
    assert "prints:" not in done.stdout + done.stderr
    blocks = re.split(r"^== ", (out / "log").read_text(), flags=re.MULTILINE)[1:]
    assert blocks[0] == "loading prints\nprints: loaded\n"
    games = [int(re.match(r"game (\d+): ", block)[1]) for block in blocks[1:]]  # type: ignore[index]
    assert games == sorted(games)
    assert len(games) == 36
    for block in blocks[1:]:
        seat = block.splitlines()[0].partition(": ")[2].split(", ").index("prints")
        lines = [line for line in block.splitlines()[1:] if line != "prints: loaded"]
        assert sorted(lines) == [
            "prints: from a child",
            f"prints: game at seat {seat}",
            "prints: on the error stream",
        ]


def test_how_it_is_run_does_not_change_the_digest(
    healthy: tuple[Done, Path], tmp_path: Path
) -> None:
    environment = {"PYTHONHASHSEED": "2", "COLUMNS": "30", "PYTHONIOENCODING": "ascii"}
    words = [HEALTHY, FAULTY / "prints.py", "native:threshold", "--seats", 3, "--deals", 2]
    words += ["--seed", 7, "--workers", 4, "--prior", 2, "--progress", "off"]
    done = tournament(*words, cwd=tmp_path, env=os.environ | environment)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == healthy[0].stdout.splitlines()[-1]


def test_json_is_one_object_on_standard_output_and_all_else_is_on_standard_error(
    here: InProcess,
) -> None:
    done = here(*NATIVE, "--json", "--seed", 2**64 - 1)
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    result = json.loads(done.stdout)
    assert (result["format"], result["seed"]) == ("skyjo-result/1", "18446744073709551615")
    assert digest_of(done.stderr.splitlines()[-1]) == result["digest"]
    assert "score in % against" in done.stderr
    assert result == run(NATIVE, seed=2**64 - 1).to_dict() | {"standings": result["standings"]}


def test_the_folder_has_a_number_and_a_seed_is_drawn_if_none_is_given(
    here: InProcess, tmp_path: Path
) -> None:
    results = []
    for number in (1, 2):
        done = here(*NATIVE, "--deals", 2)
        out = tmp_path / "runs" / f"{date.today().isoformat()}-{number}"
        results.append(json.loads((out / "result.json").read_text()))
        assert f"seed {results[-1]['seed']}; results in runs/{out.name}" in done.stderr
        assert sorted(path.name for path in out.iterdir()) == ["log", "result.json"]
    assert results[0]["seed"] != results[1]["seed"]
    assert results[0]["digest"] != results[1]["digest"]


@pytest.mark.parametrize(
    ("words", "n_games"),
    [
        (["--deals", 5], 3 * 2 * 5),
        (["--deals", 5, "--duplicate", "off", "--deck", "lanes"], 3 * 5),
        (["--deals", 5, "--format", "gauntlet"], 2 * 2 * 5),
        (["--deals", 2, "--seats", 3, "--duplicate", "full"], 6 * 2),
        (["--deals", 5, "--seats", 4, "--fill", "native:random"], 4 * 5),
        (["--deals", 5, "--seats", 2, "--fill", "native:random"], 3 * 2 * 5),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else None,
)
def test_options_decide_what_is_played(words: list[Any], n_games: int, here: InProcess) -> None:
    bots = ["native:random", "native:threshold", "native:threshold:limit=2"]
    done = here(*bots, *words, "--json", "--records", "--out", "out")
    assert done.returncode == 0
    result = json.loads(done.stdout)
    with gzip.open("out/records.jsonl.gz", "rt") as lines:
        records = [json.loads(line) for line in lines]
    assert len(records) == n_games
    deck = words[words.index("--deck") + 1] if "--deck" in words else "stack"
    assert {record["deck_kind"] for record in records} == {deck} == {result["deck"]}
    duplicate = words[words.index("--duplicate") + 1] if "--duplicate" in words else "rotate"
    assert result["duplicate"] == duplicate


def test_rules_are_a_preset_and_changes_of_it(here: InProcess) -> None:
    words = ["--rules", "classic-en,threshold=30", "--rules", "double=off", "--deals", "1"]
    done = here(*NATIVE, *words, "--records", "--out", "out")
    assert done.returncode == 0
    with gzip.open("out/records.jsonl.gz", "rt") as lines:
        rules = json.loads(next(lines))["rules"]
    assert (rules["start_later"], rules["threshold"], rules["double"]) == ("closer", 30, "off")
    assert "start_later=closer, double=off, threshold=30" in done.stdout


def test_an_anchor_sets_a_rating(here: InProcess) -> None:
    done = here(*NATIVE, "--anchor", "random=-250.5", "--json")
    assert done.returncode == 0
    standings = json.loads(done.stdout)["standings"]
    assert standings[1]["bot"] == "random"
    assert standings[1]["rating"] == pytest.approx(-250.5)


def test_two_bots_of_one_name_are_renamed_with_a_note(here: InProcess) -> None:
    bot = HEALTHY / "first.py"
    done = here(bot, bot, "--deals", 1, "--workers", 1)
    assert done.returncode == 0
    assert "2 bots are named first: they play as first#1, first#2" in done.stderr
    assert f"first#2 is {bot}" in done.stderr
    assert " first#1 " in done.stdout
    assert " first#2 " in done.stdout


def test_names_are_shown_as_they_are(here: InProcess, tmp_path: Path) -> None:
    names = ["[bold red]x[/]", "back\\\\[x]slash", "x" * 300, "é \U0001f600"]
    for number, name in enumerate(names):
        text = f"NAME = {name!r}\n" + (HEALTHY / "first.py").read_text()
        (tmp_path / f"bot{number}.py").write_text(text)
    done = here(tmp_path, "--deals", 1, "--workers", 1)
    assert done.returncode == 0
    for name in names:
        assert f"  {name[:39]}" in done.stdout
    assert all(len(line) <= 160 for line in done.stdout.splitlines()[1:])


# Progress


def test_a_terminal_gets_a_bar_and_standard_output_none_of_it(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    words = [*NATIVE, "--deals", 20, "--seed", 1]
    done = tournament(
        *words,
        cwd=tmp_path,
        env=environment,
        capture_output=False,
        stdout=subprocess.PIPE,
        stderr=slave,
    )
    os.close(slave)
    shown = read_terminal(master)
    assert done.returncode == 0
    assert "40/40" in shown
    assert "games, " in shown
    assert "\x1b" not in done.stdout
    digest_of(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("style", ["off", "auto", "lines"])
def test_a_short_tournament_needs_no_progress(style: str, here: InProcess) -> None:
    done = here(*NATIVE, "--deals", 2, "--progress", style)
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1)


@pytest.mark.slow
def test_a_long_tournament_tells_how_far_it_is_by_lines(tmp_path: Path) -> None:
    process = start(*NATIVE, "--deals", 10**9, "--progress", "lines", cwd=tmp_path)
    assert process.stderr is not None
    lines = [process.stderr.readline() for _ in range(2)]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert re.fullmatch(r"\d+ of 2000000000 games, \d+/s, \d+ s left\n", lines[1])


# Faults of bots


def test_forfeits_are_told_and_give_exit_status_1(faulty: tuple[Done, Path]) -> None:
    done, _ = faulty
    assert done.returncode == 1
    assert done.stdout.count("\n") == 1
    result = json.loads(done.stdout)
    games = {fault["game"] for fault in result["faults"]}
    assert {(fault["bot"], fault["kind"]) for fault in result["faults"]} == {
        *(("raises", "exception"), ("illegal", "illegal_move"))
    }
    lines = done.stderr.splitlines()
    assert digest_of(lines[-1]) == result["digest"]
    assert lines[-2] == f"{len(games)} games were forfeited; tracebacks are in out/log"
    forfeited = [line for line in lines if " forfeited " in line and " games, first in " in line]
    assert len(forfeited) == 2
    assert any("LookupError: no idea in turn six (raises.py:7)" in line for line in forfeited)
    assert any(line.endswith("illegal_move: answered 99 (no move)") for line in forfeited)
    forfeits = {line["bot"]: line["forfeits"] for line in result["standings"]}
    assert {bot for bot, n in forfeits.items() if n == 0} == {"prints", "first", "lucky", "taker"}


def test_the_log_has_the_traceback_of_every_fault(faulty: tuple[Done, Path]) -> None:
    done, out = faulty
    faults = json.loads(done.stdout)["faults"]
    blocks = re.split(r"^== ", (out / "log").read_text(), flags=re.MULTILINE)
    for fault in faults:
        heading = (
            f"game {fault['game']}: {fault['bot']} forfeits ({fault['kind']}), round "
            f"{fault['round']}, move {fault['move']}, seat {fault['seat']}\n"
        )
        assert f"{heading}{fault['detail']}\n" in blocks


def test_one_forfeited_game_is_told_as_one(here: InProcess) -> None:
    words = ["--deals", 1, "--duplicate", "off", "--workers", 1]
    done = here(FAULTY / "illegal.py", "native:random", *words)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("1 game was forfeited; tracebacks are in runs/")
    digest_of(done.stdout.splitlines()[-1])


def test_texts_of_bots_do_no_harm_to_a_terminal(here: InProcess, tmp_path: Path) -> None:
    (tmp_path / "bell.py").write_text(
        "def choose_move(view):\n    raise ValueError('\\x1b[2J\\x07[red]\\ud800' + 'y' * 999)\n"
    )
    done = here("bell.py", "native:random", "--deals", 1, "--workers", 1)
    assert done.returncode == 1
    out = done.stdout
    assert "\\x1b[2J\\x07[red]\\ud800yyy" in out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) < 500


def test_abort_stops_at_a_fault_with_exit_status_1(here: InProcess) -> None:
    bots = [f"{FAULTY / 'hasty.py'}:one_in=9", "native:random"]
    words = ["--on-fault", "abort", "--seed", 3, "--records", "--workers", 1, "--out", "out"]
    done = here(*bots, *words)
    assert done.returncode == 1
    assert re.search(r"stopped at a fault in game \d+; tracebacks are in out/log", done.stderr)
    digest_of(done.stdout.splitlines()[-1])
    with gzip.open("out/records.jsonl.gz", "rt") as lines:
        ends = [json.loads(line)["end"] for line in lines]
    assert ends[-1] == "abort"
    assert set(ends[:-1]) <= {"threshold"}


def test_abort_in_the_first_game_leaves_nothing_to_rank(here: InProcess) -> None:
    words = ["--on-fault", "abort", "--json", "--workers", 1]
    done = here(FAULTY / "illegal.py", FAULTY / "illegal.py", *words)
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert [line["games"] for line in result["standings"]] == [0, 0]
    assert len(result["faults"]) == 1


def test_a_bot_that_ends_its_process_is_told_with_the_standings_so_far(here: InProcess) -> None:
    words = ["--deals", 500, "--workers", 1, "--json"]
    done = here(WATCHING / "dies_in_play.py", "native:random", *words)
    assert done.returncode == 1
    assert re.search(
        r"stopped after \d+ of 1000 games; see runs/.*: a worker process ended with exit status "
        r"7:\nlast words in play\n",
        done.stderr,
    )
    assert digest_of(done.stderr.splitlines()[-1]) == json.loads(done.stdout)["digest"]


# Bots that cannot be loaded


BROKEN_BOTS = [BROKEN / name for name in ("no_bot.py", "raises_at_import.py", "two_classes.py")]


def test_broken_bots_are_told_together_with_exit_status_3(tmp_path: Path) -> None:
    done = tournament(*BROKEN_BOTS, HEALTHY, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    lines = done.stderr.splitlines()
    assert lines[0].startswith("python -m skyjo_core.tournament: 3 bots cannot be loaded (--skip-b")
    for path, line in zip(BROKEN_BOTS, lines[1:], strict=True):
        assert line.startswith(f"  {path}:")
    assert list(tmp_path.iterdir()) == []


def test_skip_broken_plays_with_the_rest(here: InProcess) -> None:
    done = here(*BROKEN_BOTS, HEALTHY, "--skip-broken", "--deals", 1, "--workers", 1)
    assert done.returncode == 0
    assert "3 bots: first, lucky, taker;" in done.stderr
    assert done.stderr.count("left out: ") == 3


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("bot.py", "def choose_move(view:\n", r"bot\.py:1: SyntaxError: "),
        ("bot.py", "NAME = 'a\\nb'\n", r"neither; add one"),
        ("b\udcff.py", "def choose_move(view):\n    pass\n", r"NAME: expected a printable text"),
    ],
)
def test_one_broken_bot_gives_exit_status_3(
    name: str, text: str, said: str, here: InProcess, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    done = here(name, "native:random")
    assert (done.returncode, done.stdout) == (3, "")
    assert "1 bot cannot be loaded" in done.stderr
    assert re.search(said, done.stderr)


# What is given


def refused(words: list[Any], capsys: pytest.CaptureFixture[str]) -> str:
    """What is said when these words are refused, with exit status 2."""
    with pytest.raises(SystemExit) as caught:
        main(list(map(str, words)))
    assert caught.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert lines[-1] == "try: python -m skyjo_core.tournament --help"
    assert lines[0].startswith("python -m skyjo_core.tournament: ")
    return "\n".join(lines[:-1])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "the following arguments are required: BOT"),
        (["nowhere"], "nowhere: expected a bot file, a folder of bots, native:NAME or module:C"),
        (["no/such/bot.py"], "no/such/bot.py: expected a bot file"),
        ([""], "'': expected a bot file"),
        (["native:thresold"], "native:thresold: expected one of native:random"),
        (["exec:./bot"], "bots of other languages"),
        (["native:random"], "seats: expected at least 2 bots for 2 seats, got 1; add bots, or n"),
        ([*NATIVE, "--seats", 9], "--seats: expected 2 to 8 under these rules, got 9"),
        ([*NATIVE, "--seats", "two"], "argument --seats: invalid int value: 'two'"),
        ([*NATIVE, "--rules", "thresold=50"], "thresold"),
        ([*NATIVE, "--rules", "thresold=50"], "threshold"),
        ([*NATIVE, "--rules", "classic-de"], "classic-fr"),
        ([*NATIVE, "--rules", "threshold=x"], "--rules: threshold"),
        ([*NATIVE, "--deals", 0], "--deals: expected at least 1, got 0"),
        ([*NATIVE, "--deals", "1e3"], "argument --deals: invalid int value: '1e3'"),
        ([*NATIVE, "--seed", -1], "--seed: expected 0 to 2**64 - 1, got -1"),
        ([*NATIVE, "--seed", 2**64], "--seed: expected 0 to 2**64 - 1, got 18446744073709551616"),
        ([*NATIVE, "--workers", 0], "--workers: expected 1 to 1024, got 0"),
        ([*NATIVE, "--workers", 10**20], "--workers: expected 1 to 1024, got 1000000000000000000"),
        ([*NATIVE, "--prior", -1], "--prior: expected a number of virtual ties, 0 or from 1e-06"),
        ([*NATIVE, "--prior", "nan"], "got nan"),
        ([*NATIVE, "--prior", "inf"], "got inf"),
        ([*NATIVE, "--anchor", "random"], "--anchor: expected NAME=RATING, got 'random'"),
        ([*NATIVE, "--anchor", "random=much"], "--anchor: expected NAME=RATING, got 'random=much'"),
        ([*NATIVE, "--anchor", "random=inf"], "--anchor: expected a name and a finite rating"),
        ([*NATIVE, "--anchor", "first=0"], "anchor: expected one of the bots (random, threshold)"),
        ([*NATIVE, "--duplicate", "half"], "argument --duplicate: invalid choice: 'half'"),
        ([*NATIVE, "--format", "swiss"], "argument --format: invalid choice: 'swiss'"),
        ([*NATIVE, "--deck", "pile"], "argument --deck: invalid choice: 'pile'"),
        ([*NATIVE, "--on-fault", "stop"], "argument --on-fault: invalid choice: 'stop'"),
        ([*NATIVE, "--progress", "json"], "argument --progress: invalid choice: 'json'"),
        ([*NATIVE, "--fill", "nowhere"], "nowhere: expected a bot file"),
        ([*NATIVE, "--fill", HEALTHY], "fill: expected one bot, got 3"),
        ([*NATIVE, "--turbo"], "unrecognized arguments: --turbo"),
        ([*NATIVE, "--deal", 3], "unrecognized arguments: --deal 3"),
    ],
    ids=lambda value: " ".join(map(str, value[-2:])) if isinstance(value, list) else "",
)
def test_wrong_words_are_refused_with_what_is_right(
    words: list[Any],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in refused(words, capsys)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        *(["--budget", 100], ["--resume", "runs/x"], ["--time-limit", 50], ["--game-time", 9]),
        *(["--hang-limit", 60], ["--memory-limit", 100], ["--isolation", "process"]),
        *(["--max-forfeits", 3], ["--cluster", "tcp://host:1"], ["--budget=100"]),
    ],
    ids=lambda words: str(words[0]),
)
def test_options_of_later_versions_are_refused_as_such(
    words: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    option = str(words[0]).partition("=")[0]
    said = f"{option} is not available in this version; it comes in a later one"
    assert said in refused([*NATIVE, *words], capsys)
    assert said in refused(words, capsys)


def test_all_that_is_wrong_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--seats", 1, "--deals", 0, "--workers", 0, "--rules", "colour=red", "--anchor", "x"]
    said = refused([*NATIVE, *words], capsys)
    for name in ("--seats", "--deals", "--workers", "--rules", "colour", "--anchor"):
        assert name in said


def test_an_empty_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "_helper.py").write_text("")
    assert f"{tmp_path}: expected bots (.py files or packages" in refused([tmp_path], capsys)


@pytest.mark.parametrize(
    "words", [[], ["x" * 5000, "--seats", 9]], ids=["nothing", "what is not there"]
)
def test_a_real_process_refuses_with_exit_status_2(words: list[Any], tmp_path: Path) -> None:
    done = tournament(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 2


def test_a_folder_in_use_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.txt").write_text("all my work")
    said = refused([*NATIVE, "--out", tmp_path], capsys)
    assert "--out: expected a new or empty folder" in said
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_ratings_that_are_not_determined_give_exit_status_2_after_the_tables(
    here: InProcess,
) -> None:
    done = here(*NATIVE, "--prior", 0, "--deals", 20, "--seed", 1, "--json")
    assert done.returncode == 2
    result = json.loads(done.stdout)
    assert [line["rating"] for line in result["standings"]] == [None, None]
    assert all(line["points_mean"] is not None for line in result["standings"])
    lines = done.stderr.splitlines()
    assert re.match(r"no ratings: .*\{random\}, \{threshold\}; use a prior > 0$", lines[-2])
    assert digest_of(lines[-1]) == result["digest"]


def test_help_shows_every_option_with_its_default_and_examples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    for option in (
        *("--seats N", "--fill SPEC", "--deals D", "--duplicate {rotate,full,off}"),
        *("--deck {stack,lanes}", "--format {round-robin,gauntlet}", "--seed S", "--workers W"),
        *("--rules RULE", "--out DIR", "--records", "--on-fault {forfeit,abort}"),
        *("--skip-broken", "--anchor NAME=RATING", "--prior N"),
        *("--progress {auto,lines,off}", "--json"),
    ):
        assert re.search(rf" {re.escape(option)} [^-].*?\(default: ", text), option
    assert "--resume" not in text
    assert "python -m skyjo_core.tournament bots/" in text


# The machine


def test_a_folder_that_cannot_be_made_gives_exit_status_4(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("in the way")
    done = tournament(*NATIVE, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (4, "")
    assert "stopped by the machine: " in done.stderr
    assert "Not a directory" in done.stderr


def test_a_full_disk_gives_exit_status_4_and_the_standings_so_far(tmp_path: Path) -> None:
    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    words = ["--records", "--deals", 5000, "--seed", 1, "--out", "out"]
    done = tournament(*NATIVE, *words, cwd=tmp_path, preexec_fn=little_room)
    assert done.returncode == 4
    assert re.search(
        r"^stopped by the machine after \d+ of 10000 games; see out: .*File too large$",
        done.stderr,
        re.MULTILINE,
    )
    lines = done.stdout.splitlines()
    digest_of(lines[-1])
    n_games = int(re.search(r"(\d+) games, rules", lines[0])[1])  # type: ignore[index]
    assert 10 < n_games < 10_000
    assert (tmp_path / "out" / "records.jsonl.gz").stat().st_size == 50_000


def test_standard_output_on_a_full_disk_gives_exit_status_4(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = tournament(
            *[*NATIVE, "--deals", 1],
            cwd=tmp_path,
            capture_output=False,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 4
    assert done.stderr.splitlines()[-1].endswith("No space left on device")


@pytest.mark.parametrize("streams", [("stdout",), ("stdout", "stderr")], ids=len)
def test_nobody_need_read_to_the_end(streams: tuple[str, ...], tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = tournament(
        *[*NATIVE, "--deals", 1, "--out", "out"],
        cwd=tmp_path,
        capture_output=False,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | dict.fromkeys(streams, writer),
    )
    os.close(writer)
    assert done.returncode == 0
    assert done.stderr is None or len(done.stderr.splitlines()) == 1
    assert json.loads((tmp_path / "out" / "result.json").read_text())["digest"]


def test_closed_streams_do_no_harm(tmp_path: Path) -> None:
    words = [str(HEALTHY / "first.py"), "native:random", "--deals 1 --workers 1 --out out"]
    command = " ".join([*COMMAND, *words, "<&- >&-"])
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0
    assert not re.search(rb"Traceback|Exception ignored", done.stderr)
    assert json.loads((tmp_path / "out" / "result.json").read_text())["digest"]


def test_a_module_of_the_current_folder_is_a_bot_and_none_of_the_standard_library(
    tmp_path: Path,
) -> None:
    for name in ("colorsys.py", "random.py", "json.py"):
        (tmp_path / name).write_text("raise ImportError('not the standard library')\n")
    (tmp_path / "mine.py").write_text((HEALTHY / "taker.py").read_text())
    bots = ["mine:Taker:back=2", WATCHING / "standard_library.py"]
    done = tournament(*bots, "--deals", 1, "--workers", 1, cwd=tmp_path)
    assert done.returncode == 0
    assert " Taker " in done.stdout


# Ctrl-C


def start(*words: object, cwd: Path, **more: Any) -> subprocess.Popen[str]:
    """A tournament that runs on."""
    return subprocess.Popen(
        [*COMMAND, *map(str, words)],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def until_it_plays(process: subprocess.Popen[str], played: Callable[[], bool]) -> set[int]:
    """Waits until it has begun and the condition holds; gives the workers."""
    assert process.stderr is not None
    assert "results in" in process.stderr.readline()
    wait_until(played)
    return workers_of(process.pid)


def test_ctrl_c_gives_the_standings_so_far_and_leaves_no_process(tmp_path: Path) -> None:
    words = [HEALTHY, FAULTY / "prints.py", "--deals", 10**6, "--records", "--out", "out"]
    process = start(*words, cwd=tmp_path)
    log = tmp_path / "out" / "log"
    workers = until_it_plays(process, lambda: log.exists() and log.stat().st_size > 20_000)
    assert workers
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert all(gone(worker) for worker in workers)
    assert "Traceback" not in out + err
    digest = digest_of(out.splitlines()[-1])
    n_games = int(re.search(r"interrupted after (\d+) of 12000000 games; see out", err)[1])  # type: ignore[index]
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert n_games * 2 == sum(line["games"] for line in result["standings"]) > 100
    assert result["digest"] == digest
    with gzip.open(tmp_path / "out" / "records.jsonl.gz", "rt") as records:
        assert sum(1 for _ in records) == n_games


def test_ctrl_c_again_and_again_loses_nothing(tmp_path: Path) -> None:
    words = [*NATIVE, "--deals", 10**6, "--records", "--json", "--out", "out"]
    process = start(*words, cwd=tmp_path)
    records = tmp_path / "out" / "records.jsonl.gz"
    until_it_plays(process, lambda: records.exists() and records.stat().st_size > 5_000)
    result = tmp_path / "out" / "result.json"

    def press_again() -> bool:
        process.send_signal(signal.SIGINT)
        return result.exists()

    wait_until(press_again)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert digest_of(err.splitlines()[-1]) == json.loads(out)["digest"]


def test_ctrl_c_while_bots_are_loaded_leaves_no_process(tmp_path: Path) -> None:
    waiting = tmp_path / "waiting"
    environment = os.environ | {"WAITING": str(waiting)}
    words = [WATCHING / "waits_at_import.py", "native:random", "--out", "out"]
    process = start(*words, cwd=tmp_path, env=environment)
    wait_until(lambda: waiting.exists() and waiting.read_text() != "")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert err == "python -m skyjo_core.tournament: interrupted before the first game\n"
    assert gone(int(waiting.read_text()))
    assert not (tmp_path / "out").exists()


def test_ctrl_c_during_a_game_that_never_ends_leaves_no_process(tmp_path: Path) -> None:
    environment = os.environ | {"GO": str(tmp_path / "never")}
    words = [WATCHING / "waits.py", "native:random", "--out", "out", "--workers", 2, "--json"]
    process = start(*words, cwd=tmp_path, env=environment)
    workers = until_it_plays(process, lambda: len(workers_of(process.pid)) == 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted after 0 of 200 games; see out" in err
    assert [line["games"] for line in json.loads(out)["standings"]] == [0, 0]
    assert all(gone(worker) for worker in workers)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_when_the_tournament_is_killed_during_a_game(
    tmp_path: Path, number: signal.Signals
) -> None:
    environment = os.environ | {"GO": str(tmp_path / "never")}
    words = [WATCHING / "waits.py", "native:random", "--out", "out", "--workers", 2]
    process = start(*words, cwd=tmp_path, env=environment)
    workers = until_it_plays(process, lambda: len(workers_of(process.pid)) == 2)
    process.send_signal(number)
    process.communicate(timeout=20)
    assert process.returncode == -number
    wait_until(lambda: all(gone(worker) for worker in workers))
