"""Frames of pandas that are written to through a part of them, and stay as they were since pandas 3."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from harness.documents.model import Chunk
from harness.findings.names import names_in, upstream
from harness.findings.slices import statements_behind

OF_PANDAS_3 = "since pandas 3, what is written to a part of a frame leaves the frame as it was"
_PART = re.compile(
    r"(?m)^[ \t]*(?P<frame>\w+)(?:\.\w+)*"
    r"(?:\[[^\]\n]*\]|\.(?!i?loc\b|i?at\b)\w+)\[[^\]\n]*\][ \t]*[-+*/]?=(?!=)"
)
_METHOD = re.compile(
    r"(?m)^[ \t]*(?P<frame>\w+)(?:\.\w+|\[[^\n]*?\])+\.\w+\([^\n]*\binplace[ \t]*=[ \t]*True"
)
_TAKEN = re.compile(
    r"(?m)^[ \t]*(?P<part>\w+)[ \t]*=[ \t]*(?P<frame>\w+)(?:\.\w+|\[[^\n]*\])+[ \t]*(?:#.*)?$"
)


def is_written_through(chunks: Sequence[Chunk], chunk: Chunk, shown: str) -> bool:
    """Whether an output needs a frame that is written to above through a part of it.

    Parameters
    ----------
    chunks : sequence of Chunk
        Those of the document.
    chunk : Chunk
        The chunk of the output.
    shown : str
        The part of its code that the output is of.
    """
    above = "\n".join(part.code for part in chunks[: chunk.index + 1] if part.language == "python")
    if chunk.language != "python" or "pandas" not in above:
        return False
    return bool(
        written_through(above) & names_in(statements_behind(upstream(chunks, chunk), shown), "python").reads
    )


@lru_cache(maxsize=1024)
def written_through(code: str) -> frozenset[str]:
    """Return the names of what is written to through a column, a row or another part of it.

    Parameters
    ----------
    code : str
        Some statements of Python, in their order.
    """
    found = {one["frame"] for pattern in (_PART, _METHOD) for one in pattern.finditer(code)}
    for taken in _TAKEN.finditer(code):
        if taken["part"] == taken["frame"]:
            continue  # what had the name before is out of reach
        written = rf"(?m)^[ \t]*{taken['part']}(?:\.\w+)?\[[^\]\n]*\][ \t]*[-+*/]?=(?!=)"
        if re.search(written, code[taken.end() :]):
            found.add(taken["frame"])
    return frozenset(found)
