# SPDX-License-Identifier: MIT
"""Runs cases, the worked examples of the rules, on the engine; and their command line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final

from skyjo_core import _core
from skyjo_core.case import case_faults, players_of, read_cases
from skyjo_core.case_difference import (
    Difference,
    Missing,
    by_player,
    compare,
    listed,
    reason,
    show,
)
from skyjo_core.case_position import run_final_count, run_position
from skyjo_core.command_line import USAGE, Parser, printable, run
from skyjo_core.progress import say
from skyjo_core.rules import Rules

__all__ = ["CaseResult", "Difference", "main", "run_case", "run_cases"]

RIGHT: Final = 0
WRONG: Final = 1

Case = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of one case.

    Attributes
    ----------
    number : int
        Its place in the file, from 1.
    id, title : str or None
        As the case has them; None where it has no text there.
    differences : tuple of Difference
        Empty: the case is right.
    """

    number: int
    id: str | None
    title: str | None
    differences: tuple[Difference, ...]


def run_case(case: object) -> list[Difference]:
    """What is wrong with a case, or different from what it wants; nothing if it is right.

    Parameters
    ----------
    case : object
        One entry of a case file (docs/format.md), as JSON gives it.

    Notes
    -----
    `tied` and `winners` are sets: any order is right. A `starter` is that of a first round; where
    chance decides, anybody is right whom it may choose, with `tied` listed the choice of the
    default tie-break. After a reshuffle that the case does not list, `draw` and `hand` are compared
    as one heap of cards, for any of them may have been the first; everything else is compared as
    it is written. A step that cannot be played ends the case.

    Examples
    --------
    >>> case = {"id": "C41", "title": "7 against 4", "kind": "score", "raw": {"A": 7, "B": 4},
    ...         "closer": "A", "want": {"points": {"A": 7, "B": 4}}}
    >>> for difference in run_case(case):
    ...     print(difference)
    want.points: expected {'A': 7, 'B': 4}, got {'A': 14, 'B': 4}
    """
    faults = case_faults(case)
    if faults or not isinstance(case, dict):
        return faults
    try:
        rules = Rules.from_dict(case.get("rules", {}))
    except ValueError as error:
        return [Difference("rules", "options of docs/rules.md", reason(error))]
    return _RUNNERS[case["kind"]](rules, case)


def run_cases(cases: Iterable[object]) -> list[CaseResult]:
    """The results of the cases of one file, in which no id stands twice."""
    results = []
    ids: set[str] = set()
    for number, case in enumerate(cases, start=1):
        differences = run_case(case)
        id_, title = _text(case, "id"), _text(case, "title")
        if id_ is not None and id_ in ids:
            differences.append(Difference("id", "each id once in a file", f"{show(id_)} again"))
        if id_ is not None:
            ids.add(id_)
        results.append(CaseResult(number, id_, title, tuple(differences)))
    return results


def _text(case: object, key: str) -> str | None:
    text = case.get(key) if isinstance(case, dict) else None
    return text if isinstance(text, str) else None


# The kinds


def _run_starter(rules: Rules, case: Case) -> list[Difference]:
    players = players_of(case)
    open_cards = [[int(card) for card in cards] for cards in case["open"].values()]
    wrong = sorted({card for cards in open_cards for card in cards} - set(rules.values))
    if wrong:
        return [Difference("open", f"cards of the deck {rules.values}", show(wrong))]
    none = rules.values[0] - 1  # the highest card of a seat without open cards: below any other's
    keys = [(sum(cards), max(cards, default=none)) for cards in open_cards]
    highest = max(total for total, _ in keys)
    tied = [player for player, key in zip(players, keys, strict=True) if key[0] == highest]
    want = case["want"]
    allowed = [players[seat] for seat in _starters(rules, keys)]
    if len(allowed) > 1 and "tied" in want:
        default = rules.replace(start_first="highest_sum", start_tie="max_card_then_seat")
        allowed = [players[seat] for seat in _starters(default, keys)]
    starter = want["starter"] if want.get("starter") in allowed else Missing(listed(allowed))
    return compare(want, {"starter": starter, "tied": tied})


def _starters(rules: Rules, keys: list[tuple[int, int]]) -> Sequence[int]:
    """The seats that may start a first round: one, or those among which chance decides."""
    if rules.start_first == "seat":
        return [0]
    if rules.start_first == "random":
        return range(len(keys))
    return _core.starters(rules._setup, keys)


def _run_score(rules: Rules, case: Case) -> list[Difference]:
    return compare(case["want"], {"points": _points(rules, case["raw"], case["closer"])})


def _points(rules: Rules, raw: Mapping[str, int], closer: str | None) -> dict[str, int]:
    players = list(raw)
    seat = None if closer is None else players.index(closer)
    return by_player(players, _core.score(rules._setup, list(raw.values()), seat))


def _run_doubling_options(rules: Rules, case: Case) -> list[Difference]:
    closer = case["closer"]
    points = {
        option: [_points(rules.replace(double=option), raw, closer)[closer] for raw in case["raw"]]
        for option in _core.RULE_WORDS["double"]
    }
    return compare(case["want"], {"closer_points": points})


