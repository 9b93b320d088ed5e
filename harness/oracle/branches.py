"""Functions that depend on comparisons, in every arithmetic of the oracle: decided values or undecided ones.

A comparison is undecided where balls overlap, or where values are nearer to each other than their errors
(unstable branches: Jezequel and Chesneaux, "CADNA: a library for estimating round-off error propagation",
Comput. Phys. Commun. 178, 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.conditions import Condition, condition, three_values
from harness.oracle.oracle_array import OracleArray
from harness.oracle.unknown import INFINITE, Undecided

Array = npt.NDArray[Any]
Kind = type[OracleArray]

SIGN = "the sign of a zero"


def compared(kind: Kind, ufunc: np.ufunc, x: Any, y: Any) -> Any:
    """The truth values of a comparison of two arrays."""
    value, unsure = kind.compare(ufunc, kind.gather(x), kind.gather(y))
    if not np.any(unsure):
        return value if value.ndim else np.bool_(value)
    what = "a tie" if ufunc in (np.equal, np.not_equal) else "a comparison"
    return condition(kind, value, unsure, kind.branches.located(what))


def where(kind: Kind, condition: Any, *branches: Any) -> Any:
    """One array's elements or the other's."""
    cond = condition
    value, unsure = three_values(cond)
    if not branches:
        if unsure.any():
            raise Undecided(kind.branches.note("a choice of elements"))
        return np.nonzero(value)
    x, y = (kind.gather(branch) for branch in branches)
    shape = np.broadcast_shapes(value.shape, x.shape, y.shape)
    why = cond.why if isinstance(cond, Condition) else ""
    return kind.choose(np.broadcast_to(value, shape), np.broadcast_to(unsure, shape), x, y, why)


def _comparison(ufunc: np.ufunc) -> Callable[..., Any]:
    return lambda kind, x, y: compared(kind, ufunc, x, y)


def _logical(ufunc: np.ufunc) -> Callable[..., Any]:
    return lambda kind, *given: ufunc(*(x != 0 for x in given))


def _step(ufunc: Any, what: str) -> Callable[..., Any]:
    return lambda kind, x: kind.stepped(kind.gather(x), ufunc, what)


def _round(kind: Kind, a: Any, decimals: int = 0, out: Any = None) -> Any:
    x = kind.gather(a)
    if x.plain is not None:
        return _rounded_constant(kind, np.asarray(x.plain), decimals)
    if decimals == 0:
        return kind.stepped(x, np.rint, "a rounding to whole numbers")
    scale = 10.0 ** abs(decimals)
    scaled = x * scale if decimals > 0 else x / scale
    whole = kind.stepped(scaled, np.rint, "a rounding to digits")
    return whole / scale if decimals > 0 else whole * scale


def _rounded_constant(kind: Kind, plain: Array, decimals: int) -> Any:
    """Constants rounded as the reference rounds them: their digits are decided, and their quotient rounds."""
    scale = 10.0 ** abs(decimals)
    whole = kind.gather(np.rint(plain * scale if decimals > 0 else plain / scale))
    made: Any = whole / scale if decimals > 0 else whole * scale
    return made.knowing(np.round(plain, decimals)[()])


def _at_least(function: Callable[..., Any]) -> Callable[..., Any]:
    """One array or several, with more axes."""

    def call(kind: Kind, *arys: Any) -> Any:
        made = [kind.gather(x)._viewed(function) for x in arys]
        return made[0] if len(made) == 1 else tuple(made)

    return call


def _floor_divide(kind: Kind, x: Any, y: Any) -> Any:
    return _of_numbers(kind, kind.stepped(kind.ratio(x, y), np.floor, "the whole part of a quotient"), x, y)


def _remainder(kind: Kind, x: Any, y: Any) -> Any:
    return _of_numbers(kind, kind.less_product(x, _floor_divide(kind, x, y), y), x, y)


def _fmod(kind: Kind, x: Any, y: Any) -> Any:
    whole = kind.stepped(kind.ratio(x, y), np.trunc, "the whole part of a quotient")
    return _of_numbers(kind, kind.less_product(x, whole, y), x, y)


def _of_numbers(kind: Kind, made: Any, *operands: Any) -> Any:
    """Undecided where an operand is infinite: languages differ, and NumPy's quotient is NaN."""
    infinite = [np.isinf(kind.gather(operand).nearest()) for operand in operands]
    where_infinite = np.broadcast_to(np.logical_or(*infinite), made.shape)
    if not where_infinite.any():
        return made
    kind.branches.note(INFINITE)
    return made.spoiled(where_infinite)


