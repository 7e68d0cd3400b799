# SPDX-License-Identifier: MIT
"""The rules of one game as a value: fields, presets, and their text forms."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NoReturn

from skyjo_core import _core

__all__ = ["PRESETS", "Rules", "deck_pairs", "parse_rules", "rules_json", "rules_text"]

Deck = str | tuple[tuple[int, int], ...]
Field = Deck | int | bool | None

_CLASSIC_DECK: Final = tuple((value, {-2: 5, 0: 15}.get(value, 10)) for value in range(-2, 13))
# Named decks as (value, cards) pairs: docs/rules.md, A.1 and B.1.
_DECKS: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "classic150": _CLASSIC_DECK,
    "numbers105": tuple((value, {-2: 3, 0: 11}.get(value, 7)) for value in range(-2, 13)),
}
# Number fields that may be off, and fields that are true or false.
_MAY_BE_OFF: Final = frozenset({"threshold", "max_rounds", "stall_limit"})
_SWITCHES: Final = frozenset({"row_removal", "forbid_same_value_swap"})
_WORDS: Final = _core.RULE_WORDS
_INT32: Final = 2**31 - 1


def _default(name: str, code: int) -> Field:
    if name in _WORDS:
        return _WORDS[name][code]
    if name in _SWITCHES:
        return bool(code)
    return None if code == _core.OFF else code


DEFAULTS: Final[dict[str, Field]] = {
    "deck": "classic150",
    **{name: _default(name, code) for name, code in _core.RULE_DEFAULTS.items()},
}
PRESETS: Final[dict[str, dict[str, Field]]] = {
    "classic-fr": {},
    "classic-en": {"start_later": "closer"},
}


class Rules(tuple[Any, ...]):
    """The rules of a classic game: frozen, compared and hashed by value.

    Every field is keyword-only; docs/rules.md says what each means. `None` turns `threshold`,
    `max_rounds` or `stall_limit` off.

    Raises
    ------
    ValueError
        Names every wrong field or value at once, what is allowed and the nearest name.

    Examples
    --------
    >>> Rules(threshold=50)
    Rules(threshold=50)
    >>> Rules.preset("classic-en").start_later
    'closer'
    """

    # A tuple underneath: a bot sees the rules of everybody's game, and nothing can write to them.
    __slots__ = ()

    if TYPE_CHECKING:
        deck: Deck
        rows: int
        columns: int
        initial_flips: int
        initial_flip_restriction: str
        start_first: str
        start_tie: str
        start_later: str
        column_removal: str
        row_removal: bool
        last_turns: str
        reveal_timing: str
        double: str
        double_factor: int
        reshuffle: str
        reshuffle_timing: str
        forbid_same_value_swap: bool
        threshold: int | None
        max_rounds: int | None
        winner_tie: str
        stall_limit: int | None
        max_turns_per_round: int
        max_rounds_guard: int
        max_seats: int
        """The most seats that can play by these rules."""
        values: tuple[int, ...]
        """The card values in the deck, ascending: the index of every count of a view."""
        _setup: _core.Setup

    def __new__(
        cls,
        /,
        *,
        deck: Deck | Iterable[Iterable[int]] = "classic150",
        rows: int = 3,
        columns: int = 4,
        initial_flips: int = 2,
        initial_flip_restriction: str = "none",
        start_first: str = "highest_sum",
        start_tie: str = "max_card_then_seat",
        start_later: str = "highest_sum",
        column_removal: str = "mandatory",
        row_removal: bool = False,
        last_turns: str = "all_others",
        reveal_timing: str = "end",
        double: str = "strict_positive",
        double_factor: int = 2,
        reshuffle: str = "keep_top",
        reshuffle_timing: str = "lazy",
        forbid_same_value_swap: bool = False,
        threshold: int | None = 100,
        max_rounds: int | None = None,
        winner_tie: str = "shared",
        stall_limit: int | None = 100,
        max_turns_per_round: int = 10000,
        max_rounds_guard: int = 200,
        **unknown: Any,
    ) -> Rules:
        given = dict(locals())
        return cls._checked({name: given[name] for name in DEFAULTS}, list(unknown))

    @classmethod
    def _checked(cls, fields: dict[str, Any], unknown: list[str]) -> Rules:
        faults = [_unknown_field(name) for name in unknown]
        codes: dict[str, int] = {}
        clean: dict[str, Any] = {}
        for name, value in fields.items():
            try:
                clean[name], code = _read(name, value)
            except ValueError as error:
                faults.append(str(error))
                clean[name], code = _read(name, DEFAULTS[name])
            if name != "deck":
                codes[name] = code
        pairs = deck_pairs(clean["deck"])
        for name, expected in _core.rule_faults(codes, pairs):
            text = expected.replace("off or", "None (off) or", 1)
            faults.append(f"{name}: expected {text}, got {clean[name]!r}")
        if faults:
            raise ValueError("Rules: " + "; ".join(faults))
        setup = _core.Setup(codes, pairs)
        items = (*(clean[name] for name in DEFAULTS), setup, setup.max_seats, setup.values)
        return super().__new__(cls, items)

    @classmethod
    def preset(cls, name: str) -> Rules:
        """The named rules: "classic-fr" (the default) or "classic-en"."""
        if name not in PRESETS:
            raise ValueError(f"Rules: {_no_preset(name)}")
        return cls(**PRESETS[name])  # type: ignore[arg-type]

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Rules:
        """The rules that `to_dict` gave; a missing field has its default."""
        fields = dict(fields)
        game = fields.pop("game", "classic")
        if game != "classic":
            raise ValueError(f"Rules: game: expected 'classic', got {game!r}")
        return cls(**{str(name): value for name, value in fields.items()})

    def to_dict(self) -> dict[str, Any]:
        """Every field and "game", ready for JSON."""
        fields: dict[str, Any] = {"game": "classic"}
        for name in DEFAULTS:
            value = getattr(self, name)
            fields[name] = [list(pair) for pair in value] if isinstance(value, tuple) else value
        return fields

    def replace(self, **changes: Any) -> Rules:
        """The same rules with some fields changed."""
        return Rules(**{name: getattr(self, name) for name in DEFAULTS} | changes)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Rules: {name} is frozen, use rules.replace({name}={value!r})")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"Rules: {name} is frozen")

    def _key(self) -> tuple[Any, ...]:
        return self[: len(DEFAULTS)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, value in DEFAULTS.items()
            if getattr(self, name) != value
        ]
        return f"Rules({', '.join(changed)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Rules.from_dict, (self.to_dict(),))


for _index, _name in enumerate((*DEFAULTS, "_setup", "max_seats", "values")):
    setattr(Rules, _name, property(operator.itemgetter(_index)))
del _index, _name


def parse_rules(words: Iterable[str]) -> Rules:
    """Rules from the words of a command line: a preset first, then key=value.

    Raises
    ------
    ValueError
        Names every wrong word at once.

    Examples
    --------
    >>> parse_rules(["classic-en", "threshold=off", "max_rounds=3"])
    Rules(start_later='closer', threshold=None, max_rounds=3)
    >>> parse_rules(["deck=0:40+5:40+12:30"])
    Rules(deck=((0, 40), (5, 40), (12, 30)))
    """
    fields: dict[str, Any] = {}
    faults = []
    for word in words:
        name, equals, text = word.partition("=")
        if equals:
            fields[name] = _from_text(name, text)
        elif name in PRESETS:
            fields |= PRESETS[name]
        else:
            faults.append(_no_preset(name))
    try:
        rules = Rules(**fields)
    except ValueError as error:
        faults.append(_in_words(str(error).removeprefix("Rules: ")))
    if faults:
        raise ValueError("rules: " + "; ".join(faults))
    return rules


def _in_words(faults: str) -> str:
    """Faults of Rules in the words of a command line: off, true, false, decks as value:cards."""
    for python, word in (
        ("None (off)", "off"),
        ("got None", "got off"),
        ("expected True or False", "expected true or false"),
        ("pairs of value and cards", "value:cards pairs as in 0:40+5:40+12:30"),
    ):
        faults = faults.replace(python, word)
    return faults


@lru_cache(maxsize=32)
def rules_json(rules: Rules) -> str:
    """All fields as compact JSON, as records and saved games have them."""
    return json.dumps(rules.to_dict(), separators=(",", ":"))


def rules_text(rules: Rules) -> str:
    """The preset's name, or what differs from classic-fr, in the words of a command line.

    Examples
    --------
    >>> rules_text(Rules.preset("classic-en"))
    'classic-en'
    >>> rules_text(Rules(threshold=50, max_rounds=None, row_removal=False, stall_limit=None))
    'classic-fr with threshold=50, stall_limit=off'
    """
    fields = {name: getattr(rules, name) for name in DEFAULTS}
    for preset, changes in PRESETS.items():
        if fields == DEFAULTS | changes:
            return preset
    changed = [
        f"{name}={_to_text(value)}" for name, value in fields.items() if value != DEFAULTS[name]
    ]
    return "classic-fr with " + ", ".join(changed)


def _to_text(value: Field) -> str:
    if value is None:
        return "off"
    if isinstance(value, tuple):
        return "+".join(f"{card}:{n}" for card, n in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _from_text(name: str, text: str) -> Any:
    """A field's value from a command line; wrong text stays text, for the check to name."""
    if name in _SWITCHES:
        return {"true": True, "false": False}.get(text, text)
    if name == "deck" and ":" in text:
        pairs = [pair.partition(":") for pair in text.split("+")]
        try:
            return [(int(card), int(n)) for card, _, n in pairs]
        except ValueError:
            return text
    if name in _WORDS or name == "deck":
        return text
    if text == "off":
        return None
    try:
        return int(text)
    except ValueError:
        return text


