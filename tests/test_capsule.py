# SPDX-License-Identifier: MIT
"""Bots behind the C struct, made of C functions of ctypes: checked, named, played, at fault."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyjo_core import bot_abi, compiled_bot, play_game
from skyjo_core.loader import BrokenBotError, bot_from_object, load_bot
from skyjo_core.spec import BotSpec, parse_spec
from skyjo_core.tournament import run

CHOOSE_MOVE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
CREATE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64)
EVENT = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p
)
DESTROY = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
NAME_V1 = b"skyjo_core.bot.v1"


class Struct(ctypes.Structure):
    """skyjo_bot"""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("abi", ctypes.c_uint32),
        ("built_with", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("create", ctypes.c_void_p),
        ("choose_move", ctypes.c_void_p),
        ("event", ctypes.c_void_p),
        ("destroy", ctypes.c_void_p),
    ]


def view_at(address: int) -> Any:
    return np.frombuffer(ctypes.string_at(address, bot_abi.VIEW.itemsize), bot_abi.VIEW)[0]


@CHOOSE_MOVE
def first_legal(self: Any, view: int) -> int:
    legal = int(view_at(view)["legal"])
    return (legal & -legal).bit_length() - 1


def answers(answer: int) -> Any:
    return CHOOSE_MOVE(lambda self, view: answer)


@pytest.fixture
def capsule() -> Callable[..., Any]:
    """Makes a capsule with a struct of which some fields are not as they should be."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    kept = []

    def make(capsule_name: bytes | None = NAME_V1, **fields: Any) -> Any:
        struct = Struct(
            **{
                "size": ctypes.sizeof(Struct),
                "abi": 1,
                "built_with": b"0.0.9",
                "name": b"made",
                "choose_move": ctypes.cast(first_legal, ctypes.c_void_p).value,
            }
            | fields
        )
        kept.append((struct, capsule_name))
        return new(ctypes.addressof(struct), capsule_name, None)

    return make


# Playing


def test_a_bot_of_c_functions_plays_like_the_same_in_python() -> None:
    bot = compiled_bot("first", choose_move=first_legal)
    played = play_game([bot, "native:random"], seed=3)
    same = play_game([lambda view: view.legal_moves[0], "native:random"], seed=3)
    assert played.players == ("first", "random")
    assert played.faults == []
    assert played.game.record()["rounds"] == same.game.record()["rounds"]


def test_functions_are_given_as_addresses_or_with_an_address() -> None:
    address = ctypes.cast(first_legal, ctypes.c_void_p).value

    class Compiled:  # as a cfunc of numba
        pass

    function = Compiled()
    function.address = address  # type: ignore[attr-defined]
    for given in (address, function):
        assert play_game([compiled_bot("a", choose_move=given), "native:random"]).faults == []


def test_an_object_lives_for_one_game_and_has_the_options_and_hears_the_events() -> None:
    heard: list[Any] = []

    @CREATE
    def create(options: bytes, seed: int) -> int:
        heard.append(("create", options))
        return 77

    @EVENT
    def event(self: int, kind: int, view: int, places: int | None) -> int:
        found = None if places is None else list(ctypes.string_at(places, 2))
        heard.append((self, kind, int(view_at(view)["phase"]), found))
        return 0

    @DESTROY
    def destroy(self: int) -> None:
        heard.append(("destroy", self))

    bot = compiled_bot(
        "listens", choose_move=first_legal, create=create, event=event, destroy=destroy
    )
    loaded = bot_from_object(bot, "given")
    assert heard == [("create", b""), ("destroy", 77)]  # a trial
    heard.clear()
    played = play_game([loaded, "native:random"], seed=1)
    rounds = len(played.game.rounds)
    assert heard == [
        ("create", b""),
        (77, 0, 0, None),
        *[(77, 1, 3, None)] * rounds,
        (77, 2, 3, list(played.places or ())),
        ("destroy", 77),
    ]


