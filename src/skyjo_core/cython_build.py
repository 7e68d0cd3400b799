# SPDX-License-Identifier: MIT
"""From a .pyx file to an extension module, compiled once: what is built is kept in a cache.

The cache is `$SKYJO_CACHE`, else `skyjo_core` in `$XDG_CACHE_HOME` or `~/.cache`; where that cannot
be written, a private folder among the temporary files. It may be deleted at any time.

    KEY/NAME.so     KEY: hash of all that the module is made of and by
    KEY/sha256      of the module, so that a damaged one is noticed and built again
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np

from skyjo_core.headers import get_cython_path, get_include

__all__ = ["CompileError", "built_module"]

# No -march: machines may share the cache.
_FLAGS: Final = ("-O3", "-DNDEBUG", "-std=c++20", "-fPIC", "-fvisibility=hidden", "-w")
_SUFFIX: Final[str] = sysconfig.get_config_var("EXT_SUFFIX")
# What a .pyx file may include or cimport from its own folder.
_NEIGHBOURS: Final = {".pxd", ".pxi", ".h", ".hh", ".hpp", ".hxx", ".inc"}
_MAX_TEXT: Final = 8000  # characters kept of what a compiler says
_CHECKSUM: Final = "sha256"
_ATTEMPTS: Final = 5  # to replace a damaged entry, while others do the same
# What Cython prints of itself where it breaks down: the end of what it says, but for the cause.
_DUMP: Final = re.compile(
    r"(?:(?<=Compiler crash in )(?P<where>\w+)\n(?s:.*?)"
    r"Compiler crash traceback from this point on:|Traceback \(most recent call last\):)\n"
    r"(?: .*\n)+"
)


class CompileError(Exception):
    """A .pyx file cannot be compiled; the text is the compiler's, or says what is missing."""


def built_module(source: Path, tell: Callable[[str], None] | None = None) -> Path:
    """The extension module of a .pyx file; it is compiled only if the cache has none.

    Parameters
    ----------
    source : Path
        The .pyx file.
    tell : callable, optional
        Told before something is compiled, which takes seconds.

    Raises
    ------
    CompileError
        It cannot be compiled.
    """
    name = _module_name(source)
    compiler = _compiler(source)
    folders = (sysconfig.get_path("include"), get_include(), np.get_include(), source.parent)
    includes = [f"-I{folder}" for folder in folders]
    try:
        key = _key(source, name, compiler)
    except OSError as error:
        raise CompileError(f"{source}: expected a file that can be read, got {error}") from None
    caches = list(_caches())
    for cache in caches:
        if _is_intact(cache / key, name):
            return cache / key / (name + _SUFFIX)
    if tell is not None:
        tell(f"compiling {source}, once: it takes some seconds")
    with tempfile.TemporaryDirectory(dir=_writable(caches), prefix=".building-") as folder:
        entry = Path(folder) / "entry"
        entry.mkdir()
        code, module = Path(folder) / f"{name}.cpp", entry / (name + _SUFFIX)
        _cythonize(source, name, code)
        shutil.copyfile(source, code.with_name(source.name))  # the compiler shows lines of it
        _run([*compiler, *_FLAGS, *includes, code.name, "-o", str(module)], source, Path(folder))
        (entry / _CHECKSUM).write_text(_hash_of(module))
        published = Path(folder).parent / key
        _publish(entry, published, name)
    return published / (name + _SUFFIX)


def _module_name(source: Path) -> str:
    """The stem where it is a name in Python, else one like it."""
    stem = source.name.removesuffix(".pyx")
    return stem if stem.isidentifier() and stem.isascii() else "bot_" + re.sub(r"\W", "_", stem)


# Compilers


def _cythonize(source: Path, name: str, code: Path) -> None:
    """C++ of a .pyx file. Cython sees no folder, so the same file gives the same code anywhere."""
    options = ["-3", "--cplus", "--line-directives", "--module-name", name]
    options += ["-I", get_cython_path()]
    cython = [sys.executable, "-P", "-m", "cython", *options, source.name, "-o", str(code)]
    _run(cython, source, source.parent)


