"""A linear system by Cholesky's decomposition."""

import torch


def system(X, ridge):
    return X.T @ X + ridge * torch.eye(X.shape[1], dtype=X.dtype)


def factor(system):
    return torch.linalg.cholesky(system)


def forward(factor, X, y):
    right = (X.T @ y).unsqueeze(1)
    return torch.linalg.solve_triangular(factor, right, upper=False).squeeze(1)


def solution(factor, forward):
    return torch.linalg.solve_triangular(factor.T, forward.unsqueeze(1), upper=True).squeeze(1)


def log_determinant(factor):
    return torch.log(torch.diag(factor)).sum() * 2
