"""Whether two printed texts that differ hold the same values, in another form or in another order.

What a version prints otherwise says nothing of what it computes: a table whose columns stand in another
order, another name of the same type, the text of an object that shows none of its values.
"""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from functools import lru_cache

from harness.findings.apart import tokens_of
from harness.findings.judging_state import JudgingState, Key
from harness.findings.number_pairs import same_digits
from harness.findings.outputs import produced
from harness.model.article import BlockKind

_MANY = 3
"""Numbers that are not the same by chance."""
_COMPLEX = re.compile(r"[jJ]$|im$")
_OBJECT = re.compile(r"<(?!-)[^<>\n]*>")
"""How Python shows an object that has no text of its own."""
_NAMES = """
object str string category dtype name length int int32 int64 float float32 float64 array index
"""
_TYPES = frozenset(_NAMES.split())
"""Words that say which type values have, and how many there are."""


@lru_cache(maxsize=1024)  # asked of all outputs of a document for each that differs
def hold_the_same(published: str, produced: str) -> bool:
    """Whether two texts hold the same values, so far as both show their digits.

    Parameters
    ----------
    published, produced : str
        Two printed texts. Of few numbers their words are to be the same too.
    """
    left, right = (_OBJECT.sub(" ", text) for text in (published, produced))
    if not left.split() and not right.split():
        return True
    tokens = [tokens_of(text) for text in (left, right)]
    numbers = [sorted(_numbers(found)) for found in tokens]
    if len(numbers[0]) != len(numbers[1]):
        return False
    for (_, mine), (_, theirs) in zip(*numbers, strict=True):
        short, long = same_digits(mine, theirs)
        if short != long and Decimal(short) != Decimal(long):
            return False
    if len(numbers[0]) >= _MANY:
        return True
    words = [Counter(_words(found)) for found in tokens]
    return bool(words[0]) and words[0] == words[1]


def holds_the_same(state: JudgingState, key: Key) -> bool:
    """Whether an output differs in the form or the order of what it shows alone.

    Parameters
    ----------
    state : JudgingState
        The document.
    key : Key
        The output.
    """
    chunk = state.chunks[key[0]]
    if state.verdicts[key].kind is not BlockKind.DIFFERS:
        return False
    return hold_the_same(chunk.output[key[1]].text, produced(chunk, state.runs.published.of(chunk), key[1]))


def _numbers(tokens: list[tuple[str, str]]) -> list[tuple[Decimal, str]]:
    plain = (text.replace("_", "") for kind, text in tokens if kind == "number")
    return [(Decimal(text), text) for text in plain if not _COMPLEX.search(text)]


def _words(tokens: list[tuple[str, str]]) -> list[str]:
    """The words that name no type, and the complex numbers, which have no order."""
    words = (
        text.strip("'\"")
        for kind, text in tokens
        if kind in ("word", "quoted", "truth") or (kind == "number" and _COMPLEX.search(text))
    )
    return [word for word in words if word.lower() not in _TYPES]
