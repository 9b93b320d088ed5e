"""Any executable in this process's place: it reads a folder of arrays, and writes another."""

from __future__ import annotations

import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from harness.workers.array_folder import FORMATS, FolderFault, read_array, write_array
from harness.workers.loop import Problem, Signatures, WorkerFault
from harness.workers.protocol import Array
from harness.workers.value_codes import Refused
from harness.workers.value_folder import read_values, write_values

_KEYS = {"command", "format"}
_PLACES = ("{inputs}", "{outputs}")
_SHOWN = 4_000


class Output(NamedTuple):
    """One output as case.toml declares it: its name, number of dimensions and kind of numbers."""

    name: str
    rank: int
    kind: str


class Stage(NamedTuple):
    """A stage as case.toml declares it."""

    inputs: tuple[str, ...]
    outputs: tuple[Output, ...]


class Program(NamedTuple):
    """One command, the folder that it is run in, and the stages of the case there."""

    path: Path
    command: tuple[str, ...]
    suffix: str
    stages: Mapping[str, Stage]
    signatures: Signatures


class ProgramHost:
    """Files that hold a command; each call of a stage runs it once."""

    def describe(self) -> dict[str, Any]:
        """What this process is; of the programs nothing is known."""
        return {
            "language": "Program",
            "version": "",
            "hosting": "files",
            "libraries": {},
            "blas": "",
            "threads": 1,
            "dtypes": ["float64"],
            "signatures": True,
            "platform": platform.platform(),
        }

    def load(
        self, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[Program, list[Problem]]:
        """Read a command, and the case that it is of."""
        program = _read(Path(source))._replace(signatures=signatures)
        why = {name: f"case.toml has no stage {name}" for name in stages if name not in program.stages}
        for name, how in signatures.items():
            if "call" in how:
                why[name] = f"a program has no function {how['call']}: its command is given the stage's name"
            elif program.suffix != ".csv":
                why[name] = (
                    f'{name} takes or returns more than plain numbers: format = "csv" holds them (case.toml)'
                )
        return program, [
            {"stage": name, "kind": "missing", "message": message} for name, message in why.items()
        ]

    def call(
        self, loaded: Program, stage: str, arrays: list[Array], names: Sequence[str]
    ) -> tuple[float, Sequence[Array]]:
        """Write the inputs, run the command, read the outputs."""
        declared = loaded.stages[stage]
        with tempfile.TemporaryDirectory(prefix="stage-", ignore_cleanup_errors=True) as kept:
            given, taken = Path(kept, "inputs"), Path(kept, "outputs")
            given.mkdir()
            taken.mkdir()
            how = loaded.signatures.get(stage, {})
            if "takes" in how:
                try:
                    write_values(given, how["takes"], arrays)
                except FolderFault as fault:
                    raise WorkerFault("call", f"the inputs of {stage}: {fault}") from fault
            else:
                _write_inputs(given, declared, arrays, loaded.suffix)
            seconds = _run(loaded, stage, given, taken, Path(kept, "printed"))
            if "returns" not in how:
                return seconds, [_read_output(taken, output, loaded.suffix) for output in declared.outputs]
            try:
                ranks = {output.name: output.rank for output in declared.outputs}
                return seconds, read_values(taken, how["returns"], ranks)
            except (FolderFault, Refused) as fault:
                raise WorkerFault("value", str(fault)) from fault

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def _read(path: Path) -> Program:
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WorkerFault("load", f"{path.name} cannot be read: {error}") from error
    command = given.get("command")
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        raise WorkerFault("load", f'{path.name} needs command = ["PROGRAM", "{{inputs}}", "{{outputs}}"]')
    if odd := sorted(set(given) - _KEYS):
        raise WorkerFault("load", f"{path.name} has {odd[0]!r}; there are command and format")
    if absent := [place for place in _PLACES if not any(place in word for word in command)]:
        raise WorkerFault("load", f"the command in {path.name} has no {absent[0]}, the folder of its arrays")
    suffix = f".{given.get('format', 'npy')}"
    if suffix not in FORMATS:
        raise WorkerFault("load", f"{path.name}: format is one of npy and csv, not {suffix[1:]!r}")
    folder = path.resolve().parent
    beside = folder / command[0]
    found = shutil.which(command[0])
    # It is run in the case's folder, and PATH may have folders that are relative to this one.
    program = str(beside) if beside.is_file() else None if found is None else str(Path(found).absolute())
    if program is None or not os.access(program, os.X_OK):
        what = "cannot be run: it is not executable" if program is not None else "is not there"
        raise WorkerFault(
            "load", f"the program {command[0]} {what}, neither in the case's folder nor on PATH"
        )
    return Program(path, (program, *command[1:]), suffix, _stages(folder / "case.toml"), {})


def _stages(path: Path) -> dict[str, Stage]:
    case = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        stage["name"]: Stage(
            tuple(stage["inputs"]),
            tuple(
                each for output in stage.get("outputs", [stage]) for each in _arrays(output["name"], output)
            ),
        )
        for stage in case["stage"]
    }


