# SPDX-License-Identifier: MIT
# What Python itself takes: for the ratios, compiled into a temporary folder.
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cdef extern from "Python.h":
    PyObject* PyObject_Vectorcall(PyObject* function, PyObject* const* arguments, size_t n,
                                  PyObject* names)


cdef class Number:
    cdef readonly int value

    def __cinit__(self, int value):
        self.value = value


cdef double now() noexcept:
    cdef timespec at
    clock_gettime(CLOCK_MONOTONIC, &at)
    return at.tv_sec + 1e-9 * at.tv_nsec


def time_vectorcalls(function, argument, int n):
    """Seconds that n calls of a function of one argument take."""
    cdef PyObject* arguments[1]
    cdef PyObject* answer
    cdef int i
    arguments[0] = <PyObject*>argument
    cdef double start = now()
    for i in range(n):
        answer = PyObject_Vectorcall(<PyObject*>function, arguments, 1, NULL)
        if answer is NULL:
            raise RuntimeError("time_vectorcalls: expected an answer, got an exception")
        Py_DECREF(<object>answer)
    return now() - start
