"""A ratio of two polynomials, fitted by Gauss and Newton's steps, each halved until it helps."""

import numpy as np


def parts(x, b, top):
    over = np.polyval(b[: top + 1][::-1], x)
    return over, 1 + x * np.polyval(b[top + 1 :][::-1], x)


def jacobian(x, b, top):
    over, under = parts(x, b, top)
    first = [x**power / under for power in range(top + 1)]
    second = [-over * x**power / under**2 for power in range(1, len(b) - top)]
    return np.stack(first + second, axis=1)


def scaled(x, b, top):
    slopes = jacobian(x, b, top)
    size = np.sqrt((slopes**2).sum(axis=0))
    q, r = np.linalg.qr(slopes / size)
    return q, r, size


def step(x, y, b, top):
    q, r, size = scaled(x, b, top)
    return np.linalg.solve(r, q.T @ residuals(x, y, b, top)) / size


def residuals(x, y, fit, top):
    over, under = parts(x, fit, top)
    return y - over / under


def fit(x, y, start, top):
    b = start
    for _ in range(100):
        full = step(x, y, b, top)
        before = residual_sum(residuals(x, y, b, top))
        share = 1.0
        while share > 1e-10 and residual_sum(residuals(x, y, b + share * full, top)) >= before:
            share = share / 2
        if share <= 1e-10:
            break
        b = b + share * full
    # At the least sum its changes are rounding: the last digits are those of whole steps.
    for _ in range(30):
        b = b + step(x, y, b, top)
    return b


def residual_sum(residuals):
    return residuals @ residuals


def deviations(x, fit, residual_sum, top):
    _, r, size = scaled(x, fit, top)
    inverse = np.linalg.inv(r)
    variance = residual_sum / (len(x) - len(fit))
    return np.sqrt(variance * (inverse**2).sum(axis=1)) / size
