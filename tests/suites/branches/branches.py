"""Thresholds, rounding, order and loops that end by a condition."""

import numpy as np


def above(x, threshold):
    return np.where(x > threshold, x, 0.0)


def signs(x):
    return np.sign(x)


def floors(x):
    return np.floor(x)


def nearest(x):
    return np.round(x)


def remainder(x):
    return np.mod(x, 3)


def largest(x):
    return np.array([np.argmax(x)])


def ordered(x):
    return np.sort(x)


def bins(x, edges):
    return np.searchsorted(edges, x)


def huber(x, threshold):
    loss = np.zeros_like(x)
    for i in range(len(x)):
        if abs(x[i]) <= threshold:
            loss[i] = x[i] ** 2 / 2
        else:
            loss[i] = threshold * (abs(x[i]) - threshold / 2)
    return loss


def limited(x, threshold):
    return np.clip(x, -threshold, threshold)


def centre(sizes):
    return sizes.mean()


def sides(sizes, centre):
    result = np.zeros_like(sizes)
    result[sizes > centre] = 1
    return result


def roots(positive):
    result = np.empty_like(positive)
    for i, number in enumerate(positive):
        root = max(number, 1.0)
        step = root
        while abs(step) > 0.3 * root:
            step = (root - number / root) / 2
            root = root - step
        result[i] = root - (root - number / root) / 2
    return result
