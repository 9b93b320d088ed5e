"""What two programs print, as numbers: whether each prints some that the other does not."""

from __future__ import annotations

import math
from collections import Counter

from harness.programs.equal_tokens import without_equal
from harness.programs.tokens import Token, tokens_of

_LEAST = 3
"""Fractions, below which chance may have made them the same."""
_NAMED = 3
"""How many numbers a sentence names."""


def numbers(text: str) -> list[Token]:
    """Read the numbers of a printout that may be results: with decimals, an exponent, or large.

    Whole numbers that are small may be row numbers, sizes or years of a heading; they count as nothing here.
    """
    return [one for one in tokens_of(text) if one.is_telling and one.unit]


def apart(a: str, b: str) -> tuple[list[Token], list[Token]]:
    """Return what each prints and the other does not; both empty where one prints all that the other does.

    Parameters
    ----------
    a, b : str
        What the programs have printed.

    Returns
    -------
    tuple of list of Token
        Numbers without a partner that agrees as far as both are printed, be it in per cent. A program may
        print more than the other: only where both have such numbers do they part.
    """
    own = alone(a, b)
    return own if all(own) else ([], [])


def alone(a: str, b: str) -> tuple[list[Token], list[Token]]:
    """Return the numbers that each of two printouts has and the other has not."""
    first, second = numbers(a), numbers(b)
    return without_equal(first, second), without_equal(second, first)


def undefined(text: str) -> int:
    """Return how many numbers of a printout are none, or infinite."""
    return sum(one.is_number and not math.isfinite(one.value) for one in tokens_of(text))


def all_in_both(a: str, b: str) -> bool:
    """Whether two programs print the same fractions, and one of them no other whole numbers, in any order.

    A size, a year or the number of a row that one of them prints besides says nothing of the other.
    """
    fewer, more = sorted(([one for one in tokens_of(text) if one.is_number] for text in (a, b)), key=len)
    fractions = [[one for one in side if one.unit < 1] for side in (fewer, more)]
    whole = [Counter(one.value for one in side if one.unit >= 1) for side in (fewer, more)]
    return (
        len(fractions[0]) == len(fractions[1]) >= _LEAST
        and not any(without_equal(*pair) for pair in (fractions, fractions[::-1]))
        and whole[0] <= whole[1]
    )


def named(own: list[Token]) -> str:
    """A few of them, as they are printed."""
    more = f" and {len(own) - _NAMED} more" if len(own) > _NAMED else ""
    return ", ".join(one.text for one in own[:_NAMED]) + more
