"""Covariances, counts in bins, and statistics that leave out NaN."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.arguments import as_in
from harness.oracle.oracle_array import OracleArray
from harness.oracle.rounding import Rounded
from harness.oracle.searching import ends
from harness.oracle.unknown import NotUnderstood, Unknown

Array = npt.NDArray[Any]
Kind = type[OracleArray]


def _cov(
    kind: Kind,
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    """The covariance by two passes, with the error of updating formulas, as in `numpy.var`."""
    if fweights is not None or aweights is not None:
        raise NotUnderstood("numpy.cov with weights")
    if dtype is not None and np.dtype(dtype) != kind.dtype:
        raise NotUnderstood("numpy.cov(dtype=...)")
    rows = [_rows(kind, array, rowvar) for array in (m, y) if array is not None]
    x: Any = np.concatenate(rows) if len(rows) > 1 else rows[0]
    n = x.shape[1]
    free = n - ((0 if bias else 1) if ddof is None else ddof)
    if free <= 0:
        raise Unknown(f"a covariance of {n} observations with ddof={n - free:g} is not defined")
    away = x - x.mean(axis=1, keepdims=True)
    rounded: Any = away @ away.T
    if isinstance(rounded, Rounded):
        u = rounded.unit
        lengths = np.linalg.norm(x.value, axis=1)
        spreads = np.linalg.norm(away.value, axis=1)
        mixed = (np.outer(lengths, spreads) + np.outer(spreads, lengths)) / 2.0
        sizes = np.outer(lengths, lengths)
        worst = 2.0 * n * u * mixed + n**2 * u**2 * sizes
        spread = np.minimum(worst, u * mixed + n * u**2 * sizes)
        rounded = rounded.widened(worst, spread)
    return (rounded / float(free)).squeeze()


def _rows(kind: Kind, m: Any, rowvar: bool) -> Any:
    x: Any = kind.gather(m)
    if x.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    return x.reshape(1, -1) if x.ndim < 2 else x if rowvar else x.T


def _corrcoef(kind: Kind, x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    c = _cov(kind, x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    scale = np.sqrt(np.diagonal(c))
    return np.clip(c / scale[:, None] / scale[None, :], -1.0, 1.0)


def _bincount(kind: Kind, x: Any, weights: Any = None, minlength: int = 0) -> Any:
    places = np.asarray(kind.gather(np.zeros(0))._key(x))
    if weights is None:
        return np.bincount(places, minlength=minlength)
    if places.dtype.kind not in "biu":
        raise NotUnderstood("numpy.bincount of numbers that are not whole")
    return _sums(kind, places, max(int(places.max(initial=-1)) + 1, minlength), weights)


def _sums(kind: Kind, places: Array, count: int, weights: Any) -> Any:
    """The sums of the weights of each place, added in any order."""
    given: Any = kind.gather(weights).reshape(-1)
    return np.stack([given[places == place].sum() for place in range(count)])


def _edges(kind: Kind, x: Any, bins: Any, limits: Any) -> Any:
    """The edges of bins: given ones, or equal steps between the limits."""
    if np.ndim(bins) == 1:
        return kind.gather(bins)
    if isinstance(bins, str):
        raise NotUnderstood(f"numpy.histogram(bins={bins!r})")
    count = int(bins)
    first, last = (kind.gather(limit) for limit in ((x.min(), x.max()) if limits is None else limits))
    if bool(first == last):
        first, last = first - 0.5, last + 0.5
    step = kind.ratio(kind.less_product(last, 1.0, first), float(count))
    inner = [kind.less_product(first, -float(k), step) for k in range(1, count)]
    return np.stack([first, *inner, last])


def _histogram(
    kind: Kind, a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """Counts in bins; a count is undecided where an element may be in a neighbouring bin."""
    x: Any = kind.gather(a).reshape(-1)
    edges = _edges(kind, x, bins, range)
    n = len(edges) - 1
    (low, high), (least, most) = ends(edges), ends(x)
    if not (np.diff(edges.nearest()) >= 0).all():
        raise ValueError("`bins` must increase monotonically")
    within = slice(1, -1) if range is None and np.ndim(bins) == 0 else slice(None)
    # By default, the range is from the smallest to the largest element.
    skipped = 1 if within.start is None else 0
    first = np.searchsorted(np.sort(high[within]), least, "right") - skipped
    last = np.searchsorted(np.sort(low[within]), most, "right") - skipped
    if skipped:
        at_end = (least == low[-1]) & (most == high[-1])
        first, last = (np.where(at_end & (array == n), n - 1, array) for array in (first, last))
    inside = (first >= 0) & (first < n)
    counts: Any = np.bincount(first[inside], minlength=n)
    possible, certain = counts.copy(), counts.copy()
    for begin, end in zip(first[first != last].tolist(), last[first != last].tolist(), strict=True):
        possible[max(begin, 0) : end + 1] += 1
        if 0 <= begin < n:
            possible[begin] -= 1
            certain[begin] -= 1
    counts = kind.placed(counts, certain, possible, "an element at the edge of a bin")
    if weights is not None:
        unsure = counts.doubtful() if isinstance(counts, OracleArray) else np.zeros(n, dtype=bool)
        counts = _sums(kind, first[inside], n, kind.gather(weights).reshape(-1)[inside])
        counts = counts.spoiled(unsure) if unsure.any() else counts
    if density:
        counts = kind.gather(counts * 1.0)
        counts = counts / (edges[1:] - edges[:-1]) / counts.sum()
    return counts, edges


def _bin_edges(kind: Kind, a: Any, bins: Any = 10, range: Any = None) -> Any:
    return _edges(kind, kind.gather(a).reshape(-1), bins, range)


def present(kind: Kind, x: Any, name: str) -> Array:
    """Which elements are numbers, if that is certain.

    Raises
    ------
    NotUnderstood
        If an element is NaN, and another computation may have a number there.
    """
    there: Array = ~np.isnan(x.nearest())
    if isinstance(x, Rounded):
        known = not (x.widest or type(x)).unsure_nan and not x.doubtful().any()
    else:
        # In hulls of branches, a NaN ball is one without bounds.
        known = not hasattr(kind, "notes")
    if not there.all() and not known:
        raise NotUnderstood(f"numpy.{name} of computed elements of which some are not a number")
    return there


def _without(name: str, fill: float) -> Callable[..., Any]:
    """A reduction in which NaN elements are replaced by a neutral element."""
    function = getattr(np, name.removeprefix("nan"))

    @as_in(function, "kind")
    def call(kind: Kind, a: Any, *args: Any, **kwargs: Any) -> Any:
        x: Any = kind.gather(a)
        there = present(kind, x, name)
        return function(x if there.all() else np.where(there, x, fill), *args, **kwargs)

    return call


def _nanmean(kind: Kind, a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    x: Any = kind.gather(a)
    there = present(kind, x, "nanmean")
    keepdims = bool(keepdims is not np._NoValue and keepdims)
    if not there.any(axis=axis).all():
        raise NotUnderstood("numpy.nanmean of nothing")
    total = np.where(there, x, 0.0).sum(axis=axis, keepdims=keepdims)
    return total / there.sum(axis=axis, keepdims=keepdims).astype(np.float64)


def _of_numbers(name: str, before: int = 0) -> Callable[..., Any]:
    """A statistic of the elements of each row that are numbers; ``before`` arguments precede the axis."""
    function = getattr(np, name.removeprefix("nan"))

    @as_in(function, "kind")
    def call(kind: Kind, a: Any, *args: Any, keepdims: Any = False, **kwargs: Any) -> Any:
        x: Any = kind.gather(a)
        there = present(kind, x, name)
        if there.all():
            return function(x, *args, keepdims=bool(keepdims is True), **kwargs)
        if before and not args:
            args = (kwargs.pop("q"),)
        if before and np.ndim(args[0]) == 1:
            parts = [
                call(kind, x, probability, *args[1:], keepdims=keepdims, **kwargs) for probability in args[0]
            ]
            return np.stack(parts)
        how, rest = args[:before], args[before:]
        axis = rest[0] if rest else kwargs.pop("axis", None)
        if len(rest) > 1:
            raise NotUnderstood(
                f"numpy.{name} of elements of which some are not a number, with these arguments"
            )
        gone = x._gone(axis)
        stay = tuple(k for k in range(x.ndim) if k not in gone)
        sizes = tuple(x.shape[k] for k in stay)
        rows, marks = (array.transpose(*stay, *gone).reshape(-1, _length(x, gone)) for array in (x, there))
        results = [
            function(row[mark], *how, **kwargs) if mark.any() else kind.gather(np.nan)
            for row, mark in zip(rows, marks, strict=True)
        ]
        made: Any = np.stack(results).reshape(sizes)
        return (
            made.reshape(*(1 if k in gone else n for k, n in enumerate(x.shape)))
            if keepdims is True
            else made
        )

    return call


def _length(x: Any, axes: tuple[int, ...]) -> int:
    return math.prod(x.shape[k] for k in axes)


def _nan_to_num(
    kind: Kind, x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """The array with other numbers in place of NaN and of infinities."""
    given = kind.gather(x)
    largest = float(np.finfo(kind.dtype).max)
    made: Any = np.where(present(kind, given, "nan_to_num"), given, nan)
    for end, other, number in ((np.inf, posinf, largest), (-np.inf, neginf, -largest)):
        made = np.where(given == end, number if other is None else other, made)
    if copy or not isinstance(x, OracleArray):
        return made
    x[...] = made
    return x


def _larger(ufunc: np.ufunc, name: str) -> Callable[..., Any]:
    def call(kind: Kind, x: Any, y: Any) -> Any:
        given: list[Any] = [kind.gather(value) for value in (x, y)]
        left, right = (present(kind, value, name) for value in given)
        if left.all() and right.all():
            return ufunc(*given)
        return ufunc(np.where(left, *given), np.where(right, *given[::-1]))

    return call


def _ptp(kind: Kind, a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    x: Any = kind.gather(a)
    return x.max(axis=axis, keepdims=keepdims) - x.min(axis=axis, keepdims=keepdims)


GENERIC: Mapping[Any, Callable[..., Any]] = {
    np.cov: _cov,
    np.corrcoef: _corrcoef,
    np.bincount: _bincount,
    np.histogram: _histogram,
    np.histogram_bin_edges: _bin_edges,
    np.ptp: _ptp,
    np.nanmean: _nanmean,
    np.nan_to_num: _nan_to_num,
    np.nansum: _without("nansum", 0.0),
    np.nanprod: _without("nanprod", 1.0),
    np.nancumsum: _without("nancumsum", 0.0),
    np.nanmax: _without("nanmax", -np.inf),
    np.nanmin: _without("nanmin", np.inf),
    **{
        getattr(np, name): _of_numbers(name, before)
        for name, before in (
            *(("nanvar", 0), ("nanstd", 0), ("nanmedian", 0)),
            *(("nanquantile", 1), ("nanpercentile", 1)),
        )
    },
    np.nanargmax: _without("nanargmax", -np.inf),
    np.nanargmin: _without("nanargmin", np.inf),
    np.fmax: _larger(np.maximum, "fmax"),
    np.fmin: _larger(np.minimum, "fmin"),
}
