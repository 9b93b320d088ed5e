"""Whether a document itself says that code of it fails, or that it does not: some show what goes wrong."""

from __future__ import annotations

import contextlib
import re

from harness.documents.compare_printed import compare_printed
from harness.documents.model import Chunk, Document
from harness.documents.results import ChunkRun
from harness.findings.outputs import LIKE, kind_of

_SAID = re.compile(
    r"\b(?:\w*errors?|\w*exceptions?|rais(?:es?|ed|ing)|throw[ns]?|throwing|fail(?:s|ed|ing|ure)?|crash\w*"
    r"|traceback|invalid|illegal|impossible|not (?:allowed|possible|exist|valid|present|defined|work)"
    r"|can(?:'|’|no)t|(?:doesn|won)['’]t|don['’]t(?! worry)|wrong|mistakes?|problems?|bugs?|oops)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\b(?:stop|error|(?:raise|throw)\b[^\n\"']*)\s*\(?\s*([\"'])((?:(?!\1)[^\\\n])+)\1")
"""How code of R, Julia and Python ends with an error of its own, and in which words."""
_ASKS_AROUND = re.compile(
    r"\brequire|\bimport\b|\busing\b|\blibrary\(|\bfiles?\b|exists|\bSys\.|\bsys\.|\bos\.|version|interactive"
    r"|\bENV\b|environ|\bplatform|\binstall|download|url|http|\btry"
)
_OWN_WORDS = 6
"""Letters of a message that no language has by chance."""
SHOWS_NOTHING = "it fails, and whether the document means it to could not be told: it shows no output of it"
_ABOVE, _BELOW = 5, 6
"""Lines of prose around a chunk that may be about it."""


def is_meant_to_fail(document: Document, chunk: Chunk, line: int) -> bool:
    """Whether words around a failing statement say that something is wrong there.

    Parameters
    ----------
    document : Document
        As it was read.
    chunk : Chunk
        The chunk that fails.
    line : int
        The failing line of its code, counted from 1; 0 where it is not known.
    """
    code = chunk.code.split("\n")
    near = code[max(0, line - 3) : line + 2] if line else code
    remarks = [remark for text in near for remark in text.partition("#")[2:]]
    said = [*remarks, *(block.text for block in chunk.output), *_prose(document, chunk)]
    return any(_SAID.search(text) for text in said)


def ends_itself(chunk: Chunk, run: ChunkRun) -> bool:
    """Whether code fails by its own words, in every session alike: what it leaves is what its author had.

    Parameters
    ----------
    chunk : Chunk
        The chunk that fails.
    run : ChunkRun
        Its result. Where the code asks for packages, files or the machine, these may decide that it fails.
    """
    if run.error is None or _ASKS_AROUND.search(chunk.code):
        return False
    own = [words for _, words in _ENDS.findall(chunk.code) if len(words) >= _OWN_WORDS]
    return any(words in run.error.message for words in own)


def succeeds_there(chunk: Chunk, run: ChunkRun) -> bool:
    """Whether a document shows output of code that fails, or of its chunk behind it, that is no error.

    Parameters
    ----------
    chunk : Chunk
        The chunk that fails.
    run : ChunkRun
        Its result. What was printed before it failed says nothing of the rest.
    """
    error, left = run.error, run.left
    if error is None or left is None:
        return False
    line = (error.line or 0) - max(1, chunk.code_line) + 1 if error.line else 0
    shown = [block for block in chunk.output if kind_of(block) in ("printed", "table") and block.certain]
    behind = [block for block in shown if not 0 < block.after < line]
    if any(block.after for block in behind):
        return True
    if not behind or not left.text.strip():
        return bool(behind)
    whole = "\n".join(block.text for block in behind)
    return compare_printed(whole, left.text, chunk.language).kind not in LIKE


def _prose(document: Document, chunk: Chunk) -> list[str]:
    """The lines of the file around a chunk, as far as it can be read."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        lines = document.path.read_text(encoding="utf-8").split("\n")
        last = max([chunk.end_line, *(block.line + block.text.count("\n") for block in chunk.output)])
        return lines[max(0, chunk.line - 1 - _ABOVE) : chunk.line - 1] + lines[last : last + _BELOW]
    return []
