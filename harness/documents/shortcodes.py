"""Code blocks of Jekyll and Hugo as fences, each line where it was."""

from __future__ import annotations

import re

_OPEN = re.compile(
    r"\s*(?:\{%-?\s*highlight\s+(?P<jekyll>[\w+-]+)[^%]*-?%\}|\{\{[<%]\s*highlight\s+\"?(?P<hugo>[\w+-]+)\"?[^>%]*[>%]\}\})\s*"
)
_CLOSE = re.compile(r"\s*(?:\{%-?\s*endhighlight\s*-?%\}|\{\{[<%]\s*/\s*highlight\s*[>%]\}\})\s*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TAGS = re.compile(r"\s*(?:</?[a-zA-Z][^<>]*>\s*)+")
_MARK = "~" * 12


def fenced(text: str) -> str:
    """Return a document's text with ``{% highlight r %}`` and its like as fences.

    Parameters
    ----------
    text : str
        A document in Markdown.

    Returns
    -------
    str
        As many lines; a block that is never closed stays as it is.
    """
    if "highlight" not in text:
        return text
    lines = text.split("\n")
    fence = ""
    opened: tuple[int, str] | None = None
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if opened is None and mark is not None:
            if not fence:
                fence = mark[1]
            elif line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        if fence:
            continue
        if opened is None and (found := _OPEN.fullmatch(line)):
            opened = number, found["jekyll"] or found["hugo"]
        elif opened is not None and _CLOSE.fullmatch(line):
            start, language = opened
            lines[start], lines[number] = f"{_MARK} {language}", _MARK
            _end_html(lines, start)
            opened = None
    return "\n".join(lines)


def _end_html(lines: list[str], start: int) -> None:
    """Take away the tags right above a fence: Markdown would take it as a part of their HTML."""
    for number in range(start - 1, -1, -1):
        if not lines[number].strip():
            break
        if _TAGS.fullmatch(lines[number]):
            lines[number] = ""
