# SPDX-License-Identifier: MIT
"""The command `skyjo NAME ...`: the same as `python -m skyjo_core.NAME ...`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from skyjo_core.interrupt import quit_on_interrupt, raise_on_interrupt

__all__ = ["main"]

# Command: the module with its main(argv, prog), and what it does.
_COMMANDS = {
    "tournament": ("skyjo_core.tournament_cli", "play a tournament of bots and rank them"),
    "conformance": ("skyjo_core.conformance", "run case files, worked examples of the rules"),
    "bench": ("skyjo_core.bench_cli", "measure the engine, or a bot, on this machine"),
    "verify": ("skyjo_core.verify_cli", "replay records and hold them against the rules"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help"):
        print(_help(), file=sys.stdout if words else sys.stderr)
        return 0 if words else 2
    if words[0] == "--version":
        from skyjo_core import __version__

        print(f"skyjo_core {__version__}")
        return 0
    if words[0] not in _COMMANDS:
        print(f"skyjo: expected a command, got {words[0]!r}\n\n{_help()}", file=sys.stderr)
        return 2
    quit_on_interrupt()  # until the module's main
    try:
        module = importlib.import_module(_COMMANDS[words[0]][0])
    except BaseException:
        raise_on_interrupt()
        raise
    status: int = module.main(words[1:], prog=f"skyjo {words[0]}")
    return status


def _help() -> str:
    lines = [f"  {name:12} {what}" for name, (_, what) in _COMMANDS.items()]
    return "\n".join(
        ["usage: skyjo COMMAND ...", "", "commands:", *lines, "", "example: skyjo tournament bots/"]
    )


if __name__ == "__main__":
    sys.exit(main())
