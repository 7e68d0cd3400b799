# SPDX-License-Identifier: MIT
"""From a spec to a bot: what is found, what is said of a broken file, private neighbours."""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from arena import BROKEN, HEALTHY, NEIGHBOURS, WATCHING
from skyjo_core import Bot, Rng, View, play_game
from skyjo_core.loader import BrokenBotError, bot_from_object, load_bot, said
from skyjo_core.spec import BotSpec, parse_spec


def load(path: Path | str, **options: Any) -> Any:
    return load_bot(BotSpec("file", str(path), tuple(options.items())))


def bot_file(folder: Path, text: str, name: str = "bot.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def choose_first(view: View) -> int:
    return view.legal_moves[0]


class First(Bot):
    def choose_move(self, view: View) -> int:
        return view.legal_moves[0]


# Names


def test_a_file_gives_its_stem_as_the_name() -> None:
    assert load(HEALTHY / "first.py").name == "first"


def test_a_module_may_name_its_bot() -> None:
    bot = load_bot(parse_spec(f"{WATCHING / 'options.py'}:whole=1,real=1.0,yes=1,no=1,word=x")[0])
    assert bot.name == "option bot"


def test_a_folder_gives_its_whole_name(tmp_path: Path) -> None:
    folder = tmp_path / "v1.2"
    folder.mkdir()
    bot_file(folder, "from .moves import choose_move\n", "__init__.py")
    bot_file(folder, "def choose_move(view):\n    return view.legal_moves[0]\n", "moves.py")
    bot = load(folder)
    assert bot.name == "v1.2"
    assert play_game([bot, "native:random"]).faults == []


def test_a_dot_in_a_file_name_is_part_of_the_name(tmp_path: Path) -> None:
    bot_file(tmp_path, "SIDE = 1\n", "helper.py")
    text = "from .helper import SIDE\n\ndef choose_move(view):\n    return view.legal_moves[0]\n"
    assert load(bot_file(tmp_path, text, "my.bot.py")).name == "my.bot"


# Functions and classes


def test_the_second_argument_decides_whether_random_numbers_are_given() -> None:
    assert not load(HEALTHY / "first.py").takes_rng
    assert load(HEALTHY / "lucky.py").takes_rng


def test_a_bot_object_is_made_anew_for_each_game() -> None:
    bot = bot_from_object(First, "first")
    assert bot.make is not None
    one, two = bot.make(Rng(1)), bot.make(Rng(2))
    assert one[0].__self__ is not two[0].__self__
    assert one[0].__self__.rng.getstate() == Rng(1).getstate()


def test_only_hooks_that_a_class_has_are_called() -> None:
    class Listens(First):
        def round_end(self, view: View) -> None: ...

    bot = bot_from_object(Listens, "listens")
    assert bot.make is not None
    assert [hook is None for hook in bot.make(Rng(0))[1:]] == [True, False, True]


def test_any_callable_is_a_bot() -> None:
    class Called:
        def __call__(self, view: View, rng: Rng) -> int:
            return view.legal_moves[rng.below(len(view.legal_moves))]

    def weighted(weight: int, view: View) -> int:
        return view.legal_moves[-weight]

    for bot in (Called(), functools.partial(weighted, 1), lambda view: view.legal_moves[0]):
        assert play_game([bot, "native:random"]).faults == []


def test_options_reach_the_bot_as_they_were_written() -> None:
    spec = f"{WATCHING / 'options.py'}:whole=-3,real=2.5,yes=true,no=false,word=some:thing=else"
    assert play_game([spec, "native:random"]).faults == []


# What is wrong with a broken file

BROKEN_FILES = [
    ("both.py", r"both\.py: .*one Bot class, found both \(One\)"),
    ("exits_at_import.py", r"exits_at_import\.py:11: loading called exit; guard it with if __name"),
    ("import_error.py", r"import_error\.py:4: loading raised ModuleNotFoundError: No module named"),
    ("method_without_view.py", r"\.py:8: expected choose_move\(self, view\), found choose_move\("),
    ("name_no_text.py", r"name_no_text\.py: NAME: expected a printable text, got 7"),
    ("name_two_lines.py", r"\.py: NAME: expected a printable text, got 'two\\nlines'"),
    ("no_argument.py", r":5: expected choose_move\(view\) or choose_move\(view, rng\), found"),
    ("no_bot.py", r"no_bot\.py: .*found neither; add one, or start the file's name with _"),
    ("no_method.py", r"no_method\.py: class Thinker lacks choose_move\(self, view\), define it"),
    ("not_callable.py", r"not_callable\.py: choose_move: expected a function, got 36"),
    ("raises_at_import.py", r"raises_at_import\.py:5: loading raised KeyError: 'missing'"),
    ("setup_exits.py", r"setup_exits\.py:12: setup called exit"),
    ("setup_raises.py", r"setup_raises\.py:10: setup raised FileNotFoundError: weights\.npz is"),
    ("three_arguments.py", r":5: .*found choose_move\(view, rng, time\); mend its arguments"),
    ("two_classes.py", r"expected one subclass of skyjo_core\.Bot, found 2 \(One, Two\); move the"),
    ("unprintable_at_import.py", r"unprintable_at_import\.py:12: loading raised Unprintable$"),
]


@pytest.mark.parametrize(("name", "said_of_it"), BROKEN_FILES, ids=[n for n, _ in BROKEN_FILES])
def test_a_broken_file_is_told_with_its_place_and_remedy(name: str, said_of_it: str) -> None:
    with pytest.raises(BrokenBotError, match=said_of_it) as caught:
        load(BROKEN / name)
    assert str(caught.value).startswith(str(BROKEN / name))


@pytest.mark.parametrize(
    ("text", "said_of_it"),
    [
        (
            "def choose_move(view)\n    return 1\n",
            r"bot\.py:1: SyntaxError: .*'def choose_move",
        ),
        ("x = 1\n\tif", r"bot\.py:2: SyntaxError: "),
        ("x = '\udcff'\n", r"bot\.py:1: SyntaxError: "),
        ("x = 1\0\n", r"null bytes"),
        ("raise BaseException('odd')\n", r"bot\.py:1: loading raised BaseException: odd"),
        ("from helper import x\n", r"helper\.py:2: loading raised ZeroDivisionError"),
    ],
    ids=["syntax", "indent", "encoding", "null", "base exception", "neighbour"],
)
def test_what_is_no_python_is_told_with_its_line(
    text: str, said_of_it: str, tmp_path: Path
) -> None:
    (tmp_path / "helper.py").write_text("x = 1\ny = 1 / 0\n")
    path = tmp_path / "bot.py"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BrokenBotError, match=said_of_it):
        load(path)


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    (tmp_path / "link.py").symlink_to("nowhere.py")
    (tmp_path / "folder.py").mkdir()
    for name in ("link.py", "folder.py"):
        with pytest.raises(BrokenBotError, match=rf"{name}: expected a Python file or a folder"):
            load(tmp_path / name)


