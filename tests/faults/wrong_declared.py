"""C's worker with one fault: ``python wrong_declared.py FAULT c gcc -O2``.

``FAULTS`` says at which check of ``harness check-worker`` each is to be noticed. It is of a language whose
functions a case.toml declares; what all workers may do wrong is in ``wrong.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from harness.workers import c_calls, compiled_host, loop
from harness.workers.loop import WorkerFault
from harness.workers.pipes import settle, take_pipes

FAULTS: Mapping[str, str] = {
    "all_found": "a missing function",
    "any_arity": "too many inputs",
    "arity_is_missing": "too many inputs",
    "nothing_there": "functions",
    "double_alone": "bits of float32",
    "wraps": "bits of uint64",
    "drops_imaginary": "bits of complex128",
    "column_order": "orders",
    "no_scalars": "shapes",
    "pads": "another number of outputs",
    "stale": "a file read anew",
    "batch_reversed": "many inputs at once",
    "batch_all_fine": "many inputs at once",
    "kind_of_load": "a broken file",
}


class WrongHost(compiled_host.CompiledHost):
    """The host of C with a fault."""

    fault = ""
    kept: ClassVar[dict[str, Any]] = {}

    def load_in(self, precision: str, source: str, stages: Mapping[str, int], signatures: Any) -> Any:
        if self.fault == "double_alone":
            precision = "float64"
        if self.fault == "stale" and source in self.kept:
            return self.kept[source]
        try:
            loaded, problems = super().load_in(precision, source, stages, signatures)
        except WorkerFault as fault:
            if self.fault == "kind_of_load":
                fault.kind = "call"
            raise
        kinds = {"all_found": "missing", "any_arity": "arity"}
        problems = [problem for problem in problems if problem["kind"] != kinds.get(self.fault)]
        if self.fault == "arity_is_missing":
            problems = [problem | {"kind": "missing"} for problem in problems]
        if self.fault == "nothing_there":
            problems = [{"stage": name, "kind": "unsupported", "message": "no"} for name in stages]
        self.kept[source] = loaded, problems
        return loaded, problems

    def call(self, loaded: Any, stage: str, arrays: list[Any], names: Sequence[str]) -> Any:
        if self.fault == "no_scalars" and any(not array.ndim for array in arrays):
            raise WorkerFault("call", "no scalars")
        if self.fault == "column_order":
            arrays = [np.ravel(array, order="F").reshape(array.shape) for array in arrays]
        seconds, results = super().call(loaded, stage, arrays, names)
        if self.fault == "drops_imaginary":
            results = [array.real + 0j if array.dtype.kind == "c" else array for array in results]
        if self.fault == "pads":
            results = (list(results) * len(names))[: len(names)]
        return seconds, results

    def calls(self, loaded: Any, stage: str, stacks: list[Any], names: Sequence[str], count: int) -> Any:
        seconds, arrays, others = super().calls(loaded, stage, stacks, names, count)
        if self.fault == "batch_reversed":
            arrays = list(arrays)[::-1]
        return seconds, arrays, [] if self.fault == "batch_all_fine" and len(others) == 1 else others


def main(fault: str) -> None:
    """Serve with the fault."""
    requests, replies = take_pipes()
    settle()
    WrongHost.fault = fault
    if fault == "wraps":
        c_calls.holds = lambda made, array: True
    compiled_host.CompiledHost = WrongHost  # type: ignore[misc]
    loop.serve(requests, replies, compiled_host.start)
    loop.leave()


if __name__ == "__main__":
    main(sys.argv[1])
