"""Lorenz's system by the classical Runge-Kutta method."""

import numpy as np

STEP = 0.01


def slope(start):
    x, y, z = start
    return np.array([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])


def step(start):
    k1 = slope(start)
    k2 = slope(start + STEP / 2 * k1)
    k3 = slope(start + STEP / 2 * k2)
    k4 = slope(start + STEP * k3)
    return start + STEP / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def orbit(start):
    result = np.empty((2001, 3))
    result[0] = start
    for i in range(2000):
        result[i + 1] = step(result[i])
    return result
