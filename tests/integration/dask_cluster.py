"""A Dask cluster of processes of its own, over TCP, and suites of many small cases for it."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np

from harness.model import Record
from harness.store.fixture_writer import write_fixture
from tests.unit.conformance.attention_suite import CASE, SOUND

ADDRESS = re.compile(r"tcp://127\.0\.0\.1:\d+")
SECONDS = 90.0
OTHER = """
[[runtime]]
id = "other"
language = "Other"
suffix = ".other"
command = ["a-python-that-some-have", "-P", "{workers}/__main__.py", "numpy"]
"""


def write_suite(folder: Path, count: int) -> Path:
    """A suite of ``count`` cases in two implementations, on one fixture."""
    suite = folder / "suite"
    draw = np.random.default_rng(3)
    write_fixture(
        suite / "fixtures" / "attention",
        version=1,
        title="two matrices",
        origin="draws",
        licence="MIT",
        generator=[{"kind": "data"}],
        arrays={"Q": draw.normal(size=(5, 3)), "K": draw.normal(size=(5, 3))},
        origins={"Q": "draws", "K": "draws"},
    )
    for number in range(count):
        name = f"c{number:04d}"
        case = suite / name
        case.mkdir()
        text = CASE.replace('name = "attention"\ntitle', f'name = "{name}"\ntitle')
        (case / "case.toml").write_text(text, encoding="utf-8")
        (case / f"{name}.py").write_text(SOUND, encoding="utf-8")
        (case / f"{name}.second.py").write_text(SOUND + "# the second\n", encoding="utf-8")
    return suite


def in_mask(suite: Path, case: str, code: str) -> None:
    """Have the last stage of a case's second implementation do something else."""
    source = SOUND.replace("    return weights > 0.5", "\n".join(f"    {line}" for line in code.split("\n")))
    (suite / case / f"{case}.second.py").write_text(source, encoding="utf-8")


class Cluster:
    """A scheduler, and workers that are started and killed one by one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._started: list[subprocess.Popen[str]] = []
        self._readers: list[threading.Thread] = []
        self.scheduler = self._start("dask_scheduler", "--port", "0")
        self.address = self._says(self.scheduler, "Scheduler at")

    def worker(self, *options: str, **environment: str) -> subprocess.Popen[str]:
        """Start a worker, of one thread, that no nanny starts again."""
        process = self._start(
            "dask_worker",
            self.address,
            *("--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder)),
            *options,
            **environment,
        )
        self._says(process, "Registered to")
        return process

    def _start(self, program: str, *options: str, **environment: str) -> subprocess.Popen[str]:
        command = [
            sys.executable,
            "-m",
            f"distributed.cli.{program}",
            "--host",
            "127.0.0.1",
            "--no-dashboard",
        ]
        process = subprocess.Popen(
            [*command, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | environment,
            cwd=self.folder,
        )
        self._started.append(process)
        return process

    def _says(self, process: subprocess.Popen[str], words: str) -> str:
        """Wait for a line; what comes after is read so that nobody waits to be read."""
        assert process.stderr is not None
        seen = []
        for line in process.stderr:
            seen.append(line)
            if words in line:
                self._readers.append(threading.Thread(target=process.stderr.read, daemon=True))
                self._readers[-1].start()
                found = ADDRESS.search(line)
                return found[0] if found else ""
        raise AssertionError("".join(seen))

    def close(self) -> None:
        """Kill all."""
        for process in reversed(self._started):
            process.kill()
            process.wait()
        for reader in self._readers:
            reader.join()
        for process in self._started:
            assert process.stderr is not None
            process.stderr.close()


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    folder.mkdir()
    made = Cluster(folder)
    try:
        yield made
    finally:
        made.close()


def harness(*args: str | Path, cwd: Path, alone: bool = False) -> subprocess.Popen[str]:
    """Start a command; ``alone``, in a group of processes of its own, as a shell does."""
    return subprocess.Popen(
        [sys.executable, "-m", "harness", *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        start_new_session=alone,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Its exit code, and what it printed."""
    out, err = process.communicate(timeout=2 * SECONDS)
    return process.returncode, out, err


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    """Wait until something is so."""
    until = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < until, what
        time.sleep(0.05)


def put_other_python(folder: Path) -> str:
    """A PATH on which the program is that only some workers have."""
    folder.mkdir()
    program = folder / "a-python-that-some-have"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def lines_of(record: Record) -> list[bytes]:
    """All lines between header and footer, but for their times."""
    lines = (*record.exhibits, *record.cells, *record.pairs, *record.consensus)
    return sorted(
        msgspec.json.encode(msgspec.to_builtins(line) | {"seconds": 0, "calls": None}) for line in lines
    )
