# SPDX-License-Identifier: MIT
"""`python -m skyjo_core` is the command `skyjo`."""

import sys

from skyjo_core.cli import main

sys.exit(main())