def _run(command: Sequence[str], source: Path, cwd: Path) -> None:
    done = subprocess.run(
        command,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="backslashreplace",
        check=False,
    )
    if done.returncode == 0:
        return
    tool = "Cython" if "cython" in command else f"{command[0]}, on the C++ that Cython made of it,"
    text = _without_dump(done.stdout).strip() or f"exit status {done.returncode}"
    if len(text) > _MAX_TEXT:
        text = f"{text[:_MAX_TEXT]}\n[...]"
    hint = ""
    if re.search(r"Python\.h\b.*(No such file|not found)", text):
        hint = "\ninstall the headers of Python (Debian: python3-dev)"
    raise CompileError(f"{source}: expected code that compiles, {tool} said:\n{text}{hint}")


def _without_dump(text: str) -> str:
    """What Cython says, with the bare cause where it broke down."""
    return _DUMP.sub(lambda dump: f"{dump['where']}: " if dump["where"] else "", text)


def _cython_version(source: Path) -> str:
    try:
        return importlib.metadata.version("cython")
    except importlib.metadata.PackageNotFoundError:
        raise CompileError(
            f"{source}: expected Cython to compile it with, found none: "
            'pip install "skyjo-core[cython]"'
        ) from None


def _compiler(source: Path) -> list[str]:
    """The command that compiles and links a module: CXX, else this Python's, else the system's."""
    own = shlex.split(sysconfig.get_config_var("LDCXXSHARED") or "c++ -shared")
    given = shlex.split(os.environ.get("CXX", ""))
    options = given[1:] + own[1:]
    for name in given[:1] or (own[0], "c++", "g++", "clang++"):
        if (path := shutil.which(name)) is not None:
            return [path, *options]
    sought = f"CXX is {given[0]!r}, " if given else ""
    raise CompileError(
        f"{source}: expected a C++ compiler, {sought}found none: install one (Debian: apt install "
        "g++; Fedora: dnf install gcc-c++; macOS: xcode-select --install) or name it in CXX"
    )


def _version_line(compiler: str) -> str:
    done = subprocess.run(
        [compiler, "--version"], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    return done.stdout.decode(errors="replace").partition("\n")[0]


# The cache


def _key(source: Path, name: str, compiler: list[str]) -> str:
    """The hash of all that decides how the module comes out."""
    words = [
        name,
        *compiler,
        *_FLAGS,
        _version_line(compiler[0]),
        _cython_version(source),
        np.__version__,
        sys.version,
        _SUFFIX,
    ]
    digest = hashlib.sha256("\0".join(words).encode())
    package = Path(get_include()).parent
    files = [source, *sorted(package.glob("*.pxd")), *sorted(package.glob("include/skyjo/*"))]
    files += sorted(path for path in source.parent.iterdir() if path.suffix in _NEIGHBOURS)
    for file in files:
        content = file.read_bytes()
        digest.update(f"\0{file.name if file != source else ''}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:40]


def _caches() -> Iterator[Path]:
    """The folders in which built modules may lie, the preferred one first."""
    if given := os.environ.get("SKYJO_CACHE"):
        yield Path(given).absolute()
    else:
        with suppress(RuntimeError):  # there is no home
            base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
            yield Path(base).absolute() / "skyjo_core"
    # The workers of this user find it as well. Where others might write, nothing is taken from.
    shared = Path(tempfile.gettempdir()) / f"skyjo_core-{os.getuid()}"
    with suppress(OSError):
        shared.mkdir(mode=0o700, exist_ok=True)
        status = shared.lstat()
        if (
            stat.S_ISDIR(status.st_mode)
            and status.st_uid == os.getuid()
            and status.st_mode & 0o077 == 0
        ):
            yield shared


def _writable(caches: Sequence[Path]) -> Path:
    """The first of the folders that can be written; made where it is missing."""
    for cache in caches:
        with suppress(OSError):
            cache.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.access(cache, os.W_OK | os.X_OK):
                return cache
    folders = ", ".join(map(str, caches))
    raise CompileError(
        f"cache: expected a folder that can be written, found none ({folders}): set SKYJO_CACHE"
    )


def _hash_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _is_intact(entry: Path, name: str) -> bool:
    try:
        return (entry / _CHECKSUM).read_text() == _hash_of(entry / (name + _SUFFIX))
    except (OSError, ValueError):
        return False


def _publish(entry: Path, published: Path, name: str) -> None:
    """Puts a finished entry in its place at once; one that another process put there may stay."""
    for attempt in range(_ATTEMPTS):
        try:
            entry.rename(published)
            return
        except OSError:
            if _is_intact(published, name):
                return
            if attempt == _ATTEMPTS - 1:
                raise
        # A damaged one goes with this process's own folder.
        with suppress(OSError):
            published.rename(entry.parent / f"damaged-{attempt}")
