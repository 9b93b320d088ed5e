"""Everyday functions: NumPy's own and other right ways are within the limit, what is wrong is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.balls import precision
from harness.oracle.oracle_host import start
from harness.oracle.registry import arithmetic, balls
from harness.oracle.unknown import NotUnderstood, Undecided, Unknown

Function = Callable[..., Any]


def draw(*shape: int, seed: int = 0, offset: float = 0.0) -> np.ndarray:
    return offset + np.random.default_rng(seed).normal(size=shape)


def horner(p: np.ndarray, x: np.ndarray) -> np.ndarray:
    array = np.zeros_like(x)
    for coefficient in p:
        array = array * x + coefficient
    return array


def placed(function: Function, *more: Function) -> Function:
    def call(x: np.ndarray) -> np.ndarray:
        y = x / 3
        function(y, *(argument(x) for argument in more))
        return y

    return call


def by_powers(p: np.ndarray, x: np.ndarray) -> np.ndarray:
    total, power = np.zeros_like(x), np.ones_like(x)
    for coefficient in p[::-1]:
        total = total + coefficient * power
        power = power * x
    return total


def updated_covariance(x: np.ndarray) -> np.ndarray:
    """Welford's, of two variables at a time (Bennett and others, 2009)."""
    mean, total = np.zeros(len(x), x.dtype), np.zeros((len(x), len(x)), x.dtype)
    for count, sample in enumerate(x.T, start=1):
        away = sample - mean
        mean = mean + away / x.dtype.type(count)
        total = total + np.outer(away, sample - mean)
    return total / x.dtype.type(x.shape[1] - 1)


def correlation(x: np.ndarray) -> np.ndarray:
    away = x - x.mean(axis=1, keepdims=True)
    length = np.sqrt((away * away).sum(axis=1))
    return (away / length[:, None]) @ (away / length[:, None]).T


