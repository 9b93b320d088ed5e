"""Frames of the worker protocol: one line of JSON, and the bytes of the arrays that it announces."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

VERSION = 1
LONGEST_LINE = 1 << 24
"""Bytes that a frame's line may have."""
LONGEST_REPLY = 1 << 20
"""Bytes that the line of a reply about stages may have."""
LARGEST_ARRAYS = 1 << 40
"""Bytes that the arrays of one request may have."""
LARGEST_REPLY = 1 << 30
"""Bytes that the arrays of one reply may have."""
MOST_DIMENSIONS = 32
LEAST_SHARED = 1 << 20
"""Bytes of an array that is worth shared memory: a smaller one is as quick through the pipe."""
ALIGNED = 64
"""Where an array begins in shared memory: a multiple of this."""

BFLOAT16: np.dtype[Any] = np.dtype([("bfloat16", "<u2")])
"""NumPy has no bfloat16: its bits, under a name that makes it no other number."""

_NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
DTYPES: Mapping[str, np.dtype[Any]] = {
    **{name: np.dtype(name).newbyteorder("<") for name in _NAMES},
    "bfloat16": BFLOAT16,
}
_NAME_OF: Mapping[tuple[str, int], str] = {
    (dtype.kind, dtype.itemsize): name for name, dtype in DTYPES.items() if name != "bfloat16"
}


class FrameError(ValueError):
    """What arrived is not a frame of this protocol."""


class Descriptor(NamedTuple):
    """What a frame's line says of one array."""

    dtype: str
    shape: tuple[int, ...]
    order: str
    at: int | None = None
    """Where its bytes are in the shared memory, if they do not follow the line."""

    @property
    def nbytes(self) -> int:
        """Bytes of this array."""
        return math.prod(self.shape) * DTYPES[self.dtype].itemsize


def dtype_name(dtype: np.dtype[Any]) -> str | None:
    """Name of a dtype in the protocol; ``None`` where it has none (text, objects, long double, dates)."""
    if dtype == BFLOAT16:
        return "bfloat16"
    return _NAME_OF.get((dtype.kind, dtype.itemsize))


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
    line = json.dumps({**header, "arrays": descriptors} if arrays else header, separators=(",", ":"))
    return [line.encode() + b"\n", *pieces]


def parse(
    line: bytes, most: int = LARGEST_ARRAYS, *, shared: bool = False
) -> tuple[dict[str, Any], list[Descriptor]]:
    """Read a frame's line.

    Parameters
    ----------
    line : bytes
        Without what follows it.
    most : int
        Bytes that the arrays may have, all together.
    shared : bool
        Whether arrays may lie in shared memory.

    Returns
    -------
    header : dict
        The object, without ``arrays``.
    descriptors : list of Descriptor
        The arrays whose bytes follow, or lie in shared memory.

    Raises
    ------
    FrameError
        The line is no JSON object, or its ``arrays`` cannot be what follows.
    """
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"not JSON: {excerpt(line)}") from error
    if not isinstance(header, dict):
        raise FrameError(f"not a JSON object: {excerpt(line)}")
    announced = header.pop("arrays", [])
    if not isinstance(announced, list):
        raise FrameError("'arrays' is not a list")
    descriptors = [_descriptor(item, shared) for item in announced]
    total = sum(descriptor.nbytes for descriptor in descriptors)
    if total > most:
        raise FrameError(f"arrays of {total} bytes are announced, and at most {most} are expected")
    return header, descriptors


def _descriptor(item: object, shared: bool) -> Descriptor:
    keys = {"dtype", "shape", "order"}
    if not isinstance(item, dict) or not keys <= set(item) <= keys | ({"at"} if shared else set()):
        raise FrameError(f"an array needs dtype, shape and order, and has {item!r:.200}")
    dtype, shape, order = item["dtype"], item["shape"], item["order"]
    if "at" in item and not (type(item["at"]) is int and 0 <= item["at"] <= LARGEST_ARRAYS):
        raise FrameError(f"unusable place {item['at']!r:.80}")
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise FrameError(f"unknown dtype {dtype!r:.80}")
    if order not in ("C", "F"):
        raise FrameError(f"unknown order {order!r:.80}")
    if not isinstance(shape, list) or len(shape) > MOST_DIMENSIONS:
        raise FrameError(f"unusable shape {shape!r:.200}")
    # `True` is an int to Python, and no size. NumPy takes no huge sizes beside a zero either.
    sizes = [size for size in shape if type(size) is int and size >= 0]
    if len(sizes) < len(shape) or math.prod(max(size, 1) for size in sizes) > LARGEST_ARRAYS:
        raise FrameError(f"unusable shape {shape!r:.200}")
    return Descriptor(dtype, tuple(shape), order, item.get("at"))


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


def excerpt(data: bytes, length: int = 120) -> str:
    """The beginning of bytes that were not understood, printable."""
    text = repr(data[:length])[1:]
    return f"{text} ..." if len(data) > length else text
