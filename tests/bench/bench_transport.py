"""Large arrays to each worker and back: `python -m tests.bench.bench_transport [RUNTIME...]`.

10^7 float64 to ``same``, which returns them: through shared memory and through the pipe in turn, with
``np.copy`` in between, so that whatever else the machine does meets all alike. The median of CALLS, bytes
there and back by second, what both processes took of a processor for a call (which hardly depends on the
load), pickling to another Python and back, and the most memory that a process had meanwhile, in arrays, for
a vector and for a matrix.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from unittest import mock

import numpy as np
import psutil

from harness.audit.worker_checks.suite import source_for
from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Launch, Registry
from harness.runtimes.shared import SharedMemory

SIZE, CALLS, LONG = 10**7, 9, 300.0


def clocked(call: Callable[[], object]) -> float:
    """Seconds of a call."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def echo(connection: Connection) -> None:
    """Send back whatever comes."""
    while (array := connection.recv()) is not None:
        connection.send(array)


def pickled(x: np.ndarray) -> float:
    """Median seconds there and back, pickled, through a pipe of `multiprocessing`."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=echo, args=(there,), daemon=True)
    process.start()

    def call() -> None:
        here.send(x)
        here.recv()

    call()
    seconds = statistics.median(clocked(call) for _ in range(CALLS))
    here.send(None)
    process.join()
    return seconds


def resident(pid: int) -> tuple[int, int]:
    """Bytes of memory that a process has, and the most that it had since `forget`."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["VmRSS"].split()[0]) << 10, int(lines["VmHWM"].split()[0]) << 10


def forget(pid: int) -> None:
    """Let the most that a process had be what it has."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


class Echo:
    """A worker whose ``same`` is called with an array."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self._handle = worker.load(source_for(worker.info), {"same": 1}, deadline=LONG).handle
        self(np.zeros(8))
        self._pids = (worker.pid, os.getpid())
        self._before = [resident(pid)[0] for pid in self._pids]

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The array that comes back."""
        return self.worker.call(self._handle, "same", [x], outputs=1, deadline=LONG)[0][0]

    def peaks(self, x: np.ndarray) -> tuple[float, float]:
        """The most memory that the worker and this process have beside ``x``, in arrays."""
        for pid in self._pids:
            forget(pid)
        for _ in range(CALLS):
            got = self(x)
            assert np.array_equal(got, x)
            del got
        there, here = (resident(pid)[1] - old for pid, old in zip(self._pids, self._before, strict=True))
        return there / x.nbytes, here / x.nbytes


def spent(pid: int) -> float:
    """Seconds of a processor that a process has taken."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def row(name: str, launch: Launch, x: np.ndarray) -> list[float]:
    """The numbers of a runtime, in the order of TITLES."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        echoes = []
        for way in (SharedMemory.where_possible, lambda: None):
            with mock.patch.object(SharedMemory, "where_possible", way):
                worker = Worker.start(name, launch, stderr=Path(folder, "stderr"), deadline=LONG)
            stack.callback(worker.kill)
            echoes.append(Echo(worker))
        shared, piped = echoes
        vector, matrix = shared.peaks(x), shared.peaks(x.reshape(1000, -1))
        piped(x)
        seconds: list[list[float]] = []
        there, here = 0.0, 0.0
        for _ in range(CALLS):
            before = spent(shared.worker.pid), spent(os.getpid())
            quick = clocked(lambda: shared(x))
            there += spent(shared.worker.pid) - before[0]
            here += spent(os.getpid()) - before[1]
            seconds.append([quick, clocked(lambda: piped(x)), clocked(lambda: np.copy(x))])
    quick, slow, copy = (statistics.median(column) for column in zip(*seconds, strict=True))
    return [
        quick * 1e3, 2 * x.nbytes / quick / 1e9, slow * 1e3, statistics.median(s / q for q, s, _ in seconds),
        x.nbytes / copy / 1e9, quick / copy / 2, 1e3 * there / CALLS, 1e3 * here / CALLS,
        *vector, *matrix,
    ]  # fmt: skip


TITLES = (
    "shared ms", "GB/s", "pipe ms", "pipe/sh.", "copy GB/s", "/2 copies", "cpu there", "cpu here",
    "vector", "v. here", "matrix", "m. here",
)  # fmt: skip


def main(names: list[str]) -> None:
    """Print a row for each runtime that is there."""
    registry = Registry.load(Path(__file__).parent)
    x = np.random.default_rng(0).random(SIZE)
    print(f"{x.nbytes / 1e6:.0f} MB; pickled, there and back: {pickled(x) * 1e3:.0f} ms")
    print(" " * 8, *(title.rjust(9) for title in TITLES), "(the last four: peaks, in arrays)")
    for name in names or ["numpy", "torch", "r", "julia"]:
        launch = registry.launch(name)
        if isinstance(launch, Absent):
            print(f"{name:8} {launch.reason}")
            continue
        numbers = row(name, launch, x)
        load = os.getloadavg()[0]
        print(f"{name:8}", *(f"{number:9.2f}" for number in numbers), f"load {load:.1f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
