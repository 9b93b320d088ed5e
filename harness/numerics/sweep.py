"""One pass over two arrays: range by range, on all cores, with the fastest kernel."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.cores import cores
from harness.numerics.blocks import BlockSource
from harness.numerics.formats import Format
from harness.numerics.kernels import BLOCK, range_tally
from harness.numerics.tally import Tally

Array = npt.NDArray[Any]
Kernel = Callable[[Array, Array, Format, float | Array, float, int], Tally]

# Elements from which it pays to import Numba: over some two hundred comparisons. Once loaded, it always pays.
_COMPILED_FROM = 1 << 19

# Elements that a thread takes at a time: where memory can be read in place, and where blocks must be copied.
_RANGE = BLOCK * 64
_COPIED_RANGE = BLOCK * 4

_LIMIT = np.dtype(np.float64)


def fastest(form: Format, size: int) -> Kernel:
    """The kernel for arrays of ``size`` elements; all of them give the same result."""
    if size < _COMPILED_FROM and "harness.numerics.compiled.ranges" not in sys.modules:
        return range_tally
    try:
        from harness.numerics.compiled.ranges import loaded
        from harness.numerics.compiled.ranges import range_tally as compiled_tally
    except ImportError:
        return range_tally
    return compiled_tally if size >= _COMPILED_FROM or loaded(form) else range_tally


def sweep(
    actual: Array, expected: Array, form: Format, limit: float | Array, scale: float, kernel: Kernel
) -> Tally:
    """The tally of whole arrays; ranges are joined in order, so the number of threads does not matter."""
    a, e = BlockSource(actual, form.storage), BlockSource(expected, form.storage)
    limits = BlockSource(limit, _LIMIT) if isinstance(limit, np.ndarray) else None
    direct = a.direct and e.direct and (limits is None or limits.direct)
    step = _RANGE if direct else _COPIED_RANGE
    size = actual.size
    if size <= step:
        bound = limit if limits is None else limits.read(0, size)
        return kernel(a.read(0, size), e.read(0, size), form, bound, scale, 0)

    def part(start: int) -> Tally:
        stop = min(start + step, size)
        bound = limit if limits is None else limits.read(start, stop)
        return kernel(a.read(start, stop), e.read(start, stop), form, bound, scale, start)

    whole = Tally()
    with ThreadPoolExecutor(cores()) as pool:
        for tally in pool.map(part, range(0, size, step)):
            whole.join(tally)
    return whole
