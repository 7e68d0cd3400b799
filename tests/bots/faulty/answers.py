# SPDX-License-Identifier: MIT
"""Answers what is no integer, by its option."""

import numpy as np

from skyjo_core import Bot


class Unprintable:
    def __repr__(self):
        raise RuntimeError("repr raises")


ANSWERS = {
    "unprintable": lambda move: Unprintable(),
    "none": lambda move: None,
    "float": float,
    "bool": lambda move: True,
    "text": str,
    "list": lambda move: [move],
    "numpy_float": np.float64,
    "numpy_bool": lambda move: np.bool_(True),
    "negative": lambda move: -1,
    "large": lambda move: 2**70,
    "enormous": lambda move: 10**5000,
    "numpy_int": np.int64,
    "numpy_int8": np.int8,
}


class Answers(Bot):
    def __init__(self, kind):
        self.answer = ANSWERS[kind]

    def choose_move(self, view):
        return self.answer(view.legal_moves[0])
