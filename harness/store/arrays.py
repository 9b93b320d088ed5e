"""Files of arrays: .npy, .npz and .safetensors, and nothing that could run code."""

from __future__ import annotations

import lzma
import math
import os
import struct
import warnings
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any, Literal

import numpy as np
import safetensors
from safetensors import SafetensorError

from harness.errors import ArrayFileError
from harness.model import Array
from harness.store.regular_file import open_regular, read_regular

# The name of the one array of a .npy file.
ONLY = "array"

MOST_UNPACKED = 1 << 28
"""Bytes that an archive may become, however small it is."""

MOST_TIMES = 100
"""How many times its size a larger one may become; 1032 times is what deflate makes of zeros."""

LARGEST = 1 << 62
"""Elements of an array; sizes beside a zero are counted too."""

MOST_DIMENSIONS = 32

_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error)
_NUMERIC = "biufc"
_SAFETENSORS = {
    "BOOL": "?",
    "I8": "<i1",
    "U8": "<u1",
    "I16": "<i2",
    "U16": "<u2",
    "I32": "<i4",
    "U32": "<u4",
    "I64": "<i8",
    "U64": "<u8",
    "F16": "<f2",
    "F32": "<f4",
    "F64": "<f8",
    "C64": "<c8",
}


def read_array_file(path: Path) -> dict[str, Array]:
    """Read the arrays of a file.

    Parameters
    ----------
    path : Path
        ``.npy`` (mapped into memory, not read), ``.npz`` or ``.safetensors``.

    Returns
    -------
    dict of str to ndarray
        Read-only boolean, integer, floating-point or complex arrays of any shape, in native byte order.
        The one of a .npy file is called ``array``; bfloat16 comes as float32, which holds each of its values.

    Raises
    ------
    ArrayFileError
        If the file is missing, cut off, of another kind, without an array, or holds objects, text or records.
    """
    readers = {".npy": _read_npy, ".npz": _read_npz, ".safetensors": _read_safetensors}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ArrayFileError(
            "is not a file of arrays",
            path=path,
            advice=f"use {', '.join(readers)}, told by the ending",
        )
    try:
        arrays = reader(path)
    except OSError as problem:
        raise ArrayFileError(f"cannot be read: {problem.strerror or problem}", path=path) from problem
    except MemoryError as problem:
        raise ArrayFileError("does not fit into memory", path=path) from problem
    if not arrays:
        raise ArrayFileError("holds no array", path=path)
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def bfloat16_in(path: Path) -> frozenset[str]:
    """Names of the arrays that a .safetensors file holds as bfloat16; no other file holds any.

    Raises
    ------
    ArrayFileError
        If it is not a whole file.
    """
    if path.suffix.lower() != ".safetensors":
        return frozenset()
    try:
        open_regular(path).close()
        with safetensors.safe_open(path, framework="numpy") as file:
            return frozenset(name for name in file.keys() if file.get_slice(name).get_dtype() == "BF16")  # noqa: SIM118
    except (OSError, SafetensorError) as problem:
        raise _damaged(".safetensors", problem, path) from problem


def parse_safetensors(data: bytes) -> dict[str, Array]:
    """Return the arrays of a safetensors file's bytes, read-only, bfloat16 as float32.

    Raises
    ------
    ValueError
        If the bytes are not one whole safetensors file, or hold a dtype that NumPy lacks.
    """
    try:
        entries = safetensors.deserialize(data)  # type: ignore[no-untyped-call]
    except SafetensorError as problem:
        raise ValueError(f"it is cut off or damaged ({problem})") from problem
    arrays = {}
    for name, entry in sorted(entries):
        if entry["dtype"] == "BF16":
            # A bfloat16 is the upper half of a float32.
            bits = np.frombuffer(entry["data"], "<u2").astype(np.uint32) << np.uint32(16)
            array: Array = bits.view(np.float32)
        elif entry["dtype"] in _SAFETENSORS:
            array = np.frombuffer(entry["data"], _SAFETENSORS[entry["dtype"]])
        else:
            raise ValueError(f"array {name!r} has the dtype {entry['dtype']}, which NumPy lacks")
        array = array.reshape(entry["shape"])
        array.flags.writeable = False
        arrays[name] = array
    return arrays


def _read_npy(path: Path) -> dict[str, Array]:
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size == 0:
            raise ArrayFileError("is empty", path=path)
        shape, is_column_major, dtype = _npy_header(file, ".npy", path)
        begin = file.tell()
    _check_numeric(ONLY, dtype, path)
    nbytes = math.prod(shape) * dtype.itemsize
    if size - begin < nbytes:
        raise _damaged(".npy", f"its header announces {nbytes:,} bytes, and {size - begin:,} are there", path)
    if nbytes and size - begin > nbytes:
        raise ArrayFileError(
            f"holds {size - begin - nbytes} bytes after its array", path=path, advice="save one array a file"
        )
    order: Literal["C", "F"] = "F" if is_column_major else "C"
    if not nbytes:
        return {ONLY: np.zeros(shape, dtype, order)}
    return {ONLY: _native(np.memmap(path, dtype, "r", begin, shape, order))}


