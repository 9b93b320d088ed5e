"""A script as blocks: its paragraphs of whole statements, and the text in its marked comments.

Marks are those of knitr's ``spin`` (``#'``), jupytext (``# %% [markdown]``) and Literate (``#-``, ``#+``).
"""

from __future__ import annotations

import re
import textwrap

from harness.documents.continued import parsed
from harness.documents.markdown import Fence
from harness.documents.scan import scan

SCRIPTS = {".py": "python", ".r": "r", ".jl": "julia"}
_SPUN = re.compile(r"#'(?: |$)")
_CELL = re.compile(r"#(?:[ \t]*%%|[-+](?=\s|$)|\+)(?P<rest>.*)")
_TEXT = re.compile(r"\[(?:markdown|md)\]", re.I)
_MOST = 20
"""Places that may end a paragraph and do not; each costs one more reading of it."""
_COMMENT = re.compile(r"\s*#")


def script_blocks(text: str, language: str) -> tuple[Fence, ...]:
    """Return the code of a script, and the text between it.

    Parameters
    ----------
    text : str
        The script.
    language : str
        ``python``, ``r`` or ``julia``.

    Returns
    -------
    tuple of Fence
        Code is parted at blank lines above code, where all that stands above is whole, so that what fails
        ends no more than its own paragraph.
    """
    lines = text.rstrip("\n").split("\n")
    blocks: list[Fence] = []
    at = 0
    while at < len(lines):
        cell = _CELL.fullmatch(lines[at])
        end = at + 1
        if _SPUN.match(lines[at]):
            while end < len(lines) and _SPUN.match(lines[end]):
                end += 1
            blocks.append(_prose(lines, at, end, "#'"))
        elif cell is not None and _TEXT.search(cell["rest"]):
            while end < len(lines) and lines[end].startswith("#") and not _CELL.fullmatch(lines[end]):
                end += 1
            blocks.append(_prose(lines, at + 1, end, "#"))
        elif cell is None and lines[at].strip():
            end = _end_of_code(lines, at, language)
            code = "\n".join(lines[at:end]).rstrip("\n") + "\n"
            blocks.append(Fence("fence", at, end, code, language))
        at = end
    return tuple(block for block in blocks if block.text.strip())


def _prose(lines: list[str], first: int, end: int, mark: str) -> Fence:
    text = textwrap.dedent("\n".join(line.removeprefix(mark) for line in lines[first:end])).strip()
    return Fence("prose", first + 1, end, text)


def _end_of_code(lines: list[str], first: int, language: str) -> int:
    """The line behind a paragraph of code: the first one above code of its own that ends all statements."""
    missed = 0
    for end in range(first + 1, len(lines)):
        if _SPUN.match(lines[end]) or _CELL.fullmatch(lines[end]):
            return end
        begins = lines[end].strip() and not lines[end - 1].strip() and not _COMMENT.match(lines[end])
        if begins and missed < _MOST and not lines[end].startswith((" ", "\t")):
            if _is_whole("\n".join(lines[first:end]), language):
                return end
            missed += 1
    return len(lines)


def _is_whole(code: str, language: str) -> bool:
    if language == "python":
        return parsed(code) is not None
    read = scan(code, language)
    return read is not None and next((line.ends for line in reversed(read) if line.code.strip()), True)
