"""Admonitions and tabs of Material for MkDocs, and of Julia's Documenter, as the text that stands in them."""

from __future__ import annotations

import re

_OPEN = re.compile(r"(?P<indent> *)(?:(?:!!!|\?\?\?\+?)[ \t]*[\w-]+\b.*|===[+!]?[ \t]*[\"'].+[\"'])\s*")
_FENCE = re.compile(r" *(?P<mark>`{3,}|~{3,})")
_SET_IN = 4
"""Columns that their text stands in."""


def without_frames(text: str) -> str:
    """Return Markdown without the lines that open an admonition or a tab; what stands in it is at the margin.

    Parameters
    ----------
    text : str
        The text of a document. What stands in a fence is left as it is; every line keeps its number.
    """
    if "!!!" not in text and "???" not in text and "===" not in text:
        return text
    return "\n".join(_without(text.split("\n")))


def _without(lines: list[str]) -> list[str]:
    found: list[str] = []
    fence = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark["mark"].startswith(fence) and line.strip() == mark["mark"] else fence
        elif mark is not None:
            fence = mark["mark"]
        opened = _OPEN.fullmatch(line) if not fence and mark is None else None
        end = _end(lines, at + 1, len(opened["indent"]) + _SET_IN) if opened is not None else at + 1
        if opened is None or not any(text.strip() for text in lines[at + 1 : end]):
            found.append(line)
            at += 1
            continue
        start = len(opened["indent"])
        inside = [text[:start] + text[start + _SET_IN :] for text in lines[at + 1 : end]]
        found += ["", *_without(inside)]
        at = end
    return found


def _end(lines: list[str], first: int, column: int) -> int:
    """Where the lines end that stand in as far as a column; blank ones at the end are left out."""
    end = first
    for number in range(first, len(lines)):
        if lines[number].strip():
            if lines[number][:column].strip():
                break
            end = number + 1
    return end
