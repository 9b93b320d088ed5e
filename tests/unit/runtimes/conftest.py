"""Workers of a few lines of Python, and staged machines."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.runtimes.process import Worker
from harness.runtimes.registry import Launch
from tests.unit.runtimes.fake_worker import PREAMBLE, START
from tests.unit.runtimes.staged_machine import Stage


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Start a worker with this source."""
    workers: list[Worker] = []

    def start(source: str, *, greeted: bool = True, deadline: float = START) -> Worker:
        path = tmp_path / "worker.py"
        path.write_text(PREAMBLE + textwrap.dedent(source), encoding="utf-8")
        launch = Launch(command=(sys.executable, "-I", "-S", str(path)))
        worker = Worker.start("fake", launch, stderr=tmp_path / "stderr", deadline=deadline)
        workers.append(worker)
        if greeted:
            worker.load(tmp_path / "four_word.fake", {"f": 1}, deadline=START)
        return worker

    yield start
    for worker in workers:
        worker.kill()


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)
