"""Scripts for executables: the stages as functions of Python that run the command on a folder of files."""

from __future__ import annotations

import tomllib
from pathlib import Path

from harness.conformance.script_text import GIVE_UP
from harness.model import Case

_RUNS = (
    """
import os as _system
import subprocess as _subprocess
import tempfile as _tempfile
from pathlib import Path as _Path

import numpy as _np


"""
    + GIVE_UP
    + """

def _save(path, array):
    if path.suffix == ".npy":
        _np.save(path, array, allow_pickle=False)
        return
    plain = array.astype(_np.int64) if array.dtype.kind == "b" else array
    rows = plain.tolist() if plain.ndim == 2 else [[number] for number in _np.atleast_1d(plain).tolist()]
    path.write_text("".join(",".join(map(repr, row)) + "\\n" for row in rows), encoding="utf-8")


def _number_in(word, kind):
    word = word.strip().strip('"').lower()
    if kind == "bool":
        return {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}[word]
    return int(word) if kind == "int" else float("nan" if word == "na" else word)


def _load(path, rank, kind):
    if path.suffix == ".npy":
        return _np.load(path, allow_pickle=False)
    lines = [line for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    rows = [[_number_in(word, kind) for word in line.split(",")] for line in lines]
    array = _np.array(rows, dtype={"int": _np.int64, "bool": bool}.get(kind, _np.float64))
    if not lines:
        return array.reshape((0,) * rank)
    return array if rank == 2 else array.ravel() if rank == 1 and 1 in array.shape else array.reshape(())


def _run(stage, arrays):
    names, outputs = _STAGES[stage]
    here = _Path(__file__).resolve().parent
    with _tempfile.TemporaryDirectory() as kept:
        given, taken = _Path(kept, "inputs"), _Path(kept, "outputs")
        given.mkdir()
        taken.mkdir()
        for name, array in zip(names, arrays, strict=True):
            _save(given / (name + _SUFFIX), array)
        words = _COMMAND
        for place, value in (("{inputs}", given), ("{outputs}", taken), ("{stage}", stage)):
            words = [word.replace(place, str(value)) for word in words]
        if (here / words[0]).is_file():
            words[0] = str(here / words[0])
            _system.chmod(words[0], 0o755)
        try:
            code = _subprocess.run(words, cwd=here, stdin=_subprocess.DEVNULL).returncode
        except OSError as error:
            _give_up(f"{words[0]} cannot be run: {error.strerror}")
        if code:
            _give_up(f"{words[0]} ended with {code}")
        values = [_load(taken / (name + _SUFFIX), rank, kind) for name, rank, kind in outputs]
    return values[0] if len(values) == 1 else tuple(values)
"""
)


def source_of_program(path: Path, case: Case) -> str:
    """Return a source in Python that has a program's stages as functions.

    Parameters
    ----------
    path : Path
        The ``.program.toml``. The files of its folder that its command names have to lie beside the script.
    case : Case
        It says which inputs and outputs a stage has.
    """
    given = tomllib.loads(path.read_text(encoding="utf-8"))
    stages = {
        stage.name: (
            stage.inputs,
            tuple((value.name, len(value.shape), value.dtype) for value in stage.outputs),
        )
        for stage in case.stages
    }
    listed = "".join(f"    {name!r}: {stage!r},\n" for name, stage in stages.items())
    constants = f"_COMMAND = {given['command']!r}\n_SUFFIX = {'.' + given.get('format', 'npy')!r}\n"
    functions = "".join(f"\n\ndef {name}(*arrays):\n    return _run({name!r}, arrays)\n" for name in stages)
    return f"{_RUNS}\n\n{constants}_STAGES = {{\n{listed}}}\n{functions}"
