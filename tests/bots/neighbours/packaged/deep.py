# SPDX-License-Identifier: MIT
LAST = -1
