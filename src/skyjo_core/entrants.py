# SPDX-License-Identifier: MIT
"""The bots of a tournament: found, loaded and named."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skyjo_core.capsule import is_capsule
from skyjo_core.loader import (
    BrokenBotError,
    LoadedBot,
    bot_from_object,
    compile_bot,
    load_bot,
    object_name,
)
from skyjo_core.settings import Settings
from skyjo_core.spec import BotSpec, parse_spec, unique_names
from skyjo_core.workers import (
    WorkerPool,
)

__all__ = ["BrokenBotsError", "Entrants", "check_anchor", "enter"]

Found = BotSpec | LoadedBot | BrokenBotError
"""A bot as it was found: where it comes from, itself, or what is wrong with it."""


class BrokenBotsError(Exception):
    """Bots that are there but cannot be loaded; `faults` holds a text for each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


@dataclass(slots=True)
class Entrants:
    """The bots of a tournament, found and named.

    Attributes
    ----------
    names : tuple of str
        Different from one another; that of the fill bot last, if one plays.
    specs : tuple
        Where each comes from; None for one that only this process has.
    here : dict of int to LoadedBot
        The bots that are loaded in this process.
    fill : bool
        Whether the last one only fills seats.
    notes : list of str
        What the user should know: bots renamed, left out, played in this process.
    printed : list of (str, str)
        What bots printed while they were loaded.
    """

    names: tuple[str, ...]
    specs: tuple[BotSpec | None, ...]
    here: dict[int, LoadedBot]
    fill: bool
    notes: list[str]
    printed: list[tuple[str, str]]

    @property
    def sources(self) -> dict[str, str]:
        """Where each bot comes from, by its name in the tournament."""
        return {
            name: "this process" if spec is None else str(spec)
            for name, spec in zip(self.names, self.specs, strict=True)
        }

    @property
    def n_bots(self) -> int:
        """Entrants without the fill bot."""
        return len(self.names) - self.fill


def enter(
    bots: Sequence[Any],
    *,
    fill: Any = None,
    seats: int = 2,
    skip_broken: bool = False,
    pool: WorkerPool,
    tell: Callable[[str], None] | None = None,
) -> Entrants:
    """Finds, compiles, loads and names the bots of a tournament; tells what takes long.

    Raises
    ------
    BrokenBotsError
        Bots cannot be loaded; with skip_broken only if none is left.
    FileNotFoundError, ValueError
        A spec is wrong, or there are too few bots.
    """
    if isinstance(bots, (str, os.PathLike)):
        bots = [bots]
    found: list[Found] = []
    for bot in bots:
        found += _find(bot, pool)
    n_entrants = len(found)
    if fill is not None:
        fills = _find(fill, pool)
        if len(fills) != 1:
            raise ValueError(f"fill: expected one bot, got {len(fills)}: {fill}")
        found += fills
    found = [_compiled(bot, tell) for bot in found]
    names, printed, broken = _names(found, pool)
    if broken and (not skip_broken or (fill is not None and len(found) - 1 in broken)):
        raise BrokenBotsError(list(broken.values()))
    notes = [f"left out: {text}" for text in broken.values()]
    kept = [number for number in range(len(found)) if number not in broken]
    n_kept = sum(number < n_entrants for number in kept)
    if broken and n_kept == 0:
        raise BrokenBotsError(list(broken.values()))
    if fill is not None and n_kept >= seats:
        kept.pop()
        notes.append("fill: there are bots enough for every seat, the fill bot does not play")
        fill = None
    if n_kept < seats and fill is None:
        raise ValueError(
            f"seats: expected at least {seats} bots for {seats} seats, got {n_kept}; "
            "add bots, or name one that takes the seats left over (fill, --fill native:random)"
            + "".join(f"\n{note}" for note in notes)
        )
    return _entrants(
        [bot for number in kept if not isinstance(bot := found[number], BrokenBotError)],
        [names[number] for number in kept],
        fill is not None,
        notes,
        printed,
    )


