"""Frames of the worker protocol: one line of JSON, and the bytes of the arrays that it announces."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.workers.lines import (
    ALIGNED,
    LARGEST_ARRAYS,
    LARGEST_REPLY,
    LEAST_SHARED,
    LONGEST_LINE,
    LONGEST_REPLY,
    MOST_DIMENSIONS,
    VERSION,
    Descriptor,
    FrameError,
    excerpt,
    line_of,
    parse,
)

if TYPE_CHECKING:
    from harness.workers.dtypes import BFLOAT16, DTYPES, Array, dtype_name

__all__ = [
    "ALIGNED", "BFLOAT16", "DTYPES", "LARGEST_ARRAYS", "LARGEST_REPLY", "LEAST_SHARED", "LONGEST_LINE",
    "LONGEST_REPLY", "MOST_DIMENSIONS", "VERSION", "Array", "Descriptor", "FrameError", "dtype_name",
    "excerpt", "frame", "parse", "receive",
]  # fmt: skip

_OF_ARRAYS = frozenset({"Array", "BFLOAT16", "DTYPES", "dtype_name"})


def __getattr__(name: str) -> Any:
    # NumPy takes longer to import than a short session to run, which sends and gets no array.
    if name in _OF_ARRAYS:
        from harness.workers import dtypes

        return getattr(dtypes, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def frame(
    header: Mapping[str, Any],
    arrays: Sequence[Array] = (),
    put: Callable[[memoryview], int | None] = lambda data: None,
) -> list[bytes | memoryview]:
    """Bytes of one frame, in pieces; large arrays are not copied where they lie in one piece.

    Parameters
    ----------
    header : mapping
        The frame's object, without ``arrays``.
    arrays : sequence of ndarray
        Any shape and order, any dtype of the protocol.
    put : callable
        Puts an array's bytes into shared memory, and returns their place; None where they follow the line.

    Raises
    ------
    FrameError
        An array's dtype is not one of the protocol's.
    """
    if not arrays:
        return [line_of(header)]
    import numpy as np

    from harness.workers.dtypes import DTYPES, dtype_name

    descriptors = []
    pieces: list[bytes | memoryview] = []
    for array in arrays:
        name = dtype_name(array.dtype)
        if name is None:
            raise FrameError(f"an array of dtype {array.dtype} has no form in the protocol")
        column = array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous
        descriptor: dict[str, Any] = {
            "dtype": name, "shape": list(array.shape), "order": "F" if column else "C"
        }  # fmt: skip
        laid_out = np.asarray(array.T if column else array, dtype=DTYPES[name], order="C")
        data = laid_out.reshape(-1).view(np.uint8).data
        at = put(data)
        if at is None:
            pieces.append(data)
        else:
            descriptor["at"] = at
        descriptors.append(descriptor)
    return [line_of({**header, "arrays": descriptors}), *pieces]


def receive(
    descriptors: Sequence[Descriptor],
    fill: Callable[[memoryview], None],
    take: Callable[[Descriptor], Array] | None = None,
) -> list[Array]:
    """Read the arrays that a line announced.

    Parameters
    ----------
    descriptors : sequence of Descriptor
        From `parse`.
    fill : callable
        Fills a writable memory view with the next bytes, or raises.
    take : callable, optional
        Gives the bytes of an array that lies in shared memory.

    Returns
    -------
    list of ndarray
        Writable arrays of their own memory, in native byte order.

    Raises
    ------
    FrameError
        An array does not fit in memory, or a boolean is neither 0 nor 1.
    """
    if not descriptors:
        return []
    import numpy as np

    from harness.workers.dtypes import DTYPES

    arrays = []
    for descriptor in descriptors:
        dtype = DTYPES[descriptor.dtype]
        try:
            if descriptor.at is not None and take is not None:
                raw = take(descriptor)
            else:
                raw = np.empty(descriptor.nbytes, dtype=np.uint8)
                if raw.size:
                    fill(raw.data)
        except MemoryError as error:
            raise FrameError(f"{descriptor.nbytes} bytes do not fit in memory") from error
        if descriptor.dtype == "bool" and raw.size and raw.max() > 1:
            raise FrameError("a boolean is neither 0 nor 1")
        flat = raw.view(dtype)
        if sys.byteorder == "big" and descriptor.dtype != "bfloat16":
            flat = flat.astype(dtype.newbyteorder("="))
        arrays.append(flat.reshape(descriptor.shape, order="F" if descriptor.order == "F" else "C"))
    return arrays
