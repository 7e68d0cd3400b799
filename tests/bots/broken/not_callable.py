# SPDX-License-Identifier: MIT
"""Defines choose_move as a number."""

choose_move = 36