def test_a_bot_without_destroy_is_left_alone() -> None:
    create = CREATE(lambda options, seed: 1)
    bot = compiled_bot("static", choose_move=first_legal, create=create)
    assert play_game([bot, "native:random"]).faults == []


@pytest.mark.parametrize(
    ("answer", "kind", "detail"),
    [
        (30, "illegal_move", "answered 30 (place r1c3), expected one of"),
        (99, "illegal_move", "answered 99"),
        (-1, "illegal_move", "returned -1 (SKYJO_FAULT_ILLEGAL), expected one of: flip"),
        (-9, "illegal_move", "returned -9, expected one of: flip"),
        (-2, "exception", "returned -2 (SKYJO_FAULT_EXCEPTION)"),
    ],
)
def test_a_wrong_answer_is_a_fault(answer: int, kind: str, detail: str) -> None:
    bot = compiled_bot("wrong", choose_move=answers(answer))
    (fault,) = play_game([bot, "native:random"]).faults
    assert (fault["kind"], fault["round"], fault["move"], fault["seat"]) == (kind, 0, 0, 0)
    assert detail in fault["detail"]


def test_a_hook_may_be_at_fault() -> None:
    event = EVENT(lambda self, kind, view, places: -2 if kind == 1 else 0)
    bot = compiled_bot("wrong", choose_move=first_legal, event=event)
    (fault,) = play_game([bot, "native:random"]).faults
    assert (fault["kind"], fault["round"], fault["move"]) == ("exception", 1, 0)


def test_a_bot_that_makes_no_object_in_a_game_is_at_fault_there() -> None:
    objects = iter([1, None])
    create = CREATE(lambda options, seed: next(objects))
    bot = bot_from_object(compiled_bot("poor", choose_move=first_legal, create=create), "poor")
    (fault,) = play_game([bot, "native:random"]).faults
    assert fault["kind"] == "exception"


def test_capsules_play_in_a_tournament_of_this_process() -> None:
    bot = compiled_bot("first", choose_move=first_legal)
    result = run([bot, "native:random"], deals=2, seed=1, workers=2)
    assert {line.bot for line in result.standings} == {"first", "random"}
    assert result.faults == []
    with ThreadPoolExecutor(2) as executor:
        same = run([bot, "native:random"], deals=2, seed=1, executor=executor)
    assert same.digest == result.digest


def test_compiled_bot_says_what_it_expects() -> None:
    for wrong in ("choose", 1.5):
        with pytest.raises(TypeError, match="compiled_bot: choose_move: expected a numba cfunc"):
            compiled_bot("a", choose_move=wrong)
    for nothing in (None, 0):
        with pytest.raises(ValueError, match="choose_move: expected a function, got the address 0"):
            compiled_bot("a", choose_move=nothing)
    with pytest.raises(TypeError, match="compiled_bot: name: expected a text, got ''"):
        compiled_bot("", choose_move=first_legal)


# Capsules of other versions

OTHERS = [
    (
        b"skyjo_core.bot.v2",
        {"built_with": b"3.1.4"},
        r"expected a bot built for version 1 of the bot ABI \(skyjo_core 0\.1\.0\), got one for "
        r"version 2 \(skyjo_core 3\.1\.4\): build it again against the installed skyjo_core",
    ),
    (NAME_V1, {"abi": 7, "built_with": b"3.1.4"}, r"got one for version 7 \(skyjo_core 3\.1\.4\)"),
    (NAME_V1, {"abi": 7, "built_with": None}, r"version 7 \(skyjo_core an unknown version\)"),
    (b"skyjo_core.bot.v2", {"size": 8}, "version 2 .skyjo_core an unknown version"),
    (b"other", {}, r"expected a capsule named skyjo_core\.bot\.v1, got other"),
    (None, {}, "got one without a name"),
    (NAME_V1, {"size": 48}, r"skyjo_bot of at least 56 bytes, got 48, built with 0\.0\.9"),
    (NAME_V1, {"choose_move": None}, r"with a choose_move, got NULL; built with 0\.0\.9"),
]