def _arrays(name: str, entry: Any) -> Iterator[Output]:
    """The arrays of an output: those of its parts, or itself."""
    if isinstance(entry, dict) and "parts" in entry:
        parts = entry["parts"]
        named = (
            parts.items()
            if isinstance(parts, dict)
            else ((str(at), each) for at, each in enumerate(parts, 1))
        )
        for part, inner in named:
            yield from _arrays(f"{name}.{part}", inner)
    else:
        yield Output(name, len(entry["shape"]), entry.get("dtype", "float"))


def _write_inputs(folder: Path, stage: Stage, arrays: Sequence[Array], suffix: str) -> None:
    for name, array in zip(stage.inputs, arrays, strict=True):
        try:
            write_array(folder / f"{name}{suffix}", array)
        except FolderFault as fault:
            raise WorkerFault("call", f"the input {name}: {fault}") from fault


def _run(program: Program, stage: str, given: Path, taken: Path, printed: Path) -> float:
    values = {"{inputs}": str(given), "{outputs}": str(taken), "{stage}": stage}
    words = []
    for word in program.command:
        for place, value in values.items():
            word = word.replace(place, value)
        words.append(word)
    folder = program.path.resolve().parent
    begun = time.perf_counter()
    try:
        with printed.open("wb") as out:
            done = subprocess.run(
                words, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, check=False
            )
    except OSError as error:
        raise WorkerFault("call", f"{words[0]} cannot be run: {error.strerror}") from error
    seconds = time.perf_counter() - begun
    text = _end_of(printed)
    sys.stderr.write(text)
    if done.returncode:
        last = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
        said = f"; it last printed: {last[:300]}" if last else ", and printed nothing"
        raise WorkerFault("call", f"the program {_ending(done.returncode)}{said}", detail=text)
    return seconds


def _end_of(printed: Path) -> str:
    with printed.open("rb") as file:
        file.seek(max(0, printed.stat().st_size - _SHOWN))
        return file.read().decode("utf-8", errors="replace")


def _ending(status: int) -> str:
    if status > 0:
        return f"ended with exit status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"


def _read_output(folder: Path, output: Output, suffix: str) -> Array:
    path = folder / f"{output.name}{suffix}"
    if not path.is_file():
        there = ", ".join(sorted(each.name for each in folder.iterdir())) or "nothing"
        raise WorkerFault("value", f"the program wrote no {path.name}; the folder of outputs holds {there}")
    try:
        return np.asarray(read_array(path, output.rank, output.kind))
    except FolderFault as fault:
        raise WorkerFault("value", f"{path.name}: {fault}") from fault


def start() -> ProgramHost:
    """Return the host; nothing has to be started."""
    return ProgramHost()
