# SPDX-License-Identifier: MIT
"""Defines neither function nor class."""

MOVES = [1, 2, 3]
