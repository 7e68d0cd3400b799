# SPDX-License-Identifier: MIT
"""A tournament's result as tables: text appears here and nowhere before."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from skyjo_core.standings import Crosstable, Standing

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["WIDTH", "as_text", "crosstable_table", "print_report", "standings_table"]

WIDTH: Final = 160
"""Columns that every table fits into: a narrower terminal breaks lines, it loses no figures."""

_MAX_NAME: Final = 40  # characters of a name in a table; to_json() has it whole
_MAX_CROSSTABLE: Final = 12  # bots; a larger table fits no terminal


def standings_table(standings: Sequence[Standing], *, seconds: bool = True) -> Table:
    """The standings, best first."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", no_wrap=True, max_width=_MAX_NAME)
    headings = ["rating", "± 95 %", "points/game", "± 95 %", "wins", "place", "games", "forfeits"]
    for heading in headings + (["ms/move"] if seconds else []):
        table.add_column(heading, justify="right", no_wrap=True)
    for number, line in enumerate(standings, 1):
        cells = [
            str(number),
            line.bot,
            _number(line.rating, "+.0f"),
            _half_width(line.rating_low, line.rating_high, ".0f"),
            _number(line.points_mean, ".1f"),
            _half_width(line.points_low, line.points_high, ".1f"),
            "-" if line.win_share is None else f"{100 * line.win_share:.1f} %",
            _number(line.place_mean, ".2f"),
            str(line.games),
            str(line.forfeits),
        ]
        if seconds:
            value = line.seconds_per_move
            cells.append("-" if value is None else f"{1000 * value:.3f}")
        table.add_row(*(Text(cell) for cell in cells), style="bold" if number == 1 else None)
    return table


def crosstable_table(crosstable: Crosstable, order: Sequence[str]) -> Table:
    """Scores in per cent of the row's bot against the column's, in the order given."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = [crosstable.bots.index(bot) for bot in order]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("score in % against", no_wrap=True, max_width=_MAX_NAME)
    for number in range(1, len(rows) + 1):
        table.add_column(str(number), justify="right", no_wrap=True)
    for number, row in enumerate(rows, 1):
        cells = [
            f"{100 * crosstable.score[row, column] / games:.1f}"
            if (games := crosstable.games[row, column])
            else "-"
            for column in rows
        ]
        table.add_row(Text(f"{number} {crosstable.bots[row]}"), *cells)
    return table


def print_report(
    console: Console,
    title: str,
    standings: Sequence[Standing],
    crosstable: Crosstable,
    notes: Sequence[str],
) -> None:
    """The whole report on a console, WIDTH wide."""
    console.print(title, markup=False, highlight=False, soft_wrap=True)
    console.print(standings_table(standings))
    if len(crosstable.bots) <= _MAX_CROSSTABLE:
        console.print(crosstable_table(crosstable, [line.bot for line in standings]))
    for note in notes:
        console.print(note, markup=False, highlight=False, soft_wrap=True)


def as_text(
    title: str,
    standings: Sequence[Standing],
    crosstable: Crosstable,
    notes: Sequence[str],
) -> str:
    """The report as plain text."""
    from rich.console import Console

    text = io.StringIO()
    console = Console(file=text, width=WIDTH, no_color=True, force_terminal=False, emoji=False)
    print_report(console, title, standings, crosstable, notes)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _half_width(low: float | None, high: float | None, form: str) -> str:
    return "-" if low is None or high is None else format((high - low) / 2, form)
