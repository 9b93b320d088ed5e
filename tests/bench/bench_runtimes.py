"""What a runtime costs: `python -m tests.bench.bench_runtimes [RUNTIME...]`.

For each runtime that is found: seconds until its worker has said hello (the first time, and the median of
STARTS), until it has loaded `four_word` (the first time, which may compile, and again), and for a call of
`maxs`, a 4 x 4 maximum by rows: the first, and the median of CALLS, with the time in the function alone.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from harness.store.cases import load_case

ROOT = Path(__file__).parents[2]
STARTS, CALLS, PATIENCE = 3, 300, 300.0


def costs(registry: Registry, runtime: str, source: Path, arity: dict[str, int]) -> list[float] | str:
    """The seconds in the order of `COLUMNS`; or why there are none."""
    launch = registry.launch(runtime)
    if isinstance(launch, Absent):
        return launch.reason
    starts = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(STARTS):
            worker = Worker.start(runtime, launch, stderr=Path(folder, "stderr"), deadline=PATIENCE)
            starts.append(worker.start_seconds)
            if len(starts) < STARTS:
                worker.stop()
        try:
            loads, calls, inside = [], [], []
            for _ in range(2):
                begun = time.perf_counter()
                handle = worker.load(source, arity, deadline=PATIENCE, precision="float64").handle
                loads.append(time.perf_counter() - begun)
            scores = np.random.default_rng(1).random((4, 4))
            for _ in range(CALLS + 1):
                begun = time.perf_counter()
                _, seconds = worker.call(handle, "maxs", [scores], outputs=1, deadline=PATIENCE)
                calls.append(time.perf_counter() - begun)
                inside.append(seconds)
        finally:
            worker.stop()
    middle = statistics.median
    return [starts[0], middle(starts), *loads, calls[0], middle(calls[1:]), middle(inside[1:])]


COLUMNS = ("start, first", "start", "load, first", "load", "call, first", "call", "in it")


def main(chosen: list[str]) -> None:
    """Print one row for each runtime."""
    folder = ROOT / "reference_impls" / "four_word"
    registry = Registry.load(folder.parent)
    arity = {stage.name: len(stage.inputs) for stage in load_case(folder).stages}
    print("runtime".ljust(12), *(title.rjust(13) for title in COLUMNS))
    for implementation in registry.implementations(folder):
        runtime = implementation.runtime
        if implementation.id != runtime or (chosen and runtime not in chosen):
            continue
        found = costs(registry, runtime, implementation.path, arity)
        told = found if isinstance(found, str) else " ".join(f"{seconds * 1e3:10.3f} ms" for seconds in found)
        print(runtime.ljust(12), told, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
