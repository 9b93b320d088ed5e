"""The array file of a fixture: safetensors, or a file as people have it, CSV and the like."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from harness.errors import FixtureError
from harness.model import Array, Frozen
from harness.store.arrays import parse_safetensors
from harness.store.data_files import as_matrix, read_data
from harness.store.fixture_files import file_of
from harness.store.regular_file import read_regular
from harness.store.tables import ONLY
from harness.store.toml import Toml


class ArrayEntry(Frozen, frozen=True, kw_only=True):
    """A section ``[arrays.NAME]`` of a fixture.toml.

    ``columns`` names the columns of a table, or the arrays of one dimension, that make it, side by side.
    """

    shape: tuple[int, ...]
    dtype: str
    origin: str
    nonfinite: bool = False
    columns: tuple[str, ...] = ()


def is_safetensors(file: str) -> bool:
    """Whether a fixture's file is one that the harness can write; others are data."""
    return file.lower().endswith(".safetensors")


def dtype_of(array: Array) -> str:
    """The dtype of an array as a fixture.toml states it."""
    return "text" if array.dtype.kind == "U" else array.dtype.name


def holds_nonfinite(array: Array) -> bool:
    """Whether there is NaN or infinity in it; a text is neither."""
    return array.dtype.kind != "U" and not np.isfinite(array).all()


def advice(toml: Toml) -> str:
    """What to do where a fixture's file is not the one that its checksum states."""
    return (
        f"if the change is meant: harness regenerate {toml.path.parent.name} --accept; else restore the file"
    )


def read_array_data(toml: Toml, file: str) -> bytes:
    """The bytes of a fixture's array file.

    Raises
    ------
    FixtureError
        It lies elsewhere, or cannot be read.
    """
    try:
        return read_regular(file_of(toml, file, "fixture", "file"))
    except OSError as problem:
        raise toml.refuse(
            f"the array file {file!r} cannot be read: {problem.strerror}",
            *("fixture", "file"),
            advice=advice(toml),
        ) from problem


def arrays_in(toml: Toml, file: str, data: bytes) -> dict[str, Array]:
    """The arrays of a fixture's file, whose bytes are ``data``.

    Raises
    ------
    FixtureError
        It is damaged.
    ArrayFileError
        The same, of another kind of file than safetensors.
    """
    if not is_safetensors(file):
        read = read_data(file_of(toml, file, "fixture", "file"))
        return {**read.arrays, **read.words}
    try:
        return parse_safetensors(data)
    except ValueError as problem:
        raise FixtureError(
            f"is not a whole safetensors file: {problem}", path=toml.path.parent / file, advice=advice(toml)
        ) from problem


def described(
    toml: Toml, file: str, arrays: Mapping[str, Array], entries: Mapping[str, ArrayEntry]
) -> dict[str, Array]:
    """The arrays that the sections ``[arrays.NAME]`` describe, from those of the file.

    Raises
    ------
    FixtureError
        The file lacks one of them.
    """
    found: dict[str, Array] = {}
    for name, entry in entries.items():
        if list(arrays) == [ONLY] and len(entries) == 1 and not entry.columns:
            # A file that names nothing: its one array is the one that is described.
            found[name] = arrays[ONLY]
            continue
        wanted = entry.columns or (name,)
        for column in wanted:
            if column not in arrays:
                raise toml.refuse(
                    f"{file} lacks the array {column!r}",
                    *("arrays", name, *(["columns"] if entry.columns else [])),
                    advice=f"it has: {', '.join(arrays)}",
                )
        if entry.columns:
            found[name] = as_matrix({column: arrays[column] for column in wanted}, toml.path.parent / file)
            found[name].flags.writeable = False
        else:
            found[name] = arrays[name]
        if entry.shape == () and found[name].shape == (1,) and not is_safetensors(file):
            # A table of one row has single numbers, where its section says so.
            found[name] = found[name].reshape(())
    return found
