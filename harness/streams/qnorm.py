"""R's quantile function of the normal distribution, to the last bit.

Source: M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied
Statistics 37, 1988, as in R's `src/nmath/qnorm.c`; for the far tail M. Maechler, "Asymptotic tail formulas
for Gaussian quantiles", 2022, which R has since 4.3.0. The logarithm is the C library's, as in R itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

F64 = npt.NDArray[np.float64]

_SPLIT = 0.425
_CENTRE = (
    (
        2509.0809287301226727,
        33430.575583588128105,
        67265.770927008700853,
        45921.953931549871457,
        13731.693765509461125,
        1971.5909503065514427,
        133.14166789178437745,
        3.387132872796366608,
    ),
    (
        5226.495278852854561,
        28729.085735721942674,
        39307.89580009271061,
        21213.794301586595867,
        5394.1960214247511077,
        687.1870074920579083,
        42.313330701600911252,
        1.0,
    ),
)
_TAIL = (
    (
        7.7454501427834140764e-4,
        0.0227238449892691845833,
        0.24178072517745061177,
        1.27045825245236838258,
        3.64784832476320460504,
        5.7694972214606914055,
        4.6303378461565452959,
        1.42343711074968357734,
    ),
    (
        1.05075007164441684324e-9,
        5.475938084995344946e-4,
        0.0151986665636164571966,
        0.14810397642748007459,
        0.68976733498510000455,
        1.6763848301838038494,
        2.05319162663775882187,
        1.0,
    ),
)
_FAR_TAIL = (
    (
        2.01033439929228813265e-7,
        2.71155556874348757815e-5,
        0.0012426609473880784386,
        0.026532189526576123093,
        0.29656057182850489123,
        1.7848265399172913358,
        5.4637849111641143699,
        6.6579046435011037772,
    ),
    (
        2.04426310338993978564e-15,
        1.4215117583164458887e-7,
        1.8463183175100546818e-5,
        7.868691311456132591e-4,
        0.0148753612908506148525,
        0.13692988092273580531,
        0.59983220655588793769,
        1.0,
    ),
)


def _horner(coefficients: Sequence[float], r: F64) -> F64:
    total = r * coefficients[0]
    total += coefficients[1]
    for c in coefficients[2:]:
        total *= r
        total += c
    return total


def _ratio(pair: tuple[Sequence[float], Sequence[float]], r: F64) -> F64:
    return _horner(pair[0], r) / _horner(pair[1], r)


def qnorm(p: npt.ArrayLike, mean: float = 0.0, sd: float = 1.0) -> F64:
    """The value that a normal variable stays below with probability `p`: R's `qnorm(p, mean, sd)`.

    Parameters
    ----------
    p : array_like of float64
        Probabilities; outside [0, 1] the result is NaN, as in R.
    mean, sd : float

    Returns
    -------
    ndarray of float64, the shape of `p`
        Probabilities below 2.5e-317 give what R 4.3 and later give.
    """
    given = np.asarray(p, dtype=np.float64)
    flat = given.reshape(-1)
    out = np.empty_like(flat)
    for at in range(0, flat.size, 8192):
        out[at : at + 8192] = _standard(flat[at : at + 8192])
    if sd < 0.0 or math.isnan(sd):
        return np.full(given.shape, np.nan)
    if sd == 0.0:
        return np.where(np.isnan(out), np.nan, mean).reshape(given.shape)
    return (mean + sd * out).reshape(given.shape)


def _standard(p: F64) -> F64:
    q = p - 0.5
    central = np.abs(q) <= _SPLIT
    r = 0.180625 - q * q
    value = q * _horner(_CENTRE[0], r) / _horner(_CENTRE[1], r)
    where = np.flatnonzero(~central)
    value[where] = _outer(p[where], q[where])
    return value


def _outer(p: F64, q: F64) -> F64:
    inside = (p > 0.0) & (p < 1.0)
    tail = np.where(q > 0.0, 0.5 - p + 0.5, p)
    logs = np.array([math.log(t) for t in tail[inside].tolist()], dtype=np.float64)
    r = np.sqrt(-logs)
    value = _ratio(_TAIL, r - 1.6)
    far = r > 5.0
    value[far] = _ratio(_FAR_TAIL, r[far] - 5.0)
    for i in np.flatnonzero(r > 27.0):
        value[i] = _asymptotic(-2.0 * float(logs[i]))
    out = np.where(p == 0.0, -np.inf, np.where(p == 1.0, np.inf, np.nan))
    out[inside] = np.where(q[inside] < 0.0, -value, value)
    return out


def _asymptotic(s: float) -> float:
    """The quantile from s = -2 log p for the smallest subnormal p: five steps of the expansion."""
    x = s - math.log(2.0 * math.pi * s)
    x = s - math.log(2.0 * math.pi * x) - 2.0 / (2.0 + x)
    x = s - math.log(2.0 * math.pi * x) + 2 * math.log1p(-(1 - 1 / (4 + x)) / (2.0 + x))
    x = s - math.log(2.0 * math.pi * x) + 2 * math.log1p(-(1 - (1 - 5 / (6 + x)) / (4.0 + x)) / (2.0 + x))
    inner = 1 - (1 - (5 - 9 / (8.0 + x)) / (6.0 + x)) / (4.0 + x)
    return math.sqrt(s - math.log(2.0 * math.pi * x) + 2 * math.log1p(-inner / (2.0 + x)))
