# SPDX-License-Identifier: MIT
"""From a spec to a bot that can play: loading files, and saying what is wrong with them."""

from __future__ import annotations

import importlib
import inspect
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import FunctionType, ModuleType, TracebackType
from typing import Any, Final

from skyjo_core import _core
from skyjo_core.bot import Bot
from skyjo_core.capsule import is_capsule
from skyjo_core.private_modules import extension_stem, new_module
from skyjo_core.rng import Rng
from skyjo_core.spec import BotSpec

__all__ = [
    "BrokenBotError",
    "LoadedBot",
    "bot_from_object",
    "compile_bot",
    "load_bot",
    "object_name",
    "own_traceback",
    "said",
]

Hooks = tuple[Callable[..., Any], ...]
_OFFER: Final = "SKYJO_BOT"  # the attribute of a module that holds a compiled bot
# What an extension module is for, as its name says: NAME.cpython-311-x86_64-linux-gnu.so
_TAG: Final = re.compile(r"\.((?:cpython|pypy)[\w-]*)\.(?:so|pyd)$")
# Where frames are not the bot's: this package, and what imports.
_OURS: Final = (f"{Path(__file__).parent}/", "<frozen", importlib.__file__)


class BrokenBotError(Exception):
    """A bot that is there but cannot be loaded; the text names file, line and remedy."""


@dataclass(frozen=True, slots=True)
class LoadedBot:
    """A bot ready to play.

    Attributes
    ----------
    name : str
        As its file or class gives it.
    native : CompiledBot or None
        A bot behind the C struct, built in or compiled; then the rest is unused.
    choose : callable or None
        The choose_move of a bot that is a function: nothing is made for a game.
    make : callable or None
        For the others: make(rng) gives a fresh (choose_move, game_start, round_end, game_end) for
        one game.
    takes_rng : bool
        Whether choose_move takes the random numbers as its second argument.
    """

    name: str
    native: _core.CompiledBot | None = None
    choose: Callable[..., Any] | None = None
    make: Callable[[Rng], tuple[Any, ...]] | None = None
    takes_rng: bool = False


def load_bot(spec: BotSpec, tell: Callable[[str], None] | None = None) -> LoadedBot:
    """Loads the bot of a spec, its module anew, and runs its `setup`.

    Parameters
    ----------
    tell : callable, optional
        Told before a .pyx file is compiled, which takes seconds.

    Raises
    ------
    BrokenBotError
        The bot cannot be loaded.
    """
    if spec.kind == "native":
        native = _core.CompiledBot(spec.target, spec.options_text)
        return LoadedBot(name=spec.target, native=native)
    if spec.kind == "import":
        return _import_bot(spec)
    path = Path(spec.target)
    module = _load_module(path, tell)
    if (capsule := vars(module).get(_OFFER)) is not None:
        names = (getattr(module, "NAME", None), _stem(path))
        return _from_capsule(capsule, names, spec.options_text, f"{path}: {_OFFER}")
    found = _bot_in(module, path)
    name = getattr(module, "NAME", _stem(path))
    return bot_from_object(found, name, dict(spec.options), where=str(path))


def _stem(path: Path) -> str:
    """The name of a bot's file that says nothing else."""
    return path.name if path.is_dir() else extension_stem(path) or path.stem


def _from_capsule(capsule: Any, names: tuple[Any, Any], options: str, where: str) -> LoadedBot:
    """A bot behind the C struct, by its module's name, else the struct's, else the last."""
    if not is_capsule(capsule):
        raise BrokenBotError(
            f"{where}: expected a capsule with a skyjo_bot (skyjo/bot_abi.h), got {capsule!r}"
        )
    given, last = names
    try:
        native = _core.CompiledBot(capsule, options)
        name = (native.name or last) if given is None else given
    except ValueError as error:
        raise BrokenBotError(f"{where}: {error}") from None
    _check_name(name, where)
    return LoadedBot(name, native=native)


def _check_name(name: Any, where: str) -> None:
    if not isinstance(name, str) or not name or not name.isprintable():
        raise BrokenBotError(f"{where}: NAME: expected a printable text, got {name!r}")


def object_name(bot: Any) -> Any:
    """The name of a function, class or other callable that is given as a bot."""
    return getattr(bot, "NAME", getattr(bot, "__name__", type(bot).__name__).strip("<>"))


