"""What true values of large stages cost: `python -m tests.bench.bench_oracle [LARGEST]`.

Each row is a process of its own, with a fresh oracle. Time is the oracle's processor time, its start and both
modes; memory is the largest resident memory of its process. LARGEST is 7: up to 10**7 numbers.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from harness.conformance.oracle_asker import BITS, BUDGET
from harness.model import Precision, Stage, Value
from harness.runtimes.oracle import find_oracle
from harness.runtimes.oracle_worker import OracleWorker
from harness.runtimes.registry import Launch

SOURCE = """
import numpy as np


def elementwise(x):
    return np.exp(x) * 2.5 + 1


def total(x):
    return x.sum()


def squares(x):
    return (x * x).sum()


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def product(x):
    return x @ x.T
"""
SHAPES = {
    "elementwise": lambda n: (n,),
    "total": lambda n: (n,),
    "squares": lambda n: (n,),
    "softmax": lambda n: (max(1, n // 1000), min(n, 1000)),
    "product": lambda n: (max(1, n // 64), 64),
}


def measure(stage: str, n: int) -> str:
    """One row: a table's line."""
    x = np.random.default_rng(0).normal(size=SHAPES[stage](n))
    of = Stage(name=stage, inputs=("x",), outputs=(Value(name=stage, shape=("n",) * x.ndim),))
    launch = find_oracle()
    assert isinstance(launch, Launch)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "bench.py"
        source.write_text(SOURCE, encoding="utf-8")
        worker = OracleWorker.start("oracle", launch, stderr=Path(folder) / "stderr")
        handle = worker.load(source, {stage: 1}, deadline=60.0).handle
        why = ""
        for feed in (True, False):
            reply = worker.truth(
                handle,
                {"x": x},
                stages=(of,),
                wanted={stage},
                feed=feed,
                bits=BITS[Precision.FLOAT64],
                balls=True,
                deadline=600.0,
                seconds=BUDGET,
            )
            why = reply.problems.get(stage, "")
        worker.stop()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    return f"| {stage} | {n:.0e} | {x.nbytes / 1e6:.0f} | {seconds:.1f} | {peak:.0f} | {why} |"


def main() -> None:
    """Print the table, or one row of it in a process of its own."""
    if len(sys.argv) == 3:
        print(measure(sys.argv[1], int(sys.argv[2])))
        return
    largest = int(sys.argv[1]) if len(sys.argv) == 2 else 7
    print("| stage | numbers | array, MB | time, s | oracle, MB | |\n|---|---|---|---|---|---|")
    for stage in SHAPES:
        for digits in range(3, largest + 1):
            command = [sys.executable, "-m", "tests.bench.bench_oracle", stage, str(10**digits)]
            row = subprocess.run(command, capture_output=True, text=True, check=True)
            print(row.stdout.strip(), flush=True)


if __name__ == "__main__":
    main()
