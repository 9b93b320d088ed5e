"""The line of JSON that begins a frame of the worker protocol. Standard library only, without NumPy."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

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

SIZES: Mapping[str, int] = {
    "bool": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8,
    "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8,
    "float16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16, "bfloat16": 2,
}  # fmt: skip
"""Bytes of an element, by the name of its dtype."""


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
        return math.prod(self.shape) * SIZES[self.dtype]


def line_of(header: Mapping[str, Any]) -> bytes:
    """A frame's line, with its end."""
    return json.dumps(header, separators=(",", ":")).encode() + b"\n"


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
    if not isinstance(dtype, str) or dtype not in SIZES:
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


def excerpt(data: bytes, length: int = 120) -> str:
    """The beginning of bytes that were not understood, printable."""
    text = repr(data[:length])[1:]
    return f"{text} ..." if len(data) > length else text