def bot_from_object(
    found: Any, name: Any, options: dict[str, Any] | None = None, where: str | None = None
) -> LoadedBot:
    """A bot from a function choose_move(view[, rng]), a subclass of Bot or a capsule.

    Raises
    ------
    BrokenBotError
        It is neither, or its name, its arguments or its `setup` are wrong.
    """
    where = where or str(name)
    options = options or {}
    if is_capsule(found):
        return _from_capsule(found, (None, name), "", where)
    _check_name(name, where)
    if isinstance(found, type) and issubclass(found, Bot):
        return _from_class(found, name, options, where)
    if isinstance(found, type) or not callable(found):
        raise BrokenBotError(
            f"{where}: expected a function or a subclass of skyjo_core.Bot, got {found!r}"
        )
    if options:
        names = ", ".join(options)
        raise BrokenBotError(
            f"{where}: options ({names}) need a Bot class with __init__(self, {names}), "
            "found a function"
        )
    takes_rng = _takes_rng(found, where)
    return LoadedBot(name, choose=found, takes_rng=takes_rng)


def _from_class(bot: type[Bot], name: str, options: dict[str, Any], where: str) -> LoadedBot:
    missing = getattr(bot, "__abstractmethods__", None)
    if missing:
        raise BrokenBotError(
            f"{where}: class {bot.__name__} lacks choose_move(self, view), define it"
        )
    try:
        inspect.signature(bot).bind(**options)
    except TypeError as error:
        text = ", ".join(f"{key}={value}" for key, value in options.items()) or "no options"
        raise BrokenBotError(
            f"{where}: class {bot.__name__} does not take {text}: {error}"
        ) from None
    except ValueError:
        pass  # a class without a signature; its __init__ will tell
    _count_arguments(bot.choose_move, where, (2,), "choose_move(self, view)")
    with _blamed(where, "setup"):
        bot.setup(**options)

    def make(rng: Rng) -> tuple[Any, ...]:
        self = bot.__new__(bot)
        self.rng = rng
        self.__init__(**options)  # type: ignore[misc]
        hooks = [
            getattr(self, hook) if getattr(type(self), hook) is not getattr(Bot, hook) else None
            for hook in ("game_start", "round_end", "game_end")
        ]
        return (self.choose_move, *hooks)

    return LoadedBot(name, make=make)


def _takes_rng(function: Callable[..., Any], where: str) -> bool:
    if (n_plain := _n_plain_arguments(function)) in (1, 2):
        return n_plain == 2
    form = "choose_move(view) or choose_move(view, rng)"
    if _count_arguments(function, where, (1, 2), form) < 2:
        return False
    try:
        second = list(inspect.signature(function).parameters.values())[1:2]
    except (TypeError, ValueError):
        return False
    # A default is the author's own: an argument that has one is no place for the random numbers.
    return not second or second[0].default is inspect.Parameter.empty or second[0].name == "rng"


def _n_plain_arguments(function: Callable[..., Any]) -> int | None:
    """How many arguments a function takes; None where that takes a look at its signature."""
    if type(function) is not FunctionType or function.__defaults__ or function.__dict__:
        return None
    code = function.__code__
    special = code.co_kwonlyargcount or code.co_flags & (
        inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    )
    return None if special else code.co_argcount


