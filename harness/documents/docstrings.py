"""Doctests in the docstrings of a source file of Julia, as Documenter finds and runs them.

Written from https://documenter.juliadocs.org/stable/man/doctests/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.documents.markdown import Fence

_QUOTES = '"""'
_RAW = re.compile(r"(?:raw|doc|md)\"\"\"")
_FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<marks>`{3,})(?P<info>jldoctest\b[^`\n]*)")
_SETUP = re.compile(r"\bsetup[ \t]*=[ \t]*(?P<code>:\(.*\))[ \t]*$")
_ESCAPED = re.compile(r"\\([\\\"$`])")
_FILLED = re.compile(r"(?<!\\)\$[\w(]")


def doctests_in(text: str) -> tuple[Fence, ...]:
    """Return the blocks ``jldoctest`` in the docstrings of a source file, each behind its ``setup``.

    Parameters
    ----------
    text : str
        The file. What a docstring is filled with when the file is read cannot be told: that is unread.
    """
    lines = text.split("\n")
    blocks: list[Fence] = []
    at = 0
    while at < len(lines):
        if lines[at].count(_QUOTES) != 1 or lines[at].lstrip().startswith("#"):
            at += 1
            continue
        end = next((n for n in range(at + 1, len(lines)) if _QUOTES in lines[n]), len(lines))
        if end < len(lines):
            blocks += _in_docstring(lines, at + 1, end, raw=_RAW.search(lines[at]) is not None)
        at = end + 1
    return tuple(blocks)


def _in_docstring(lines: Sequence[str], first: int, end: int, *, raw: bool) -> Iterator[Fence]:
    at = first
    while at < end:
        opens = _FENCE.fullmatch(lines[at].rstrip())
        closes = opens and f"{opens['indent']}{opens['marks']}"
        stop = next((n for n in range(at + 1, end) if lines[n].rstrip() == closes), end)
        if opens is None or stop == end:
            at += 1
            continue
        shown = "\n".join(line.removeprefix(opens["indent"]) for line in lines[at + 1 : stop]) + "\n"
        if not raw and _FILLED.search(shown):
            yield Fence("unread", at + 1, stop + 1, shown, "the docstring is filled when the file is read")
        else:
            text = shown if raw else _ESCAPED.sub(r"\1", shown)
            if setup := _SETUP.search(opens["info"]):
                yield Fence("fence", at, at + 1, f"DocTestSetup = {setup['code']}\n", "@meta")
            yield Fence("fence", at + 1, stop + 1, text, opens["info"])
        at = stop + 1
