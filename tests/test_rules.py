# SPDX-License-Identifier: MIT
"""The Rules value: names, values and defaults as RULES part C has them, and its text forms."""

from __future__ import annotations

import copy
import json
import pickle
import re
from typing import Any

import numpy as np
import pytest

from skyjo_core import Game, Rules
from skyjo_core.rules import parse_rules, rules_text

# RULES part C without `game`, `players` and what is marked (action): field, default, and the other
# values (of numbers some).
FIELDS: dict[str, tuple[Any, list[Any]]] = {
    "deck": ("classic150", ["numbers105", ((1, 80), (2, 80)), ((-4, 60), (13, 120))]),
    "rows": (3, [1, 2]),
    "columns": (4, [1, 2, 3]),
    "initial_flips": (2, [0, 1, 3, 12]),
    "initial_flip_restriction": ("none", ["different_columns"]),
    "start_first": ("highest_sum", ["random", "seat"]),
    "start_tie": ("max_card_then_seat", ["max_card_then_random", "seat", "random"]),
    "start_later": ("highest_sum", ["closer", "rotate", "previous_winner", "random"]),
    "column_removal": ("mandatory", ["off", "not_negative"]),
    "row_removal": (False, [True]),
    "last_turns": ("all_others", ["equal_turns", "none"]),
    "reveal_timing": ("end", ["after_own_last_turn"]),
    "double": ("strict_positive", ["off", "ties_ok", "strict_all"]),
    "double_factor": (2, [1, 3, 100]),
    "reshuffle": ("keep_top", ["all_then_flip"]),
    "reshuffle_timing": ("lazy", ["eager"]),
    "forbid_same_value_swap": (False, [True]),
    "threshold": (100, [1, 50, 150, 200]),
    "max_rounds": (None, [1, 4]),
    "winner_tie": ("shared", ["last_round", "playoff"]),
    "stall_limit": (100, [1, 5, None]),
    "max_turns_per_round": (10000, [1, 300]),
    "max_rounds_guard": (200, [1, 1000]),
}
CLASSIC_DECK = [[value, {-2: 5, 0: 15}.get(value, 10)] for value in range(-2, 13)]
EVERY = [
    Rules(),
    *(Rules(**{name: value}) for name, (_, values) in FIELDS.items() for value in values),
    Rules(threshold=None, max_rounds=7),
    Rules(start_later="closer", double="off", stall_limit=None, forbid_same_value_swap=True),
]


# Fields, values, defaults


def test_defaults_are_those_of_the_preset_classic_fr() -> None:
    """Every field of part C is there with its default, and no other."""
    rules = Rules()
    assert rules.to_dict() == {"game": "classic"} | {
        name: default for name, (default, _) in FIELDS.items()
    }
    for name, (default, _) in FIELDS.items():
        assert getattr(rules, name) == default
        assert type(getattr(rules, name)) is type(default)


@pytest.mark.parametrize("name", FIELDS)
def test_field_takes_its_values(name: str) -> None:
    """Each value of a field is kept as it is, and no other field moves."""
    for value in FIELDS[name][1]:
        rules = Rules(**{name: value})
        assert getattr(rules, name) == value
        others = {key: default for key, (default, _) in FIELDS.items() if key != name}
        assert {key: getattr(rules, key) for key in others} == others


def test_threshold_may_be_off_with_max_rounds_alone() -> None:
    """A game needs an end: threshold None asks for max_rounds (part C)."""
    assert Rules(threshold=None, max_rounds=3).threshold is None
    with pytest.raises(ValueError, match="max_rounds: expected a number of rounds"):
        Rules(threshold=None)


def test_presets_change_what_part_c_says() -> None:
    """classic-fr is the default; in classic-en the closer starts later rounds."""
    assert Rules.preset("classic-fr") == Rules()
    assert Rules.preset("classic-en") == Rules(start_later="closer")
    with pytest.raises(ValueError, match=r"'clasic-en', nearest: classic-en"):
        Rules.preset("clasic-en")


@pytest.mark.parametrize("name", ["action", "action-beginner", "classic-exp14", "action-3x3"])
def test_preset_of_a_game_to_come_is_refused_by_name(name: str) -> None:
    """Nothing plays as something else: a preset that is not there yet is an error."""
    with pytest.raises(ValueError, match=rf"expected a preset .*{name}"):
        Rules.preset(name)


def test_what_follows_from_the_classic_deck() -> None:
    """Eight seats at most; values ascending from -2 to 12; of another deck those in it."""
    for rules in EVERY:
        if rules.deck == "classic150" and (rules.rows, rules.columns) != (3, 3):
            assert rules.max_seats == 8
            assert rules.values == tuple(range(-2, 13))
    assert Rules(deck=[[13, 60], [-4, 60], [0, 0]]).values == (-4, 13)


