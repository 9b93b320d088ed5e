"""Whether a published text is a part of what the code prints, which its author may have chosen to show."""

from __future__ import annotations

import re

from harness.documents.model import Chunk, Document, OutputBlock
from harness.findings.one_place import lacks_an_end, lacks_one_of_its_kind, row_left_out
from harness.findings.outputs import piece, shows_error
from harness.findings.parts import parts_of, text_of
from harness.findings.torn import is_torn
from harness.findings.wrapped import without_marks

_MARKED = re.compile(r"\s*#[#>]")
_ELIDED = re.compile(r"\.\.\.|…|⋮|⋯|\btruncated\b|\bsnip\b")
_SHOWS_ANEW = re.compile(r"\bclear_output\b|\bdisplay\b|^%%|\\r|\binput\(", re.MULTILINE)
"""What takes away, or shows in another way, what a cell has printed."""
_SAYS_A_PART = re.compile(
    r"\b(?:first|last|top|bottom|some|few)\s+(?:\w+\s+)?(?:rows?|lines?|entries|records|observations)\b"
    r"|\b(?:omit|truncat|abbreviat|shorten|excerpt|snip|cut off|partial|in part)|\bpart of\b|\betc\b",
    re.IGNORECASE,
)
"""How an author says that only a part of what code prints is shown."""
_PRINTS_NOTHING = re.compile(
    r"\s*(?:[\w.@\"']+(?:\([^()]*\)|\[[^\[\]]*\]|\[\[[^\[\]]*\]\]|[$@][\w.\"]+)*\s*(?:<<?-|=(?!=))"
    r"|(?:suppress\w+\()?(?:library|require|set\.seed|data|options|rm|setwd|invisible|par|hist|barplot|boxplot|lines"
    r"|points|abline|legend|attach|detach)\()"
)
"""Statements of R that print nothing: those that set a name or a part of one, draw, or load."""


def is_a_part(published: str, produced: str) -> bool:
    """Whether all published lines are among the printed ones, in order.

    Parameters
    ----------
    published, produced : str
        The two texts.
    """
    rest = iter(_rows(produced))
    return all(any(line == other for other in rest) for line in _rows(published) if line)


def is_printed_whole(chunk: Chunk, published: str, produced: str) -> bool:
    """Whether a text is what code prints without its end or its first line, of what shows all: of knitr, say.

    Parameters
    ----------
    chunk : Chunk
        Code of R: where several of its statements print, one may be shown as a table or as a picture.
    published, produced : str
        The two texts.
    """
    place, block = _block(chunk, published)
    if chunk.language != "r" or block is None or shows_error(chunk):
        return False
    # Of one output in several blocks, all but one line of a block stands where it is printed.
    apart = len(chunk.output) > 1 and not all(other.after for other in chunk.output)
    if apart and not lacks_an_end(published, produced):
        return False
    rows = [row for row in published.split("\n") if row.strip()]
    # The rendered document beside a chunk is knitr's, whatever marks are asked for; a hook may cut it.
    rendered = bool(block.file) and not any("lines" in option for option in chunk.options)
    if not (chunk.cell or rendered or block.info == "output" or all(map(_MARKED.match, rows))):
        return False
    mine, theirs = ([row for row in _rows(text) if row] for text in (published, produced))
    code = piece(chunk, place)
    printing = [part for part in parts_of(code, "r") or () if not _PRINTS_NOTHING.match(text_of(code, part))]
    if len(printing) != 1:
        return False
    return mine == theirs[: len(mine)] or mine == theirs[1:] or lacks_an_end(published, produced)


def is_kept_whole(chunk: Chunk, published: str) -> bool:
    """Whether a text is what a notebook keeps of a cell: all that it prints, unless its author shortens it.

    Parameters
    ----------
    chunk : Chunk
        A cell. Each value of R's is an output of its own there: `is_printed_whole` asks for those.
    published : str
        One of its outputs.
    """
    _, block = _block(chunk, published)
    if not chunk.cell or chunk.language == "r" or block is None or block.info not in ("stdout", "result"):
        return False
    return not (_ELIDED.search(published) or _SHOWS_ANEW.search(chunk.code) or shows_error(chunk))


def may_be_lost(published: str, produced: str, language: str) -> bool:
    """Whether one line alone is missing that an author who shows a part would not leave out by itself.

    Parameters
    ----------
    published, produced : str
        The two texts.
    language : str
        What printed them.
    """
    torn = language == "r" and is_torn(published, produced)
    return torn or row_left_out(published, produced) > 0 or lacks_one_of_its_kind(published, produced)


def is_said_to_be_a_part(document: Document, chunk: Chunk, published: str, produced: str) -> bool:
    """Whether dots that code does not print, or words around it, say that a part is left out.

    Parameters
    ----------
    document : Document
        As it was read.
    chunk, published, produced : Chunk, str, str
        The code, its output, and what it prints.
    """
    dots = [len(_ELIDED.findall(text)) for text in (published, produced)]
    above = [part.text for part in document.prose if part.after == chunk.index - 1]
    below = [part.text for part in document.prose if part.after == chunk.index]
    said = "\n".join([*above[-1:], *below[:1], chunk.code, published])
    return dots[0] > dots[1] or bool(_SAYS_A_PART.search(said))


def _block(chunk: Chunk, published: str) -> tuple[int, OutputBlock | None]:
    found = ((place, block) for place, block in enumerate(chunk.output) if block.text == published)
    return next(found, (0, None))


def _rows(text: str) -> list[str]:
    return [" ".join(row.split()) for row in without_marks(text).split("\n")]
