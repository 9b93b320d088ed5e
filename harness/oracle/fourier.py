"""`numpy.fft`: exact transforms of balls, and what rounding does to fast ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import acb, arb

from harness.oracle.complex_arrays import ComplexArray
from harness.oracle.oracle_array import OracleArray
from harness.oracle.rounding import Rounded
from harness.oracle.summation import prime_term, sum_error

Array = npt.NDArray[Any]
Kind = type[OracleArray]

STAGE = 8.0
"""Bound on the error of one of the log2 n stages of a transform, in units of u times its norm."""


ALIKE = 0.25
"""Share of the sum of all magnitudes from which the terms of an element count as nearly equal."""

MOST_ALIKE = 8
"""Number of such elements that are examined."""


def _plain(z: ComplexArray, inverse: bool) -> ComplexArray:
    """The transform along the last axis, without a factor, with the error bound of Higham, theorem 24.2.

    A transform of n numbers in stages has |error| <= c u log2(n) |y|, |y| = sqrt(n) |x| in the Euclidean
    norm. No element errs by more. Rounding errors of a stage are spread evenly by those after it (Schatzman,
    "Accuracy of the discrete Fourier transform and the fast Fourier transform", SIAM J. Sci. Comput. 17,
    1996): an element's is of the order u sqrt(log2 n) |x|. A length with large prime factors takes up to
    three transforms of twice its length and two products (Bluestein), or a sum of p terms for a factor p.
    """
    n = z.shape[-1]
    if not issubclass(z.kind, Rounded):
        parts = [np.empty(z.shape, dtype=object) for _ in range(2)]
        for place in np.ndindex(z.shape[:-1]):
            numbers = zip(z.real.items[place], z.imag.items[place], strict=True)
            row = acb.dft([acb(a, b) for a, b in numbers], inverse)
            scale = arb(n) if inverse else arb(1)
            parts[0][place] = [scale * number.real for number in row]
            parts[1][place] = [scale * number.imag for number in row]
        return ComplexArray(z.kind(parts[0]), z.kind(parts[1]))  # type: ignore[call-arg]

    def transform(numbers: Array) -> Array:
        array: Array = np.fft.ifft(numbers, axis=-1) * n if inverse else np.fft.fft(numbers, axis=-1)
        return array

    x, y = z.real, z.imag
    value = transform(x.value + 1j * y.value)
    draws = None if x.draws is None and y.draws is None else transform(x._drawn() + 1j * y._drawn())
    worst = np.broadcast_to((x.worst + y.worst).sum(axis=-1, keepdims=True), value.shape)
    stages, more = np.log2(max(n, 2)), prime_term(n)
    length = np.sqrt((x.value**2 + y.value**2).sum(axis=-1, keepdims=True))
    ones = np.ones(value.shape)
    roundoff = x.unit * STAGE * (stages + more) * np.sqrt(n) * length * ones * (n > 1)
    # Where a few results are large, results that share their last stages have large errors too.
    largest = np.abs(value).max(axis=-1, keepdims=True, initial=0.0)
    spread = x.unit * ((np.sqrt(stages) + more) * length + (1.0 + more) * largest) * ones * (n > 1)
    if more:
        roundoff, spread = _by_definition(x.value + 1j * y.value, value, inverse, x.unit, roundoff, spread)
    # Every element follows from all: one that is undecided leaves none decided, not even as infinity.
    every = np.zeros(value.shape, dtype=bool)
    numbers = np.isfinite(x.value + y.value).all(axis=-1, keepdims=True) | every
    doubts = (x.doubtful() | y.doubtful()).any(axis=-1, keepdims=True) | every
    made = [
        x._made(part(value), worst, None if draws is None else part(draws), roundoff, spread, numbers=numbers)
        for part in (np.real, np.imag)
    ]
    return ComplexArray(*(part.as_undecided(lambda: doubts) for part in made))


def _by_definition(
    z: Array, value: Array, inverse: bool, unit: float, roundoff: Array, spread: Array
) -> tuple[Array, Array]:
    """The errors of a transform whose length has a large prime factor, and may be summed term by term.

    R's transform (Singleton, "An algorithm for computing the mixed radix fast Fourier transform", IEEE
    Trans. Audio Electroacoust. 17, 1969) has no other way for a prime factor p: p terms are added one by one,
    two of them, the j-th and the (p - j)-th, at a time. Where terms are nearly equal, as those of the first
    element of a constant are, their roundings are too, and the error of the sum is far larger than with
    independent roundings. `sum_error` bounds it for the first element and those whose terms mostly have one
    sign.
    """
    n = z.shape[-1]
    roundoff, spread = roundoff.copy(), spread.copy()
    for place in np.ndindex(z.shape[:-1]):
        row, sizes = z[place], np.abs(value[place])
        alike = np.argsort(sizes)[: -MOST_ALIKE - 1 : -1]
        alike = alike[sizes[alike] >= ALIKE * np.abs(row).sum()]
        for k in sorted({0, *alike.tolist()}):
            turns = np.exp((2j if inverse else -2j) * np.pi * (np.arange(n) * k % n) / n)
            for terms in ((row * turns).real, (row * turns).imag):
                pairs = np.concatenate([terms[:1], (terms[1:] + terms[:0:-1])[: n // 2]])
                errors = [sum_error(array, unit) for array in (terms, pairs)]
                spread[(*place, k)] = max(spread[(*place, k)], *(float(error[1]) for error in errors))
                roundoff[(*place, k)] = max(roundoff[(*place, k)], float(errors[0][0]))
    return roundoff, spread


def _fft(
    kind: Kind,
    a: Any,
    n: Any = None,
    axis: int = -1,
    norm: Any = None,
    *,
    inverse: bool = False,
) -> ComplexArray:
    z = ComplexArray.lifted(kind, a)
    order = [k for k in range(z.ndim) if k != axis % z.ndim] + [axis % z.ndim]
    moved = _fitted(z.transpose(*order), n)
    done = _scaled(kind, _plain(moved, inverse), norm, inverse)
    return done.transpose(*np.argsort(order).tolist())


def _ifft(kind: Kind, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> ComplexArray:
    return _fft(kind, a, n, axis, norm, inverse=True)


def _scaled(kind: Kind, z: ComplexArray, norm: Any, inverse: bool) -> ComplexArray:
    n = z.shape[-1]
    if norm == "ortho":
        root = np.sqrt(kind.gather(float(n)))
        return z.by_part(lambda part: part / root)
    if norm not in (None, "backward", "forward"):
        raise ValueError(f"norm is {norm!r}, and must be 'backward', 'ortho' or 'forward'")
    return z.by_part(lambda part: part / float(n)) if inverse == (norm != "forward") else z


def _fitted(z: ComplexArray, n: int | None) -> ComplexArray:
    """The last axis cut to a length, or padded with zeros."""
    if n is None or n == z.shape[-1]:
        return z
    if n < z.shape[-1]:
        return z[..., :n]
    zeros = np.zeros((*z.shape[:-1], n - z.shape[-1]))
    return z.by_part(lambda part: np.concatenate([part, type(part).given(zeros)], axis=-1))


def _rfft(kind: Kind, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> ComplexArray:
    whole = _fft(kind, a, n, axis, norm)
    kept = whole.shape[axis] // 2 + 1
    return whole[(slice(None),) * (axis % whole.ndim) + (slice(kept),)]


def _irfft(kind: Kind, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    z = ComplexArray.lifted(kind, a)
    order = [k for k in range(z.ndim) if k != axis % z.ndim] + [axis % z.ndim]
    moved = z.transpose(*order)
    n = 2 * (moved.shape[-1] - 1) if n is None else int(n)
    half = _fitted(moved, n // 2 + 1)
    # Of the first element, and of the last one of an even length, only the real part counts.
    alone = np.zeros(half.shape[-1], dtype=bool)
    alone[0] = True
    alone[-1] |= n % 2 == 0
    half = ComplexArray(half.real, np.where(alone, 0.0, half.imag))
    mirrored = half[..., 1 : n - n // 2][..., ::-1].conj()
    parts = ((half.real, mirrored.real), (half.imag, mirrored.imag))
    whole = ComplexArray(*(np.concatenate(part, axis=-1) for part in parts))
    done = _scaled(kind, _plain(whole, True), norm, True).real
    return done.transpose(*np.argsort(order).tolist())


def _over_axes(
    kind: Kind,
    a: Any,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    *,
    inverse: bool = False,
) -> Any:
    """A transform along several axes; without axes, along all, or along as many last axes as lengths."""
    z = ComplexArray.lifted(kind, a)
    for axis, length in _axes(z.ndim, s, axes):
        z = _fft(kind, z, length, axis, norm, inverse=inverse)
    return z


def _ifft_over(kind: Kind, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    return _over_axes(kind, a, s, axes, norm, inverse=True)


def _axes(ndim: int, s: Any, axes: Any) -> list[tuple[int, Any]]:
    given = list(range(ndim) if s is None else range(ndim - len(s), ndim)) if axes is None else list(axes)
    return list(zip(given, [None] * len(given) if s is None else s, strict=True))


def _rfft_over(kind: Kind, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    *others, (last, length) = _axes(np.ndim(a), s, axes)
    z = _rfft(kind, a, length, last, norm)
    for axis, length in others:
        z = _fft(kind, z, length, axis, norm)
    return z


def _irfft_over(kind: Kind, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    *others, (last, length) = _axes(np.ndim(a), s, axes)
    z: Any = ComplexArray.lifted(kind, a)
    for axis, count in others:
        z = _fft(kind, z, count, axis, norm, inverse=True)
    return _irfft(kind, z, length, last, norm)


def _two(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(kind: Kind, a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
        return function(kind, a, s, axes, norm)

    return call


def _shifted(sign: int) -> Callable[..., Any]:
    def call(kind: Kind, x: Any, axes: Any = None) -> Any:
        z: Any = x if isinstance(x, ComplexArray) else kind.gather(x)
        axes = tuple(range(z.ndim)) if axes is None else tuple(np.atleast_1d(axes).tolist())
        steps = tuple(z.shape[axis] // 2 if sign > 0 else -(z.shape[axis] // 2) for axis in axes)
        return np.roll(z, steps, axes)

    return call


GENERIC: Mapping[Any, Callable[..., Any]] = {
    np.fft.fft: _fft,
    np.fft.ifft: _ifft,
    np.fft.rfft: _rfft,
    np.fft.irfft: _irfft,
    np.fft.fft2: _two(_over_axes),
    np.fft.ifft2: _two(_ifft_over),
    np.fft.rfft2: _two(_rfft_over),
    np.fft.irfft2: _two(_irfft_over),
    np.fft.fftn: _over_axes,
    np.fft.ifftn: _ifft_over,
    np.fft.rfftn: _rfft_over,
    np.fft.irfftn: _irfft_over,
    np.fft.fftshift: _shifted(1),
    np.fft.ifftshift: _shifted(-1),
    np.imag: lambda kind, val: kind.gather(np.zeros(np.shape(val))),
    np.conjugate: lambda kind, x: kind.gather(x),
}
