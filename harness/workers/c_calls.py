"""Calls functions of C and C++ with arrays, as their prototypes say."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.workers.c_prototypes import is_returned
from harness.workers.declared_arrays import Declared, DeclaredStage, holds
from harness.workers.guards import Guards
from harness.workers.loop import WorkerFault
from harness.workers.protocol import Array, dtype_name

_UNSET_INTEGER = np.iinfo(np.int64).min
UNSET_SIZE = 0x0ABC_DEF0_1234_5678
"""No size of memory, however much is added to it: an element of any type at this index is at no address."""
LARGEST_SIZE = 1 << 47
"""What an address can be: a size is less."""


def dtype_of(kind: str, real: int) -> np.dtype[Any]:
    """The dtype of a kind of numbers, in reals of so many bytes."""
    names = {"float": f"f{real}", "complex": f"c{2 * real}", "int": "i8", "bool": "?"}
    return np.dtype(names[kind])


def converted(value: Declared, array: Array, real: int, order: Any = "C") -> Array:
    """An argument in the type that a function takes, in one piece of memory.

    Raises
    ------
    WorkerFault
        Kind ``call``: the type cannot hold it.
    """
    dtype = dtype_of(value.kind, real)
    kinds = {"float": "fiub", "complex": "cfiub", "int": "iub", "bool": "b"}[value.kind]
    if array.dtype.kind not in kinds:
        raise WorkerFault("call", f"{value.name} holds {dtype_name(array.dtype)}, and {dtype} is expected")
    made = np.asarray(array, dtype=dtype, order=order)
    if array.dtype.kind in "iu" and not holds(made, array):
        raise WorkerFault("call", f"{value.name} has integers that {dtype} does not hold")
    return made


def empty(kind: str, shape: tuple[int, ...], real: int, order: Any = "C") -> Array:
    """Memory for an output, of numbers that show where a function sets none."""
    array = np.empty(shape, dtype_of(kind, real), order=order)
    if kind == "bool":
        array.view(np.uint8).fill(0xFF)
    else:
        array.fill(_UNSET_INTEGER if kind == "int" else np.nan)
    return array


def settled(value: Declared, array: Array) -> Array:
    """An output that a function has set.

    Raises
    ------
    WorkerFault
        Kind ``value``: truth values that are neither true nor false.
    """
    if value.kind == "bool" and array.size and array.view(np.uint8).max() > 1:
        raise WorkerFault(
            "value", f"{value.name} has elements that are neither true nor false, or were not set"
        )
    return array


def call(
    library: ctypes.CDLL, stage: DeclaredStage, arrays: Sequence[Array], real: int, guards: Guards
) -> tuple[float, list[Array]]:
    """Call one function.

    Parameters
    ----------
    library : CDLL
        That has it.
    stage : DeclaredStage
        What it takes and returns.
    arrays : sequence of ndarray
        The inputs.
    real : int
        Bytes of a real number.
    guards : Guards
        What is put around the arrays, and looked at after the call.

    Returns
    -------
    seconds : float
        Time in the function.
    outputs : list of ndarray
        In their order.

    Raises
    ------
    WorkerFault
        Kind ``call`` or ``value``.
    """
    sizes = stage.measured(arrays)
    given = [
        guards.around(value.name, converted(value, array, real), "input")
        for value, array in zip(stage.inputs, arrays, strict=True)
    ]
    found = {symbol: ctypes.c_size_t(UNSET_SIZE) for symbol in stage.found}
    arguments: list[Any] = [ctypes.c_size_t(sizes[symbol]) for symbol in stage.sizes]
    arguments += [_argument(value, array) for value, array in zip(stage.inputs, given, strict=True)]
    arguments += [ctypes.byref(size) for size in found.values()]
    function = library[stage.name]
    function.restype = None
    if is_returned(stage):
        (value,) = stage.outputs
        function.restype = _scalar(value.kind, real)
        seconds, result = guards.called(function, arguments)
        return seconds, [np.array(result, dtype_of(value.kind, real))]
    outputs: list[Array | ctypes.c_void_p] = []
    for value in stage.outputs:
        if found.keys() & set(value.symbols):
            outputs.append(ctypes.c_void_p(None))
            arguments.append(ctypes.byref(outputs[-1]))  # type: ignore[arg-type]
        else:
            made = guards.around(value.name, empty(value.kind, value.sized(sizes), real), "output")
            outputs.append(made)
            arguments.append(ctypes.c_void_p(made.ctypes.data))
    seconds, _ = guards.called(function, arguments)
    sizes |= {symbol: _found(symbol, size.value) for symbol, size in found.items()}
    return seconds, [
        settled(value, output if isinstance(output, np.ndarray) else taken(value, output, sizes, real))
        for value, output in zip(stage.outputs, outputs, strict=True)
    ]


def _found(symbol: str, size: int) -> int:
    """A size that a function has found out."""
    if size >= LARGEST_SIZE:
        what = "" if size == UNSET_SIZE else f", or is out of range: it is {size} now"
        raise WorkerFault(
            "value", f"the size {symbol} was not set{what} (*{symbol} = 0 before it is counted up)"
        )
    return size


def _argument(value: Declared, array: Array) -> Any:
    if value.shape or value.kind == "complex":
        return ctypes.c_void_p(array.ctypes.data)
    return _scalar(value.kind, array.dtype.itemsize)(array.item())


def _scalar(kind: str, real: int) -> Any:
    if kind == "float":
        return ctypes.c_float if real == 4 else ctypes.c_double
    return ctypes.c_int64 if kind == "int" else ctypes.c_bool


def taken(
    value: Declared, address: ctypes.c_void_p, sizes: Mapping[str, int], real: int, order: Any = "C"
) -> Array:
    """The numbers that a function has allocated with malloc, which are freed.

    Raises
    ------
    WorkerFault
        Kind ``value``: they cannot be there.
    """
    shape, dtype = value.sized(sizes), dtype_of(value.kind, real)
    count = int(np.prod([float(size) for size in shape]))
    if count * dtype.itemsize > 1 << 30:
        raise WorkerFault("value", f"{value.name} is said to have the shape {list(shape)}")
    if not address.value:
        if count:
            raise WorkerFault("value", f"{value.name} is a null pointer, and {list(shape)} is its shape")
        return np.empty(shape, dtype)
    raw = ctypes.string_at(address.value, count * dtype.itemsize)
    free = ctypes.CDLL(None).free
    free.argtypes, free.restype = [ctypes.c_void_p], None
    free(address)
    return np.frombuffer(raw, dtype).reshape(shape, order=order).copy(order=order)
