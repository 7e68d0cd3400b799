# SPDX-License-Identifier: MIT
"""The tables of a tournament as text."""

from __future__ import annotations

import dataclasses
import io

import numpy as np
import pytest
from rich.console import Console
from rich.table import Table

from skyjo_core.report import WIDTH, as_text, crosstable_table, standings_table
from skyjo_core.standings import Crosstable, Standing

FIRST = Standing("good", 123.4, 113.4, 133.4, 40, 25.25, 20.25, 30.25, 0.875, 1.125, 0, 0.00025)
SECOND = Standing("bad", -123.4, -133.4, -113.4, 40, 80.0, 75.0, 85.0, 0.125, 1.875, 3, 0.5)
EMPTY = Standing("none", None, None, None, 0, None, None, None, None, None, 0, None)
CROSSTABLE = Crosstable(
    bots=("bad", "good", "none"),
    score=np.array([[0, 5, 0], [35, 0, 0], [0, 0, 0.0]]),
    games=np.array([[0, 40, 0], [40, 0, 0], [0, 0, 0]]),
    points=np.zeros((3, 3)),
)


CROSSTABLE_OF_TWO = Crosstable(
    bots=("bad", "good"),
    score=np.array([[0, 5], [35, 0.0]]),
    games=np.array([[0, 40], [40, 0]]),
    points=np.zeros((2, 2)),
)


def lines_of(table: Table) -> list[list[str]]:
    """The cells of a table, line by line, without its rules."""
    text = io.StringIO()
    Console(file=text, width=WIDTH, emoji=False).print(table)
    lines = [line.split("  ") for line in text.getvalue().splitlines() if line.strip(" ─")]
    return [[cell.strip() for cell in line if cell.strip()] for line in lines]


def test_standings_show_every_figure_with_half_its_interval() -> None:
    assert lines_of(standings_table([FIRST, SECOND])) == [
        [
            *("#", "bot", "rating ± 95 %", "points ± 95 %", "wins", "place", "games"),
            *("forfeits", "µs/move"),
        ],
        ["1", "good", "+123 ± 10", "25.2 ± 5.0", "87.5 %", "1.12", "40", "0", "250.000"],
        ["2", "bad", "-123 ± 10", "80.0 ± 5.0", "12.5 %", "1.88", "40", "3", "500000.000"],
    ]


def test_a_field_without_forfeits_fits_a_narrow_terminal() -> None:
    """Nobody needs a column of zeros: the table then takes less than 80 columns."""
    names = CROSSTABLE_OF_TWO.bots
    clean = [dataclasses.replace(FIRST, bot=bot, forfeits=0, games=40000) for bot in names]
    text = as_text("title", clean, CROSSTABLE_OF_TWO, [])
    assert "forfeits" not in text
    assert max(map(len, text.splitlines())) < 80


def test_a_compiled_bot_has_a_time() -> None:
    """A call of one takes some nanoseconds."""
    line = dataclasses.replace(FIRST, seconds_per_move=34e-9)
    assert lines_of(standings_table([line]))[1][-1] == "0.034"


def test_a_rating_that_rounds_to_nothing_has_no_minus() -> None:
    """-1e-15 is a zero."""
    line = dataclasses.replace(FIRST, rating=-1e-15, rating_low=-1e-15, rating_high=-1e-15)
    assert "+0 ± 0" in lines_of(standings_table([line]))[1]


def test_what_is_not_known_is_a_dash() -> None:
    (_, line) = lines_of(standings_table([EMPTY]))
    assert line == ["1", "none", *["-"] * 4, "0", "-"]


def test_the_crosstable_is_in_the_order_of_the_standings() -> None:
    assert lines_of(crosstable_table(CROSSTABLE, ["good", "bad", "none"])) == [
        ["score in % against", "1", "2", "3"],
        ["1 good", "-", "87.5", "-"],
        ["2 bad", "12.5", "-", "-"],
        ["3 none", "-", "-", "-"],
    ]


@pytest.mark.parametrize(
    "name", ["[red]hot[/red]", "back\\[b]slash", "\\", ":smile:", "[/]", "{x} %s", "été", "a  b"]
)
def test_names_are_shown_as_they_are(name: str) -> None:
    standing = Standing(name, *[None] * 3, 1, *[None] * 5, 0, None)  # type: ignore[arg-type]
    table = Crosstable((name,), np.zeros((1, 1)), np.zeros((1, 1), np.int64), np.zeros((1, 1)))
    text = as_text(f"title {name}", [standing], table, [f"note {name}"])
    lines = text.splitlines()
    assert lines[0] == f"title {name}"
    assert lines[-1] == f"note {name}"
    assert f" 1  {name} " in text
    assert f" 1 {name} " in text


def test_a_long_name_costs_no_figures() -> None:
    long = Standing("x" * 500, *[1234.5] * 3, 40000, *[100.5] * 3, 0.5, 1.5, 40000, 1234.5)
    bots = ("x" * 500, *(f"bot{number}" for number in range(11)))
    table = Crosstable(bots, np.ones((12, 12)), np.ones((12, 12), np.int64), np.zeros((12, 12)))
    lines = lines_of(standings_table([long]))
    assert lines[1][1] == "x" * 39 + "…"
    assert lines[1][2:] == [
        *("+1234 ± 0", "100.5 ± 0.0", "50.0 %", "1.50", "40000", "40000", "1234500000.000")
    ]
    lines = lines_of(crosstable_table(table, bots))
    assert lines[1] == ["1 " + "x" * 37 + "…", *["100.0"] * 12]


def test_a_large_field_has_no_crosstable() -> None:
    bots = tuple(f"bot{number}" for number in range(13))
    standings = [Standing(bot, *[None] * 3, 1, *[None] * 5, 0, None) for bot in bots]  # type: ignore[arg-type]
    table = Crosstable(bots, np.ones((13, 13)), np.ones((13, 13), np.int64), np.zeros((13, 13)))
    assert "score in %" not in as_text("title", standings, table, [])


def test_text_has_no_colours_and_no_spaces_at_line_ends() -> None:
    text = as_text("title", [FIRST, SECOND], CROSSTABLE_OF_TWO, ["a note"])
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_the_text_of_a_title_or_note_is_not_broken() -> None:
    text = as_text("title " * 50, [FIRST, SECOND], CROSSTABLE_OF_TWO, ["note " * 50])
    assert text.splitlines()[0] == ("title " * 50).rstrip()
    assert text.splitlines()[-1] == ("note " * 50).rstrip()
