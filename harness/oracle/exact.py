"""Whether an operation of plain numbers was rounded: error-free transformations. NumPy alone.

A sum and its error are two floating-point numbers (Knuth), and so are a product and its error (Dekker, "A
floating-point technique for extending the available precision", Numer. Math. 18, 1971).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

MOST_EXPONENT = 64
"""Largest exponent whose powers are computed."""

MANY = 1 << 12
"""Largest number of elements whose powers are computed, one by one."""

WHOLE = 2.0**53
"""Integers up to this magnitude are exact in float64."""

SMALL = 2.0**-900
"""Below, the error of a product may be no floating-point number."""


def is_exact(name: str, left: Any, right: Any, result: Any) -> bool:
    """Whether a result of real numbers is exact in every element; False where that is not known.

    Parameters
    ----------
    name : str
        The operator, as the module operator has it.
    left, right : number or ndarray
        Its operands.
    result : number or ndarray
        What Python or NumPy made of them.
    """
    if not any(isinstance(number, np.ndarray) for number in (left, right)):
        return _of_numbers(name, left, right, result)
    arrays = [np.asarray(number, dtype=np.float64) for number in (left, right, result)]
    for number, array in zip((left, right, result), arrays, strict=True):
        if np.asarray(number).dtype.kind != "f" and (np.abs(array) > WHOLE).any():
            return False
    if name in _ERRORS:
        with np.errstate(all="ignore"):
            return bool(np.all(_ERRORS[name](*arrays)))
    if name != "pow" or arrays[2].size > MANY:
        return False
    rows = zip(*(array.ravel().tolist() for array in np.broadcast_arrays(*arrays)), strict=True)
    return all(_of_numbers(name, *row) for row in rows)


def _of_numbers(name: str, left: Any, right: Any, result: Any) -> bool:
    try:
        x, y, z = (
            Fraction(number.item() if isinstance(number, np.generic) else number)
            for number in (left, right, result)
        )
    except (ValueError, OverflowError, TypeError):
        return False
    if name == "add":
        return x + y == z
    if name == "sub":
        return x - y == z
    if name == "mul":
        return x * y == z
    if name == "truediv":
        return x == z * y
    if name != "pow" or abs(y) > MOST_EXPONENT:
        return False
    # The root of a square, or a power of an integer.
    root = y.denominator == 2 and y > 0
    return bool(x**y.numerator == z**2 and z >= 0) if root else y.denominator == 1 and x**y.numerator == z


def _sum(x: Array, y: Array, z: Array) -> Array:
    total = x + y
    other = total - x
    exact: Array = (total == z) & ((x - (total - other)) + (y - other) == 0)
    return exact


def _product(x: Array, y: Array, z: Array) -> Array:
    product = x * y
    (a, b), (c, d) = _halves(x), _halves(y)
    error = ((a * c - product) + a * d + b * c) + b * d
    exact: Array = (product == z) & (error == 0) & (np.abs(product) > SMALL) | (z == 0) & (
        (x == 0) | (y == 0)
    )
    return exact


def _halves(x: Array) -> tuple[Array, Array]:
    scaled = x * (2.0**27 + 1.0)
    high = scaled - (scaled - x)
    return high, x - high


_ERRORS: Mapping[str, Callable[..., Array]] = {
    "add": _sum,
    "sub": lambda x, y, z: _sum(x, -y, z),
    "mul": _product,
    "truediv": lambda x, y, z: _product(z, y, x),
}
