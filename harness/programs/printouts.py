"""What two programs print, as numbers: whether each prints some that the other does not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from harness.programs.equal_tokens import without_equal
from harness.programs.match import Pair
from harness.programs.tokens import Token, tokens_of
from harness.programs.units import Unit

_LEAST = 3
"""Fractions, below which chance may have made them the same."""
_NAMED = 3
"""How many numbers a sentence names."""
_VARIABLES = frozenset({"set", "container", "mutated"})
_LARGE = 10_000
"""Values of a variable that is printed as a whole."""


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


def unshared(units: Sequence[Sequence[Unit]], own: Sequence[list[Token]]) -> str:
    """Say which numbers each of two programs prints alone, and how one says which variables they are of.

    Parameters
    ----------
    units : sequence of sequence of Unit
        Of the two programs.
    own : sequence of list of Token
        The numbers of each.
    """
    numbers = " against ".join(map(named, own))
    holders = [_holder(*one) for one in zip(units, own, strict=True)]
    first, second = holders
    said = f"each program prints numbers that the other does not: {numbers}"
    if first is None or second is None:
        return f"{said}; say with --map which variables they are of"
    return f"{said}; if {_places(first, second)} are meant as the same, say {_mapped(first, second)}"


def reordered(units: Sequence[Sequence[Unit]], pairs: Sequence[Pair], texts: Sequence[str]) -> str:
    """Say which variables that both print have the same numbers in another order; empty if none have.

    Parameters
    ----------
    units : sequence of sequence of Unit
        Of the two programs.
    pairs : sequence of Pair
        Of their variables.
    texts : sequence of str
        What both print: where a name or a number stands beside each value, the order says nothing.
    """
    permuted = [pair for pair in pairs if pair.compared.layout == "permuted"]
    printed = [tokens_of(text) for text in texts] if permuted else []
    for pair in permuted:
        own = units[0][pair.a], units[1][pair.b]
        if all(map(_is_in_a_row, own, printed)):
            return (
                f"{_places(*own)}, which both print, have the same numbers in another order;"
                f" if that matters, say {_mapped(*own)}, if not, --ignore {own[0].name}"
            )
    return ""


def _is_in_a_row(unit: Unit, printed: Sequence[Token]) -> bool:
    """Whether the values of a variable are printed one behind the other, and nothing between them."""
    value = unit.values[-1].ravel()
    if value.dtype.kind not in "iuf" or not 1 < value.size <= len(printed):
        return False
    shown = np.array([(one.value, one.unit) for one in printed])
    with np.errstate(invalid="ignore"):  # of infinite ones
        starts = np.flatnonzero(abs(shown[:, 0] - value[0]) <= shown[:, 1] / 2)
        rows = (shown[at : at + value.size] for at in starts if at + value.size <= len(shown))
        return any((abs(row[:, 0] - value) <= row[:, 1] / 2).all() for row in rows)


def _places(first: Unit, second: Unit) -> str:
    return " and ".join(f"{one.name} (line {one.site.line})" for one in (first, second))


def _mapped(first: Unit, second: Unit) -> str:
    return f"--map {first.name}={second.name}"


def _holder(units: Sequence[Unit], own: Sequence[Token]) -> Unit | None:
    """The variable that has most of some numbers, at least two; of several, the one with the least beside."""
    numbers = [one for one in own if one.is_telling]
    best, known = None, (1, 0)
    for unit in units:
        value = unit.values[-1]
        if unit.kind not in _VARIABLES or unit.path or value.dtype.kind not in "iuf" or value.size > _LARGE:
            continue
        held = sum(bool((abs(value - one.value) <= one.unit / 2).any()) for one in numbers)
        if (held, -value.size) >= known and held > 1:
            best, known = unit, (held, -value.size)
    return best
