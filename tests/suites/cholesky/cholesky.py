"""A linear system by Cholesky's decomposition."""

import numpy as np


def system(X, ridge):
    return X.T @ X + ridge * np.eye(X.shape[1], dtype=X.dtype)


def factor(system):
    return np.linalg.cholesky(system)


def forward(factor, X, y):
    right = X.T @ y
    z = np.zeros_like(right)
    for i in range(len(z)):
        z[i] = (right[i] - factor[i, :i] @ z[:i]) / factor[i, i]
    return z


def solution(factor, forward):
    p = len(forward)
    b = np.zeros_like(forward)
    for i in reversed(range(p)):
        b[i] = (forward[i] - factor[i + 1 :, i] @ b[i + 1 :]) / factor[i, i]
    return b


def log_determinant(factor):
    return 2 * np.log(np.diag(factor)).sum()
