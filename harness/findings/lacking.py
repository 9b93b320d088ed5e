"""What a document's code lacks here: a package, or a module that is a file of its own."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence

from harness.documents.model import Chunk, Document
from harness.documents.surroundings import Missing, missing_here
from harness.findings.causes import Cause
from harness.findings.versions import packages
from harness.sessions.session import CodeError

_COMPILED = {"cpp": "C++", "c++": "C++", "rcpp": "C++", "c": "C", "fortran": "Fortran", "cython": "Cython"}
"""Languages from which R and Python take functions."""
_CROSSING = {"r": re.compile(r"\bpy\$(?:[\w.]+|`[^`]+`)"), "python": re.compile(r"(?<![\w.])r\.\w+")}
"""How R names a value of Python, and Python one of R."""
_INSTALLS = re.compile(
    r"\b(?:install(?:\.packages|_\w+)|pak|pkg_install)\(\s*(?P<what>c\([^()]*\)|[\"'][^\"'\n]*[\"'])"
)
_INSTALLED = re.compile(r"[\"'](?:[\w.-]+/)?(?P<name>[A-Za-z][\w.]*)[\"'@]")
_ATTACHES_NOTHING = re.compile(rf"\s*(?:\w+::\w+|{_INSTALLS.pattern})")


def missing_of(document: Document, chunk: Chunk, error: CodeError) -> Missing | None:
    """Say what an error in a document is the lack of; None if it may be the code's own.

    Parameters
    ----------
    document : Document
        As it was read.
    chunk : Chunk
        The chunk that fails.
    error : CodeError
        The error. Where it is of a module of Python of which the document names the file (``stock.py``),
        no package is missing that a reader could install.
    """
    lack = missing_here(error, chunk.code, chunk.language)
    if lack is None or lack.kind != "package" or chunk.language != "python" or not lack.name:
        return lack
    file = rf"\b{re.escape(lack.name)}\.py\b"
    if not any(re.search(file, text) for text in _texts(document)):
        return lack
    return Missing(
        "file", f"{lack.name}.py", f"{lack.name}.py, a file of the document's own, is not beside it"
    )


def not_carried(chunk: Chunk, line: int) -> str:
    """Say which value of the other language code takes, as reticulate gives it.

    Parameters
    ----------
    chunk : Chunk
        A chunk of R that uses ``py``, or of Python that uses ``r``, which nothing sets.
    line : int
        The line that fails, counted from 1; 0 where it is not known.
    """
    text = chunk.code.split("\n")[line - 1] if line else chunk.code
    found = _CROSSING[chunk.language].search(text) or _CROSSING[chunk.language].search(chunk.code)
    what, other = ("py$x", "Python") if chunk.language == "r" else ("r.x", "R")
    what = found[0] if found is not None else what
    return (
        f"{what} is a value of {other}, and not of those that are carried: numbers, texts, lists and tables"
    )


def set_nowhere(document: Document, chunk: Chunk, name: str, *, of_a_package: bool) -> str:
    """Say that no code that runs here sets a name, and what may have brought it.

    Parameters
    ----------
    document, chunk : Document, Chunk
        As it was read, and the chunk that uses the name.
    name : str
        The name.
    of_a_package : bool
        Whether the error is one that a package which is not attached leaves.
    """
    for other in document.chunks:
        if other.language in _COMPILED and re.search(rf"\b{re.escape(name)}\s*[(=]", other.code):
            compiled = _COMPILED[other.language]
            return f"{name} is set in {compiled} (line {other.line}), which documents do not run"
    said = f"{name} is set nowhere in the document"
    if not of_a_package:
        return said
    mine = [part for part in document.chunks if part.language == chunk.language]
    own = _package_of(document) if chunk.language == "r" else ""
    if own and not any(own in packages(part.code, "r") for part in mine):
        return f"{said}; {own}, the package of the DESCRIPTION beside it, may have it, and is not attached"
    if chunk.language == "r" and (only := installed_only(mine)):
        return f"{said}; {' or '.join(only)}, which may have it, is installed there and not attached"
    above = {
        pack for part in mine if part.index <= chunk.index for pack in packages(part.code, part.language)
    }
    for part in mine:
        below = sorted(packages(part.code, part.language) - above)
        if below:
            return f"{said}; {', '.join(below)}, which may have it, is attached only below (line {part.line})"
    return f"{said}, and no package that it attaches here has it"


def installed_only(chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """Return the packages that a document's code of R installs and attaches nowhere, as a README does."""
    code = "\n".join(part.code for part in chunks if part.language == "r")
    found = (name for call in _INSTALLS.finditer(code) for name in _INSTALLED.findall(call["what"]))
    return tuple(dict.fromkeys(name for name in found if name not in packages(code, "r")))


def may_bring(cause: Cause) -> bool:
    """Whether code that lacks a package would have attached it: installing one, or ``pkg::f``, does not."""
    text = cause.chunk.code.split("\n")[cause.line - 1] if cause.line else cause.chunk.code
    return cause.chunk.language != "r" or _ATTACHES_NOTHING.match(text) is None


def _package_of(document: Document) -> str:
    """Return the package of R whose folder, or one right below it, a document stands in."""
    folder = document.path.parent
    for file in (folder / "DESCRIPTION", folder.parent / "DESCRIPTION"):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            found = re.search(r"^Package:\s*([\w.]+)", file.read_text(encoding="utf-8"), re.MULTILINE)
            if found is not None:
                return found[1]
    return ""


def _texts(document: Document) -> Iterator[str]:
    """Yield a document's code, and its file, as far as it can be read."""
    yield from (chunk.code for chunk in document.chunks)
    with contextlib.suppress(OSError, UnicodeDecodeError):
        yield document.path.read_text(encoding="utf-8")
