# SPDX-License-Identifier: MIT
import helper

WORD = helper.SIDE
