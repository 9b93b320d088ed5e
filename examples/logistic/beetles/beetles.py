"""Logistic regression, by iteratively reweighted least squares."""

import numpy as np


def coefficients(dose, n, killed):
    X = np.stack([np.ones_like(dose), dose], axis=1)
    beta = np.zeros(2)
    for _ in range(25):
        p = 1 / (1 + np.exp(-X @ beta))
        weights = n * p * (1 - p)
        beta = beta + np.linalg.solve(X.T @ (weights[:, np.newaxis] * X), X.T @ (killed - n * p))
    return beta


def probabilities(dose, coefficients):
    return 1 / (1 + np.exp(-(coefficients[0] + coefficients[1] * dose)))


def deviance(n, killed, probabilities):
    alive = n - killed
    total = 0.0
    for i in range(len(n)):
        if killed[i] > 0:
            total = total + killed[i] * np.log(killed[i] / (n[i] * probabilities[i]))
        if alive[i] > 0:
            total = total + alive[i] * np.log(alive[i] / (n[i] * (1 - probabilities[i])))
    return 2 * total
