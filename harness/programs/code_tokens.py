"""The names, numbers, operators and texts that a line of Python, R or Julia is written with."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

_TOKEN = re.compile(
    r"""(?P<text>(?:[fFrRbBuU]{0,2})(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))"""
    r"|(?P<number>(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?L?)"
    r"|(?P<name>[^\W\d](?:[\w.!]*\w)?(?:!(?=\.?\())?)"
    r"|(?P<operator>%\S*?%|<-|->|\|>|=>|\*\*|\.?(?:===?|!==?|<=|>=|&&|\|\||//|[-+*/^÷\\]=?|[<>&|!])"
    r"|\.=|[@=%≤≥≠⋅])"
    r"|(?P<mark>::|\.?\(|[)\[\]{},:;~?$.])"
)
_TRANSPOSED = frozenset(")]}'")


class Token(NamedTuple):
    """A word of a line, of what sort, and where it begins and ends."""

    kind: str
    text: str
    start: int
    end: int


def tokens_of_line(line: str) -> list[Token]:
    """The words of a line, without a comment."""
    found: list[Token] = []
    at = 0
    while at < len(line):
        if line[at] == "#":
            break
        if line[at] == "'" and found and found[-1].end == at and _can_be_transposed(found[-1]):
            found.append(Token("operator", "'", at, at + 1))
            at += 1
            continue
        match = _TOKEN.match(line, at)
        if match is None:
            at += 1
            continue
        # A call for each element is a call.
        text = "(" if match[0] == ".(" else match[0]
        found.append(Token(str(match.lastgroup), text, at, match.end()))
        at = match.end()
    return found


def _can_be_transposed(token: Token) -> bool:
    """Whether a quote behind a word is an operator, in Julia."""
    return token.kind in ("name", "number") or token.text in _TRANSPOSED


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
        variable = one.kind == "name" and after not in ("(", "=", "::") and one.text not in words
        variable = variable and before != "::"
        if variable or (one.kind == "text" and before in ("[", ",") and after == "]"):
            yield n


def columns_of(tokens: Sequence[Token]) -> Iterator[tuple[str, Token]]:
    """The columns of tables: what each is of, and its name, behind ``$`` or as a text in brackets."""
    for n in range(len(tokens) - 2):
        base, mark, one = tokens[n : n + 3]
        if base.kind == "name" and (
            (mark.text == "$" and one.kind == "name")
            or (mark.text == "[" and one.kind == "text" and tokens[min(n + 3, len(tokens) - 1)].text == "]")
        ):
            yield base.text, one