def _entrants(
    bots: Sequence[BotSpec | LoadedBot],
    names: Sequence[str],
    fill: bool,
    notes: list[str],
    printed: list[tuple[str, str]],
) -> Entrants:
    unique, renamed = unique_names(names)
    notes = [*notes, *renamed]
    notes += [
        f"{name} is {bot if name != own else bot.short}"
        for name, own, bot in zip(unique, names, bots, strict=True)
        if isinstance(bot, BotSpec) and (bot.options or name != own)
    ]
    specs = tuple(bot if isinstance(bot, BotSpec) else None for bot in bots)
    here = {number: bot for number, bot in enumerate(bots) if isinstance(bot, LoadedBot)}
    which = ", ".join(unique[number] for number in here)
    if here or all(spec is not None and spec.kind == "native" for spec in specs):
        here |= {number: load_bot(spec) for number, spec in enumerate(specs) if spec is not None}
    if which:
        how = ", one by one" if any(bot.native is None for bot in here.values()) else ""
        notes.append(
            f"{which} cannot be imported by name: all games are played in this process{how}"
        )
    return Entrants(tuple(unique), specs, here, fill, notes, printed)


def _find(bot: Any, pool: WorkerPool) -> list[Found]:
    """What a bot given to run() names: specs, or a bot that only this process has."""
    if isinstance(bot, (str, os.PathLike)):
        return list(parse_spec(os.fspath(bot)))
    if isinstance(bot, (BotSpec, LoadedBot)):
        return [bot]
    module, name = getattr(bot, "__module__", None), getattr(bot, "__qualname__", "")
    if module and module != "__main__" and name.isidentifier():
        try:
            same = getattr(importlib.import_module(module), name, None) is bot
        except ImportError:
            same = False
        spec = BotSpec("import", f"{module}:{name}")
        # A module that this process has need not be where others find it.
        if same and pool.look_at([spec])[0].error is None:
            return [spec]
    if not callable(bot) and not is_capsule(bot):
        raise TypeError(f"bots: expected a spec, a path, a function or a Bot class, got {bot!r}")
    try:
        return [bot_from_object(bot, object_name(bot))]
    except BrokenBotError as error:
        return [error]


def _compiled(bot: Found, tell: Callable[[str], None] | None) -> Found:
    """The bot once its file is compiled, here and not in each worker, or what is wrong with it."""
    if isinstance(bot, BotSpec) and bot.kind == "file":
        try:
            compile_bot(Path(bot.target), tell)
        except BrokenBotError as error:
            return error
    return bot


def _names(
    found: Sequence[Found], pool: WorkerPool
) -> tuple[list[str], list[tuple[str, str]], dict[int, str]]:
    """Each bot's own name, what loading printed, and what is wrong with the broken ones."""
    names: list[str] = []
    printed: list[tuple[str, str]] = []
    broken: dict[int, str] = {}
    remote = [spec for spec in found if isinstance(spec, BotSpec) and spec.kind != "native"]
    looked = iter(pool.look_at(remote) if remote else [])
    for number, bot in enumerate(found):
        if isinstance(bot, LoadedBot):
            names.append(bot.name)
        elif isinstance(bot, BrokenBotError):
            names.append("")
            broken[number] = str(bot)
        elif bot.kind == "native":
            names.append(bot.target)
        else:
            seen = next(looked)
            names.append(seen.name or bot.target)
            printed.append((names[-1], seen.printed))
            if seen.error is not None:
                broken[number] = seen.error
    return names, printed, broken


def check_anchor(settings: Settings, entrants: Entrants) -> None:
    """Raises ValueError where the anchor is none of the bots."""
    if settings.anchor is not None and settings.anchor[0] not in entrants.names:
        names = ", ".join(entrants.names)
        raise ValueError(f"anchor: expected one of the bots ({names}), got {settings.anchor[0]!r}")
