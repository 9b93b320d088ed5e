"""HTML that Franklin's Markdown has between ``~~~``, which opens no listing there."""

from __future__ import annotations

import re

_INLINE = re.compile(r"(?P<indent>[ \t]*)~~~(?=[ \t]*<)(?P<html>.*?)~~~")
_OPEN = re.compile(r"[ \t]*~~~[ \t]*</?[a-z]")
_ALONE = re.compile(r"[ \t]*~~~[ \t]*")
_TAG = re.compile(
    r"\s*</?(?:a|br|center|details|div|embed|figure|h\d|hr|iframe|img|link|object|p|pre|script|span|style|table|video)\b",
    re.I,
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def without_marks(text: str) -> str:
    """Return Markdown without the ``~~~`` around HTML; every line keeps its number.

    Parameters
    ----------
    text : str
        The text of a document. A ``~~~`` above anything but a tag of HTML opens a listing, as ever.
    """
    if "~~~" not in text or "<" not in text:
        return text
    lines = text.split("\n")
    fence = ""
    within = False
    for number, line in enumerate(lines):
        below = lines[number + 1] if number + 1 < len(lines) else ""
        mark = _FENCE.match(line)
        if fence:
            if mark is not None and mark[1].startswith(fence) and line.strip() == mark[1]:
                fence = ""
        elif _INLINE.match(line):
            lines[number] = _INLINE.sub(r"\g<indent>\g<html>", line, count=1)
        elif _OPEN.match(line) and (end := _closed(lines, number + 1)):
            lines[number] = line.replace("~~~", "", 1)
            lines[end] = lines[end].replace("~~~", "", 1)
        elif _ALONE.fullmatch(line) and (within or _TAG.match(below)):
            lines[number], within = "", not within
        elif mark is not None and not within:
            fence = mark[1]
    return "\n".join(lines)


def _closed(lines: list[str], first: int) -> int:
    """The line on which the HTML ends that begins above; 0 where a blank line comes first."""
    for number in range(first, len(lines)):
        if not lines[number].strip():
            return 0
        if "~~~" in lines[number]:
            return number
    return 0
