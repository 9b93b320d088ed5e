"""C, C++ and Fortran in this process: source files that are compiled, loaded and called with ctypes."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

from harness.workers import c_calls, fortran_calls
from harness.workers.batches import each
from harness.workers.c_prototypes import STYLES, Style, header, prototype
from harness.workers.compiler import CompileError, Compiler, Language, version_in
from harness.workers.declared_arrays import DeclaredStage, read_stages
from harness.workers.fortran_interfaces import (
    array_functions,
    described_arguments,
    expected,
    line_of,
    not_passed,
    returns_array,
)
from harness.workers.fortran_prototypes import Procedure, misfit, procedures
from harness.workers.guards import Guards
from harness.workers.loop import Problem, Signatures, WorkerFault
from harness.workers.protocol import Array

NAMES: Mapping[Language, str] = {"c": "C", "cpp": "C++", "fortran": "Fortran"}
REALS = {"float64": 8, "float32": 4}
"""Bytes of a real number, by precision."""


class Compiled(NamedTuple):
    """A source file as a library in one precision; of Fortran, its procedures."""

    library: ctypes.CDLL
    stages: Mapping[str, DeclaredStage]
    real: int
    procedures: Mapping[str, Procedure]
    described: Mapping[str, Sequence[str]]
    """Of Fortran, by procedure the arguments that only Fortran can pass."""
    arrays: Sequence[str]
    """Of Fortran, the functions that return an array."""


class CompiledHost:
    """Files of functions in one language, compiled by one compiler with one set of options."""

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler

    def describe(self) -> dict[str, Any]:
        """The compiler, its options and the C library."""
        compiler = self._compiler
        libc = " ".join(platform.libc_ver()).strip()
        return {
            "language": NAMES[compiler.language],
            "version": f"{Path(compiler.program).name} {_version(compiler.program)}",
            "hosting": " ".join([*compiler.flags, *(["sanitized"] if compiler.sanitized else [])]),
            "libraries": {"libm": libc} if libc else {},
            "blas": "" if any(flag.startswith("-l") for flag in compiler.flags) else "none",
            "threads": 1,
            "dtypes": list(REALS),
            "batches": True,
            "platform": platform.platform(),
        }

    def load(
        self, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[Compiled, list[Problem]]:
        """Compile a file in float64, and look its functions up."""
        return self.load_in("float64", source, stages, signatures)

    def load_in(
        self, precision: str, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[Compiled, list[Problem]]:
        """Compile a file in a precision, and look its functions up."""
        path = Path(source)
        declared = {
            name: stage
            for name, stage in read_stages(path).items()
            if name in stages and name not in signatures
        }
        real = REALS.get(precision, 8)
        try:
            loaded, wrong = self._compiled(path, declared, real)
        except CompileError as error:
            if real == 4 and self._wrong_in_double(path, declared) == {}:
                why = f"{path.name} is written in float64, not in the header's real: it has no float32"
                raise WorkerFault("unsupported", why, line=error.line, detail=error.detail) from error
            raise error.fault() from error
        in_double = self._wrong_in_double(path, declared) if real == 4 and wrong else None
        if in_double is not None and len(in_double) < len(wrong):
            why = f"{path.name} is written in float64, not in the header's real: it has no float32"
            raise WorkerFault("unsupported", why, line=next(iter(wrong.values())).get("line"))
        problems = [
            problem
            for name in stages
            if name not in signatures
            and (problem := wrong.get(name) or self._problem(loaded, path, name)) is not None
        ]
        misfits = [problem for problem in problems if problem["kind"] != "unsupported"]
        if real == 4 and self._compiler.language == "fortran" and misfits and _fits(loaded, declared, 8):
            why = f"{path.name} is written in float64, not in HARNESS_REAL: it has no float32"
            raise WorkerFault("unsupported", why, line=misfits[0].get("line"))
        return loaded, problems

    def _wrong_in_double(
        self, path: Path, declared: Mapping[str, DeclaredStage]
    ) -> Mapping[str, Problem] | None:
        """The functions that are wrong in float64 too; None where it does not compile there either."""
        with contextlib.suppress(CompileError):
            return self._compiled(path, declared, 8)[1]
        return None

    def _compiled(
        self, path: Path, declared: Mapping[str, DeclaredStage], real: int
    ) -> tuple[Compiled, Mapping[str, Problem]]:
        """The file as a library, and what is wrong with functions that have other parameters."""
        compiler = self._compiler
        if compiler.language == "fortran":
            said = compiler.prototypes(path, real)
            library = _open(compiler.library(path, "", real))
            described, arrays = described_arguments(said), array_functions(said)
            return Compiled(library, declared, real, procedures(said), described, arrays), {}
        ways = []
        for style in STYLES[compiler.language]:
            ways.append(self._in_style(path, declared, real, style))
            if not ways[-1][1]:
                break
        return min(ways, key=lambda way: len(way[1]))

    def _in_style(
        self, path: Path, declared: Mapping[str, DeclaredStage], real: int, style: Style
    ) -> tuple[Compiled, dict[str, Problem]]:
        """Compile it with the prototypes of one style, less those that a function of the file contradicts."""
        wrong: dict[str, Problem] = {}
        while True:
            left = [stage for name, stage in declared.items() if name not in wrong]
            try:
                library = _open(self._compiler.library(path, header(left, style), real))
            except CompileError as error:
                found = _contradicting(error.detail, path, {stage.name: stage for stage in left}, style)
                if not found:
                    raise
                wrong |= found
            else:
                return Compiled(library, declared, real, {}, {}, ()), wrong

    def _problem(self, loaded: Compiled, path: Path, name: str) -> Problem | None:
        stage = loaded.stages.get(name)
        if stage is None:
            language = NAMES[self._compiler.language]
            why = f"{language} takes and returns arrays whose number of dimensions is declared"
            return {"stage": name, "kind": "unsupported", "message": why}
        if self._compiler.language == "fortran":
            return _problem_of_fortran(loaded, path, stage)
        if hasattr(loaded.library, name):
            return None
        due = prototype(stage, STYLES[self._compiler.language][0])
        if self._compiler.language == "cpp" and _has_another(loaded.library, name):
            why = f"the function {name} has other parameters; {due} is expected"
            return {"stage": name, "kind": "arity", "message": why, **_at(_line_in_cpp(path, name))}
        return {"stage": name, "kind": "missing", "message": f"there is no function {due} in {path.name}"}

    def call(
        self, loaded: Compiled, stage: str, arrays: list[Array], names: Sequence[str]
    ) -> tuple[float, Sequence[Array]]:
        """Call one function."""
        seconds, outputs = self._call(loaded, stage, arrays)
        _flush()
        return seconds, outputs

    def calls(
        self, loaded: Compiled, stage: str, stacks: list[Array], names: Sequence[str], count: int
    ) -> tuple[float, Sequence[Array], list[int]]:
        """Call one function for each of many inputs."""
        start = time.perf_counter()
        arrays, others = each(
            ([stack[place, ...] for stack in stacks] for place in range(count)),
            lambda given: self._call(loaded, stage, list(given))[1],
            len(names),
        )
        _flush()
        return time.perf_counter() - start, arrays, others

    def _call(self, loaded: Compiled, name: str, arrays: list[Array]) -> tuple[float, list[Array]]:
        stage = loaded.stages[name]
        guards = Guards(not self._compiler.sanitized)
        if self._compiler.language == "fortran":
            procedure = loaded.procedures[name.lower()]
            return fortran_calls.call(loaded.library, procedure, stage, arrays, loaded.real, guards)
        return c_calls.call(loaded.library, stage, arrays, loaded.real, guards)

    def close(self) -> None:
        """Do nothing: the process ends."""


_OTHER_TYPES = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):.*"
    r"(?P<said>conflicting (?:types for \W*|declaration of C function [^(\n]*?)(?P<name>\w+).*)$",
    re.MULTILINE,
)


def _contradicting(
    detail: str, path: Path, stages: Mapping[str, DeclaredStage], style: Style
) -> dict[str, Problem]:
    """By stage, what the compiler says of a function that has other parameters than the stage's."""
    found: dict[str, Problem] = {}
    for match in _OTHER_TYPES.finditer(detail):
        stage = stages.get(match["name"])
        if stage is not None and stage.name not in found:
            why = f"{match['said']}; {prototype(stage, style)} is expected"
            here = os.path.realpath(match["file"]) == os.path.realpath(path)
            line = {"line": int(match["line"])} if here else {}
            found[stage.name] = {"stage": stage.name, "kind": "arity", "message": why, **line}
    return found


