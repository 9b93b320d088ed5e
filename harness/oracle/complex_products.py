"""Products, variances and polynomials of complex arrays, with the errors of all orders of operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.arguments import as_in
from harness.oracle.complex_arrays import ComplexArray, joined, times
from harness.oracle.rounding import Rounded
from harness.oracle.summation import sum_error
from harness.oracle.unknown import NotUnderstood

Array = npt.NDArray[Any]

MOST_OF_PRODUCT = 2.0 * np.sqrt(2.0)
"""Error of a complex product over the unit roundoff (Higham, section 3.6)."""


def _also(z: ComplexArray, worst: Array, spread: Array) -> ComplexArray:
    """The parts with the further errors of other orders of the operations."""
    return z.by_part(lambda part: part._made(part.value, part.worst, part.draws, worst, spread))


def _prod(
    kind: ComplexArray, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> ComplexArray:
    """The product of the elements, multiplied in any order."""
    z = ComplexArray.lifted(kind.kind, a)
    if dtype is not None:
        raise NotUnderstood("numpy.prod(dtype=...) of complex numbers")
    if keepdims or (axis is not None and np.ndim(axis)):
        raise NotUnderstood("numpy.prod of complex numbers with these arguments")
    first = 0 if axis is None else axis % z.ndim
    x = z.reshape(-1) if axis is None else z.transpose(first, *(n for n in range(z.ndim) if n != first))
    product = x[0]
    for k in range(1, len(x)):
        product = times(product, x[k])
    if not isinstance(product.real, Rounded):
        return product
    roundoff = MOST_OF_PRODUCT * product.real.unit * np.hypot(product.real.value, product.imag.value)
    return _also(product, len(x) * roundoff, np.sqrt(len(x)) * roundoff)


@as_in(np.var, "kind")
def _var(kind: ComplexArray, a: Any, *args: Any, **kwargs: Any) -> Any:
    """The variances of the parts, added."""
    z: Any = ComplexArray.lifted(kind.kind, a)
    return np.var(z.real, *args, **kwargs) + np.var(z.imag, *args, **kwargs)


def _polyval(z: ComplexArray, p: Any, x: Any) -> ComplexArray:
    """The sum of its terms; Horner's scheme rounds a product and a sum of each (Higham, 3.6, 5.1)."""
    p, x = (ComplexArray.lifted(z.kind, value) for value in (p, x))
    power, terms = None, [x.by_part(lambda part: part * 0.0) + p[-1]]
    for k in range(len(p) - 2, -1, -1):
        power = x if power is None else times(power, x)
        terms.append(times(power, p[k]))
    whole = joined(lambda parts: np.stack(parts, axis=-1), terms)
    total = whole.sum(axis=-1)
    if not isinstance(total.real, Rounded):
        return total
    sizes = np.hypot(whole.real.value, whole.imag.value)
    worst, spread = sum_error(sizes, total.real.unit)
    return _also(total, MOST_OF_PRODUCT * worst, MOST_OF_PRODUCT * spread)


PRODUCTS: Mapping[Any, Callable[..., Any]] = {
    np.prod: _prod,
    np.var: _var,
    np.std: as_in(_var)(lambda *args, **kwargs: np.sqrt(_var(*args, **kwargs))),
    np.polyval: _polyval,
}
"""Functions by NumPy function; the first argument is a complex array that gives the arithmetic."""
