"""One of the two programs: its file, or the code of a document, and where each of its lines stands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from harness.errors import UsageError

LANGUAGES = {".py": "python", ".r": "r", ".jl": "julia"}
DOCUMENTS = (".ipynb", ".rmd", ".qmd")
NAMES = {"python": "Python", "r": "R", "julia": "Julia"}


class Where(NamedTuple):
    """Where a line stands: in a file, or in a notebook's cell, counted from 1."""

    file: str
    line: int
    cell: int = 0

    def __str__(self) -> str:
        return f"{self.file}, cell {self.cell}, line {self.line}" if self.cell else f"{self.file}:{self.line}"


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two programs: its file, its language and its arguments.

    Attributes
    ----------
    path : Path
        Its file.
    language : str
        ``python``, ``r`` or ``julia``.
    arguments : tuple of str
        Its arguments.
    code : str
        Of a document: what is run in its place.
    listing : tuple of str
        Of a document: the lines of ``code`` as the document has them.
    places : tuple of Where
        Of a document: where these lines stand.
    """

    path: Path
    language: str
    arguments: tuple[str, ...] = ()
    code: str = ""
    listing: tuple[str, ...] = ()
    places: tuple[Where, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The lines of its file, or of its code."""
        if self.places:
            return [*self.listing]
        return self.path.read_text(encoding="utf-8", errors="replace").splitlines()

    @property
    def source(self) -> list[str]:
        """The lines that are run: of a document, its code."""
        return self.code.splitlines() if self.places else self.lines

    def where(self, line: int) -> Where:
        """Where a line of what was run stands."""
        if 1 <= line <= len(self.places):
            return self.places[line - 1]
        return Where(self.path.name, line)


def as_program(path: Path, arguments: Sequence[str] = (), language: str = "") -> Program:
    """A program by its file.

    Parameters
    ----------
    path : Path
        A script, or a document with code.
    arguments : sequence of str
        Its arguments.
    language : str
        Which chunks of a document are meant; may be empty where all are in one.

    Raises
    ------
    UsageError
        There is no such file, or its name does not say what language it is in, or a document holds no code,
        or code in several languages.
    DocumentError
        A document cannot be read.
    """
    if not path.is_file():
        raise UsageError("no such file" if not path.exists() else "is not a file", path=path)
    if path.suffix.lower() in DOCUMENTS:
        from harness.programs.of_document import program_of_document

        return program_of_document(path, arguments, language)
    found = LANGUAGES.get(path.suffix.lower())
    if found is None:
        raise UsageError(
            f"its suffix {path.suffix or '(none)'} names no language",
            path=path,
            advice=f"known are {', '.join((*LANGUAGES, *DOCUMENTS))}",
        )
    if language and language != found:
        raise UsageError(f"is a program in {NAMES[found]}, not in {NAMES.get(language, language)}", path=path)
    return Program(path=path, language=found, arguments=tuple(arguments))
