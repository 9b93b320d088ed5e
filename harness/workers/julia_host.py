"""Julia in this process, embedded with juliacall."""

from __future__ import annotations

import ctypes
import itertools
import json
import math
import os
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from harness.workers.loop import Problem, Signatures, WorkerFault
from harness.workers.protocol import BFLOAT16, DTYPES, LEAST_SHARED, Array, dtype_name

_COMPILE = "PYTHON_JULIACALL_COMPILE"


class JuliaHost:
    """Files of Julia functions.

    What a worker does with a file stands in HarnessWorker.jl, once for both hostings. Requests, replies and
    arrays cross by their addresses: what PythonCall makes of values would be compiled at each start.

    Parameters
    ----------
    juliacall : module
        With its Julia.
    interpreted : bool
        Whether Julia was started so that it interprets, which files are not meant to be.
    """

    copies_arrays = True
    """No array of a call is kept as it came."""

    def __init__(self, juliacall: Any, interpreted: bool) -> None:
        # By Julia's own C interface: a call through PythonCall would be compiled first.
        worker = json.dumps(str(Path(__file__).with_name("worker.jl")))
        place = ctypes.c_void_p()
        here = ctypes.addressof(place)
        _evaluate(juliacall, f"include({worker}); HarnessWorker.entry_at({here})")
        if interpreted:
            _evaluate(juliacall, "HarnessWorker.ByVersion.compile_files!()")
        # It holds the lock of Python: code in Julia may call Python.
        assert place.value is not None
        self._exchange = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.c_char_p)(place.value)

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
        result, given = self._ask("call", params, [array for array in arrays if array is not None])
        return float(result["seconds"]), given

    def calls(
        self, loaded: str, stage: str, stacks: list[Array], names: Sequence[str], count: int
    ) -> tuple[float, Sequence[Array], list[int]]:
        """Call one function for each of many inputs."""
        params = {"handle": loaded, "stage": stage, "outputs": len(names), "names": list(names)}
        # In Julia the last dimension is the slowest: each input lies in one piece there.
        moved = [np.moveaxis(stack, 0, -1) for stack in stacks]
        result, given = self._ask("call", {**params, "batch": count, "last": True}, moved)
        return float(result["seconds"]), given, result["others"]

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _ask(
        self, method: str, params: Mapping[str, Any], arrays: Sequence[Array] = ()
    ) -> tuple[dict[str, Any], list[Array]]:
        if any(array.dtype == BFLOAT16 for array in arrays):
            raise WorkerFault("call", "Julia has no bfloat16")
        announced, laid_out = self._laid_out(arrays)
        reply = self._exchanged({"method": method, "params": params, "arrays": announced})
        del laid_out
        if "error" in reply:
            error = reply["error"]
            raise WorkerFault(error["kind"], error["message"], line=error.get("line"), detail=error["detail"])
        return reply["result"], [_lies_there(descriptor) for descriptor in reply["arrays"]]

    def _laid_out(self, arrays: Sequence[Array]) -> tuple[list[dict[str, Any]], list[Array]]:
        """Where Julia finds each array, in its own order; those that it copies have to stay until it has."""
        announced: list[dict[str, Any]] = [
            {"dtype": dtype_name(array.dtype), "shape": array.shape} for array in arrays
        ]
        large = [array.nbytes >= LEAST_SHARED and not array.flags.f_contiguous for array in arrays]
        if any(large):
            # In order of columns they would be one array more here: they are written where Julia keeps them.
            moved = list(itertools.compress(range(len(arrays)), large))
            rooms = self._exchanged({"method": "room", "arrays": [announced[place] for place in moved]})
            for room, place in enumerate(moved):
                np.copyto(_lies_there(rooms["arrays"][room]), arrays[place])
                announced[place]["room"] = room
        copied = []
        for array, of_it, is_written in zip(arrays, announced, large, strict=True):
            if not is_written:
                copied.append(np.asarray(array, order="F"))
                of_it["address"] = copied[-1].ctypes.data
        return announced, copied

    def _exchanged(self, request: Mapping[str, Any]) -> dict[str, Any]:
        reply: dict[str, Any] = json.loads(self._exchange(json.dumps(request).encode()))
        return reply


def _evaluate(juliacall: Any, code: str) -> None:
    evaluate = juliacall.CONFIG["lib"].jl_eval_string
    evaluate.argtypes, evaluate.restype = [ctypes.c_char_p], ctypes.c_void_p
    if evaluate(code.encode()) is None:
        # Once more, so that Julia's error is told.
        juliacall.Main.seval(code)


def _lies_there(descriptor: Mapping[str, Any]) -> Array:
    """An array of Julia's, where it lies until the next request."""
    dtype, shape = DTYPES[descriptor["dtype"]], tuple(descriptor["shape"])
    count = math.prod(shape)
    if not count:
        return np.empty(shape, dtype)
    memory = (ctypes.c_uint8 * (count * dtype.itemsize)).from_address(descriptor["address"])
    return np.frombuffer(memory, dtype).reshape(shape, order="F")


def start() -> JuliaHost:
    """Start the Julia that juliacall's settings name."""
    # Without Julia's own handlers an endless recursion would end the process.
    os.environ.setdefault("PYTHON_JULIACALL_HANDLE_SIGNALS", "yes")
    os.environ.setdefault("PYTHON_JULIACALL_STARTUP_FILE", "no")
    interpreted = os.environ.pop("HARNESS_JULIA_START", "") == "interpreted" and _COMPILE not in os.environ
    if interpreted:
        os.environ[_COMPILE] = "min"
    try:
        import juliacall
    except BaseException as error:
        raise WorkerFault("load", f"juliacall cannot be imported: {error}") from error
    if interpreted:
        del os.environ[_COMPILE]
    return JuliaHost(juliacall, interpreted)
