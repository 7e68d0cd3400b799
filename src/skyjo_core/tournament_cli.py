# SPDX-License-Identifier: MIT
"""The command line of the tournament: options in, tables and exit status out."""

from __future__ import annotations

import argparse
import os
import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from skyjo_core.command_line import USAGE, Parser, run
from skyjo_core.entrants import BrokenBotsError, Entrants, check_anchor, enter
from skyjo_core.folder import FolderTakenError, new_folder
from skyjo_core.interrupt import INTERRUPTED, Interrupt
from skyjo_core.loader import BrokenBotError
from skyjo_core.outcome import TournamentResult
from skyjo_core.progress import say
from skyjo_core.report import WIDTH, print_report
from skyjo_core.rules import parse_rules
from skyjo_core.settings import Settings
from skyjo_core.tournament import play
from skyjo_core.workers import WorkerLostError, WorkerPool

__all__ = ["main"]

FINE: Final = 0
FORFEITS: Final = 1
BROKEN: Final = 3
MACHINE: Final = 4

_FRAME: Final = re.compile(r'^  File "(.+)", line (\d+)', re.MULTILINE)
_MAX_FAULTS: Final = 10  # shown; all are in result.json and the log
_MAX_FAULT: Final = 300  # characters of each

_EPILOG: Final = """\
examples:
  python -m skyjo_core.tournament bots/
  python -m skyjo_core.tournament bots/ native:threshold:limit=4 --seats 4 --deals 500 --seed 1
  python -m skyjo_core.tournament mine.py bots/ --format gauntlet --rules classic-en
  python -m skyjo_core.tournament mine.py --seats 4 --fill native:random --json > result.json

A BOT is a folder (each bot in it), a Python file, native:NAME or module.path:Class, each with
:option=value,option=value behind it. Exit status: 0 fine, 1 a bot forfeited games, 2 usage,
3 a bot cannot be loaded, 4 stopped by the machine, 130 interrupted.
"""

# Every option: its name, how argparse reads it, and what it means.
_OPTIONS: Final[list[tuple[str, dict[str, Any], str]]] = [
    (
        "--seats",
        {"type": int, "default": 2, "metavar": "N"},
        "seats at a table (default: 2)",
    ),
    (
        "--fill",
        {"metavar": "SPEC"},
        "the bot that takes the seats left over when there are fewer bots than seats "
        "(default: none), e.g. native:random",
    ),
    (
        "--deals",
        {"type": int, "default": 100, "metavar": "D"},
        "deals; every line-up plays every deal (default: 100)",
    ),
    (
        "--duplicate",
        {"default": "rotate", "choices": ("rotate", "full", "off")},
        "seatings of a line-up on a deal: the rotations of one order of neighbours, of all "
        "orders, or one seating (default: rotate)",
    ),
    (
        "--deck",
        {"default": "stack", "choices": ("stack", "lanes")},
        "how the draw pile is shared out (default: stack)",
    ),
    (
        "--format",
        {"default": "round-robin", "choices": ("round-robin", "gauntlet")},
        "all against all, or the first bot against the others (default: round-robin)",
    ),
    (
        "--seed",
        {"type": int, "metavar": "S"},
        "master seed, 0 to 2**64 - 1 (default: drawn, and printed)",
    ),
    (
        "--workers",
        {"type": int, "metavar": "W"},
        "worker processes, threads where all bots are native (default: all cores)",
    ),
    (
        "--rules",
        {"action": "append", "default": [], "metavar": "RULE"},
        "a preset (classic-fr, classic-en) or key=value; repeatable, or several apart by commas "
        "(default: classic-fr), e.g. --rules classic-en --rules threshold=50",
    ),
    (
        "--out",
        {"type": Path, "metavar": "DIR"},
        "results folder, new or empty (default: runs/<date>-<number>)",
    ),
    ("--records", {"action": "store_true"}, "write DIR/records.jsonl.gz (default: no)"),
    (
        "--on-fault",
        {"default": "forfeit", "choices": ("forfeit", "abort")},
        "whether a bot at fault forfeits that game, or all stops there (default: forfeit)",
    ),
    (
        "--skip-broken",
        {"action": "store_true"},
        "leave out bots that cannot be loaded (default: no)",
    ),
    (
        "--anchor",
        {"metavar": "NAME=RATING"},
        "give this bot this rating (default: mean 0 over the field), e.g. random=0",
    ),
    (
        "--prior",
        {"type": float, "default": 1.0, "metavar": "N"},
        "virtual ties that keep every rating finite (default: 1)",
    ),
    (
        "--progress",
        {"default": "auto", "choices": ("auto", "lines", "off")},
        "a bar on a terminal and lines elsewhere, lines, or nothing (default: auto)",
    ),
    (
        "--json",
        {"action": "store_true"},
        "the result as one JSON object on standard output, all else on standard error "
        "(default: no)",
    ),
]

