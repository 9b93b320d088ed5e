"""Sorting, quantiles and interpolation: continuous functions, so the order of near ties is irrelevant."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, fmpq

from harness.oracle.arguments import as_in
from harness.oracle.balls import is_no_number
from harness.oracle.rounding import Rounded
from harness.oracle.unknown import NotUnderstood

Array = npt.NDArray[Any]
Weigh = Callable[[Any, Any, Fraction, Any], Any]

PLACES: Mapping[str, tuple[Fraction, Fraction]] = {
    "linear": (Fraction(1), Fraction(1)),
    "weibull": (Fraction(0), Fraction(0)),
    "hazen": (Fraction(1, 2), Fraction(1, 2)),
    "interpolated_inverted_cdf": (Fraction(0), Fraction(1)),
    "median_unbiased": (Fraction(1, 3), Fraction(1, 3)),
    "normal_unbiased": (Fraction(3, 8), Fraction(3, 8)),
}
"""alpha and beta of the continuous definitions of Hyndman and Fan, "Sample Quantiles in Statistical
Packages", The American Statistician 50, 1996: 7, 6, 5, 4, 8 and 9."""


def _sorted(x: Rounded, axis: int) -> Rounded:
    """Order statistics; the error of each is at most the largest of the elements that may take its place."""
    order = [k for k in range(x.ndim) if k != axis % x.ndim] + [axis % x.ndim]
    moved = x.transpose(*order)
    at = np.argsort(moved.value, axis=-1, kind="stable")
    chosen = moved._select(lambda places: np.take_along_axis(places, at, axis=-1))
    worst = chosen.worst
    lost = (moved.doubtful() | np.isnan(moved.value) & (moved.worst > 0)).any(axis=-1, keepdims=True)
    if worst.any() and worst.shape[-1] > 1:
        # NaN is sorted to the end.
        numbers = np.isnan(chosen.value)
        gaps = np.where(numbers[..., 1:], np.inf, np.diff(chosen.value, axis=-1))
        before = np.maximum.accumulate(worst, axis=-1)[..., :-1]
        after = np.maximum.accumulate(worst[..., ::-1], axis=-1)[..., ::-1][..., 1:]
        apart = (gaps > before + after).reshape(-1, gaps.shape[-1])
        flat = worst.reshape(-1, worst.shape[-1]).copy()
        for lane, cuts in zip(flat, apart, strict=True):
            starts = np.r_[0, 1 + np.flatnonzero(cuts)]
            lengths = np.diff(np.r_[starts, lane.size])
            lane[:] = np.maximum.reduceat(lane, starts).repeat(lengths)
        worst = flat.reshape(worst.shape)
    made = type(x)(chosen.value, worst, chosen.draws)
    if lost.any():
        made = made.spoiled(np.broadcast_to(lost, made.shape))
    return made.transpose(*np.argsort(order).tolist())


def _ball_sorted(x: Array, axis: int) -> Array:
    moved = np.moveaxis(x, axis, -1)
    result = np.empty(moved.shape, dtype=object)
    for lane in np.ndindex(moved.shape[:-1]):
        result[lane] = _order_statistics([arb(ball) for ball in moved[lane]])
    return np.moveaxis(result, -1, axis)


def _order_statistics(balls: list[arb]) -> list[arb]:
    """The k-th smallest of balls lies between the k-th smallest of their lower and of their upper ends.

    NaN is sorted to the end. If it is not known whether an element is NaN, nothing is known of any.
    """
    if any(ball.is_nan() for ball in balls):
        numbers = [ball for ball in balls if not ball.is_nan()]
        lacking = [ball for ball in balls if is_no_number(ball)]
        if len(numbers) + len(lacking) < len(balls):
            return [arb("nan")] * len(balls)
        return [*_order_statistics(numbers), *lacking]
    balls = sorted(balls, key=lambda ball: _Key(ball.mid()))
    if all(a < b for a, b in itertools.pairwise(balls)):
        return balls
    lower = sorted(_Key(ball.lower()) for ball in balls)
    upper = sorted(_Key(ball.upper()) for ball in balls)
    return [
        low.number if low.number == high.number else low.number.union(high.number)
        for low, high in zip(lower, upper, strict=True)
    ]


class _Key:
    """A sort key of an exact number."""

    def __init__(self, number: arb) -> None:
        self.number = number

    def __lt__(self, other: _Key) -> bool:
        return bool(self.number < other.number)


def _sort(
    sort: Callable[[Any, int], Any],
    a: Any,
    axis: Any = -1,
    kind: Any = None,
    order: Any = None,
    *,
    stable: Any = None,
) -> Any:
    if order is not None:
        raise NotUnderstood("numpy.sort(order=...)")
    return sort(a.reshape(-1), 0) if axis is None else sort(a, axis)


