# SPDX-License-Identifier: MIT
"""One game between bots."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from skyjo_core import _core
from skyjo_core._view import PythonSeat
from skyjo_core.game import Game, compact, make_record
from skyjo_core.loader import (
    LoadedBot,
    bot_from_object,
    load_bot,
    object_name,
    own_traceback,
)
from skyjo_core.progress import say
from skyjo_core.rng import Rng
from skyjo_core.rules import Rules, rules_json
from skyjo_core.spec import BotSpec, parse_spec, unique_names

__all__ = ["PlayedGame", "load_one", "play_game", "play_table"]

_MAX_DETAIL: Final = 8000  # characters of a fault's detail; of more, its head and its end


# A tuple: a frozen dataclass of so many fields takes as long to make as a dozen decisions.
class PlayedGame(NamedTuple):
    """A game that bots have played.

    Attributes
    ----------
    game : Game
        As it stands at its end.
    players : tuple of str
        Names by absolute seat.
    places : tuple of int or None
        By absolute seat; forfeiters share the last place. None after a stop at a fault.
    faults : list of dict
        As in the record: round, move, seat, kind, detail.
    decisions : tuple of int
        Decisions by absolute seat.
    seconds : tuple of float
        Time spent in the bot, by absolute seat.
    aborted : bool
        Whether a fault stopped the game.
    deal : int
        Number of the deal, for the record.
    """

    game: Game
    players: tuple[str, ...]
    places: tuple[int, ...] | None
    faults: list[dict[str, Any]]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    aborted: bool
    deal: int = 0

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by absolute seat."""
        return self.game.totals

    def record(self) -> dict[str, Any]:
        """The record of the game, docs/format.md."""
        return make_record(
            self.game,
            self.players,
            deal=self.deal,
            places=self.places,
            faults=self.faults,
            aborted=self.aborted,
        )

    def write_record(self, text: _core.RecordText) -> None:
        """Appends the record as one line of JSON, mostly without the detour over objects."""
        if self.aborted:
            text.add_line(compact(self.record()))
        else:
            faults = compact(self.faults) if self.faults else "[]"
            text.add(self.game, _players_json(self.players), faults, self.deal, self.places)

    def record_line(self) -> bytes:
        """The record as one line of JSON, without its end."""
        text = _core.RecordText(rules_json(self.game.rules))
        self.write_record(text)
        return text.take(bytes)[:-1]


@lru_cache(maxsize=1024)
def _players_json(players: tuple[str, ...]) -> str:
    return compact(players)


def play_game(
    bots: Sequence[Any],
    seed: int = 0,
    rules: Rules | None = None,
    *,
    on_fault: str = "forfeit",
) -> PlayedGame:
    """Plays one game in this process.

    Parameters
    ----------
    bots : sequence
        One a seat: a spec, a path, a function choose_move(view[, rng]) or a subclass of Bot. A
        .pyx file is compiled at its first use, which takes seconds and is told on standard error.
    seed : int
        Game seed, 0..2**64 - 1: decides the decks and the bots' random numbers.
    rules : Rules, optional
        Default `Rules()`.
    on_fault : {"forfeit", "abort"}
        Whether a built-in bot plays on for a bot at fault, or the game stops there.

    Raises
    ------
    BrokenBotError
        A bot cannot be loaded.

    Examples
    --------
    >>> played = play_game(["native:threshold", "native:random"], seed=1)
    >>> played.places
    (1, 2)
    """
    loaded = [load_one(bot, "play_game") for bot in bots]
    names, _ = unique_names([bot.name for bot in loaded])
    game = Game(len(loaded), rules, seed)
    keys = _core.bot_keys(seed, deal=0, lineup=0, seating=0, n=len(loaded))
    return play_table(game, loaded, names, keys, on_fault=on_fault, stop_on_interrupt=True)


def load_one(bot: Any, where: str) -> LoadedBot:
    """The bot of a spec, a path, a function, a class or a capsule; a file is loaded once."""
    if isinstance(bot, LoadedBot):
        return bot
    if isinstance(bot, (str, Path)):
        specs = parse_spec(str(bot))
        if len(specs) != 1:
            raise ValueError(
                f"{where}: expected one bot a seat, got a folder of {len(specs)}: {bot}"
            )
        return _load_once(specs[0])
    return bot_from_object(bot, object_name(bot))


