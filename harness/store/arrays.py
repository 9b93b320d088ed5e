"""Files of arrays: .npy, .npz and .safetensors, and nothing that could run code."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

import numpy as np
import safetensors
from safetensors import SafetensorError

from harness.errors import ArrayFileError
from harness.model import Array

# The name of the one array of a .npy file.
ONLY = "array"

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
        raise ArrayFileError("does not fit into memory, or is damaged", path=path) from problem
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
    if path.stat().st_size == 0:
        raise ArrayFileError("is empty", path=path)
    try:
        array = np.lib.format.open_memmap(path, mode="r")
    except (ValueError, EOFError, OverflowError) as problem:
        raise _damaged(".npy", problem, path) from problem
    end = getattr(array, "offset", 0) + array.nbytes
    if array.nbytes and path.stat().st_size != end:
        raise ArrayFileError(
            f"holds {path.stat().st_size - end} bytes after its array",
            path=path,
            advice="save one array a file",
        )
    return {ONLY: _native(ONLY, array, path)}


def _read_npz(path: Path) -> dict[str, Array]:
    with path.open("rb") as file:
        if not zipfile.is_zipfile(file):
            raise ArrayFileError("is not a whole .npz file", path=path)
    arrays = {}
    try:
        with np.load(path, allow_pickle=False) as archive:
            for name in archive.files:
                array = archive[name]
                if not isinstance(array, np.ndarray):
                    raise ArrayFileError(f"holds {name!r}, which is not an array", path=path)
                arrays[name] = _native(name, array, path)
    except (ValueError, EOFError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error) as problem:
        raise _damaged(".npz", problem, path) from problem
    return arrays


def _read_safetensors(path: Path) -> dict[str, Array]:
    try:
        return parse_safetensors(path.read_bytes())
    except ValueError as problem:
        raise ArrayFileError(f"is not a whole .safetensors file: {problem}", path=path) from problem


def _native(name: str, array: Array, path: Path) -> Array:
    kind = array.dtype.kind
    if kind not in _NUMERIC:
        what = "records" if kind == "V" else "text or dates"
        raise ArrayFileError(f"array {name!r} holds {what}, not numbers", path=path)
    if array.dtype.itemsize > (16 if kind == "c" else 8):
        raise ArrayFileError(
            f"array {name!r} is {array.dtype}, which differs from machine to machine",
            path=path,
            advice="save it as float64 or complex128",
        )
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _damaged(kind: str, problem: Exception, path: Path) -> ArrayFileError:
    what = (str(problem).splitlines() or [type(problem).__name__])[0]
    if ("bject" in what and "dtype" in what) or "allow_pickle" in what:
        return ArrayFileError(
            "holds pickled Python objects (a ragged list?), which are not read",
            path=path,
            advice="save numbers of one dtype in one shape",
        )
    return ArrayFileError(f"is not a whole {kind} file: {what}", path=path)


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
