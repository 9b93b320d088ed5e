"""Principal components by PyTorch's eigenvectors."""

import torch


def standardized(X):
    return (X - X.mean(dim=0)) / X.std(dim=0)


def correlation(standardized):
    return torch.corrcoef(standardized.T)


def variances(correlation):
    return torch.linalg.eigvalsh(correlation).flip(0)


def loadings(correlation):
    return torch.linalg.eigh(correlation).eigenvectors.flip(1)


def scores(standardized, loadings):
    return standardized @ loadings
