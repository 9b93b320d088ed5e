"""The names, numbers, operators and texts that a line of Python, R or Julia is written with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

_TOKEN = re.compile(
    r"""(?P<text>(?:[fFrRbBuU]{0,2})(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))"""
    r"|(?P<number>(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?L?)"
    r"|(?P<name>[^\W\d](?:[\w.!]*\w)?(?:!(?=\.?\())?)"
    r"|(?P<operator>%\S*?%|<-|->|\|>|=>|\*\*|\.?(?:===?|!==?|<=|>=|&&|\|\||//|[-+*/^÷\\]=?|[<>&|!])"
    r"|\.=|[@=%≤≥≠⋅])"
    r"|(?P<mark>::|\.?\(|[)\[\]{},:;~?$.])"
)
_BRACKETS = {**dict.fromkeys("([{", 1), **dict.fromkeys(")]}", -1)}
_WORD = re.compile(r"[^\W\d][\w.]*")
_TRANSPOSED = frozenset(")]}'")
_MOST_LINES = 20
"""Lines of one statement."""


class Token(NamedTuple):
    """A word of a line, of what sort, and where it begins and ends."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def opens(self) -> int:
        """How many more brackets are open behind it: one, none, or one less."""
        return _BRACKETS.get(self.text, 0)


def depths(tokens: Sequence[Token]) -> list[int]:
    """How many brackets are open before each token, and behind the last."""
    return [*accumulate((one.opens for one in tokens), initial=0)]


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


def unread(lines: Sequence[str]) -> dict[str, range]:
    """The variables and parameters that are set and stand nowhere else, and which lines could read them.

    Parameters
    ----------
    lines : sequence of str
        Of a program; a name counts in texts too, which may have it between braces.
    """
    found: dict[str, range] = {}
    seen: Counter[str] = Counter()
    depth = 0
    for number, line in enumerate(lines, start=1):
        tokens = tokens_of_line(line)
        if depth == 0 and len(tokens) > 1 and tokens[0].kind == "name" and tokens[1].text in ("=", "<-"):
            inside = line[0].isspace()
            found[tokens[0].text] = range(number + 1, _end(lines, number) if inside else len(lines) + 1)
        found.update(dict.fromkeys(_parameters(tokens), range(number + 1, _end(lines, number))))
        for one in tokens:
            depth += one.opens
            if one.kind in ("name", "text"):
                # An attribute's name is one with what it is of.
                seen.update(
                    {name for whole in _WORD.findall(one.text) for name in (whole, *whole.split("."))}
                )
    return {name: where for name, where in found.items() if seen[name] == 1 and not name.startswith("self.")}


def _end(lines: Sequence[str], number: int) -> int:
    """The number of the line behind the function that a line is in, or begins."""
    rest = enumerate(lines[number:], start=number + 1)
    return next((n for n, line in rest if line and not line[0].isspace()), len(lines) + 1)


def _parameters(tokens: Sequence[Token]) -> Iterator[str]:
    """The parameters of a function that a line begins."""
    depth = 0
    header = False
    for before, one in pairwise(tokens):
        header |= before.text in ("def", "function")
        depth += header * before.opens
        if header and depth == 1 and one.kind == "name" and before.text in ("(", ",", ";"):
            yield one.text
        if header and depth == 0 and before.text == ")":
            return


def columns_of(tokens: Sequence[Token]) -> Iterator[tuple[str, Token]]:
    """The columns of tables: what each is of, and its name, behind ``$`` or as a text in brackets."""
    for n in range(len(tokens) - 2):
        base, mark, one = tokens[n : n + 3]
        if base.kind == "name" and (
            (mark.text == "$" and one.kind == "name")
            or (mark.text == "[" and one.kind == "text" and tokens[min(n + 3, len(tokens) - 1)].text == "]")
        ):
            yield base.text, one


def statement_lines(lines: Sequence[str], number: int) -> range:
    """The numbers of the lines of what begins at a line (from 1), up to where its brackets are closed."""
    depth = 0
    for end in range(number, min(len(lines), number + _MOST_LINES) + 1):
        tokens = tokens_of_line(lines[end - 1])
        depth += depths(tokens)[-1]
        if depth <= 0 and not (tokens and tokens[-1].kind == "operator"):
            return range(number, end + 1)
    return range(number, number + 1)
