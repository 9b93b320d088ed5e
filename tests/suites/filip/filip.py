"""A polynomial of degree 10."""

import numpy as np


def powers(x):
    columns = np.ones((len(x), 11))
    for k in range(1, 11):
        columns[:, k] = columns[:, k - 1] * x
    return columns


def design(x):
    return powers(x)


def triangle(design):
    R = np.linalg.qr(design, mode="r")
    return R * np.sign(np.diag(R))[:, np.newaxis]


def scaled(x):
    middle = (x.max() + x.min()) / 2
    return (x - middle) / (x.max() - middle)


def fitted(scaled, y):
    Q, _ = np.linalg.qr(powers(scaled))
    return Q @ (Q.T @ y)
