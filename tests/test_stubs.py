# SPDX-License-Identifier: MIT
"""The stubs say what the compiled modules offer: names, parameters, defaults, types of values."""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
import types
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from skyjo_core import BatchGame, Game, Phase, Rules, View, _core, _rng, _view

Parameters = tuple[tuple[str, str, str | None], ...]  # (name, kind, default) of each

# What stubtest sees and no stub can say.
ALLOWED = r"""
skyjo_core\._core\.(BatchGame|CompiledBot|Game|NativeGames)  # the metaclass of pybind11
skyjo_core\._core\.(RecordText|Replay|ScoreSheet|Setup)  # as well
skyjo_core\._core\.Phase\.__pybind11_native_enum__
skyjo_core\._view\.(HIDDEN|REMOVED)  # imported by the module for itself
skyjo_core\._view\.View\.__init__  # it only raises, so Cython gives it no signature
skyjo_core\._(rng|view)\.__test__  # where Cython would put doctests
"""


def stub_of(module: types.ModuleType, root: Path) -> ast.Module:
    name = module.__name__.rpartition(".")[2]
    return ast.parse((root / f"src/skyjo_core/{name}.pyi").read_text(encoding="utf-8"))


def functions_of(
    body: list[ast.stmt], prefix: str = ""
) -> Iterator[tuple[str, ast.FunctionDef, bool]]:
    """Each function of a stub by its qualified name, and whether it is a property."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from functions_of(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
            yield prefix + node.name, node, "property" in decorators


def parameters_of(node: ast.FunctionDef) -> Parameters:
    arguments = node.args
    plain = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults
    pairs = [(argument, "plain", value) for argument, value in zip(plain, defaults, strict=True)]
    pairs += [
        (argument, "keyword", value)
        for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return tuple(
        (argument.arg, kind, None if value is None else ast.unparse(value))
        for argument, kind, value in pairs
    )


def stub_parameters(module: types.ModuleType, root: Path) -> dict[str, list[Parameters]]:
    """The parameters of each function and method, of all its overloads in order."""
    found: dict[str, list[Parameters]] = {}
    for name, node, is_property in functions_of(stub_of(module, root).body):
        if not is_property:
            found.setdefault(name, []).append(parameters_of(node))
    return found


def stub_properties(module: types.ModuleType, root: Path) -> set[str]:
    functions = functions_of(stub_of(module, root).body)
    return {name for name, _, is_property in functions if is_property}


def callables_of(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Each function of a module and each method that its classes define, by qualified name."""
    for name, value in vars(module).items():
        if isinstance(value, type) and value.__module__ == module.__name__:
            for key, member in vars(value).items():
                if callable(member):
                    yield f"{name}.{key}", member
        elif inspect.isroutine(value):
            yield name, value


def documented_parameters(doc: str) -> list[Parameters]:
    """The parameters in a docstring of pybind11: in its first line, or numbered if overloaded."""
    lines = doc.splitlines()
    if "Overloaded function." in lines:
        lines = [line.partition(". ")[2] for line in lines if line[:1].isdigit()]
    else:
        lines = lines[:1]
    nodes = [ast.parse(f"def {line}: ...").body[0] for line in lines]
    return [parameters_of(node) for node in nodes if isinstance(node, ast.FunctionDef)]


def inspected_parameters(function: Callable[..., Any]) -> Parameters:
    return tuple(
        (
            parameter.name,
            "keyword" if parameter.kind is parameter.KEYWORD_ONLY else "plain",
            None if parameter.default is parameter.empty else repr(parameter.default),
        )
        for parameter in inspect.signature(function).parameters.values()
    )


def fits(value: object, wanted: Any) -> bool:
    """Whether a value is of the type of an annotation, the items of tuples and lists included."""
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if origin in (types.UnionType, typing.Union):
        return any(fits(value, choice) for choice in arguments)
    if wanted is None or wanted is types.NoneType:
        return value is None
    if origin in (np.ndarray, npt.NDArray):  # an alias of its own for newer versions of numpy
        dtype = arguments[0] if len(arguments) == 1 else typing.get_args(arguments[1])[0]
        return isinstance(value, np.ndarray) and value.dtype == dtype
    if origin is list or (origin is tuple and arguments[1:] == (...,)):
        return type(value) is origin and all(fits(item, arguments[0]) for item in value)
    if origin is tuple:
        return isinstance(value, tuple) and (
            len(value) == len(arguments) and all(map(fits, value, arguments))
        )
    if origin is dict:
        return isinstance(value, dict)
    return type(value) is wanted


