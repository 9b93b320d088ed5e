"""Arrays as files of a folder: .npy as NumPy has it, or .csv with all digits of every number."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from harness.workers.protocol import Array, dtype_name

FORMATS = (".npy", ".csv")
MOST_BYTES = 1 << 31
_WORDS = {"nan": math.nan, "na": math.nan, "inf": math.inf, "+inf": math.inf, "-inf": -math.inf}
_TRUTHS = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}


class FolderFault(Exception):
    """A file that holds no array, or an array that the format cannot hold."""


def write_array(path: Path, array: Array) -> None:
    """Write an array; the ending says how.

    In a .csv a number is one line, a vector one number a line or all in one line, a matrix one row a line
    with commas between; truth values are 0 and 1.

    Raises
    ------
    FolderFault
        The array has more than two dimensions, or complex numbers, and the file is a .csv.
    """
    if path.suffix == ".npy":
        np.save(path, np.asarray(array), allow_pickle=False)
        return
    if array.ndim > 2 or array.dtype.kind == "c":
        what = "complex numbers" if array.dtype.kind == "c" else f"{array.ndim} dimensions"
        raise FolderFault(f'a .csv cannot hold {what}: format = "npy" can')
    plain = array.astype(np.int64) if array.dtype.kind == "b" else array
    rows = plain.tolist() if plain.ndim == 2 else [[number] for number in np.atleast_1d(plain).tolist()]
    path.write_text("".join(",".join(map(repr, row)) + "\n" for row in rows), encoding="utf-8")


def read_array(path: Path, rank: int, kind: str) -> Array:
    """Read an array; the ending says how.

    Parameters
    ----------
    path : Path
        The file.
    rank : int
        How many dimensions a .csv has; a .npy has its own.
    kind : {"float", "complex", "int", "bool"}
        Which numbers a .csv holds.

    Raises
    ------
    FolderFault
        It holds no such array.
    """
    if path.stat().st_size > MOST_BYTES:
        raise FolderFault(f"is larger than {MOST_BYTES >> 30} GiB")
    if path.suffix == ".npy":
        return _npy(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise FolderFault("is not UTF-8") from error
    rows = [
        [_number(word, kind, at) for word in line.split(",")]
        for at, line in enumerate(lines, 1)
        if line.strip()
    ]
    if len({len(row) for row in rows}) > 1:
        raise FolderFault("has lines of different lengths")
    dtype: type[np.generic] = {"int": np.int64, "bool": np.bool_}.get(kind, np.float64)
    array: Array = np.array(rows, dtype=dtype) if rows else np.empty((0, 0), dtype=dtype)
    if rank == 2:
        return array
    if rank == 1 and 1 in array.shape:
        return array.ravel()
    if rank == 1 and not array.size:
        return array.reshape(0)
    if rank == 0 and array.size == 1:
        return array.reshape(())
    due = {0: "a single number", 1: "one number a line"}.get(rank, f"{rank} dimensions, which no .csv has")
    raise FolderFault(f"has {len(rows)} lines of {array.shape[1]} numbers, and {due} is expected")


def _npy(path: Path) -> Array:
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise FolderFault(f"is no array that can be read: {error}") from error
    if not isinstance(array, np.ndarray) or dtype_name(array.dtype) is None:
        raise FolderFault("holds no array of numbers")
    return array


def _number(word: str, kind: str, line: int) -> float | int | bool:
    text = word.strip().strip('"')
    try:
        if not text.isascii() or "_" in text:
            raise ValueError(text)
        if kind == "bool":
            return _TRUTHS[text.lower()]
        if kind == "int":
            return int(text)
        return _WORDS.get(text.lower()) if text.lower() in _WORDS else float(text)  # type: ignore[return-value]
    except (ValueError, KeyError) as error:
        what = {"bool": "neither true nor false", "int": "no whole number"}.get(kind, "no number")
        raise FolderFault(f"line {line} has {text[:40]!r}, which is {what}") from error
