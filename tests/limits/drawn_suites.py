"""Random well-posed inputs of the suites outside of attention, tests/suites: sizes, then arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from harness.model import Array

Sizes = Mapping[str | int, int]
Arrays = dict[str, Array]
Rng = np.random.Generator

LARGEST_CONDITION = 1e4
"""Of the matrices of least squares, with columns of length 1: normal equations square it."""


class Drawn(NamedTuple):
    """How a case's inputs are drawn."""

    sizes: Callable[[Rng], dict[str | int, int]]
    arrays: Callable[[Sizes, Rng], Arrays]


def _sizes(**ranges: tuple[int, int]) -> Callable[[Rng], dict[str | int, int]]:
    return lambda rng: {name: int(rng.integers(*ends, endpoint=True)) for name, ends in ranges.items()}


def _powers(rng: Rng, low: float, high: float, shape: object) -> Array:
    """Numbers whose logarithm is uniform."""
    array: Array = np.exp2(rng.uniform(low, high, size=shape))  # type: ignore[arg-type]
    return array


def _signs(rng: Rng, shape: object) -> Array:
    array: Array = rng.choice([-1.0, 1.0], size=shape)  # type: ignore[arg-type]
    return array


def _functions(sizes: Sizes, rng: Rng) -> Arrays:
    near_one = 1.0 + _signs(rng, sizes["k"]) * _powers(rng, -30, -1, sizes["k"])
    r = rng.uniform(-1, 1, sizes["l"])
    # float32 still tells it from 1.
    near_ends = _signs(rng, sizes["l"]) * (1.0 - _powers(rng, -20, -1, sizes["l"]))
    return {
        "x": _signs(rng, sizes["n"]) * _powers(rng, -30, np.log2(80.0), sizes["n"]),
        "angle": _signs(rng, sizes["m"]) * _powers(rng, -30, 17, sizes["m"]),
        "p": np.where(rng.random(sizes["k"]) < 0.5, near_one, _powers(rng, -90, 90, sizes["k"])),
        "r": np.where(rng.random(sizes["l"]) < 0.5, r, near_ends),
        "base": _powers(rng, -7, 7, sizes["j"]),
        "exponent": _signs(rng, sizes["j"]) * _powers(rng, -6, 3.5, sizes["j"]),
        "ordinate": _signs(rng, sizes["j"]) * _powers(rng, -20, 20, sizes["j"]),
    }


def _branches(sizes: Sizes, rng: Rng) -> Arrays:
    x = rng.integers(-8, 9, sizes["n"]) / 2
    odd = rng.random(sizes["n"]) < 0.3
    x[odd] = rng.normal(size=odd.sum()) * 3
    centre = rng.integers(-5, 6) / 10
    away = rng.integers(0, 9, sizes["m"]) / 10
    return {
        "x": x,
        "threshold": np.abs(rng.choice(x)) + 0.5 * rng.integers(2),
        "edges": np.sort(np.append(rng.choice(x, sizes["k"]), rng.normal(size=1))),
        "sizes": np.concatenate([centre - away, centre + away, [centre]]),
        "positive": _powers(rng, -10, 10, sizes["j"]),
    }


def _sums(sizes: Sizes, rng: Rng) -> Arrays:
    shape = (sizes["n"], 8)
    scale, shift = _powers(rng, -6, 6, 2), rng.choice([0.0, 0.0, 1000.0])
    x = rng.normal(size=shape) * scale[0] + shift
    if rng.integers(4) == 0:
        x *= _powers(rng, -20, 20, shape)
    return {"x": x, "y": rng.normal(size=shape) * scale[1] - shift}


def _least_squares(sizes: Sizes, rng: Rng) -> Arrays:
    n, p = sizes["n"] + sizes["p"], sizes["p"]
    while True:
        X = rng.normal(size=(n, p)) + rng.integers(3)
        X[:, 0] = 1.0
        X *= _powers(rng, -4, 4, p)
        if np.linalg.cond(X / np.linalg.norm(X, axis=0)) <= LARGEST_CONDITION:
            return {"X": X, "y": rng.normal(size=n) * _powers(rng, -4, 4, ())}


