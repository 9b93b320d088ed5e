"""Hares and lynxes by Runge and Kutta."""

import numpy as np

alpha, beta, delta, gamma = 1.1, 0.4, 0.1, 0.4
h = 0.05
steps = 600


def f(state):
    prey, pred = state
    return np.array([alpha * prey - beta * prey * pred, delta * prey * pred - gamma * pred])


def step(state):
    k1 = f(state)
    k2 = f(state + h / 2 * k1)
    k3 = f(state + h / 2 * k2)
    k4 = f(state + h * k3)
    return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


path = np.zeros((steps + 1, 2))
path[0] = [10.0, 5.0]
for i in range(steps):
    path[i + 1] = step(path[i])

time = h * np.arange(steps + 1)
prey = path[:, 0]
pred = path[:, 1]

inner = prey[1:-1]
is_peak = (inner > prey[:-2]) & (inner >= prey[2:])
peak_at = np.where(is_peak)[0] + 1
peak_time = time[peak_at]
period = np.diff(peak_time).mean()

invariant = delta * prey - gamma * np.log(prey) + beta * pred - alpha * np.log(pred)
drift = np.max(np.abs(invariant - invariant[0]))

first, last = peak_at[0], peak_at[-1]
cycle = slice(first, last)
mean_prey = prey[cycle].mean()
mean_pred = pred[cycle].mean()
ratio = pred[peak_at] / prey[peak_at]

harvest = np.sum((prey[1:] + prey[:-1]) / 2) * h * 0.05

print("peaks", peak_time)
print("period", period)
print("drift", drift)
print("means", mean_prey, mean_pred)
print("ratio", ratio)
print("harvest", harvest)
print("end", path[-1])
