"""Whether code shows only how large values are, and of which type: what is drawn has one size each time."""

from __future__ import annotations

import re

from harness.findings.rounding import ITERATES
from harness.findings.slips import without_texts

_SIZE = (
    r"(?:\w[\w.]*(?:\([\w., ]*\))?(?:\.T)?"
    r"\.(?:shape|ndim|dtype|device|requires_grad|is_leaf|is_cuda|(?:size|numel|nelement|dim|type)\(\s*\))"
    r"|(?:len|np\.shape|np\.ndim|size|ndims|typeof|class|mode|length|eltype|dim|nrow|ncol)\(\s*\w+\s*\))"
)
_FORMATTED = rf"f(?:\"(?:[^\"{{}}\n]|{{{_SIZE}}})*\"|'(?:[^'{{}}\n]|{{{_SIZE}}})*')"
"""A text of Python in which nothing but sizes is filled in."""
_SHAPE = re.compile(
    rf"(?:print\(\s*(?:(?:\"[^\"\n]*\"|'[^'\n]*')\s*,\s*)?)?{_SIZE}\s*\)?|print\(\s*{_FORMATTED}\s*\)"
)
_SETS = re.compile(r"[\w., ]+(?:<-|=(?!=))(?!.*\b(?:print|cat|show)\w*\().+")
_BESIDE = re.compile(
    r"print\(\s*(?:\"[^\"\n]*\"|'[^'\n]*')?\s*\)|[\w.]+\.requires_grad_\(\w*\)"
    r"|with torch\.(?:no_grad|enable_grad|inference_mode)\(\s*\):"
)
"""A text alone, and how PyTorch is told of which values it follows gradients, whatever they are."""
_CHOOSES = re.compile(
    r"<(?!-)|>|==|!=|\b(?:where|nonzero|unique|drop\w*|filter|set|while|if|poisson|binomial|geometric|rpois|r(?:n?binom|geom)|choices?|randint"
    r"|randrange|sample|subset|which|find\w*|query|isin|mask\w*|compress|extract)\b"
)
"""Where how many there are may be drawn."""

_IN_A_ROW = re.compile(r"(.*)\((?:\d+, ?)+\d*\)\s*")
_DECOMPOSED = re.compile(r"\b(?:svd|eig(?:h|vals|valsh)?)\b")
"""What gives as many values for a matrix of a size in all versions."""
_TYPE = re.compile(r"(?:print\(\s*)?(?:type|typeof|class|mode|storage\.mode|eltype)\(\s*\w[\w.$]*\s*\)\s*\)?")


def shows_a_type_alone(shown: str) -> bool:
    """Whether all that code shows is of which type a value is, which no clock changes.

    Parameters
    ----------
    shown : str
        The code that an output is of, without comments.
    """
    lines = [line.strip() for line in shown.split("\n") if line.strip()]
    return (
        bool(lines)
        and _TYPE.fullmatch(lines[-1]) is not None
        and all(_SETS.fullmatch(line) for line in lines[:-1])
    )


def shows_sizes_alone(shown: str, behind: str) -> bool:
    """Whether all that code shows is sizes and types, of values that chance does not make larger or smaller.

    Parameters
    ----------
    shown : str
        The code that an output is of, without comments.
    behind : str
        The statements that what it shows is computed from, without comments.
    """
    lines = [line.strip() for line in shown.split("\n") if line.strip()]
    if not lines or not _SHAPE.fullmatch(lines[-1]):
        return False
    alone = all(_SHAPE.fullmatch(line) or _SETS.fullmatch(line) or _BESIDE.fullmatch(line) for line in lines)
    return alone and _CHOOSES.search(without_texts(behind)) is None


def differs_in_a_shape(published: str, printed: str, code: str) -> bool:
    """Whether two texts differ in a shape alone that code of Python shows of what it decomposes.

    Parameters
    ----------
    published, printed : str
        Two printed texts. Which digits and signs a decomposition has is left open, and not how many.
    code : str
        The statements that they are computed by, without comments and texts.
    """
    if ".shape" not in code or ITERATES.search(_DECOMPOSED.sub("", code)):
        return False
    left, right = (text.strip().split("\n") for text in (published, printed))
    if len(left) != len(right):
        return False
    apart = [(mine, theirs) for mine, theirs in zip(left, right, strict=True) if mine != theirs]
    found = [tuple(map(_IN_A_ROW.fullmatch, rows)) for rows in apart]
    return bool(found) and all(one and other and one[1] == other[1] for one, other in found)
