"""The Lorenz system by the classical Runge-Kutta method."""

import torch


def slope(state, sigma, rho, beta):
    x, y, z = state
    return torch.stack([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def one_step(state, step, sigma, rho, beta):
    k1 = slope(state, sigma, rho, beta)
    k2 = slope(state + 0.5 * step * k1, sigma, rho, beta)
    k3 = slope(state + 0.5 * step * k2, sigma, rho, beta)
    k4 = slope(state + step * k3, sigma, rho, beta)
    return state + step * (k1 + 2 * k2 + 2 * k3 + k4) / 6


def trajectory(state, step, sigma, rho, beta, count):
    states = [state]
    for _ in range(count):
        states.append(one_step(states[-1], step, sigma, rho, beta))
    return torch.stack(states)