def _quantiles(
    sort: Callable[[Any, int], Any],
    weigh: Weigh,
    x: Any,
    q: Any,
    axis: Any,
    method: str,
    keepdims: bool,
) -> Any:
    """Quantiles by interpolation between two order statistics; ``weigh`` does that."""
    if method not in PLACES:
        raise NotUnderstood(f"numpy.quantile(method={method!r})")
    if np.asarray(q).dtype.kind not in "fiu" or not np.all((np.asarray(q) >= 0) & (np.asarray(q) <= 1)):
        raise NotUnderstood("numpy.quantile of computed probabilities")
    axes = range(x.ndim) if axis is None else np.atleast_1d(axis).tolist()
    gone = tuple(sorted(k % x.ndim for k in axes))
    stay = tuple(k for k in range(x.ndim) if k not in gone)
    n = int(np.prod([x.shape[k] for k in gone], dtype=int))
    ordered = sort(x.transpose(*stay, *gone).reshape(*(x.shape[k] for k in stay), n), -1)
    alpha, beta = PLACES[method]
    quantiles = []
    for probability in np.asarray(q, dtype=np.float64).ravel().tolist():
        place = (n - alpha - beta + 1) * Fraction(probability) + alpha - 1
        place = min(max(place, Fraction(0)), Fraction(n - 1))
        low = min(math.floor(place), max(n - 2, 0))
        high = min(low + 1, n - 1)
        around = ordered[..., max(low - 1, 0) : min(low + 3, n)]
        made = weigh(ordered[..., low], ordered[..., high], place - low, around)
        lacking = np.isnan(_floats(ordered[..., -1]))
        made = np.where(lacking, ordered[..., -1], made) if lacking.any() else made
        shape = tuple(1 if k in gone else length for k, length in enumerate(x.shape))
        quantiles.append(made.reshape(shape) if keepdims else made)
    return quantiles[0] if np.ndim(q) == 0 else np.stack(quantiles)


def _floats(x: Any) -> Array:
    """The nearest numbers of an array in either arithmetic."""
    if isinstance(x, Rounded):
        return x.value
    return np.asarray(np.frompyfunc(float, 1, 1)(x), dtype=np.float64)


def _weighed(a: Rounded, b: Rounded, weight: Fraction, around: Rounded, place_error: float) -> Rounded:
    """a + (b - a) w, where the error of w is that of the place among n elements."""
    share = type(a)(float(weight), np.asarray(place_error), a._draw(np.asarray(place_error)))
    made: Rounded = a + (b - a) * share
    # Another formula rounds each of the two once more, and its w may count from the next element.
    gap = np.abs(np.diff(around.value, axis=-1)).max(axis=-1, initial=0.0)
    near = min(weight, 1 - weight) <= place_error
    roundoff = 2.0 * a.unit * np.maximum(np.abs(a.value), np.abs(b.value)) + near * place_error * gap
    return made.widened(roundoff, roundoff)


def _rounded_quantile(
    self: Rounded,
    a: Any,
    q: Any,
    axis: Any = None,
    method: str = "linear",
    keepdims: bool = False,
    *,
    scale: float = 1.0,
    weighing: Callable[[Weigh], Weigh] = lambda weigh: weigh,
) -> Any:
    x = self._as(a)
    # The place may be computed in the working precision, in up to four roundings.
    error = 4.0 * x.unit * (x.size if axis is None else max(x.shape, default=1))
    weigh = lambda low, high, weight, around: _weighed(low, high, weight, around, error)  # noqa: E731
    return _quantiles(_sorted, weighing(weigh), x, np.asarray(q) / scale, axis, method, keepdims)


def _ball_quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    method: str = "linear",
    keepdims: bool = False,
    *,
    scale: float = 1.0,
    weighing: Callable[[Weigh], Weigh] = lambda weigh: weigh,
) -> Any:
    def weigh(low: Any, high: Any, weight: Fraction, _: Any) -> Any:
        made = low + (high - low) * arb(fmpq(weight.numerator, weight.denominator))
        return np.asarray(made, dtype=object)

    x = np.asarray(a, dtype=object)
    return _quantiles(_ball_sorted, weighing(weigh), x, np.asarray(q) / scale, axis, method, keepdims)


def _middle(weigh: Weigh) -> Weigh:
    """The mean of the two middle elements; where both are the same infinity, that one."""

    def call(low: Any, high: Any, weight: Fraction, around: Any) -> Any:
        made, ends = weigh(low, high, weight, around), (_floats(low), _floats(high))
        infinite = np.isinf(ends[0]) & ((weight == 0) | (ends[0] == ends[1]))
        return np.where(infinite, low, made) if infinite.any() else made

    return call


