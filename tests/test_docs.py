# SPDX-License-Identifier: MIT
"""The examples in the documents and in the docstrings run."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = sorted(
    path.stem for path in (ROOT / "src/skyjo_core").glob("*.py") if path.stem != "__main__"
)
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks_of(document: Path) -> list[tuple[int, str]]:
    """The Python blocks of a document, each with the number of lines before it."""
    text = document.read_text(encoding="utf-8")
    return [(text.count("\n", 0, found.start(1)), found[1]) for found in BLOCK.finditer(text)]


WITH_BLOCKS = [document for document in DOCUMENTS if blocks_of(document)]


@pytest.mark.parametrize("document", WITH_BLOCKS, ids=lambda path: path.name)
def test_python_blocks_of_a_document_run(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "python").symlink_to(ROOT / "python")  # a reader stands in a clone
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for n_lines, block in blocks_of(document):
        exec(compile("\n" * n_lines + block, str(document), "exec"), names)


@pytest.mark.parametrize("name", MODULES)
def test_doctests_of_a_module_hold(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module("skyjo_core" if name == "__init__" else f"skyjo_core.{name}")
    assert doctest.testmod(module).failed == 0


def test_documents_and_docstrings_have_examples() -> None:
    assert ROOT / "README.md" in WITH_BLOCKS
    assert any(">>> " in (ROOT / f"src/skyjo_core/{name}.py").read_text() for name in MODULES)
