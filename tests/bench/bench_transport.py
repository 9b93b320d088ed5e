"""Large arrays to each worker and back: `python -m tests.bench.bench_transport [RUNTIME...]`.

10^7 float64 to ``same``, which returns them: the median of CALLS through shared memory and through the pipe,
bytes there and back by second, ``np.copy`` in between, pickling to another Python and back, and the most
memory that a process had meanwhile, in arrays.
"""

from __future__ import annotations

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

from harness.audit.worker_checks.suite import source_for
from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from harness.runtimes.shared import SharedMemory

SIZE, CALLS, LONG = 10**7, 9, 300.0


def median(call: Callable[[], object], between: Callable[[], object] | None = None) -> tuple[float, float]:
    """Median seconds of a call, and of what is done after each."""
    first, second = [], []
    for _ in range(CALLS):
        begun = time.perf_counter()
        call()
        first.append(time.perf_counter() - begun)
        if between is not None:
            begun = time.perf_counter()
            between()
            second.append(time.perf_counter() - begun)
    return statistics.median(first), statistics.median(second or [0.0])


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
    seconds, _ = median(call)
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


def measured(worker: Worker, x: np.ndarray) -> tuple[float, float, list[float]]:
    """Median seconds of a call, of copying between two of them, and the most memory in arrays.

    That is of the worker in its first call, of the worker, and of this process beside ``x``.
    """
    handle = worker.load(source_for(worker.info), {"same": 1}, deadline=LONG).handle

    def call() -> list[np.ndarray]:
        return worker.call(handle, "same", [x], outputs=1, deadline=LONG)[0]

    worker.call(handle, "same", [x[:8]], outputs=1, deadline=LONG)
    pid, here = worker.pid, os.getpid()
    before, ours = resident(pid)[0], resident(here)[0]
    forget(pid)
    forget(here)
    call()
    first = resident(pid)[1] - before
    seconds, copy = median(call, lambda: np.copy(x))
    most = [first, resident(pid)[1] - before, resident(here)[1] - ours]
    assert call()[0].tobytes() == x.tobytes()
    return seconds, copy, [size / x.nbytes for size in most]


def main(names: list[str]) -> None:
    """Print a row for each runtime that is there."""
    registry = Registry.load(Path(__file__).parent)
    x = np.random.default_rng(0).random(SIZE)
    seconds = pickled(x)
    print(f"{x.nbytes / 1e6:.0f} MB; pickled, there and back: {seconds * 1e3:.0f} ms")
    titles = ("shared ms", "GB/s", "/ 2 copies", "copy GB/s", "pipe ms", "first", "peak", "peak here")
    print(" " * 10, *(title.rjust(10) for title in titles), "(peaks in arrays)")
    for name in names or ["numpy", "torch", "r", "julia"]:
        launch = registry.launch(name)
        if isinstance(launch, Absent):
            print(f"{name:10} {launch.reason}")
            continue
        found = []
        for way in (SharedMemory.where_possible, lambda: None):
            with (
                tempfile.TemporaryDirectory() as folder,
                mock.patch.object(SharedMemory, "where_possible", way),
            ):
                worker = Worker.start(name, launch, stderr=Path(folder, "stderr"), deadline=LONG)
                try:
                    found.append(measured(worker, x))
                finally:
                    worker.kill()
        (shared, copy, peaks), (piped, *_) = found
        row = (
            shared * 1e3,
            2 * x.nbytes / shared / 1e9,
            shared / copy / 2,
            x.nbytes / copy / 1e9,
            piped * 1e3,
        )
        print(f"{name:10}", *(f"{number:10.2f}" for number in (*row, *peaks)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
