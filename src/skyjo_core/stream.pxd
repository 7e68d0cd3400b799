# SPDX-License-Identifier: MIT
"""The random stream of native bots for Cython: from the same key the same numbers as `rng`."""

from libc.stdint cimport uint64_t

cdef extern from "skyjo/rng.hpp" namespace "skyjo" nogil:
    cdef cppclass Stream:
        Stream()
        Stream(uint64_t key)
        Stream(uint64_t position, uint64_t step)
        uint64_t next()
        # Uniform on 0..n-1, n in 1..2**32.
        uint64_t below(uint64_t n)
        uint64_t position()
        uint64_t step()

    # Several draws of one output of a stream.
    cdef cppclass Word:
        uint64_t bits
        # Uniform on 0..n-1.
        uint64_t below(uint64_t n)
        # below(2) == 1.
        bint coin()
