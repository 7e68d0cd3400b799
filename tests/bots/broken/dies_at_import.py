# SPDX-License-Identifier: MIT
"""Ends its process when it is loaded."""

import os

print("last words of the bot", flush=True)
os._exit(5)
