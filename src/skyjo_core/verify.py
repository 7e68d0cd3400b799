# SPDX-License-Identifier: MIT
"""Records held against the rules. `python -m skyjo_core.verify` is the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from skyjo_core import _core
from skyjo_core.moves import DRAW, move_name
from skyjo_core.record_difference import Difference, text_of
from skyjo_core.record_file import RecordFile
from skyjo_core.record_form import parse_record, read_rules
from skyjo_core.rules import Rules, deck_pairs

__all__ = ["Difference", "Verdict", "verify_file", "verify_record"]

Entry = Mapping[str, Any]
"""A round of a record."""
Played = Mapping[str, Any]
"""What _core.Replay.play says of a round."""

_NO_MOVE: Final = 37  # stands for every number that is no move


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one line of a file.

    Attributes
    ----------
    line : int
        Its number, from 1.
    difference : Difference or None
        The first one; None where the record is right.
    """

    line: int
    difference: Difference | None


def verify_file(file: str | Path | RecordFile) -> Iterator[Verdict]:
    """The verdict on each line of a file of records, plain or gzip.

    Parameters
    ----------
    file : str, Path or RecordFile
        The string "-" is standard input.

    Raises
    ------
    OSError
        The file cannot be read.

    Examples
    --------
    >>> _ = Path("games.jsonl").write_text("{}")
    >>> [str(verdict.difference) for verdict in verify_file("games.jsonl")]
    ["keys: expected 'format', got an object without it"]
    """
    if not isinstance(file, RecordFile):
        with RecordFile(file) as opened:
            yield from verify_file(opened)
        return
    for number, line in file:
        found = line if isinstance(line, Difference) else parse_record(line)
        yield Verdict(number, found if isinstance(found, Difference) else verify_record(found))


def verify_record(record: object) -> Difference | None:
    """The first difference between a record and the rules, None if it is right.

    First the form of the whole record is looked at, then it is played again round by round, and
    last its faults, totals, end and places. Names, details, the seed and the order of cards that
    nobody saw are not determined by the rules.

    Parameters
    ----------
    record : object
        A record as `Game.record()` gives it, or as JSON holds it.

    Examples
    --------
    >>> from skyjo_core import Game
    >>> record = Game(seed=1).record()
    >>> verify_record(record)
    >>> record["totals"][0] = 5
    >>> print(verify_record(record))
    totals: expected [0, 0], got [5, 0]
    """
    rules = read_rules(record)
    if isinstance(rules, Difference):
        return rules
    assert isinstance(record, dict)
    return _Replayed(record, rules).first_difference()


class _Replayed:
    """One pass over a record whose form is right."""

    def __init__(self, record: Mapping[str, Any], rules: Rules) -> None:
        self.record = record
        self.rules = rules
        self.rounds: list[Entry] = record["rounds"]
        self.cards = _cards(rules)
        self.n_seats = len(record["players"])
        self.replay = _core.Replay(rules._setup, self.n_seats)
        # Whose decision each move of a round was; where the round is not over the next one, too.
        self.seats: list[tuple[int, ...]] = []
        self.is_unfinished = record["end"] in (None, "abort")

    def first_difference(self) -> Difference | None:
        for number, entry in enumerate(self.rounds):
            if self.replay.over:
                return Difference("rounds", "the end of the game", "another round", number)
            difference = _deck_difference(entry["deck"], self.cards) or self._round(number, entry)
            if difference is not None:
                return replace(difference, round=number)
        return self._faults() or self._end()

    def _round(self, number: int, entry: Entry) -> Difference | None:
        played = self._play(entry)
        self.seats.append(played["seats"])
        is_last = number == len(self.rounds) - 1
        return (
            _starter_difference(played, entry)
            or _move_difference(played, entry, self.rules)
            or self._results(played, entry, is_running=self.is_unfinished and is_last)
        )

    def _play(self, entry: Entry) -> Played:
        """The next round, with nothing in it that the core cannot even read."""
        starter: int | None = entry["starter"]
        values = set(self.rules.values)
        return self.replay.play(
            entry["deck"],
            starter if starter in range(self.n_seats) else None,
            _playable(entry["moves"]),
            [pile if values.issuperset(pile) else [] for pile in entry["reshuffles"]],
        )

    def _results(self, played: Played, entry: Entry, *, is_running: bool) -> Difference | None:
        """What a round came to, once all of its moves are right."""
        is_over = played["phase"] == _core.Phase.OVER
        n_moves = len(entry["moves"])
        last = n_moves - 1 if n_moves else None
        if is_over and is_running and not (self.replay.over and self.record["end"] == "abort"):
            return Difference("rounds", "an unfinished last round", "a finished one", move=last)
        if not is_over and not is_running:
            return Difference(
                "moves", _one_of(played["legal"]), "the end of the moves", move=n_moves
            )
        if played["starters"] is None and entry["starter"] is not None:
            got = text_of(entry["starter"])
            return Difference("starter", "null before the last opening flip", got, move=last)
        n_piles = len(entry["reshuffles"])
        if n_piles != played["reshuffles"]:
            expected = f"as many as draw piles were made new, {played['reshuffles']}"
            return Difference("reshuffles", expected, f"{n_piles}", move=last)
        difference = _comparison(entry, self._expected(played, entry, is_running=is_running))
        return None if difference is None else replace(difference, move=last)

    def _expected(self, played: Played, entry: Entry, *, is_running: bool) -> dict[str, object]:
        # A stop leaves these three null, even where it came after the game's last move.
        closer, raw, points = played["closer"], played["raw"], played["points"]
        if is_running:
            raw = points = None
            # A running game may tell who has closed, or not.
            if self.record["end"] == "abort" or entry["closer"] is None:
                closer = None
        return {
            "closer": closer,
            "stalled": played["stalled"],
            "capped": played["capped"],
            "raw": None if raw is None else list(raw),
            "points": None if points is None else list(points),
        }

    def _faults(self) -> Difference | None:
        forfeited: set[int] = set()
        for number, fault in enumerate(self.record["faults"]):
            name = f"faults[{number}]"
            round, move, seat = fault["round"], fault["move"], fault["seat"]
            if seat in forfeited:
                expected = "each seat once, for a built-in bot plays on for it"
                return Difference(f"{name}: seat", expected, text_of(seat), round)
            forfeited.add(seat)
            if round >= len(self.rounds):
                last = len(self.rounds) - 1
                return Difference(f"{name}: round", f"0 to {last}", text_of(round))
            n_moves = len(self.rounds[round]["moves"])
            # A hook's fault names the next decision, which nobody may have made any more.
            if move > n_moves:
                return Difference(f"{name}: move", f"0 to {n_moves}", text_of(move), round)
            # Only a decision can be an illegal move; a hook's fault may be anybody's.
            if fault["kind"] != "illegal_move":
                continue
            seats = self.seats[round]
            if move >= len(seats):
                expected = f"a decision, 0 to {len(seats) - 1}"
                return Difference(f"{name}: move", expected, text_of(move), round)
            if seat != seats[move]:
                return Difference(f"{name}: seat", str(seats[move]), text_of(seat), round, move)
        return None

    def _end(self) -> Difference | None:
        expected: dict[str, object] = {"totals": list(self.replay.totals)}
        if self.is_unfinished:
            expected["places"] = None
            return _comparison(self.record, expected)
        places = self.replay.places
        if places is None:
            return Difference("rounds", "another round", "the end of the record")
        expected["end"] = self.replay.end
        forfeiters = {fault["seat"] for fault in self.record["faults"]}
        expected["places"] = _with_forfeits(places, forfeiters)
        return _comparison(self.record, expected)