def _filip(sizes: Sizes, rng: Rng) -> Arrays:
    n = sizes["n"]
    # Even, and moved by less than half a step: no two are nearly the same.
    x = -9.0 + 6.0 * (np.arange(n) + rng.uniform(0.1, 0.9, n)) / n
    return {"x": rng.permutation(x), "y": rng.uniform(0.7, 1.0, n)}


def _rk4_sizes(rng: Rng) -> dict[str | int, int]:
    # The oracle takes 7 ms for a step: few trajectories are long.
    return {"count": 100 if rng.integers(50) == 0 else int(rng.integers(1, 12, endpoint=True))}


def _rk4(sizes: Sizes, rng: Rng) -> Arrays:
    parameters = np.array([10.0, 28.0, 8.0 / 3.0]) * rng.uniform(0.9, 1.1, 3)
    return {
        "state": rng.normal(size=3) * 10,
        "step": rng.uniform(0.001, 0.01, ()),
        **dict(zip(("sigma", "rho", "beta"), parameters, strict=True)),
        "count": np.array(sizes["count"]),
    }


def _low_pass(sizes: Sizes, rng: Rng) -> Arrays:
    n = 2 ** sizes["log_n"]
    signal = rng.normal(size=n) * _powers(rng, -6, 6, ())
    return {"signal": signal + rng.integers(3) * np.cos(2 * np.pi * np.arange(n) * rng.integers(n) / n)}


def _cholesky(sizes: Sizes, rng: Rng) -> Arrays:
    n, p = sizes["n"], sizes["p"]
    return {"X": rng.normal(size=(n, p)), "y": rng.normal(size=n), "ridge": rng.uniform(0.1, 1.0, ())}


def _constants(sizes: Sizes, rng: Rng) -> Arrays:
    return {"x": rng.normal(size=(sizes["n"], 2 * sizes["half"])) * _powers(rng, -6, 6, ())}


def _kmeans(sizes: Sizes, rng: Rng) -> Arrays:
    n, k = sizes["n"] + sizes["k"], sizes["k"]
    points = rng.normal(size=(n, sizes["d"])) * 3
    if rng.integers(2):
        # On a grid: exact ties.
        points = np.round(points)
    return {"points": points, "start": points[rng.permutation(n)[:k]] + 0.0}


def _gelu(sizes: Sizes, rng: Rng) -> Arrays:
    shape = (sizes["n"], sizes["d"])
    x = rng.normal(size=shape) * _powers(rng, -10, 2, ())
    x[rng.random(shape) < 0.1] = 0.0
    return {"x": x}


def _layer_norm(sizes: Sizes, rng: Rng) -> Arrays:
    n, d = sizes["n"], sizes["d"]
    x = rng.normal(size=(n, d)) * _powers(rng, -6, 6, ()) + rng.integers(3)
    if rng.integers(8) == 0:
        x[0] = x[0, 0]
    return {"x": x, "gain": rng.normal(size=d), "bias": rng.normal(size=d)}


_LEAST_SQUARES = Drawn(_sizes(n=(1, 12), p=(2, 5)), _least_squares)

SUITES: Mapping[str, Drawn] = {
    "branches": Drawn(_sizes(n=(2, 12), k=(1, 4), m=(1, 4), j=(1, 4)), _branches),
    "cholesky": Drawn(_sizes(n=(1, 12), p=(1, 6)), _cholesky),
    "constants": Drawn(_sizes(n=(1, 12), half=(2, 8)), _constants),
    "filip": Drawn(_sizes(n=(15, 30)), _filip),
    "functions": Drawn(_sizes(n=(1, 20), m=(1, 20), k=(1, 20), l=(1, 20), j=(1, 20)), _functions),
    "gelu": Drawn(_sizes(n=(1, 4), d=(1, 8)), _gelu),
    "gram_schmidt": _LEAST_SQUARES,
    "kmeans": Drawn(_sizes(n=(1, 12), d=(1, 3), k=(2, 4)), _kmeans),
    "layer_norm": Drawn(_sizes(n=(1, 4), d=(2, 16)), _layer_norm),
    "low_pass": Drawn(_sizes(log_n=(4, 6)), _low_pass),
    "normal_equations": _LEAST_SQUARES,
    "qr": _LEAST_SQUARES,
    "rk4": Drawn(_rk4_sizes, _rk4),
    "sums": Drawn(_sizes(n=(1, 40)), _sums),
}
"""By case of tests/suites."""
