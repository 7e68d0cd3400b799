# SPDX-License-Identifier: MIT
"""Every option of RULES part C, alone, in pairs and mixed at random, in step with the reference."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from random_play import play_on
from random_rules import FREE, random_rules
from reference import check_record
from skyjo_core import Game, Rules
from skyjo_core import play_game as play_bots
from skyjo_core.verify import verify_record
from test_reference import play_game, seats_of

Fields = dict[str, Any]

# A small grid makes short rounds with many removals; every 50th game is played on the usual one.
SMALL: Fields = {"rows": 2, "columns": 2, "max_rounds": 1}
USUAL: Fields = {"max_rounds": 1}
# What these options do shows in a second round.
LATER = {"start_later", "winner_tie", "threshold", "max_rounds", "max_rounds_guard"}

VALUES: dict[str, list[Any]] = {
    **{name: list(values) for name, values in FREE.items()},
    "deck": ["classic150", "numbers105", [[0, 40], [5, 40], [12, 30]], [[-4, 60], [13, 60]]],
    "rows": [1, 2, 3, 4],
    "columns": [1, 2, 3, 6],
    "initial_flips": [0, 1, 2, 3, 4],
    "initial_flip_restriction": ["none", "different_columns"],
    "double_factor": [1, 2, 3],
    "threshold": [None, 1, 20, 50, 100],
    "max_rounds": [None, 1, 2],
    "stall_limit": [None, 1, 5, 100],
    "max_turns_per_round": [1, 10, 10000],
    "max_rounds_guard": [1, 2, 200],
}
CHOICES = [(name, value) for name, values in VALUES.items() for value in values]


def rules_with(chosen: Fields, base: Fields) -> Rules:
    """Short games with some options set."""
    rounds: Fields = {"max_rounds": 2} if LATER & set(chosen) else {}
    if LATER & set(chosen) and base is SMALL:
        rounds["columns"] = 1  # two rounds of half the length
    if chosen.get("max_rounds", 1) is None:
        rounds["threshold"] = 20
    return Rules(**{**base, **rounds, **chosen})


def small_and_usual(chosen: Fields) -> tuple[Rules, Rules]:
    """Rules for the small grid and for the usual one, unless a shape is chosen."""
    small = rules_with(chosen, SMALL)
    return small, small if {"rows", "columns"} & set(chosen) else rules_with(chosen, USUAL)


def play_in_step(chosen: Fields, n_games: int, first_seed: int = 0) -> None:
    """Seeded games of an option in step with the reference, all numbers of seats in turn."""
    small, usual = small_and_usual(chosen)
    for seed in range(first_seed, first_seed + n_games):
        style = {3: "swapper", 8: "drawer"}.get(seed % 10, "even")
        if seed % 50 == 19 and usual != small:
            play_game(2 + seed // 50 % 3, usual, seed, "even")
        else:
            seats = seats_of(small, seed) if small.rows * small.columns <= 4 else 2 + seed % 2
            play_game(seats, small, seed, style)


# Each value of each option


@pytest.mark.parametrize(("name", "value"), CHOICES)
def test_option_value_plays_as_the_reference(name: str, value: Any) -> None:
    """Six games of each value, with 2, 3, ... seats: of each style, one on the usual grid."""
    play_in_step({name: value}, 6, first_seed=10_018)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), CHOICES)
def test_option_value_plays_1000_games_as_the_reference(name: str, value: Any) -> None:
    """As above, a thousand games."""
    play_in_step({name: value}, 1000)


def test_every_field_and_word_is_among_the_values() -> None:
    """No field of part C is left out, and no word of one."""
    fields = Rules().to_dict()
    assert set(VALUES) == set(fields) - {"game"}
    for name, values in VALUES.items():
        if isinstance(fields[name], str) and name != "deck":
            with pytest.raises(ValueError, match=f"{name}: expected one of") as caught:
                Rules.from_dict({name: "no such word"})
            allowed = str(caught.value).split("expected one of ")[1].split(", got")[0]
            assert allowed.split(", ") == values


# Pairs of options


def pairs(n: int, seed: int) -> Iterator[Fields]:
    """Two options each, with values that go together."""
    rng = random.Random(seed)
    while n > 0:
        (name, value), (other, second) = rng.sample(CHOICES, 2)
        if name == other:
            continue
        try:
            small_and_usual({name: value, other: second})
        except ValueError:
            continue
        yield {name: value, other: second}
        n -= 1


def test_pairs_of_options_play_as_the_reference() -> None:
    """60 pairs drawn with a fixed seed, two games each."""
    for number, chosen in enumerate(pairs(60, seed=1)):
        play_in_step(chosen, 2, first_seed=number)


@pytest.mark.slow
def test_many_pairs_of_options_play_as_the_reference() -> None:
    """1,000 pairs, three games each."""
    for number, chosen in enumerate(pairs(1000, seed=2)):
        play_in_step(chosen, 3, first_seed=number)


# Any combination


def records_of(number: int) -> Iterator[dict[str, Any]]:
    """Records of games by one combination: of bots, and of random moves on a stack or lanes."""
    rng = random.Random(number)
    rules = random_rules(rng)
    seats = rng.randint(2, rules.max_seats)
    yield play_bots(["native:random"] * seats, seed=number, rules=rules).record()
    yield play_on(Game(seats, rules, number, ("stack", "lanes")[number % 2]), rng).record()


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_records_by_any_rules_are_right(first: int) -> None:
    """200 combinations of all options: the reference and verify_record both agree."""
    for number in range(first, first + 50):
        for record in records_of(number):
            assert check_record(record) == [], number
            assert verify_record(record) is None, number


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_games_by_any_rules_play_as_the_reference(first: int) -> None:
    """1,000 combinations, a game each, every state compared."""
    for number in range(first, first + 100):
        rng = random.Random(10_000 + number)
        rules = random_rules(rng)
        style = ("even", "even", "swapper", "drawer")[number % 4]
        play_game(rng.randint(2, min(5, rules.max_seats)), rules, number, style)


def test_random_rules_reach_every_word_and_what_is_rare() -> None:
    """The generator gives every word, all kinds of decks, ten seats, and no two rules alike."""
    drawn = [random_rules(random.Random(number)) for number in range(500)]
    for name, values in FREE.items():
        assert {getattr(rules, name) for rules in drawn} == set(values)
    assert {rules.max_seats for rules in drawn} == set(range(2, 11))
    assert len(set(drawn)) == 500
    assert {rules.threshold for rules in drawn} == {None, 1, 20, 100}
    assert {rules.max_rounds for rules in drawn} == {None, 1, 2, 3}
    assert {isinstance(rules.deck, tuple) for rules in drawn} == {True, False}


# What is refused

REASONS: list[tuple[Fields, str]] = [
    *(({name: "nonsense"}, f"{name}: expected one of") for name in VALUES if name in FREE
      and isinstance(FREE[name][0], str)),
    ({"row_removal": 1}, "row_removal: expected True or False, got 1"),
    ({"forbid_same_value_swap": "yes"}, "forbid_same_value_swap: expected True or False"),
    ({"double_factor": 0}, "double_factor: expected an integer from 1 to"),
    ({"stall_limit": 0}, "stall_limit: expected None (off) or an integer from 1 to"),
    ({"max_turns_per_round": 0}, "max_turns_per_round: expected an integer from 1 to"),
    ({"max_turns_per_round": None}, "max_turns_per_round: expected an integer, got None"),
    ({"max_rounds_guard": -3}, "max_rounds_guard: expected an integer from 1 to"),
    ({"max_rounds": 0}, "max_rounds: expected None (off) or an integer from 1 to"),
    ({"threshold": None}, "max_rounds: expected a number of rounds when threshold is off"),
    ({"threshold": "100"}, "threshold: expected None (off) or an integer, got '100'"),
    ({"rows": 4, "columns": 4}, "columns: expected at most 3"),
    ({"columns": 13}, "columns: expected an integer from 1 to 12, got 13"),
    ({"rows": True}, "rows: expected an integer, got True"),
    ({"initial_flips": 13}, "initial_flips: expected an integer from 0 to 12, got 13"),
    (
        {"initial_flips": 5, "initial_flip_restriction": "different_columns"},
        "initial_flips: expected at most 4, the columns",
    ),
    ({"deck": [[3, 24]]}, "deck: expected at least 25 cards"),
    ({"deck": "classic"}, "deck: expected one of classic150, numbers105"),
    ({"deck": [[14, 60]]}, "deck: expected values from -4 to 13"),
    ({"no_such_field": 1}, "no field 'no_such_field'"),
]  # fmt: skip
SHAPE = {"rows", "columns", "initial_flips", "initial_flip_restriction", "deck"}


@pytest.mark.parametrize("number", range(len(REASONS)))
def test_senseless_value_is_refused_with_its_reason(number: int) -> None:
    """Each alone has just its own reason: there is one fault in the message."""
    fields, reason = REASONS[number]
    with pytest.raises(ValueError, match="Rules: ") as caught:
        Rules(**fields)
    message = str(caught.value).removeprefix("Rules: ")
    assert message.startswith(reason)
    assert ";" not in message


def test_all_reasons_of_refused_rules_are_named() -> None:
    """200 mixtures of two to ten faults: one message names each of them, and nothing else.

    Of the shape of the grid only one fault is mixed in: without a shape there is none to fill.
    """
    rng = random.Random(1)
    for _ in range(200):
        chosen: Fields = {}
        reasons = []
        for fields, reason in rng.sample(REASONS, rng.randint(2, 10)):
            shapes = bool(SHAPE & set(chosen)) and bool(SHAPE & set(fields))
            if shapes or set(fields) & set(chosen) or {"threshold", "max_rounds"} & set(fields):
                continue
            chosen |= fields
            reasons.append(reason)
        if not chosen:
            continue
        with pytest.raises(ValueError, match="Rules: ") as caught:
            Rules(**chosen)
        parts = str(caught.value).removeprefix("Rules: ").split("; ")
        assert len(parts) == len(reasons)
        for reason in reasons:
            assert any(part.startswith(reason) for part in parts), (reason, parts)


def test_end_of_a_game_is_refused_with_both_reasons() -> None:
    """A threshold and a number of rounds that are each out of bounds are both named."""
    with pytest.raises(ValueError, match="Rules: ") as caught:
        Rules(threshold=0, max_rounds=0)
    assert "threshold: expected None (off) or an integer from 1 to" in str(caught.value)
    assert "max_rounds: expected None (off) or an integer from 1 to" in str(caught.value)