def _clip(
    kind: Kind,
    a: Any,
    a_min: Any = None,
    a_max: Any = None,
    out: Any = None,
    *,
    min: Any = None,
    max: Any = None,
) -> Any:
    x = kind.gather(a)
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    if low is not None and low is not np._NoValue:
        x = np.maximum(x, low)
    return x.copy() if high is None or high is np._NoValue else np.minimum(x, high)


def _heaviside(kind: Kind, x: Any, half: Any) -> Any:
    x = kind.gather(x)
    return where(kind, x != x, x, where(kind, x < 0, 0.0, where(kind, x > 0, 1.0, half)))


def _signbit(kind: Kind, x: Any) -> Any:
    x = kind.gather(x)
    below, unsure = kind.compare(np.less, x, kind.gather(0.0))
    unsure = unsure | _noted(kind, x.negative_zeros())
    return condition(kind, below, unsure, kind.branches.located(SIGN))


def _noted(kind: Kind, minus: Array) -> Array:
    """Where the sign of a zero decides and is negative, which is undecided: balls have no signed zeros."""
    flags = kind.placed(np.zeros(minus.shape), np.zeros(minus.shape), minus.astype(np.float64), SIGN)
    return flags.doubtful() if isinstance(flags, OracleArray) else np.zeros(minus.shape, dtype=bool)


def _arctan2(kind: Kind, y: Any, x: Any) -> Any:
    y, x = kind.gather(y), kind.gather(x)
    left = (x.nearest() < 0) & y.negative_zeros() | (y.nearest() == 0) & x.negative_zeros()
    unsure = _noted(kind, left)
    angle = kind.angle(y, x)
    if not unsure.any():
        return angle
    either = where(kind, Condition(kind, ~unsure, unsure, kind.branches.located(SIGN)), np.pi, -np.pi)
    return where(kind, unsure, either, angle)


def _copysign(kind: Kind, x: Any, sign: Any) -> Any:
    size: Any = np.abs(kind.gather(x))
    return where(kind, _signbit(kind, sign), -size, size)