@pytest.mark.slow
def test_stubtest_finds_no_difference(root: Path, tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    allowed.write_text(ALLOWED, encoding="utf-8")
    modules = [module.__name__ for module in (_core, _view, _rng)]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "mypy.stubtest", *modules, "--allowlist", str(allowed)],
        cwd=root,
        env=os.environ | {"NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_core_stub_has_the_parameters_of_the_bindings(root: Path) -> None:
    documented = {
        name: documented_parameters(member.__doc__)
        for name, member in callables_of(_core)
        if not name.endswith("_pybind11_conduit_v1_") and not name.startswith("Phase.")
    }
    assert stub_parameters(_core, root) == documented


@pytest.mark.parametrize("module", [_view, _rng])
def test_cython_stub_has_the_parameters_of_the_module(root: Path, module: types.ModuleType) -> None:
    inspected = {
        name: [inspected_parameters(member)]
        for name, member in callables_of(module)
        if type(member).__name__ == "cython_function_or_method"
    }
    stub = stub_parameters(module, root)
    special = ("__new__", "__init__", "__eq__", "__hash__")  # slots of C, without parameters
    assert {k: v for k, v in stub.items() if not k.endswith(special)} == inspected


@pytest.mark.parametrize("module", [_core, _view, _rng])
def test_stub_has_the_properties_of_the_module(root: Path, module: types.ModuleType) -> None:
    properties = {
        f"{name}.{key}"
        for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__
        for key, member in vars(value).items()
        if isinstance(member, (property, types.GetSetDescriptorType)) and key != "__weakref__"
    }
    assert stub_properties(module, root) == properties


def test_constructors_of_cython_take_the_parameters_of_the_stub(root: Path) -> None:
    seat: dict[str, Any] = {
        "choose": None,
        "make": lambda: (None, None, None, None),
        "rules": Rules(),
        "rng": None,
        "stop_on_interrupt": False,
    }
    (parameters,) = stub_parameters(_view, root)["PythonSeat.__new__"]
    assert [name for name, _, default in parameters[1:] if default is None] == list(seat)
    _view.PythonSeat(**seat)
    for name in seat:
        with pytest.raises(TypeError):
            _view.PythonSeat(**{key: value for key, value in seat.items() if key != name})

    (parameters,) = stub_parameters(_rng, root)["Stream.__new__"]
    assert parameters[1:] == (("key", "plain", "0"),)
    assert _rng.Stream().next() == _rng.Stream(key=0).next()
    with pytest.raises(TypeError, match="expected to come from a game"):
        View()


def annotations_of(module: types.ModuleType, root: Path, of: str) -> dict[str, Any]:
    """The types of a class's properties in the stub."""
    tree = stub_of(module, root)
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    names: dict[str, Any] = {"Phase": Phase}
    exec(compile(ast.Module(imports, []), "<stub>", "exec"), names)
    return {
        name.partition(".")[2]: eval(ast.unparse(node.returns), names)
        for name, node, is_property in functions_of(tree.body)
        if is_property and node.returns is not None and name.startswith(f"{of}.")
    }


def test_values_have_the_types_of_the_stub(root: Path, random_game: Callable[..., Game]) -> None:
    fresh, over = Game(3, seed=1), random_game(seats=2, seed=1)
    held = Game(seed=2)
    while held.phase is not Phase.TURN:
        held.apply(held.legal_moves()[0])
    held.apply(36)
    games = (fresh, held, over)
    views = (fresh.view(), held.view(), held.view(1 - held.seat), over.view(0))
    batches = (BatchGame(2, seed=1),)
    for module, of, things in (
        *((_core, "Game", games), (_core, "BatchGame", batches)),
        (_view, "View", views),
    ):
        for name, wanted in annotations_of(module, root, of).items():
            for thing in things:
                value = getattr(thing, name)
                assert fits(value, wanted), f"{of}.{name}: expected {wanted}, got {value!r}"


def test_constants_have_the_types_of_the_stub(root: Path) -> None:
    for node in stub_of(_core, root).body:
        if isinstance(node, ast.AnnAssign):
            value = getattr(_core, ast.unparse(node.target))
            wanted = eval(ast.unparse(node.annotation), vars(typing))
            assert fits(value, typing.get_args(wanted)[0]), f"{ast.unparse(node)}: got {value!r}"
