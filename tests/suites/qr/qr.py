"""Least squares by a QR decomposition."""

import numpy as np


def triangle(X):
    R = np.linalg.qr(X, mode="r")
    return R * np.sign(np.diag(R))[:, np.newaxis]


def coefficients(X, y):
    Q, R = np.linalg.qr(X)
    return np.linalg.solve(R, Q.T @ y)


def residuals(X, y, coefficients):
    return y - X @ coefficients
