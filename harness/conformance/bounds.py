"""The numbers that print as published digits lie between two float64."""

from __future__ import annotations

from collections.abc import Callable
from decimal import InvalidOperation
from typing import Any

import numpy as np

from harness.conformance.shown import Bounds
from harness.model import Array, Published
from harness.numerics.printed import SPECIAL, printed_pairs, prints_as

NOTHING = (np.inf, -np.inf)
"""Empty bounds, which contain no number."""


def bounds_of(published: Published, shape: tuple[int, ...]) -> tuple[Bounds, Array]:
    """Bounds of every element that was printed.

    Returns
    -------
    bounds : Bounds
        Within them lies what prints the digits, and nothing else. NaN and infinities stand for themselves.
    elided : ndarray of bool
        Elements that were not printed.

    Raises
    ------
    ValueError
        The printed numbers do not fit the shape.
    """
    least, most = np.full(shape, -np.inf), np.full(shape, np.inf)
    elided = np.ones(shape, dtype=bool)
    for text, index in printed_pairs(published.values, shape):
        least[index], most[index] = _bounds(text, published)
        elided[index] = False
    return Bounds(least=least, most=most), elided


def _bounds(text: str, published: Published) -> tuple[float, float]:
    special = SPECIAL.get(text.lower())
    if special is not None:
        return float(special), float(special)

    def prints(value: float) -> bool:
        try:
            with np.errstate(over="ignore"):
                return prints_as(value, text, decimals=published.decimals, float32=published.float32)
        except InvalidOperation:
            return False

    middle = float(text)
    if not np.isfinite(middle) or not prints(middle):
        return NOTHING
    return _last(prints, middle, -np.inf), _last(prints, middle, np.inf)


def _last(prints: Callable[[float], bool], start: float, toward: float) -> float:
    """Return the last number, from a start on, that prints the digits."""
    inside, outside = _place(start), _place(float(np.nextafter(toward, 0.0)))
    if prints(_number(outside)):
        return _number(outside)
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        inside, outside = (middle, outside) if prints(_number(middle)) else (inside, middle)
    return _number(inside)


def _place(value: float) -> int:
    """Return the rank of a finite float64 among all of them, 0 at zero."""
    bits: Any = np.float64(abs(value)).view(np.int64)
    return -int(bits) if value < 0 else int(bits)


def _number(place: int) -> float:
    value = float(np.int64(abs(place)).view(np.float64))
    return -value if place < 0 else value
