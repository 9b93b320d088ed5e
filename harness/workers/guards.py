"""Guard zones around the arrays that compiled functions get: what is read or written there shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np

from harness.workers.loop import WorkerFault
from harness.workers.protocol import Array

_LINE = 64
"""Bytes: the alignment of an array, and the least length of a zone."""
_ELEMENTS = 8
"""How many elements a zone holds at least."""
_LARGEST = 1 << 16
"""Bytes of a zone at most, where a whole row would be more."""

Role = Literal["input", "output"]

_WHOLE = {"input": 0x81234567_89ABCDEF, "output": 0x9A3B5C7D_1E2F4A6B}
"""Integers far from any that is meant, and odd, so that no few of them add up to 0."""
_NAN = {4: 0x7FC5A5A5, 8: 0x7FF85A5A_A5A5C3C3}
"""NaN that no computation makes by itself, by bytes: a copy of it in another zone is found."""
_REAL = 98765.4321
"""Behind an output: a number, for a NaN that is added to stays as it is, and such a write would not show."""


class _Zone(NamedTuple):
    name: str
    memory: Array
    """Bytes."""
    first: int
    last: int
    """Where the array begins and ends in them."""
    fill: bytes


class Guards:
    """The guard zones of one call.

    Parameters
    ----------
    on : bool
        Whether there are any: the sanitizers find more without them.
    """

    def __init__(self, on: bool) -> None:
        self._on = on
        self._zones: list[_Zone] = []

    def around(self, name: str, array: Array, role: Role) -> Array:
        """A copy of an array, of the same order, in memory with a zone before and behind it.

        Parameters
        ----------
        name : str
            What the array is called in an error.
        array : ndarray
            In one piece of memory, row by row or column by column.
        role : str
            Whether the function reads or writes it: what is in the zones differs.
        """
        if not self._on:
            return array
        fill = _fill(array.dtype, _length(array), role)
        memory = np.empty(2 * len(fill) + array.nbytes + _LINE, np.uint8)
        first = len(fill) + -(memory.ctypes.data + len(fill)) % _LINE
        last = first + array.nbytes
        zone = np.frombuffer(fill, np.uint8)
        memory[first - len(fill) : first] = zone
        memory[last : last + len(fill)] = zone
        order: Any = "C" if array.flags.c_contiguous else "F"
        made: Array = np.ndarray(array.shape, array.dtype, memory, first, order=order)
        np.copyto(made, array)
        self._zones.append(_Zone(f"the {role} {name}", memory, first, last, fill))
        return made

    def called(self, function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[float, Any]:
        """Call a function; return the seconds that it took, and what it returned.

        Raises
        ------
        WorkerFault
            Kind ``call``: it has written into a zone.
        """
        start = time.perf_counter()
        result = function(*arguments)
        seconds = time.perf_counter() - start
        self.check()
        return seconds, result

    def check(self) -> None:
        """Look whether a function has written into a zone.

        Raises
        ------
        WorkerFault
            Kind ``call``: it has.
        """
        for name, memory, first, last, fill in self._zones:
            if memory[last : last + len(fill)].tobytes() != fill:
                raise _written(f"beyond the end of {name}")
            if memory[first - len(fill) : first].tobytes() != fill:
                raise _written(f"before the beginning of {name}")


def _written(where: str) -> WorkerFault:
    return WorkerFault("call", f"it writes {where} (a run with --sanitize tells the line)")


def _length(array: Array) -> int:
    """Bytes of a zone: some elements, and a row and a column where they are more."""
    row = array.size // min([size for size in (*array.shape[:1], *array.shape[-1:]) if size], default=1)
    count = max(_ELEMENTS, min(row, _LARGEST // array.dtype.itemsize))
    return -(-count * array.dtype.itemsize // _LINE) * _LINE


@lru_cache(maxsize=64)
def _fill(dtype: np.dtype[Any], length: int, role: Role) -> bytes:
    unit = unit_of(dtype, role)
    return unit * (length // len(unit))


def unit_of(dtype: np.dtype[Any], role: Role) -> bytes:
    """What a zone beside an array of a dtype is filled with, again and again."""
    size = dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize
    if dtype.kind not in "fc":
        bits = _WHOLE[role] >> (64 - 8 * size) | 1
        return np.array([bits], f"u{size}").tobytes()
    if role == "input":
        return np.array([_NAN[size]], f"u{size}").tobytes()
    return np.array([_REAL], f"f{size}").tobytes()
