"""Comparison of values with printed digits: rounded as they were printed, they must give these digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from typing import Any

import msgspec
import numpy as np

from harness.model import Array

ELIDED = "..."
_FINEST = -1074
"""The last decimal place in which a float64 can have a digit."""

# A float64 has at most 309 digits before the point and 1074 behind it.
_EXACT = Context(prec=1500, Emax=MAX_EMAX, Emin=MIN_EMIN, rounding=ROUND_HALF_EVEN)

SPECIAL = {"nan": "nan", "na": "nan", "inf": "inf", "+inf": "inf", "-inf": "-inf"}


class Misprint(msgspec.Struct, frozen=True):
    """One element that would not print the published digits."""

    index: tuple[int, ...]
    printed: str
    value: float

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.index))}] is {self.value!r}, printed {self.printed}"


class PrintedNumber(msgspec.Struct, frozen=True):
    """How many printed numbers were compared with an array, and which of them it would not print."""

    checked: int
    misprints: tuple[Misprint, ...]
    problem: str = ""


def hold_to_print(
    values: Sequence[Any] | str, array: Array, *, decimals: int | None = None, float32: bool = False
) -> PrintedNumber:
    """Compare an array with printed digits.

    Parameters
    ----------
    values : nested sequence of str
        The printed numbers, nested like the array, or one text of a single number;
        ``"..."`` stands for elided items at its level.
    array : ndarray
        Real values of any shape.
    decimals : int, optional
        Decimals that were rounded to, where the printer dropped trailing zeros.
    float32 : bool
        Whether the shortest digits that give the float32 back were printed.

    Returns
    -------
    PrintedNumber
        ``problem`` is not empty if the nesting does not fit the shape; then nothing was compared.
    """
    if array.dtype.kind not in "fiub":
        return PrintedNumber(
            checked=0, misprints=(), problem=f"{array.dtype} where real numbers are expected"
        )
    try:
        pairs = list(printed_pairs(values, array.shape))
    except ValueError as error:
        return PrintedNumber(checked=0, misprints=(), problem=str(error))
    wrong = [
        Misprint(index, text, float(array[index]))
        for text, index in pairs
        if not prints_as(float(array[index]), text, decimals=decimals, float32=float32)
    ]
    return PrintedNumber(checked=len(pairs), misprints=tuple(wrong))


def prints_as(value: float, text: str, *, decimals: int | None = None, float32: bool = False) -> bool:
    """Say whether a value, rounded half to even to the printed place, is the printed number."""
    special = SPECIAL.get(text.lower())
    if special is not None or not np.isfinite(value):
        return special is not None and str(float(value)) == special
    if float32:
        with np.errstate(over="ignore"):
            return bool(np.float32(value) == np.float32(text))
    printed = Decimal(text)
    place = int(printed.as_tuple().exponent) if decimals is None else -decimals
    # Behind its last digit a value is exact: there is nothing to round, however many zeros were printed.
    rounded = Decimal(value).quantize(Decimal((0, (1,), max(place, _FINEST))), context=_EXACT)
    return rounded == printed


def is_number(text: str) -> bool:
    """Say whether a printed text is a number that a value can be compared with."""
    try:
        Decimal(text)
    except InvalidOperation:
        return text.lower() in SPECIAL
    return True


def printed_pairs(values: Any, shape: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every printed number with its index; raises ValueError if the nesting does not fit the shape."""
    return _pairs(values, shape, ())


def _pairs(
    values: Any, shape: tuple[int, ...], index: tuple[int, ...]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    if isinstance(values, str):
        if len(index) != len(shape):
            raise ValueError(f"the printed numbers have {len(index)} dimensions, the array has {len(shape)}")
        yield values, index
        return
    if len(index) == len(shape):
        raise ValueError(f"the printed numbers have more than the array's {len(shape)} dimensions")
    size = shape[len(index)]
    if ELIDED in values:
        cut = list(values).index(ELIDED)
        head, tail = values[:cut], values[cut + 1 :]
        if ELIDED in tail or len(head) + len(tail) > size:
            raise ValueError(f"{len(head)} and {len(tail)} printed items around '...' do not fit size {size}")
    else:
        head, tail = values, ()
        if len(head) != size:
            raise ValueError(f"{len(head)} printed items for size {size} of dimension {len(index)}")
    places = [*range(len(head)), *range(size - len(tail), size)]
    for place, item in zip(places, [*head, *tail], strict=True):
        yield from _pairs(item, shape, (*index, place))
