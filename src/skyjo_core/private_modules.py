# SPDX-License-Identifier: MIT
"""The modules of bots: each bot's own, with its neighbours to itself."""

from __future__ import annotations

import builtins
import importlib
import importlib.machinery
import importlib.util
import itertools
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Final

__all__ = ["extension_stem", "new_module"]

_PACKAGE: Final = "_skyjo_bot_"
_numbers = itertools.count()


def new_module(path: Path, built: Path | None = None) -> ModuleType:
    """The module of a bot, not yet executed, under a name that no other module has.

    Parameters
    ----------
    path : Path
        A Python file, an extension module, or a folder with `__init__.py`.
    built : Path, optional
        The extension module that has been made of the file.
    """
    package = f"{_PACKAGE}{next(_numbers)}"
    finder = _PrivateModules(path.parent, package)
    sys.meta_path.insert(0, finder)
    parent = ModuleType(package)
    parent.__path__ = [str(path.parent)]
    sys.modules[package] = parent
    file = built or (path / "__init__.py" if path.is_dir() else path)
    stem = extension_stem(file)
    # A dot would make a submodule of what is no module.
    name = f"{package}.{(path.stem if stem is None else stem).replace('.', '_')}"
    loader = (
        _PrivateLoader(name, str(file), finder.builtins)
        if stem is None
        else ExtensionFileLoader(name, str(file))
    )
    spec = importlib.util.spec_from_file_location(
        name, file, loader=loader, submodule_search_locations=[str(path)] if path.is_dir() else None
    )
    assert spec is not None  # a loader is given
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    return module


def extension_stem(file: Path) -> str | None:
    """The name of the module in an extension module's file; None for another file."""
    for suffix in EXTENSION_SUFFIXES:  # the longest first: the last is .so alone
        if file.name.endswith(suffix):
            return file.name.removesuffix(suffix)
    return None


class _PrivateModules:
    """The imports of one bot: its neighbours are found in its folder and belong to it alone.

    Every module of the bot is a submodule of a package of its own, and is executed with builtins
    whose `__import__` looks among the neighbours first, whenever the import happens. Names of the
    standard library are never taken by a neighbour.
    """

    def __init__(self, folder: Path, package: str) -> None:
        self.folder = folder
        self.package = package
        self.builtins = vars(builtins) | {"__import__": self.import_}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith(self.package + "."):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is importlib.machinery.SourceFileLoader:
            spec.loader = _PrivateLoader(fullname, spec.loader.path, self.builtins)
        return spec

    def import_(
        self,
        name: str,
        globals: dict[str, Any] | None = None,
        locals: dict[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        top = name.partition(".")[0]
        if level == 0 and self._is_neighbour(top):
            if fromlist:
                return builtins.__import__(f"{self.package}.{name}", globals, locals, fromlist, 0)
            importlib.import_module(f"{self.package}.{name}")
            return sys.modules[f"{self.package}.{top}"]
        return builtins.__import__(name, globals, locals, fromlist or (), level)

    def _is_neighbour(self, top: str) -> bool:
        if top in sys.stdlib_module_names or top == "skyjo_core":
            return False
        names = [
            f"{top}.py",
            f"{top}/__init__.py",
            *(top + suffix for suffix in EXTENSION_SUFFIXES),
        ]
        return any((self.folder / name).is_file() for name in names)


class _PrivateLoader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, names: dict[str, Any]) -> None:
        super().__init__(fullname, path)
        self._builtins = names

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__builtins__"] = self._builtins
        super().exec_module(module)
