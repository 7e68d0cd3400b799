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

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", no_wrap=True, max_width=_MAX_NAME)
    forfeits = any(line.forfeits for line in standings)
    headings = ["rating ± 95 %", "points ± 95 %", "wins", "place", "games"]
    headings += ["forfeits"] * forfeits + ["µs/move"] * seconds
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for number, line in enumerate(standings, 1):
        cells = [
            str(number),
            line.bot,
            _interval(line.rating, line.rating_low, line.rating_high, 0, "+"),
            _interval(line.points_mean, line.points_low, line.points_high, 1),
            "-" if line.win_share is None else f"{100 * line.win_share:.1f} %",
            "-" if line.place_mean is None else f"{line.place_mean:.2f}",
            str(line.games),
        ]
        if forfeits:
            cells.append(str(line.forfeits))
        if seconds:
            value = line.seconds_per_move
            cells.append("-" if value is None else f"{1e6 * value:.3f}")
        table.add_row(*(Text(cell) for cell in cells), style="bold" if number == 1 else None)
    return table


def crosstable_table(crosstable: Crosstable, order: Sequence[str]) -> Table:
    """Scores in per cent of the row's bot against the column's, in the order given."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = [crosstable.bots.index(bot) for bot in order]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
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


def _interval(
    value: float | None, low: float | None, high: float | None, digits: int, sign: str = "-"
) -> str:
    """The value and half the width of its interval, as "+431 ± 32"."""
    if value is None:
        return "-"
    text = f"{round(value, digits) + 0.0:{sign}.{digits}f}"  # + 0.0: no minus before a zero
    return text if low is None or high is None else f"{text} ± {(high - low) / 2:.{digits}f}"
