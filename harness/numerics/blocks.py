"""Reading any array, whatever its strides, as contiguous blocks in C order without copying it whole."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class BlockSource:
    """An array read in C order: slices of it where its memory allows, else copies of single blocks."""

    __slots__ = ("_array", "_storage", "direct")

    def __init__(self, array: Array, storage: np.dtype[Any]) -> None:
        alike = array.dtype == storage
        if not alike and array.dtype.itemsize == storage.itemsize and array.dtype.isnative:
            array, alike = array.view(storage), True
        flags = array.flags
        contiguous = flags.c_contiguous
        self.direct: bool = alike and contiguous and flags.aligned
        self._array = array.reshape(-1) if contiguous and array.ndim != 1 else array
        self._storage = storage

    def read(self, start: int, stop: int) -> Array:
        """Elements ``start`` to ``stop``, contiguous, aligned, in the machine's byte order."""
        if self.direct:
            return self._array[start:stop]
        block = np.empty(stop - start, self._storage)
        _copy(self._array, start, stop, block)
        return block


def _copy(array: Array, start: int, stop: int, block: Array) -> None:
    """Whole rows at once, and what is left of the first and the last one by itself."""
    if array.ndim == 1:
        block[...] = array[start:stop]
        return
    row = math.prod(array.shape[1:])
    first, offset = divmod(start, row)
    last, rest = divmod(stop, row)
    if first == last:
        _copy(array[first], offset, rest, block)
        return
    done = 0
    if offset:
        done = row - offset
        _copy(array[first], offset, row, block[:done])
        first += 1
    whole = (last - first) * row
    block[done : done + whole].reshape(last - first, *array.shape[1:])[...] = array[first:last]
    if rest:
        _copy(array[last], 0, rest, block[done + whole :])
