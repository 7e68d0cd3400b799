"""Builds the bot as a module of its own: what cannot be said in pyproject.toml."""

from __future__ import annotations

from Cython.Build import cythonize
from setuptools import Extension, setup

import skyjo_core

bot = Extension(
    "cython_random",
    ["cython_random.pyx"],
    include_dirs=[skyjo_core.get_include()],
    language="c++",
    extra_compile_args=["-O3", "-std=c++20"],
)
setup(ext_modules=cythonize([bot], build_dir="build"), py_modules=[])
