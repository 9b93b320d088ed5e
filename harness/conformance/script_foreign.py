"""Scripts for languages that are run from Python: which one it is, and the source in Python that runs it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from harness.conformance.helpers import helper_files
from harness.conformance.script_compiled import source_of_compiled
from harness.conformance.script_interpreted import functions_beside, source_of_interpreted
from harness.conformance.script_onnx import source_of_onnx
from harness.conformance.script_program import source_of_program
from harness.model import Absent, Case, Implementation
from harness.runtimes.registry import Registry
from harness.store.source_text import source_text

_USUAL = {"c": "gcc", "cpp": "g++", "fortran": "gfortran", "node": "node", "octave": "octave-cli"}
"""What compiles or runs a language, where it is not here."""


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A source that a script holds, with which writer, and the files that it needs beside it.

    ``writer`` is a key of `harness.conformance.scripts.WRITERS`.
    """

    writer: str
    source: str
    files: Mapping[str, bytes] = {}


def writer_of(implementation: Implementation, folder: Path) -> str:
    """In which language a script is written for an implementation; empty where there is none.

    Parameters
    ----------
    implementation : Implementation
        It.
    folder : Path
        That of its case, in its suite.
    """
    words = _words(Registry.load(folder.parent), implementation.runtime)
    if words[:1] == ["jax"]:
        return "jax-jit" if "jit" in words[1:] else "jax"
    host = {"compiled": "numpy", "onnx": "numpy", "program": "numpy", "node": "numpy", "octave": "numpy"}
    return host.get(words[0], words[0] if words[0] in ("numpy", "torch", "r", "julia") else "")


def written(implementation: Implementation, case: Case, folder: Path, precision: str) -> Written:
    """Return what a script holds of an implementation that `writer_of` has a writer for.

    Parameters
    ----------
    implementation, folder
        As in `writer_of`.
    case : Case
        It says what the stages take and return.
    precision : str
        In which the stage is called.

    Raises
    ------
    UsageError
        There cannot be one.
    """
    path, registry = implementation.path, Registry.load(folder.parent)
    words, writer = _words(registry, implementation.runtime), writer_of(implementation, folder)
    match words:
        case ["compiled", "c" | "cpp" | "fortran" as language, _, *flags]:
            program = _program(registry, implementation.runtime, language)
            source = source_of_compiled(path, language, program, flags, precision)
            return Written(writer=writer, source=source, files=helper_files(path))
        case ["node" | "octave" as language, *_]:
            program = _program(registry, implementation.runtime, language)
            source = source_of_interpreted(path, case, language, program)
            return Written(writer=writer, source=source, files=helper_files(path) | functions_beside(path))
        case ["onnx", *_]:
            return Written(writer=writer, source=source_of_onnx(path), files={path.name: path.read_bytes()})
        case ["program", *_]:
            return Written(writer=writer, source=source_of_program(path, case), files=helper_files(path))
        case _:
            return Written(writer=writer, source=source_text(path), files=helper_files(path))


def _words(registry: Registry, runtime: str) -> list[str]:
    """What the command of a built-in worker says behind the worker's file, the language first."""
    command = list(registry.specs[runtime].command)
    for name, language in (("__main__.py", ""), ("worker.mjs", "node"), ("worker.m", "octave")):
        file = f"{{workers}}/{name}"
        if file in command:
            behind = command[command.index(file) + 1 :]
            return [language, *behind] if language else behind
    return [""]


def _program(registry: Registry, runtime: str, language: str) -> str:
    """What compiles or runs a language: as it was found here, else by its usual name."""
    launch = registry.launch(runtime)
    usual = _USUAL[language]
    if isinstance(launch, Absent):
        return usual
    template = registry.specs[runtime].command
    filled = launch.command[template.index("{executable}")]
    found = shutil.which(Path(filled).name)
    return Path(filled).name if found == filled else filled
