"""Inputs that showed something, kept in Hypothesis' example database, to be tried first the next time."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from harness.fuzz.domain import Domain
from harness.fuzz.recipes import imported
from harness.model import Array, Precision, dimensions


class Kept:
    """The inputs of one case in one precision that are kept in a folder.

    Parameters
    ----------
    folder : Path
        Of the database; it need not be there.
    case : str
        The case's name.
    precision : Precision
        In which the inputs are run.
    """

    def __init__(self, folder: Path, case: str, precision: Precision) -> None:
        imported()
        from hypothesis.database import DirectoryBasedExampleDatabase

        self._database = DirectoryBasedExampleDatabase(folder)
        self._of = f"harness fuzz {case} {precision}"

    def load(self, domain: Domain, implementation: str) -> list[dict[str, Array]]:
        """What shows an implementation to be off, where it fits what the case takes now; in any order."""
        read = (unpacked(data) for data in sorted(self._database.fetch(self._key(implementation))))
        return [arrays for arrays in read if arrays is not None and fits(domain, arrays)]

    def save(self, arrays: Mapping[str, Array], implementation: str) -> None:
        """Keep an input, on which this implementation is off."""
        self._database.save(self._key(implementation), packed(arrays))

    def forget(self, arrays: Mapping[str, Array], implementation: str) -> None:
        """Keep an input no longer."""
        self._database.delete(self._key(implementation), packed(arrays))

    def _key(self, implementation: str) -> bytes:
        return f"{self._of} {implementation}".encode()


def packed(arrays: Mapping[str, Array]) -> bytes:
    """Arrays as bytes, the same for the same arrays."""
    file = io.BytesIO()
    # np.savez takes names of its own for arguments, and has no allow_pickle before NumPy 2.1.
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in sorted(arrays.items()):
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)
    return file.getvalue()


def unpacked(data: bytes) -> dict[str, Array] | None:
    """Arrays from bytes; None where these hold none."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile):
        return None


def fits(domain: Domain, arrays: Mapping[str, Array]) -> bool:
    """Whether arrays are the inputs that a case declares."""
    if set(arrays) != set(domain.inputs):
        return False
    sizes: dict[str, int] = {}
    for name, array in arrays.items():
        there = domain.samples[0][name]
        declared = dimensions(domain.inputs[name].value.shape, array.ndim)
        if declared is None or array.dtype.kind != there.dtype.kind:
            return False
        for symbol, size in zip(declared, array.shape, strict=True):
            if (sizes.setdefault(symbol, size) if isinstance(symbol, str) else symbol) != size:
                return False
    return True
