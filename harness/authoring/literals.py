"""Values that a program writes out where it calls a function: numbers, truth values, texts, lists of them."""

from __future__ import annotations

import math
import re
from pathlib import PurePath

import numpy as np

from harness.model import Array

_LIST = re.compile(r"(?:(?:np|numpy)\.(?:as)?array\(\s*\[(.*)\]\s*\)|c\((.*)\)|\[(.*)\])", re.DOTALL)
_TRUTHS = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}
_WHOLE = re.compile(r"[+-]?[0-9]+L?")
_FILES = re.compile(r"[\\/]|\.[A-Za-z][A-Za-z0-9]{1,8}$")


def literal(text: str) -> Array | None:
    """The array that is written there; None where it is nothing that is known."""
    several = _LIST.fullmatch(text.strip())
    inside = next((part for part in several.groups() if part is not None), "") if several else text
    words = [word.strip() for word in re.findall(r'\s*("[^"]*"|\'[^\']*\'|[^,]+)', inside)]
    words = [word for word in words if word]
    values = [_value(word) for word in words]
    kinds = {type(value) for value in values}
    if not values or None in values or (len(kinds) > 1 and kinds != {int, float}) or (
        several is None and len(values) > 1
    ):  # fmt: skip
        return None
    return np.array(values if several else values[0])


def names_a_file(text: str) -> bool:
    """Whether a text is likely to be a path."""
    inside = text.strip().strip("'\"")
    return bool(_FILES.search(inside)) or PurePath(inside).is_absolute()


def _value(word: str) -> bool | int | float | str | None:
    if word in _TRUTHS:
        return _TRUTHS[word]
    if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"":
        return word[1:-1] if "\\" not in word else None
    if _WHOLE.fullmatch(word):
        return int(word.removesuffix("L"))
    try:
        number = float(word)
    except ValueError:
        return None
    # What float64 cannot hold is no infinity.
    return None if math.isinf(number) and "inf" not in word.lower() else number
