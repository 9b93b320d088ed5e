"""The ziggurats of 256 layers with which Julia draws normal and exponential numbers.

Source: G. Marsaglia and W. W. Tsang, "The ziggurat method for generating random variables", J. Stat. Softw.
5(8), 2000, in the form of D. Bateman's `randmtzig`, from which Julia's `Random/src/normal.jl` comes. The
tables are computed here from their definition: layers of one area v under a density f, whose outermost edge
is r.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

F64 = npt.NDArray[np.float64]
U64 = npt.NDArray[np.uint64]

LAYERS = 256
_NORMAL_R = Decimal("3.6541528853610087963519472518")
_EXPONENTIAL_R = Decimal("7.6971174701310497140446280481")
NORMAL_R = float(_NORMAL_R)
EXPONENTIAL_R = float(_EXPONENTIAL_R)
# the same number of digits as Julia's own irrational constant, inverted in float64
NORMAL_INVERSE_R = 1.0 / NORMAL_R
_LOW52 = np.uint64(0x000FFFFFFFFFFFFF)


class Tables(NamedTuple):
    """`k`: integers below which a layer accepts at once; `w`: scale of a layer; `f`: density at its edge."""

    k: npt.NDArray[np.int64]
    w: F64
    f: F64


class Rows(NamedTuple):
    """The same as lists, for one number at a time."""

    k: list[int]
    w: list[float]
    f: list[float]


class Draws(NamedTuple):
    """One more word, one more uniform and the logarithm of one, for the draws that need another try."""

    word: Callable[[], int]
    unit: Callable[[], float]
    log_unit: Callable[[float], float]


def _tables(
    r: Decimal,
    bits: int,
    area: Decimal,
    f: Callable[[Decimal], Decimal],
    inverse: Callable[[Decimal], Decimal],
) -> Tables:
    span = Decimal(2) ** bits
    edge = r
    k, w, density = [0] * LAYERS, [Decimal(0)] * LAYERS, [Decimal(1)] * LAYERS
    w[-1], density[-1] = edge / span, f(edge)
    k[0] = int(edge * density[-1] / area * span)
    w[0] = area / density[-1] / span
    for i in range(LAYERS - 2, 0, -1):
        inner = inverse(area / edge + density[i + 1])
        k[i + 1] = int(inner / edge * span)
        w[i], density[i] = inner / span, f(inner)
        edge = inner
    return Tables(np.array(k), np.array([float(x) for x in w]), np.array([float(x) for x in density]))


def _normal_tail(r: Decimal) -> Decimal:
    """The integral of exp(-x*x/2) from r to infinity, by the series from 0 and Machin's pi."""

    def arctan_inverse(n: int) -> Decimal:
        total, power, k = Decimal(0), Decimal(1) / n, 0
        while abs(power) > Decimal(10) ** -75:
            total += power / (2 * k + 1)
            power, k = -power / (n * n), k + 1
        return total

    pi = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))
    total, term, k = Decimal(0), r, 0
    while abs(term) > Decimal(10) ** -75:
        total += term / (2 * k + 1)
        k += 1
        term = -term * r * r / (2 * k)
    return (pi / 2).sqrt() - total


@functools.cache
def normal_tables() -> Tables:
    """For 51 random bits and a sign."""
    with localcontext(Context(prec=80)):
        area = _NORMAL_R * (-_NORMAL_R * _NORMAL_R / 2).exp() + _normal_tail(_NORMAL_R)
        return _tables(_NORMAL_R, 51, area, lambda x: (-x * x / 2).exp(), lambda y: (-2 * y.ln()).sqrt())


@functools.cache
def exponential_tables() -> Tables:
    """For 52 random bits."""
    with localcontext(Context(prec=80)):
        area = (_EXPONENTIAL_R + 1) * (-_EXPONENTIAL_R).exp()
        return _tables(_EXPONENTIAL_R, 52, area, lambda x: (-x).exp(), lambda y: -y.ln())


@functools.cache
def _normal_rows() -> Rows:
    return Rows(*(column.tolist() for column in normal_tables()))


@functools.cache
def _exponential_rows() -> Rows:
    return Rows(*(column.tolist() for column in exponential_tables()))


def normal_fast(words: U64) -> tuple[F64, npt.NDArray[np.bool_]]:
    """A candidate for each word's lowest 52 bits, and whether it is accepted without another look."""
    tables = normal_tables()
    low = (words & _LOW52).view(np.int64)
    size = low >> 1
    layer = size & 0xFF
    candidate = np.where(low & 1, -size, size) * tables.w[layer]
    return candidate, size < tables.k[layer]


def normal_slow(word: int, draws: Draws) -> float:
    """The normal number that begins with `word`, tried until accepted."""
    k, w, f = _normal_rows()
    while True:
        word &= 0x000FFFFFFFFFFFFF
        size = word >> 1
        layer = size & 0xFF
        x = (-size if word & 1 else size) * w[layer]
        if size < k[layer]:
            return x
        if layer == 0:
            while True:
                xx = -NORMAL_INVERSE_R * draws.log_unit(draws.unit())
                yy = -draws.log_unit(draws.unit())
                if yy + yy > xx * xx:
                    return -NORMAL_R - xx if (size >> 8) & 1 else NORMAL_R + xx
        outer, inner = f[layer - 1], f[layer]
        if (outer - inner) * draws.unit() + inner < math.exp(-0.5 * x * x):
            return x
        word = draws.word()


def exponential_fast(words: U64) -> tuple[F64, npt.NDArray[np.bool_]]:
    """A candidate for each word's lowest 52 bits, and whether it is accepted without another look."""
    tables = exponential_tables()
    low = (words & _LOW52).view(np.int64)
    layer = low & 0xFF
    return low * tables.w[layer], low < tables.k[layer]


def exponential_slow(word: int, draws: Draws) -> float:
    """The exponential number that begins with `word`, tried until accepted."""
    k, w, f = _exponential_rows()
    while True:
        word &= 0x000FFFFFFFFFFFFF
        layer = word & 0xFF
        x = word * w[layer]
        if word < k[layer]:
            return x
        if layer == 0:
            return EXPONENTIAL_R - draws.log_unit(draws.unit())
        outer, inner = f[layer - 1], f[layer]
        if (outer - inner) * draws.unit() + inner < math.exp(-x):
            return x
        word = draws.word()
