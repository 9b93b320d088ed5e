"""Comments of R code that are nothing but what a statement shows, without a mark: ``# 2 3 4``."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w)"
_VALUE = rf"(?:{_NUMBER}|\"[^\"]*\"|TRUE|FALSE|<?NA>?|NaN|[-+]?Inf)"
_VALUES = re.compile(rf"{_VALUE}(?:[ \t]+{_VALUE})*")
_LED = re.compile(rf"result = (?P<value>{_VALUE})(?:, .*)?")
_EXPLAINED = re.compile(r"(?P<value>TRUE|FALSE|NA) \(.*\)")
_REMARK = re.compile(r"\s+#+\s.*")
_SHORT = re.compile(r"\d{1,2}")


def value_behind(comment: str) -> str:
    """Return the values that a comment behind a statement is; empty where it is something else.

    Parameters
    ----------
    comment : str
        From its ``#`` on. What stands behind a second one is a remark on the value.
    """
    text = comment.lstrip("# \t").rstrip()
    for said in (text, _REMARK.sub("", text)):
        if _VALUES.fullmatch(said):
            return said
        if found := _LED.fullmatch(said) or _EXPLAINED.fullmatch(said):
            return found["value"]
    return ""


def values_below(lines: Sequence[str]) -> list[str]:
    """Return the values that the comments below a statement are, one item a line.

    Parameters
    ----------
    lines : sequence of str
        From the first of these comments on. A short whole number right above more code may number a step.
    """
    found: list[str] = []
    for line in lines:
        text = line.strip().lstrip("# \t")
        if not line.lstrip().startswith("#") or not _VALUES.fullmatch(text):
            break
        found.append(text)
    behind = "".join(lines[len(found) : len(found) + 1]).strip()
    return [] if len(found) == 1 and _SHORT.fullmatch(found[0]) and behind else found
