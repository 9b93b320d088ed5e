"""Least squares by a QR decomposition."""

import torch


def triangle(X):
    R = torch.linalg.qr(X, mode="r").R
    return torch.sign(torch.diag(R)).unsqueeze(1) * R


def coefficients(X, y):
    Q, R = torch.linalg.qr(X)
    right = (Q.T @ y).unsqueeze(1)
    return torch.linalg.solve_triangular(R, right, upper=True).squeeze(1)


def residuals(X, y, coefficients):
    return y - X @ coefficients
