"""Compiles a source file of C, C++ or Fortran to a library, kept in a folder by what it is made of."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from harness.workers.fortran_interfaces import array_functions, line_of, returns_array, without_procedures
from harness.workers.loop import WorkerFault

Language = Literal["c", "cpp", "fortran"]

SANITIZE = "HARNESS_SANITIZE"
"""The variable that asks for the sanitizers of addresses and of undefined behaviour."""
FOLDER = "HARNESS_COMPILED"
"""The variable that names the folder for libraries.

Without it, or where nothing can be written there, they are kept as long as the worker lives.
"""

_SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-O1")
_PATTERN = ("-ftrivial-auto-var-init=pattern",)
_UNSET: Mapping[Language, tuple[str, ...]] = {
    "c": _PATTERN,
    "cpp": _PATTERN,
    "fortran": ("-finit-real=snan", "-finit-integer=-1431655766"),
}
"""What gives variables that nothing is assigned to a value that is right by no chance, as 0 often is."""
_ERROR = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.M | re.I
)
_UNDEFINED = re.compile(
    r"^(?:.*ld: )?(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\([^)]*\):)? (?P<text>undefined reference to .*)$",
    re.M,
)
_DECLARATIONS = re.compile(r"[0-9a-f]{32}\.h")
"""What the stages' declarations are kept as."""
_TAKEN = re.compile(r"conflicting types for (?:built-in function )?['‘](\w+)['’]")
_BESIDE = frozenset({".f90", ".f", ".inc", ".fi", ".h", ".f95", ".f03", ".f08"})
"""What Fortran's ``include`` may read beside a source: nothing lists it."""


def version_in(printed: str) -> str | None:
    """The version in the first line that a compiler prints of itself."""
    versions = re.findall(r"\d+\.\d+(?:\.\d+)?", printed.partition("\n")[0])
    return versions[-1] if versions else None


def options_of(language: Language, program: str, flags: Sequence[str]) -> tuple[str, ...]:
    """The options of a runtime's stanza, behind those that show variables that nothing is assigned to."""
    return (*_accepted(program, language), *flags)


@cache
def _accepted(program: str, language: Language) -> tuple[str, ...]:
    """Those of the options that the compiler knows: it is asked once."""
    named = {"c": "c", "cpp": "c++", "fortran": "f95"}[language]
    return tuple(option for option in _UNSET[language] if _knows(program, option, named))