def _interp(self: Rounded, x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    x, xp, fp = self._as(x), self._as(xp), self._as(fp)
    n = xp.shape[0]
    if n < 2 or not (np.diff(xp.value) >= 0).all():
        raise NotUnderstood("numpy.interp without two or more places that do not fall")
    at = np.clip(np.searchsorted(xp.value, x.value, side="right") - 1, 0, n - 2)
    x0, x1, f0, f1 = xp[at], xp[at + 1], fp[at], fp[at + 1]
    made = f0 + (f1 - f0) * ((x - x0) / (x1 - x0))
    slopes = np.abs(np.diff(fp.value) / np.diff(xp.value))
    steepest = np.maximum(slopes[np.maximum(at - 1, 0)], slopes[np.minimum(at + 1, n - 2)])
    moved = x.worst + np.maximum(x0.worst, x1.worst)
    near = np.minimum(np.abs(x.value - x0.value), np.abs(x.value - x1.value)) <= moved
    # Between equal places the function jumps, to the value at the last of them.
    jumps = near & (moved > 0) & ~np.isfinite(steepest)
    bent = np.where(near & (moved > 0) & ~jumps, moved * np.where(jumps, 0.0, steepest), 0.0)
    roundoff = 2.0 * x.unit * np.maximum(np.abs(f0.value), np.abs(f1.value)) + bent
    made = made.widened(roundoff, roundoff)
    if jumps.any():
        self.branches.note("a jump of interp")
        made = made.spoiled(jumps)
    at_last = (x.value == xp.value[-1]) & (xp.value[-1] == xp.value[-2]) & ~jumps
    ends = (
        *((x.value < xp.value[0], left, fp[0]), (x.value > xp.value[-1], right, fp[-1])),
        (at_last, None, fp[-1]),
    )
    for outside, other, end in ends:
        made = np.where(outside, end if other is None else self._as(other), made)
    return made


def _ball_interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    x, xp, fp = (np.asarray(array, dtype=object) for array in (x, xp, fp))
    x, xp = (np.vectorize(arb, otypes=[object])(array) for array in (x, xp))
    result = np.empty(x.shape, dtype=object)
    for place in np.ndindex(x.shape):
        result[place] = _interpolated(x[place], xp, fp, left, right)
    return result if result.ndim else result[()]


def _interpolated(x: arb, xp: Array, fp: Array, left: Any, right: Any) -> Any:
    """The union of the values of all pieces on which x may lie."""
    pieces = []
    if not x >= xp[0]:
        pieces.append(fp[0] if left is None else arb(left))
    if not x <= xp[-1]:
        pieces.append(fp[-1] if right is None else arb(right))
    if not (x < xp[-1] or x > xp[-1]):
        pieces.append(fp[-1])
    for k in range(len(xp) - 1):
        if x < xp[k] or x >= xp[k + 1]:
            continue
        if xp[k] == xp[k + 1]:
            pieces += [fp[k], fp[k + 1]]
        else:
            pieces.append(fp[k] + (fp[k + 1] - fp[k]) * ((x - xp[k]) / (xp[k + 1] - xp[k])))
    hull = arb(pieces[0])
    for piece in pieces[1:]:
        hull = hull if hull == piece else hull.union(arb(piece))
    return hull


@as_in(_sort, "self", but=1)
def _rounded_sort(self: Rounded, a: Any, *args: Any, **kwargs: Any) -> Any:
    return _sort(_sorted, self._as(a), *args, **kwargs)


@as_in(_sort, but=1)
def _ball_sort(a: Any, *args: Any, **kwargs: Any) -> Any:
    return _sort(_ball_sorted, np.asarray(a, dtype=object), *args, **kwargs)


def _quantile_as(scale: float) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`numpy.quantile` or `numpy.percentile` of numbers that carry their rounding, and of balls."""

    def rounded(
        self: Rounded,
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: bool = False,
        method: str = "linear",
        keepdims: bool = False,
    ) -> Any:
        return _rounded_quantile(self, a, q, axis, method, keepdims, scale=scale)

    def balls(
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: bool = False,
        method: str = "linear",
        keepdims: bool = False,
    ) -> Any:
        return _ball_quantile(a, q, axis, method, keepdims, scale=scale)

    return rounded, balls


def _rounded_median(
    self: Rounded,
    a: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Any:
    return _rounded_quantile(self, a, 0.5, axis, keepdims=keepdims, weighing=_middle)


def _ball_median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False
) -> Any:
    return _ball_quantile(a, 0.5, axis, keepdims=keepdims, weighing=_middle)


_QUANTILE, _PERCENTILE = _quantile_as(1.0), _quantile_as(100.0)

ROUNDED_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    np.sort: _rounded_sort,
    np.quantile: _QUANTILE[0],
    np.percentile: _PERCENTILE[0],
    np.median: _rounded_median,
    np.interp: _interp,
}

BALL_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    np.sort: _ball_sort,
    np.quantile: _QUANTILE[1],
    np.percentile: _PERCENTILE[1],
    np.median: _ball_median,
    np.interp: _ball_interp,
}