class _Sheet:
    """The score sheet of a case: players by name."""

    def __init__(self, rules: Rules, totals: Mapping[str, int]) -> None:
        self.rules = rules
        self.players = list(totals)
        self.sheet = _core.ScoreSheet(rules._setup, list(totals.values()))

    def add(self, points: Mapping[str, int]) -> None:
        self.sheet.add([points[player] for player in self.players])

    def add_raw(self, raw: Mapping[str, int], closer: str | None) -> None:
        self.add(_points(self.rules, raw, closer))

    @property
    def over(self) -> bool:
        return self.sheet.over

    @property
    def totals(self) -> dict[str, int]:
        return by_player(self.players, self.sheet.totals)

    @property
    def winners(self) -> list[str] | Missing:
        if not self.sheet.over:
            return Missing("none: the game is not over")
        return [self.players[seat] for seat in self.sheet.winners]


def _run_game_end(rules: Rules, case: Case) -> list[Difference]:
    sheet = _Sheet(rules, case["totals"])
    if "points" in case:
        sheet.add(case["points"])
    else:
        sheet.add_raw(case["raw"], case["closer"])
    found = {"totals": sheet.totals, "over": sheet.over, "winners": sheet.winners}
    return compare(case["want"], found)


def _run_game(rules: Rules, case: Case) -> list[Difference]:
    sheet = _Sheet(rules, dict.fromkeys(players_of(case), 0))
    history = []
    for number, entry in enumerate(case["rounds"], start=1):
        if sheet.over:
            got = f"{len(case['rounds'])} of them, over after {number - 1}"
            return [Difference("rounds", "no round once the game is over", got)]
        sheet.add_raw(entry["raw"], entry["closer"])
        history.append(sheet.totals)
    found = {"totals_after_each_round": history, "winners": sheet.winners}
    return compare(case["want"], found)


_RUNNERS: Final[dict[str, Callable[[Rules, Case], list[Difference]]]] = {
    "starter": _run_starter,
    "position": run_position,
    "final_count": run_final_count,
    "score": _run_score,
    "doubling_options": _run_doubling_options,
    "game_end": _run_game_end,
    "game": _run_game,
}


# The command line

_MAX_BYTES: Final = 64 * 2**20  # of a case file

_EPILOG: Final = """\
examples:
  python -m skyjo_core.conformance tests/data/classic.json
  python -m skyjo_core.conformance cases/*.json --json > result.json

A FILE is a JSON array of cases (docs/format.md); - is standard input. Exit status: 0 all cases
are right, 1 some are wrong, 2 usage, or a file cannot be read (the others are run all the same),
130 interrupted.
"""


def _parser(prog: str) -> Parser:
    parser = Parser(
        prog=prog,
        description="Runs case files, worked examples of the rules, on the engine.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="case file, or - (standard input)")
    parser.add_argument(
        "--json",
        action="store_true",
        help="the result as one JSON object on standard output, all else on standard error "
        "(default: no)",
    )
    return parser


def main(argv: Sequence[str] | None = None, prog: str = "python -m skyjo_core.conformance") -> int:
    """Runs the command line; returns the exit status."""
    return run(lambda: _main(argv, prog), prog)


def _main(argv: Sequence[str] | None, prog: str) -> int:
    arguments = _parser(prog).parse_intermixed_args(argv)
    return _run_files(arguments.files, prog, as_json=arguments.json)


def _run_files(names: Sequence[str], prog: str, *, as_json: bool) -> int:
    stream = sys.stderr if as_json else sys.stdout
    results: list[tuple[str, CaseResult]] = []
    unreadable: list[dict[str, str]] = []
    for name in names:
        try:
            cases = read_cases(_text_of(name))
        except ValueError as error:
            say(f"{prog}: {printable(f'{name}: {error}')}")
            unreadable.append({"file": name, "reason": str(error)})
            continue
        for result in run_cases(cases):
            _print(name, result, stream)
            results.append((name, result))
    n_wrong = sum(bool(result.differences) for _, result in results)
    if as_json:
        say(_as_json(results, unreadable, n_wrong), sys.stdout)
    say(f"{len(results) - n_wrong} cases right, {n_wrong} wrong", stream)
    return USAGE if unreadable else WRONG if n_wrong else RIGHT


def _text_of(name: str) -> str:
    """The text of a file; ValueError says why it has none."""
    try:
        if name == "-":
            data = b"" if sys.stdin is None else sys.stdin.buffer.read(_MAX_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise ValueError(f"expected a case file of at most {_MAX_BYTES} bytes, got more")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise ValueError(f"expected a case file, got: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"expected text in UTF-8, got {error.reason}") from None


def _print(name: str, result: CaseResult, stream: IO[str]) -> None:
    if not result.differences:
        return
    id_ = f"case {result.number}" if result.id is None else result.id
    title = "without a title" if result.title is None else result.title
    say(printable(f"{name}: {id_}: {title}"), stream)
    for difference in result.differences:
        say(f"  {printable(str(difference))}", stream)


def _as_json(
    results: Sequence[tuple[str, CaseResult]], unreadable: list[dict[str, str]], n_wrong: int
) -> str:
    return json.dumps(
        {
            "format": "skyjo-conformance/1",
            "right": len(results) - n_wrong,
            "wrong": n_wrong,
            "cases": [{"file": name, **asdict(result)} for name, result in results],
            "unreadable": unreadable,
        }
    )


if __name__ == "__main__":
    sys.exit(main())
