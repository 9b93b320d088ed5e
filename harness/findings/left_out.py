"""Whether a published text is a part of what the code prints, which its author may have chosen to show."""

from __future__ import annotations

import re

from harness.documents.model import Chunk
from harness.findings.outputs import shows_error
from harness.findings.parts import parts_of, text_of
from harness.findings.wrapped import without_marks

_MARKED = re.compile(r"\s*#[#>]")
_PRINTS_NOTHING = re.compile(
    r"\s*(?:[\w.$\[\]\"', ]+(?:<<?-|=(?!=))|(?:suppress\w+\()?(?:library|require|set\.seed)\()"
)


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
    """Whether a text is the beginning of what code prints, and of knitr or a notebook, which show all of it.

    Parameters
    ----------
    chunk : Chunk
        Code of R: where several of its statements print, one may be shown as a table or as a picture.
    published, produced : str
        The two texts.
    """
    block = next((block for block in chunk.output if block.text == published), None)
    if chunk.language != "r" or block is None or len(chunk.output) > 1 or shows_error(chunk):
        return False
    rows = [row for row in published.split("\n") if row.strip()]
    # The rendered document beside a chunk is knitr's, whatever marks are asked for; a hook may cut it.
    rendered = bool(block.file) and not any("lines" in option for option in chunk.options)
    if not (chunk.cell or rendered or block.info == "output" or all(map(_MARKED.match, rows))):
        return False
    mine, theirs = ([row for row in _rows(text) if row] for text in (published, produced))
    printing = [
        part
        for part in parts_of(chunk.code, "r") or ()
        if not _PRINTS_NOTHING.match(text_of(chunk.code, part))
    ]
    return len(printing) == 1 and mine == theirs[: len(mine)]


def _rows(text: str) -> list[str]:
    return [" ".join(row.split()) for row in without_marks(text).split("\n")]
