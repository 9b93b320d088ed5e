"""A polynomial of degree 10."""

import torch


def design(x):
    return torch.cumprod(torch.stack([torch.ones_like(x)] + [x] * 10, dim=1), dim=1)


def triangle(design):
    R = torch.linalg.qr(design, mode="r").R
    return torch.sign(torch.diag(R)).unsqueeze(1) * R


def scaled(x):
    middle = (x.max() + x.min()) / 2
    return (x - middle) / (x.max() - middle)


def fitted(scaled, y):
    Q, _ = torch.linalg.qr(design(scaled))
    return Q @ (Q.T @ y)
