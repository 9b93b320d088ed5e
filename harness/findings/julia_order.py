"""Whether code of Julia goes through a Dict or a Set, whose order is each version's, and picks one of it."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from harness.findings.flow import NotRead
from harness.findings.julia_syntax import Token, marked, tokens_with_texts

_UNORDERED = frozenset({"Dict", "Set", "IdDict", "WeakKeyDict", "countmap"})
_HOLD_THEM = frozenset({"keys", "values", "pairs", "collect"})
"""Functions that give all that they are given, in its order."""
_ALIKE = frozenset(
    {"length", "isempty", "sort", "sort!", "maximum", "minimum", "extrema", "sum", "all", "any", "count"}
)
"""Functions of one argument that give the same in whatever order it is gone through."""
_ASKED = frozenset({"haskey", "get", "get!", "in", "issubset", "isequal", "issetequal", "getindex"})
_CHANGED = frozenset({"push!", "delete!", "setindex!", "empty!", "sizehint!"})
"""Functions that give the whole when they are done, which shows where nothing stands behind."""
_COMPARED = frozenset({"==", "!=", "≠", "⊆", "⊊", "⊈"})
_ANNOTATES = frozenset({"::", "<:", ">:", "{", "isa"})
_STARTS = frozenset({"newline", ";", "const", "global", "local", "begin"})
_CLAUSES = frozenset({"for", "if", "elseif", "while", "return", "&&", "||", "=", "?", "->"})
_IN = frozenset({"in", "∈", "∉"})
_OTHERWISE_OPEN = re.compile(
    r"\breaddir\(|\beig\w*\(|\bsvd\w*\(|\bkmeans\b|\bgroupby\(|\b\w*join\(\w+,\s*\w+,|\bpartialsort"
    r"|\bsort!?\([^\n]*\b(?:by|lt|alg)\b"
)
"""What else leaves an order open; of equals that are no numbers, sort() keeps it."""
_PICKED = """
collect first last pop! popfirst! enumerate break take iterate zip map foldl foldr reduce accumulate while
by lt max min < > <= >= ≤ ≥
"""
_PICKS = frozenset(_PICKED.split())
_FINDS = re.compile(r"(?:find|arg|cum)\w+")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def leaves_order_open(code: str) -> bool:
    """Whether code may show in which order something comes that no version and no machine fixes.

    Parameters
    ----------
    code : str
        Some statements of Julia, with all that they depend on.
    """
    return _OTHERWISE_OPEN.search(code) is not None or goes_through_a_set(code)


@lru_cache(maxsize=4096)
def goes_through_a_set(code: str) -> bool:
    """Whether code may show in which order a Dict or a Set holds what is in it: all but to look things up.

    Parameters
    ----------
    code : str
        Some statements of Julia; of those that cannot be read it may, where they name one.
    """
    try:
        return _goes_through(tokens_with_texts(code))
    except NotRead:
        return any(name in code for name in _UNORDERED)


@lru_cache(maxsize=4096)
def picks_one(code: str) -> bool:
    """Whether code may take what comes first, or the place of something, so that an order makes other values.

    Parameters
    ----------
    code : str
        Some statements of Julia. What it does alike to all that it goes through is the same in any order.
    """
    try:
        opened: list[str] = []
        indexes = False
        before = Token("newline", "\n", 0, False)
        for token in marked(tokens_with_texts(code), opened):
            if token.text in _PICKS or _FINDS.fullmatch(token.text):
                return True
            if token.text == "return" and {"for", "while"} & set(opened):
                return True
            if indexes and (token.kind == "number" or token.text == "end"):
                return True
            indexes = token.text == "[" and not token.blank and (before.kind == "name" or before.text in ")]")
            if indexes and before.text in ")]":
                return True
            before = token
    except NotRead:
        return True
    return False


def _goes_through(found: Sequence[Token]) -> bool:
    named: set[str] = set()
    made: list[tuple[int, int]] = []
    for at, token in enumerate(found):
        if token.text not in _UNORDERED or token.kind != "name":
            continue
        end = _behind(found, at)
        if end is None:
            if _text(found, at - 1) not in _ANNOTATES:
                return True
        elif _text(found, at - 1) == "=" and _is_start(found, at - 3) and found[at - 2].kind == "name":
            named.add(found[at - 2].text)
        else:
            made.append((at, end))
    made += [(at, at) for at in _uses(found, named)]
    return not all(_is_looked_up(found, *place) for place in made)


def _text(found: Sequence[Token], at: int) -> str:
    return found[at].text if 0 <= at < len(found) else "\n"


def _is_start(found: Sequence[Token], at: int) -> bool:
    return at < 0 or found[at].kind == "newline" or found[at].text in _STARTS


def _behind(found: Sequence[Token], at: int) -> int | None:
    """Where a call ends that begins with a name, and perhaps its parameters; None where it is none."""
    at += 1
    if _text(found, at) == "{":
        at = _closing(found, at) + 1
    return _closing(found, at) if _text(found, at) == "(" else None


def _closing(found: Sequence[Token], at: int) -> int:
    opening, closing, depth = found[at].text, _CLOSING[found[at].text], 0
    for place in range(at, len(found)):
        depth += (found[place].text == opening) - (found[place].text == closing)
        if not depth:
            return place
    raise NotRead(f"line {found[at].line}")


def _uses(found: Sequence[Token], named: Set[str]) -> list[int]:
    """Where names stand whose values are used."""
    return [
        at
        for at, token in enumerate(found)
        if token.text in named
        and token.kind == "name"
        and _text(found, at - 1) != "."
        and not (_text(found, at + 1) == "=" and _is_start(found, at - 1))
    ]


def _is_looked_up(found: Sequence[Token], at: int, end: int) -> bool:
    """Whether an expression is asked for nothing that depends on its order."""
    while True:
        before, behind = _text(found, at - 1), _text(found, end + 1)
        if behind == "[" and not found[end + 1].blank:
            return True
        if {before, behind} & _COMPARED:
            return True
        if before in _IN:
            return not _is_gone_through(found, at - 1)
        called = _text(found, at - 2) if before == "(" else ""
        if called in _ASKED or (before == "," and _is_asked(found, at)):
            return True
        if called in _CHANGED:
            close = _closing(found, at - 1)
            return _is_start(found, at - 3) and any(t.kind != "newline" for t in found[close + 1 :])
        if behind == ")" and called in _ALIKE:
            return True
        if behind != ")" or called not in _HOLD_THEM:
            return False
        at, end = at - 2, end + 1


def _is_asked(found: Sequence[Token], at: int) -> bool:
    """Whether an expression is the second argument of what asks whether something is in it."""
    opened = next((n for n in range(at - 1, -1, -1) if found[n].text == "("), None)
    return opened is not None and _text(found, opened - 1) in ("in", "issubset", "isequal", "issetequal")


def _is_gone_through(found: Sequence[Token], at: int) -> bool:
    """Whether what stands behind ``in`` is gone through in a loop, and not asked whether it has something."""
    for token in reversed(found[:at]):
        if token.text in _CLAUSES or token.kind == "newline":
            return token.text == "for"
    return False
