"""The Gaussian error linear unit in two forms."""

import math

import numpy as np


def by_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def by_erf(x):
    result = np.zeros_like(x)
    n, d = x.shape
    for i in range(n):
        for j in range(d):
            result[i, j] = x[i, j] * (1 + math.erf(x[i, j] / math.sqrt(2))) / 2
    return result
