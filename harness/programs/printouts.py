"""What two programs print, as numbers: whether each prints some that the other does not."""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?(?![\w.]|:\d)")
_INDEX = re.compile(r"^\s*\[\d+(?:,\d*)?\]", re.MULTILINE)
"""What R puts before a line of values."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LARGE = 100.0
"""Whole numbers below it may be row numbers, sizes or years of a heading; they count as nothing here."""
_SCALES = (1.0, 100.0, 0.01)
"""A share may be printed as per cent."""
_ROUNDING = 1e-6
"""Of a number, what rounding on the way may change; a fault that is smaller is not seen here."""
_NAMED = 3
"""How many numbers a sentence names."""


class Printed(NamedTuple):
    """A number as it is printed, and one unit of its last digit."""

    text: str
    value: float
    unit: float


def numbers(text: str) -> list[Printed]:
    """Read the numbers of a printout that may be results: with a point, an exponent, or large."""
    found = []
    for match in _NUMBER.finditer(_THOUSANDS.sub("", _INDEX.sub("", text))):
        digits, _, exponent = match[0].lower().partition("e")
        decimals = len(digits.partition(".")[2])
        number = Printed(match[0], float(match[0]), 10.0 ** (int(exponent or 0) - decimals))
        if "." in digits or exponent or abs(number.value) >= _LARGE:
            found.append(number)
    return found


def apart(a: str, b: str) -> tuple[list[Printed], list[Printed]]:
    """Return what each prints and the other does not; both empty where one prints all that the other does.

    Parameters
    ----------
    a, b : str
        What the programs have printed.

    Returns
    -------
    tuple of list of Printed
        Numbers without a partner that agrees as far as both are printed, be it in per cent. A program may
        print more than the other: only where both have such numbers do they part.
    """
    first, second = numbers(a), numbers(b)
    alone = (_alone(first, second), _alone(second, first))
    return alone if all(alone) else ([], [])


def _alone(ours: list[Printed], theirs: list[Printed]) -> list[Printed]:
    return [one for one in ours if not any(_same(one, other) for other in theirs)]


def _same(one: Printed, other: Printed) -> bool:
    rounding = _ROUNDING * abs(one.value)
    return any(
        abs(one.value - scale * other.value) <= one.unit + scale * other.unit + rounding for scale in _SCALES
    )


def named(alone: list[Printed]) -> str:
    """A few of them, as they are printed."""
    more = f" and {len(alone) - _NAMED} more" if len(alone) > _NAMED else ""
    return ", ".join(one.text for one in alone[:_NAMED]) + more
