"""The names, numbers, operators and texts that a line of Python, R or Julia is written with."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

_TOKEN = re.compile(
    r"""(?P<text>(?:[fFrRbBuU]{0,2})(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))"""
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?L?)"
    r"|(?P<name>[^\W\d](?:[\w.!]*\w)?)"
    r"|(?P<operator>%\S*?%|<-|->|\|>|=>|<=|>=|==|!=|&&|\|\||\*\*|//|\.?[-+*/^]=?|\.?[<>]|[@!&|=%\\])"
    r"|(?P<mark>[()\[\]{},:;~?$.])"
)


class Token(NamedTuple):
    """A word of a line, of what sort, and where it begins and ends."""

    kind: str
    text: str
    start: int
    end: int


def tokens_of_line(line: str) -> list[Token]:
    """The words of a line, without a comment."""
    found = []
    at = 0
    while at < len(line):
        if line[at] == "#":
            break
        match = _TOKEN.match(line, at)
        if match is None:
            at += 1
            continue
        found.append(Token(str(match.lastgroup), match[0], at, match.end()))
        at = match.end()
    return found


def numbers_of(lines: Sequence[str]) -> dict[float, str]:
    """The numbers that a program has, by their values, as it writes them."""
    found: dict[float, str] = {}
    for line in lines:
        for one in tokens_of_line(line):
            if one.kind == "number":
                found.setdefault(float(one.text.rstrip("L")), one.text.rstrip("L"))
    return found


def variables(tokens: Sequence[Token], words: Collection[str]) -> Iterator[int]:
    """Which tokens are variables, or columns of a table by their names; ``words`` are none."""
    for n, one in enumerate(tokens):
        before = tokens[n - 1].text if n else ""
        after = tokens[n + 1].text if n + 1 < len(tokens) else ""
        variable = one.kind == "name" and after not in ("(", "=") and one.text not in words
        if variable or (one.kind == "text" and before in ("[", ",") and after == "]"):
            yield n
