"""NumPy's worker with one fault in how it speaks the protocol: ``python wrong.py FAULT``.

``FAULTS`` says at which check of ``harness check-worker`` each is to be noticed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from harness.workers import lines, loop, protocol, python_host
from harness.workers.loop import WorkerFault
from harness.workers.pipes import settle, take_pipes
from tests.faults.inject import FRAMES

FAULT = sys.argv[1] if __name__ == "__main__" else ""
STAGE = "corner"
"""The stage whose replies get a fault of frames."""
STATE: dict[str, Any] = {"stage": "", "files": {}, "requests": 0}

FAULTS: Mapping[str, str] = {
    **dict.fromkeys(set(FRAMES) - {"another_value", "false_facts"}, "orders"),
    "another_value": "orders",
    "false_facts": "hello",
    "another_version": "hello",
    "no_language": "hello",
    "odd_format": "hello",
    "canonical_nan": "bits of float64",
    "positive_zero": "bits of float64",
    "no_subnormals": "bits of float32",
    "integers_as_float64": "bits of int64",
    "bool_as_bytes": "bits of bool",
    "bool_as_uint8": "bits of bool",
    "int16_swapped": "bits of int16",
    "int64_swapped": "bits of int64",
    "int8_unsigned": "bits of int8",
    "refuses_float32": "bits of float32",
    "opaque_float32": "bits of float32",
    "real_alone": "bits of complex128",
    "guesses": "bits of bfloat16",
    "scalars_in_lists": "shapes",
    "empty_is_flat": "shapes",
    "column_order": "orders",
    "cut_at_a_mebibyte": "a large array",
    "forgets_shared": "large arrays in shared memory",
    "another_order": "several inputs and outputs",
    "stacks": "another number of outputs",
    "converts_text": "text where an array is due",
    "nothing_is_zero": "nothing where an array is due",
    "by_position": "outputs by name",
    "kind_of_load": "a broken file",
    "loads_what_is_gone": "a file that is not there",
    "twice_told": "a broken file",
    "all_found": "a missing function",
    "any_arity": "too many inputs",
    "reads_once": "a file read anew",
    "one_namespace": "two files",
    "plain_names": "any name of a file",
    "line_before": "an error in a function",
    "no_message": "an error in a function",
    "calls_any": "an unknown function and handle",
    "prints_here": "noise on standard output",
    "prints_nowhere": "noise on standard output",
    "shares_input": "a function that reads",
    "processor_time": "seconds",
    "bool_seconds": "many calls",
    "lives_on": "the end of input",
    "takes_parts": "an array that is cut",
    "takes_lines": "a line that is cut",
    "understands_all": "an unknown method",
    "ignores_garbage": "garbage",
    "any_dtype": "an unknown dtype",
    "knows_all_keys": "unknown keys",
    "short_lines": "a long line",
    "takes_all_that_is_there": "frames at once",
    "no_pieces": "a frame in pieces",
    "stays": "bye",
    "says_more": "bye",
    "plain_text": "the value code of text",
    "lost_missing": "the value code of missing integers",
    "no_default": "an input that is left out",
    "ends_loop": "many inputs at once",
}
"""By fault, the first check that has to fail."""


class WrongHost(python_host.NumpyHost):
    """NumPy's host with a fault in what it answers."""

    def describe(self) -> dict[str, Any]:
        told = super().describe()
        more = {"no_language": {"language": ""}, "odd_format": {"dtypes": ["float64", "double"]}}
        return told | more.get(FAULT, {})

    def load(self, source: str, stages: Mapping[str, int], signatures: Any) -> Any:
        if FAULT == "plain_names" and not source.isascii():
            raise WorkerFault("load", "no such file")
        if FAULT == "loads_what_is_gone" and not Path(source).exists():
            return None, []
        if FAULT == "reads_once" and source in STATE["files"]:
            return STATE["files"][source], []
        try:
            loaded, problems = super().load(source, stages, signatures)
        except WorkerFault as fault:
            if FAULT == "kind_of_load":
                fault.kind = "call"
            raise
        if FAULT == "one_namespace":
            STATE["files"] = dict.fromkeys([*STATE["files"], source], loaded)
        STATE["files"].setdefault(source, loaded)
        drop = {"all_found": "missing", "any_arity": "arity"}.get(FAULT)
        return (source if FAULT == "one_namespace" else loaded), [
            problem for problem in problems if problem["kind"] != drop
        ]

    def load_in(self, precision: str, source: str, stages: Mapping[str, int], signatures: Any) -> Any:
        if FAULT == "refuses_float32" and precision == "float32":
            raise WorkerFault("unsupported", "no float32")
        return self.load(source, stages, signatures)

    def call(self, loaded: Any, stage: str, arrays: list[Any], names: Sequence[str]) -> Any:
        STATE["stage"] = stage
        if FAULT == "one_namespace":
            loaded = STATE["files"][loaded]
        if FAULT == "calls_any" and stage == "never_loaded":
            return 0.0, arrays
        if FAULT == "no_default" and any(array is None for array in arrays):
            arrays = [np.zeros(3) if array is None else array for array in arrays]
        if FAULT == "opaque_float32" and stage == "corner" and arrays[0].dtype == np.float32:
            raise WorkerFault("call", "a string has no elements")
        arrays = [changed(array) if isinstance(array, np.ndarray) else array for array in arrays]
        before = time.process_time()
        try:
            seconds, results = super().call(loaded, stage, arrays, names)
        except WorkerFault as fault:
            if FAULT == "line_before" and fault.line:
                fault.line -= 1
            if FAULT == "no_message":
                fault.message = "error"
            instead = {"converts_text": "text", "nothing_is_zero": "void", "stacks": "two"}
            if fault.kind == "value" and instead.get(FAULT) == stage:
                return 0.0, [np.zeros(1)] * len(names)
            if FAULT == "by_position" and stage == "named":
                return 0.0, [arrays[0] + 1, arrays[0]]
            raise
        if FAULT == "by_position" and stage == "named":
            results = results[::-1]
        if FAULT == "another_order" and stage == "two":
            results = results[::-1]
        if FAULT == "processor_time":
            seconds = time.process_time() - before
        if FAULT == "bool_seconds" and stage == "same" and len(arrays) and arrays[0].shape == (6,):
            seconds = True
        return seconds, [returned(np.asarray(array)) for array in results]

    def calls(self, loaded: Any, stage: str, stacks: list[Any], names: Sequence[str], count: int) -> Any:
        seconds, arrays, others = super().calls(loaded, stage, stacks, names, count)
        if FAULT == "ends_loop" and others:
            others = list(range(others[0], count))
        return seconds, arrays, others


