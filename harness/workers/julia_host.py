"""Julia in this process, embedded with juliacall."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from harness.workers.loop import Problem, Signatures, WorkerFault
from harness.workers.protocol import BFLOAT16, Array


class JuliaHost:
    """Files of Julia functions.

    What a worker does with a file stands in worker.jl, once for both hostings; arrays cross with juliacall:
    an ndarray becomes an `Array` of the same shape, and a returned `Array` is read where it lies.
    """

    def __init__(self, juliacall: Any) -> None:
        self._convert = juliacall.convert
        self._array_type = juliacall.Main.Array
        # In Julia: a call from Python would be compiled first, on some versions for a second.
        juliacall.Main.seval(f"include({json.dumps(str(Path(__file__).with_name('worker.jl')))})")
        self._exchange = juliacall.Main.seval("HarnessWorker.exchange")

    def describe(self) -> dict[str, Any]:
        """Versions, BLAS and threads."""
        result, _ = self._ask("hello", {"protocol": 1})
        number = version("juliacall")
        facts: dict[str, Any] = result["runtime"]
        return facts | {"hosting": f"juliacall {number}", "libraries": {"juliacall": number}}

    def load(
        self, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[str, list[Problem]]:
        """Evaluate a file in a module of its own."""
        params = {"source": source, "stages": dict(stages), "signatures": dict(signatures)}
        result, _ = self._ask("load", params)
        return result["handle"], result["problems"]

    def call(
        self, loaded: str, stage: str, arrays: list[Array], names: Sequence[str]
    ) -> tuple[float, Sequence[Array]]:
        """Call one function with Julia arrays."""
        params = {"handle": loaded, "stage": stage, "outputs": len(names), "names": list(names)}
        params["absent"] = [place for place, array in enumerate(arrays) if array is None]
        there = [self._julia_array(array) for array in arrays if array is not None]
        result, given = self._ask("call", params, there)
        return float(result["seconds"]), given

    def calls(
        self, loaded: str, stage: str, stacks: list[Array], names: Sequence[str], count: int
    ) -> tuple[float, Sequence[Array], list[int]]:
        """Call one function for each of many inputs."""
        params = {"handle": loaded, "stage": stage, "outputs": len(names), "names": list(names)}
        # In Julia the last dimension is the slowest: each input lies in one piece there.
        moved = [self._julia_array(np.moveaxis(stack, 0, -1)) for stack in stacks]
        result, given = self._ask("call", {**params, "batch": count, "last": True}, moved)
        return float(result["seconds"]), given, result["others"]

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _ask(
        self, method: str, params: Mapping[str, Any], arrays: Sequence[Any] = ()
    ) -> tuple[dict[str, Any], list[Array]]:
        text, given = self._exchange(json.dumps({"method": method, "params": params}), *arrays)
        reply = json.loads(text)
        if "error" in reply:
            error = reply["error"]
            raise WorkerFault(error["kind"], error["message"], line=error.get("line"), detail=error["detail"])
        return reply["result"], [np.asarray(array) for array in given]

    def _julia_array(self, array: Array) -> Any:
        if array.dtype == BFLOAT16:
            raise WorkerFault("call", "Julia has no bfloat16")
        # In Julia's order before it crosses: then it crosses as one piece.
        return self._convert(self._array_type, np.asfortranarray(array) if array.ndim > 1 else array)


def start() -> JuliaHost:
    """Start the Julia that juliacall's settings name."""
    # Without Julia's own handlers an endless recursion would end the process.
    os.environ.setdefault("PYTHON_JULIACALL_HANDLE_SIGNALS", "yes")
    os.environ.setdefault("PYTHON_JULIACALL_STARTUP_FILE", "no")
    try:
        import juliacall
    except BaseException as error:
        raise WorkerFault("load", f"juliacall cannot be imported: {error}") from error
    return JuliaHost(juliacall)
