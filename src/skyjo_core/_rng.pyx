# SPDX-License-Identifier: MIT
"""The core's random stream for Python."""

cimport cython

from operator import index
from random import Random

from libc.stdint cimport uint64_t

from skyjo_core.stream cimport Stream as CStream

cdef extern from *:
    """
    static inline PyObject* skyjo_allocate(PyTypeObject* type) { return type->tp_alloc(type, 0); }
    """
    object skyjo_allocate(type cls)


@cython.final
@cython.auto_pickle(False)
cdef class Stream:
    """A random stream from a 64-bit key; equal keys give equal numbers on every platform."""

    cdef CStream stream

    def __cinit__(self, uint64_t key=0):
        self.stream = CStream(key)

    def next(self):
        """The next 64 bits, as an int."""
        return self.stream.next()

    def below(self, n):
        """A whole number from 0 to n - 1, each equally likely; n from 1 to 2**32."""
        if type(n) is not int:
            n = index(n)
        if 0 < n <= 0x100000000:
            return self.stream.below(n)
        raise ValueError(f"below: expected n from 1 to 2**32, got {n!r}")

    def getrandbits(self, k, /):
        """A whole number of k random bits, k >= 0."""
        k = index(k)
        if k < 0:
            raise ValueError(f"getrandbits: expected k of at least 0, got {k!r}")
        if 0 < k <= 64:
            return self.stream.next() >> <int>(64 - k)
        number = 0
        for _ in range((k + 63) // 64):
            number = number << 64 | self.stream.next()
        return number >> (-k % 64)

    def random(self):
        """A float in [0, 1) with 53 random bits."""
        return <double>(self.stream.next() >> 11) * (1.0 / 9007199254740992.0)

    def getstate(self):
        """The state as (position, step)."""
        return (self.stream.position(), self.stream.step())

    def setstate(self, state):
        """Goes back to a state that getstate gave."""
        cdef uint64_t position = state[0]
        cdef uint64_t step = state[1]
        self.stream = CStream(position, step)


def unseeded(cls):
    """An object of a subclass of random.Random whose own generator has not been seeded.

    Seeding is most of what making one costs, and one with numbers of its own has no use for it.
    """
    if not (isinstance(cls, type) and issubclass(cls, Random)):
        raise TypeError(f"unseeded: expected a subclass of random.Random, got {cls!r}")
    return skyjo_allocate(<type>cls)
