"""Least squares by normal equations."""

import numpy as np


def gram(X):
    return X.T @ X


def moments(X, y):
    return X.T @ y


def coefficients(gram, moments):
    return np.linalg.solve(gram, moments)


def residuals(X, y, coefficients):
    return y - X @ coefficients


def variance(X, residuals):
    n, p = X.shape
    return np.sum(residuals**2) / (n - p)