def _knows(program: str, option: str, language: str) -> bool:
    words = [program, option, "-fsyntax-only", "-x", language, os.devnull]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def _may_write(folder: Path) -> bool:
    """Whether files can be made in a folder, which is made where it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


class CompileError(Exception):
    """A file does not compile: the first error, its line if it is in the source, and all that was said."""

    def __init__(self, message: str, line: int | None, detail: str) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.detail = detail

    def fault(self) -> WorkerFault:
        """The reply that a worker gives."""
        return WorkerFault("load", self.message, line=self.line, detail=self.detail)


class Compiler(NamedTuple):
    """A compiler, the options that it is called with, and the folder that libraries are kept in."""

    language: Language
    program: str
    flags: tuple[str, ...]
    folder: Path
    sanitized: bool

    @classmethod
    def of(
        cls, language: Language, program: str, flags: Sequence[str], environ: Mapping[str, str]
    ) -> Compiler:
        """A compiler as a runtime's stanza names it."""
        kept = environ.get(FOLDER)
        folder = Path(kept) if kept and _may_write(Path(kept)) else Path(tempfile.mkdtemp(prefix="compiled-"))
        sanitized = bool(environ.get(SANITIZE))
        return cls(language, program, options_of(language, program, flags), folder, sanitized)

    def library(self, source: Path, header: str, real: int) -> Path:
        """The library that a source file is compiled to; it is compiled only where there is none.

        Parameters
        ----------
        source : Path
            The file.
        header : str
            What is put before it; of Fortran nothing is.
        real : int
            Bytes of a real number: 8 or 4.

        Returns
        -------
        Path
            The library.

        Raises
        ------
        CompileError
            With the compiler's first error.
        """
        options = [*self._options(header, real), "-fPIC", "-g"]
        if self.sanitized:
            options += [*_SANITIZERS, *(["-fcheck=all"] if self.language == "fortran" else [])]
        path = self.folder / f"{self._key(source, header, options)}.so"
        if not path.is_file():
            linked = ["-shared", *_LINKING, *([] if self.sanitized else _WHOLE)]
            with self._fresh(path) as made:
                # Libraries to be linked come after what needs them.
                modules = ["-J", str(made.parent)] if self.language == "fortran" else []
                words = [*options, *modules, *linked, str(source), *self.flags, "-lm", "-o", str(made)]
                print(self._run(source, words).stderr, file=sys.stderr, end="")
        return path

    def prototypes(self, source: Path, real: int) -> str:
        """A Fortran file's tree, and the prototypes in C of its procedures, as gfortran writes them.

        Raises
        ------
        CompileError
            With the compiler's first error.
        """
        wanted = ["-fc-prototypes", "-fc-prototypes-external", "-fsyntax-only"]
        with tempfile.TemporaryDirectory(prefix="modules-") as modules:
            words = [*self._options("", real), _TREE, "-J", modules, str(source)]
            try:
                return self._run(source, [*words, *wanted]).stdout
            except CompileError as error:
                if _INTERNAL not in error.detail:
                    raise
                # gfortran 12 fails at the prototype of a function that returns an array, with all others.
                tree = self._run(source, [*words, "-fsyntax-only"]).stdout
                return self._without_arrays(source, real, array_functions(tree), error) + tree

    def _without_arrays(self, source: Path, real: int, names: Sequence[str], error: CompileError) -> str:
        """The prototypes of a file's procedures but of these functions, of which there are none.

        Raises
        ------
        CompileError
            They cannot be left out: the first of them is named.
        """
        text = source.read_text(encoding="utf-8", errors="replace")
        left = without_procedures(text, names)
        wanted = ["-fc-prototypes", "-fc-prototypes-external", "-fsyntax-only"]
        with tempfile.TemporaryDirectory(prefix="modules-") as modules:
            path = Path(modules, source.name)
            path.write_text(left, encoding="utf-8")
            # What the file includes lies beside it, and not beside the copy.
            beside = ["-I", str(source.parent), "-J", modules]
            try:
                return self._run(path, [*self._options("", real), *beside, str(path), *wanted]).stdout
            except CompileError:
                if not names:
                    raise error from None
                why = f"{returns_array(names[0])}, which {Path(self.program).name} cannot leave out"
                raise CompileError(why, line_of(text, names[0]), error.detail) from error

    def _options(self, header: str, real: int) -> list[str]:
        if self.language == "fortran":
            return [
                "-cpp", "-ffree-line-length-none", "-fdiagnostics-plain-output", f"-DHARNESS_REAL={real}",
                *self.flags,
            ]  # fmt: skip
        name = hashlib.sha256(header.encode()).hexdigest()[:32]
        path = self.folder / f"{name}.h"
        if not path.is_file():
            with self._fresh(path) as made:
                made.write_text(header, encoding="utf-8")
        real_type = {4: "float", 8: "double"}[real]
        return [f"-DHARNESS_REAL={real_type}", "-include", str(path), *self.flags]

    def _key(self, source: Path, header: str, options: Sequence[str]) -> str:
        """What a library is made of: the compiler, the options, and all text that it reads."""
        known = Path(self.program).resolve().stat()
        facts = [self.program, known.st_mtime_ns, known.st_size, sys.platform, *options, header, source]
        key = hashlib.sha256(repr(list(map(str, facts))).encode())
        if self.language == "fortran":
            there = sorted(path for path in source.parent.iterdir() if path.suffix.lower() in _BESIDE)
            texts = [path.read_bytes() for path in dict.fromkeys([source, *there])]
        else:
            texts = [self._run(source, [*options, "-E", str(source)]).stdout.encode()]
        for text in texts:
            key.update(hashlib.sha256(text).digest())
        return key.hexdigest()[:32]

    @contextlib.contextmanager
    def _fresh(self, path: Path) -> Iterator[Path]:
        """A name for a file that appears under its own only when it is whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=self.folder) as kept:
            made = Path(kept, path.name)
            yield made
            os.replace(made, path)  # noqa: PTH105

    def _run(self, source: Path, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        # The sanitizers' library is loaded into this process, and is not for the compiler.
        env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        done = subprocess.run(
            [self.program, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=env,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode:
            raise _error(source, done)
        return done


_TREE = "-fdump-fortran-original"
_INTERNAL = "internal compiler error"
_LINKING = ("-Wl,-Bsymbolic",) if sys.platform == "linux" else ()
"""A file's functions call each other, and none of the C library that has the same name."""
_WHOLE = ("-Wl,-z,defs",) if sys.platform == "linux" else ()
"""A function that is nowhere is an error of the linker, and not of the first call."""


def _name_is_taken(file: str, text: str) -> str:
    """Why a stage's declaration is refused: its name is one of the language's; empty for other errors."""
    if (name := _TAKEN.search(text)) is not None:
        return (
            f"the language has a function {name[1]} of its own, so that no stage can have that name ({text})"
        )
    if _DECLARATIONS.fullmatch(Path(file).name):
        return f"a stage has the name of a word of the language ({text})"
    return ""


def _error(source: Path, done: subprocess.CompletedProcess[str]) -> CompileError:
    found = _ERROR.search(done.stderr) or _UNDEFINED.search(done.stderr)
    if found is None:
        failed = next((line for line in done.stderr.splitlines() if _INTERNAL in line), None)
        if failed is not None:
            why = f"the compiler itself fails, with an {failed.strip()[failed.strip().index(_INTERNAL) :]}"
            return CompileError(f"it does not compile: {why}", None, done.stderr)
        last = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "")
        said = last.strip() or f"the compiler ended with {done.returncode} and said nothing"
        return CompileError(f"it does not compile: {said}", None, done.stderr)
    here = os.path.realpath(found["file"]) == os.path.realpath(source)
    line = int(found["line"])
    if not here and (why := _name_is_taken(found["file"], found["text"])):
        return CompileError(f"it does not compile: {why}", None, done.stderr)
    where = "" if here else f"{found['file']}:{line}: "
    message = f"it does not compile: {where}{found['text']}"
    return CompileError(message, line if here else None, done.stderr)