def _problem_of_fortran(loaded: Compiled, path: Path, stage: DeclaredStage) -> Problem | None:
    procedure = loaded.procedures.get(stage.name.lower())
    if stage.name.lower() in loaded.arrays:
        why = f"{stage.name}: {returns_array(stage.name)}"
        return {"stage": stage.name, "kind": "arity", "message": why, **_at(_line_of(path, stage.name))}
    if procedure is None:
        inside = _line_of(path, stage.name)
        why = f"there is no {expected(stage)} in {path.name}"
        if inside is not None:
            why = (
                f"there is no subroutine {stage.name} outside of a module: write it there, or give it bind(c)"
            )
        return {"stage": stage.name, "kind": "missing", "message": why, **_at(inside)}
    described = loaded.described.get(stage.name.lower(), ())
    if why := not_passed(stage, described) or misfit(stage, procedure, loaded.real):
        told = {"stage": stage.name, "kind": "arity", "message": f"{stage.name}: {why}"}
        return {**told, **_at(_line_of(path, stage.name))}
    return None


def _has_another(library: ctypes.CDLL, name: str) -> bool:
    """Whether a library has a function of this name with C++'s linkage: its symbol says what it takes."""
    return f"\0_Z{len(name)}{name}".encode() in Path(library._name).read_bytes()


