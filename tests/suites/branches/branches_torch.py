"""Thresholds, rounding, order and loops that end by a condition."""

import torch


def above(x, threshold):
    return torch.where(x > threshold, x, torch.zeros_like(x))


def signs(x):
    return torch.sign(x)


def floors(x):
    return torch.floor(x)


def nearest(x):
    return torch.round(x)


def remainder(x):
    return torch.remainder(x, 3)


def largest(x):
    return torch.argmax(x).reshape(1)


def ordered(x):
    return torch.sort(x).values


def bins(x, edges):
    return torch.searchsorted(edges, x)


def huber(x, threshold):
    size = x.abs()
    return torch.where(size <= threshold, x * x / 2, threshold * (size - threshold / 2))


def limited(x, threshold):
    return torch.maximum(torch.minimum(x, threshold), -threshold)


def centre(sizes):
    return sizes.sum() / len(sizes)


def sides(sizes, centre):
    return (sizes > centre).to(sizes.dtype)


def roots(positive):
    result = torch.empty_like(positive)
    for i, number in enumerate(positive):
        root = torch.maximum(number, torch.ones_like(number))
        step = root
        while abs(step) > 0.3 * root:
            step = (root - number / root) / 2
            root = root - step
        result[i] = root - (root - number / root) / 2
    return result
