"""Which other seeds are tried of code that draws: those of which none gives by chance what is published."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from harness.documents.model import Chunk, Document
from harness.findings.apart import tokens_of, values_apart
from harness.findings.code_changes import Change, mistyped_seeds_of, seeds_in, seeds_of
from harness.findings.evidence import Pairs, numbers_in
from harness.findings.rounding import ITERATES

_CERTAIN = 12
"""Digits that none of many seeds gives by chance."""
_LONG = 4
"""Digits of a number that is drawn anew as a whole."""
_VALUES = 8
"""Short numbers that each are another, and together are as good as long ones."""
_TYPED = 5
"""Digits that none of the few seeds gives by chance which a slip of the hand makes of one."""
_USED = 3
"""Digits of a seed that stands elsewhere, and here with two of them turned."""
_SHARES = 10_000
"""Of how many, at most, something is a share that is counted."""
_SAME = Fraction(1, 10**11)
_FITTED = re.compile(r"\bsklearn\b|\bk_?means\b|\bcluster", re.IGNORECASE)
"""What gives one of few results, whatever the seed: another one, another version picks as well."""


def other_seeds(part: Document, published: str, printed: str, chunks: Sequence[Chunk]) -> list[Change]:
    """Return the seeds that are tried of an output's code; none where chance may give what is published.

    Parameters
    ----------
    part : Document
        The statements of the output.
    published, printed : str
        The two texts.
    chunks : sequence of Chunk
        Those of the whole document. A slip of the hand for a seed that stands elsewhere is no chance.
    """
    apart = _apart(published, printed)
    needed = [one for one in reversed(part.chunks) if one.code.strip()]
    code = "\n".join(one.code for one in needed)
    fitted = ITERATES.search(code) or _FITTED.search(code)
    if fitted and sum(len(_digits(left)) >= _LONG for left, _ in apart) < _VALUES:
        return []
    found = [change for one in needed for change in mistyped_seeds_of(one)]
    many = _are_many(apart, numbers_in(published, printed)) or _are_other_words(published, printed, code)
    if _says_all(apart) or (not fitted and many):
        found += [change for one in needed for change in seeds_of(one)]
        return list(dict.fromkeys(found))
    digits = sum(len(_other_digits(*pair)) for pair in apart)
    if digits < _TYPED:
        used = {seed for one in chunks for seed in seeds_in(one.code) if len(seed) >= _USED}
        found = [one for one in found if one.new in used and sorted(one.new) == sorted(one.old)]
        return found if digits > 1 else []
    return list(dict.fromkeys(found))


def _apart(published: str, printed: str) -> Pairs:
    """The numbers that differ; where a draw decides how many there are, those that are not printed."""
    pairs = numbers_in(published, printed)
    if pairs:
        return [pair for pair in pairs if pair[0] != pair[1]]
    left, right = (
        [text for kind, text in tokens_of(part) if kind == "number"] for part in (published, printed)
    )
    return [(number, "") for number in left if number not in right]


def _says_all(apart: Pairs) -> bool:
    long = [digits for left, _ in apart if len(digits := _digits(left)) >= _LONG]
    return len("".join(long)) >= _CERTAIN


def _are_many(apart: Pairs, pairs: Pairs) -> bool:
    """Whether so many short numbers are other ones that no other seed gives them all."""
    enough = len(apart) >= _VALUES and sum(len(_digits(left) or "0") for left, _ in apart) >= _CERTAIN
    return enough and not _are_renamed(pairs)


def _are_renamed(pairs: Pairs) -> bool:
    """Whether each of few values stands for one of the others all over, also where it is the same."""
    lefts, rights = ({pair[side] for pair in pairs} for side in (0, 1))
    return len(set(pairs)) == len(lefts) == len(rights) <= len(pairs) // 2


def _are_other_words(published: str, printed: str, code: str) -> bool:
    """Whether so many words are others, or so many letters of one that the code does not say."""
    apart = values_apart(published, printed) or ()
    drawn = [pair.published for pair in apart if pair.what == "text"]
    rows = sum(left != right for left, right in zip(published.split("\n"), printed.split("\n"), strict=False))
    if len(drawn) == 1:
        return len(drawn[0].strip("'\"")) >= _CERTAIN and drawn[0] not in code
    return len(drawn) >= _CERTAIN and rows >= _LONG


def _digits(number: str) -> str:
    """The digits of a number that chance decides: of a share, as of two thirds, those of its part."""
    plain = re.sub(r"[^\d.].*", "", number.lstrip("-+"))
    if len(plain) >= _CERTAIN:
        share = Fraction(plain).limit_denominator(_SHARES)
        plain = str(share.numerator) if abs(share - Fraction(plain)) < _SAME else plain
    return plain.replace(".", "").lstrip("0")


def _other_digits(left: str, right: str) -> str:
    """The digits of a number from the first on that is another."""
    same = next((n for n, pair in enumerate(zip(left, right, strict=False)) if pair[0] != pair[1]), 0)
    return re.sub(r"\D|[eE].*", "", left[same:]).lstrip("" if right else "0")
