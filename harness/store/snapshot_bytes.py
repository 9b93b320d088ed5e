"""The bytes of a snapshot: how they are packed, and how many an array of an untrusted description has."""

from __future__ import annotations

import lzma
import math
import re

import numpy as np
import numpy.typing as npt

from harness.model import Array
from harness.store.arrays import MOST_DIMENSIONS

Bytes = npt.NDArray[np.uint8]

_MOST_MEMORY = 1 << 28
"""Bytes that unpacking may take; streams that are written here take 9 MB."""
_TEXT = re.compile(r"<U[1-9]\d{0,6}")
"""Texts of so many characters at most."""
_DTYPES = frozenset(
    np.dtype(kind).newbyteorder("<").str
    for kind in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")
)


def split(array: Bytes, itemsize: int) -> bytes:
    """The first bytes of all numbers, then the second ones, and so on."""
    return array.reshape(-1, itemsize).T.tobytes()


def packed(data: bytes) -> Bytes:
    """Return bytes as an xz stream."""
    return np.frombuffer(lzma.compress(data, preset=6), np.uint8)


def unpacked(array: Array, most: int) -> bytes:
    """Unpack a stream of at most so many bytes; whatever it would become, no more are ever made."""
    unpacker = lzma.LZMADecompressor(memlimit=_MOST_MEMORY)
    data = unpacker.decompress(array.tobytes(), max_length=most + 1)
    # The end of the stream, with its checksum, may still have to be read.
    while len(data) <= most and not unpacker.eof and not unpacker.needs_input:
        data += unpacker.decompress(b"", max_length=1)
    if len(data) > most:
        raise ValueError(f"a part of it becomes more than the {most:,} bytes that are announced")
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("a part of it is cut off, or goes on after its end")
    return data


def nbytes(dtype: str, shape: tuple[int, ...]) -> int:
    """Bytes of an array that a row describes, which may say anything."""
    known = dtype in _DTYPES or _TEXT.fullmatch(dtype) is not None
    if not known or len(shape) > MOST_DIMENSIONS or any(size < 0 for size in shape):
        raise ValueError(f"its index tells of an array of {dtype} {list(shape)}"[:200])
    return math.prod(shape) * np.dtype(dtype).itemsize