def test_ctrl_c_while_a_bot_is_loaded_is_the_users() -> None:
    with pytest.raises(KeyboardInterrupt):
        load(BROKEN / "interrupts_at_import.py")


@pytest.mark.parametrize(
    ("options", "said_of_it"),
    [
        ({"front": 1}, r"class Taker does not take front=1: got an unexpected keyword argument"),
        ({"back": 1, "x": "y"}, r"class Taker does not take back=1, x=y: "),
    ],
)
def test_options_that_a_class_does_not_take_are_told(
    options: dict[str, Any], said_of_it: str
) -> None:
    with pytest.raises(BrokenBotError, match=said_of_it):
        load(HEALTHY / "taker.py", **options)


def test_options_that_a_class_needs_are_told() -> None:
    with pytest.raises(BrokenBotError, match=r"does not take no options: missing a required arg"):
        load(WATCHING / "typed.py")


def test_a_function_takes_no_options() -> None:
    with pytest.raises(BrokenBotError, match=r"options \(depth\) need a Bot class with __init__\("):
        load(HEALTHY / "first.py", depth=2)


@pytest.mark.parametrize(
    ("bot", "said_of_it"),
    [
        (7, "expected a function or a subclass of skyjo_core.Bot, got 7"),
        (int, "expected a function or a subclass"),
        (lambda: 36, r"expected choose_move\(view\) or .*, found <lambda>\(\)"),
        (Bot, r"class Bot lacks choose_move\(self, view\)"),
    ],
)
def test_an_object_that_is_no_bot_is_told(bot: Any, said_of_it: str) -> None:
    with pytest.raises(BrokenBotError, match=said_of_it):
        bot_from_object(bot, "mine")


def test_the_name_of_an_object_must_be_printable() -> None:
    with pytest.raises(BrokenBotError, match="NAME: expected a printable text, got 'a\\\\nb'"):
        bot_from_object(choose_first, "a\nb")


def test_a_bot_from_a_module_is_imported_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HEALTHY))
    bot = load_bot(BotSpec("import", "taker:Taker", (("back", 2),)))
    assert bot.name == "Taker"
    assert play_game([bot, "native:random"]).faults == []


@pytest.mark.parametrize(
    ("target", "said_of_it"),
    [
        ("no_such_module:Bot", "no_such_module:Bot: importing raised ModuleNotFoundError"),
        ("json:Bot", "json:Bot: module json has no Bot"),
        ("json:JSONDecoder", "json:JSONDecoder: expected a function or a subclass"),
        ("raises_at_import:Bot", r"raises_at_import\.py:5: importing raised KeyError"),
    ],
)
def test_a_module_without_the_bot_is_told(
    target: str, said_of_it: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BROKEN))
    with pytest.raises(BrokenBotError, match=said_of_it):
        load_bot(BotSpec("import", target))


# Neighbours


