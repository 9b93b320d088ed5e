"""Do two printed numbers stand for the same value, as far as their digits say?"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from decimal import Decimal
from statistics import mode

import msgspec

from harness.documents.tokens import EXACT, Group, Item, Number

R_DIGITS = 7
_ALL = ("python", "julia")
"""Languages that print a number with as many digits as tell it from all others."""
_CUT = 3
"""Digits that R's tibbles show at least."""
_FORMAT, _FIXED = 6, 4
"""Digits that a format or an array shows at least where it leaves some out: ``%f`` and ``%g``; PyTorch."""
_OF_32_BITS = 9
"""Digits that tell a number of 32 bits from all others."""


class PrintedPrecision(msgspec.Struct, frozen=True):
    """The digits that one text shows: of numbers with a common count of decimals, and of all others.

    A number that shows fewer has had its trailing zeros dropped by the printer: beside 0.9852202, R's 0.5
    is 0.5000000. None where that is not known; then whole numbers are exact. ``cut`` says that a point with
    nothing behind it stands for decimals that are not shown, as it does in R's tibbles; ``whole`` that all
    digits of a short number are shown, as Python and Julia do.
    """

    decimals: int | None
    significant: int | None
    cut: bool = False
    whole: bool = False

    def place(self, number: Number) -> int | None:
        """Return the power of ten of the last digit a number is known to, or None if it is exact."""
        if "e" in number.text.lower() and number.fixed:
            return number.place
        if self.cut and number.text.endswith(".") and number.significant >= _CUT:
            return number.place
        whole = number.decimals == 0
        if not whole and number.text[-1] == "0" and not _bare_zero(number):
            return number.place
        if number.fixed:
            return _finest(None if whole else number.place, self.decimals, number.scale)
        if self.significant is None:
            return None if whole else number.place
        if number.value is None or not number.value:
            return None if whole else number.place
        implied = number.value.adjusted() - self.significant + 1
        # What shows no exponent shows its units.
        return min(0 if is_whole(number) else number.place, implied)

    def has_all(self, number: Number) -> bool:
        """Whether no digit of a number is left out, by how few are shown."""
        if number.fixed:
            return self.whole and self.decimals is not None and self.decimals < _FIXED
        return self.whole and number.significant < _FORMAT


def precision(items: Iterable[Item], language: str, filled: int = 0) -> PrintedPrecision:
    """Find the most digits that any number of a text shows.

    Parameters
    ----------
    items : iterable of Item
        What it holds.
    language : str
        What printed it.
    filled : int, optional
        Decimals that its blanks stand for; where a hand shortens a number, no other may show as many.
    """
    fixed, free = [], []
    for number in _numbers(items):
        if number.value is None or not number.decimals:
            continue
        if not number.fixed:
            free += [number.significant] if number.significant else []
        elif "e" not in number.text.lower():
            fixed.append(number.decimals)
    if fixed and language == "python":
        fixed.append(filled)
    most = max(free, default=None)
    if (
        language == "r"
    ):  # whose columns share their decimals, so that large numbers show more than was asked for
        most = R_DIGITS if most is None or most >= R_DIGITS else None
    return PrintedPrecision(max(fixed, default=None), most, cut=language == "r", whole=language in _ALL)


def agree(
    published: Number, produced: Number, mine: PrintedPrecision, theirs: PrintedPrecision
) -> tuple[bool, bool]:
    """Compare a produced number with a published one.

    Parameters
    ----------
    published, produced : Number
        Two printed numbers.
    mine, theirs : Precision
        Of the published and of the produced text.

    Returns
    -------
    tuple of bool
        Whether one rounds to the other at the last digit that both are known to, and whether the produced
        number has fewer digits than the published one.
    """
    if published.imaginary != produced.imaginary or published.special != produced.special:
        return False, False
    if published.value is None or produced.value is None:
        return published.value is produced.value, False
    if published.value == produced.value:
        return True, False
    if is_whole(published) and is_whole(produced):
        return False, False
    left, right = mine.place(published), theirs.place(produced)
    if left == right:
        return False, False
    coarse = max(place for place in (left, right) if place is not None)
    far = _distance(published.value, produced.value)
    close = far <= EXACT.scaleb(Decimal("0.5"), coarse)
    coarser = left is None or (right is not None and right > left)
    if coarser and theirs.has_all(produced):
        close = close and _are_of_one_float(published, produced)
    return close, coarser


