"""What one pair of numbers shows, for Numba: error, size, distance in ULP, in every number format."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import math

import numpy as np
from numba import types
from numba.extending import overload

from harness.numerics.compiled.number import compiled, magnitude, pattern, value

_LARGEST = float(np.finfo(np.float64).max)


@compiled
def _steps(a, e):
    # Patterns are sign and magnitude: with unlike signs the way leads through zero.
    p, q = pattern(a), pattern(e)
    return np.uint64(abs(p - q)) if (p ^ q) >= 0 else np.uint64(magnitude(a) + magnitude(e))


@compiled
def _opposite_zeros(a, e):
    return (magnitude(a) == 0) & (magnitude(e) == 0) & (pattern(a) != pattern(e))


@compiled
def _modulus(re, im):
    re, im = abs(re), abs(im)
    large, small = (re, im) if re > im else (im, re)
    ratio = small / large
    ratio = 0.0 if (small == 0.0) | (small == math.inf) else ratio
    return large * math.sqrt(1.0 + ratio * ratio)


def parts(number):
    """Real and imaginary part in float64; below, for each family."""
    raise NotImplementedError


def signs_differ(actual, expected):
    """Whether only the sign of a zero differs; below, for each family."""
    raise NotImplementedError


def pair(actual, expected):
    """Error, size of what is expected, distance in ULP, smallest part expected; below, for each family."""
    raise NotImplementedError


def _parts_of(number):
    if isinstance(number, types.Complex):
        return lambda number: (np.float64(number.real), np.float64(number.imag))
    return lambda number: (value(number), 0.0)


def _pair_of(actual, expected):
    if isinstance(actual, types.Complex):
        return _complex_pair
    return _integer_pair if isinstance(actual, types.Integer) else _real_pair


def _signs_differ_of(actual, expected):
    if isinstance(actual, types.Complex):
        return lambda actual, expected: (
            _opposite_zeros(actual.real, expected.real) | _opposite_zeros(actual.imag, expected.imag)
        )
    if isinstance(actual, types.Integer):
        return lambda actual, expected: False
    return lambda actual, expected: _opposite_zeros(actual, expected)


def _real_pair(actual, expected):
    reference = value(expected)
    size = abs(reference)
    return abs(value(actual) - reference), size, _steps(actual, expected), size


def _complex_pair(actual, expected):
    ulp = max(_steps(actual.real, expected.real), _steps(actual.imag, expected.imag))
    re, im = np.float64(expected.real), np.float64(expected.imag)
    error = _modulus(np.float64(actual.real) - re, np.float64(actual.imag) - im)
    return error, min(_modulus(re, im), _LARGEST), ulp, min(abs(re), abs(im))


def _integer_pair(actual, expected):
    ulp = np.uint64(max(actual, expected)) - np.uint64(min(actual, expected))
    size = abs(np.float64(expected))
    return np.float64(ulp), size, ulp, size


overload(parts)(_parts_of)
overload(signs_differ)(_signs_differ_of)
overload(pair)(_pair_of)