def _read_npz(path: Path) -> dict[str, Array]:
    with open_regular(path) as opened:
        try:
            with zipfile.ZipFile(opened) as archive:
                members = archive.infolist()
                _check_size(members, os.fstat(opened.fileno()).st_size, path)
                return {
                    info.filename.removesuffix(".npy"): _read_member(archive, info, path) for info in members
                }
        except (ValueError, EOFError, NotImplementedError, RuntimeError, *_BROKEN_ZIP) as problem:
            raise _damaged(".npz", problem, path) from problem


def _check_size(members: Sequence[zipfile.ZipInfo], packed: int, path: Path) -> None:
    """Refuse an archive whose few bytes become very many, before any is read."""
    announced = sum(info.file_size for info in members)
    if announced > MOST_UNPACKED and announced > MOST_TIMES * packed:
        raise ArrayFileError(
            f"has {packed:,} bytes and would become {announced:,}, more than arrays of results do",
            path=path,
            advice="save the arrays with np.savez, which does not compress, or one by one with np.save",
        )
    names = [info.filename for info in members]
    if twice := [name for index, name in enumerate(names) if name in names[:index]]:
        raise ArrayFileError(f"holds {twice[0]!r} twice", path=path, advice="save each array once")


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> Array:
    name = info.filename
    with archive.open(info) as member:
        if member.read(6) != b"\x93NUMPY":
            raise ArrayFileError(f"holds {name!r}, which is not an array", path=path)
    with archive.open(info) as member:
        shape, is_column_major, dtype = _npy_header(member, ".npz", path)
        _check_numeric(name.removesuffix(".npy"), dtype, path)
        nbytes, there = math.prod(shape) * dtype.itemsize, info.file_size - member.tell()
        if nbytes != there:
            what = f"the header of {name!r} announces {nbytes:,} bytes, and {there:,} are there"
            raise _damaged(".npz", what, path)
        data = member.read(nbytes + 1)
    if len(data) != nbytes:
        raise _damaged(".npz", f"{name!r} has {len(data):,} bytes, not {nbytes:,}", path)
    return _native(np.frombuffer(data, dtype).reshape(shape, order="F" if is_column_major else "C"))


def _npy_header(file: IO[bytes], kind: str, path: Path) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, whether columns lie together, and dtype; what follows in the file is the array."""
    try:
        version = np.lib.format.read_magic(file)
        # What differs in version 3 is the encoding of the names of records, which are refused.
        read = (
            np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of files that Python 2 wrote
            shape, is_column_major, dtype = read(file)
    except (ValueError, TypeError, SyntaxError, OverflowError, RecursionError, TokenError) as problem:
        raise _damaged(kind, problem, path) from problem
    except MemoryError:  # the parser's own word for brackets that are nested too deeply
        raise _damaged(kind, "its header is nested too deeply", path) from None
    # To Python, True is a number.
    if (
        any(type(size) is not int or size < 0 for size in shape)
        or math.prod(max(size, 1) for size in shape) >= LARGEST
    ):
        raise _damaged(kind, f"its header announces the shape {shape}"[:200], path)
    if len(shape) > MOST_DIMENSIONS:
        raise _damaged(kind, f"its header announces {len(shape)} dimensions", path)
    return shape, is_column_major, dtype


def _read_safetensors(path: Path) -> dict[str, Array]:
    try:
        return parse_safetensors(read_regular(path))
    except ValueError as problem:
        raise ArrayFileError(f"is not a whole .safetensors file: {problem}", path=path) from problem


def _check_numeric(name: str, dtype: np.dtype[Any], path: Path) -> None:
    if dtype.hasobject:
        raise ArrayFileError(
            "holds pickled Python objects (a ragged list?), which are not read",
            path=path,
            advice="save numbers of one dtype in one shape",
        )
    if dtype.kind not in _NUMERIC:
        what = "records" if dtype.kind == "V" else "text or dates"
        raise ArrayFileError(f"array {name!r} holds {what}, not numbers", path=path)
    if dtype.itemsize > (16 if dtype.kind == "c" else 8):
        raise ArrayFileError(
            f"array {name!r} is {dtype}, which differs from machine to machine",
            path=path,
            advice="save it as float64 or complex128",
        )


def _native(array: Array) -> Array:
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _damaged(kind: str, problem: Exception | str, path: Path) -> ArrayFileError:
    what = (str(problem).splitlines() or [type(problem).__name__])[0]
    return ArrayFileError(f"is not a whole {kind} file: {what}"[:400], path=path)


def differing_elements(ours: Array, theirs: Array) -> int:
    """Count the elements of two arrays of one shape and dtype whose bits differ."""
    bits = [
        np.frombuffer(array.tobytes(), np.uint8).reshape(-1, array.dtype.itemsize) for array in (ours, theirs)
    ]
    return int((bits[0] != bits[1]).any(axis=1).sum())


def plain(array: Array) -> Array:
    """The array in C order, little-endian."""
    return np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")


def as_pairs(array: Array) -> Array:
    """Complex numbers as real ones, the real and the imaginary part on a last axis of length 2."""
    return np.stack([array.real, array.imag], axis=-1)


def as_complex(pairs: Array) -> Array:
    """What `as_pairs` makes, as complex numbers; float32 and shorter become complex64."""
    return np.asarray(np.ascontiguousarray(pairs).view(np.result_type(pairs.dtype, np.complex64))[..., 0])