# Options of later versions: refused by name rather than misread.
_LATER: Final = {
    "--budget": "GAMES",
    "--resume": "DIR",
    "--time-limit": "MS",
    "--game-time": "S",
    "--hang-limit": "S",
    "--memory-limit": "MB",
    "--isolation": "LEVEL",
    "--max-forfeits": "N",
    "--cluster": "ADDRESS",
}


class _Later(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> NoReturn:
        parser.error(f"{option_string} is not available in this version; it comes in a later one")


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = Parser(
        prog=prog,
        description="Plays a tournament of Skyjo bots and ranks them.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("bots", nargs="+", metavar="BOT", help="folder, file or spec")
    for option, settings, text in _OPTIONS:
        parser.add_argument(option, help=text, **settings)
    for option, value in _LATER.items():
        parser.add_argument(option, action=_Later, metavar=value, help=argparse.SUPPRESS)
    return parser


def _settings(arguments: argparse.Namespace) -> Settings:
    faults = []
    rules = None
    try:
        rules = parse_rules([word for rule in arguments.rules for word in rule.split(",")])
    except ValueError as error:
        faults.append(f"--{error}")
    anchor = None
    if arguments.anchor is not None:
        name, _, rating = arguments.anchor.rpartition("=")
        try:
            anchor = (name, float(rating))
        except ValueError:
            faults.append(f"--anchor: expected NAME=RATING, got {arguments.anchor!r}")
    fields: dict[str, Any] = {
        name: getattr(arguments, name)
        for name in (
            "seats",
            "deals",
            "duplicate",
            "format",
            "deck",
            "on_fault",
            "records",
            "prior",
        )
    }
    fields["seed"] = secrets.randbits(64) if arguments.seed is None else arguments.seed
    fields["workers"] = (os.cpu_count() or 1) if arguments.workers is None else arguments.workers
    if rules is not None:
        fields["rules"] = rules
    try:
        settings = Settings(**fields, anchor=anchor)
    except ValueError as error:
        faults += [f"--{fault}" for fault in str(error).split("; ")]
    if faults:
        raise ValueError("; ".join(faults))
    return settings


def main(argv: Sequence[str] | None = None, prog: str = "python -m skyjo_core.tournament") -> int:
    """Runs the command line; returns the exit status."""
    return run(lambda: _main(argv, prog), prog)


def _main(argv: Sequence[str] | None, prog: str) -> int:
    parser = _parser(prog)
    arguments = parser.parse_intermixed_args(argv)
    try:
        return _tournament(arguments)
    except (ValueError, FileNotFoundError, FolderTakenError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            say(f"{prog}: stopped by the machine: {error}")
            return MACHINE
        parser.error(str(error))
    except BrokenBotsError as error:
        n = len(error.faults)
        say(
            f"{prog}: {n} bot{'s' * (n > 1)} cannot be loaded (--skip-broken leaves such bots out):"
        )
        for fault in error.faults:
            say(f"  {fault}")
        return BROKEN
    except BrokenBotError as error:
        say(f"{prog}: a bot could be loaded before and cannot now: {error}")
        return BROKEN
    except WorkerLostError as error:
        say(f"{prog}: {error}")
        return FORFEITS
    except OSError as error:
        say(f"{prog}: stopped by the machine: {error}")
        return MACHINE
    except KeyboardInterrupt:
        say(f"{prog}: interrupted before the first game")
        return INTERRUPTED


def _tournament(arguments: argparse.Namespace) -> int:
    settings = _settings(arguments)
    with Interrupt() as interrupt, WorkerPool() as pool:
        with interrupt.allowed():
            entrants = enter(
                arguments.bots,
                fill=arguments.fill,
                seats=settings.seats,
                skip_broken=arguments.skip_broken,
                pool=pool,
                tell=say,
            )
            check_anchor(settings, entrants)
            folder = new_folder(arguments.out)
        for note in entrants.notes:
            say(note)
        _announce(settings, entrants, folder)
        result, stopped = play(
            entrants,
            settings,
            pool=pool,
            out=folder,
            progress=arguments.progress,
            interrupt=interrupt,
        )
        return _print_result(result, stopped, folder, as_json=arguments.json)


def _announce(settings: Settings, entrants: Entrants, folder: Path) -> None:
    bots = ", ".join(entrants.names)
    say(f"{len(entrants.names)} bots: {bots}; seed {settings.seed}; results in {folder}")


def _print_result(
    result: TournamentResult, stopped: BaseException | None, folder: Path, *, as_json: bool
) -> int:
    """Tables, what went wrong, the digest last; returns the exit status.

    With as_json the object alone goes to standard output.
    """
    from rich.console import Console

    stream = sys.stderr if as_json else sys.stdout
    console = Console(file=stream, width=WIDTH, emoji=False, highlight=False)
    with console.capture() as report:
        if result.n_games > 0:  # tables full of dashes help nobody
            print_report(console, result.title, result.standings, result.crosstable, result.notes)
    lines = [line.rstrip() for line in report.get().rstrip().splitlines()]
    for line in [*lines, *_fault_lines(result)]:
        say(line, stream)
    status, notes = _status(result, stopped, folder)
    for note in notes:
        say(note)
    if as_json:
        say(result.to_json(), sys.stdout)
    say(f"digest {result.digest}", stream)
    return status


def _fault_lines(result: TournamentResult) -> list[str]:
    """A line for each bot and cause: how often, where first, what and at which line of the bot."""
    causes: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for fault in result.faults:
        causes.setdefault((fault["bot"], fault["kind"], _cause(fault["detail"])), []).append(fault)
    lines = []
    for (bot, kind, cause), faults in list(causes.items())[:_MAX_FAULTS]:
        first = faults[0]
        place = f"game {first['game']}, round {first['round']}, move {first['move']}"
        where = place if len(faults) == 1 else f"{len(faults)} games, first in {place}"
        lines.append(f"{bot} forfeited {where}: {kind}: {cause}")
    left = len(causes) - _MAX_FAULTS
    if left > 0:
        lines.append(f"... and {left} more kinds of forfeits, all in the log")
    return lines


def _cause(detail: str) -> str:
    """The last line of a fault's detail, with file and line of the bot where they are known."""
    last = detail.splitlines()[-1] if detail else ""
    last = last.partition("; legal: ")[0].partition(", expected one of: ")[0]
    if len(last) > _MAX_FAULT:
        last = last[:_MAX_FAULT] + "..."
    frames = _FRAME.findall(detail)
    if frames:
        file, line = frames[-1]
        last += f" ({Path(file).name}:{line})"
    # What moves a terminal's cursor is shown, not obeyed.
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in last)


def _status(
    result: TournamentResult, stopped: BaseException | None, folder: Path
) -> tuple[int, list[str]]:
    """The exit status, and why it is not 0."""
    notes = []
    status = FINE
    if result.ratings_error is not None:
        notes.append(f"no ratings: {result.ratings_error}")
        status = USAGE
    if result.faults:
        games = len({fault["game"] for fault in result.faults})
        what = f"{games} game{'s were' if games > 1 else ' was'} forfeited"
        if result.settings.on_fault == "abort":
            what = f"stopped at a fault in game {result.faults[-1]['game']}"
        notes.append(f"{what}; tracebacks are in {folder / 'log'}")
        status = FORFEITS
    if stopped is not None:
        so_far = f"after {result.n_games} of {result.n_scheduled} games; see {folder}"
        if isinstance(stopped, KeyboardInterrupt):
            notes.append(f"interrupted {so_far}")
            status = INTERRUPTED
        elif isinstance(stopped, OSError):
            notes.append(f"stopped by the machine {so_far}: {stopped}")
            status = MACHINE
        else:
            notes.append(f"stopped {so_far}: {stopped}")
            status = FORFEITS
    return status, notes
