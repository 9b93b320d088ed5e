"""How long training takes in each language: `python -m tests.bench.bench_training [EPOCHS] [ROUNDS]`.

Every language runs in its worker, with one thread, and is called in turn, after one call of two epochs that
compiles and warms up. A figure is the median over the rounds of the time in the function alone; "first" is
that of the first call; "ratio" is to NumPy.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np

from harness.model import Absent, Case
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from harness.store.cases import load_case
from harness.store.fixtures import load_fixture

SUITE = Path(__file__).parents[2] / "reference_impls"
STAGES = ("train_published", "train_published_all", "train_exact")
LONG = 600.0


class Bench:
    """One language's worker, with the training case loaded."""

    def __init__(self, case: Case, registry: Registry, runtime: str, stderr: Path) -> None:
        launch = registry.launch(runtime)
        if isinstance(launch, Absent):
            raise LookupError(launch.reason)
        self.runtime = runtime
        self._case = case
        self._worker = Worker.start(runtime, launch, stderr=stderr, deadline=LONG)
        (path,) = (
            implementation.path
            for implementation in registry.implementations(SUITE / case.name)
            if implementation.id == runtime
        )
        self._handle = self._worker.load(
            path, {stage.name: len(stage.inputs) for stage in case.stages}, deadline=LONG
        ).handle
        arrays = load_fixture(case, SUITE).arrays("epochs_1000")
        self._arrays = {**arrays, "table": arrays["table"].astype(np.float64)}

    def seconds(self, name: str, epochs: int) -> float:
        """Time in the function alone."""
        (stage,) = (stage for stage in self._case.stages if stage.name == name)
        values = {**self._arrays, "epochs": np.array([epochs])}
        inputs = [values[value] for value in stage.inputs]
        outputs = len(stage.outputs)
        return self._worker.call(self._handle, name, inputs, outputs=outputs, deadline=LONG)[1]

    def stop(self) -> None:
        """End the worker."""
        self._worker.stop()


def main(epochs: int = 1000, rounds: int = 5) -> None:
    """Print the table."""
    case, registry = load_case(SUITE / "sentiment_training"), Registry.load(SUITE)
    with tempfile.TemporaryDirectory() as folder:
        benches: list[Bench] = []
        try:
            for runtime in ("numpy", "julia", "torch", "r"):
                try:
                    benches.append(Bench(case, registry, runtime, Path(folder, runtime)))
                except LookupError as absent:
                    print(f"{runtime}: {absent}")
            print(f"{epochs} epochs, median of {rounds}, seconds")
            print(f"{'stage':20} {'language':9} {'first':>7} {'median':>8} {'min':>8} {'ratio':>6}")
            for stage in STAGES:
                first = {bench.runtime: bench.seconds(stage, 2) for bench in benches}
                taken: dict[str, list[float]] = {bench.runtime: [] for bench in benches}
                for _ in range(rounds):
                    for bench in benches:
                        taken[bench.runtime].append(bench.seconds(stage, epochs))
                for runtime, seconds in taken.items():
                    ratio = median(seconds) / median(taken["numpy"])
                    print(
                        f"{stage:20} {runtime:9} {first[runtime]:7.2f} {median(seconds):8.2f} "
                        f"{min(seconds):8.2f} {ratio:6.2f}",
                        flush=True,
                    )
        finally:
            for bench in benches:
                bench.stop()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
