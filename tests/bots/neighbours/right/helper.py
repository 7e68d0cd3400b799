# SPDX-License-Identifier: MIT
SIDE = "right"
