# SPDX-License-Identifier: MIT
"""Waits for ever when it is loaded, and writes its process's number into the file WAITING."""

import os
import time

with open(os.environ["WAITING"], "w") as file:
    file.write(str(os.getpid()))
while True:
    time.sleep(0.1)
