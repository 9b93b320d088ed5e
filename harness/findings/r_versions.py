"""What the generations of R print otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CODES = re.compile(r"\b(?:nlevels|as\.integer|as\.numeric|unclass|summary|sapply|levels|nchar)\(")
_ATTACHES = re.compile(r"(?:(?:suppressPackageStartupMessages\()?(?:library|require)\([\w.\"']+\)\)?\s*)+")
"""Code of R that only attaches packages: what it says is theirs."""


def changed_in_r_4(pairs: Sequence[tuple[str, str]] | None, shown: str, code: str) -> str:
    """Say what R 4.0 changed that output may show; empty if nothing.

    Parameters
    ----------
    pairs : sequence of (str, str) or None
        Numbers as published and as printed, where the texts are otherwise the same.
    shown, code : str
        The statement that the output is of, and all that it is computed by.
    """
    if re.search(r"\b(?:class|oldClass|inherits|attributes)\(", shown):
        return "the classes of a value are others since R 4.0"
    if re.search(r"\b(?:round|signif)\(\s*-?[\d.]+\s*,", shown):
        return "a number halfway between two is rounded otherwise since R 4.0"
    if _ATTACHES.fullmatch(shown.strip()):
        return ""
    made = re.search(r"\b(?:data\.frame|read\.(?:csv2?|table|delim)|expand\.grid)\(", code)
    if made and "stringsAsFactors" not in code and (pairs is None or _CODES.search(shown)):
        return "strings in a data frame are factors before R 4.0"
    return ""
