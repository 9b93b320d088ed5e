"""Where in a line an expression stands that another may take the place of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from harness.programs.code_tokens import Token, depths, statement_lines, tokens_of_line

_SETS = frozenset({"=", "<-", ".="})
_ADDS = {f"{dot}{operator}=": operator for dot in ("", ".") for operator in "+-*/"}
_TESTS = frozenset({"if", "elif", "elseif", "while"})
_NEVER = frozenset(
    {"for", "import", "from", "using", "library", "def", "class", "else", "with", "try", "struct"}
)


class Slot(NamedTuple):
    """An expression of a line: what it is for, where it begins and ends, and what stands there.

    ``added_to`` is what it is added to, with the operator, and ``set_at`` where that operator stands.
    """

    sort: str
    start: int
    end: int
    text: str
    added_to: tuple[str, str] | None = None
    set_at: tuple[int, int] = (0, 0)


def statement(lines: Sequence[str], number: int) -> str:
    """The text of what begins at a line (from 1), up to where its brackets are closed."""
    found = []
    for line in statement_lines(lines, number):
        if tokens := tokens_of_line(lines[line - 1]):
            found.append(lines[line - 1][: tokens[-1].end])
    return " ".join([*found[:1], *map(str.strip, found[1:])])


def slots(language: str, line: str) -> list[Slot]:
    """The expressions of a line: the whole that is set, returned or tested first, then its arguments.

    Parameters
    ----------
    language : str
        In which it is written.
    line : str
        Of a program.
    """
    tokens = tokens_of_line(line)
    whole = _whole(language, line, tokens)
    if whole is None:
        return []
    inside = [one for one in tokens if whole.start <= one.start and one.end <= whole.end]
    found = [whole] if not depths(inside)[-1] else []
    for start, end in _arguments(inside):
        if (start, end) != (whole.start, whole.end):
            found.append(Slot("value", start, end, line[start:end]))
    return found


def _whole(language: str, line: str, tokens: Sequence[Token]) -> Slot | None:
    first = 1 if tokens and tokens[0].text == "}" else 0
    words = [one.text for one in tokens]
    if first and words[1:3] == ["else", "if"]:
        first = 2
    if len(tokens) <= first or (words[first] in _NEVER and words[first] != "def"):
        return None
    if words[first] in _TESTS:
        return _test(language, line, tokens, first)
    begin, added, set_at = 0, None, (0, 0)
    depth = depths(tokens)
    for n, one in enumerate(tokens):
        if depth[n] == 0 and (one.text in _SETS or one.text in _ADDS or one.text == "return"):
            begin = n + 1
            if one.text in _ADDS:
                added, set_at = (line[: one.start].strip(), _ADDS[one.text]), (one.start, one.end)
            break
    begin = _behind_header(tokens, begin)
    end = len(tokens)
    while end > begin and tokens[end - 1].text in (",", ";", "{"):
        end -= 1
    if end <= begin or words[begin] in _NEVER:
        return None
    start, stop = tokens[begin].start, tokens[end - 1].end
    return Slot("value", start, stop, line[start:stop], added, set_at)


def _test(language: str, line: str, tokens: Sequence[Token], first: int) -> Slot | None:
    begin, end = first + 1, len(tokens)
    if language == "python":
        end = max((n for n, one in enumerate(tokens) if one.text == ":"), default=0)
    elif begin < end and tokens[begin].text == "(" and language == "r":
        depth = depths(tokens[begin:])
        if 0 in depth[1:]:
            begin, end = begin + 1, begin + depth.index(0, 1) - 1
    if end <= begin:
        return None
    start, stop = tokens[begin].start, tokens[end - 1].end
    return Slot("test", start, stop, line[start:stop])


def _behind_header(tokens: Sequence[Token], begin: int) -> int:
    """Behind the parameters of a function that is written in one line."""
    if begin >= len(tokens) or tokens[begin].text not in ("function", "lambda"):
        return begin
    end = ":" if tokens[begin].text == "lambda" else ")"
    depth = depths(tokens)
    behind = (
        n for n, one in enumerate(tokens) if n > begin and one.text == end and depth[n + 1] == depth[begin]
    )
    return next(behind, len(tokens) - 1) + 1


def _arguments(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where arguments and what stands in brackets begin and end, of those that compute something."""
    starts: list[int] = []
    for n, one in enumerate(tokens):
        if one.opens > 0:
            starts.append(n + 1)
        elif starts and (one.opens < 0 or one.text in (",", ";")):
            part = tokens[starts[-1] : n]
            if len(part) > 2 and part[0].kind == "name" and part[1].text == "=":
                part = part[2:]
            if len(part) > 1 and _computes(part):
                yield part[0].start, part[-1].end
            if one.opens < 0:
                starts.pop()
            else:
                starts[-1] = n + 1


def _computes(tokens: Sequence[Token]) -> bool:
    return any(one.kind == "operator" or one.text == "(" for one in tokens)
