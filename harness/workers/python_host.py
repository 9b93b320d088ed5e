"""NumPy in this process."""

from __future__ import annotations

import contextlib
import io
import os
import platform
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.workers.batches import each
from harness.workers.loop import Problem, Signatures
from harness.workers.protocol import Array, dtype_name
from harness.workers.python_source import PythonFile, described, outputs_of


class NumpyHost:
    """Files of NumPy functions."""

    def describe(self) -> dict[str, Any]:
        """Versions, BLAS and threads."""
        blas, threads = blas_in_process()
        return {
            "language": "Python",
            "version": platform.python_version(),
            "hosting": "python",
            "libraries": {"numpy": np.__version__},
            "blas": blas,
            "threads": threads,
            "dtypes": ["float64", "float32", "float16"],
            "signatures": True,
            "batches": True,
            "platform": platform.platform(),
        }

    def load(
        self, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[PythonFile, list[Problem]]:
        """Evaluate a file in a module of its own."""
        loaded = PythonFile(source, signatures=signatures)
        return loaded, loaded.problems(stages)

    def call(
        self, loaded: PythonFile, stage: str, arrays: list[Array], names: Sequence[str]
    ) -> tuple[float, Sequence[Array]]:
        """Call one function with ndarrays."""
        seconds, value = loaded.call(stage, arrays)
        return seconds, outputs_of(value, names, give)

    def calls(
        self, loaded: PythonFile, stage: str, stacks: list[Array], names: Sequence[str], count: int
    ) -> tuple[float, Sequence[Array], list[int]]:
        """Call one function for each of many inputs."""
        start = time.perf_counter()
        with loaded.called(stage) as function:
            arrays, others = each(
                # Not stack[place]: of a stack of scalars that is no array.
                ([stack[place, ...] for stack in stacks] for place in range(count)),
                lambda given: outputs_of(function(*given), names, give, plain=np.ndarray),
                len(names),
            )
        return time.perf_counter() - start, arrays, others

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def give(value: object) -> Array:
    """An array, a NumPy scalar or a Python number, as an array of a dtype that the protocol has."""
    if type(value) is np.ndarray and dtype_name(value.dtype) is not None:
        return value
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError("returned a masked array, whose mask cannot be kept: fill it")
    value = _dense(value)
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        if dtype_name(array.dtype) is None:
            raise TypeError(f"returned an array of dtype {array.dtype}, which is no number that can be kept")
        return array
    if isinstance(value, (bool, int, float, complex)):
        return number(value)
    raise TypeError(f"returned {described(value)}, and an array is expected")


def _dense(value: Any) -> Any:
    """A column of a data frame, or a sparse matrix, as an ndarray; anything else as it is."""
    if hasattr(value, "toarray") and hasattr(value, "nnz"):
        return value.toarray()
    if hasattr(value, "to_numpy") and getattr(value, "ndim", 1) == 1:
        return value.to_numpy()
    return value


def number(value: complex) -> Array:
    """A Python number as a 0-d array: bool, int64, float64 or complex128."""
    if isinstance(value, int) and not isinstance(value, bool):
        return np.asarray(value, dtype=np.int64)
    return np.asarray(value)


def blas_in_process() -> tuple[str, int]:
    """Name and version of the BLAS that NumPy uses, and the threads that it may use."""
    # A worker in an environment of its own need not have threadpoolctl.
    with contextlib.suppress(ImportError):
        from threadpoolctl import threadpool_info

        pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
        if pools:
            name = f"{pools[0]['internal_api']} {pools[0]['version'] or ''}".strip()
            return name, max(int(pool["num_threads"]) for pool in pools)
    with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        facts = np.show_config(mode="dicts")
        blas = facts["Build Dependencies"]["blas"]
        return f"{blas['name']} {blas['version']}", pinned_threads()
    return "", pinned_threads()


def pinned_threads() -> int:
    """Threads that the environment allows BLAS; 0 where it says nothing."""
    return int(os.environ.get("OPENBLAS_NUM_THREADS") or os.environ.get("OMP_NUM_THREADS") or 0)


def start() -> NumpyHost:
    """Return the host; nothing has to be started."""
    return NumpyHost()
