"""R in this process, embedded with rpy2."""

from __future__ import annotations

import contextlib
import os
import platform
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from harness.workers import huge_pages
from harness.workers.loop import Problem, Signatures, WorkerFault
from harness.workers.plain_temporary import plain_names
from harness.workers.protocol import BFLOAT16, Array
from harness.workers.python_host import pinned_threads

_NA_REAL = np.uint64(0x7FF00000000007A2)
"""R's missing real: a NaN with payload 1954."""
_NA_INTEGER = -(2**31)
_PATIENCE = 20.0
"""Seconds for an R that does not start to say why."""
_BLAS = 'c(extSoftVersion()[["BLAS"]], as.character(getRversion()))'


class _File(NamedTuple):
    path: str
    env: Any


class _Functions(NamedTuple):
    """The three functions of ``r_host.R``."""

    load: Callable[..., Any]
    call: Callable[..., Any]
    call_many: Callable[..., Any]


class RHost:
    """Files of R functions.

    Arrays cross as memory: R's vectors are written and read where they lie, in R's own column order.
    """

    copies_arrays = True
    """No array of a call is kept as it came."""

    def __init__(self, rinterface: Any, openrlib: Any) -> None:
        self._r = rinterface
        self._lib = openrlib
        self._kept: Any = None
        self._kinds: dict[Any, tuple[Any, np.dtype[Any]]] = {
            rinterface.FloatSexpVector: (openrlib.REAL, np.dtype(np.float64)),
            rinterface.IntSexpVector: (openrlib.INTEGER, np.dtype(np.int32)),
            rinterface.BoolSexpVector: (openrlib.LOGICAL, np.dtype(np.int32)),
            rinterface.ComplexSexpVector: (openrlib.COMPLEX, np.dtype(np.complex128)),
        }
        self._allocate = {
            kind: rinterface.baseenv[name]
            for kind, name in zip(self._kinds, ("numeric", "integer", "logical", "complex"), strict=True)
        }

    @cached_property
    def _functions(self) -> _Functions:
        """The functions of R that load and call files; R compiles them, for which no session has to wait."""
        here = Path(__file__)
        values, host = (
            self._r.evalr(place.read_text(encoding="utf-8"))
            for place in (here.with_name("values.R"), here.with_suffix(".R"))
        )
        return _Functions(*host(values))

    def describe(self) -> dict[str, Any]:
        """Versions, BLAS and threads."""
        blas, number = self._r.evalr(_BLAS)
        return {
            "language": "R",
            "version": number,
            "hosting": f"rpy2 {version('rpy2')}",
            "libraries": {"rpy2": version("rpy2")},
            # The folder tells the flavour, the file the version: openblas-pthread/libblas.so.3.
            "blas": "/".join(Path(blas).resolve().parts[-2:]) if blas else "",
            "threads": pinned_threads(),
            "dtypes": ["float64"],
            "scalars": False,
            "signatures": True,
            "batches": True,
            "platform": platform.platform(),
        }

    def load(
        self, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[_File, list[Problem]]:
        """Evaluate a file in an environment of its own."""
        _check_encoding(source)
        names, inputs = self._r.StrSexpVector(list(stages)), self._r.IntSexpVector(list(stages.values()))
        known = self._list(signatures)
        env, answers = self._value(self._functions.load(source, names, inputs, known), "load")
        problems: list[Problem] = []
        for stage, problem in zip(stages, answers, strict=True):
            if isinstance(problem, self._r.ListSexpVector):
                kind, message, line = (part[0] for part in problem)
                problems.append({"stage": stage, "kind": kind, "message": message} | _line(line))
        return _File(source, env), problems

    def call(
        self, loaded: _File, stage: str, arrays: list[Array], names: Sequence[str]
    ) -> tuple[float, Sequence[Array]]:
        """Call one function with R's matrices and vectors; what it returns lies there until the next call."""
        self._kept = None
        inputs = [
            self._r.NULL if array is None else self._vector(array, position)
            for position, array in enumerate(arrays, start=1)
        ]
        given, due = self._r.ListSexpVector(inputs), self._r.StrSexpVector(list(names))
        answer = self._functions.call(loaded.path, loaded.env, stage, given, due)
        seconds, values = self._value(answer, "call")
        self._kept = values = list(values)
        return float(seconds[0]), [self._array(value) for value in values]

    def calls(
        self, loaded: _File, stage: str, stacks: list[Array], names: Sequence[str], count: int
    ) -> tuple[float, Sequence[Array], list[int]]:
        """Call one function for each of many inputs."""
        r = self._r
        given = r.ListSexpVector(
            [self._vector(_column_major(stack).reshape(-1), place) for place, stack in enumerate(stacks, 1)]
        )
        shapes = r.ListSexpVector([r.IntSexpVector(list(stack.shape[1:]) or [1]) for stack in stacks])
        due = r.StrSexpVector(list(names))
        answer = self._functions.call_many(
            loaded.path, loaded.env, stage, given, shapes, due, r.IntSexpVector([count])
        )
        seconds, flat, shapes_of, others = self._value(answer, "call")
        if not len(flat):
            return float(seconds[0]), [np.empty(0) for _ in names], list(range(count))
        arrays = [
            _stack_of(self._array(part), (count, *shape)) for part, shape in zip(flat, shapes_of, strict=True)
        ]
        return float(seconds[0]), arrays, [place - 1 for place in others]

    def close(self) -> None:
        """Let R remove its temporary folder."""
        self._r.endr(0)

    def _list(self, value: Any) -> Any:
        """What JSON has, as R has it: objects are named lists."""
        r = self._r
        if isinstance(value, Mapping):
            made = r.ListSexpVector([self._list(item) for item in value.values()])
            made.do_slot_assign("names", r.StrSexpVector(list(value)))
            return made
        if isinstance(value, (list, tuple)):
            return r.ListSexpVector([self._list(item) for item in value])
        kinds = {bool: r.BoolSexpVector, int: r.IntSexpVector, str: r.StrSexpVector}
        return kinds[type(value)]([value])

    def _value(self, answer: Any, kind: str) -> Any:
        name, content = answer.names[0], answer[0]
        if name == "value":
            return content
        if name == "refused":
            raise WorkerFault("value", content[0])
        message, line, detail = (part[0] for part in content)
        raise WorkerFault(kind, message, detail=detail, **_line(line))

    def _vector(self, array: Array, position: int) -> Any:
        kind, flat = self._as_r_stores(array, position)
        pointer, dtype = self._kinds[kind]
        if flat.size * dtype.itemsize < huge_pages.LEAST:
            vector = self._allocate[kind](float(flat.size))
        else:
            vector = self._large(kind, flat.size)
        if flat.size:
            data = self._lib.ffi.buffer(pointer(vector.__sexp__._cdata), flat.size * dtype.itemsize)
            # Straight into R's memory, in R's order and type.
            np.copyto(np.frombuffer(data, dtype).reshape(flat.shape, order="F"), flat, casting="unsafe")
        if array.ndim > 1:
            vector.do_slot_assign("dim", self._r.IntSexpVector(list(array.shape)))
        return vector

    def _large(self, kind: Any, size: int) -> Any:
        """A vector whose memory nobody has touched; R's own functions would fill it with zeros first."""
        pointer, dtype = self._kinds[kind]
        try:
            # Out of memory here is an error; within R's own code it would end the process.
            np.empty(size, dtype)
        except MemoryError as error:
            raise WorkerFault("call", f"R has no memory for {size} elements") from error
        with self._r.memorymanagement.rmemory() as memory:
            vector = memory.protect(self._lib.rlib.Rf_allocVector(kind._R_TYPE, size))
            huge_pages.advise(int(self._lib.ffi.cast("uintptr_t", pointer(vector))), size * dtype.itemsize)
            return self._r.conversion._cdata_to_rinterface(vector)

    def _as_r_stores(self, array: Array, position: int) -> tuple[Any, Array]:
        r = self._r
        if array.dtype == BFLOAT16:
            bits = array.view(np.uint16).astype(np.uint32) << np.uint32(16)
            return r.FloatSexpVector, bits.view(np.float32)
        if array.dtype.kind == "b":
            return r.BoolSexpVector, array
        if array.dtype.kind == "c":
            return r.ComplexSexpVector, array
        if array.dtype.kind == "f":
            return r.FloatSexpVector, array
        if not array.size or (array.min() > _NA_INTEGER and array.max() < -_NA_INTEGER):
            return r.IntSexpVector, array
        exact = array.astype(np.float64)
        if any(int(real) != int(whole) for real, whole in zip(exact.flat, array.flat, strict=True)):
            raise WorkerFault("call", f"input {position} has an integer that R's numbers cannot hold")
        return r.FloatSexpVector, exact

    def _array(self, value: Any) -> Array:
        kind = next(kind for kind in self._kinds if isinstance(value, kind))
        pointer, dtype = self._kinds[kind]
        shape: tuple[int, ...] = (len(value),)
        if "dim" in value.list_attrs():
            shape = tuple(value.do_slot("dim"))
        flat: Array = np.empty(0, dtype=dtype)
        if len(value):
            data = self._lib.ffi.buffer(pointer(value.__sexp__._cdata), len(value) * dtype.itemsize)
            flat = np.frombuffer(data, dtype=dtype)
        if dtype.kind == "i":
            flat = without_missing(flat, logical=kind is self._r.BoolSexpVector)
        return flat.reshape(shape, order="F")


def _column_major(stack: Array) -> Array:
    """A copy in which each input is in column order."""
    return stack.transpose(0, *range(stack.ndim - 1, 0, -1))


def _stack_of(flat: Array, shape: tuple[int, ...]) -> Array:
    """Results in column order behind each other, as an array."""
    count, *each = shape
    return flat.reshape(count, *reversed(each)).transpose(0, *range(len(each), 0, -1))


def without_missing(flat: Array, *, logical: bool) -> Array:
    """R's integers or logicals in their own type, or as reals where one is missing."""
    missing = flat == _NA_INTEGER
    if not missing.any():
        return flat != 0 if logical else flat
    kept = flat.astype(np.float64)
    kept.view(np.uint64)[missing] = _NA_REAL
    return kept


def _check_encoding(path: str) -> None:
    """Refuse a file that R would take for something else: it marks any bytes as UTF-8."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        # R says why it cannot be read.
        return
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"the file is not UTF-8: byte 0x{data[error.start]:02x}; save it as UTF-8"
        raise WorkerFault("load", message, line=line) from error


def _line(number: Any) -> dict[str, Any]:
    return {"line": number} if isinstance(number, int) and number > 0 else {}


def _why_not(error: Exception) -> str:
    """Say why R does not start: how it ends by itself, with the user's profile, and what it prints then."""
    try:
        done = subprocess.run(
            [str(Path(os.environ.get("R_HOME", "")) / "bin" / "Rscript"), "-e", "0"],
            capture_output=True, text=True, errors="replace", timeout=_PATIENCE, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return f"rpy2 cannot start R: {str(error) or type(error).__name__}"
    if not done.returncode:
        return f"rpy2 cannot start R: {str(error) or type(error).__name__}"
    printed = " | ".join(line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip())
    said = f"printed: {printed[-400:]}" if printed else "printed nothing"
    return (
        f"R itself ends with exit code {done.returncode} when it starts, before it runs any code; it {said}"
    )


def start() -> RHost:
    """Start the R that ``R_HOME`` names, without anybody's profile or saved workspace."""
    # rpy2 runs R when it is imported. The names hold until this process ends.
    os.environ.update(plain_names(os.environ, contextlib.ExitStack()))
    try:
        from rpy2 import situation

        # What another R would be started for is here already, and is used nowhere.
        situation.r_ld_library_path_from_subprocess = lambda home: os.environ.get("LD_LIBRARY_PATH", "")
        from rpy2 import rinterface
        from rpy2.rinterface_lib import callbacks, embedded, openrlib
    except Exception as error:
        raise WorkerFault("load", f"rpy2 cannot be imported: {error}") from error

    def write(text: str) -> None:
        sys.stderr.write(text)

    callbacks.consolewrite_print = callbacks.consolewrite_warnerror = callbacks.showmessage = write
    # An empty answer is the end of input; rpy2's own would wait for a person.
    callbacks.consoleread = lambda prompt: ""
    # R expects not to come back from there, and would lose the status of quit().
    callbacks.cleanup = lambda saveact, status, runlast: os._exit(status)
    embedded.set_initoptions(("rpy2", "--quiet", "--vanilla"))
    try:
        rinterface.initr(interactive=False)
    except Exception as error:
        traceback.print_exc()
        raise WorkerFault("load", _why_not(error)) from error
    rinterface.evalr("options(warn = 1, keep.source = TRUE)")
    return RHost(rinterface, openrlib)