def slopes(f: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A gradient as the weighted mean of the slopes on either side."""
    h, s = np.diff(x), np.diff(f) / np.diff(x)
    inner = (h[1:] * s[:-1] + h[:-1] * s[1:]) / (h[1:] + h[:-1])
    return np.r_[s[0], inner, s[-1]]


def edges(x: np.ndarray) -> np.ndarray:
    step = (x.max() - x.min()) / x.dtype.type(7)
    return np.r_[x.min() + np.arange(7, dtype=x.dtype) * step, x.max()]


def cross(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    pairs = ((1, 2), (2, 0), (0, 1))
    return np.stack([x[..., i] * y[..., j] - x[..., j] * y[..., i] for i, j in pairs], -1)


def all_but_half(y: np.ndarray) -> np.ndarray:
    return y.sum() - (y[0] + y[-1]) / y.dtype.type(2)


PLACES = np.cumsum(np.abs(draw(30, seed=5)) + 0.05)
ROWS = np.array([0, 2, 2, 1, 0, 2, 1, 2, 2])

RIGHT: dict[str, tuple[Function, Function | None, tuple[np.ndarray, ...]]] = {
    "gradient": (lambda x: np.gradient(x, 0.1), lambda x: np.gradient(x) * x.dtype.type(10), (draw(30),)),
    "gradient of rows": (lambda x: np.gradient(x)[0], None, (draw(6, 5),)),
    "gradient of second order": (lambda x: np.gradient(x, 0.3, edge_order=2), None, (draw(30),)),
    "gradient at uneven places": (np.gradient, slopes, (draw(30), PLACES)),
    "trapezoid": (np.trapezoid, all_but_half, (draw(300),)),
    "trapezoid of what alternates": (
        np.trapezoid,
        all_but_half,
        ((-1.0) ** np.arange(300) + 1e-3 * draw(300),),
    ),
    "trapezoid at places": (
        np.trapezoid,
        lambda y, x: np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2,
        (draw(30), PLACES),
    ),
    "cross": (np.cross, cross, (draw(8, 3), draw(8, 3, seed=1))),
    "sinc": (np.sinc, None, (np.r_[draw(30) * 5, 0.0, 1.0, 2.0, -7.0],)),
    "polyval": (np.polyval, horner, (draw(9), draw(40, seed=1))),
    "polyval by powers": (np.polyval, by_powers, (draw(9), draw(40, seed=1))),
    "polyval next to a root": (np.polyval, horner, (np.poly(np.full(6, 2.0)), 2.0 + 1e-2 * draw(40, seed=1))),
    "polyval next to a root by powers": (
        np.polyval,
        by_powers,
        (np.poly(np.full(6, 2.0)), 2.0 + 1e-2 * draw(40)),
    ),
    "polyfit": (lambda x, y: np.polyfit(x, y, 3), None, (PLACES / 8, draw(30))),
    "polyfit by a factorisation": (
        lambda x, y: np.polyfit(x, y, 3),
        lambda x, y: np.linalg.solve(*(lambda q, r: (r, q.T @ y))(*np.linalg.qr(np.vander(x, 4)))),
        (PLACES / 8, draw(30)),
    ),
    "polymul": (np.polymul, None, (draw(5), draw(3, seed=1))),
    "polyint": (np.polyint, None, (draw(5),)),
    "vander": (lambda x: np.stack([x**2.0, x, x * 0.0 + 1.0], -1), lambda x: np.vander(x, 3), (draw(9),)),
    "cov": (np.cov, updated_covariance, (draw(4, 50, offset=10.0),)),
    "cov of a large mean": (np.cov, updated_covariance, (draw(4, 500, offset=300.0),)),
    "cov of columns": (lambda x: np.cov(x, rowvar=False, ddof=0), None, (draw(40, 3),)),
    "cov of two": (np.cov, lambda x, y: updated_covariance(np.stack([x, y])), (draw(40), draw(40, seed=1))),
    "corrcoef": (np.corrcoef, correlation, (draw(4, 50, offset=3.0),)),
    "ptp": (lambda x: np.ptp(x, axis=0), None, (draw(9, 3),)),
    "bincount": (lambda x: np.bincount(ROWS, weights=x), None, (draw(9),)),
    "histogram with weights": (lambda x: np.histogram(x, 5, weights=x**2.0)[0], None, (draw(50),)),
    "density": (lambda x: np.histogram(x, 5, density=True)[0], None, (draw(50),)),
    "edges": (lambda x: np.histogram(x, 7)[1], edges, (draw(50),)),
    "nanmean": (np.nanmean, None, (np.r_[draw(9), np.nan],)),
    "nansum of rows": (lambda x: np.nansum(x, axis=1), None, (np.where(draw(5, 6) > 1, np.nan, draw(5, 6)),)),
    "nanstd": (np.nanstd, None, (draw(9),)),
    **{
        f"{name} of given data": (function, None, (np.where(draw(5, 6) > 1, np.nan, draw(5, 6)),))
        for name, function in (
            ("nanstd", np.nanstd),
            ("nanvar of rows", lambda x: np.nanvar(x / 3, axis=1, ddof=1, keepdims=True)),
            ("nanmedian of columns", lambda x: np.nanmedian(x / 3, axis=0)),
            ("nanpercentile", lambda x: np.nanpercentile(x / 3, 30, axis=1)),
            ("nanquantile", lambda x: np.nanquantile(x / 3, [0.2, 0.7], axis=0)),
            ("nanmean", lambda x: np.nanmean((x / 3 - 0.1) ** 2, axis=0)),
            ("nanargmax", lambda x: np.stack([x[k, np.nanargmax(x, axis=1)[k]] / 3 for k in range(5)])),
            ("nanargmin", lambda x: x[np.nanargmin(x, axis=0), np.arange(6)] / 3),
            ("fmax", lambda x: np.nansum(np.fmax(x / 3, x[::-1]), axis=0)),
            ("fmin", lambda x: np.fmin(x / 3, 0.1)),
        )
    },
    **{
        f"{function.__name__}{what}": (placed(function, *more), None, (draw(4, 4),))
        for function, what, more in (
            (np.putmask, "", (lambda x: x > 0, lambda x: x * 2)),
            (np.putmask, " repeated", (lambda x: x > 0, lambda x: x[0, :3])),
            (np.place, "", (lambda x: x > 0, lambda x: x[0])),
            (np.put, "", (lambda x: [1, 5, 7], lambda x: x[1, :2] * 3)),
            (np.fill_diagonal, "", (lambda x: x[2, 0],)),
            (np.fill_diagonal, " with an array", (lambda x: x[2],)),
        )
    },
    "extract": (lambda x: np.extract(x > 0, x / 3), None, (draw(4, 4),)),
    "correlate": (np.correlate, None, (draw(40), draw(7, seed=1))),
    "correlate, same": (lambda x, y: np.correlate(x, y, "same"), None, (draw(40), draw(6, seed=1))),
    "correlate, full": (
        lambda x, y: np.correlate(x, y, "full"),
        lambda x, y: np.array(
            [np.sum(np.r_[np.zeros(39), x, np.zeros(39)][k : k + 40] * y) for k in range(46)]
        ),
        (draw(7), draw(40, seed=1)),
    ),
    "a ramp": (lambda x: np.pad(x / 3, ((1, 2), (0, 3)), mode="linear_ramp"), None, (draw(3, 4),)),
    "a ramp to a value": (
        lambda x: np.pad(x, 3, mode="linear_ramp", end_values=0.3),
        lambda x: np.concatenate(
            [0.3 + (x[0] - 0.3) * np.arange(3) / 3, x, (0.3 + (x[-1] - 0.3) * np.arange(3) / 3)[::-1]]
        ),
        (draw(9),),
    ),
    "quantiles of computed probabilities": (lambda x: np.quantile(x, [0.1, 1.0 / 3.0]), None, (draw(9),)),
    "stack in float64": (lambda x: np.stack([x / 3, x], dtype=np.float64), None, (draw(9),)),
    "einsum in float64": (lambda x: np.einsum("i,i->", x, x, dtype=np.float64), None, (draw(9),)),
    "interp with equal places": (
        lambda x: np.interp(x / 3, np.array([-1.0, 0.0, 0.0, 1.0]), np.array([0.1, 0.2, 0.5, 0.7])),
        None,
        (draw(9),),
    ),
    "interp on equal places": (
        lambda x: np.interp(x, np.array([0.0, 1.0, 1.0, 2.0, 2.0]), np.arange(5.0) / 7),
        None,
        (np.array([0.0, 1.0, 2.0, 0.5, 1.5, 7.0]),),
    ),
    "nanmax": (lambda x: np.nanmax(x, axis=0), None, (np.where(draw(5, 6) > 1, np.nan, draw(5, 6)),)),
    "pad": (lambda x: np.pad(x / 3, ((1, 2), (0, 1)), constant_values=2.5), None, (draw(3, 4),)),
    "pad by a mean": (lambda x: np.pad(x, 2, mode="mean"), None, (draw(3, 4),)),
    "meshgrid": (
        lambda x, y: np.multiply(*np.meshgrid(x, y)),
        lambda x, y: x[None] * y[:, None],
        (draw(4), draw(3, seed=1)),
    ),
    "matrix_power": (
        lambda x: np.linalg.matrix_power(x, 7),
        lambda x: x @ (x @ (x @ (x @ (x @ (x @ x))))),
        (draw(5, 5),),
    ),
    "multi_dot": (
        lambda x, y, z: np.linalg.multi_dot([x, y, z]),
        lambda x, y, z: x @ (y @ z),
        (draw(9, 9), draw(9, 9, seed=1), draw(9, 9, seed=2)),
    ),
    "multi_dot from the left": (
        lambda x, y, z: np.linalg.multi_dot([x, y, z]),
        lambda x, y, z: (x @ y) @ z,
        (draw(9, 9), draw(9, 9, seed=1), draw(9, seed=2)),
    ),
    "cond": (
        np.linalg.cond,
        lambda x: np.linalg.norm(x, 2) * np.linalg.norm(np.linalg.inv(x), 2),
        (draw(5, 5),),
    ),
    "outer of a ufunc": (np.subtract.outer, None, (draw(5), draw(4, seed=1))),
    "running maximum": (lambda x: np.maximum.accumulate(x / 3), None, (draw(30),)),
    "sums of pieces": (lambda x: np.add.reduceat(x, [0, 4, 9]), None, (draw(30),)),
    "vecdot": (
        lambda x, y: np.linalg.vecdot(x, y),
        lambda x, y: (x * y).sum(-1),
        (draw(5, 7), draw(5, 7, seed=1)),
    ),
    "einsum without a result": (
        lambda x, y: np.einsum("ij,jk", x, y),
        lambda x, y: (x[:, :, None] * y[None]).sum(axis=1),
        (draw(4, 9), draw(9, 3, seed=1)),
    ),
    "einsum of all other axes": (
        lambda x, y: np.einsum("...j,j->...", x, y),
        lambda x, y: x @ y,
        (draw(2, 4, 9), draw(9, seed=1)),
    ),
    "einsum, a trace": (lambda x: np.einsum("ii", x), np.trace, (draw(9, 9),)),
    "products": (lambda x: np.multiply.reduce(x, axis=1), None, (draw(5, 7),)),
    "sorted by an order": (lambda x: x[np.argsort(x / 3)], np.sort, (draw(30),)),
}


@pytest.mark.parametrize("bits", [53, 24])
@pytest.mark.parametrize("name", RIGHT)
def test_right_ways_are_within_the_limit(share: Any, name: str, bits: int) -> None:
    function, by, arrays = RIGHT[name]
    assert share(function, *arrays, by=by, bits=bits) <= 0.8


@pytest.mark.parametrize("bits", [53, 24])
def test_random_inputs_stay_within_the_limit(share: Any, bits: int) -> None:
    for seed in range(40):
        scale = 10.0 ** np.random.default_rng(seed).uniform(-3, 3)
        p, x, rows = (
            draw(6, seed=seed),
            scale * draw(8, seed=seed),
            scale * draw(3, 12, seed=seed, offset=seed),
        )
        for by in (horner, by_powers):
            assert share(np.polyval, p, x, by=by, bits=bits) <= 0.8
        assert share(np.cov, rows, by=updated_covariance, bits=bits) <= 0.8
        assert share(np.corrcoef, rows, by=correlation, bits=bits) <= 0.8
        assert share(np.trapezoid, x, by=all_but_half, bits=bits) <= 0.8
        places = np.cumsum(np.abs(draw(8, seed=seed + 1)) + 1e-3)
        assert share(np.gradient, x, places, by=slopes, bits=bits) <= 0.8


WRONG: dict[str, tuple[Function, Function, tuple[np.ndarray, ...]]] = {
    "transposed": (lambda x: np.einsum("ba", x), lambda x: np.einsum("ba->ba", x), (draw(4, 4),)),
    "one-sided": (np.gradient, lambda x: np.r_[np.diff(x), x[-1] - x[-2]], (draw(9),)),
    "places as steps": (np.gradient, lambda f, x: np.gradient(f) / np.gradient(x), (draw(30), PLACES)),
    "a rectangle": (np.trapezoid, lambda x: x[1:].sum(), (draw(9),)),
    "the other way round": (np.cross, lambda x, y: np.cross(y, x), (draw(8, 3), draw(8, 3, seed=1))),
    "without pi": (np.sinc, lambda x: np.sin(x) / x, (draw(9),)),
    "rising powers": (np.polyval, lambda p, x: np.polyval(p[::-1], x), (draw(9), draw(40, seed=1))),
    "narrow": (np.polyval, lambda p, x: np.polyval(p.astype(np.float32), x), (draw(9), draw(40, seed=1))),
    "normal equations, narrow": (
        lambda x, y: np.polyfit(x, y, 2),
        lambda x, y: np.polyfit(x, y, 3)[1:],
        (PLACES, draw(30)),
    ),
    "n for n - 1": (np.cov, lambda x: np.cov(x, ddof=0), (draw(4, 50),)),
    "columns for rows": (np.corrcoef, lambda x: np.corrcoef(x.T), (draw(5, 5),)),
    "not centred": (
        np.corrcoef,
        lambda x: x @ x.T / np.outer(*[np.linalg.norm(x, axis=1)] * 2),
        (draw(5, 9),),
    ),
    "counted": (lambda x: np.bincount(ROWS, weights=x), lambda x: np.bincount(ROWS) * 1.0, (draw(9),)),
    "no density": (
        lambda x: np.histogram(x, 5, density=True)[0],
        lambda x: np.histogram(x, 5)[0] / 50,
        (draw(50),),
    ),
    "another edge": (
        lambda x: np.histogram(x, 5, weights=x)[0],
        lambda x: np.histogram(x, 5, (-3, 3), weights=x)[0],
        (draw(50),),
    ),
    "another freedom": (np.nanstd, lambda x: np.nanstd(x, ddof=1), (np.r_[draw(9), np.nan],)),
    "nan as zero": (np.nanmedian, lambda x: np.median(np.nan_to_num(x)), (np.r_[draw(9), np.nan, np.nan],)),
    "the first of equal places": (
        lambda x: np.interp(x, np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.1, 0.2, 0.5, 0.7])),
        lambda x: np.interp(x - 1e-9, np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.1, 0.2, 0.5, 0.7])),
        (np.array([1.0]),),
    ),
    "all counted": (np.nanmean, lambda x: np.nansum(x) / x.size, (np.r_[draw(9), np.nan],)),
    "reflected for wrapped": (
        lambda x: np.pad(x, 3, mode="wrap"),
        lambda x: np.pad(x, 3, mode="reflect"),
        (draw(9),),
    ),
    "once too often": (lambda x: np.linalg.matrix_power(x, 3), lambda x: x @ x @ x @ x, (draw(5, 5),)),
    "falling": (lambda x: x[np.argsort(x)], lambda x: np.sort(x)[::-1], (draw(9),)),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_beyond_its_limit(share: Any, name: str) -> None:
    right, wrong, arrays = WRONG[name]
    assert share(right, *arrays, by=wrong) > 1e3


def both(function: Function, *arrays: np.ndarray) -> tuple[Any, Any]:
    """In balls and in numbers with errors."""
    with precision(256), np.errstate(all="ignore"):
        return tuple(function(*map(kind.given, arrays)) for kind in (balls(53), arithmetic(53)))  # type: ignore[return-value]


WHOLE: dict[str, tuple[Function, tuple[np.ndarray, ...]]] = {
    "argsort": (lambda x: np.argsort(x / 3), (draw(20),)),
    "argsort of columns": (lambda x: np.argsort(x / 3, axis=0), (draw(7, 3),)),
    "a stable argsort of ties": (lambda x: np.argsort(x, kind="stable"), (np.round(draw(20)),)),
    "searchsorted": (lambda x, v: np.searchsorted(x / 3, v), (np.sort(draw(20)), draw(9, seed=1))),
    "searchsorted of ties": (
        lambda x, v: np.searchsorted(x, v, side="right"),
        (np.sort(np.round(draw(20))), np.arange(3.0)),
    ),
    "digitize": (np.digitize, (draw(20), np.array([-1.0, 0.0, 1.0]))),
    "digitize, falling": (
        lambda x, b: np.digitize(x, b, right=True),
        (np.round(draw(20)), np.array([1.0, 0.0, -1.0])),
    ),
    "unique": (lambda x: np.unique(x, return_counts=True)[1], (np.round(draw(20)),)),
    "places in unique": (lambda x: np.unique(x, return_inverse=True)[1], (np.round(draw(20)),)),
    "first in unique": (lambda x: np.unique(x, return_index=True)[1], (np.round(draw(20)),)),
    "isin": (np.isin, (np.round(draw(20)), np.array([0.0, 2.0]))),
    "setdiff1d": (np.setdiff1d, (np.round(draw(20)), np.array([0.0, 2.0]))),
    "histogram": (lambda x: np.histogram(x / 3, 4)[0], (draw(50),)),
    "histogram of whole numbers": (lambda x: np.histogram(x, 10)[0], (np.arange(11.0),)),
    "histogram of given edges": (lambda x: np.histogram(x, [-2, -1, 0, 2])[0], (np.round(draw(50)),)),
    "histogram of a range": (lambda x: np.histogram(x, 6, (-3, 3))[0], (np.round(draw(50)),)),
    "bincount": (lambda x: np.bincount(np.round(np.abs(x)).astype(int)), (draw(20),)),
}


@pytest.mark.parametrize("name", WHOLE)
def test_decided_places_and_counts_are_those_of_numpy(name: str) -> None:
    function, arrays = WHOLE[name]
    for array in both(function, *arrays):
        value = array if isinstance(array, np.ndarray) else array.nearest()
        np.testing.assert_array_equal(value, function(*arrays))


NEAR = np.array([1.0, 3.0, 2.0, 3.0])

UNDECIDED: dict[str, tuple[Function, list[bool]]] = {
    "equal ones": (np.argsort, [False, False, True, True]),
    "nearly equal ones": (lambda x: np.argsort(x / 3 + x * 2, kind="stable"), [False, False, True, True]),
    "a tie": (lambda x: np.searchsorted(np.array([0.0, 1.0, 4.0]), x / 3), [False, True, False, True]),
    "an edge": (lambda x: np.digitize(x / 3 * 3, np.array([0.0, 2.0, 4.0])), [False, False, True, False]),
    "bins": (lambda x: np.histogram(x / 3 * 3, [0.0, 2.0, 4.0, 9.0])[0], [True, True, False]),
}


@pytest.mark.parametrize("name", UNDECIDED)
def test_what_rounding_can_turn_is_undecided(name: str) -> None:
    function, expected = UNDECIDED[name]
    assert both(function, NEAR)[1].doubtful().tolist() == expected


def test_sets_that_depend_on_a_tie_are_undecided() -> None:
    kind = arithmetic(53)
    with pytest.raises(Undecided):
        np.unique(kind.given(NEAR) / 3)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.pad(x, 2, mode="empty"),
        lambda x: np.cov(x, aweights=x),
        lambda x: np.cov(x[:1]),
        lambda x: np.nanmean(np.log(x - 2.0) * 3.0),
        lambda x: np.nanstd(np.log((x - 2.0) / 3.0) * 3.0),
        lambda x: np.nanmedian((x / 3.0 - x / 3.0) * np.inf + x),
        lambda x: np.quantile(x, [x.mean() / 5.0]),
        lambda x: np.unique(x, axis=0),
        lambda x: np.searchsorted(x[::-1], x),
        lambda x: np.histogram(x, "auto"),
        lambda x: np.divide.accumulate(x),
        lambda x: np.divide.reduce(x),
    ],
)
def test_what_has_no_analysis_is_refused(function: Function) -> None:
    with pytest.raises(Unknown), np.errstate(all="ignore"):
        function(arithmetic(53).given(np.arange(1.0, 5.0)))


def test_whole_numbers_beside_elements_are_elements() -> None:
    x = arithmetic(53).given(np.array([10.0, 20.0]))
    for array, expected in (
        (np.concatenate([x, np.array([1, 0])]), [10, 20, 1, 0]),
        (np.append(x, 1), [10, 20, 1]),
        (np.insert(x, 1, 0), [10, 0, 20]),
        (np.hstack([x, [1, 0]]), [10, 20, 1, 0]),
        (np.column_stack([np.array([1, 0]), x]), [[1, 10], [0, 20]]),
    ):
        assert array.value.tolist() == expected


def test_an_addition_at_repeated_places_adds_all() -> None:
    for kind in (arithmetic(53), balls(53)):
        x = kind.given(np.array([1.0, 2.0, 3.0])).copy()
        np.add.at(x, np.array([0, 2, 2]), kind.given(np.array([0.5, 1.0, 4.0])))
        assert x.nearest().tolist() == [1.5, 2.0, 8.0]
        with pytest.raises(NotUnderstood):
            np.multiply.at(x, np.array([0]), 2.0)


SOURCE = """
import numpy as np

def order(x): return np.argsort(x / 3 * 3)
def places(x): return np.searchsorted(np.array([0.0, 2.0, 4.0]), x / 3 * 3)
def counts(x): return np.histogram(x / 3 * 3, [0.0, 2.0, 4.0, 9.0])[0]
def sums(x): return np.histogram(x / 3 * 3, [0.0, 2.0, 4.0, 9.0], weights=x)[0]
"""

BOUNDS = {
    "order": [(0, 0), (2, 2), (0, 3), (0, 3)],
    "places": [(1, 1), (2, 2), (1, 2), (2, 2)],
    "counts": [(1, 2), (2, 3), (0, 0)],
    "sums": [(-np.inf, np.inf), (-np.inf, np.inf), (0, 0)],
}


@pytest.mark.parametrize("name", BOUNDS)
def test_an_undecided_place_is_one_that_some_order_gives(tmp_path: Path, name: str) -> None:
    path = tmp_path / "case.py"
    path.write_text(SOURCE, encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": name, "inputs": ["x"], "outputs": [name]}
    params = {"names": ["x"], "stages": [stage], "wanted": [name], "feed": True, "bits": 53, "balls": False}
    _, (high, _, radius, _, limit) = host.truth(loaded, params, [NEAR])
    assert np.isnan(limit).tolist() == [least < most for least, most in BOUNDS[name]]
    for middle, reach, (least, most) in zip(high, radius, BOUNDS[name], strict=True):
        assert middle - reach == pytest.approx(least, abs=1e-6)
        assert middle + reach == pytest.approx(most, abs=1e-6)
