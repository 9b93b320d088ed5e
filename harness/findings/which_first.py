"""Which of several comes first where code leaves it open: of equals, of sets, of dicts before Python 3.7."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from harness.findings import slips
from harness.findings.dict_order import goes_through_a_dict
from harness.findings.julia_order import goes_through_a_set, picks_one
from harness.findings.no_order import GOES_OVER, is_beside_what_is_whole
from harness.findings.number_pairs import unwrapped
from harness.findings.one_place import missing_line
from harness.findings.open_orders import PLACES_IN_R
from harness.findings.r_sessions import moved_words, stand_otherwise
from harness.findings.versions import DICTS_HAVE_AN_ORDER, is_since

_TIES = re.compile(r"\barg(?:sort|partition)\b|\btopk\(|\bkthvalue\(|\btorch\.(?:sort|mode)\(")
_STABLE = re.compile(r"\bstable\b|\bmergesort\b")
_SETS = re.compile(
    r"\b(?:frozen)?set\(|\bSet\(|\.(?:difference|intersection|union|symmetric_difference)\("
    r"|(?<![\w\])])\{[^{}\n:]+,[^{}\n:]+\}|\{[^{}\n:]+\bfor\b[^{}\n:]+\}"
)
_SIZE = re.compile(r"\b\d+-element\b|\bwith \d+ (?:element|entr)")
"""How Julia heads what it prints: no order makes it another."""
_WHOLE = re.compile(r"\s*(?:Dict|Set)(?:\{[^\n]*\})?(?:\(| with \d)")
"""How Julia begins to print a whole Dict or Set."""
_SORTS_OF_R = re.compile(
    r"\b(?:sort|order|factor|as\.factor|table|levels|arrange|split|tapply|aggregate|rank|ls|max|min|range|unique|xtfrm)\("
    r"|[\"']\s*[<>]|[<>]\s*[\"']"
)
_TEXT = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_HASHED = re.compile(r"(?<![\w\])])\(\s*[-\w.]+\s*,|[\"']")
_ITEM = re.compile(r"[-+]?\d[\d.]*|[^\W\d]\w*")
_WORD = re.compile(r"[^\W\d_]{4,}")
OF_A_SET = "which items of a set come first is left open, and differs between versions"
_PLAIN = ("True", "False", "None")
_SEVERAL = 3
"""Numbers of which an order that turns one turns another."""
_SHOWN = re.compile(r"\{[^{}:]*\}")
"""A set that is shown whole."""
_SHORT = 3
"""Digits below which a number that differs in one is no slip for sure."""

Pairs = Sequence[tuple[str, str]]


def left_open(
    published: str,
    produced: str,
    pairs: Pairs | None,
    code: str,
    language: str,
    *,
    stated: str,
    same: bool,
) -> str:
    """Say what leaves open which of several items an output shows; empty if nothing does.

    Parameters
    ----------
    published, produced : str
        The text as published, and as the code prints it.
    pairs : sequence of (str, str) or None
        Numbers as published and as printed, where the texts are otherwise the same.
    code, language : str
        The statements that it is computed by.
    stated : str
        The version of the language that the document names.
    same : bool
        Whether that is the one which is here.
    """
    apart = None if pairs is None else [pair for pair in pairs if pair[0] != pair[1]]
    whole = apart is None or all(re.fullmatch(r"[-+]?\d+\.?", text) for pair in apart for text in pair)
    if (pairs is not None and slips.of_the_pen(pairs)) or _is_misspelt(published, produced, code):
        return ""
    if language == "julia":
        other = _are_other_sets(published, produced) or (
            _are_other_characters(published, produced) and not picks_one(code)
        )
        if not (same or other) and goes_through_a_set(code):
            return "in which order a Dict or a Set is gone through differs between versions"
        return ""
    if language == "r":
        # An order shows in the same items in other places, or in the numbers of levels and places.
        ordered = _same_items(published, produced) if pairs is None else whole
        # It turns all numbers of texts that it turns: no order of counts makes one alone another.
        alone = apart is not None and len(apart) == 1 and len(pairs or ()) >= _SEVERAL
        ordered = ordered and not (alone and not PLACES_IN_R.search(code))
        local = ordered and _SORTS_OF_R.search(code) is not None and _by_locale(code)
        moved = moved_words(published, produced)
        local = local and (not moved or stand_otherwise(moved))
        return "whether capitals come before small letters is the locale's" if local else ""
    # As many come in another order as came.
    as_many = len({len(_ITEM.findall(text)) for text in (published, produced)}) == 1
    if whole and as_many and _TIES.search(code) and not _STABLE.search(code):
        return "which of equals comes first is left open"
    picks = apart is None or len(apart) > 1 or _picks_an_item(published, apart, code)
    # What braces hold in a text is put into it.
    beside = is_beside_what_is_whole(published, produced, code) or _says_what_is_in(published, produced)
    if picks and _SETS.search(slips.without_texts(code)) and not beside:
        return OF_A_SET
    # No order takes a line away.
    if missing_line(published, produced):
        return ""
    goes_over = language == "python" and GOES_OVER.search(code) and goes_through_a_dict(code)
    unordered = goes_over and not is_since(stated, DICTS_HAVE_AN_ORDER)
    if unordered and set(_ITEM.findall(published)) <= set(_ITEM.findall(code)):
        return "which item of a dict comes first is left open before Python 3.7"
    return ""


def _is_misspelt(published: str, produced: str, code: str) -> bool:
    """Whether words that the code says are others, which it does not say: no order makes them of it."""
    left, right = (Counter(_WORD.findall(text)) for text in (published, produced))
    mine, theirs = left - right, right - left
    said = {*_WORD.findall(code), *_PLAIN}
    return bool(mine and theirs) and said.issuperset(theirs) and not said.intersection(mine)


def _are_other_sets(published: str, produced: str) -> bool:
    """Whether two texts of Julia are headed by other sizes, or are whole sets and dicts of other items."""
    sizes = [_SIZE.findall(text) for text in (published, produced)]
    if all(sizes) and sizes[0] != sizes[1]:
        return True
    texts = [unwrapped(text) for text in (published, produced)]
    whole = all(_WHOLE.match(text) and not re.search(r"[⋮…]", text) for text in texts)
    first, second = (Counter(_ITEM.findall(text)) for text in texts)
    return whole and first != second


def _are_other_characters(published: str, produced: str) -> bool:
    """Whether two texts of Julia, of which no part is left out, differ in more than their order."""
    texts = [unwrapped(text) for text in (published, produced)]
    if any(re.search(r"[⋮…⋯]", text) for text in texts):
        return False
    first, second = (Counter("".join(text.split())) for text in texts)
    return first != second


def _same_items(published: str, produced: str) -> bool:
    """Whether two texts hold the same words and numbers, or truth values alone, as comparisons give."""
    first, second = (sorted(_ITEM.findall(re.sub(r"\[\d+\]", "", text))) for text in (published, produced))
    return first == second or {*first, *second} <= {"TRUE", "FALSE"}


def _by_locale(code: str) -> bool:
    """Whether the texts of code stand in another order where capitals come first, or signs count."""
    words = [first or second for first, second in _TEXT.findall(code)]
    return stand_otherwise(words)


def _picks_an_item(published: str, apart: Pairs, code: str) -> bool:
    """Whether a small number comes of a set that may hold texts or tuples, not of one that is shown whole.

    Whole numbers have an order in a set; where a text stands is drawn in each run, and two may agree.
    """
    short = all(sum(map(str.isdigit, text)) < _SHORT for pair in apart for text in pair)
    shown = "{" not in published and GOES_OVER.search(code) is not None
    return short and shown and _HASHED.search(code) is not None


def _says_what_is_in(published: str, produced: str) -> bool:
    """Whether two texts are single truth values, or differ in whole sets with other items: of no order."""
    if {published.strip(), produced.strip()} == {"True", "False"}:
        return True
    texts = (published, produced)
    if len({" ".join(_SHOWN.sub("{}", text).split()) for text in texts}) > 1:
        return False
    left, right = ([Counter(_ITEM.findall(shown)) for shown in _SHOWN.findall(text)] for text in texts)
    return left != right
