"""Orders, places and sets: `numpy.argsort`, `searchsorted`, `digitize`, `unique` and functions of sets.

An element's place is decided where rounding cannot move it past another: where the range of all that come
before it ends below the range of all that come after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.balls import settled
from harness.oracle.formats import FLOAT64
from harness.oracle.oracle_array import OracleArray
from harness.oracle.rounding import Rounded
from harness.oracle.unknown import NotUnderstood, Undecided

Array = npt.NDArray[Any]
Kind = type[OracleArray]


def ends(x: Any) -> tuple[Array, Array]:
    """Lower and upper bounds of each element, in float64, rounded outwards.

    Raises
    ------
    Undecided
        If an element is NaN or undecided.
    """
    low, high = between(x)
    if np.isnan(low).any() or np.isnan(high).any():
        raise Undecided(x.branches.note("an order of what is not a number, or undecided"))
    return low, high


def between(x: Any) -> tuple[Array, Array]:
    """Lower and upper bounds of each element; NaN where it is NaN or undecided."""
    if isinstance(x, Rounded):
        limit = x.limit()
        low, high = x.value - limit, x.value + limit
        exact = (limit == 0) | np.isinf(x.value)
        low = np.where(exact, x.value, np.nextafter(low, -np.inf))
        high = np.where(exact, x.value, np.nextafter(high, np.inf))
    else:
        balls = [settled(ball) for ball in x.items.ravel()]
        low, high = (
            np.array([float(getattr(ball, side)()) for ball in balls], dtype=np.float64).reshape(x.shape)
            for side in ("lower", "upper")
        )
        exact = np.array([ball.is_exact() and ball == float(ball) for ball in balls], dtype=bool).reshape(
            x.shape
        )
        low = np.where(exact, low, np.nextafter(low, -np.inf))
        high = np.where(exact, high, np.nextafter(high, np.inf))
    return low, high


def _argsort(
    arithmetic: Kind, a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Any:
    """The order of elements, where decided; equal ones have an order in a stable sort alone."""
    x: Any = arithmetic.gather(a)
    if order is not None:
        raise NotUnderstood("numpy.argsort(order=...)")
    moved = x.reshape(-1) if axis is None else np.moveaxis(x, axis, -1)
    low, high = ends(moved)
    at = np.argsort(moved.nearest(), axis=-1, kind="stable")
    low, high = (np.take_along_axis(array, at, axis=-1) for array in (low, high))
    before, after = (
        np.maximum.accumulate(high, axis=-1),
        np.minimum.accumulate(low[..., ::-1], axis=-1)[..., ::-1],
    )
    keeps = before[..., :-1] < after[..., 1:]
    if stable or kind in ("stable", "mergesort"):
        # Numbers that are exactly known and equal stay in their order.
        keeps |= (before[..., :-1] == after[..., 1:]) & (low == high)[..., :-1] & (low == high)[..., 1:]
    unsure = np.zeros(at.shape, dtype=bool)
    unsure[..., :-1] |= ~keeps
    unsure[..., 1:] |= ~keeps
    least, most = np.where(unsure, 0, at), np.where(unsure, max(at.shape[-1] - 1, 1), at)
    if axis is not None:
        at, least, most = (np.moveaxis(array, -1, axis) for array in (at, least, most))
    return arithmetic.placed(at, least, most, "a tie")


def _searchsorted(kind: Kind, a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    """The number of elements before each value, from the bounds of both."""
    if sorter is not None:
        raise NotUnderstood("numpy.searchsorted(sorter=...)")
    return _counted(kind, kind.gather(a), kind.gather(v), side)


def _counted(kind: Kind, places: Any, values: Any, side: Any) -> Any:
    (low, high), (least, most) = ends(places), ends(values)
    order = places.nearest()
    if not (order[:-1] <= order[1:]).all():
        raise NotUnderstood("numpy.searchsorted in what is not sorted")
    first = np.searchsorted(np.sort(high), least, side)
    last = np.searchsorted(np.sort(low), most, side)
    if places.is_written and places.bits == FLOAT64.bits:
        # The double that is written in a file is the same in every language.
        plain = order if places.plain is None else places.plain
        exact = least == most
        first, last = (
            np.where(exact, np.searchsorted(plain, end, side), at)
            for end, at in ((least, first), (most, last))
        )
    return kind.placed(np.asarray(first), np.asarray(first), np.asarray(last), "a tie")


def _digitize(kind: Kind, x: Any, bins: Any, right: bool = False) -> Any:
    x, edges = kind.gather(x), kind.gather(bins)
    values = edges.nearest()
    side = "left" if right else "right"
    if (np.diff(values) >= 0).all():
        return _counted(kind, edges, x, side)
    if (np.diff(values) > 0).any():
        raise ValueError("bins must be monotonically increasing or decreasing")
    return len(edges) - _counted(kind, edges[::-1], x, side)


def _groups(kind: Kind, a: Any) -> tuple[Any, Array, Array]:
    """Elements in rising order, the places where groups of equal ones begin, and the order."""
    flat: Any = kind.gather(a).reshape(-1)
    at = np.argsort(flat.nearest(), kind="stable")
    ordered = flat[at]
    low, high = (end[at] for end in ends(flat))
    same = (low[1:] == high[:-1]) & (low == high)[1:] & (low == high)[:-1]
    before, after = np.maximum.accumulate(high), np.minimum.accumulate(low[::-1])[::-1]
    if not (same | (before[:-1] < after[1:])).all():
        raise Undecided(kind.branches.note("a tie"))
    return ordered, np.concatenate([[True] * min(1, len(at)), ~same]).astype(bool), at


def _unique(
    kind: Kind,
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    if axis is not None or not sorted:
        raise NotUnderstood("numpy.unique of rows, or without an order")
    if not equal_nan:
        raise NotUnderstood("numpy.unique(equal_nan=False)")
    ordered, first, at = _groups(kind, ar)
    results: list[Any] = [ordered[first]]
    starts = np.flatnonzero(first)
    if return_index:
        results.append(at[starts])
    if return_inverse:
        inverse = np.empty(len(at), dtype=np.intp)
        inverse[at] = np.cumsum(first) - 1
        results.append(inverse.reshape(np.shape(ar)))
    if return_counts:
        results.append(np.diff(np.append(starts, len(at))))
    return results[0] if len(results) == 1 else tuple(results)


def _isin(
    kind: Kind, element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False
) -> Any:
    x, others = kind.gather(element), kind.gather(test_elements).reshape(-1)
    if assume_unique:
        _distinct(kind, x, others, name="isin")
    equal = x[..., None] == others
    contained: Any = np.any(equal, axis=-1)
    return ~contained if invert else contained


def _union(kind: Kind, ar1: Any, ar2: Any) -> Any:
    flat: list[Any] = [kind.gather(x).reshape(-1) for x in (ar1, ar2)]
    return _unique(kind, np.concatenate(flat))


def _distinct(kind: Kind, *arrays: Any, name: str) -> None:
    """Refuse arrays with equal elements, for which NumPy's result is not defined."""
    for x in arrays:
        if not _groups(kind, x)[1].all():
            raise NotUnderstood(f"numpy.{name}(assume_unique=True) of equal elements")


def _intersect1d(kind: Kind, ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    if assume_unique:
        _distinct(kind, ar1, ar2, name="intersect1d")
    x = _unique(kind, ar1)
    return x[_isin(kind, x, ar2)]


def _setdiff1d(kind: Kind, ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """The elements of the first array alone: sorted, or in their order if they are said to be distinct."""
    if assume_unique:
        _distinct(kind, ar1, ar2, name="setdiff1d")
    x: Any = kind.gather(ar1).reshape(-1) if assume_unique else _unique(kind, ar1)
    return x[_isin(kind, x, ar2, invert=True)]


GENERIC: Mapping[Any, Callable[..., Any]] = {
    np.argsort: _argsort,
    np.searchsorted: _searchsorted,
    np.digitize: _digitize,
    np.unique: _unique,
    np.isin: _isin,
    np.union1d: _union,
    np.intersect1d: _intersect1d,
    np.setdiff1d: _setdiff1d,
}
