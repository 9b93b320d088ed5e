"""The Lorenz system by the classical Runge-Kutta method."""

import numpy as np


def slope(state, sigma, rho, beta):
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def one_step(state, step, sigma, rho, beta):
    k1 = slope(state, sigma, rho, beta)
    k2 = slope(state + step / 2 * k1, sigma, rho, beta)
    k3 = slope(state + step / 2 * k2, sigma, rho, beta)
    k4 = slope(state + step * k3, sigma, rho, beta)
    return state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def trajectory(state, step, sigma, rho, beta, count):
    states = np.zeros((count + 1, 3))
    states[0] = state
    for i in range(count):
        states[i + 1] = one_step(states[i], step, sigma, rho, beta)
    return states
