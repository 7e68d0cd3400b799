# SPDX-License-Identifier: MIT
"""How bots are named: API section 5, the last paragraph."""

from __future__ import annotations

import os
import pickle
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from skyjo_core.spec import BotSpec, parse_spec, unique_names


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder "bots" with two bots, a package, and what is none; the current folder is above."""
    bots = tmp_path / "bots"
    for name in ("b.py", "a.py", "_helper.py", ".hidden.py", "notes.txt"):
        bots.mkdir(exist_ok=True)
        (bots / name).write_text("")
    for name in ("package", "_private", "data"):
        (bots / name).mkdir()
    (bots / "package" / "__init__.py").write_text("")
    (bots / "_private" / "__init__.py").write_text("")
    monkeypatch.chdir(tmp_path)
    return bots


def test_a_folder_names_its_files_and_packages_but_no_helpers(folder: Path) -> None:
    names = ["a.py", "b.py", "package"]
    assert parse_spec("bots") == [BotSpec("file", str(folder / name)) for name in names]


def test_compiled_bots_of_a_folder_are_found_once_each(folder: Path) -> None:
    """Not what is made of a source beside it, nor what another Python has beside ours."""
    own, plain, other = EXTENSION_SUFFIXES[0], EXTENSION_SUFFIXES[-1], ".cpython-27-any.so"
    for name in ("c.pyx", "_part.pyx", ".hid.pyx", f"d{own}", f"_d{own}", f"e{plain}", "e.pxd"):
        (folder / name).write_text("")
    for name in (f"a{own}", f"c{plain}", f"d{other}", f"f{other}"):
        (folder / name).write_text("")
    found = [Path(spec.target).name for spec in parse_spec("bots")]
    assert found == sorted(
        ["a.py", "b.py", "c.pyx", f"d{own}", f"e{plain}", f"f{other}", "package"]
    )


def test_a_package_is_one_bot(folder: Path) -> None:
    assert parse_spec("bots/package") == [BotSpec("file", str(folder / "package"))]


def test_a_helper_named_outright_is_a_bot(folder: Path) -> None:
    assert parse_spec("bots/_helper.py") == [BotSpec("file", str(folder / "_helper.py"))]


def test_options_are_read_as_int_float_truth_else_text() -> None:
    text = "native:threshold:limit=4"
    assert parse_spec(text) == [BotSpec("native", "threshold", (("limit", 4),))]
    assert str(parse_spec(text)[0]) == text
    (spec,) = parse_spec("some.module:Bot:i=-3,f=2.5,e=1e-3,t=true,n=false,s=True,empty=,x=a=b")
    assert spec == BotSpec(
        "import",
        "some.module:Bot",
        (
            ("i", -3),
            ("f", 2.5),
            ("e", 0.001),
            ("t", True),
            ("n", False),
            ("s", "True"),
            ("empty", ""),
            ("x", "a=b"),
        ),
    )
    assert [type(value) for _, value in spec.options] == [
        *(int, float, float, bool, bool, str, str, str)
    ]


def test_a_value_may_hold_colons(folder: Path) -> None:
    (spec,) = parse_spec("bots/a.py:url=http://host:80/x,y=1")
    assert spec == BotSpec("file", str(folder / "a.py"), (("url", "http://host:80/x"), ("y", 1)))


def test_options_of_a_folder_go_to_each_of_its_bots(folder: Path) -> None:
    assert [spec.options for spec in parse_spec("bots:depth=2")] == [(("depth", 2),)] * 3


def test_a_path_that_exists_is_not_taken_for_options(folder: Path) -> None:
    odd = folder / "odd:name=1"
    odd.mkdir()
    (odd / "bot.py").write_text("")
    assert parse_spec("bots/odd:name=1") == [BotSpec("file", str(odd / "bot.py"))]


@pytest.mark.parametrize("text", ["nowhere.py", "no/folder", "", "x" * 5000, "a\0b", "module.only"])
def test_what_is_not_there_is_said_so(text: str, folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match="expected a bot file, a folder of bots"):
        parse_spec(text)


def test_a_folder_without_bots_is_said_so(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"data: expected bots .*, found none"):
        parse_spec("bots/data")


def test_a_wrong_native_name_is_answered_with_the_right_ones() -> None:
    with pytest.raises(ValueError, match=r"native:thresold: expected one of .*native:threshold"):
        parse_spec("native:thresold")


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("native:random:x=1", "native:random takes no options"),
        ("native:threshold:limit=few", "native:threshold takes limit=INTEGER"),
        ("native:threshold:limits=4", "native:threshold takes limit=INTEGER"),
    ],
)
def test_wrong_options_of_a_native_bot_are_said_so(text: str, takes: str) -> None:
    with pytest.raises(ValueError, match=takes):
        parse_spec(text)


def test_bots_of_other_languages_are_refused_as_not_yet_available() -> None:
    with pytest.raises(ValueError, match="not available in this version"):
        parse_spec("exec:./my-bot")


def test_a_path_that_is_no_utf8_is_kept(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/b\xff.py"
    with open(path, "w"):  # noqa: PTH123 - bytes
        pass
    (spec,) = parse_spec(os.fsdecode(path))
    assert os.fsencode(spec.target) == path


def test_a_spec_is_plain_data() -> None:
    spec = BotSpec("file", "/a.py", (("x", 1),))
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert {spec: 1}[BotSpec("file", "/a.py", (("x", 1),))] == 1
    assert str(BotSpec("native", "threshold", (("yes", True), ("r", 0.5)))) == (
        "native:threshold:yes=true,r=0.5"
    )


def test_names_that_differ_stay() -> None:
    assert unique_names(["b", "a"]) == (["b", "a"], [])


def test_equal_names_are_numbered_with_a_note_for_each() -> None:
    names, notes = unique_names(["x", "a", "x", "b", "b", "x"])
    assert names == ["x#1", "a", "x#2", "b#1", "b#2", "x#3"]
    assert notes == [
        "2 bots are named b: they play as b#1, b#2",
        "3 bots are named x: they play as x#1, x#2, x#3",
    ]


def test_a_number_that_is_somebodys_name_is_left_out() -> None:
    names, _ = unique_names(["x", "x#1", "x", "x#3"])
    assert names == ["x#2", "x#1", "x#4", "x#3"]
