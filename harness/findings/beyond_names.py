"""What code changes besides the names that it sets: options, methods, the random stream."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from harness.documents.model import Chunk
from harness.findings.random_numbers import draw_in, drawing_definitions, seeds
from harness.findings.versions import packages, unsteady

Beyond = Literal["session", "stream"]

_SESSION = {
    "python": re.compile(
        r"\bimport\s+\*|(?m:^\s*%(?:run|load|pylab|precision|autocall)\b)|\bexec(?:file)?\(|\bglobals\(\)"
        r"|\bset_(?:printoptions|option|options|default\w*)\(|\.options\.\w"
        r"|\binit_printing\(|\bsetattr\(|\bgetcontext\(\)|\bsys\.(?:path|stdout|setrecursionlimit)"
        r"|\.register\w*\(|\bfilterwarnings\(|\bseterr\(|\bsetlocale\(|\bglobal\s+\w"
        r"|(?m:^\s*(?:[\w.]+\.)?[A-Z]\w*\.\w+\s*=(?!=))"
    ),
    "r": re.compile(
        r"\b(?:source|sys\.source|load|attach|detach|options|eval|evalq|data|Sys\.set\w+|setMethod"
        r"|setClass|setGeneric|registerS3method|opts_chunk\$set|theme_set|local_options)\("
        r"|<<-|\b(?:print|format|summary|plot|toString|length|as\.\w+|Ops|Math|`[^`]+`)\.\w+`?\s*(?:<-|=)\s*function"
        r"|`[^`]*`\s*(?:<-|=)\s*function"
    ),
    "julia": re.compile(
        r"\binclude\(|\beval\(|@eval\b|\bBase\.\S+\(|\bimport\s+Base\b|\bENV\["
        r"|(?m:^\s*(?:function\s+(?:[-+*/\\^%<>=!~]+|\w+\.[\w!]+)\(|(?:[-+*/\\^%<>=!~]+|\w+\.[\w!]+)\([^=\n]*\)\s*=(?!=)))"
        r"|\bdefault\(|\bglobal\s+\w"
    ),
}


_BRINGS = {
    "python": re.compile(
        r"\bimport\s+\*|(?m:^\s*%(?:run|load|pylab|store|autocall)\b)|\bexec(?:file)?\(|\b(?:globals|locals)\(\)"
    ),
    "r": re.compile(r"\b(?:source|sys\.source|load|attach|data|eval|evalq|assign|list2env|load_all)\("),
    "julia": re.compile(r"\binclude\(|\beval\(|@eval\b"),
}


def brings_names(chunks: Sequence[Chunk], chunk: Chunk) -> bool:
    """Whether code above a chunk may set names that its text does not show.

    Parameters
    ----------
    chunks : sequence of Chunk
        Those of the document.
    chunk : Chunk
        One of them. R and Julia attach all names of a package, and another version of it may have others.
    """
    above = [part.code for part in chunks if part.language == chunk.language and part.index <= chunk.index]
    code = "\n".join(above)
    pattern = _BRINGS.get(chunk.language)
    if pattern is not None and pattern.search(code):
        return True
    return chunk.language != "python" and bool(unsteady(packages(code, chunk.language), chunk.language))


def beyond_names(code: str, language: str) -> frozenset[Beyond]:
    """Say what code changes for all that comes after it, whatever names that uses.

    Parameters
    ----------
    code, language : str
        A piece of code that did not run to its end; ``python``, ``r`` or ``julia``.

    Returns
    -------
    frozenset of str
        ``session`` where it sets options, methods or names that its text does not show; ``stream`` where it
        seeds or draws, so that later random numbers are others.
    """
    found: set[Beyond] = set()
    pattern = _SESSION.get(language)
    if pattern is not None and pattern.search(code):
        found.add("session")
    if seeds(code, language) or draw_in(code, language) is not None or drawing_definitions(code, language):
        found.add("stream")
    return frozenset(found)
