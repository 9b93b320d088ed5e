"""Methods of ufuncs: ``outer``, ``accumulate``, ``at`` and ``reduceat``, in terms of other operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from harness.oracle.oracle_array import OracleArray
from harness.oracle.selecting import named
from harness.oracle.unknown import NotUnderstood

Kind = type[OracleArray]


def _outer(kind: Kind, ufunc: np.ufunc, a: Any, b: Any) -> Any:
    x, y = kind.gather(a), kind.gather(b)
    return ufunc(x.reshape(*x.shape, *(1,) * y.ndim), y)


def _accumulate(kind: Kind, ufunc: np.ufunc, a: Any, axis: int = 0) -> Any:
    x: Any = kind.gather(a)
    if ufunc is np.add:
        return np.cumsum(x, axis=axis)
    if ufunc is np.multiply:
        return np.cumprod(x, axis=axis)
    if ufunc not in (np.maximum, np.minimum):
        raise NotUnderstood(named(ufunc, "accumulate"))
    rows: Any = np.moveaxis(x, axis, 0)
    accumulated = [rows[0]]
    for row in rows[1:]:
        accumulated.append(ufunc(accumulated[-1], row))
    return np.stack(accumulated, axis=axis)


def _at(kind: Kind, ufunc: np.ufunc, x: Any, places: Any, values: Any = None) -> None:
    """Add values to rows, or subtract them; the sum of each row is added in any order."""
    sign = 1.0 if ufunc is np.add else -1.0
    if ufunc not in (np.add, np.subtract) or not isinstance(x, kind) or isinstance(places, tuple):
        raise NotUnderstood(named(ufunc, "at"))
    rows = np.asarray(x._key(places))
    if rows.dtype.kind not in "iu":
        raise NotUnderstood(named(ufunc, "at"))
    rows = rows % len(x)
    added: Any = np.broadcast_to(kind.gather(values), (*rows.shape, *x.shape[1:]))
    added = added.reshape(-1, *x.shape[1:]) * sign
    flat = rows.reshape(-1)
    for row in np.unique(flat).tolist():
        x[row] = np.concatenate([x[row : row + 1], added[flat == row]]).sum(axis=0)


def _reduceat(kind: Kind, ufunc: np.ufunc, a: Any, indices: Any, axis: int = 0) -> Any:
    given: Any = kind.gather(a)
    x = np.moveaxis(given, axis, 0)
    starts = np.asarray(indices).tolist()
    ends = [*starts[1:], len(x)]
    pieces = [
        ufunc.reduce(x[start:end], axis=0) if start < end else x[start]
        for start, end in zip(starts, ends, strict=True)
    ]
    return np.stack(pieces, axis=axis)


METHODS: Mapping[str, Callable[..., Any]] = {
    "outer": _outer,
    "accumulate": _accumulate,
    "at": _at,
    "reduceat": _reduceat,
}
"""Methods by name, called with the arithmetic and the ufunc first."""
