"""Two commands that write into one folder: the second one says so, and the first one's results are whole."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.model import outcome_of
from harness.store.record import read_record

Harness = Callable[..., Result]

WAITS = """
import os, time

def twice(x):
    open({begun!r}, "w").close()
    while not os.path.exists({go!r}):
        time.sleep(0.02)
    return 2 * x

def more(twice):
    return twice + 1
"""


@pytest.mark.parametrize("second", ["run", "documents"])
def test_a_second_command_in_one_folder_is_refused(
    harness: Harness, suite: Path, tmp_path: Path, second: str
) -> None:
    begun, go, out = (tmp_path / name for name in ("begun", "go", "out"))
    source = WAITS.format(begun=str(begun), go=str(go))
    (suite / "toy" / "toy.waits.py").write_text(source, encoding="utf-8")
    (tmp_path / "a.md").write_text("# Only words\n", encoding="utf-8")
    words = ["run", "--suite", str(suite), "--out", str(out), "--impl", "numpy", "--impl", "numpy.waits"]
    first = subprocess.Popen(
        [sys.executable, "-m", "harness", *words],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        while not begun.exists():
            assert first.poll() is None, first.communicate()
            time.sleep(0.02)
        if second == "documents":
            words = ["documents", str(tmp_path / "a.md"), "--trust", "--unsandboxed", "--out", str(out)]
        result = harness(*words)
        assert result.exit_code == 2, result.output
        assert f"{out}: another run is writing here" in result.stderr
    finally:
        go.touch()
        _, errors = first.communicate(timeout=120)
    assert first.returncode == 0, errors
    record = read_record(out / "results.jsonl")
    assert outcome_of(record).outcome == "AGREEMENT"
    assert not [path.name for path in out.iterdir() if path.name.startswith(".")]
    # Nothing is left that would refuse the next one.
    assert harness(*words).exit_code == 0
