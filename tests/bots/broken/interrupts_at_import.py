# SPDX-License-Identifier: MIT
"""Raises a BaseException when it is loaded."""

raise KeyboardInterrupt