@pytest.mark.parametrize(("capsule_name", "fields", "text"), OTHERS)
def test_a_capsule_of_another_version_is_refused_by_its_version(
    capsule: Callable[..., Any], capsule_name: bytes | None, fields: dict[str, Any], text: str
) -> None:
    with pytest.raises(BrokenBotError, match=text):
        bot_from_object(capsule(capsule_name, **fields), "given")


def test_a_longer_struct_of_this_version_plays(capsule: Callable[..., Any]) -> None:
    bot = capsule(size=200, built_with=b"0.9.0")
    assert play_game([bot, "native:random"]).players == ("made", "random")


def test_a_struct_without_a_name_leaves_it_to_the_others(capsule: Callable[..., Any]) -> None:
    assert bot_from_object(capsule(name=None), "given").name == "given"


# Files that offer one

OFFER = """
import ctypes
import skyjo_core

@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
def choose_move(self, view):
    legal = ctypes.cast(view, ctypes.POINTER(ctypes.c_uint64))[6]
    return (legal & -legal).bit_length() - 1

@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64)
def create(options, seed):
    return 1 if options in (b"", b"depth=2,name=x") else None

SKYJO_BOT = skyjo_core.compiled_bot("struct's", choose_move=choose_move, create=create)
"""


@pytest.fixture
def offer(tmp_path: Path) -> Path:
    path = tmp_path / "offers.py"
    path.write_text(OFFER, encoding="utf-8")
    return path


def test_a_file_may_offer_a_capsule_by_its_struct_s_name(offer: Path) -> None:
    assert load_bot(BotSpec("file", str(offer))).name == "struct's"
    offer.write_text(OFFER + "NAME = 'own'\n")
    assert load_bot(BotSpec("file", str(offer))).name == "own"
    offer.write_text(OFFER + "NAME = 'two\\nlines'\n")
    with pytest.raises(BrokenBotError, match="NAME: expected a printable text"):
        load_bot(BotSpec("file", str(offer)))


def test_options_come_to_create_as_they_are_written(offer: Path) -> None:
    assert load_bot(parse_spec(f"{offer}:depth=2,name=x")[0]).native is not None
    with pytest.raises(BrokenBotError, match=r"py: SKYJO_BOT: options not understood: depth=3"):
        load_bot(parse_spec(f"{offer}:depth=3")[0])


def test_options_are_refused_where_there_is_no_create(tmp_path: Path) -> None:
    path = tmp_path / "plain.py"
    path.write_text(OFFER.replace(", create=create)", ")"), encoding="utf-8")
    with pytest.raises(BrokenBotError, match="SKYJO_BOT: expected no options, got: x=1"):
        load_bot(parse_spec(f"{path}:x=1")[0])


def test_what_is_no_capsule_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plain.py"
    path.write_text("SKYJO_BOT = 3\n", encoding="utf-8")
    with pytest.raises(BrokenBotError, match=r"SKYJO_BOT: expected a capsule .*, got 3"):
        load_bot(BotSpec("file", str(path)))


def test_a_module_s_capsule_is_named_by_its_attribute(
    offer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(offer.parent)
    offer.write_text(OFFER + "NAME = 'own'\nother = SKYJO_BOT\n", encoding="utf-8")
    assert load_bot(BotSpec("import", "offers:SKYJO_BOT")).name == "own"
    assert load_bot(BotSpec("import", "offers:other")).name == "struct's"


def test_a_capsule_plays_in_worker_processes(offer: Path) -> None:
    same = offer.with_name("same.py")
    same.write_text(
        'NAME = "struct\'s"\n\ndef choose_move(view):\n    return view.legal_moves[0]\n'
    )
    digests = [
        run([path, "native:random"], deals=2, seed=1, workers=workers).digest
        for path in (offer, same)
        for workers in (1, 2)
    ]
    assert len(set(digests)) == 1
