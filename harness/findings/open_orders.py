"""Whether nothing but an order differs that code leaves open, or which of equals comes first."""

from __future__ import annotations

import re
from collections import Counter

from harness.findings.dict_order import goes_through_a_dict
from harness.findings.julia_order import leaves_order_open
from harness.findings.no_order import have_their_labels, is_beside_what_is_whole, no_order_gives
from harness.findings.number_pairs import unwrapped
from harness.findings.r_sessions import moved_words, stand_otherwise, words_of
from harness.findings.slips import without_texts

_LEFT_OPEN = re.compile(
    r"\b(?:arg)?partition\b|\bargsort\b|\b(?:frozen)?set\(|\bCounter\(|\bmost_common\("
    r"|\bgroupby\(|\bvalue_counts\(|\.(?:keys|values|items)\(|\b(?:i?glob|listdir|list\.files|readdir)\("
    r"|\bsort_values\(|\bnlargest\(|\bnsmallest\(|\border\(|\bsortperm\(|\bDict\(|\bSet\(|\bunique\b"
    r"|\{[^{}\n:]+(?:,[^{}\n:]+)*\}|\bglobals\(|\blocals\(|\bvars\(|\beig\w*\(|\beigen\(|\bsvd\b|\bkmeans\b"
)
_GOES_THROUGH = re.compile(r"\.(?:keys|values|items)\((?!\)\s*[-&|^])")
"""What goes through a dict of Python: in its order, where that is none that was left open before 3.7."""
_ORDERED_IN_R = re.compile(r"\b(?:order\(|unique\b)")
"""What R gives in an order of its own: equals stay in theirs, and of texts the locale has been asked."""
_MOVES_ROWS = re.compile(r"\b(?:groupby|value_counts|sort_values|nlargest|nsmallest)\(")
"""What leaves the order of a table's rows open, each of which keeps its label."""
_SORTED_BY_R = re.compile(
    r"\b(?:sort|order|factor|as\.factor|table|levels|arrange|split|tapply|aggregate|rank|ls)\("
)
_FIRST_OF = re.compile(
    r"\bmost_common\(|\b(?:max|min)\([^\n]*\bkey\b|\bmode\(|\bidxm(?:ax|in)\(|\bvalue_counts\(|\bnlargest\(|\bnsmallest\("
)
PLACES_IN_R = re.compile(r"\b(?:as\.(?:integer|numeric)|unclass|order|rank|xtfrm|which|match|str)\(|\[\d+\]")
"""What shows a place in an order, or what stands in one: one number alone may be another there."""


def only_the_order(
    published: str, produced: str, code: str, language: str = "r", *, before_3_7: bool = False
) -> bool:
    """Whether two texts hold the same words and numbers, and the code leaves open in which order.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    code, language : str
        The code that they are of, with all that it depends on, and what it is written in.
    before_3_7 : bool
        Whether Python may have been one whose dicts had no order.
    """
    texts = [unwrapped(text) if language == "julia" else text for text in (published, produced)]
    left, right = (re.findall(r"[\w.+-]+", text) for text in texts)
    if Counter(left) != Counter(right):
        return False
    # No order of Python makes other brackets of those that stand around the same in the same order.
    signs = {"".join(sorted(re.sub(r"[\s\w.+-]", "", text))) for text in texts}
    if language == "python" and left == right and len(signs) > 1:
        return False
    if language == "python" and (
        no_order_gives(published, produced, code) or is_beside_what_is_whole(published, produced, code)
    ):
        return False
    if before_3_7 and goes_through_a_dict(code):
        return True
    if language == "julia":
        return leaves_order_open(code)
    # Whether capitals, blanks and points stand before small letters is the locale's, in R: of words that
    # stand elsewhere, if any do.
    words = moved_words(published, produced)
    # Where none does, an order can show in nothing but the numbers of places.
    words = words or (words_of(produced) if PLACES_IN_R.search(code) else [])
    local = language == "r" and stand_otherwise(words)
    # Braces hold statements in R, and no set.
    plain = without_texts(code).replace("{" if language == "r" else "\0", "(")
    if language == "python":
        plain = _GOES_THROUGH.sub("(", plain)
    if language == "r":
        plain = _ORDERED_IN_R.sub("(", plain)
    if have_their_labels(published, produced):
        plain = _MOVES_ROWS.sub("(", plain)
    return _LEFT_OPEN.search(plain) is not None or (local and _SORTED_BY_R.search(code) is not None)


def between_equals(published: str, produced: str, shown: str) -> bool:
    """Whether two texts hold the same numbers, and other words where the first of equals is taken.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    shown : str
        The code that they are of.
    """
    left, right = (re.findall(r"(?<![\w.])[-+]?\d[\d.]*", text) for text in (published, produced))
    return bool(left) and left == right and _FIRST_OF.search(shown) is not None
