"""Lloyd's algorithm: labels and centroids."""

import torch


def distances(points, start):
    return (points.unsqueeze(1) - start.unsqueeze(0)).square().sum(dim=2)


def labels(distances):
    return torch.argmin(distances, dim=1)


def centroids(points, labels, start):
    result = start.clone()
    for k in range(len(start)):
        own = points[labels == k]
        if len(own):
            result[k] = own.sum(dim=0) / len(own)
    return result


def inertia(points, centroids, labels):
    return (points - centroids[labels]).square().sum()


def settled(points, start):
    found, before = start, torch.tensor([])
    now = labels(distances(points, found))
    while not torch.equal(now, before):
        found = centroids(points, now, found)
        before, now = now, labels(distances(points, found))
    return found
