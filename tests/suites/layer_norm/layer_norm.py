"""Layer normalisation."""

import numpy as np


def mean(x):
    return np.mean(x, axis=1)


def variance(x):
    return np.var(x, axis=1)


def normed(x, mean, variance):
    return (x - mean[:, None]) / np.sqrt(variance[:, None] + 1e-5)


def output(normed, gain, bias):
    return normed * gain + bias


def in_one(x, gain, bias):
    result = np.empty_like(x)
    for i, row in enumerate(x):
        centred = row - row.sum() / len(row)
        result[i] = centred / np.sqrt((centred * centred).sum() / len(row) + 1e-5)
        result[i] *= gain
        result[i] += bias
    return result