def test_each_bot_has_its_own_neighbours_and_the_standard_library() -> None:
    names = ["left/left_bot.py", "right/right_bot.py", "packaged"]
    bots = [load(NEIGHBOURS / name) for name in names]
    assert bots[2].name == "in a package"
    assert play_game(bots, seed=3).faults == []
    assert not {"helper", "_late", "shared", "tables"} & set(sys.modules)


def test_a_bot_that_is_loaded_twice_shares_nothing(tmp_path: Path) -> None:
    text = "import state\n\ndef choose_move(view):\n    state.n += 1\n    return state.n\n"
    path = bot_file(tmp_path, text)
    bot_file(tmp_path, "n = 0\n", "state.py")
    one, two = load(path), load(path)
    assert one.choose is not None
    assert two.choose is not None
    assert [one.choose(None), one.choose(None), two.choose(None)] == [1, 2, 1]


def test_a_neighbour_is_found_whenever_it_is_imported(tmp_path: Path) -> None:
    text = """
def choose_move(view):
    import late.part
    from late import part as again, VALUE
    import late.part as third
    from late.part import *
    assert again is third is late.part and VALUE == late.VALUE == STAR == 5
    return view.legal_moves[0]
"""
    path = bot_file(tmp_path, text.replace("import *", "import STAR"))
    (tmp_path / "late").mkdir()
    bot_file(tmp_path, "VALUE = 5\n", "late/__init__.py")
    bot_file(tmp_path, "from . import VALUE as STAR\n", "late/part.py")
    assert play_game([load(path), "native:random"]).faults == []


def test_a_neighbour_does_not_stand_in_for_this_package(tmp_path: Path) -> None:
    bot_file(tmp_path, "raise ImportError\n", "skyjo_core.py")
    text = "from skyjo_core import DRAW\n\ndef choose_move(view):\n    return view.legal_moves[0]\n"
    assert load(bot_file(tmp_path, text)).name == "bot"


def test_a_dataclass_in_a_bot_file_works(tmp_path: Path) -> None:
    text = """
from __future__ import annotations
import dataclasses, pickle

@dataclasses.dataclass
class Memory:
    seen: int = 0

assert pickle.loads(pickle.dumps(Memory(3))) == Memory(3)

def choose_move(view):
    return view.legal_moves[0]
"""
    assert load(bot_file(tmp_path, text)).name == "bot"


def test_a_bot_with_a_path_that_is_no_utf8_needs_a_name(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/b\xff.py"
    text = b"def choose_move(view):\n    return view.legal_moves[0]\n"
    Path(os.fsdecode(path)).write_bytes(text)
    with pytest.raises(BrokenBotError, match="NAME: expected a printable text"):
        load(os.fsdecode(path))
    Path(os.fsdecode(path)).write_bytes(b'NAME = "named"\n' + text)
    assert load(os.fsdecode(path)).name == "named"


# Extension modules


def test_an_extension_module_for_another_python_is_said_so(tmp_path: Path) -> None:
    path = bot_file(tmp_path, "", "fast.cpython-27-any.so")
    with pytest.raises(
        BrokenBotError,
        match=r"for this Python \(\.cpython.*\), got one for cpython-27-any; build it again",
    ):
        load(path)


def test_a_file_that_is_no_extension_module_is_said_so(tmp_path: Path) -> None:
    path = bot_file(tmp_path, "nothing", "fast.so")
    with pytest.raises(BrokenBotError, match=r"fast\.so: loading raised ImportError"):
        load(path)


# Texts


def test_said_gives_type_and_text_also_where_the_text_raises() -> None:
    class UnprintableError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert said(KeyError("a")) == "KeyError: 'a'"
    assert said(ValueError()) == "ValueError"
    assert said(UnprintableError()) == "UnprintableError"


def test_every_broken_file_of_the_corpus_is_tried() -> None:
    elsewhere = {"dies_at_import.py", "interrupts_at_import.py"}
    names = {path.name for path in BROKEN.glob("*.py")}
    assert {name for name, _ in BROKEN_FILES} | elsewhere == names


@pytest.mark.parametrize(
    ("function", "takes_rng"),
    [
        (lambda view: 0, False),
        (lambda view, rng: 0, True),
        (lambda view, rng=None: 0, True),
        (lambda view, limit=3: 0, False),
        (lambda view, *, limit=3: 0, False),
        (lambda *arguments: 0, True),
        (lambda view, **options: 0, False),
        (functools.wraps(lambda view: 0)(lambda view, rng: 0), False),
        (functools.partial(lambda limit, view: 0, 3), False),
    ],
)
def test_whether_a_function_takes_random_numbers(function: Any, takes_rng: bool) -> None:
    assert bot_from_object(function, "bot").takes_rng == takes_rng


@pytest.mark.parametrize("function", [lambda: 0, lambda a, b, c: 0, lambda view, *, limit: 0])
def test_a_function_with_other_arguments_is_no_bot(function: Any) -> None:
    with pytest.raises(BrokenBotError, match="mend its arguments"):
        bot_from_object(function, "bot")
