"""Test vectors in a folder that needs nothing of the harness to be read: JSON, a table, and ``.npy`` files.

Layout, below the folder that is given:

- ``conforms.R`` and ``conforms.jl`` read it, and hold a value against it;
- ``CASE/vectors.json`` says everything; ``CASE/index.tsv`` has one line per vector, for languages that
  have no reader of JSON at hand;
- ``CASE/arrays/*.npy``, in NumPy's format 1.0, little-endian and row-major.
"""

from __future__ import annotations

import io
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from harness import __version__
from harness.errors import UsageError
from harness.model import Array, Value
from harness.model.vector import Vector, Vectors

SCHEMA = 1
"""The version of the layout."""

HELPERS = ("conforms.R", "conforms.jl")
COLUMNS = (
    "output", "sample", "mode", "against", "basis", "kind", "nan", "up_to",
    "expected", "low", "limit", "left_out", "inputs", "reason", "form", "input_forms",
)  # fmt: skip
"""The columns of index.tsv; ``inputs`` are ``name=file``, ``input_forms`` ``name=form``, between spaces."""

_JSON = "vectors.json"


def write_vectors(vectors: Vectors, folder: Path) -> Path:
    """Write vectors into a folder of their case, and the readers beside it; an older export is replaced.

    Parameters
    ----------
    vectors : Vectors
        What to write.
    folder : Path
        Made where it is not there.

    Returns
    -------
    Path
        The case's folder.

    Raises
    ------
    UsageError
        It cannot be written, or holds something else than an export.
    """
    place = folder / vectors.case.name
    if place.exists() and not (place / _JSON).is_file():
        raise UsageError("this is there, and no export", path=place, advice="give --out another folder")
    draft, older = folder / f".{place.name}.new", folder / f".{place.name}.old"
    try:
        for left in (draft, older):
            shutil.rmtree(left, ignore_errors=True)
        (draft / "arrays").mkdir(parents=True)
        _write(vectors, draft)
        for name in HELPERS:
            (folder / name).write_bytes((files(__package__) / name).read_bytes())
        if place.exists():
            place.rename(older)
        draft.rename(place)
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", path=place) from error
    finally:
        for left in (draft, older):
            shutil.rmtree(left, ignore_errors=True)
    return place


def _write(vectors: Vectors, folder: Path) -> None:
    arrays = _Arrays(folder)
    values = vectors.case.values
    lines = [_line(vector, values[vector.output], arrays) for vector in vectors.vectors]
    document = {
        "schema": SCHEMA,
        "made_by": f"harness {__version__}",
        "case": vectors.case.name,
        "title": vectors.case.title,
        "source": vectors.case.origin,
        "precision": vectors.precision.value,
        **vectors.origin,
        "inputs": [_described(value) for value in vectors.case.inputs],
        "stages": [
            {"name": s.name, "inputs": s.inputs, "outputs": [_described(v) for v in s.outputs]}
            for s in vectors.case.stages
        ],
        "vectors": lines,
    }
    text = msgspec.json.format(msgspec.json.encode(document), indent=1)
    (folder / _JSON).write_bytes(text + b"\n")
    rows = ["\t".join(COLUMNS), *("\t".join(_cell(line.get(name)) for name in COLUMNS) for line in lines)]
    (folder / "index.tsv").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


class _Arrays:
    """Writes arrays, each content once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names: dict[bytes, str] = {}

    def name(self, array: Array | None, wanted: str) -> str | None:
        """The path of an array's file, from the case's folder."""
        if array is None:
            return None
        buffer = io.BytesIO()
        row_major = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
        np.lib.format.write_array(buffer, row_major, version=(1, 0), allow_pickle=False)
        content = buffer.getvalue()
        if content not in self._names:
            name = f"arrays/{len(self._names) + 1:04d}-{wanted}.npy"
            (self.folder / name).write_bytes(content)
            self._names[content] = name
        return self._names[content]


def _line(vector: Vector, value: Value, arrays: _Arrays) -> dict[str, Any]:
    return {
        "stage": vector.stage,
        "output": vector.output,
        "sample": vector.sample,
        "mode": vector.mode.value,
        "against": vector.against,
        "basis": vector.basis.value,
        "kind": value.dtype,
        "nan": value.nan,
        "up_to": value.up_to,
        "inputs": {name: arrays.name(array, name) for name, array in vector.inputs.items()},
        "expected": arrays.name(vector.expected, value.name),
        "low": arrays.name(vector.low, f"{value.name}-low"),
        "limit": arrays.name(vector.limit, f"{value.name}-limit"),
        "left_out": arrays.name(vector.left_out, f"{value.name}-left-out"),
        "reason": vector.reason,
        "form": vector.form,
        "input_forms": dict(vector.forms),
    }


def _described(value: Value) -> dict[str, Any]:
    return {"name": value.name, "shape": value.shape, "kind": value.dtype, "meaning": value.meaning}


def _cell(content: Any) -> str:
    """Return a cell of the table, which has neither tabs nor line ends in it."""
    if isinstance(content, dict):
        return " ".join(f"{name}={path}" for name, path in content.items())
    if isinstance(content, bool):
        return str(int(content))
    return " ".join(str(content if content is not None else "").split())