def _nearest(name: str, names: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(str(name), list(names), n=1, cutoff=0.5)
    return f", nearest: {near[0]}" if near else ""


def _unknown_field(name: str) -> str:
    names = ", ".join(DEFAULTS)
    return f"no field {name!r}{_nearest(name, DEFAULTS) or f', fields: {names}'}"


def _no_preset(name: str) -> str:
    presets = ", ".join(PRESETS)
    return f"expected a preset ({presets}) or key=value, got {name!r}{_nearest(name, PRESETS)}"


def _read(name: str, value: Any) -> tuple[Any, int]:
    """A field's value in its clean form, and as the core's number."""
    if name == "deck":
        return _read_deck(value), 0
    if name in _WORDS:
        words = _WORDS[name]
        if not isinstance(value, str) or value not in words:
            near = _nearest(value, words) if isinstance(value, str) else ""
            raise ValueError(f"{name}: expected one of {', '.join(words)}, got {value!r}{near}")
        return str(value), words.index(value)
    if name in _SWITCHES:
        if not isinstance(value, bool):
            raise ValueError(f"{name}: expected True or False, got {value!r}")
        return value, int(value)
    if value is None and name in _MAY_BE_OFF:
        return None, _core.OFF
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        off = "None (off) or " if name in _MAY_BE_OFF else ""
        raise ValueError(f"{name}: expected {off}an integer, got {value!r}")
    number = operator.index(value)
    return number, max(-_INT32, min(_INT32, number))


def _read_deck(value: Any) -> Deck:
    """A named deck, or a custom one as (value, cards) pairs in ascending order."""
    if isinstance(value, str):
        if value not in _DECKS:
            names = ", ".join(_DECKS)
            raise ValueError(
                f"deck: expected one of {names}, or pairs of value and cards, got {value!r}"
            )
        return value
    try:
        pairs = tuple(sorted((_whole(card), _whole(n)) for card, n in value))
    except (TypeError, ValueError):
        raise ValueError(
            f"deck: expected a name or pairs of value and cards, got {value!r}"
        ) from None
    wrong = [pair for pair in pairs if not (-4 <= pair[0] <= 13 and 0 <= pair[1] <= 120)]
    if wrong or len({card for card, _ in pairs}) < len(pairs) or sum(n for _, n in pairs) > 240:
        raise ValueError(
            "deck: expected values from -4 to 13, each once, with at most 120 cards each and 240 "
            f"in all, got {value!r}"
        )
    pairs = tuple(pair for pair in pairs if pair[1] > 0)
    for deck, cards in _DECKS.items():
        if pairs == cards:
            return deck
    return pairs


def _whole(number: Any) -> int:
    if isinstance(number, bool):
        raise TypeError("a truth value is no number")
    return operator.index(number)


def deck_pairs(deck: Deck) -> list[tuple[int, int]]:
    """A deck, named or custom, as (value, cards) pairs in ascending order."""
    return list(_DECKS[deck] if isinstance(deck, str) else deck)
