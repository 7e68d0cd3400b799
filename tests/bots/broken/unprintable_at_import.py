# SPDX-License-Identifier: MIT
"""Raises an exception whose text raises when it is loaded."""


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("str raises")

    __repr__ = __str__


raise Unprintable