def _count_arguments(
    function: Callable[..., Any], where: str, allowed: Sequence[int], form: str
) -> int:
    """The most arguments of those allowed that the function can be called with."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return allowed[0]
    for n in sorted(allowed, reverse=True):
        try:
            signature.bind(*range(n))
        except TypeError:
            continue
        return n
    code = inspect.unwrap(function)
    line = getattr(getattr(code, "__code__", None), "co_firstlineno", None)
    at = f"{where}:{line}" if line else where
    name = getattr(function, "__name__", "choose_move")
    raise BrokenBotError(f"{at}: expected {form}, found {name}{signature}; mend its arguments")


def _import_bot(spec: BotSpec) -> LoadedBot:
    module_name, _, attribute = spec.target.partition(":")
    with _blamed(spec.target, "importing"):
        module = importlib.import_module(module_name)
    if not hasattr(module, attribute):
        raise BrokenBotError(f"{spec.target}: module {module_name} has no {attribute}")
    found = getattr(module, attribute)
    if is_capsule(found) or attribute == _OFFER:
        name = getattr(module, "NAME", None) if attribute == _OFFER else None
        return _from_capsule(found, (name, attribute), spec.options_text, spec.target)
    return bot_from_object(found, attribute, dict(spec.options), where=spec.target)


def _bot_in(module: ModuleType, path: Path) -> Any:
    """The function or class of a bot file."""
    function = vars(module).get("choose_move")
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value is not Bot
        # Cython says the name that the module was compiled under.
        and value.__module__ in (module.__name__, module.__name__.rpartition(".")[2])
    ]
    classes = list(dict.fromkeys(classes))
    names = ", ".join(bot.__name__ for bot in classes)
    if function is not None and classes:
        raise BrokenBotError(
            f"{path}: expected a function choose_move or one Bot class, found both ({names})"
        )
    if function is not None:
        if not callable(function):
            raise BrokenBotError(f"{path}: choose_move: expected a function, got {function!r}")
        return function
    if len(classes) > 1:
        raise BrokenBotError(
            f"{path}: expected one subclass of skyjo_core.Bot, found {len(classes)} ({names}); "
            "move the others to a file whose name starts with _"
        )
    if not classes:
        is_python = path.is_dir() or path.suffix == ".py"
        compiled = "" if is_python else f", nor a capsule {_OFFER}"
        raise BrokenBotError(
            f"{path}: expected a function choose_move(view) or a subclass of skyjo_core.Bot, found "
            f"neither{compiled}; add one, or start the file's name with _ if it is a helper"
        )
    return classes[0]


# Modules


def _load_module(path: Path, tell: Callable[[str], None] | None) -> ModuleType:
    """The module of a bot: of a file, a package, or of what a .pyx file is compiled to."""
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        raise BrokenBotError(f"{path}: expected a Python file or a folder with __init__.py")
    built = compile_bot(path, tell)
    with _blamed(str(file), "loading"):
        _check_tag(path)
        module = new_module(path, built)
        loader = module.__loader__
        assert loader is not None
        loader.exec_module(module)  # type: ignore[attr-defined]
    return module


def compile_bot(path: Path, tell: Callable[[str], None] | None = None) -> Path | None:
    """Compiles a .pyx file, unless that has been done; None for a file that is none.

    Raises
    ------
    BrokenBotError
        It cannot be compiled.
    """
    if path.suffix != ".pyx":
        return None
    from skyjo_core.cython_build import CompileError, built_module

    try:
        return built_module(path, tell)
    except CompileError as error:
        raise BrokenBotError(str(error)) from None


def _check_tag(path: Path) -> None:
    """Raises where an extension module says in its name that it is for another Python."""
    own = EXTENSION_SUFFIXES[0]
    tag = _TAG.search(path.name)
    if tag is not None and not path.name.endswith(tuple(EXTENSION_SUFFIXES[:-1])):
        raise BrokenBotError(
            f"{path}: expected an extension module for this Python ({own}), got one for "
            f"{tag[1]}; build it again with this Python"
        )


@contextmanager
def _blamed(where: str, what: str) -> Iterator[None]:
    """What a bot's own code raises meanwhile, as a BrokenBotError that names its line.

    A KeyboardInterrupt is the user's, who presses Ctrl-C.
    """
    try:
        yield
    except (BrokenBotError, KeyboardInterrupt):
        raise
    except SyntaxError as error:
        line = (error.text or "").strip()
        raise BrokenBotError(
            f"{error.filename or where}:{error.lineno or 1}: SyntaxError: {error.msg}"
            + (f": {line!r}" if line else "")
        ) from error
    except SystemExit as error:
        raise BrokenBotError(
            f"{_place(error, where)}: {what} called exit; guard it with if __name__ == '__main__'"
        ) from error
    except BaseException as error:
        raise BrokenBotError(f"{_place(error, where)}: {what} raised {said(error)}") from error


def _place(error: BaseException, where: str) -> str:
    """File and line of the bot's own innermost frame."""
    frames = traceback.extract_tb(own_traceback(error.__traceback__))
    own = [frame for frame in frames if not frame.filename.startswith(_OURS)]
    inside = [frame for frame in own if str(Path(where).parent) in frame.filename] or own
    return f"{inside[-1].filename}:{inside[-1].lineno}" if inside else where


def said(error: BaseException) -> str:
    """Type and text of an exception of a bot; its text may itself raise."""
    try:
        return f"{type(error).__name__}: {error}".removesuffix(": ")
    except Exception:
        return type(error).__name__


def own_traceback(trace: TracebackType | None) -> TracebackType | None:
    """The traceback without this package's frames at its head."""
    start = trace
    while start is not None:
        name = start.tb_frame.f_code.co_filename
        if not (name.startswith(_OURS) or name.endswith("skyjo_core/_view.pyx")):
            return start
        start = start.tb_next
    return trace
