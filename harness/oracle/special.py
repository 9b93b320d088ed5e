"""Error functions, gamma functions and compositions of exponentials and logarithms, in every arithmetic.

The tables use the names in SciPy and math, so that SciPy need not be installed. docs/functions.md derives the
limits: each holds for the usual ways to write a function in a language that lacks it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb

from harness.oracle.arguments import as_in
from harness.oracle.ball_functions import scalar
from harness.oracle.conditions import Condition
from harness.oracle.function_errors import erf_near_zero, limit_of
from harness.oracle.functions import Function, library_error
from harness.oracle.oracle_array import OracleArray
from harness.oracle.propagate import propagated
from harness.oracle.rounding import Rounded
from harness.oracle.unknown import GAMMA, LOG_GAMMA, NotUnderstood

Array = npt.NDArray[Any]
Kind = type[OracleArray]

_SLOPE = 2.0 / math.sqrt(math.pi)
_LOST = 2.0**-960
"""Magnitude below which float64 functions that use exp(-x^2) may return 0 or lose digits."""


def _plainly(name: str) -> Callable[[Array], Array]:
    """A function of float64 arrays by python-flint; NaN where it has no value."""
    function = scalar(name)
    vectorized = np.frompyfunc(lambda x: float(function(arb(x)).mid()), 1, 1)
    return lambda x: np.asarray(vectorized(x), dtype=np.float64)


def _digamma(x: Array) -> Array:
    vectorized = np.frompyfunc(lambda x: float(arb(x).digamma().mid()), 1, 1)
    return np.asarray(vectorized(x), dtype=np.float64)


def _erf_worst(x: Array, _: Array, w: Array) -> Array:
    near = np.maximum(np.abs(x) - w, 0.0)
    array: Array = np.minimum(w * _SLOPE * np.exp(-near * near), 2.0)
    return array


def _gammaln_worst(x: Array, _: Array, w: Array) -> Array:
    # The digamma function grows: its largest magnitude is at an end.
    ends = [np.abs(_digamma(np.where(x > w, end, 1.0))) for end in (x - w, x + w)]
    return np.where(x > w, w * np.maximum(*ends), np.inf)


def _gamma_worst(x: Array, y: Array, w: Array) -> Array:
    return np.abs(y) * np.expm1(_gammaln_worst(x, y, w))


def _erf_error(x: Rounded, value: Array) -> Array:
    error = library_error("erf", x, value)
    return np.where(np.abs(value) < 0.5, np.maximum(error, erf_near_zero(x.unit) * x.unit), error)


def _erfc_error(x: Rounded, value: Array) -> Array:
    error = library_error("erfc", x, value)
    # The argument may be rounded twice, or a square be rounded before its exponential.
    squares = np.where((x.value > 0) & (value > 0), 2.0 * x.value * x.value + 1.0, 1.0)
    error = error + 2.0 * x.unit * squares * np.abs(value)
    least = max(_LOST if x.form.bits == 53 else 0.0, x.form.least)
    return np.where(value < least, error + np.abs(value), error)


def _gammaln_error(x: Rounded, value: Array) -> Array:
    # At 1 and 2 the value is 0, with the errors of its terms.
    return library_error("gammaln", x, np.abs(value) + 1.0)


def _gamma_error(x: Rounded, value: Array) -> Array:
    # It may be computed as the exponential of its logarithm.
    logarithm = np.abs(np.log(np.abs(value)))
    units_of_gamma = limit_of("gamma", x.unit) if x.form.bits >= 24 else 1.0
    units: Array = units_of_gamma + limit_of("exp", x.unit) + limit_of("gammaln", x.unit) * (logarithm + 1.0)
    array = units * 2.0 * x.unit * np.abs(value) + x.tiny
    # R's gamma is infinite in the upper half of the range.
    array = np.where(np.abs(value) > x.form.largest / 2.1, np.inf, array)
    return np.where(np.isfinite(value), array, 0.0)


_FUNCTIONS: Mapping[str, tuple[Function, Callable[[Rounded, Array], Array]]] = {
    "erf": (
        Function(_plainly("erf"), lambda x, y: _SLOPE * np.exp(-x * x), _erf_worst),
        _erf_error,
    ),
    "erfc": (
        Function(_plainly("erfc"), lambda x, y: -_SLOPE * np.exp(-x * x), _erf_worst),
        _erfc_error,
    ),
    "gamma": (Function(_plainly("gamma"), lambda x, y: y * _digamma(x), _gamma_worst), _gamma_error),
    "gammaln": (Function(_plainly("gammaln"), lambda x, y: _digamma(x), _gammaln_worst), _gammaln_error),
}

_UNDECIDED = {"gamma": GAMMA, "gammaln": LOG_GAMMA}


def _known(name: str) -> Callable[..., Any]:
    def call(kind: Kind, x: Any) -> Any:
        x = kind.gather(x)
        if not isinstance(x, Rounded):
            return kind.gather(np.asarray(np.frompyfunc(scalar(name), 1, 1)(x.items), dtype=object))
        function, error_of = _FUNCTIONS[name]
        with np.errstate(all="ignore"):
            value = function.value(x.value)
            bound = lambda w: function.worst(x.value, value, w)  # noqa: E731
            slope = function.slope(x.value, value)
            made = propagated(value, (x,), (slope,), bound, error_of(x, value), np.isinf(value))
        # Libraries are infinite at subnormal numbers, and off by any number of units next to zeros left of 0.
        lost = x.value - x.worst < 2.0 * x.form.least
        if name not in _UNDECIDED or not lost.any():
            return made
        if (lost & ~x.doubtful()).any():
            kind.branches.note(_UNDECIDED[name])
        return made.spoiled(lost)

    return call


erf, erfc, gamma, gammaln = (_known(name) for name in ("erf", "erfc", "gamma", "gammaln"))


def _granted(rounded: Any, more: Callable[[Rounded], Any]) -> Any:
    """A composition with the further error of other ways to compute it."""
    if not isinstance(rounded, Rounded):
        return rounded
    with np.errstate(all="ignore"):
        error = np.broadcast_to(more(rounded), rounded.shape)
        error = np.where(np.isfinite(error), error, 0.0)
    return rounded.widened(error, error)


def expit(kind: Kind, x: Any) -> Any:
    """1 / (1 + exp(-x)), by the exponential that does not overflow."""
    x = kind.gather(x)
    e: Any = np.exp(-abs(x))
    quotient = kind.generic[np.where](kind, x >= 0.0, 1.0, e) / (1.0 + e)
    # Where exp(-x) overflows, 1 / (1 + exp(-x)) is 0.
    return _granted(
        quotient, lambda rounded: np.where(rounded.value < 4.0 * rounded.form.least, rounded.value, 0.0)
    )


def logit(kind: Kind, p: Any) -> Any:
    """log(p / (1 - p)) as a difference of logarithms, whose error the logarithm of a quotient has too."""
    p = kind.gather(p)
    return _granted(np.log(p) - np.log1p(-p), lambda rounded: 2.0 * rounded.unit)


def xlogy(kind: Kind, x: Any, y: Any) -> Any:
    """x log(y), and 0 where x is 0."""
    x, y = kind.gather(x), kind.gather(y)
    return kind.generic[np.where](kind, x == 0.0, 0.0, x * np.log(y))


def logsumexp(
    kind: Kind, a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False
) -> Any:
    """log(sum(exp(a))), with the largest element subtracted and added, or without."""
    if return_sign:
        raise NotUnderstood("scipy.special.logsumexp(return_sign=True)")
    a = kind.gather(a)
    top = a.max(axis=axis, keepdims=True)
    e: Any = np.exp(a - top)
    total = (e if b is None else e * kind.gather(b)).sum(axis=axis, keepdims=True)
    logarithm = np.log(total) + top
    logarithm = _granted(logarithm, lambda rounded: _logarithm_of(rounded, np.abs(rounded.value)))
    return logarithm if keepdims else logarithm.reshape(_without(a, axis))


def _logarithm_of(rounded: Rounded, size: Array) -> Array:
    """Error of a logarithm of that size, and of the exponentials inside it."""
    units: Array = limit_of("log", rounded.unit) * size + limit_of("exp", rounded.unit)
    return 2.0 * rounded.unit * units


def _without(a: Any, axis: Any) -> tuple[int, ...]:
    gone = a._gone(axis)
    return tuple(n for place, n in enumerate(a.shape) if place not in gone)


def softmax(kind: Kind, x: Any, axis: Any = None) -> Any:
    """exp(x) / sum(exp(x)), with the largest element subtracted, or without."""
    x = kind.gather(x)
    e: Any = np.exp(x - x.max(axis=axis, keepdims=True))
    # The error of a numerator that underflows is the smallest number, which the quotient does not include.
    quotient = e / e.sum(axis=axis, keepdims=True)
    return _granted(quotient, lambda rounded: rounded.tiny * (rounded.worst > 0))


def log_softmax(kind: Kind, x: Any, axis: Any = None) -> Any:
    """x - logsumexp(x), or the logarithm of `softmax`, with the largest element subtracted or not."""
    x = kind.gather(x)
    logarithm = x - logsumexp(kind, x, axis=axis, keepdims=True)

    def more(rounded: Rounded) -> Array:
        size = np.abs(rounded.value)
        return _logarithm_of(rounded, size) + 2.0 * rounded.unit * size

    return _granted(logarithm, more)


def betaln(kind: Kind, a: Any, b: Any) -> Any:
    """The logarithm of the beta function of positive numbers, by three logarithms of gamma functions."""
    a, b = kind.gather(a), kind.gather(b)
    return gammaln(kind, a) + gammaln(kind, b) - gammaln(kind, a + b)


def beta(kind: Kind, a: Any, b: Any) -> Any:
    """The beta function of positive numbers, as an exponential of `betaln`."""
    value: Any = np.exp(betaln(kind, a, b))
    return value


def _in_scipy(function: Callable[..., Any]) -> Callable[..., Any]:
    @as_in(function, "kind", "real", but=1)
    def call(kind: Kind, real: Any, *args: Any, **kwargs: Any) -> Any:
        if any(isinstance(arg, Condition) for arg in args):
            args = tuple(arg.numbers() if isinstance(arg, Condition) else arg for arg in args)
        return function(kind, *args, **kwargs)

    return call


SPECIAL: Mapping[str, Callable[..., Any]] = {
    **{
        f"scipy.special.{name}": _in_scipy(function)
        for name, function in (
            *(("erf", erf), ("erfc", erfc), ("gamma", gamma), ("gammaln", gammaln), ("loggamma", gammaln)),
            *(("beta", beta), ("betaln", betaln), ("expit", expit), ("logit", logit), ("xlogy", xlogy)),
            *(("logsumexp", logsumexp), ("softmax", softmax), ("log_softmax", log_softmax)),
        )
    },
    **{
        f"math.{name}": _in_scipy(function)
        for name, function in (("erf", erf), ("erfc", erfc), ("gamma", gamma), ("lgamma", gammaln))
    },
}
"""Functions by the name in a reference's file; called with the arithmetic and the real function first."""
