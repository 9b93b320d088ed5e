"""Summary statistics, in two passes."""

import numpy as np


def mean(y):
    return np.mean(y)


def sd(y):
    return np.std(y, ddof=1)


def lag1(y):
    d = y - y.mean()
    return (d[:-1] * d[1:]).sum() / (d * d).sum()
