# SPDX-License-Identifier: MIT
"""What came of a tournament: standings, crosstable, ratings and records in one value."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, Any, Final

from skyjo_core.bradley_terry import win_groups
from skyjo_core.ratings import Ratings, rate
from skyjo_core.report import as_text
from skyjo_core.rules import rules_text
from skyjo_core.schedule import Schedule
from skyjo_core.settings import Settings
from skyjo_core.standings import Crosstable, Standing, crosstable, standings
from skyjo_core.tally import Tally

__all__ = ["TournamentResult"]

_FEW_DEALS: Final = 20
_MAX_LISTED: Final = 5  # bots named in a note


class _FromItsStart(io.RawIOBase):
    """A file read from its start, at a position of its own: it may be read by several at once."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file: Any = file
        self._position = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._file.seek(self._position)
        n_read: int = self._file.readinto(buffer)
        self._position += n_read
        return n_read


class TournamentResult:
    """What came of a tournament.

    Attributes
    ----------
    standings : list of Standing
        Best first.
    crosstable : Crosstable
        Each bot against each other.
    ratings : Ratings or None
        The joint ratings with their covariance; None where they are not determined.
    ratings_error : str or None
        Why they are not.
    settings : Settings
    bots : dict of str to str
        Where each bot came from, with its options.
    digest : str
        Equal for equal tournaments, however they were run.
    faults : list of dict
        game, bot, round, move, seat, kind, detail of each forfeit.
    n_games, n_scheduled : int
        Games played, and how many there were to play.
    notes : list of str
    """

    def __init__(
        self,
        tally: Tally,
        schedule: Schedule,
        settings: Settings,
        notes: Sequence[str],
        bots: Mapping[str, str],
    ) -> None:
        results = tally.results()
        self.settings = settings
        self.bots = dict(bots)
        self.ratings: Ratings | None = None
        self.ratings_error: str | None = None
        try:
            self.ratings = rate(results, prior=settings.prior, anchor=settings.anchor)
        except ValueError as error:
            self.ratings_error = str(error)
        self.standings: list[Standing] = standings(results, self.ratings or rate(results))
        if self.ratings is None:
            self.standings = [
                replace(line, rating=None, rating_low=None, rating_high=None)
                for line in self.standings
            ]
        self.crosstable: Crosstable = crosstable(results)
        self.digest = tally.digest
        self.faults = tally.faults
        self.n_games = tally.n_games
        self.n_scheduled = schedule.n_games
        self.notes = [*notes, *_notes(self, schedule)]
        self._records: IO[bytes] | Path | None = None

    @property
    def title(self) -> str:
        """One line that says what was played."""
        settings = self.settings
        return (
            f"{len(self.crosstable.bots)} bots, {settings.seats} seats, {settings.deals} deals, "
            f"{self.n_games} games, rules {rules_text(settings.rules)}, {settings.deck} deck, "
            f"duplicate {settings.duplicate}, seed {settings.seed}"
        )

    def records(self) -> Iterator[dict[str, Any]]:
        """The record of each game, in schedule order.

        Raises
        ------
        ValueError
            The tournament was run with records=False.
        """
        if self._records is None:
            raise ValueError("records: expected a tournament run with records=True")
        source: Any = self._records
        if not isinstance(source, Path):
            source = io.BufferedReader(_FromItsStart(source))
        with gzip.open(source, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data: "skyjo-result/1" of docs/format.md."""
        table = self.crosstable
        return {
            "format": "skyjo-result/1",
            "standings": [asdict(line) for line in self.standings],
            "crosstable": {
                "bots": list(table.bots),
                "score": table.score.tolist(),
                "games": table.games.tolist(),
                "points": table.points.tolist(),
            },
            "digest": self.digest,
            "seed": str(self.settings.seed),
            "deck": self.settings.deck,
            "duplicate": self.settings.duplicate,
            "faults": self.faults,
            "bots": self.bots,
            "rules": self.settings.rules.to_dict(),
            "seats": self.settings.seats,
            "deals": self.settings.deals,
            "schedule": self.settings.format,
            "games": self.n_games,
        }

    def to_json(self) -> str:
        """The result as one JSON object on one line."""
        return json.dumps(self.to_dict())

    def __str__(self) -> str:
        return as_text(self.title, self.standings, self.crosstable, self.notes)


def _notes(result: TournamentResult, schedule: Schedule) -> list[str]:
    """What a reader of the tables must know to believe them rightly."""
    notes = []
    ratings = result.ratings
    if ratings is not None:
        deals = f"{ratings.n_clusters} deals"
        few = (
            ", few: take the intervals with a grain of salt"
            if ratings.n_clusters < _FEW_DEALS
            else ""
        )
        interval = (
            f"95 % intervals clustered by {deals}{few}"
            if ratings.n_clusters > 1
            else "one deal: no intervals"
        )
        notes.append(f"Ratings: {ratings.model}; {interval}.")
        if ratings.fit_p < 0.01:
            notes.append(
                "One number per bot does not describe these results well "
                f"(p = {ratings.fit_p:.2g}): look at the crosstable."
            )
        notes += _separation(result.crosstable)
    if not schedule.neighbours_balanced and result.settings.seats > 2:
        notes.append(
            "The number of deals is no multiple of the number of seat orders: who sits after whom "
            "is not balanced."
        )
    return notes


def _separation(table: Crosstable) -> list[str]:
    """A note on the bots outside the largest group in which bots both win and lose points."""
    groups = win_groups(table.score, table.bots)
    met = dict(zip(table.bots, table.games.sum(axis=1), strict=True))
    largest = max(groups, key=len)
    # Where no two bots both won and lost against each other there is no group to be apart from.
    apart = [
        bot
        for group in groups
        if group is not largest or len(largest) == 1
        for bot in group
        if met[bot]
    ]
    if len(groups) == 1 or not apart:
        return []
    listed = ", ".join(apart[:_MAX_LISTED])
    more = f" and {len(apart) - _MAX_LISTED} more" if len(apart) > _MAX_LISTED else ""
    return [
        f"{listed}{more} won or lost every game against the others: such ratings rest on the "
        "prior, their intervals are too short."
    ]
