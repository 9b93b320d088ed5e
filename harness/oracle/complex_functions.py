"""Functions of complex arrays as real functions of their parts, which is how every language computes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from harness.oracle import padding
from harness.oracle.arguments import as_in
from harness.oracle.complex_arrays import (
    ComplexArray,
    joined,
    matrix_product,
    modulus,
    quotient,
    times,
)
from harness.oracle.complex_products import PRODUCTS
from harness.oracle.oracle_array import OracleArray
from harness.oracle.rounding import Rounded
from harness.oracle.selecting import SELECTING, holds_elements, holds_elements_as
from harness.oracle.unknown import NotUnderstood

MOST_FACTORS = 64
"""Largest whole exponent whose power is computed as a product."""


def _turned(
    size_of: Callable[[Any], Any], other_of: Callable[[Any], Any]
) -> Callable[[ComplexArray], ComplexArray]:
    """The function with real part f(x) cos y and imaginary part g(x) sin y."""

    def call(z: ComplexArray) -> ComplexArray:
        return ComplexArray(size_of(z.real) * np.cos(z.imag), other_of(z.real) * np.sin(z.imag))

    return call


_exp = _turned(np.exp, np.exp)


def _sin(z: ComplexArray) -> ComplexArray:
    return ComplexArray(np.sin(z.real) * np.cosh(z.imag), np.cos(z.real) * np.sinh(z.imag))


def _cos(z: ComplexArray) -> ComplexArray:
    return ComplexArray(np.cos(z.real) * np.cosh(z.imag), -(np.sin(z.real) * np.sinh(z.imag)))


def _log(z: ComplexArray) -> ComplexArray:
    return ComplexArray(np.log(modulus(z)), _angle(z))


def _angle(z: ComplexArray) -> Any:
    return _on_the_cut(z, np.arctan2(z.imag, z.real), "the angle of a number left of 0")


def _on_the_cut(z: ComplexArray, part: Any, what: str) -> Any:
    """Undecided on the branch cut where the imaginary part is -0: balls have no signed zeros."""
    below = np.zeros(z.shape)
    if isinstance(z.imag, Rounded):
        below[(z.real.value < 0) & (z.imag.value == 0) & np.signbit(z.imag.value)] = 1.0
    flags = z.kind.placed(np.zeros(z.shape), np.zeros(z.shape), below, what)
    return part.spoiled(flags.doubtful()) if isinstance(flags, OracleArray) else part


def _sqrt(z: ComplexArray) -> ComplexArray:
    """The root whose real part is not negative, by the larger of its parts (Kahan, 1987)."""
    size = np.sqrt((modulus(z) + np.abs(z.real)) / 2.0)
    nothing = size == 0.0
    smaller = np.where(nothing, 0.0, np.abs(z.imag) / np.where(nothing, 2.0, size * 2.0))
    right = z.real >= 0.0
    imaginary = np.copysign(np.where(right, smaller, size), z.imag)
    real = np.where(right, size, smaller)
    cut = "the root of a number left of 0"
    return ComplexArray(real, _on_the_cut(z, imaginary, cut))


def _power(z: ComplexArray, w: ComplexArray) -> ComplexArray:
    """A power by repeated multiplication, or as exp(w log z)."""
    n = float(w.real.nearest()) if w.ndim == 0 else np.nan
    plain = not isinstance(w.real, Rounded) or not (w.real.worst.any() or w.imag.worst.any())
    if w.imag.nearest().any() or not plain or not n.is_integer() or not 0 < n <= MOST_FACTORS:
        exponent = times(w, _log(z))
        return _exp(exponent)
    power = z
    for _ in range(int(n) - 1):
        power = times(power, z)
    if not isinstance(power.real, Rounded) or n < 2:
        return power
    sizes = np.hypot(z.real.value, z.imag.value)
    logarithms = np.abs(np.log(np.where(sizes > 0, sizes, 1.0)))
    # Each of n logarithms and angles is off by three units, each product by 2 sqrt 2.
    roundoff = z.real.unit * (3.0 * n * (np.pi + logarithms) + 8.0 + 3.0 * n) * sizes**n
    return power.by_part(lambda part: part._made(part.value, part.worst, part.draws, roundoff, roundoff))


def _equal(z: ComplexArray, w: ComplexArray) -> Any:
    return np.logical_and(z.real == w.real, z.imag == w.imag)


def _finite(ufunc: np.ufunc, both: np.ufunc) -> Callable[[ComplexArray], Any]:
    return lambda z: both(ufunc(z.real), ufunc(z.imag))


UFUNCS: Mapping[np.ufunc, Callable[..., Any]] = {
    np.exp: _exp,
    np.sinh: _turned(np.sinh, np.cosh),
    np.cosh: _turned(np.cosh, np.sinh),
    np.sin: _sin,
    np.cos: _cos,
    np.log: _log,
    np.sqrt: _sqrt,
    np.power: _power,
    np.reciprocal: lambda z: quotient(ComplexArray.lifted(z.kind, 1.0), z),
    np.equal: _equal,
    np.not_equal: lambda z, w: np.logical_not(_equal(z, w)),
    np.isfinite: _finite(np.isfinite, np.logical_and),
    np.isnan: _finite(np.isnan, np.logical_or),
    np.isinf: _finite(np.isinf, np.logical_or),
}


def of_parts(func: Any, args: Any, kwargs: Mapping[str, Any]) -> Any:
    """A function that moves or adds elements, applied to the real and to the imaginary part."""
    sides = []
    for side in ("real", "imag"):
        given = [_part(arg, side) if holds_elements(func, place) else arg for place, arg in enumerate(args)]
        named = {
            name: _part(value, side) if holds_elements_as(name) else value for name, value in kwargs.items()
        }
        sides.append(func(*given, **named))
    real, imag = sides
    if isinstance(real, (list, tuple)):
        return [ComplexArray(a, b) for a, b in zip(real, imag, strict=True)]
    return ComplexArray(real, imag)


def _part(value: Any, side: str) -> Any:
    if isinstance(value, (list, tuple)):
        return [_part(item, side) for item in value]
    if (
        isinstance(value, (ComplexArray, complex))
        or getattr(getattr(value, "dtype", None), "kind", "") == "c"
    ):
        return getattr(value, side)
    if side == "real" or value is None:
        return value
    return np.zeros(np.shape(value)) if not isinstance(value, OracleArray) else value.imag


def _where(z: ComplexArray, condition: Any, x: Any, y: Any) -> ComplexArray:
    parts = [ComplexArray.lifted(z.kind, value) for value in (x, y)]
    return ComplexArray(
        np.where(condition, *(part.real for part in parts)),
        np.where(condition, *(part.imag for part in parts)),
    )


def _filled(fill: float) -> Callable[..., Any]:
    def call(z: ComplexArray, a: Any, dtype: Any = None) -> Any:
        if dtype is not None and np.dtype(dtype) != z.dtype:
            raise NotUnderstood("numpy.zeros_like of complex numbers with another dtype")
        real: Any = z.kind.given(np.full(np.shape(a), fill)).copy()
        return ComplexArray(real, z.kind.given(np.zeros(np.shape(a))).copy())

    return call


def _outer(z: ComplexArray, a: Any, b: Any) -> ComplexArray:
    x, y = (ComplexArray.lifted(z.kind, value).reshape(-1) for value in (a, b))
    return times(x[:, None], y[None, :])


def _dot(z: ComplexArray, a: Any, b: Any) -> ComplexArray:
    x, y = (ComplexArray.lifted(z.kind, value) for value in (a, b))
    if x.ndim == 0 or y.ndim == 0:
        return times(x, y)
    if y.ndim > 2:
        raise NotUnderstood("numpy.dot of complex arrays of more than two axes")
    return matrix_product(x, y)


def _vdot(z: ComplexArray, a: Any, b: Any) -> ComplexArray:
    x, y = (ComplexArray.lifted(z.kind, value).reshape(-1) for value in (a, b))
    return matrix_product(x.conj(), y)


def _inner(z: ComplexArray, a: Any, b: Any) -> ComplexArray:
    if np.ndim(a) != 1 or np.ndim(b) != 1:
        raise NotUnderstood("numpy.inner of complex matrices")
    return _dot(z, a, b)


def _convolve(z: ComplexArray, a: Any, v: Any, mode: str = "full") -> ComplexArray:
    x, y = (ComplexArray.lifted(z.kind, value) for value in (a, v))
    products = {
        (p, q): np.convolve(getattr(x, p), getattr(y, q), mode)  # type: ignore[call-overload]
        for p in ("real", "imag")
        for q in ("real", "imag")
    }
    return ComplexArray(
        products["real", "real"] - products["imag", "imag"],
        products["real", "imag"] + products["imag", "real"],
    )


def _norm(z: ComplexArray, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    vector = np.ndim(x) == 1 or (np.ndim(axis) == 0 and axis is not None)
    if not (ord is None or (ord == "fro" and not vector) or (ord == 2 and vector)):
        raise NotUnderstood(f"numpy.linalg.norm(ord={ord!r}) of complex numbers")
    return np.linalg.norm(np.abs(x), axis=axis, keepdims=keepdims)


def _angles(kind: ComplexArray, z: Any, deg: bool = False) -> Any:
    return np.degrees(_angle(z)) if deg else _angle(z)


def _clean(function: Any) -> Callable[..., Any]:
    @as_in(function, "z")
    def call(z: ComplexArray, *args: Any, **kwargs: Any) -> Any:
        return of_parts(function, args, kwargs)

    return call


def _concatenated(z: ComplexArray, arrays: Any, /, axis: Any = 0, *, dtype: Any = None) -> Any:
    # Written out: before NumPy 2.4 this function has no signature.
    return of_parts(np.concatenate, (arrays,), {"axis": axis} | ({} if dtype is None else {"dtype": dtype}))


FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    **{
        function: _clean(function)
        for function in (*SELECTING, np.cumsum, np.diff, np.trace, np.ediff1d, np.round, np.around)
        if function is not np.where
    },
    np.concatenate: _concatenated,
    np.pad: as_in(padding.GENERIC[np.pad], "z", but=1)(_clean(np.pad)),
    np.where: _where,
    np.zeros_like: _filled(0.0),
    np.empty_like: lambda z, prototype, dtype=None: _filled(0.0)(z, prototype, dtype),
    np.ones_like: _filled(1.0),
    np.outer: _outer,
    np.dot: _dot,
    np.convolve: _convolve,
    np.vdot: _vdot,
    np.inner: _inner,
    np.linalg.norm: _norm,
    np.angle: _angles,
    **PRODUCTS,
    np.array_equal: lambda z, a1, a2: np.shape(a1) == np.shape(a2) and np.all(a1 == a2),
}
"""Functions by NumPy function; the first argument is a complex array that gives the arithmetic."""


def gathered(kind: type[OracleArray], value: Any) -> ComplexArray:
    """Nested lists of complex and real numbers as one new array."""
    if isinstance(value, (list, tuple)):
        return joined(np.stack, [gathered(kind, item) for item in value])
    return ComplexArray.lifted(kind, value).copy()
