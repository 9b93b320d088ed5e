"""Months as the locale of an author calls them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.findings.apart import Apart

_SAYS_MONTHS = re.compile(r"\bmonths\(|%[bBh]|month_(?:name|abbr)")
_MONTH = re.compile(
    r"[\"']?(?:janv?(?:uar|ier)?|feb(?:ruar)?|f\u00e9vr(?:ier)?|mar(?:ts|s)?|m\u00e4r(?:z|s)?|avr(?:il)?|april|ma[ij]"
    r"|jui?n[io]?|jui?l[io]?|ago(?:sto)?|augusti?|set(?:tembre)?|septembre|okt(?:ober)?|oktober|novembr[eo]"
    r"|de[zs](?:ember)?|d\u00e9c(?:embre)?|desember|ott(?:obre)?|octobre|diciembre|dicembre)\.?[\"']?",
    re.IGNORECASE,
)
"""Months of other languages, of which many are English ones but for a letter."""


def names_months(apart: Sequence[Apart], code: str) -> bool:
    """Whether all that differs are names of months, as another locale has them.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs.
    code : str
        What it is computed by.
    """
    named = _SAYS_MONTHS.search(code) is not None
    return named and bool(apart) and all(_MONTH.fullmatch(pair.published) for pair in apart)
