# SPDX-License-Identifier: MIT
raise ImportError("this file must not stand in for the standard library")
