"""One sum in eight shapes."""

import numpy as np


def total(x):
    return x.sum()


def axis_by_axis(x):
    return x.sum(axis=0).sum()


def strided(x):
    flat = x.ravel()
    parts = np.zeros(4, dtype=x.dtype)
    for start in range(4):
        parts[start] = flat[start::4].sum()
    return parts.sum()


def accumulators(x):
    flat = x.ravel()
    parts = np.zeros(8, dtype=x.dtype)
    for start in range(0, flat.size, 8):
        parts += flat[start : start + 8]
    return parts.sum()


def running(x):
    return np.cumsum(x.ravel())


def alternating(x):
    signed = x.ravel().copy()
    signed[1::2] = -signed[1::2]
    return np.sum(signed)


def ordered(x):
    return np.sort(x.ravel()).sum()


def inner(x, y):
    return np.dot(x.ravel(), y.ravel())
