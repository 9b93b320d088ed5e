"""Arrays of whole numbers that are shown for such of fractions, or the other way round.

NumPy and PyTorch print the point of a number that is none of whole ones in all versions, and which kind the
elements have follows from what makes them. What gives another kind by version is listed here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_WHOLE, _FRACTION = re.compile(r"[-+]?\d+"), re.compile(r"[-+]?\d+\.0*")
_SETS_THE_PRINT = re.compile(r"\b(?:set_)?printoptions\b|\barray2string\b|\bset_string_function\b")
_VARIES = re.compile(
    # Of whole numbers, floor() and its kin give whole ones since NumPy 2.1; full() did not until 1.12.
    r"\b(?:floor|ceil|trunc|fix|rint|round|round_|around|full(?:_like)?|histogram\w*|bincount|pad|piecewise|average"
    r"|median|percentile|quantile|mode|select|where|clip|power|float_power|uint64|int(?:8|16|32)|uint(?:8|16|32)"
    r"|gen\w*txt|load\w*|from\w+|fillna|cov|interp|sign|mod|remainder|fmod|floor_divide|div)\("
    # PyTorch's arange() of whole numbers was of fractions once, and its sums and quotients changed.
    r"|\btorch\.(?:arange|range|full|sum|mean|where|linspace|logspace|bincount)\(|\bdtype=object\b"
)
"""What gives a kind of number that depends on the version, or on a file."""
_DIVIDES = re.compile(r"(?<!/)/(?!/)")
_OF_TORCH = re.compile(r"\btorch\b")
_RESHAPES = re.compile(
    r"\b(?:unique\w*|mode|matrix|asmatrix|mat|bmat|lstsq|squeeze|argwhere|nonzero|trace|median|quantile|percentile)\("
)
"""What gives another shape by version, or matrices, of which all parts are matrices."""
_BRACKETS = re.compile(r"(?:\b(?:array|tensor)\()?[\[\](),\s]+")
_POINT = re.compile(r"\[[^\]]*\d\.(?=[\s,\]])")
"""A number with a point and nothing behind it, in brackets."""


def has_other_points(pairs: Sequence[tuple[str, str]], published: str, produced: str) -> bool:
    """Whether all that differs are the points of an array's numbers, which one of two texts has throughout.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Numbers as published and as printed.
    published, produced : str
        The two texts.
    """
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    if not apart or not all("[" in text for text in (published, produced)):
        return False
    return any(
        all(kinds[0].fullmatch(one) and kinds[1].fullmatch(other) for one, other in apart)
        and all(float(one) == float(other) for one, other in apart)
        for kinds in ((_WHOLE, _FRACTION), (_FRACTION, _WHOLE))
    )


def has_another_shape(published: str, produced: str, code: str) -> bool:
    """Whether an array of the same numbers has more, or fewer, dimensions than the code gives it, or none.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    code : str
        What the output is computed by.
    """
    texts = [text.strip().removeprefix("array(").removeprefix("tensor(") for text in (published, produced)]
    depths = {len(text) - len(text.lstrip("[")) for text in texts}
    values = {tuple(_BRACKETS.sub(" ", text).split()) for text in texts}
    one = all(text.count("[" * max(depths)) <= 1 for text in texts)
    # Without brackets, several numbers are what a print puts side by side.
    held = min(depths) > 0 or (max(depths) == 1 and all(len(numbers) == 1 for numbers in values))
    return len(values) == 1 and one and held and len(depths) > 1 and not _RESHAPES.search(code)


def is_of_one_kind(code: str, above: str, *, of_python_3: bool) -> bool:
    """Whether code gives arrays whose kind of number no version changes, and no option the print of.

    Parameters
    ----------
    code, above : str
        What the output is computed by, and all code down to it, without comments.
    of_python_3 : bool
        Whether no Python 2 ran it, where a quotient of whole numbers is one.
    """
    if _SETS_THE_PRINT.search(above) or _VARIES.search(code):
        return False
    return not _DIVIDES.search(code) or (of_python_3 and not _OF_TORCH.search(code))


def shows_points(text: str) -> bool:
    """Whether a text has an array of fractions, each with its point.

    Parameters
    ----------
    text : str
        A published output.
    """
    return _POINT.search(text) is not None
