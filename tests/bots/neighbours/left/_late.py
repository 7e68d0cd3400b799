# SPDX-License-Identifier: MIT
import helper
