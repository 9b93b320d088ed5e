"""Least squares by the modified Gram-Schmidt process."""

import numpy as np


def orthogonal(X):
    n, p = X.shape
    V = X.copy()
    Q = np.zeros((n, p))
    R = np.zeros((p, p))
    for j in range(p):
        R[j, j] = np.sqrt(np.sum(V[:, j] ** 2))
        Q[:, j] = V[:, j] / R[j, j]
        for k in range(j + 1, p):
            R[j, k] = Q[:, j] @ V[:, k]
            V[:, k] -= R[j, k] * Q[:, j]
    return Q, R


def projections(Q, y):
    rest = y.copy()
    found = np.zeros(Q.shape[1])
    for j in range(len(found)):
        found[j] = Q[:, j] @ rest
        rest = rest - found[j] * Q[:, j]
    return found


def coefficients(R, projections):
    p = len(projections)
    result = np.zeros(p)
    for j in range(p - 1, -1, -1):
        result[j] = (projections[j] - R[j, j + 1 :] @ result[j + 1 :]) / R[j, j]
    return result