def changed(array: Any) -> Any:
    """An array as a careless worker reads it."""
    if FAULT == "integers_as_float64" and array.dtype.kind in "iu":
        return array.astype(np.float64)
    if f"{array.dtype}_swapped" == FAULT:
        return array.byteswap()
    if FAULT == "int8_unsigned" and array.dtype == np.int8:
        return array.view(np.uint8)
    if FAULT == "canonical_nan" and array.dtype.kind == "f":
        return np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    if FAULT == "positive_zero" and array.dtype.kind == "f":
        return np.where(array == 0, np.array(0, array.dtype), array)
    if FAULT == "no_subnormals" and array.dtype == np.float32:
        return np.where(np.abs(array) < np.finfo(array.dtype).tiny, np.copysign(0, array), array)
    if FAULT == "forgets_shared" and array.ndim == 1 and array.nbytes >= protocol.LEAST_SHARED:
        return np.concatenate([array[:-1], array[:1]])
    if FAULT == "column_order" and array.ndim > 1:
        return array.ravel().reshape(array.shape, order="F")
    if FAULT == "guesses" and array.dtype == protocol.BFLOAT16:
        return array.view(np.float16)
    if FAULT == "real_alone" and array.dtype.kind == "c":
        return array.real
    if FAULT == "plain_text" and array.dtype == np.int32 and array.ndim == 2:
        return np.where(array > 127, ord("?"), array)
    if FAULT == "lost_missing" and array.dtype == np.float64:
        return np.where(np.isnan(array), 0.0, array)
    return array


