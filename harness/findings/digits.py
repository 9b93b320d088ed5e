"""Digits of a printed number that show by themselves that it was changed, whatever computed it.

A slip changes a digit, or turns two, and leaves those behind as they were; what computes another number
changes them all. And of the numbers with 16 or 17 digits most are none that a double has when it is printed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from harness.findings.apart import neighbours_turned, places_apart

_BEHIND = 3
"""Digits behind those that differ which no other computation would share."""
_LONG = 5
"""Digits of a number of which one is slipped for certain."""
_AS_A_DOUBLE = (16, 17)
"""Digits of numbers of which not all are of some double."""
_OTHER_NUMBERS = re.compile(
    r"\b(?:[dD]ecimal|sympy|mpmath|mp|mpf|evalf|longdouble|float128|longfloat|BigFloat|big|setprecision|Double64|Rmpfr"
    r"|mpfr|gmpy2?)\b|\bN\(|\bbig\""
)
"""What computes numbers that are no doubles."""


def is_one_unit(left: str, right: str) -> bool:
    """Whether two numbers with as many decimals, and the same exponent, differ by one unit of the last digit.

    Parameters
    ----------
    left, right : str
        Two numbers.
    """
    (one, _, scale), (other, _, exponent) = (text.lower().partition("e") for text in (left, right))
    decimals = {len(text.partition(".")[2]) for text in (one, other)}
    if scale != exponent or len(decimals) > 1:
        return False
    try:
        return abs(int(re.sub(r"[._]", "", one)) - int(re.sub(r"[._]", "", other))) == 1
    except ValueError:  # an imaginary number
        return False


def is_slipped(published: str, printed: str) -> bool:
    """Whether one digit of five or more is another, or two are turned, and the three behind are the same.

    Parameters
    ----------
    published, printed : str
        Two numbers.
    """
    if len(published) != len(printed):
        return False
    places = places_apart(published, printed)
    # A point that has moved is another unit.
    turned = neighbours_turned(published, printed) and "." not in published[places[0] : places[1] + 1]
    if len(places) != 1 and not turned:
        return False
    behind = _digits(published[places[-1] + 1 :])
    # Zeros behind a digit are what the printer fills up with, or what a round number has.
    return len(behind.rstrip("0")) >= _BEHIND and len(_digits(published)) >= _LONG


def are_of_no_double(pairs: Sequence[tuple[str, str]], code: str) -> bool:
    """Whether a number is published that is of no double, on whatever machine, in place of one that is.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Numbers as published and as printed.
    code : str
        The code that they are of, which may compute with more digits than a double has.
    """
    changed = (not _is_of_a_double(left) and _is_of_a_double(right) for left, right in pairs if left != right)
    return any(changed) and not _OTHER_NUMBERS.search(code)


def _is_of_a_double(text: str) -> bool:
    plain = text.replace("_", "")
    count = len(_digits(plain).strip("0"))
    if "." not in plain or count not in _AS_A_DOUBLE:
        return True
    try:
        return Decimal(f"{float(plain):.{count - 1}e}") == Decimal(plain)
    except (InvalidOperation, ValueError):
        return True


def _digits(text: str) -> str:
    return re.sub(r"[eE].*|\D", "", text)
