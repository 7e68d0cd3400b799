# SPDX-License-Identifier: MIT
"""The workflow that users copy: what it runs, runs, and gives what the next step reads."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FORM = "--format customBiggerIsBetter"


@pytest.fixture
def workflow(root: Path) -> str:
    return (root / "python/ci/benchmark.yml").read_text(encoding="utf-8")


def commands_of(workflow: str) -> list[str]:
    return re.findall(r"^ +- run: (.+)$", workflow, re.MULTILINE)


def environment_of(workflow: str) -> dict[str, str]:
    block = re.search(r"^env:\n((?:  .+\n)+)", workflow, re.MULTILINE)
    assert block is not None
    return dict(re.findall(r"^  (\w+): ([^#\n]*[^#\s])", block[1], re.MULTILINE))


def test_workflow_installs_before_it_measures(workflow: str) -> None:
    install, *measure = commands_of(workflow)
    assert install == 'pip install "$SKYJO_CORE"'
    assert environment_of(workflow)["SKYJO_CORE"] == "skyjo-core"
    assert len(measure) == 2
    assert all(command.startswith("skyjo bench ") and FORM in command for command in measure)


@pytest.mark.slow
def test_measuring_commands_write_what_the_action_reads(
    workflow: str, root: Path, tmp_path: Path
) -> None:
    environment = environment_of(workflow)
    (tmp_path / environment["BOT"]).parent.mkdir()
    shutil.copy(root / "python/bots/random_bot.py", tmp_path / environment["BOT"])
    for command in commands_of(workflow)[1:]:
        quick = command.replace(
            "skyjo bench", f'"{sys.executable}" -m skyjo_core.cli bench --quick'
        )
        subprocess.run(
            ["bash", "-ec", quick], cwd=tmp_path, env=os.environ | environment, check=True
        )
    files = re.findall(r"output-file-path: (\S+)", workflow)
    assert files == ["engine.json", "bot.json"]
    for file in files:
        entries = json.loads((tmp_path / file).read_text(encoding="utf-8"))
        assert all({"name", "unit", "value"} <= set(entry) for entry in entries)
        assert len(entries) > 3


def test_actions_get_the_form_that_is_written(workflow: str) -> None:
    uses = re.findall(r"uses: (\S+)", workflow)
    assert uses.count("benchmark-action/github-action-benchmark@v1") == 2
    assert re.findall(r" tool: (\S+)", workflow) == ["customBiggerIsBetter"] * 2
    assert set(re.findall(r"alert-threshold: (\S+)", workflow)) == {'"200%"', '"150%"'}


def test_workflow_is_indented_by_spaces_in_steps_of_two(workflow: str) -> None:
    for line in workflow.splitlines():
        assert "\t" not in line
        indent = len(line) - len(line.lstrip())
        assert indent % 2 == 0, line
