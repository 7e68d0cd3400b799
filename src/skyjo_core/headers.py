# SPDX-License-Identifier: MIT
"""Where the files lie that compiled bots are built against.

`python -m skyjo_core.headers` prints the folder of the C and C++ headers, with `--cmakedir` that of
the package for CMake: `cmake -Dskyjo_core_DIR=$(python -m skyjo_core.headers --cmakedir)`.
"""

from __future__ import annotations

import sys
from typing import Final

from skyjo_core import _core

__all__ = ["get_cmake_dir", "get_cython_path", "get_include", "main"]

# Headers and declarations lie beside the compiled core: in an editable install that is not where
# the Python files are.
_PACKAGE: Final = _core.__file__.rpartition("/")[0]


def get_include() -> str:
    """The folder with `skyjo/bot_abi.h` and the other headers: for `include_dirs`.

    Examples
    --------
    >>> get_include().endswith("skyjo_core/include")
    True
    """
    return f"{_PACKAGE}/include"


def get_cmake_dir() -> str:
    """The folder for `skyjo_core_DIR`, where CMake's find_package(skyjo_core) looks.

    Examples
    --------
    >>> get_cmake_dir().endswith("skyjo_core/cmake")
    True
    """
    return f"{_PACKAGE}/cmake"


def get_cython_path() -> str:
    """The folder in which Cython finds `cimport skyjo_core.bot_abi`.

    It needs to be named only where the package is not in Python's own search path.
    """
    return _PACKAGE.rpartition("/")[0]


def main(arguments: list[str]) -> int:
    """Prints the folder asked for; returns the exit status."""
    found = {
        (): get_include,
        ("--include",): get_include,
        ("--cmakedir",): get_cmake_dir,
    }.get(tuple(arguments))
    if found is None:
        words = " ".join(arguments)
        sys.stderr.write(
            f"python -m skyjo_core.headers: expected --include or --cmakedir, got {words}\n"
        )
        return 2
    sys.stdout.write(f"{found()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
