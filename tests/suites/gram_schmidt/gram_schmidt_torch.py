"""Least squares by the modified Gram-Schmidt process."""

import torch


def orthogonal(X):
    p = X.shape[1]
    V = X.clone()
    Q = torch.zeros_like(X)
    R = torch.zeros(p, p, dtype=X.dtype)
    for j in range(p):
        R[j, j] = torch.linalg.norm(V[:, j])
        Q[:, j] = V[:, j] / R[j, j]
        R[j, j + 1 :] = Q[:, j] @ V[:, j + 1 :]
        V[:, j + 1 :] -= torch.outer(Q[:, j], R[j, j + 1 :])
    return Q, R


def projections(Q, y):
    rest = y.clone()
    found = torch.zeros(Q.shape[1], dtype=y.dtype)
    for j in range(len(found)):
        found[j] = torch.dot(Q[:, j], rest)
        rest -= found[j] * Q[:, j]
    return found


def coefficients(R, projections):
    return torch.linalg.solve_triangular(R, projections.unsqueeze(1), upper=True).squeeze(1)
