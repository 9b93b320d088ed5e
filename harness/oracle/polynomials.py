"""Polynomials by their coefficients, the highest power first, as `numpy.polyval` has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from harness.oracle.oracle_array import OracleArray
from harness.oracle.rounding import Rounded
from harness.oracle.summation import sum_error

Kind = type[OracleArray]


def _powers(x: Any, count: int) -> Any:
    """Powers from the highest to 1, along a last axis."""
    return np.stack(
        [x ** float(n) if n > 1 else x if n else x * 0.0 + 1.0 for n in range(count)[::-1]], axis=-1
    )


def _polyval(kind: Kind, p: Any, x: Any) -> Any:
    """The sum of its terms; in Horner's scheme each partial sum is rounded twice (Higham, section 5.1)."""
    p, x = kind.gather(p), kind.gather(x)
    terms = p * _powers(x, p.shape[0])
    rounded = terms.sum(axis=-1)
    if not isinstance(rounded, Rounded):
        return rounded
    worst, spread = sum_error(terms.value, rounded.unit)
    return rounded.widened(worst, spread)


def _polyfit(kind: Kind, x: Any, y: Any, deg: Any) -> Any:
    """The least squares problem of `numpy.linalg.lstsq`, by an orthogonal factorisation."""
    return np.linalg.lstsq(_powers(kind.gather(x), int(deg) + 1), kind.gather(y), rcond=None)[0]


def vander(kind: Kind, x: Any, N: Any = None, increasing: bool = False) -> Any:
    """Powers of the elements of a vector."""
    powers = _powers(kind.gather(x), np.shape(x)[0] if N is None else int(N))
    return powers[..., ::-1] if increasing else powers


def _polyder(kind: Kind, p: Any, m: int = 1) -> Any:
    p = kind.gather(p)
    for _ in range(m):
        p = p[:-1] * np.arange(len(p) - 1, 0, -1.0)
    return p


def _polyint(kind: Kind, p: Any, m: int = 1) -> Any:
    p = kind.gather(p)
    for _ in range(m):
        p = np.concatenate([p / np.arange(len(p), 0, -1.0), np.zeros(1)])
    return p


def _combined(operation: np.ufunc) -> Callable[..., Any]:
    def call(kind: Kind, a1: Any, a2: Any) -> Any:
        given: list[Any] = [kind.gather(a1), kind.gather(a2)]
        length = max(map(len, given))
        return operation(*(np.concatenate([np.zeros(length - len(p)), p]) for p in given))

    return call


GENERIC: Mapping[Any, Callable[..., Any]] = {
    np.polyval: _polyval,
    np.polyfit: _polyfit,
    np.polyder: _polyder,
    np.polyint: _polyint,
    np.polyadd: _combined(np.add),
    np.polysub: _combined(np.subtract),
    np.polymul: lambda kind, a1, a2: np.convolve(kind.gather(a1), kind.gather(a2)),
}
