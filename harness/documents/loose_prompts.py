"""Transcripts that stand in Markdown without a fence, as listings, each line where it was."""

from __future__ import annotations

import re

_PROMPT = re.compile(r" {0,3}(?:>>>|julia>)(?: |$)")
_FENCE = re.compile(r" *(?:> ?)*(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)$")
_LISTING = " " * 4
"""What makes a listing of a line below a blank one."""


def as_listings(text: str) -> str:
    """Indent the paragraphs that begin with the prompt of Python or Julia and stand in no fence.

    Parameters
    ----------
    text : str
        A document in Markdown, which takes ``>>>`` for a quotation in a quotation, and what stands below for
        its words. A fence that is indented as a listing is, and whose text is not, is moved to the margin.

    Returns
    -------
    str
        As many lines.
    """
    if _any_prompt(text) is None:
        return text
    lines = text.split("\n")
    fence, loose = "", False
    for number, line in enumerate(lines):
        found = _FENCE.fullmatch(line)
        if fence:
            if found is not None and found["marks"].startswith(fence) and not found["info"].strip():
                lines[number] = line.lstrip() if line.startswith(_LISTING) else line
                fence = ""
        elif found is not None:
            below = lines[number + 1] if number + 1 < len(lines) else ""
            if not line.startswith(_LISTING):
                fence = found["marks"]
            elif _PROMPT.match(below):
                fence, lines[number] = found["marks"], line.lstrip()
            loose = False
        elif not line.strip():
            loose = False
        elif loose or (_PROMPT.match(line) and (not number or not lines[number - 1].strip())):
            loose = True
            lines[number] = _LISTING + line
    return "\n".join(lines)


def _any_prompt(text: str) -> re.Match[str] | None:
    return re.search(rf"(?m)^{_PROMPT.pattern}", text)