def test_deck_written_out_is_the_named_deck() -> None:
    """A list of pairs that is the classic deck is the classic deck, in any order."""
    assert Rules(deck=CLASSIC_DECK) == Rules()
    assert Rules(deck=[*reversed(CLASSIC_DECK), [13, 0]]).deck == "classic150"


# A value


def test_rules_are_frozen() -> None:
    """No field can be set or deleted, none added."""
    rules = Rules()
    for name in (*FIELDS, "max_seats", "other"):
        with pytest.raises(AttributeError):
            setattr(rules, name, getattr(rules, name, 1))
        with pytest.raises(AttributeError):
            delattr(rules, name)
    assert rules == Rules()


def test_rules_are_keyword_only() -> None:
    """No field has a place in a row of arguments."""
    with pytest.raises(TypeError):
        Rules("classic150")  # type: ignore[call-arg]


def test_rules_compare_and_hash_by_value() -> None:
    """Equal fields, equal rules; each single change makes other rules."""
    assert len(set(EVERY)) == len(EVERY)
    for rules in EVERY:
        twin = Rules.from_dict(rules.to_dict())
        assert twin == rules
        assert twin is not rules
        assert hash(twin) == hash(rules)
        assert len({twin, rules}) == 1
    assert Rules() != 3
    assert Rules() != Rules().to_dict()


def test_rules_repr_can_be_typed_back() -> None:
    """The text names what differs from the default and evaluates to equal rules."""
    assert repr(Rules()) == "Rules()"
    assert repr(Rules(threshold=50)) == "Rules(threshold=50)"
    for rules in EVERY:
        assert eval(repr(rules), {"Rules": Rules}) == rules


def test_rules_survive_pickle_and_copy() -> None:
    """Every protocol, and copies deep and shallow."""
    for rules in EVERY:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(rules, protocol)) == rules
        assert copy.copy(rules) == copy.deepcopy(rules) == rules


def test_rules_dict_is_json_and_back() -> None:
    """to_dict holds every field and "game", with null for off; from_dict takes it back."""
    for rules in EVERY:
        fields = json.loads(json.dumps(rules.to_dict()))
        assert set(fields) == {"game", *FIELDS}
        assert fields["game"] == "classic"
        assert Rules.from_dict(fields) == rules
    assert Rules(stall_limit=None).to_dict()["stall_limit"] is None
    assert Rules(double="off").to_dict()["double"] == "off"


def test_from_dict_takes_defaults_for_what_is_missing() -> None:
    """An empty dict is the default; the dict itself is left alone."""
    fields = {"threshold": 50, "game": "classic"}
    assert Rules.from_dict({}) == Rules()
    assert Rules.from_dict(fields) == Rules(threshold=50)
    assert fields == {"threshold": 50, "game": "classic"}
    with pytest.raises(ValueError, match="game: expected 'classic', got 'action'"):
        Rules.from_dict({"game": "action"})


@pytest.mark.parametrize("name", ["self", "cls", "given", "unknown", "_setup", ""])
def test_from_dict_names_any_unknown_field(name: str) -> None:
    """Whatever the word, an unknown field is a ValueError that quotes it (API 2)."""
    with pytest.raises(ValueError, match=f"no field {name!r}"):
        Rules.from_dict({name: 1})


def test_replace_changes_some_fields() -> None:
    """The rest stays; the old rules stay; a wrong change is an error as in the constructor."""
    old = Rules(double="off")
    assert old.replace(threshold=50) == Rules(double="off", threshold=50)
    assert old.replace() == old == Rules(double="off")
    with pytest.raises(ValueError, match="no field 'treshold', nearest: threshold"):
        old.replace(treshold=3)


# What is refused


def test_every_fault_is_named_at_once() -> None:
    """Wrong names, words, kinds and numbers of one call are all in one message."""
    with pytest.raises(ValueError, match="Rules: ") as caught:
        Rules(
            threshhold=50,
            quux=1,
            double="strict",
            start_tie=3,
            double_factor=0,
            stall_limit="5",
            winner_tie="play-off",
            row_removal=1,
            max_rounds_guard=True,
        )
    message = str(caught.value)
    for part in (
        "no field 'threshhold', nearest: threshold",
        "no field 'quux'",
        "double: expected one of strict_positive, off, ties_ok, strict_all, got 'strict'",
        "start_tie: expected one of max_card_then_seat, max_card_then_random, seat, random, got 3",
        "double_factor: expected an integer from 1 to",
        "stall_limit: expected None (off) or an integer, got '5'",
        "winner_tie: expected one of shared, last_round, playoff, got 'play-off', nearest: playoff",
        "row_removal: expected True or False, got 1",
        "max_rounds_guard: expected an integer, got True",
    ):
        assert part in message


