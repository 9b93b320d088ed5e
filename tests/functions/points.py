"""Where functions are measured: drawn over all numbers, over usual ones, and where they are hard."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

SEED = 20261121
PRECISIONS = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}


class Function(NamedTuple):
    """A function and its range: numbers from ``low`` to ``high``, most of them in ``usual``."""

    low: float
    high: float
    usual: tuple[float, float]
    special: tuple[float, ...] = ()


INF = float("inf")

ONE: dict[str, Function] = {
    "exp": Function(-746.0, 710.0, (-10, 10), (0, 709.78, -708.4, -745.1, 88.72, -87.34, -103.97)),
    "exp2": Function(-1075.0, 1024.0, (-10, 10), (0, 1024, -1022, -1074, 128, -126, -149)),
    "expm1": Function(-746.0, 710.0, (-5, 5), (0, 709.78, 88.72, 0.3466, -0.3466, 1.04, -37.4, -17.3)),
    "log": Function(0.0, INF, (0.2, 20), (1, 0.7071, 1.4142)),
    "log2": Function(0.0, INF, (0.2, 20), (1, 2, 4, 0.5, 0.7071, 1.4142)),
    "log10": Function(0.0, INF, (0.2, 20), (1, 10, 100, 0.1, 0.7071, 1.4142)),
    "log1p": Function(-1.0, INF, (-0.9, 5), (0, -1, 0.4142, -0.2929)),
    "sqrt": Function(0.0, INF, (0, 10), (1, 4, 0.25)),
    "cbrt": Function(-INF, INF, (-10, 10), (1, 8, 0.125)),
    "sin": Function(-INF, INF, (-20, 20), (0,)),
    "cos": Function(-INF, INF, (-20, 20), (0,)),
    "tan": Function(-INF, INF, (-20, 20), (0,)),
    "arcsin": Function(-1.0, 1.0, (-1, 1), (1, -1, 0.5, -0.5, 0)),
    "arccos": Function(-1.0, 1.0, (-1, 1), (1, -1, 0.5, -0.5, 0)),
    "arctan": Function(-INF, INF, (-5, 5), (0, 1, 0.4375, 0.6875, 1.1875, 2.4375)),
    "sinh": Function(-710.4, 710.4, (-5, 5), (0, 0.3466, 1, 22, 709.78, 88.72)),
    "cosh": Function(-710.4, 710.4, (-5, 5), (0, 0.3466, 1, 22, 709.78, 88.72)),
    "tanh": Function(-INF, INF, (-4, 4), (0, 0.55, 1, 22, 9.01, 19.06)),
    "arcsinh": Function(-INF, INF, (-5, 5), (0, 0.5, 1, 2)),
    "arccosh": Function(1.0, INF, (1, 10), (1, 2)),
    "arctanh": Function(-1.0, 1.0, (-1, 1), (0, 0.5, -0.5, 1, -1)),
    "reciprocal": Function(-INF, INF, (-4, 4), (1, 2)),
    "erf": Function(-INF, INF, (-3, 3), (0, 0.84375, 1.25, 2.857, 6, 3.92)),
    "erfc": Function(-6.0, 27.3, (-2, 5), (0, 0.84375, 1.25, 2.857, 10.05, 26.5)),
    "gamma": Function(0.0, 171.7, (0.01, 30), (1, 2, 10, 20, 171.6)),
    "gammaln": Function(0.0, INF, (0.01, 30), (1, 2, 3, 7, 8, 1.23, 1.73)),
    "gammaln_negative": Function(-30.0, 0.0, (-10, 0), (-2.4570247, -2.7476826, -3.1435808)),
}
"""Of one number. Where gamma has poles and log-gamma zeros, left of 0, is measured on its own."""

TWO = ("arctan2", "hypot", "power")
EXPONENTS = (-3.0, -2.0, -1.0, -0.5, 1 / 3, 0.5, 1.5, 2.0, 3.0, 4.0, 10.0)


def points(function: str, precision: str, count: int, seed: int = SEED) -> list[Array]:
    """Arguments of a function, one array or two, as float64 that the precision holds.

    Parameters
    ----------
    function : str
        Of `ONE` or `TWO`, or ``power_`` and an exponent.
    precision : str
        Of `PRECISIONS`. All numbers that there are, for a function of one in 16 bits.
    count : int
        About how many.
    seed : int
        Of the draws; that of the table where nothing is said.
    """
    draw = _Draw(precision, np.random.default_rng([seed, *function.encode(), *precision.encode()]))
    if function in TWO:
        return _two(function, draw, count)
    if function.startswith("power_"):
        return [_base(draw, count, signed=float(function[6:]).is_integer())]
    given = ONE[function]
    if draw.bits < 16:
        every = draw.every()
        return [every[(every >= given.low) & (every <= given.high)]]
    parts = [
        draw.any(given.low, given.high, 2 * count // 5),
        draw.uniform(*given.usual, 2 * count // 5),
        *(draw.near(argument, count // 5 // max(1, len(given.special))) for argument in given.special),
    ]
    if function in ("sin", "cos", "tan"):
        parts.append(draw.near_multiples(count // 5))
    x = np.concatenate(parts)
    return [x[(x >= given.low) & (x <= given.high)]]


class _Draw:
    """Draws numbers of one precision."""

    def __init__(self, precision: str, random: np.random.Generator) -> None:
        self.bits = PRECISIONS[precision]
        self.random = random
        # A bfloat16 is the upper half of a float32.
        self.dtype = np.dtype({"bfloat16": "float32"}.get(precision, precision))
        self.shift = 16 if precision == "bfloat16" else 0
        self.integers = np.dtype(f"i{self.dtype.itemsize}")

    def round(self, x: Any) -> Array:
        """The nearest numbers of this precision, as float64."""
        with np.errstate(over="ignore"):
            x = np.asarray(x, dtype=np.float64).astype(self.dtype)
        return self.number(self.order(x))

    def order(self, x: Array) -> Array:
        """Place of a number among all of this precision; 0 has 0."""
        places = x.astype(self.dtype).view(self.integers).astype(np.int64)
        lowest = np.int64(np.iinfo(self.integers).min)
        return np.where(places < 0, lowest - places, places) >> self.shift

    def number(self, places: Array) -> Array:
        """The number in such a place."""
        places = places << self.shift
        lowest = np.int64(np.iinfo(self.integers).min)
        pattern = np.where(places < 0, lowest - places, places)
        return pattern.astype(self.integers).view(self.dtype).astype(np.float64)

    def largest(self) -> int:
        """Place of the largest finite number."""
        return int(self.order(np.array([INF]))[0]) - 1

    def every(self) -> Array:
        """All finite numbers."""
        return self.number(np.arange(-self.largest(), self.largest() + 1))

    def any(self, low: float, high: float, count: int) -> Array:
        """Numbers between two, every representable one alike."""
        top = self.largest()
        ends = (
            self.order(np.array([end]))[0] if np.isfinite(end) else np.sign(end) * top for end in (low, high)
        )
        return self.number(self.random.integers(*(int(end) for end in ends), count, endpoint=True))

    def uniform(self, low: float, high: float, count: int) -> Array:
        """Uniform numbers."""
        return self.round(self.random.uniform(low, high, count))

    def near(self, centre: float, count: int) -> Array:
        """Half of them a few places from a number, half at any relative distance."""
        near = self.order(np.array([centre])) + self.random.integers(-500, 501, count // 2)
        distance = 2.0 ** -self.random.uniform(0, self.bits + 2, count - count // 2)
        sign = self.random.choice([-1.0, 1.0], len(distance))
        return np.concatenate(
            [self.number(near), self.round((centre or 1.0) * (bool(centre) + sign * distance))]
        )

    def near_multiples(self, count: int) -> Array:
        """Numbers next to multiples of pi/2, small and large."""
        top = 2.0 ** self.random.uniform(0, 3 * self.bits, count)
        near = self.order(self.round(np.floor(top) * (np.pi / 2)))
        return self.number(near + self.random.integers(-1, 2, count)) * self.random.choice([-1.0, 1.0], count)


def _base(draw: _Draw, count: int, signed: bool) -> Array:
    x = np.concatenate(
        [draw.any(0.0, INF, count // 3), draw.uniform(0, 4, count // 3), draw.near(1.0, count // 3)]
    )
    return x * draw.random.choice([-1.0, 1.0], len(x)) if signed else x


def _two(function: str, draw: _Draw, count: int) -> list[Array]:
    third = count // 3
    if function == "power":
        x = _base(draw, count, signed=False)
        x = x[x > 0]
        with np.errstate(divide="ignore"):
            # Up to where results overflow and underflow.
            widest = 1.05 * np.log(np.finfo(draw.dtype).max.astype(np.float64)) / np.abs(np.log(x))
        wide = draw.random.uniform(-1, 1, len(x)) * np.minimum(widest, 1e300)
        usual = draw.random.uniform(-10, 10, len(x))
        given = draw.random.choice([*EXPONENTS, 5.0, 100.0, 0.1], len(x))
        y = np.choose(np.arange(len(x)) % 3, [wide, usual, given])
        return [x, draw.round(y)]
    x = np.concatenate([draw.any(-INF, INF, third), draw.uniform(-10, 10, 2 * third)])
    with np.errstate(over="ignore"):
        same_size = x * 2.0 ** draw.random.uniform(-draw.bits - 3, draw.bits + 3, len(x))
    y = np.where(np.arange(len(x)) % 2, same_size, draw.any(-INF, INF, len(x)))
    y = np.where(np.arange(len(x)) % 3, y, draw.random.uniform(-10, 10, len(x)))
    y = draw.round(y)
    fine = np.isfinite(y)
    return [x[fine], y[fine]]
