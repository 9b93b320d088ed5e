"""Brackets that nothing of Python prints so: a lost one, or one of another kind, with all else the same.

What a version shows otherwise, it shows in brackets that close. The arguments of a call, as of ``array()``,
stand in parentheses in all versions; so does the term of a formula, and what is listed within NumPy's and
PyTorch's arrays stands in square brackets.
"""

from __future__ import annotations

import re

from harness.findings.apart import places_apart

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_OPENS = {close: opened for opened, close in _PAIRS.items()}
_QUOTED = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_BEFORE = re.compile(r"(?<=\w)\s+(?=[\[({])")
"""What lies between a word and a bracket that is none of its call."""
_CUT = re.compile(r"\.\.\.|…")
_OF_ARRAYS = re.compile(r"(?:\b(?:array|tensor)\(|\[)$")
_LISTED = re.compile(r"\b(?:array|tensor)\(")


def are_of_nothing(published: str, printed: str) -> bool:
    """Whether two texts differ in nothing but brackets, and nothing prints them as they are published.

    Parameters
    ----------
    published, printed : str
        The two texts, of which the second was printed by Python.
    """
    left, right = (
        "".join(_BEFORE.sub("\0", _QUOTED.sub("''", text)).split()) for text in (published, printed)
    )
    if left == right or _without(left) != _without(right) or _CUT.search(left) or not _close(right):
        return False
    if not _close(left):
        # Who leaves a part out leaves the brackets around it out: at either end, and no text between.
        return abs(len(left) - len(right)) <= 1
    places = places_apart(left, right) if len(left) == len(right) else []
    if len(places) != 2 or _closing(right, places[0]) != places[1]:
        return False
    first, last = places
    before, inner = right[:first], right[first + 1 : last]
    if right[first] == "(":
        called = before[-1:].isalnum() or before[-1:] == "_"
        return left[first] == "[" and (called or _is_a_term(inner))
    # Of an array, what its type is and how long it is stand in parentheses too.
    return (left[first], right[first]) == ("(", "[") and bool(
        _LISTED.search(before) and _OF_ARRAYS.search(before)
    )


def _is_a_term(inner: str) -> bool:
    """Whether something in parentheses is computed, and is neither a tuple nor an interval."""
    return "," not in inner and re.search(r"\w[-+*/]\w", inner) is not None


def _without(text: str) -> str:
    return re.sub(r"[\[\](){}]", "", text)


def _close(text: str) -> bool:
    """Whether all brackets of a text are closed, in the order in which they were opened."""
    opened: list[str] = []
    for sign in text:
        if sign in _PAIRS:
            opened.append(sign)
        elif sign in _OPENS and (not opened or opened.pop() != _OPENS[sign]):
            return False
    return not opened


def _closing(text: str, at: int) -> int:
    """Where the bracket that is opened at a place is closed, in a text of which all are."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in _PAIRS) - (text[place] in _OPENS)
        if depth == 0:
            return place
    return -1