@pytest.mark.parametrize(
    ("word", "nearest"),
    [("strict_positiv", "strict_positive"), ("tie_ok", "ties_ok"), ("strict_al", "strict_all")],
)
def test_wrong_word_is_told_the_nearest(word: str, nearest: str) -> None:
    """The message has the allowed words and the one that was probably meant."""
    with pytest.raises(ValueError, match=f"got '{word}', nearest: {nearest}"):
        Rules(double=word)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rows": 0}, "rows: expected an integer from 1 to 12, got 0"),
        ({"columns": 13}, "columns: expected an integer from 1 to 12, got 13"),
        ({"rows": 4}, "columns: expected at most 3, for a grid has at most 12 cells and there are"),
        ({"columns": 5}, "columns: expected at most 4, for a grid has at most 12 cells and there"),
        ({"initial_flips": 13}, "initial_flips: expected an integer from 0 to 12, got 13"),
        ({"columns": 3, "initial_flips": 10}, "initial_flips: expected an integer from 0 to 9"),
        (
            {"initial_flip_restriction": "different_columns", "initial_flips": 5},
            "initial_flips: expected at most 4, the columns, for initial_flip_restriction is",
        ),
        (
            {"deck": [[5, 24]]},
            "deck: expected at least 25 cards, for two grids of 12 cells and the",
        ),
        ({"deck": []}, "deck: expected at least 25 cards"),
        ({"deck": [[5, 121]]}, "deck: expected values from -4 to 13, each once, with at most 120"),
        ({"deck": [[5, 120], [6, 121]]}, "deck: expected values from -4 to 13"),
        ({"deck": [[5, 9], [5, 90]]}, "deck: expected values from -4 to 13, each once"),
        ({"deck": [[14, 90]]}, "deck: expected values from -4 to 13"),
        ({"deck": [["5", 90]]}, "deck: expected a name or pairs"),
        ({"deck": [[5, True], [6, 90]]}, "deck: expected a name or pairs"),
        ({"deck": "classic"}, "deck: expected one of classic150, numbers105, or pairs"),
        ({"threshold": None}, "max_rounds: expected a number of rounds when threshold is off"),
    ],
)
def test_combination_that_makes_no_sense_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Rules(**fields)


def test_every_reason_of_a_senseless_combination_is_named() -> None:
    """Shape, deck and end at once."""
    with pytest.raises(ValueError, match="Rules: ") as caught:
        Rules(rows=5, columns=3, deck=[[1, 9]], threshold=None, stall_limit=0, initial_flips=20)
    for field in ("columns", "max_rounds", "stall_limit", "initial_flips"):
        assert f"{field}: expected" in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "seats"),
    [
        ({"rows": 3, "columns": 3}, 10),
        ({"deck": "numbers105"}, 4),
        ({"deck": "numbers105", "columns": 3}, 4),
        ({"rows": 2, "columns": 2}, 8),
        ({"rows": 4, "columns": 3}, 8),
        ({"deck": [[1, 49]]}, 4),  # four grids of 12 and the discard
        ({"deck": [[1, 48]]}, 3),
        ({"deck": [[1, 25]]}, 2),
        ({"columns": 3, "deck": [[1, 90]]}, 9),  # 9 * 9 + 1 = 82, 10 * 9 + 1 = 91
    ],
)
def test_most_seats_follow_from_shape_and_deck(fields: dict[str, Any], seats: int) -> None:
    """API 8, --seats: 8; 10 on any 3 x 3; 4 with numbers105; fewer where the deck is too small."""
    rules = Rules(**fields)
    assert rules.max_seats == seats
    assert Game(seats, rules).n_seats == seats
    with pytest.raises(ValueError, match=f"seats: expected 2 to {seats}, got {seats + 1}"):
        Game(seats + 1, rules)
    with pytest.raises(ValueError, match=f"seats: expected 2 to {seats}, got 13"):
        Game(13, rules)


@pytest.mark.parametrize(
    "name", [name for name, (value, _) in FIELDS.items() if type(value) is int or value is None]
)
@pytest.mark.parametrize("value", [True, False, 3.0, "100", "off", [1], np.float64(3), np.True_])
def test_number_field_refuses_other_kinds(name: str, value: Any) -> None:
    """A number is no bool, float or text."""
    with pytest.raises(ValueError, match=f"{name}: expected"):
        Rules(**{name: value})


@pytest.mark.parametrize("name", ["double_factor", "max_turns_per_round", "max_rounds_guard"])
def test_number_field_that_cannot_be_off_refuses_none(name: str) -> None:
    """Only threshold, max_rounds and stall_limit may be off."""
    with pytest.raises(ValueError, match=f"{name}: expected an integer, got None"):
        Rules(**{name: None})


