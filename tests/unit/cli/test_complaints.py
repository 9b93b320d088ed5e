"""A worker that fails while nothing is asked of it: every command that starts workers says so."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Harness = Callable[..., Result]

# Sources run in the worker's process: it ends when it is sent bye, without an answer.
ENDS = """
import os
from harness.workers.loop import _Session

answer = _Session.answer
_Session.answer = lambda self, method, *more: os._exit(7) if method == "bye" else answer(self, method, *more)

def twice(x):
    return 2 * x

def more(twice):
    return twice + 1
"""
SAID = "worker failed: numpy, at its end: worker numpy ended with exit code 7"
COMMANDS = {
    "show": ("show", "toy", "twice", "--impl", "numpy"),
    "snapshot": ("snapshot", "--impl", "numpy"),
    "check": ("snapshot", "--check", "--impl", "numpy"),
    "audit": ("audit", "--impl", "numpy.same", "--level", "boundary"),
    "reproduce": ("reproduce", "toy", "more", "numpy.same"),
    "run": ("run", "--impl", "numpy", "--impl", "numpy.same", "--out", "out"),
}


@pytest.fixture
def sound(suite: Path) -> Path:
    for name in ("wrong", "dies", "hangs"):
        (suite / "toy" / f"toy.{name}.py").unlink()
    return suite


@pytest.mark.skipif(sys.platform == "win32", reason="exit codes")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_worker_that_fails_at_its_end_is_said(harness: Harness, sound: Path, name: str) -> None:
    assert harness("snapshot", "--suite", sound).exit_code == 0
    command = (*COMMANDS[name], "--suite", sound)
    before = harness(*command)
    assert "worker failed" not in before.output
    assert before.exit_code != 4, before.output
    for source in ("toy.py", "toy.same.py"):
        (sound / "toy" / source).write_text(ENDS, encoding="utf-8")
    result = harness(*command)
    assert result.exit_code == 4, result.output
    assert SAID in " ".join(result.output.split())
    if name == "snapshot":
        assert "1 snapshots" in result.stdout
    if name == "reproduce":
        assert "def more(twice)" in result.stdout