def _isclose(kind: Kind, a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    """Where two arrays are close; infinities are close to themselves alone."""
    x, y = kind.gather(a), kind.gather(b)
    close: Any = np.abs(x - y) <= atol + rtol * np.abs(y)
    infinite = np.isinf(x.nearest()) | np.isinf(y.nearest())
    if infinite.any():
        close = np.logical_or(np.logical_and(close, ~infinite), np.logical_and(x == y, infinite))
    return np.logical_or(close, _both_lack(x, y)) if equal_nan else close


def _both_lack(x: Any, y: Any) -> Any:
    return np.logical_and(np.isnan(x), np.isnan(y))


def _allclose(kind: Kind, a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    return np.all(_isclose(kind, a, b, rtol, atol, equal_nan))


def _array_equal(kind: Kind, a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    if np.shape(a1) != np.shape(a2):
        return False
    equal = compared(kind, np.equal, a1, a2)
    if equal_nan:
        equal = np.logical_or(equal, _both_lack(kind.gather(a1), kind.gather(a2)))
    return np.all(equal)


def _truth(name: str) -> Callable[..., Any]:
    def call(
        kind: Kind, a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
    ) -> Any:
        value, unsure = three_values(a)
        cond = Condition(kind, value, unsure, kind.branches.located("a comparison"))
        return getattr(cond, name)(axis=axis, keepdims=keepdims, where=where)

    return call


def _nonzero(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(kind: Kind, a: Any) -> Any:
        value, unsure = three_values(a)
        if unsure.any():
            raise Undecided(kind.branches.note("a choice of elements"))
        return function(value)

    return call


def _count(kind: Kind, a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return np.sum(a != 0, axis=axis, keepdims=keepdims)


def _extreme_at(ufunc: np.ufunc) -> Callable[..., Any]:
    """The first place of the largest or smallest element; undecided where another element may be it."""

    def call(kind: Kind, a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        x: Any = kind.gather(a)
        keepdims = keepdims is not np._NoValue and keepdims
        along: Any = x.reshape(-1) if axis is None else np.moveaxis(x, axis, -1)
        at = kind.first(ufunc, along)
        best = along._viewed(lambda array: np.take_along_axis(array, at[..., None], axis=-1))
        _, doubts = kind.compare(ufunc, along, best)
        np.put_along_axis(doubts, at[..., None], False, axis=-1)
        unsure: Array = np.asarray(doubts.any(axis=-1))
        np.put_along_axis(doubts, at[..., None], True, axis=-1)
        least, most = (doubts.argmax(axis=-1), doubts.shape[-1] - 1 - doubts[..., ::-1].argmax(axis=-1))
        if keepdims:
            places: Any = tuple(range(x.ndim)) if axis is None else axis
            at, unsure, least, most = (np.expand_dims(array, places) for array in (at, unsure, least, most))
        if not unsure.any():
            return at if at.ndim else at[()]
        kind.branches.note("a tie")
        return kind.gather(at.astype(np.float64)).one_of(unsure, least, most)

    return call


def _finite(ufunc: np.ufunc) -> Callable[..., Any]:
    def call(kind: Kind, x: Any) -> Any:
        x = kind.gather(x)
        unsure = np.asarray(x.unknown())
        return condition(kind, ufunc(x.nearest()), unsure, kind.branches.located("a comparison"))

    return call


def _filled(fill: float) -> Callable[..., Any]:
    def call(
        kind: Kind, a: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None
    ) -> Any:
        return _like(kind, a, fill, dtype, shape=shape)

    return call


def _like(
    kind: Kind,
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: bool = True,
    shape: Any = None,
) -> Any:
    fill, shape = fill_value, np.shape(a) if shape is None else shape
    if dtype is not None and np.dtype(dtype).kind not in "fO":
        return np.full(shape, fill, dtype=dtype)
    kind = kind if dtype is None else kind.of(dtype)
    made = kind.gather(np.zeros(shape)).copy()
    made[...] = fill
    return made


def _empty_like(
    kind: Kind, prototype: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None
) -> Any:
    return _like(kind, prototype, 0.0, dtype, shape=shape)


GENERIC: Mapping[Any, Callable[..., Any]] = {
    **{
        ufunc: _comparison(ufunc)
        for ufunc in (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
    },
    **{ufunc: _finite(ufunc) for ufunc in (np.isfinite, np.isnan, np.isinf)},
    **{ufunc: _logical(ufunc) for ufunc in (np.logical_and, np.logical_or, np.logical_not, np.logical_xor)},
    np.floor: _step(np.floor, "a jump of floor"),
    np.ceil: _step(np.ceil, "a jump of ceil"),
    np.trunc: _step(np.trunc, "a jump of trunc"),
    np.rint: _step(np.rint, "a rounding to whole numbers"),
    np.fix: _step(np.trunc, "a jump of fix"),
    np.sign: _step(np.sign, "a sign"),
    np.round: _round,
    np.around: _round,
    np.floor_divide: _floor_divide,
    np.remainder: _remainder,
    np.fmod: _fmod,
    np.divmod: lambda kind, x, y: (_floor_divide(kind, x, y), _remainder(kind, x, y)),
    np.clip: _clip,
    np.heaviside: _heaviside,
    np.signbit: _signbit,
    np.copysign: _copysign,
    np.arctan2: _arctan2,
    np.isclose: _isclose,
    np.allclose: _allclose,
    np.array_equal: _array_equal,
    np.where: where,
    np.any: _truth("any"),
    np.all: _truth("all"),
    np.nonzero: _nonzero(np.nonzero),
    np.flatnonzero: _nonzero(np.flatnonzero),
    np.argwhere: _nonzero(np.argwhere),
    np.count_nonzero: _count,
    np.argmax: _extreme_at(np.greater),
    np.argmin: _extreme_at(np.less),
    np.shape: lambda kind, a: a.shape,
    np.ndim: lambda kind, a: a.ndim,
    np.size: lambda kind, a, axis=None: a.size if axis is None else a.shape[axis],
    np.zeros_like: _filled(0.0),
    np.empty_like: _empty_like,
    np.ones_like: _filled(1.0),
    np.full_like: _like,
    **{function: _at_least(function) for function in (np.atleast_1d, np.atleast_2d, np.atleast_3d)},
    np.iscomplexobj: lambda kind, x: False,
    np.isrealobj: lambda kind, x: True,
    np.real: lambda kind, val: val,
}
"""Operations that every arithmetic shares, called with the class of its arrays first."""
