"""Functions as a user has them in a module: with helpers, constants, defaults and classes."""

from __future__ import annotations

import functools
from math import log1p
from typing import NamedTuple

import numpy as np

SCALE = 0.5
WEIGHTS = np.array([0.1, 0.2, 0.30000000000000004])
BOUNDS = {"low": (-1.0, float("-inf")), "high": [1.0, float("inf")]}
OPEN = object()
MANY = np.zeros(10_001)


class Pair(NamedTuple):
    left: float
    right: float


def shifted(x):
    return x - x.max()


def softmax(x):
    e = np.exp(shifted(x) * SCALE)
    return e / e.sum()


def weighted(x, factor=SCALE):
    low = Pair(BOUNDS["low"][0], BOUNDS["high"][1])
    return (x * WEIGHTS).sum() * factor + log1p(1.0) + low.left


def logged(function):
    @functools.wraps(function)
    def inner(x):
        return function(x)

    return inner


@logged
def doubled(x):
    return x + x


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def with_object(x):
    return x, OPEN


def with_large(x):
    return x + MANY


def count(x):
    yield x


def scaled_by(factor):
    def scaled(x):
        return x * factor

    return scaled


def moments(x):
    return x.mean(), ((x - x.mean()) ** 2).mean()
