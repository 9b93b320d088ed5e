"""Lloyd's algorithm with three groups, from the first, the middle and the last flower."""

import numpy as np


def groups(points):
    centres = points[[0, len(points) // 2, len(points) - 1]]
    before = np.full(len(points), -1)
    while True:
        distances = ((points[:, np.newaxis, :] - centres[np.newaxis, :, :]) ** 2).sum(axis=2)
        now = np.argmin(distances, axis=1)
        if np.array_equal(now, before):
            return now
        centres = np.stack([points[now == k].mean(axis=0) for k in range(3)])
        before = now


def centres(points, groups):
    return np.stack([points[groups == k].mean(axis=0) for k in np.unique(groups)])


def within(points, groups):
    total = 0.0
    for k in np.unique(groups):
        own = points[groups == k]
        total = total + ((own - own.mean(axis=0)) ** 2).sum()
    return total
