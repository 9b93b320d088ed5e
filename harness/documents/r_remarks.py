"""Comments of R code that are nothing but what a statement shows, without a mark: ``# 2 3 4``."""

from __future__ import annotations

import re

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w)"
_VALUE = (
    rf"(?:{_NUMBER}|\"[^\"]*\"|TRUE|FALSE|<?NA>?|NaN|[-+]?Inf|(?:numeric|integer|character|logical)\(0\))"
)
_VALUES = re.compile(rf"{_VALUE}(?:[ \t]+{_VALUE})*")
_LED = re.compile(rf"result = (?P<value>{_VALUE})(?:, .*)?")
_EXPLAINED = re.compile(r"(?P<value>TRUE|FALSE|NA) \(.*\)")
_REMARK = re.compile(r"\s+#+\s.*")


def value_behind(comment: str) -> str:
    """Return the values that a comment behind a statement is; empty where it is something else.

    Parameters
    ----------
    comment : str
        From its ``#`` on. What stands behind a second one is a remark on the value.
    """
    text = comment.lstrip("# \t").removeprefix("[1] ").strip()
    for said in (text, _REMARK.sub("", text)):
        if _VALUES.fullmatch(said):
            return said
        if found := _LED.fullmatch(said) or _EXPLAINED.fullmatch(said):
            return found["value"]
    return ""


def are_values(text: str) -> bool:
    """Whether a line is nothing but values."""
    return _VALUES.fullmatch(text) is not None
