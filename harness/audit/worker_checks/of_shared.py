"""The check of large arrays, which a worker may take from memory that it shares."""

from __future__ import annotations

import numpy as np

from harness.audit.worker_checks.bench import Bench, Check
from harness.audit.worker_checks.ends import NotOffered, wrong
from harness.audit.worker_checks.of_values import difficult
from harness.workers.protocol import LEAST_SHARED


def shares(bench: Bench) -> None:
    """Large arrays keep their bits in shared memory, first small, then larger, and the other way round."""
    if not bench.worker().shares_memory:
        raise NotOffered("the worker does not say that it shares memory")
    some = difficult("float64").ravel()
    count = LEAST_SHARED // some.nbytes + 1
    for times in (count, 3 * count, count // 2, count):
        sent = np.tile(some, times)
        (got,) = bench.call("same", sent)
        if got.dtype != np.float64 or got.ravel().tobytes() != sent.tobytes():
            wrong(f"an array of {sent.nbytes} bytes comes back with other bits")
    first, second = np.arange(2.0 * LEAST_SHARED), -np.arange(1.0 * LEAST_SHARED)
    both = bench.call("two", first, second, outputs=2)
    if [array.ravel().tobytes() for array in both] != [second.tobytes(), first.tobytes()]:
        wrong("of two large arrays at once, one comes back with other bits")


CHECKS = (Check("large arrays in shared memory", "Shared memory", shares),)
