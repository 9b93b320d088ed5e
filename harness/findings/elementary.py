"""How far machines may be apart in what Julia makes of exactly known numbers by an elementary function.

Its ``exp``, ``sin`` and ``log`` give one of the two doubles next to the exact value, on every machine and in
every version: they are the language's own, and no library of the machine's. Where all that they are given is
rounded alike everywhere, and nothing but products and quotients are made of it, two prints are a few units of
the last digit apart at most. What is published further off is no machine's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

from harness.documents.written_numbers import digits_of
from harness.findings.exact_julia import computes_alike
from harness.findings.flow import NotRead
from harness.findings.julia_flow import julia_parts
from harness.findings.julia_syntax import Token, julia_statements, tokens_with_texts

_UNIT = 2.0**-52
"""The most that one unit of the last digit is of a number."""
_NEXT = frozenset(["exp", "expm1", "log", "log1p", "sin", "cos", "atan"])
"""Functions that give one of the two next doubles: two machines are one unit apart at most."""
_ELEMENTARY = _NEXT.union(
    ["exp2", "exp10", "log2", "log10", "tan", "asin", "acos", "sinh", "cosh", "tanh", "cbrt"]
)
"""With those that were up to two units off in some version."""
_SHARES = {name: _UNIT if name in _NEXT else 3 * _UNIT for name in _ELEMENTARY}
_NO_NUMBERS = frozenset(["Float32", "BigInt", "BigFloat", "zeros", "ones", "fill"])
"""What makes numbers of another precision, or matrices, of which a function is none of their elements."""
_PRINTS = frozenset(["println", "print", "show", "display", "string", "repr", "@show"])
_KEEPS = _PRINTS.union(["abs", "sqrt", "√", "collect", "zip", "Float64", "π", "pi", "ℯ"])
"""What leaves the last digits of what it is given as near to each other as they were."""
NEARLY_ALL = 15
"""Digits that only who prints all of them shows."""
_OPERATORS = frozenset(["(", ")", ",", ";", "[", "]", ".", "::", "$", "="])
_MULTIPLY = frozenset(["*", "/", ".*", "./"])
_COMPARE = frozenset(["==", "!=", "<", ">", "<=", ">=", "≤", "≥"])
_WORDS = frozenset(["function", "return", "if", "else", "elseif", "end", "true", "false"])


def no_machine_computes(pairs: Sequence[tuple[str, str]], code: str, language: str) -> bool:
    """Whether a number is published further off than machines are from each other.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Numbers as published and as printed.
    code, language : str
        The code that they are of, with all that it depends on, and what it is written in.
    """
    most = _apart_at_most(code) if language == "julia" else None
    if most is None:
        return False
    try:
        values = [(float(left), float(right)) for left, right in pairs if left != right and _is_whole(left)]
    except ValueError:
        return False
    return any(abs(left - right) > most * abs(right) for left, right in values)


def _is_whole(number: str) -> bool:
    """Whether a number shows nearly all digits: of others, a printer or a hand has rounded it."""
    return digits_of(number) >= NEARLY_ALL


@lru_cache(maxsize=1024)
def _apart_at_most(code: str) -> float | None:
    """By what share of a number machines may print another one of code; None where that is not known."""
    if not computes_alike(code, _ELEMENTARY):
        return None
    try:
        parts, statements = julia_parts(code), julia_statements(code)
        tokens = tokens_with_texts(code)
    except NotRead:
        return None
    bound = {name for part in parts for name in part.sets | part.defines}
    if bound & _ELEMENTARY or any(map(_is_none_of_it, tokens)):
        return None
    functions, values = dict(_SHARES), dict[str, float]()
    total = 0.0
    for part, statement in zip(parts, statements, strict=True):
        if not any(token.text in functions or token.text in values for token in statement):
            continue
        share = _share(statement, part.defines, functions, values)
        if share is None:
            return None
        (functions if part.defines else values).update(dict.fromkeys(part.sets, share))
        total += 0.0 if part.defines else share
    return total or None


def _is_none_of_it(token: Token) -> bool:
    """Whether a token computes with another precision, or is a text that holds more of code than names."""
    if token.kind == "number":
        return "f" in token.text and not token.text.startswith("0x")
    return token.text in _NO_NUMBERS or (token.kind == "string" and "$(" in token.text)


def _share(
    found: Sequence[Token],
    defines: Set[str],
    functions: Mapping[str, float],
    values: Mapping[str, float],
) -> float | None:
    """By what share machines are apart in a statement that computes otherwise on them; None if unknown."""
    share, at = 0.0, 0
    if defines:
        # What a function holds in names of its own, and what it gives itself, is not followed.
        words = [token.text for token in found]
        if words.count("=") > (words[0] != "function") or any(words.count(name) > 1 for name in defines):
            return None
    inexact = functions.keys() | values.keys()
    while at < len(found):
        token, behind = found[at], [other.text for other in found[at + 1 : at + 3]]
        called = behind[:1] == ["("] or behind == [".", "("]
        end = _end_of(found, at + 1 + (behind[0] == ".")) if called else at + 1
        given = [other.text for other in found[at + 1 : end]]
        exact = called and inexact.isdisjoint(given)
        if token.text in functions:
            if not exact or (token.text == "log" and "," in given):
                return None
            share, at = share + functions[token.text] + _UNIT * _is_times(found, at), end
        else:
            # What is computed in brackets of exact numbers alone is the same everywhere.
            skipped = exact and token.text not in defines
            moved = _moved(found, at, values, plain=not called or exact or token.text in _KEEPS | defines)
            if moved is None:
                return None
            share, at = share + moved, end if skipped else at + 1
    return share


def _moved(found: Sequence[Token], at: int, values: Mapping[str, float], *, plain: bool) -> float | None:
    """What one token adds to the share; None of one that may widen it."""
    token, before = found[at], found[at - 1] if at else None
    ended = before is not None and (before.kind in ("name", "number") or before.text in (")", "]"))
    if token.kind == "name":
        counts = _is_times(found, at) or token.text in ("sqrt", "√")
        return values.get(token.text, 0.0) + counts * _UNIT if plain else None
    if token.kind == "word":
        return 0.0 if token.text in _WORDS else None
    if token.kind in ("number", "newline", "string") or token.text in _OPERATORS:
        return 0.0
    if token.text in _MULTIPLY:
        return _UNIT
    if token.text == "-" and not ended:
        return 0.0
    compared = [found[place] for place in (at - 1, at + 1) if 0 <= place < len(found)]
    known = all(other.kind in ("name", "number") and other.text not in values for other in compared)
    return 0.0 if token.text in _COMPARE and known else None


def _is_times(found: Sequence[Token], at: int) -> bool:
    """Whether a name stands right behind the number that it is multiplied by."""
    return at > 0 and found[at - 1].kind == "number" and not found[at].blank


def _end_of(found: Sequence[Token], at: int) -> int:
    """Behind where the bracket is closed that opens at a place."""
    depth = 0
    for place in range(at, len(found)):
        depth += (found[place].text in ("(", "[", "{")) - (found[place].text in (")", "]", "}"))
        if not depth:
            return place + 1
    return len(found)