@pytest.mark.parametrize(
    "name",
    [
        *("double_factor", "threshold", "max_rounds", "stall_limit"),
        *("max_turns_per_round", "max_rounds_guard"),
    ],
)
@pytest.mark.parametrize("value", [0, -1, -(2**31), 2**31, 2**32 + 1, 2**70])
def test_number_field_refuses_numbers_out_of_range(name: str, value: int) -> None:
    """At least 1, and nothing wraps round: the message quotes the number as it was given."""
    with pytest.raises(ValueError, match=rf"{name}: expected .* got {value}$"):
        Rules(**{name: value})


@pytest.mark.parametrize("name", ["row_removal", "forbid_same_value_swap"])
@pytest.mark.parametrize("value", [0, 1, "true", None, 1.0])
def test_switch_refuses_other_kinds(name: str, value: Any) -> None:
    """A switch is True or False."""
    with pytest.raises(ValueError, match=f"{name}: expected True or False"):
        Rules(**{name: value})


@pytest.mark.parametrize("value", [None, 0, True, "", "MANDATORY", b"mandatory"])
def test_word_field_refuses_other_values(value: Any) -> None:
    """A word is one of its words, in lower case."""
    with pytest.raises(ValueError, match="column_removal: expected one of mandatory, off"):
        Rules(column_removal=value)


@pytest.mark.parametrize(
    "deck",
    [
        "classic",
        None,
        5,
        [[14, 3]],
        [[-5, 3]],
        [[1, 121]],
        [[1, -1]],
        [[1, 100], [2, 100], [3, 100]],
        [[1, 5], [1, 5]],
        [[1.0, 5]],
        [[1, 2, 3]],
    ],
)
def test_wrong_deck_is_refused(deck: Any) -> None:
    """A deck is a name, or values each once with at most 120 cards each and 240 in all."""
    with pytest.raises(ValueError, match="deck: expected"):
        Rules(deck=deck)


def test_numpy_integers_become_ints() -> None:
    """Any integer type is taken and stored as a plain int."""
    rules = Rules(threshold=np.int64(50), stall_limit=np.uint8(7))
    assert rules == Rules(threshold=50, stall_limit=7)
    assert type(rules.threshold) is type(rules.stall_limit) is int


# Words of a command line


def test_parse_rules_reads_a_preset_and_fields() -> None:
    """A preset first, then key=value; off, true and false as on a command line."""
    assert parse_rules([]) == Rules()
    assert parse_rules(["classic-en"]) == Rules(start_later="closer")
    words = ["classic-en", "threshold=off", "max_rounds=3", "forbid_same_value_swap=true"]
    assert parse_rules(words) == Rules(
        start_later="closer", threshold=None, max_rounds=3, forbid_same_value_swap=True
    )
    assert parse_rules(["double=off", "stall_limit=off"]) == Rules(double="off", stall_limit=None)
    assert parse_rules(["deck=classic150", "row_removal=false"]) == Rules()


def test_parse_rules_names_every_fault_at_once() -> None:
    """Wrong presets, names and values are all in one message."""
    with pytest.raises(ValueError, match="rules: ") as caught:
        parse_rules(["clasic-fr", "threshhold=5", "double=of", "rows=three", "row_removal=1"])
    message = str(caught.value)
    for part in (
        "got 'clasic-fr', nearest: classic-fr",
        "no field 'threshhold', nearest: threshold",
        "double: expected one of",
        "rows: expected an integer, got 'three'",
        "row_removal: expected true or false, got '1'",
    ):
        assert part in message


def test_rules_cannot_be_written_to_by_any_way_that_python_has() -> None:
    """A bot holds the rules of everybody's game: neither __init__ nor object.__setattr__ helps."""
    rules = Rules()
    rules.__init__(threshold=1, double_factor=1)  # type: ignore[misc]
    assert rules == Rules()
    for name in ("threshold", "rows", "values", "_setup"):
        with pytest.raises(AttributeError):
            object.__setattr__(rules, name, 1)
    assert (rules.threshold, rules.rows) == (100, 3)


# A deck on the command line


def test_deck_is_written_as_value_and_cards() -> None:
    rules = parse_rules(["deck=0:40+-2:30+12:30"])
    assert rules == Rules(deck=[[-2, 30], [0, 40], [12, 30]])
    assert rules_text(rules) == "classic-fr with deck=-2:30+0:40+12:30"
    assert parse_rules([rules_text(rules).removeprefix("classic-fr with ")]) == rules


@pytest.mark.parametrize("deck", ["1:x", "1:2+", ":", "1:20+1:20", "99:30", "custom"])
def test_wrong_deck_of_a_command_line_is_told_in_its_words(deck: str) -> None:
    with pytest.raises(ValueError, match="rules: deck: expected") as caught:
        parse_rules([f"deck={deck}"])
    assert "pairs of value" not in str(caught.value)


def test_off_is_told_as_off() -> None:
    with pytest.raises(ValueError, match="when threshold is off, got off"):
        parse_rules(["threshold=off"])
