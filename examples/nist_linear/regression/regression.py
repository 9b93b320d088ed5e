"""Linear least squares by a QR decomposition."""

import numpy as np


def design(x, degree, intercept):
    columns = [np.ones(len(x))] if intercept == 1 else []
    for k in range(x.shape[1]):
        for power in range(1, degree + 1):
            columns.append(x[:, k] ** power)
    return np.stack(columns, axis=1)


def coefficients(design, y):
    q, r = np.linalg.qr(design)
    return np.linalg.solve(r, q.T @ y)


def r_squared(design, y, coefficients, intercept):
    residuals = y - design @ coefficients
    centred = y - y.mean() if intercept == 1 else y
    return 1 - residuals @ residuals / (centred @ centred)
