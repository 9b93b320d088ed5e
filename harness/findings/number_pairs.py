"""The numbers of two printed texts that are otherwise the same, in pairs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Context, Decimal, InvalidOperation

from harness.documents.printed_layout import ANNOTATION, plain_layout
from harness.documents.tokens import ADDRESS
from harness.documents.written_numbers import digits_of
from harness.findings.wrapped import in_lines_of, in_one_width, without_marks

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?=im\b|\W|$)")
_WRAPPED = re.compile(r"\bnp\.\w+\(([^()]*)\)")
_ARRAY = re.compile(r"\bArray\{(\w+(?:\{[^{}]*(?:\{[^{}]*\})*[^{}]*\})?), ?([12])\}")
"""How Julia called its vectors and matrices before 1.6."""
_COMPLEX = re.compile(r"\bComplex\{Float(16|32|64)\}")
"""How Julia called its complex numbers before 1.6."""
_ALIAS = re.compile(r" \(alias for (?:[^()\n]|\([^()\n]*\))*\)")
"""What Julia says of a type's other name since 1.6."""
_HEXADECIMAL = re.compile(rf"(?P<address>{ADDRESS})|\b0x[0-9a-fA-F]+\b")
_DIGITS = 3
_NEWER = {"1": "Vector", "2": "Matrix"}


def number_pairs(published: str, produced: str) -> list[tuple[str, str]] | None:
    """Pair the numbers of two texts that are otherwise the same; None if they are not.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    """
    published, produced = in_one_width(published, in_rows_of(published, produced))
    texts = [unwrapped(text) for text in (published, produced)]
    bare = [" ".join(_NUMBER.sub("0", re.sub(r"[\[\](){},]", " ", text)).split()) for text in texts]
    left, right = (_NUMBER.findall(text) for text in texts)
    return list(zip(left, right, strict=True)) if bare[0] == bare[1] and len(left) == len(right) else None


def in_rows_of(published: str, produced: str) -> str:
    """Return a printed text in the rows of a published one, as far as the screen alone decides on them.

    Parameters
    ----------
    published, produced : str
        Two printed texts: how many rows of a matrix Julia shows, where both leave out those in the middle,
        depends on the height of the screen, and how many named values R prints in a line on its width.
    """
    parts = []
    for text in (published, produced):
        rows = text.strip("\n").split("\n")
        left_out = [at for at, row in enumerate(rows) if row.lstrip().startswith("⋮")]
        if len(left_out) != 1:
            return in_lines_of(published, produced)
        parts.append((rows, left_out[0]))
    (mine, above), (rows, middle) = parts
    below = len(mine) - above - 1
    if above > middle or below > len(rows) - middle - 1:
        return produced
    return "\n".join([*rows[:above], mine[above], *rows[len(rows) - below :]])


def unwrapped(text: str) -> str:
    """Return a text in a plain layout, with whole numbers in decimal digits and newer names of Julia's types.

    Comment marks and NumPy's types are left out.
    """
    named = _with_newer_names(plain_layout(without_marks(ANNOTATION.sub("", _ALIAS.sub("", text)))))
    decimal = _HEXADECIMAL.sub(lambda found: found[0] if found["address"] else str(int(found[0], 16)), named)
    return _WRAPPED.sub(r"\1", decimal)


def _with_newer_names(text: str) -> str:
    """A text with newer names of Julia's arrays, those of which arrays are the elements too."""
    text = _COMPLEX.sub(r"ComplexF\1", text)
    named = _ARRAY.sub(lambda found: f"{_NEWER[found[2]]}{{{found[1]}}}", text)
    return named if named == text else _with_newer_names(named)


def is_whole_for_fraction(published: str, produced: str) -> bool:
    """Whether one number alone differs, and is whole in one text and has a point and a zero in the other.

    Parameters
    ----------
    published, produced : str
        Two texts of a language that prints the two kinds otherwise, as Julia does.
    """
    apart = [pair for pair in number_pairs(published, produced) or () if pair[0] != pair[1]]
    if len(apart) != 1:
        return False
    whole, other = sorted(apart[0], key=len)
    return re.fullmatch(r"[-+]?\d+", whole) is not None and other == f"{whole}.0"


def same_digits(left: str, right: str) -> tuple[str, str]:
    """Return two numbers with as many digits as both show, the longer one rounded.

    Parameters
    ----------
    left, right : str
        Two printed numbers. Whole ones are returned as they are, and those with an exponent, unless one of
        them is the other with as many digits as it has itself.
    """
    if "e" in (left + right).lower():
        return (left, left) if _are_of_one_size(left, right) else (left, right)
    places = [len(text.partition(".")[2]) for text in (left, right)]
    if places[0] == places[1]:
        return left, right
    fewer = min(places)
    try:
        one, other = (Decimal(text.replace("_", "")) for text in (left, right))
        if fewer:
            unit = Decimal(1).scaleb(-fewer)
            one, other = one.quantize(unit), other.quantize(unit)
    except InvalidOperation:
        return left, right
    if one == other:
        return left, left
    return (str(one), str(other)) if fewer else (left, right)


def _are_of_one_size(left: str, right: str) -> bool:
    """Whether two numbers, one of them with an exponent, are the same with as many digits as both show."""
    try:
        one, other = (Decimal(text.replace("_", "")) for text in (left, right))
    except InvalidOperation:
        return False
    if one == other or not (one.is_finite() and other.is_finite()):
        return one == other
    if not all("e" in text.lower() for text in (left, right)):
        return False
    fewer = min(len(number.as_tuple().digits) for number in (one, other))
    return Context(prec=fewer).plus(one) == Context(prec=fewer).plus(other)


def are_rounded(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether all numbers of a text are others rounded, of which one has three digits or more.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Numbers as published, and as printed. Beside 24.2 for 24.158, R prints 8e-07 for 7.974e-07.
    """
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    several = any(fewer_digits(*pair) for pair in apart) or not apart
    return several and all(fewer_digits(*pair, least=1) for pair in apart)


def fewer_digits(left: str, right: str, least: int = _DIGITS) -> bool:
    """Whether a number is another, rounded to as many digits as it has itself.

    Parameters
    ----------
    left, right : str
        A number as published, and as printed.
    least : int
        How many digits it has at least.
    """
    if left == right:
        return True
    try:
        one, other = (Decimal(text.replace("_", "")) for text in (left, right))
    except InvalidOperation:
        return False
    digits = digits_of(left)
    if "." in left and left.endswith("0") and "e" not in left.lower():
        # A column of one width fills up with zeros: 0.0355237 of three digits is 0.03550 there.
        bare = len(re.sub(r"\D", "", left.rstrip("0")).lstrip("0"))
        if bare >= least and other.is_finite() and one == Context(prec=bare).plus(other):
            return True
    if not digits or not one.is_finite() or not other.is_finite() or other == 0:
        return False
    # What is left out of 2.000007 with four digits are zeros, which R does not print.
    return one == Context(prec=max(digits, least)).plus(other)
