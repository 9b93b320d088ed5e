"""Kinds of values that no version of Julia since 1.0 gives for each other: of numbers, and types by name.

That a fraction of whole numbers is one, and of which type the parts of an array are, the language has said
alike in all these versions, whatever it calls the type: ``Array{Float64,1}`` is ``Vector{Float64}``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from harness.findings.apart import Apart
from harness.findings.number_pairs import unwrapped

_KINDS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("whole", r"[-+]?\d[\d_]*"),
        ("fraction", r"[-+]?\d[\d_]*\.\d+(?:[eE][-+]?\d+)?"),
        ("ratio", r"[-+]?\d+//\d+"),
        ("complex", r"[-+]?[\d.]+(?:e[-+]?\d+)? [-+] [\d.]+(?:e[-+]?\d+)?im"),
        ("truth", r"true|false"),
        ("text", r"\"(?:\\.|[^\"\\\n])*\""),
    )
)
_TYPE = re.compile(r"\b[A-Z]\w*(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})?")
_NAME = re.compile(r"[A-Z]\w*")
_WIDE = frozenset(
    ["Any", "Union", "Number", "Real", "Integer", "Signed", "Unsigned", "AbstractFloat", "Type"]
)
"""Types of what holds values of several: how wide they are, inference has a say in."""
_OF_ELEMENTS = frozenset(["Any", "Float64", "Int64", "String", "SubString"])
"""Types of elements of which some stood for others before 1.0."""


def are_other_kinds(published: str, produced: str) -> bool:
    """Whether two texts are one value each, and of two kinds: a fraction, a ratio, a truth, a text, or none.

    Parameters
    ----------
    published, produced : str
        Two printed texts. A whole number and a fraction are told apart by what pairs numbers.
    """
    texts = [text.strip() for text in (published, produced)]
    kinds = [_kind(text) for text in texts]
    if any(kind == "text" and text[1:-1].strip() in texts for kind, text in zip(kinds, texts, strict=True)):
        return True
    return "" not in kinds and kinds[0] != kinds[1] and set(kinds) != {"whole", "fraction"}


def are_other_types(published: str, produced: str, types: Set[str], machine: Set[str]) -> bool:
    """Whether two texts are the same but for types that they name, all of which mean the same everywhere.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    types : set of str
        Names of types that mean the same in all versions.
    machine : set of str
        Those of which one may stand for the other on another machine.
    """
    texts = [unwrapped(text) for text in (published, produced)]
    bare = [" ".join(_TYPE.sub("<type>", text).split()) for text in texts]
    if bare[0] != bare[1]:
        return False
    named = (["".join(name.split()) for name in _TYPE.findall(text)] for text in texts)
    apart = [pair for pair in zip(*named, strict=True) if pair[0] != pair[1]]
    return bool(apart) and all(_are_unlike(one, other, types - _WIDE, machine) for one, other in apart)


def are_other_elements(apart: Sequence[Apart]) -> bool:
    """Whether nothing but types of elements differ that have been what they are since Julia 1.0.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs between two texts.
    """
    return bool(apart) and all({pair.published, pair.produced} <= _OF_ELEMENTS for pair in apart)


def _are_unlike(one: str, other: str, types: Set[str], machine: Set[str]) -> bool:
    """Whether two types are no names of one, on whatever machine."""
    names = [_NAME.findall(text) for text in (one, other)]
    # Of one value, a version names the types of the elements too.
    in_part = names[0][:1] == names[1][:1] and "{" not in min(one, other, key=len)
    if in_part or not set(names[0] + names[1]) <= types:
        return False
    fixed = [[name for name in found if name not in machine] for found in names]
    return fixed[0] != fixed[1] or len(names[0]) != len(names[1])


def _kind(text: str) -> str:
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(text)), "")
