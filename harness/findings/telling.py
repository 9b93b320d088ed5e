"""How much two texts say by what differs: whether other code gives a published one by chance."""

from __future__ import annotations

import re

from harness.findings.apart import tokens_of, values_apart

_SURE = 8
"""Letters and digits of several values that none of many changes gives by chance."""
_SEVERAL, _ALONE = 3, 4
"""Letters and digits of values, and of one alone, that no change gives by chance."""

_KIND = re.compile(
    r"['\"]?(?:u?int|float|complex|double|integer|numeric|half|longdouble|U?Int|Float|Complex|Big)[\w.]*['\"]?"
)
_MIXES = re.compile(
    r"promot|result_type|typejoin|\bop\b|\w\)?\s*[-+*/^%]\s*\(?\w|\b(?:sum|mean|prod|div|dot)\("
)
"""What gives a kind of number that is none of its arguments', and another one by version and machine."""


def is_of_mixed_kinds(published: str, printed: str, code: str) -> bool:
    """Whether only kinds of numbers differ that code makes of several: which one that is, changed.

    Parameters
    ----------
    published, printed, code : str
        The two texts, and what they are computed by.
    """
    apart = values_apart(published, printed) or ()
    kinds = all(_KIND.fullmatch(text) for pair in apart for text in (pair.published, pair.produced))
    return bool(apart) and kinds and _MIXES.search(code) is not None


def says_much(published: str, printed: str) -> bool:
    """Whether several values differ in so many digits that none of many changes gives them by chance.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    return len(values_apart(published, printed) or ()) > 1 and signs_of(published, printed) >= _SURE


def signs_of(published: str, printed: str) -> int:
    """How many letters and digits the values have that are published and not printed.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    apart = values_apart(published, printed) or ()
    return sum(len(re.sub(r"\W", "", pair.published).strip("0")) for pair in apart if pair.what != "truth")


def tells(published: str, printed: str) -> bool:
    """Whether a published text differs in so much that no other change of the code gives it by chance.

    Parameters
    ----------
    published, printed : str
        The two texts. Where lines are left out in front or behind, nothing follows.
    """
    apart = values_apart(published, printed)
    if apart is not None:
        telling = sum(pair.what != "truth" for pair in apart)
        return signs_of(published, printed) >= (_SEVERAL if telling > 1 else _ALONE)
    left, right = ([text for _, text in tokens_of(text)] for text in (published, printed))
    if _is_whole(published) and _is_whole(printed):
        return len(re.sub(r"\W", "", published)) >= _SEVERAL
    if left in (right[: len(left)], right[len(right) - len(left) :]):
        return False
    return len(re.sub(r"\W", "", published)) >= _SEVERAL


def _is_whole(text: str) -> bool:
    """Whether a text is one value in brackets, of which no lines are left out."""
    return re.fullmatch(r"\s*[\w.]*[(\[{](?:(?!\.\.\.|…).)*[)\]}]\s*", text, re.DOTALL) is not None