def are_spelled_alike(published: Number, produced: Number, theirs: PrintedPrecision) -> bool:
    """Whether two numbers of one value are spelled as values of one type are.

    Parameters
    ----------
    published, produced : Number
        Two printed numbers.
    theirs : PrintedPrecision
        Of the produced text: Python and Julia tell whole numbers, and Julia those of 32 bits, from others by
        how they print them.
    """
    whole = is_whole(published), is_whole(produced)
    if all(whole):
        # What is filled up with zeros, as a day or a minute, is always.
        return len(published.text.lstrip("+-")) == len(produced.text.lstrip("+-"))
    if "x" in published.text + produced.text:
        return True
    of_32_bits = "f" in published.text.lower(), "f" in produced.text.lower()
    if not theirs.whole:
        return of_32_bits[0] is of_32_bits[1]
    exponent = any("e" in one.text.lower() for one in (published, produced))
    return of_32_bits[0] is of_32_bits[1] and (exponent or whole[0] is whole[1])


def of_other_decimals(published: Sequence[Item], produced: Sequence[Item]) -> tuple[Number, Number] | None:
    """Return the first number of R's vector with other decimals than most, where R prints as many of all.

    Parameters
    ----------
    published, produced : sequence of Item
        The values of two vectors, which agree.

    Returns
    -------
    tuple of Number or None
        As published, and as printed.
    """
    mine, theirs = _decimals(published), _decimals(produced)
    if len(mine) != len(theirs) or len(set(theirs)) != 1 or len(set(mine)) == 1:
        return None
    odd = next(at for at, decimals in enumerate(mine) if decimals != mode(mine))
    left, right = published[odd], produced[odd]
    return (left, right) if isinstance(left, Number) and isinstance(right, Number) else None


def _decimals(items: Sequence[Item]) -> list[int]:
    """How many decimals the numbers of a vector have; none where it holds something else."""
    fixed = [isinstance(item, Number) and "e" not in item.text.lower() for item in items]
    finite = [item for item in items if isinstance(item, Number) and item.value is not None]
    return [item.decimals for item in finite] if all(fixed) and len(finite) == len(items) else []


def units(published: Number, produced: Number) -> float | None:
    """Return how far two numbers lie apart, in units of the last published digit."""
    if published.value is None or produced.value is None:
        return None
    return float(EXACT.scaleb(_distance(published.value, produced.value), -published.place))


def _are_of_one_float(published: Number, produced: Number) -> bool:
    """Whether two numbers are read as one, of 64 or of 32 bits; those may be printed as the former."""
    if published.value is None or produced.value is None:
        return False
    mine, theirs = float(published.value), float(produced.value)
    if mine == theirs:
        return True
    try:
        short, other = (struct.unpack("f", struct.pack("f", value))[0] for value in (mine, theirs))
    except OverflowError:
        return False
    return short == other and (published.significant <= _OF_32_BITS or mine == other)


def is_whole(number: Number) -> bool:
    """Whether a number is printed without a point and an exponent, so that all of its digits are there."""
    return not number.scale and number.text.lstrip("+-").isdigit()


def _distance(left: Decimal, right: Decimal) -> Decimal:
    return abs(EXACT.subtract(left, right))


def _bare_zero(number: Number) -> bool:
    """Whether the fraction is the one zero that Python and Julia print after a whole number."""
    return number.decimals == 1 and "e" not in number.text.lower()


def _finest(place: int | None, decimals: int | None, scale: int) -> int | None:
    if decimals is None:
        return place
    return scale - decimals if place is None else min(place, scale - decimals)


def _numbers(items: Iterable[Item]) -> Iterable[Number]:
    waiting = list(items)
    while waiting:
        item = waiting.pop()
        if isinstance(item, Group):
            waiting.extend(item.items)
        elif isinstance(item, Number):
            yield item
