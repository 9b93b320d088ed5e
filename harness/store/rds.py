"""R's .rds files, which R reads."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np

from harness.errors import ArrayFileError
from harness.model import Array
from harness.store.regular_file import open_regular
from harness.store.tables import DataFile
from harness.store.temporary import temporary_folder
from harness.store.typed_columns import Typed, words_of, written
from harness.workers.plain_temporary import plain_names
from harness.workers.value_codes import NO_INTEGER, UNITS

_READ_RDS = Path(__file__).with_name("read_rds.R")
_PATIENCE = 120.0
"""Seconds for R to read a file."""


def read_rds(path: Path) -> DataFile:
    """Read a vector, matrix or array, or each element of a list, each column of a data frame.

    Raises
    ------
    ArrayFileError
        There is no R, R cannot read it, or it holds nothing that can be an array.
    """
    open_regular(path).close()
    home = os.environ.get("R_HOME")
    program = f"{home}/bin/Rscript" if home else shutil.which("Rscript")
    if program is None:
        raise ArrayFileError(
            "an .rds file is read by R, and there is none on PATH",
            path=path, advice="install R, or save it in R with write.csv(x, \"x.csv\", row.names = FALSE)",
        )  # fmt: skip
    with temporary_folder() as folder, contextlib.ExitStack() as stack:
        env = {**os.environ, **plain_names(os.environ, stack)}
        command = [program, "--vanilla", str(_READ_RDS), str(path.absolute()), str(folder)]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_PATIENCE,
                check=False,
                env=env,
            )
        except subprocess.TimeoutExpired as problem:
            raise ArrayFileError(f"R did not read it within {_PATIENCE:g} s", path=path) from problem
        if done.returncode:
            lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
            said = next((line for line in reversed(lines) if line != "Execution halted"), "it said nothing")
            raise ArrayFileError(f"R cannot read it: {said}"[:400], path=path)
        found = _read(folder, done.stdout)
    if not found.arrays and not found.words:
        why = "; ".join(found.text.values())
        raise ArrayFileError(f"holds no array of numbers{': ' if why else ''}{why}"[:400], path=path)
    return found


def _read(folder: Path, printed: str) -> DataFile:
    """What R wrote into the folder."""
    arrays: dict[str, Array] = {}
    text: dict[str, str] = {}
    words: dict[str, Array] = {}
    kinds: dict[str, Typed] = {}
    levels: dict[str, tuple[str, ...]] = {}
    for row in printed.splitlines():
        kind, name, *about = row.rstrip("\t ").split("\t")
        if kind == "array":
            dtype, size, number = about
            stored = np.dtype("<i4") if dtype == "bool" else np.dtype(dtype).newbyteorder("<")
            flat = np.frombuffer((folder / number).read_bytes(), stored).astype(dtype)
            arrays[name] = flat.reshape([int(part) for part in size.split()], order="F")
            continue
        text[name] = f"{name!r} {about[0]}, not numbers"
        match kind:
            case "words":
                words[name] = _texts(folder / about[1])
            case "category":
                words[name], kinds[name] = _texts(folder / about[1]), "category"
                levels[name] = tuple(_texts(folder / about[2]).tolist())
            case "date" | "time":
                numbers = np.frombuffer((folder / about[1]).read_bytes(), "<f8")
                gone = np.isnan(numbers)
                whole = np.where(gone, NO_INTEGER, np.where(gone, 0, numbers).astype(np.int64))
                words[name] = written(whole.astype(UNITS[kind]))
                kinds[name] = "date" if kind == "date" else "time"
            case _:
                pass
    return DataFile(arrays=arrays, text=text, words=words, kinds=kinds, levels=levels)


def _texts(path: Path) -> Array:
    """Texts that R wrote, each followed by a zero; what is missing is as R was told to write it."""
    return words_of(path.read_bytes().decode("utf-8", "replace").split("\0")[:-1])
