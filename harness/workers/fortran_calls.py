"""Calls functions and subroutines of Fortran: everything by its address, arrays in column order."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.workers.c_calls import LARGEST_SIZE, converted, dtype_of, empty, settled, taken
from harness.workers.declared_arrays import Declared, DeclaredStage
from harness.workers.fortran_prototypes import Procedure, Taken, scalar_type
from harness.workers.guards import Guards
from harness.workers.loop import WorkerFault
from harness.workers.protocol import Array


def call(
    library: ctypes.CDLL,
    procedure: Procedure,
    stage: DeclaredStage,
    arrays: Sequence[Array],
    real: int,
    guards: Guards,
) -> tuple[float, list[Array]]:
    """Call one procedure; parameters, results and errors are those of `c_calls.call`."""
    sizes = stage.measured(arrays)
    given: list[Array] = [np.array(sizes[symbol], np.int64) for symbol in stage.sizes]
    given += [
        converted(value, array, real, order="F") for value, array in zip(stage.inputs, arrays, strict=True)
    ]
    names = [*stage.sizes, *(value.name for value in stage.inputs)]
    types = procedure.takes[: len(given)]
    held = [
        guards.around(name, _held(name, array, like), "input")
        for name, array, like in zip(names, given, types, strict=True)
    ]
    function = library[procedure.symbol]
    if procedure.returns is not None:
        (value,) = stage.outputs
        function.restype = scalar_type(procedure.returns)
        seconds, result = guards.called(function, _arguments(held, types))
        # A logical is any number but 0.
        number = bool(result) if value.kind == "bool" else result
        return seconds, [np.array(number, dtype_of(value.kind, real))]
    function.restype = None
    places = procedure.takes[len(given) :]
    found = {
        symbol: guards.around(symbol, _unset_size(like), "output")
        for symbol, like in zip(stage.found, places, strict=False)
    }
    outputs: list[Array | ctypes.c_void_p] = [
        ctypes.c_void_p(None)
        if found.keys() & set(value.symbols)
        else guards.around(value.name, _place(value, value.sized(sizes), like, real), "output")
        for value, like in zip(stage.outputs, places[len(found) :], strict=True)
    ]
    arguments = _arguments([*held, *found.values()], procedure.takes[: len(given) + len(found)])
    arguments += [
        ctypes.c_void_p(output.ctypes.data) if isinstance(output, np.ndarray) else ctypes.byref(output)
        for output in outputs
    ]
    seconds, _ = guards.called(function, arguments)
    sizes |= {symbol: _found(symbol, int(size)) for symbol, size in found.items()}
    return seconds, [
        _read(value, output)
        if isinstance(output, np.ndarray)
        else settled(value, taken(value, output, sizes, real, order="F"))
        for value, output in zip(stage.outputs, outputs, strict=True)
    ]


def _unset_size(like: Taken) -> Array:
    """Memory for a size that a procedure finds out: no size until it is set."""
    dtype = np.dtype(f"i{like.size}")
    return np.array(np.iinfo(dtype).min, dtype)


def _found(symbol: str, size: int) -> int:
    """A size that a procedure has found out."""
    if not 0 <= size < LARGEST_SIZE:
        raise WorkerFault("value", f"the size {symbol} was not set, or is out of range: it is {size}")
    return size


def _held(name: str, array: Array, like: Taken) -> Array:
    """An argument in the size of number that a procedure takes."""
    if like.kind != "whole" or array.dtype.itemsize == like.size:
        return array
    made = array.astype(f"i{like.size}", order="F")
    if not np.array_equal(made, array):
        raise WorkerFault("call", f"{name} has integers that integer({like.size}) does not hold")
    return made


def _arguments(arrays: Sequence[Array], taken: Sequence[Taken]) -> list[Any]:
    return [
        ctypes.c_void_p(array.ctypes.data) if like.by_address else scalar_type(like)(array.item())
        for array, like in zip(arrays, taken, strict=True)
    ]


def _place(value: Declared, shape: tuple[int, ...], like: Taken, real: int) -> Array:
    if value.kind in ("int", "bool") and like.kind == "whole":
        dtype = np.dtype(f"i{like.size}")
        unset = np.iinfo(dtype).min
        return np.full(shape, unset, dtype, order="F")
    return empty(value.kind, shape, real, order="F")


def _read(value: Declared, array: Array) -> Array:
    if value.kind == "bool":
        if array.size and (array == np.iinfo(array.dtype).min).any():
            raise WorkerFault("value", f"{value.name} has elements that were not set")
        return np.asarray(array != 0)
    if value.kind == "int":
        unset = array == np.iinfo(array.dtype).min
        return np.where(unset, np.iinfo(np.int64).min, array.astype(np.int64))
    return settled(value, array)