# Bots from files, by spec and time of the file: a process loads a module once.
_loaded: dict[tuple[str, int], LoadedBot] = {}


def _load_once(spec: BotSpec) -> LoadedBot:
    """The bot of a spec; loaded anew only where its file has changed."""
    changed = _changed(Path(spec.target)) if spec.kind == "file" else 0
    key = (repr(spec), changed)  # repr tells the options 1, 1.0 and True apart
    if key not in _loaded:
        _loaded[key] = load_bot(spec, say)
    return _loaded[key]


def _changed(path: Path) -> int:
    """When a bot's file was last written to, in nanoseconds; 0 where there is none."""
    file = path / "__init__.py" if path.is_dir() else path
    return file.stat().st_mtime_ns if file.is_file() else 0


def play_table(
    game: Game,
    bots: Sequence[LoadedBot],
    players: Sequence[str],
    keys: Sequence[int],
    *,
    deal: int = 0,
    on_fault: str = "forfeit",
    stop_on_interrupt: bool = False,
) -> PlayedGame:
    """Plays a fresh game to its end; keys seed the bots' streams, by absolute seat.

    Raises
    ------
    KeyboardInterrupt
        The user pressed Ctrl-C and stop_on_interrupt is true.
    """
    if on_fault not in ("forfeit", "abort"):
        raise ValueError(f"on_fault: expected 'forfeit' or 'abort', got {on_fault!r}")
    rules = game.rules
    seats: list[PythonSeat | None] = []
    at_table: list[Any] = []
    for bot, key in zip(bots, keys, strict=True):
        native = bot.native
        seat = _python_seat(bot, rules, key, stop_on_interrupt) if native is None else None
        seats.append(seat)
        at_table.append(native if seat is None else seat.capsule())
    places, decisions, seconds, told, aborted, stopped = _core.play(
        game, at_table, keys=list(keys), abort_on_fault=on_fault == "abort", timed=True
    )
    if stopped:
        raise KeyboardInterrupt
    faults = [_fault(fault, seats[fault["seat"]], rules) for fault in told]
    return PlayedGame(game, tuple(players), places, faults, decisions, seconds, aborted, deal)


def _python_seat(bot: LoadedBot, rules: Rules, key: int, stop_on_interrupt: bool) -> PythonSeat:
    if bot.choose is not None:
        rng = Rng(key) if bot.takes_rng else None
        return PythonSeat(bot.choose, None, rules, rng, stop_on_interrupt)
    make = bot.make
    assert make is not None
    own = Rng(key)
    return PythonSeat(None, lambda: make(own), rules, None, stop_on_interrupt)


def _fault(fault: dict[str, Any], seat: PythonSeat | None, rules: Rules) -> dict[str, Any]:
    """A fault as the record has it, with a detail that tells what to mend."""
    if seat is not None and seat.error is not None:
        detail = _traceback_text(seat.error)
    elif seat is not None and seat.answer is not None:
        detail = f"{seat.answer}; legal: {fault['legal']}"
    elif fault["answer"] < 0:
        detail = f"{_returned(fault['answer'])}, expected one of: {fault['legal']}"
    else:
        name = _core.move_name(fault["answer"], rules.rows)
        detail = f"answered {fault['answer']} ({name}), expected one of: {fault['legal']}"
    return {key: fault[key] for key in ("round", "move", "seat", "kind")} | {
        "detail": _writable(detail)
    }


def _returned(answer: int) -> str:
    """What a compiled bot says of itself by a negative number."""
    words = {-1: "SKYJO_FAULT_ILLEGAL", -2: "SKYJO_FAULT_EXCEPTION"}
    return f"returned {answer}" + (f" ({words[answer]})" if answer in words else "")


def _writable(detail: str) -> str:
    """The text shortened, and such that it can be written as UTF-8."""
    if len(detail) > _MAX_DETAIL:
        half = _MAX_DETAIL // 2
        detail = f"{detail[:half]}\n[...]\n{detail[-half:]}"
    return detail.encode("utf-8", "backslashreplace").decode()


def _traceback_text(error: BaseException) -> str:
    try:
        lines = traceback.format_exception(type(error), error, own_traceback(error.__traceback__))
    except Exception:  # the bot's exception cannot even be printed
        return f"{type(error).__name__}, which raises when it is printed"
    return "".join(lines).rstrip()
