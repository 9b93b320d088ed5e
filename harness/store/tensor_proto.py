"""ONNX's tensors: one TensorProto a file, and the folders of test data that hold them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from harness.model import Array

FOLDER = "test_data_set_"
"""How the name of a folder of ONNX's test data begins; each is one sample."""

EXPECTED = "expected_"
"""How the name of an array begins that such a folder holds as an output."""

_DTYPES: dict[int, np.dtype[Any]] = {
    number: np.dtype(name)
    for number, name in {
        1: "<f4", 2: "u1", 3: "i1", 4: "<u2", 5: "<i2", 6: "<i4", 7: "<i8", 9: "?", 10: "<f2", 11: "<f8",
        12: "<u4", 13: "<u8", 14: "<c8", 15: "<c16",
    }.items()
}  # fmt: skip
_BFLOAT16 = 16
_MEMBER = re.compile(r"(input|output)_\d+\.pb")
# Fields of TensorProto, of onnx.proto.
_DIMS, _TYPE, _SEGMENT, _FLOATS, _INTS, _LONGS, _NAME, _RAW, _DOUBLES, _UNSIGNED, _EXTERNAL = (
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    9,
    10,
    11,
    13,
)


def read_tensor(data: bytes) -> tuple[str, Array]:
    """Return the name and the array of one TensorProto; bfloat16 comes as float32.

    Raises
    ------
    ValueError
        If the bytes are no TensorProto, or hold a type that NumPy lacks.
    """
    dims: list[int] = []
    packed: dict[int, list[bytes | int]] = {}
    kind, name = 0, ""
    for field, value in _fields(data):
        if field == _DIMS:
            dims += _varints(value) if isinstance(value, bytes) else [value]
        elif field == _TYPE and isinstance(value, int):
            kind = value
        elif field == _NAME and isinstance(value, bytes):
            name = value.decode("utf-8", "replace")
        elif field == _SEGMENT:
            # The field of a tensor's part, which nobody writes, is that of a sequence's tensors.
            raise ValueError("it holds a sequence or an optional value, and one tensor is read")
        elif field == _EXTERNAL:
            raise ValueError("its numbers are in another file, which is not read")
        else:
            packed.setdefault(field, []).append(value)
    dtype = np.dtype("<u2") if kind == _BFLOAT16 else _DTYPES.get(kind)
    if dtype is None:
        raise ValueError(f"its data_type is {kind}, which is no type of numbers that NumPy has")
    flat = _flat(packed, dtype, kind)
    if kind == _BFLOAT16:
        flat = (flat.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if any(size < 0 for size in dims) or flat.size != int(np.prod(dims, dtype=object)):
        raise ValueError(f"it has {flat.size} numbers, which do not fill the shape {dims}"[:200])
    return name, flat.reshape(dims)


def members(folder: Path) -> list[Path]:
    """The tensors of a folder of test data, by number: inputs first."""
    paths = [path for path in folder.glob("*.pb") if _MEMBER.fullmatch(path.name)]
    return sorted(paths, key=lambda path: (path.name.split("_")[0], int(path.stem.split("_")[1])))


def _flat(packed: dict[int, list[bytes | int]], dtype: np.dtype[Any], kind: int) -> Array:
    for field, stored in ((_RAW, dtype), (_FLOATS, np.dtype("<f4")), (_DOUBLES, np.dtype("<f8"))):
        if field in packed:
            # Not packed, a float is four bytes of its own.
            joined = b"".join(piece for piece in packed[field] if isinstance(piece, bytes))
            if len(joined) % stored.itemsize:
                raise ValueError("its numbers are cut off")
            flat = np.frombuffer(joined, stored)
            # A complex number is two of the fields.
            return flat.view(dtype) if dtype.kind == "c" and field != _RAW else flat.astype(dtype)
    for field in (_INTS, _LONGS, _UNSIGNED):
        if field in packed:
            numbers = [
                each
                for piece in packed[field]
                for each in (_varints(piece) if isinstance(piece, bytes) else [piece])
            ]
            if dtype.kind == "f":  # float16 stands there as its bits
                return np.array(numbers, dtype=np.uint16).view(np.float16).astype(dtype)
            return np.array([_signed(each) if dtype.kind == "i" else each for each in numbers]).astype(dtype)
    return np.zeros(0, dtype)


def _fields(data: bytes) -> Iterator[tuple[int, bytes | int]]:
    """The fields of a message of protocol buffers: number, and its bytes or its integer."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        field, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield field, value
            continue
        if wire == 2:
            size, at = _varint(data, at)
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
        else:
            raise ValueError(f"it is no message of protocol buffers (wire type {wire})")
        if at + size > len(data):
            raise ValueError("it is cut off")
        yield field, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
    raise ValueError("it is cut off, or no message of protocol buffers")


def _varints(data: bytes) -> list[int]:
    found, at = [], 0
    while at < len(data):
        value, at = _varint(data, at)
        found.append(value)
    return found


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value
