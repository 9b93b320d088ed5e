"""Differences of R's plain prints that no version makes: how it prints vectors, factors and structures stays.

A vector is printed in rows that begin with the count of their first element, a factor with its levels below,
a part of a list below its name. What `str()` says of a column begins with its kind. None of that has changed:
where both texts are such prints, another number of elements, or elements of another kind, are other values.
"""

from __future__ import annotations

import re
from collections import Counter

from harness.findings.apart import tokens_of
from harness.findings.one_place import rows_in_digits_of
from harness.findings.quotes import are_lost_or_added
from harness.findings.wrapped import without_marks

_ROW = re.compile(r"\s*\[\d+\]\s+\S.*")
_NAME = re.compile(r"\s*(?:(?:\$[\w.`]+|\[\[\d+\]\]|\[\[\"\w+\"\]\])+|attr\(,\"[\w.]+\"\))\s*")
"""What stands above a part of a list, or above an attribute."""
_LEVELS = re.compile(r"\s*(?:\d+ )?Levels: .*")
_COLUMN = re.compile(
    r"\s*(?P<name>\$ [^:]+?)\s*:\s*(?P<kind>num|int|logi|cplx|chr|(?:Ord\.f|F)actor w/|Date|function)(?!\w)"
)
"""What `str()` says of a column."""
_PLAIN = frozenset({"number", "truth", "quoted"})
_MISSING = frozenset({("word", "NA"), ("word", "NaN"), ("word", "Inf")})
"""Elements that are no words."""
_ENOUGH = 3
"""Tokens of a text of which one alone is missing."""
_UNDEFINED = frozenset({("word", "NA"), ("word", "NaN")})
_READS_DATES = re.compile(r"\bas\.(?:Date|POSIX[cl]t)\(|\bstrp?time\(")
"""What gives missing values for words of another locale."""


def differs_as_no_version_does(published: str, produced: str, code: str) -> bool:
    """Whether both texts are plain prints of R, of other elements, elements of another kind or another text.

    Parameters
    ----------
    published, produced : str
        The two texts. Of values of the same kinds in the same places nothing is said here.
    code : str
        The statements that the output is computed by.
    """
    left, right = (without_marks(text) for text in (published, produced))
    if are_lost_or_added(published, produced):
        return True
    if _READS_DATES.search(code) and any(_UNDEFINED.intersection(tokens_of(text)) for text in (left, right)):
        return False
    return (
        _are_vectors(left, right, code)
        or _are_cells(left, right)
        or _are_factors(left, right)
        or _are_structures(left, right)
        or has_another_row_of_its_kind(left, right)
    )


def is_vector(text: str) -> bool:
    """Whether a text is nothing but a printed vector of R, or several.

    Parameters
    ----------
    text : str
        A printed text.
    """
    rows = [row for row in without_marks(text).splitlines() if row.strip()]
    return bool(rows) and all(map(_ROW.fullmatch, rows))


def has_another_row_of_its_kind(published: str, produced: str) -> bool:
    """Whether one of two texts has one row more, of values of the kinds that its neighbour has.

    Parameters
    ----------
    published, produced : str
        Two printed texts. A row that the code prints, and that stands at an end, its author may leave out.
    """
    texts = [
        [row.split() for row in without_marks(text).splitlines() if row.strip()]
        for text in (published, produced)
    ]
    shorter, longer = sorted(texts, key=len)
    if not shorter or len(longer) != len(shorter) + 1:
        return False
    rows = rows_in_digits_of(shorter, longer)
    at = next((n for n, row in enumerate(shorter) if row != rows[n]), len(shorter))
    if shorter[at:] != rows[at + 1 :] or _UNDEFINED.intersection(tokens_of(" ".join(longer[at]))):
        return False
    kinds = [[kind for kind, _ in tokens_of(" ".join(row))] for row in longer]
    beside = [kinds[n] for n in (at - 1, at + 1) if 0 <= n < len(kinds)]
    return not _PLAIN.isdisjoint(kinds[at]) and kinds[at] in beside


def holds_other_elements(published: str, produced: str) -> bool:
    """Whether no order of what is printed is published: then what sorts is not the reason.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    """
    left, right = (Counter(tokens_of(without_marks(text))) for text in (published, produced))
    return left != right


def _are_vectors(published: str, produced: str, code: str) -> bool:
    """Whether both are vectors, or the same parts of a list, and not only values of one kind differ."""
    rows = [[row for row in text.splitlines() if row.strip()] for text in (published, produced)]
    names = [[row.strip() for row in text if _NAME.fullmatch(row)] for text in rows]
    vectors = [[row for row in text if not _NAME.fullmatch(row)] for text in rows]
    if names[0] != names[1] or not all(_ROW.fullmatch(row) for text in vectors for row in text):
        return False
    left, right = (tokens_of("\n".join(text)) for text in vectors)
    shown = {kind for kind, text in left + right if (kind, text) not in _MISSING}
    if not (left and right) or not shown <= _PLAIN:
        return False
    if len(left) != len(right):
        return True
    apart = [(mine, theirs) for mine, theirs in zip(left, right, strict=True) if mine != theirs]
    texts = [theirs[1] for mine, theirs in apart if mine[0] == theirs[0] == "quoted"]
    # Which of the two comes of both, the machine decides.
    other = [mine[0] != theirs[0] for mine, theirs in apart if not {mine, theirs} <= _UNDEFINED]
    # A text that the code holds is printed so, whatever is published.
    own = all(text[1:-1] in code for text in texts)
    return own and len(other) == len(apart) and (any(other) or bool(texts))


def _are_cells(published: str, produced: str) -> bool:
    """Whether the same is printed but for numbers and truths that are missing in one of the two."""
    left, right = tokens_of(published), tokens_of(produced)
    if len(left) != len(right) or len(left) < _ENOUGH:
        return False
    apart = [(mine, theirs) for mine, theirs in zip(left, right, strict=True) if mine != theirs]
    return bool(apart) and all(
        len(_UNDEFINED.intersection(pair)) == 1 and any(kind in ("number", "truth") for kind, _ in pair)
        for pair in apart
    )


def _are_factors(published: str, produced: str) -> bool:
    """Whether both are factors, of another number of elements or levels, or one of them is no whole one."""
    counts = []
    for text in (published, produced):
        rows = [row for row in text.splitlines() if row.strip()]
        levels = [row for row in rows if _LEVELS.fullmatch(row)]
        vector = [row for row in rows if not _LEVELS.fullmatch(row)]
        # Levels that are wider than a line go on below it.
        if not (levels and vector and all(map(_ROW.fullmatch, vector))) or rows[-1] != levels[-1]:
            return False
        counts.append([len(levels), *(len(tokens_of("\n".join(part))) for part in (vector, levels))])
    return counts[0] != counts[1] and counts[1][0] == 1


def _are_structures(published: str, produced: str) -> bool:
    """Whether `str()` says another kind of one column alone, and no factor's for texts."""
    left, right = ([row for row in text.splitlines() if row.strip()] for text in (published, produced))
    if len(left) != len(right):
        return False
    apart = [
        (mine, theirs) for mine, theirs in zip(left, right, strict=True) if mine.split() != theirs.split()
    ]
    if len(apart) != 1:
        return False
    mine, theirs = (_COLUMN.match(row) for row in apart[0])
    if mine is None or theirs is None or mine["name"].split() != theirs["name"].split():
        return False
    kinds = {mine["kind"], theirs["kind"]}
    return len(kinds) > 1 and kinds != {"chr", "Factor w/"}
