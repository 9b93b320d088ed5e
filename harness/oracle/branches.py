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
from harness.oracle.unknown import Undecided

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


def where(kind: Kind, cond: Any, *branches: Any) -> Any:
    """One array's elements or the other's."""
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
    return lambda kind, x, **_: kind.stepped(kind.gather(x), ufunc, what)


def _round(kind: Kind, x: Any, decimals: int = 0, out: Any = None) -> Any:
    x = kind.gather(x)
    if decimals == 0:
        return kind.stepped(x, np.rint, "a rounding to whole numbers")
    scale = 10.0 ** abs(decimals)
    scaled = x * scale if decimals > 0 else x / scale
    whole = kind.stepped(scaled, np.rint, "a rounding to digits")
    return whole / scale if decimals > 0 else whole * scale


def _floor_divide(kind: Kind, x: Any, y: Any) -> Any:
    return kind.stepped(kind.ratio(x, y), np.floor, "the whole part of a quotient")


def _remainder(kind: Kind, x: Any, y: Any) -> Any:
    return kind.less_product(x, _floor_divide(kind, x, y), y)


def _fmod(kind: Kind, x: Any, y: Any) -> Any:
    whole = kind.stepped(kind.ratio(x, y), np.trunc, "the whole part of a quotient")
    return kind.less_product(x, whole, y)


def _clip(kind: Kind, x: Any, low: Any = None, high: Any = None, **more: Any) -> Any:
    low, high = more.get("min", low), more.get("max", high)
    x = kind.gather(x)
    if low is not None:
        x = np.maximum(x, low)
    return x.copy() if high is None else np.minimum(x, high)


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


def _isclose(kind: Kind, x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8, **_: Any) -> Any:
    x, y = kind.gather(x), kind.gather(y)
    return np.abs(x - y) <= atol + rtol * np.abs(y)


def _allclose(kind: Kind, *args: Any, **kwargs: Any) -> Any:
    return np.all(_isclose(kind, *args, **kwargs))


def _array_equal(kind: Kind, x: Any, y: Any, **_: Any) -> Any:
    return np.shape(x) == np.shape(y) and np.all(compared(kind, np.equal, x, y))


def _truth(name: str) -> Callable[..., Any]:
    def call(kind: Kind, x: Any, axis: Any = None, out: Any = None, keepdims: bool = False, **_: Any) -> Any:
        value, unsure = three_values(x)
        cond = Condition(kind, value, unsure, kind.branches.located("a comparison"))
        return getattr(cond, name)(axis=axis, keepdims=keepdims)

    return call


def _nonzero(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(kind: Kind, x: Any) -> Any:
        value, unsure = three_values(x)
        if unsure.any():
            raise Undecided(kind.branches.note("a choice of elements"))
        return function(value)

    return call


def _count(kind: Kind, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return np.sum(x != 0, axis=axis, keepdims=keepdims)


def _extreme_at(ufunc: np.ufunc) -> Callable[..., Any]:
    """The first place of the largest or smallest element; undecided where another element may be it."""

    def call(kind: Kind, x: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        x = kind.gather(x)
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
    return lambda kind, x, dtype=None, shape=None, **_: _like(kind, x, fill, dtype, shape)


def _like(kind: Kind, x: Any, fill: Any, dtype: Any = None, shape: Any = None, **_: Any) -> Any:
    shape = np.shape(x) if shape is None else shape
    if dtype is not None and np.dtype(dtype).kind not in "fO":
        return np.full(shape, fill, dtype=dtype)
    kind = kind if dtype is None else kind.of(dtype)
    made = kind.gather(np.zeros(shape)).copy()
    made[...] = fill
    return made


def _copyto(kind: Kind, x: Any, y: Any, casting: str = "", where: Any = True) -> None:
    x[...] = y if where is True else np.where(where, y, x)


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
    np.shape: lambda kind, x: x.shape,
    np.ndim: lambda kind, x: x.ndim,
    np.size: lambda kind, x, axis=None: x.size if axis is None else x.shape[axis],
    np.zeros_like: _filled(0.0),
    np.empty_like: _filled(0.0),
    np.ones_like: _filled(1.0),
    np.full_like: lambda kind, x, fill_value, **more: _like(kind, x, fill_value, **more),
    np.copyto: _copyto,
    np.iscomplexobj: lambda kind, x: False,
    np.isrealobj: lambda kind, x: True,
    np.real: lambda kind, x: x,
}
"""Operations that every arithmetic shares, called with the class of its arrays first."""
