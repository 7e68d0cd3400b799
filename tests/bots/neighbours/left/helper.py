# SPDX-License-Identifier: MIT
SIDE = "left"
