"""Variables of Julia that are no names of the session: of loops, comprehensions and small functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.findings.julia_syntax import Token

_BRACKETS = {"(": ")", "[": "]", "{": "}"}


def loop_variables(head: Sequence[Token]) -> set[str]:
    """Return the variables of a loop, which are its own; not one that runs through a value of its own name.

    Parameters
    ----------
    head : sequence of Token
        What stands behind ``for``: ``i in 1:3, (k, v) in pairs``.
    """
    own, through, at = set[str](), set[str](), 0
    while (clause := _clause(head, at)) is not None:
        given, end = clause
        named = {token.text for token in head[at:given] if token.kind == "name"}
        through |= {token.text for token in head[given:end] if token.kind == "name"} - own
        own |= named - through
        at = end + 1
    return own


def _clause(head: Sequence[Token], at: int) -> tuple[int, int] | None:
    """Where what a loop runs through begins, and where it ends; None where no variable stands."""
    given = next((n for n in range(at, len(head)) if head[n].text in ("in", "=", "∈")), len(head))
    before = head[at:given]
    if given == len(head) or not all(one.kind == "name" or one.text in ("(", ")", ",") for one in before):
        return None
    depth = 0
    for place in range(given, len(head)):
        depth += (head[place].text in _BRACKETS) - (head[place].text in _BRACKETS.values())
        if not depth and head[place].text == ",":
            return given, place
    return given, len(head)


def own_names(tokens: Sequence[Token]) -> list[set[str]]:
    """Return for each token the names that a comprehension, or a small function around it, has of its own.

    Parameters
    ----------
    tokens : sequence of Token
        Some code.
    """
    own: list[set[str]] = [set() for _ in tokens]
    opened: list[int] = []
    for place, token in enumerate(tokens):
        if token.text in _BRACKETS and token.kind == "op":
            opened.append(place)
        elif token.text in _BRACKETS.values() and token.kind == "op" and opened:
            begin = opened.pop()
            for name, where in _names_inside(tokens, begin + 1, place):
                for at in where:
                    own[at].add(name)
    return own


def _names_inside(tokens: Sequence[Token], begin: int, end: int) -> Iterator[tuple[str, range]]:
    """Yield the names that what stands in brackets has of its own, each with where it is known."""
    depth, start = 0, begin
    for place in range(begin, end):
        token = tokens[place]
        depth += (token.text in _BRACKETS) - (token.text in _BRACKETS.values())
        if depth:
            continue
        if token.text in (",", ";"):
            start = place + 1
        elif token.text == "->":
            given = tokens[start:place]
            if all(one.kind == "name" or one.text in ("(", ")", ",") for one in given):
                where = range(start, _comma(tokens, place, end))
                yield from ((one.text, where) for one in given if one.kind == "name")
        elif token.text == "for" and place > begin:
            # A comprehension has no statements: all that stands in front of its loop is computed in it.
            last = next((n for n in range(place + 1, end) if tokens[n].text in ("for", "if")), end)
            yield from ((name, range(start, end)) for name in loop_variables(tokens[place + 1 : last]))


def _comma(tokens: Sequence[Token], begin: int, end: int) -> int:
    """Where the next comma stands that is not within brackets."""
    depth = 0
    for place in range(begin, end):
        depth += (tokens[place].text in _BRACKETS) - (tokens[place].text in _BRACKETS.values())
        if not depth and tokens[place].text in (",", ";"):
            return place
    return end
