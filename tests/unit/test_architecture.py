"""docs/architecture.md tells of the packages that there are, and its graph is that of the imports."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"


def test_the_graph_is_that_of_the_imports(tmp_path: Path) -> None:
    pytest.importorskip("grimp", reason="import-linter is not installed")
    copy = tmp_path / "architecture.md"
    copy.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run([sys.executable, ROOT / "tests" / "architecture.py", copy], check=True)
    drawn = copy.read_text(encoding="utf-8")
    assert drawn == PAGE.read_text(encoding="utf-8"), (
        "draw it again: python tests/architecture.py docs/architecture.md"
    )


def test_every_package_has_its_paragraph() -> None:
    told = re.findall(r"^\*\*`(\w+)/`\*\*", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    packages = {path.parent.name for path in (ROOT / "harness").glob("*/__init__.py")}
    assert sorted(told) == sorted(packages)


def test_files_that_the_page_names_are_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for path in re.findall(r"`((?:harness|tests|docs|reference_impls)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), path


def test_ci_runs_with_the_versions_that_the_harness_installs() -> None:
    lines = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if "==" in line)
    torch = (ROOT / "harness" / "runtimes" / "provision" / "torch.py").read_text(encoding="utf-8")
    julia = (ROOT / "harness/runtimes/provision/julia_offline/build.py").read_text(encoding="utf-8")
    assert f'PINNED = "{pinned["torch"]}"' in torch
    assert f'JULIACALL = "{pinned["juliacall"]}"' in julia
