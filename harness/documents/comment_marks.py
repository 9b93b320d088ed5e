"""The mark that knitr puts before printed lines, where it is none of the usual ones."""

from __future__ import annotations

import re

KNOWN = "#>"
_OWN = re.compile(r"\s*(#{1,4}[>|:!'-]+|#{3,4})(?: |$)")


def with_known_mark(text: str, mark: object = "") -> str:
    """Return printed lines behind ``#>``, where all of them stand behind another mark.

    Parameters
    ----------
    text : str
        A published output.
    mark : object
        The chunk's option ``comment``, where it is known; else a mark that begins with ``#`` is told from the
        lines, which all have the same.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if not isinstance(mark, str) or not mark.strip():
        found = _OWN.match(lines[0]) if lines else None
        mark = found[1] if found is not None else ""
    mark = mark.strip()
    if not mark or mark in (KNOWN, "##"):
        return text
    if not all(line.lstrip() == mark or line.lstrip().startswith(f"{mark} ") for line in lines):
        return text
    return re.sub(rf"(?m)^(\s*){re.escape(mark)}(?= |$)", rf"\1{KNOWN}", text)
