"""One implementation of a checked function: the file that a worker loads, or a call in this process."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from harness.api.functions import FileFunction, JuliaFunction, RFunction
from harness.api.in_process import LANGUAGE, RUNTIME, Call
from harness.api.program import NoSource, program_of
from harness.model import Implementation

Function = Callable[..., Any] | RFunction | JuliaFunction
"""What can be checked."""


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """One implementation: how it is run, and why its source was not found, if so."""

    implementation: Implementation
    call: Call | None = None
    why: str = ""


def subject_of(folder: Path, stage: str, key: str, function: Function) -> Subject:
    """Write what a worker loads; of a function without a source, what is called in this process.

    Parameters
    ----------
    folder : Path
        Where it is written.
    stage : str
        What the function is called in it.
    key : str
        The name that the caller gave the implementation.
    function : function
        What is checked.
    """
    match function:
        case RFunction():
            return _of_file(folder, stage, key, function, "r", "R")
        case JuliaFunction():
            return _of_file(folder, stage, key, function, "julia", "Julia")
        case _:
            return _of_python(folder, stage, key, function)


def _of_file(
    folder: Path, stage: str, key: str, function: FileFunction, runtime: str, language: str
) -> Subject:
    path, identity = function.file(), _identity(runtime, key)
    if function.name != stage:
        # The stage's name stands for the function; the file itself is read where it lies, and may have a
        # function of that name too, or call one of the language's: it does not see the stage.
        where = json.dumps(str(path), ensure_ascii=False)
        text = (
            f"{stage} <- local({{\n  source({where}, chdir = TRUE, local = TRUE)\n  {function.name}\n}},"
            " new.env(parent = parent.env(environment())))\n"
            if runtime == "r"
            else f"module SourceFile\ninclude({where.replace('$', chr(92) + '$')})\nend\n"
            f"const {stage} = SourceFile.{function.name}\n"
        )
        path = folder / f"{identity}{path.suffix}"
        path.write_text(text, encoding="utf-8")
    return Subject(implementation=Implementation(id=identity, runtime=runtime, language=language, path=path))


def _of_python(folder: Path, stage: str, key: str, function: Callable[..., Any]) -> Subject:
    is_torch = key.partition(".")[0] == "torch"
    try:
        program = program_of(function)
    except NoSource as reason:
        identity = _identity(RUNTIME, key)
        path = folder / f"{identity}.txt"
        path.write_text(f"{identity}: called in the process of harness.check\n", encoding="utf-8")
        return Subject(
            implementation=Implementation(id=identity, runtime=RUNTIME, language=LANGUAGE, path=path),
            call=Call(function=function, takes_tensors=is_torch),
            why=str(reason),
        )
    runtime = "torch" if is_torch else "numpy"
    identity = _identity(runtime, key)
    path = folder / f"{identity}.py"
    alias = "" if program.name == stage else f"\n\n{stage} = {program.name}\n"
    path.write_text(program.text + alias, encoding="utf-8")
    for beside in program.beside:
        _copy(beside, folder / beside.name)
    language = "PyTorch" if is_torch else "NumPy"
    return Subject(implementation=Implementation(id=identity, runtime=runtime, language=language, path=path))


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(
            source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    else:
        shutil.copy(source, target)


def _identity(runtime: str, key: str) -> str:
    whole, _, label = key.partition(".")
    return runtime if key == runtime else f"{runtime}.{label if whole == runtime else key.replace('.', '_')}"
