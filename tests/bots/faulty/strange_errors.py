# SPDX-License-Identifier: MIT
"""Raises exceptions that are hard to handle, by its option."""

import sys

from skyjo_core import Bot


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("str raises")

    __repr__ = __str__


class Foundation(BaseException):
    pass


def recurse(depth=0):
    return recurse(depth + 1)


def raise_long():
    raise ValueError("long " * 10_000)


def raise_surrogate():
    raise ValueError("half a pair: \ud800, a bell: \a, markup: [bold]x[/bold]")


def raise_(error):
    raise error


KINDS = {
    "unprintable": lambda: raise_(Unprintable()),
    "base": lambda: raise_(Foundation("from the foundation")),
    "exit": lambda: sys.exit(3),
    "interrupt": lambda: raise_(KeyboardInterrupt()),
    "generator": lambda: raise_(GeneratorExit()),
    "recursion": recurse,
    "long": raise_long,
    "surrogate": raise_surrogate,
}


class Strange(Bot):
    def __init__(self, kind):
        self.raise_it = KINDS[kind]

    def choose_move(self, view):
        return self.raise_it()
