"""Principal components by the eigenvectors of the correlations."""

import numpy as np


def standardized(X):
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)


def correlation(standardized):
    return standardized.T @ standardized / (len(standardized) - 1)


def variances(correlation):
    return np.linalg.eigvalsh(correlation)[::-1]


def loadings(correlation):
    return np.linalg.eigh(correlation)[1][:, ::-1]


def scores(standardized, loadings):
    return standardized @ loadings