def returned(array: Any) -> Any:
    """An array as a careless worker returns it."""
    if FAULT == "scalars_in_lists" and not array.ndim:
        return array.reshape(1)
    if FAULT == "empty_is_flat" and not array.size:
        return array.reshape(0)
    if FAULT == "bool_as_bytes" and array.dtype == bool:
        return array.astype(np.int8) * -1
    if FAULT == "bool_as_uint8" and array.dtype == bool:
        return array.astype(np.uint8)
    if f"{array.dtype}_swapped" == FAULT:
        return array.byteswap()
    if FAULT == "int8_unsigned" and array.dtype == np.uint8:
        return array.view(np.int8)
    if FAULT == "cut_at_a_mebibyte":
        return array[: 1 << 10]
    return array


def framed(header: Mapping[str, Any], arrays: Sequence[Any] = (), *put: Any) -> list[Any]:
    """The bytes of a reply, with a fault in them."""
    pieces = FRAME(header, arrays, *put)
    STATE["requests"] += 1
    first = STATE["requests"] == 1
    if FAULT == "another_version" and first:
        return FRAME({"id": header["id"], "result": header["result"] | {"protocol": 2}})
    if FAULT == "twice_told" and header.get("error", {}).get("kind") == "load":
        return [*pieces, *pieces]
    if FAULT == "says_more" and header.get("result") == {}:
        return FRAME({"id": header["id"], "result": {"so": "long"}})
    if FAULT == "understands_all" and header.get("error", {}).get("kind") == "protocol":
        return FRAME({"id": header["id"], "result": {}})
    here = STATE["stage"] == STAGE and "error" not in header
    if FAULT in FRAMES and (first if FAULT == "false_facts" else here):
        STATE["stage"] = ""
        described = {"dtype": "float64", "shape": [], "order": "C"}
        line = {**header} | ({"arrays": [described]} if arrays else {})
        return [FRAMES[FAULT](line, b"".join(map(bytes, pieces[1:])))]
    return pieces


class Requests:
    """Standard input with a fault in how it is read."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.kept = b""

    def readline(self, most: int) -> bytes:
        if FAULT in ("takes_all_that_is_there", "no_pieces"):
            return self.line_of_a_careless_reader()
        line = bytes(self.file.readline(1 << 16 if FAULT == "short_lines" else most))
        if not line and FAULT == "lives_on":
            time.sleep(600)
        if FAULT == "takes_lines" and line and not line.endswith(b"\n"):
            line = b'{"id":901,"method":"bye"}\n'
        if FAULT == "ignores_garbage" and line.startswith(b"\x7f"):
            return self.readline(most)
        if FAULT == "knows_all_keys" and b'"luck"' in line:
            os._exit(1)
        return line

    def line_of_a_careless_reader(self) -> bytes:
        # What came behind the frame before is thrown away, or what comes in pieces is taken for the whole.
        self.kept = os.read(self.file.fileno(), 1 << 16)
        while FAULT != "no_pieces" and self.kept and b"\n" not in self.kept:
            self.kept += os.read(self.file.fileno(), 1 << 16)
        line, _, self.kept = self.kept.partition(b"\n")
        return line

    def readinto(self, view: memoryview) -> int:
        if FAULT in ("takes_all_that_is_there", "no_pieces"):
            part = self.kept[: len(view)] or os.read(self.file.fileno(), len(view))
            self.kept = self.kept[len(part) :]
            view[: len(part)] = part
            return len(part)
        count = self.file.readinto(view)
        return len(view) if FAULT == "takes_parts" and not count else int(count)


def main() -> None:
    """Serve with the fault."""
    out = os.dup(1)
    shared = os.dup(0)
    requests, replies = take_pipes()
    settle()
    if FAULT == "prints_here":
        os.dup2(out, 1)
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    if FAULT == "prints_nowhere":
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if FAULT == "shares_input":
        os.dup2(shared, 0)
    loop.frame = framed  # type: ignore[assignment]
    if FAULT == "any_dtype":
        parse = lines.parse
        lines.parse = lambda line, *most, **how: parse(line.replace(b"luck64", b"float64"), *most, **how)  # type: ignore[assignment]
    loop.serve(Requests(requests), replies, WrongHost)  # type: ignore[arg-type]
    if FAULT == "stays":
        time.sleep(600)
    loop.leave()


FRAME: Callable[..., list[Any]] = loop.frame

if __name__ == "__main__":
    main()
