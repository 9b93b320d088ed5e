"""What no order of the same values makes: a value beside another name, a cell in another row of a table."""

from __future__ import annotations

import re
from collections import Counter

_LABELLED = re.compile(r"(\w+)=([-+]?[\w.]+)")
"""What stands beside its name."""
_COUNTS_PLACES = re.compile(
    r"\b(?:enumerate|zip|range|count|next|index|cum\w+|shift|diff|rank|rolling|expanding|ngroup|pct_change)\("
)
"""What gives a value for a place in an order, or for what stands before it."""
GOES_OVER = re.compile(
    r"\b(?:next|list|tuple|enumerate|iter|map|zip|max|min|sorted)\(|\.(?:keys|values|items|pop|popitem|most_common)\("
    r"|\bfor\b|\*\w"
)
"""What goes through a set or a dict of Python, and so has its order."""
_CALLS = re.compile(r"(\w+)\s*\(")
_QUESTIONS = """
print len set frozenset dict any all bool isinstance type add remove discard update issubset issuperset
isdisjoint union intersection difference symmetric_difference copy clear get
"""
_OF_NO_ORDER = frozenset(_QUESTIONS.split())
"""What asks a set or a dict for nothing that its order decides."""
_UNPACKS = re.compile(r"(?m)^\s*[\w\[(][^=(\n]*,[^=\n]*=(?!=)|\[[^\]\n]*\]\s*=(?!=)")
_SIMPLE = re.compile(r"[-+]?\d+|True|False|\{\}")
_MARK = re.compile(r"(?m)^#[#>]?\s")
_WHOLE = re.compile(r"\{[^{}]*\}")
"""A set or a dict that is shown whole."""
_FRAMES = re.compile(r"\b(?:pd|pandas|DataFrame)\b")
_NO_CELLS = re.compile(r"[\[\](){}]|\.\.\.")
_ROWS = 3


def no_order_gives(published: str, produced: str, code: str) -> bool:
    """Whether two texts of Python hold the same words and numbers, and no order makes one of the other.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    code : str
        The code that they are of, with all that it depends on.
    """
    if _COUNTS_PLACES.search(code):
        return False
    named = [sorted(_LABELLED.findall(text)) for text in (published, produced)]
    return named[0] != named[1] or (
        _FRAMES.search(code) is not None and _are_other_cells(published, produced)
    )


def is_beside_what_is_whole(published: str, produced: str, code: str) -> bool:
    """Whether numbers or truths differ beside sets that are shown whole, and code goes through none.

    Parameters
    ----------
    published, produced : str
        Two printed texts of Python.
    code : str
        The code that they are of, with all that it depends on. How many a set holds, and whether it holds
        something, is of no order.
    """
    left, right = (_WHOLE.sub(" {} ", _MARK.sub("", text)).split() for text in (published, produced))
    if left == right or not all(map(_SIMPLE.fullmatch, (*left, *right))):
        return False
    if not ("{}" in left and "{}" in right) and any(text.lstrip("+-").isdigit() for text in (*left, *right)):
        return False
    goes_over = GOES_OVER.search(code) or _UNPACKS.search(code) or "import" in code
    return not goes_over and set(_CALLS.findall(code)) <= _OF_NO_ORDER


def have_their_labels(published: str, produced: str) -> bool:
    """Whether rows begin with the same words in both texts, no two alike: no order exchanges their values.

    Parameters
    ----------
    published, produced : str
        Two printed texts. Rows that are counted from 0 have no labels.
    """
    labels = [[row.split()[0] for row in text.split("\n") if row.strip()] for text in (published, produced)]
    counted = [label for label in labels[0] if label.isdigit()] == [str(n) for n in range(len(labels[0]))]
    several = len(labels[0]) > 1 and len(set(labels[0])) == len(labels[0])
    return labels[0] == labels[1] and several and not counted and not re.match(r"\s*[\[({]", produced)


def _are_other_cells(published: str, produced: str) -> bool:
    """Whether a table has the same columns, and rows of other cells whatever their labels are."""
    if _NO_CELLS.search(published + produced):
        return False
    tables = [[row.split() for row in text.split("\n") if row.strip()] for text in (published, produced)]
    rows = [Counter(tuple(row[1:]) for row in table[1:]) for table in tables]
    return tables[0][:1] == tables[1][:1] and len(tables[0]) >= _ROWS and rows[0] != rows[1]
