"""On Windows no language is started, and a sentence says why; what needs none works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

# Other packages are imported before: there they have modules that are not here.
AS_ON_WINDOWS = """
import sys
from harness.__main__ import main
import harness.cli, filelock, psutil, rich.console, numpy
sys.platform = "win32"
sys.argv = ["harness", *sys.argv[1:]]
main()
"""
STARTING = (
    ["run"],
    ["watch"],
    ["documents", "x.md"],
    ["align", "a.py", "b.py"],
    ["doctor"],
    ["new", "case", "x"],
)


def harness(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", AS_ON_WINDOWS, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", STARTING, ids=lambda words: words[0])
def test_what_starts_a_language_says_that_it_cannot(tmp_path: Path, words: list[str]) -> None:
    for name in ("x.md", "a.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n")
    done = harness(tmp_path, *words)
    assert "starts no language on Windows" in done.stderr
    assert "Subsystem for Linux" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 3


def test_comparing_needs_none(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(3.0))
    done = harness(tmp_path, "compare", "a.npy", "a.npy")
    assert done.returncode == 0, done.stderr