def _line_in_cpp(path: Path, name: str) -> int | None:
    """The first line of a file of C++ that begins at the margin and has this name before a bracket."""
    begin = re.compile(rf"^\w[^/;=]*\b{re.escape(name)}\s*\((?!.*;\s*$)")
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return next((number for number, line in enumerate(lines, 1) if begin.match(line)), None)


def _fits(loaded: Compiled, declared: Mapping[str, DeclaredStage], real: int) -> bool:
    """Whether all procedures of a file are the stages' in reals of so many bytes."""
    known = ((stage, loaded.procedures.get(name.lower())) for name, stage in declared.items())
    return all(procedure is not None and not misfit(stage, procedure, real) for stage, procedure in known)


def _line_of(path: Path, name: str) -> int | None:
    """The line of a Fortran file that a procedure begins in."""
    return line_of(path.read_text(encoding="utf-8", errors="replace"), name)


def _at(line: int | None) -> dict[str, int]:
    return {} if line is None else {"line": line}


def _open(path: Path) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise CompileError(f"what was compiled cannot be loaded: {error}", None, "") from error


def _flush() -> None:
    """What C has printed and holds back."""
    with contextlib.suppress(Exception):
        ctypes.CDLL(None).fflush(None)


def _print_at_once() -> None:
    """Have what is printed appear by the line: a crash would take what is held back with it."""
    os.environ["GFORTRAN_UNBUFFERED_PRECONNECTED"] = "1"
    with contextlib.suppress(Exception):
        libc = ctypes.CDLL(None)
        libc.setvbuf(ctypes.c_void_p.in_dll(libc, "stdout"), None, _BY_LINE, 0)


_BY_LINE = 1
"""_IOLBF of glibc and musl; another library takes no harm."""


def _version(program: str) -> str:
    env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    try:
        done = subprocess.run(
            [program, "--version"],
            capture_output=True,
            text=True,
            check=True,
            env=env,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise WorkerFault("load", f"the compiler {program} does not run: {error}") from error
    return version_in(done.stdout) or "unknown"


def start() -> CompiledHost:
    """Return the host of the language, compiler and options that the worker was started with."""
    language, program, *flags = sys.argv[2:]
    if language not in get_args(Language):
        raise WorkerFault("load", f"there is no {language}: it is one of {', '.join(get_args(Language))}")
    found: Any = language
    _print_at_once()
    return CompiledHost(Compiler.of(found, program, flags, os.environ))
