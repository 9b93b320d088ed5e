"""What each worker costs: seconds until it has answered hello, and a call of a small and of a large array.

``python -m tests.bench.bench_workers [RUNTIME ...]``; the least of three starts, the median of many calls.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from harness.audit.worker_checks.suite import source_for
from harness.errors import UsageError
from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Launch, Registry

STARTS, CALLS, LARGE_CALLS = 3, 300, 5
SMALL, LARGE = np.ones((4, 3)), np.ones((1000, 1000))
LONG = 180.0


def main(names: list[str]) -> None:
    """Print a line for each runtime that is there."""
    registry = Registry.load(Path(__file__).parent)
    print(f"{'':10} {'start s':>8} {'first call ms':>14} {'call ms':>8} {'8 MB ms':>8}")
    for name in names or [name for name in registry.specs if name != "program"]:
        launch = registry.launch(name)
        if isinstance(launch, Absent):
            print(f"{name:10} {launch.reason}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(f"{name:10} {measured(name, launch, Path(folder))}")
            except UsageError as error:
                print(f"{name:10} {error.message}")


def measured(name: str, launch: Launch, folder: Path) -> str:
    """A runtime's numbers, as a line of the table."""
    starts = []
    for number in range(STARTS):
        worker = Worker.start(name, launch, stderr=folder / f"stderr-{number}", deadline=LONG)
        starts.append(worker.start_seconds)
        if number + 1 < STARTS:
            worker.stop()
    try:
        handle = worker.load(source_for(worker.info), {"same": 1}, deadline=LONG).handle

        def call(array: np.ndarray) -> float:
            begun = time.perf_counter()
            worker.call(handle, "same", [array], outputs=1, deadline=LONG)
            return 1e3 * (time.perf_counter() - begun)

        first = call(SMALL)
        small = statistics.median(call(SMALL) for _ in range(CALLS))
        call(LARGE)
        large = statistics.median(call(LARGE) for _ in range(LARGE_CALLS))
        worker.stop()
    finally:
        worker.kill()
    return f"{min(starts):8.2f} {first:14.1f} {small:8.2f} {large:8.1f}"


if __name__ == "__main__":
    main(sys.argv[1:])
