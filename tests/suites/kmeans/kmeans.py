"""Lloyd's algorithm: labels and centroids."""

import numpy as np


def distances(points, start):
    return ((points[:, np.newaxis, :] - start[np.newaxis, :, :]) ** 2).sum(axis=2)


def labels(distances):
    return np.argmin(distances, axis=1)


def centroids(points, labels, start):
    result = start.copy()
    for k in range(len(start)):
        if np.any(labels == k):
            result[k] = points[labels == k].mean(axis=0)
    return result


def inertia(points, centroids, labels):
    return ((points - centroids[labels]) ** 2).sum()


def settled(points, start):
    found = start
    before = None
    while True:
        now = labels(distances(points, found))
        if before is not None and np.array_equal(now, before):
            return found
        found = centroids(points, now, found)
        before = now
