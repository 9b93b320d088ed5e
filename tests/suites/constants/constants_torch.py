"""Constants that every language computes in its own way."""

import math

import torch


def transformed(x):
    d = x.shape[1]
    k = torch.arange(d, dtype=x.dtype)
    return x @ torch.cos(math.pi / d * (k[None] + 0.5) * k[:, None]).T


def encoded(x):
    n, d = x.shape
    position = torch.arange(n, dtype=x.dtype)[:, None]
    rate = torch.exp(torch.arange(0, d, 2, dtype=x.dtype) * (-math.log(10000.0) / d))
    encoding = torch.zeros(n, d, dtype=x.dtype)
    encoding[:, 0::2] = torch.sin(position * rate)
    encoding[:, 1::2] = torch.cos(position * rate)
    return x + encoding


def later(x):
    return x * (200 * 0.1)


def windowed(x):
    return x * torch.hann_window(x.shape[1], periodic=False, dtype=x.dtype)


def rows(x):
    return torch.fft.fft(x)
