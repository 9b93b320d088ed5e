"""``harness list``."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from click.testing import Result


def test_cases_with_their_implementations(harness: Callable[..., Result], suite: Path) -> None:
    result = harness("list", "--suite", suite)
    assert result.exit_code == 0
    assert all(
        word in result.stdout for word in ("toy", "Twice √x, and one", "float64", "numpy.same", "gone")
    )


def test_a_folder_without_cases(harness: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = harness("list", "--suite", tmp_path / "empty")
    assert result.exit_code == 2
    assert "empty" in result.stderr


def test_an_ascii_terminal_can_show_every_title(suite: Path) -> None:
    command = [sys.executable, "-m", "harness", "list", "--suite", str(suite)]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert b"Twice \\u221ax, and one" in done.stdout
