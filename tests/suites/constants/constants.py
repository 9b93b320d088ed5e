"""Constants that every language computes in its own way."""

import numpy as np


def transformed(x):
    d = x.shape[1]
    basis = np.cos(np.outer(np.arange(d), np.arange(1, 2 * d, 2)) * np.pi / (2 * d))
    return x @ basis.astype(x.dtype).T


def encoded(x):
    n, d = x.shape
    angle = np.arange(n)[:, None] / 10000 ** (2 * np.arange(d // 2) / d)
    encoding = np.zeros((n, d))
    encoding[:, 0::2] = np.sin(angle)
    encoding[:, 1::2] = np.cos(angle)
    return x + encoding.astype(x.dtype)


def later(x):
    time = 0.0
    while time < 20.0:
        time += 0.1
    return x * time


def windowed(x):
    d = x.shape[1]
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(d) / (d - 1))
    return x * window.astype(x.dtype)


def rows(x):
    d = x.shape[1]
    place = np.arange(d)
    factors = np.exp(-2j * np.pi * np.outer(place, place) / d)
    return (x @ factors).astype(np.result_type(x.dtype, np.complex64))
