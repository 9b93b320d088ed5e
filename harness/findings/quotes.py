"""Quotation marks that R prints around each text of a vector, and around no factor and no number.

Who writes an output by hand leaves them out, and a page may turn or lose them: of all outputs. Where those of
other texts stand as R prints them, one output alone that has none, or has some where R prints none, shows a
value of another kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from harness.findings.wrapped import without_marks

_ROW = re.compile(r"\s*\[\d+\]\s+\S.*|\s*(?:\d+ )?Levels: .*|\s*(?:\$[\w.]+|\[\[\d+\]\])+\s*")
_TEXT = re.compile(r"\"[^\"\n]*\"")
_ENOUGH = 3
"""Outputs whose marks are as printed."""


def kept_in(outputs: Iterable[tuple[str, str, bool]]) -> bool:
    """Whether a document shows the quotation marks of R's vectors.

    Parameters
    ----------
    outputs : iterable of (str, str, bool)
        Of each output what is published, what is printed, and whether that is taken as the same.
    """
    kept = lost = 0
    for published, printed, like in outputs:
        kept += like and _are_rows(published) and _TEXT.search(published) is not None
        lost += not like and are_lost_or_added(published, printed)
    return kept >= _ENOUGH and lost <= 1


def are_lost_or_added(published: str, printed: str) -> bool:
    """Whether two vectors of R are the same but for the marks around all texts, which one of them lacks.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    if not (_are_rows(published) and _are_rows(printed)):
        return False
    left, right = (without_marks(text) for text in (published, printed))
    if len({bool(_TEXT.search(text)) for text in (left, right)}) == 1:
        return False
    return left.replace('"', "").split() == right.replace('"', "").split()


def _are_rows(text: str) -> bool:
    rows = [row for row in without_marks(text).split("\n") if row.strip()]
    return bool(rows) and all(map(_ROW.fullmatch, rows))