@lru_cache(maxsize=16)
def _cards(rules: Rules) -> list[int]:
    """All cards of the deck, ascending."""
    return sorted(value for value, n in deck_pairs(rules.deck) for _ in range(n))


def _playable(moves: list[int]) -> list[int]:
    """The moves, with another number for those that the core cannot even read."""
    if not moves or (min(moves) >= 0 and max(moves) <= DRAW):
        return moves
    return [move if 0 <= move <= DRAW else _NO_MOVE for move in moves]


def _deck_difference(deck: list[int], cards: list[int]) -> Difference | None:
    if sorted(deck) == cards:
        return None
    if len(deck) != len(cards):
        return Difference("deck", f"{len(cards)} cards", f"{len(deck)}")
    expected, got = Counter(cards), Counter(deck)
    wrong = min(value for value in {*cards, *deck} if expected[value] != got[value])
    return Difference("deck", f"{expected[wrong]} cards of {text_of(wrong)}", f"{got[wrong]}")


def _starter_difference(played: Played, entry: Entry) -> Difference | None:
    starters, got = played["starters"], entry["starter"]
    if starters is None or got in starters:
        return None
    return Difference(
        "starter", _one_of(", ".join(map(str, starters))), text_of(got), move=played["opening"]
    )


def _move_difference(played: Played, entry: Entry, rules: Rules) -> Difference | None:
    """What makes it impossible to play on."""
    problem, move = played["problem"], played["played"]
    if problem is None:
        return None
    if problem == "reshuffle":
        used, piles = played["reshuffles"] - 1, entry["reshuffles"]  # the one at fault counts
        got = text_of(piles[used]) if used < len(piles) else "none"
        expected = f"a draw pile made of {text_of(list(played['cards']))}"
        return Difference(f"reshuffles[{used}]", expected, got, move=move)
    got = _name(entry["moves"][move], rules)
    if problem == "over":
        return Difference("moves", "the end of the round", got, move=move)
    return Difference("legal move", _one_of(played["legal"]), got, move=move)


def _name(move: int, rules: Rules) -> str:
    try:
        return repr(move_name(move, rules=rules))
    except ValueError:
        return text_of(move)


def _one_of(choices: str) -> str:
    return f"one of {choices}" if ", " in choices else choices


def _comparison(got: Mapping[str, object], expected: Mapping[str, object]) -> Difference | None:
    """The first value that differs; the form is right, so equal values are of equal types."""
    for name, value in expected.items():
        if got[name] != value:
            return Difference(name, text_of(value), text_of(got[name]))
    return None


def _with_forfeits(places: Sequence[int], forfeiters: Collection[int]) -> list[int]:
    """Places where all forfeiters share the last one and the others stay in their order."""
    others = [place for seat, place in enumerate(places) if seat not in forfeiters]
    return [
        1 + (len(others) if seat in forfeiters else sum(other < place for other in others))
        for seat, place in enumerate(places)
    ]


if __name__ == "__main__":
    import sys

    from skyjo_core.verify_cli import main

    sys.exit(main())
