"""Least squares by normal equations."""

import torch


def gram(X):
    return X.T @ X


def moments(X, y):
    return X.T @ y


def coefficients(gram, moments):
    return torch.linalg.solve(gram, moments)


def residuals(X, y, coefficients):
    return y - X @ coefficients


def variance(X, residuals):
    return residuals @ residuals / (X.shape[0] - X.shape[1])
