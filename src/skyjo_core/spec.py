# SPDX-License-Identifier: MIT
"""Specs: how a bot is named on a command line and carried to other processes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

from skyjo_core import _core
from skyjo_core.bot import Option

__all__ = ["BotSpec", "parse_spec", "unique_names"]


@dataclass(frozen=True, slots=True)
class BotSpec:
    """Where a bot comes from: plain data that any process can load it by.

    Attributes
    ----------
    kind : str
        "file" (a path), "native" (a built-in name) or "import" (module:attribute).
    target : str
        The absolute path, the name, or module:attribute.
    options : tuple of (str, value)
        As written behind the target.
    """

    kind: str
    target: str
    options: tuple[tuple[str, Option], ...] = ()

    @property
    def options_text(self) -> str:
        """The options as they are written in a spec."""
        return ",".join(f"{name}={_option_text(value)}" for name, value in self.options)

    @property
    def short(self) -> str:
        """The spec without the folder of a file."""
        return (
            str(replace(self, target=Path(self.target).name)) if self.kind == "file" else str(self)
        )

    def __str__(self) -> str:
        head = f"native:{self.target}" if self.kind == "native" else self.target
        return f"{head}:{self.options_text}" if self.options else head


# Files of bots: sources, and extension modules.
_SUFFIXES: Final = (".py", ".pyx", "." + EXTENSION_SUFFIXES[-1].rpartition(".")[2])
# The first colon behind which there is nothing but options: a value may hold colons itself.
_WITH_OPTIONS: Final = re.compile(r"(.+?):([A-Za-z_]\w*=[^,]*(?:,[A-Za-z_]\w*=[^,]*)*)", re.DOTALL)
_IMPORT: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def parse_spec(text: str) -> list[BotSpec]:
    """The bots that a word of the command line names; a folder names each bot in it.

    Raises
    ------
    FileNotFoundError
        The path does not exist, or the folder holds no bots.
    ValueError
        The spec is wrong in another way.
    """
    options: tuple[tuple[str, Option], ...] = ()
    if (found := _WITH_OPTIONS.fullmatch(text)) is not None and not _exists(text):
        text, options = found[1], _read_options(found[2])
    if text.startswith("native:"):
        return [_native(text.removeprefix("native:"), options)]
    if text.startswith("exec:"):
        raise ValueError(
            f"{text}: bots of other languages (exec:) are not available in this version"
        )
    if _exists(text):
        path = Path(text)
        if path.is_dir() and not (path / "__init__.py").is_file():
            return [BotSpec("file", str(bot), options) for bot in _bots_in(path)]
        return [BotSpec("file", str(path.resolve()), options)]
    if _IMPORT.fullmatch(text):
        return [BotSpec("import", text, options)]
    raise FileNotFoundError(
        f"{text or repr(text)}: expected a bot file, a folder of bots, native:NAME or "
        "module:Class, found nothing there"
    )


def _exists(text: str) -> bool:
    try:
        return text != "" and Path(text).exists()
    except (OSError, ValueError):  # longer than a name can be, or with a null character
        return False


def _native(name: str, options: tuple[tuple[str, Option], ...]) -> BotSpec:
    if name not in _core.NATIVE_BOTS:
        names = ", ".join(f"native:{bot}" for bot in _core.NATIVE_BOTS)
        raise ValueError(f"native:{name}: expected one of {names}")
    spec = BotSpec("native", name, options)
    try:
        _core.CompiledBot(name, spec.options_text)
    except ValueError:
        takes = "limit=INTEGER" if name == "threshold" else "no options"
        raise ValueError(f"{spec}: native:{name} takes {takes}") from None
    return spec


def _bots_in(folder: Path) -> list[Path]:
    """The bots of a folder by name, but not _helpers, .hidden ones, or what is made of a source."""
    names = sorted(
        path.name
        for path in folder.iterdir()
        if not path.name.startswith(("_", "."))
        and (path.suffix in _SUFFIXES or (path.is_dir() and (path / "__init__.py").is_file()))
    )
    bots = [(folder / name).resolve() for name in names if not _is_made_of(name, names)]
    if not bots:
        raise FileNotFoundError(
            f"{folder}: expected bots (.py files or packages, .pyx files or extension modules, "
            "names without a leading _), found none"
        )
    return bots


def _is_made_of(name: str, names: Sequence[str]) -> bool:
    """Whether a file is an extension module of a source beside it, or one for another Python."""
    stem = name.partition(".")[0]
    if Path(name).suffix in (".py", ".pyx"):
        return False
    sources = {f"{stem}.py", f"{stem}.pyx", *(stem + suffix for suffix in EXTENSION_SUFFIXES)}
    return any(source in names for source in sources if source != name)


def _read_options(text: str) -> tuple[tuple[str, Option], ...]:
    pairs = [word.partition("=") for word in text.split(",")]
    return tuple((name, _read_option(value)) for name, _, value in pairs)


def _read_option(text: str) -> Option:
    """An int, a float, true, false, else the text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _option_text(value: Option) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def unique_names(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names with `#1`, `#2` behind those that occur twice, and a note for each of these."""
    result, notes = _unique_names(tuple(names))
    return list(result), list(notes)


@lru_cache(maxsize=64)
def _unique_names(names: tuple[str, ...]) -> tuple[list[str], list[str]]:
    counts = Counter(names)
    taken = {name for name in names if counts[name] == 1}
    result: list[str] = []
    for name in names:
        if counts[name] == 1:
            result.append(name)
            continue
        number = 1
        while f"{name}#{number}" in taken:
            number += 1
        taken.add(f"{name}#{number}")
        result.append(f"{name}#{number}")
    notes = [
        f"{counts[name]} bots are named {name}: they play as "
        + ", ".join(new for new, old in zip(result, names, strict=True) if old == name)
        for name in sorted(counts)
        if counts[name] > 1
    ]
    return result, notes
