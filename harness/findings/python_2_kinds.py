"""What older versions of Python give: quotients and NumPy's whole numbers, and where texts are split."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.findings.apart import Apart

_DIVIDES = re.compile(r"(?<!/)/(?!/)")
_COMPUTES = re.compile(r"[-+*/%]+")
_INTEGER = re.compile(r"[-+]?\d+")
_SPLITS = re.compile(r"\bre\.(?:split|subn?)\(\s*[rb]*(?:(['\"])\1|['\"][^'\"\n]*[*?|])|\bre\.escape\(")
_ASKS = re.compile(r"\bisinstance\(|\bissubclass\(")
_WHOLE = re.compile(r"\b(?:int|long|Integral|Number)\b")
_OF_NUMPY = re.compile(r"\bnumpy\b|\bnp\.|\bpandas\b|\bpd\.")


def of_whole_numbers(apart: Sequence[Apart], code: str) -> bool:
    """Whether whole numbers are published of a division, which gives none since Python 3.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs.
    code : str
        What it is computed by.
    """
    # One division alone gives the whole part, which `of_whole_division` asks for.
    if not apart or not _DIVIDES.search(code) or len(_COMPUTES.findall(code)) <= 1:
        return False
    return all(
        pair.what == "number"
        and _INTEGER.fullmatch(pair.published) is not None
        and "." in pair.produced
        and pair.produced.replace(".", "").rstrip("0") != pair.published.rstrip("0")
        for pair in apart
    )


def splits_at_nothing(code: str) -> bool:
    """Whether code splits or replaces where an expression matches nothing, which Python does since 3.7.

    Parameters
    ----------
    code : str
        Some code.
    """
    return _SPLITS.search(code) is not None


def of_another_kind(apart: Sequence[Apart], code: str) -> bool:
    """Whether all that differs is of which kind a number is, where Python 2 has another.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs.
    code : str
        What it is computed by: a division there, or a question about a number of NumPy's, which is one of
        Python's whole numbers in Python 2.
    """
    if not apart:
        return False
    names = [(pair.published.strip("'\""), pair.produced.strip("'\"")) for pair in apart]
    if _DIVIDES.search(code) and all(one in ("int", "long") and other == "float" for one, other in names):
        return True
    asks = _ASKS.search(code) and _WHOLE.search(code) and _OF_NUMPY.search(code)
    return bool(asks) and all(pair.what == "truth" and pair.published == "True" for pair in apart)
