"""Differences, integrals and cross products, with the rounding errors of the usual ways to write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from flint import arb

from harness.oracle.oracle_array import OracleArray
from harness.oracle.rounding import Rounded
from harness.oracle.summation import sum_error

Kind = type[OracleArray]
_CROSSES_THE_PLANE = np.lib.NumpyVersion(np.__version__) < "2.5.0"
"""Whether numpy.cross takes vectors of two elements; numpy.linalg.cross never has."""


def _gradient(kind: Kind, f: Any, *spacing: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Central differences, one-sided at the ends (Fornberg, Math. Comp. 51, 1988, for uneven places)."""
    f = kind.gather(f)
    axes = list(range(f.ndim)) if axis is None else [n % f.ndim for n in np.atleast_1d(axis).tolist()]
    given = spacing or (1.0,)
    if len(given) == 1 and len(axes) > 1 and np.ndim(given[0]) == 0:
        given = given * len(axes)
    if len(given) != len(axes):
        raise TypeError("numpy.gradient takes a spacing for each axis")
    differences = [_along(kind, f, n, edge_order, step) for n, step in zip(axes, given, strict=True)]
    return differences[0] if len(differences) == 1 else tuple(differences)


def _along(kind: Kind, f: Any, axis: int, edge_order: int, spacing: Any) -> Any:
    if f.shape[axis] < edge_order + 1:
        raise ValueError("numpy.gradient of an axis that is too short")
    last: Any = np.moveaxis(f, axis, -1)
    step: Any = kind.gather(spacing)
    inner, ends = (_even if step.ndim == 0 else _uneven)(last, step, edge_order)
    parts = [ends[0][..., None], inner, ends[1][..., None]]
    return np.moveaxis(np.concatenate(parts, axis=-1), -1, axis)


def _even(f: Any, step: Any, edge_order: int) -> Any:
    inner = (f[..., 2:] - f[..., :-2]) / (2.0 * step)
    if edge_order == 1:
        return inner, ((f[..., 1] - f[..., 0]) / step, (f[..., -1] - f[..., -2]) / step)
    first = (-1.5 * f[..., 0] + 2.0 * f[..., 1] - 0.5 * f[..., 2]) / step
    last = (0.5 * f[..., -3] - 2.0 * f[..., -2] + 1.5 * f[..., -1]) / step
    return inner, (first, last)


def _uneven(f: Any, places: Any, edge_order: int) -> Any:
    steps = places[1:] - places[:-1]
    before, after = steps[:-1], steps[1:]
    both = before + after
    inner = (
        -after / (before * both) * f[..., :-2]
        + (after - before) / (before * after) * f[..., 1:-1]
        + before / (after * both) * f[..., 2:]
    )
    if edge_order == 1:
        return inner, ((f[..., 1] - f[..., 0]) / steps[0], (f[..., -1] - f[..., -2]) / steps[-1])
    a, b = steps[0], steps[1]
    first = (
        -(2.0 * a + b) / (a * (a + b)) * f[..., 0]
        + (a + b) / (a * b) * f[..., 1]
        - a / (b * (a + b)) * f[..., 2]
    )
    a, b = steps[-2], steps[-1]
    last = (
        b / (a * (a + b)) * f[..., -3]
        - (a + b) / (a * b) * f[..., -2]
        + (2.0 * b + a) / (b * (a + b)) * f[..., -1]
    )
    return inner, (first, last)


def _trapezoid(kind: Kind, y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The sum over intervals, with the error of a sum of weighted values, another way to write it."""
    y = kind.gather(y)
    y = np.moveaxis(y, axis, -1)
    steps: Any = kind.gather(dx)
    if x is not None:
        places: Any = kind.gather(x)
        places = places if places.ndim == 1 else np.moveaxis(places, axis, -1)
        steps = places[..., 1:] - places[..., :-1]
    rounded = (steps * (y[..., 1:] + y[..., :-1]) / 2.0).sum(axis=-1)
    if not isinstance(rounded, Rounded) or y.shape[-1] < 2:
        return rounded
    wide = np.broadcast_to(np.abs(steps.value), y[..., 1:].shape)
    weights = np.zeros(y.shape)
    weights[..., 1:] += wide / 2.0
    weights[..., :-1] += wide / 2.0
    worst, spread = sum_error(weights * y.value, rounded.unit)
    return rounded.widened(worst, spread)


def _ediff1d(kind: Kind, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    flat = kind.gather(ary).reshape(-1)
    parts = [end if end is None else kind.gather(end).reshape(-1) for end in (to_begin, to_end)]
    parts.insert(1, flat[1:] - flat[:-1])
    return np.concatenate([part for part in parts if part is not None])


def _cross(
    kind: Kind, a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None
) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = (np.moveaxis(kind.gather(z), at, -1) for z, at in ((a, axisa), (b, axisb)))  # type: ignore[type-var]
    sizes = (x.shape[-1], y.shape[-1])
    if not {*sizes} <= ({2, 3} if _CROSSES_THE_PLANE else {3}):
        raise ValueError(f"numpy.cross of vectors of {sizes[0]} and {sizes[1]} elements")
    pairs = [(0, 1)] if sizes == (2, 2) else [(1, 2), (2, 0), (0, 1)]
    parts = [_element(x, i) * _element(y, j) - _element(x, j) * _element(y, i) for i, j in pairs]
    return parts[0] if len(parts) == 1 else np.stack(parts, axis=axisc)


def _linalg_cross(kind: Kind, x1: Any, x2: Any, *, axis: int = -1) -> Any:
    for vectors in (x1, x2):
        if np.shape(vectors)[axis] != 3:
            raise ValueError(f"numpy.linalg.cross of vectors of {np.shape(vectors)[axis]} elements")
    return _cross(kind, x1, x2, axis=axis)


def _element(vectors: Any, k: int) -> Any:
    """An element of each vector; the third one of a vector in the plane is 0."""
    return vectors[..., k] if k < vectors.shape[-1] else vectors[..., 0] * 0.0


def _sinc(kind: Kind, x: Any) -> Any:
    x = kind.gather(x)
    turned: Any = x * _pi(kind)
    zero = x == 0.0
    safe = np.where(zero, 1.0, turned)
    return np.where(zero, 1.0, np.sin(safe) / safe)


def _pi(kind: Kind) -> Any:
    """The number pi, which every language rounds."""
    if issubclass(kind, Rounded):
        return kind.within(np.asarray(np.pi), np.asarray(kind.unit * np.pi))
    return kind.gather(arb.pi())


GENERIC: Mapping[Any, Callable[..., Any]] = {
    np.gradient: _gradient,
    np.trapezoid: _trapezoid,
    np.ediff1d: _ediff1d,
    np.cross: _cross,
    np.linalg.cross: _linalg_cross,
    np.sinc: _sinc,
}
