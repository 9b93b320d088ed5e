"""Heads of Julia's listings, such as ``3-element Vector{Int64}``: do two of them say the same?

Versions name types otherwise, and show what lies around an array, as a view does, by its type or by the call
that makes it. What an array itself is called is one of two names in all of them, and a word that stands in
the place of another is another type.
"""

from __future__ import annotations

import re

from harness.documents.tokens import Shape, canonical_type

_OF_OTHERS = """
Adjoint Transpose RowVector ConjArray SubArray ReshapedArray ReinterpretArray PermutedDimsArray
"""
_VIEWS = frozenset(_OF_OTHERS.split())
"""Types that versions show by a call, or give in place of an array."""
_STEPPING = """
UnitRange StepRange StepRangeLen LinRange LinSpace FloatRange Range OneTo
"""
_RANGES = frozenset(_STEPPING.split())
"""Types that versions give in place of each other."""
_PLAIN = frozenset(["Array", "Vector", "Matrix", "BitArray", "BitVector", "BitMatrix"])
"""What an array itself is called; an author may leave out what it holds."""
_NAMED = """
Any Bool Char Complex Float16 Float32 Float64 Int8 Int16 Int32 Int64 Int128 Integer Missing Nothing Number
Real Rational String Symbol Tuple NTuple Union UInt8 UInt16 UInt32 UInt64 UInt128 TwicePrecision Slice
Colon CartesianIndex AbstractArray AbstractVector AbstractMatrix AbstractRange
true false
"""
_KNOWN = frozenset(_NAMED.split()) | _VIEWS | _RANGES | _PLAIN
"""Parameters of types, which are not the same in all versions."""
_KIND = re.compile(r"[A-Z]\w* (?!with )")
"""What stands before the type, as in ``2×2 Named Matrix{Int64}``."""
_CALL = re.compile(r"[\w.!]+\(.*\)")
_RANGE = re.compile(r"(?<![\w.:])\d+:\d+(?::\d+)?(?![\w.:])")
"""What a view is of, as all versions show it."""
_STORED = re.compile(r" with (\d+) stored entr(?:y|ies)\b")
"""What Julia counts of a sparse array."""
_TYPE = re.compile(r"\b[A-Z]\w*")
_WORD = re.compile(r"[^\W\d]\w*!?")


def type_of_head(spelled: str) -> str:
    """Return the type that a head names, as the newest versions spell it; empty where it shows a call.

    Parameters
    ----------
    spelled : str
        What stands behind the size.
    """
    kind = _KIND.match(spelled)
    before = kind[0] if kind else ""
    bare = spelled.removeprefix(before).split(" with ")[0]
    return "" if _CALL.fullmatch(bare) else before + canonical_type(bare)


def are_like_heads(published: Shape, produced: Shape) -> bool:
    """Whether two heads say the same size, elements and type, as far as both say them.

    Parameters
    ----------
    published, produced : Shape
        Two heads.
    """
    if published.dims != produced.dims:
        return False
    stored = [_STORED.findall(text) for text in (published.text, produced.text)]
    if stored[0] != stored[1] and stored[1] and " with " in published.text:
        return False
    ranges = [_RANGE.findall(text) for text in (published.text, produced.text)]
    if ranges[0] != ranges[1] and len(ranges[0]) == len(ranges[1]):
        return False
    if published.element and produced.element and published.element != produced.element:
        return False
    mine, theirs = published.type, produced.type
    if mine.count("{") != mine.count("}"):
        return False
    if not mine or mine == theirs:
        return True
    if not theirs:
        # What a call makes is of types that it names, or of those that are known.
        return set(_TYPE.findall(mine)) <= _KNOWN | set(_TYPE.findall(produced.text))
    names = {text.partition("{")[0] for text in (mine, theirs)}
    if names & _VIEWS and not mine.startswith((*_VIEWS, *_RANGES, *_PLAIN, theirs.partition("{")[0])):
        return False
    if names & _VIEWS or names <= _RANGES or (len(names) == 1 and not names & _PLAIN):
        # Of the same type, or of one around an array, versions say more or less.
        known = _KNOWN | set(_WORD.findall(theirs))
        return set(_WORD.findall(mine)) <= known
    return mine in _PLAIN and names <= _PLAIN
