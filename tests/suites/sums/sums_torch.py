"""One sum in eight shapes."""

import torch


def total(x):
    return x.sum(dim=1).sum()


def axis_by_axis(x):
    return x.sum(dim=0).sum()


def strided(x):
    flat = x.reshape(-1)
    return flat[0::4].sum() + flat[1::4].sum() + flat[2::4].sum() + flat[3::4].sum()


def accumulators(x):
    return x.reshape(-1, 8).sum(dim=0).sum()


def running(x):
    return torch.cumsum(x.reshape(-1), dim=0)


def alternating(x):
    flat = x.reshape(-1)
    return flat[0::2].sum() - flat[1::2].sum()


def ordered(x):
    return torch.sort(x.reshape(-1)).values.sum()


def inner(x, y):
    return (x * y).sum()
