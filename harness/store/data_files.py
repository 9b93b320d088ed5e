"""Arrays from the files that people have: tables, NumPy's, MATLAB's, R's, ONNX's, Parquet."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from harness.errors import ArrayFileError
from harness.model import Array
from harness.store.arrays import read_array_file
from harness.store.parquet import read_parquet
from harness.store.rds import read_rds
from harness.store.regular_file import read_regular
from harness.store.tables import ONLY, DataFile, damaged, read_table
from harness.store.tensor_proto import EXPECTED, FOLDER, members, read_tensor

_DEFLATED = 1032
"""Bytes that one byte of a deflated file can hold."""


def read_data(path: Path) -> DataFile:
    """Read the arrays of a file, or of a folder ``test_data_set_*`` of ONNX's.

    Parameters
    ----------
    path : Path
        Its ending says what it is: see `ENDINGS`.

    Returns
    -------
    DataFile
        Read-only arrays by name, and what was left out because it holds text. A file that names nothing (a
        table without a header, .npy, an .rds of one array) has one array, called ``array``.

    Raises
    ------
    ArrayFileError
        If it cannot be read, with the line where it has lines, and what to do.
    """
    if path.is_dir() and path.name.startswith(FOLDER):
        return _frozen(_read_onnx_folder(path))
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise ArrayFileError(
            "is not a file of arrays that can be read",
            path=path,
            advice=f"the endings are {', '.join(ENDINGS)}",
        )
    try:
        return _frozen(reader(path))
    except OSError as problem:
        raise ArrayFileError(f"cannot be read: {problem.strerror or problem}", path=path) from problem
    except MemoryError as problem:
        raise ArrayFileError("does not fit into memory", path=path) from problem


def read_numbers(path: Path) -> dict[str, Array]:
    """The same where nothing may be left out: a column of text is refused."""
    read = read_data(path)
    for why in read.text.values():
        raise ArrayFileError(why, path=path, advice="only numbers are compared: leave it out of the file")
    return read.arrays


def as_matrix(columns: Mapping[str, Array], path: Path) -> Array:
    """Columns side by side, as float64; one alone stays a vector.

    Raises
    ------
    ArrayFileError
        They are not vectors of one length.
    """
    sizes = {name: array.shape for name, array in columns.items()}
    if len(set(sizes.values())) != 1 or any(len(shape) != 1 for shape in sizes.values()):
        told = ", ".join(f"{name} {list(shape)}" for name, shape in sizes.items())
        raise ArrayFileError(f"these do not stand side by side in a matrix: {told}", path=path)
    arrays = list(columns.values())
    return arrays[0] if len(arrays) == 1 else np.column_stack([array.astype(np.float64) for array in arrays])


def _frozen(read: DataFile) -> DataFile:
    for array in (*read.arrays.values(), *read.words.values()):
        array.flags.writeable = False
    return read


def _read_arrays(path: Path) -> DataFile:
    return DataFile(arrays=read_array_file(path))


def _read_text(path: Path) -> DataFile:
    return read_table(read_regular(path), path)


def _read_mat(path: Path) -> DataFile:
    # In memory, where SciPy cannot be told to read more than there is.
    data = read_regular(path)
    try:
        from scipy.io import loadmat, whosmat
    except ImportError as error:
        raise ArrayFileError(
            "MATLAB's files need SciPy, which is not installed",
            path=path, advice="pip install scipy, or save it as CSV (writematrix)",
        ) from error  # fmt: skip
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, shape, _ in whosmat(io.BytesIO(data)):
                if math.prod(shape) > _DEFLATED * len(data):
                    raise ValueError(f"{name} has more elements than the file can hold: {list(shape)}")
            found = loadmat(io.BytesIO(data), squeeze_me=True)
    except MemoryError:
        raise
    except NotImplementedError as problem:
        raise ArrayFileError(
            "is of MATLAB's format 7.3, which is not read", path=path, advice="save it with save(..., '-v7')"
        ) from problem
    # SciPy says of a damaged file whatever its parser meets, zlib.error among it.
    except Exception as problem:
        raise damaged(path, "MATLAB", problem) from problem
    values = {name: np.asarray(value) for name, value in found.items() if not name.startswith("__")}
    arrays = {name: np.array(value) for name, value in values.items() if value.dtype.kind in "biufc"}
    text = {name: f"{name!r} holds no numbers" for name in values if name not in arrays}
    if not arrays:
        raise ArrayFileError("holds no array of numbers", path=path)
    return DataFile(arrays=arrays, text=text)


def _read_pb(path: Path) -> DataFile:
    name, array = _tensor(path)
    return DataFile(arrays={name or ONLY: array})


def _tensor(path: Path) -> tuple[str, Array]:
    try:
        return read_tensor(read_regular(path))
    except ValueError as problem:
        raise ArrayFileError(f"is not a tensor of ONNX's: {problem}", path=path) from problem


def _read_onnx_folder(folder: Path) -> DataFile:
    """A folder of test data: inputs by their names, outputs by theirs after ``expected_``."""
    arrays: dict[str, Array] = {}
    for path in members(folder):
        name, array = _tensor(path)
        name = (EXPECTED if path.name.startswith("output") else "") + (name or path.stem)
        if name in arrays:
            raise ArrayFileError(f"holds {name!r} a second time", path=path)
        arrays[name] = array
    if not arrays:
        raise ArrayFileError("holds no input_0.pb", path=folder)
    return DataFile(arrays=arrays)


_READERS: dict[str, Callable[[Path], DataFile]] = {
    **dict.fromkeys((".npy", ".npz", ".safetensors"), _read_arrays),
    **dict.fromkeys((".csv", ".tsv", ".txt", ".dat"), _read_text),
    ".parquet": read_parquet,
    ".mat": _read_mat,
    ".rds": read_rds,
    ".pb": _read_pb,
}

ENDINGS = (*_READERS, f"folders {FOLDER}*")
"""What `read_data` reads."""


def described(array: Array | Any) -> str:
    """An array in a few words: its dtype and shape."""
    return f"{'text' if array.dtype.kind == 'U' else array.dtype.name} {list(array.shape)}"
