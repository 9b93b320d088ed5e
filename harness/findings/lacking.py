"""What a document's code lacks here: a package, or a module that is a file of its own."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from harness.documents.model import Chunk, Document
from harness.documents.surroundings import Missing, missing_here
from harness.sessions.session import CodeError


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


def _texts(document: Document) -> Iterator[str]:
    """Yield a document's code, and its file, as far as it can be read."""
    yield from (chunk.code for chunk in document.chunks)
    with contextlib.suppress(OSError, UnicodeDecodeError):
        yield document.path.read_text(encoding="utf-8")
