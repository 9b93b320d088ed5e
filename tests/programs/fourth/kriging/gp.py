"""Nitrate in 24 wells: Gaussian process with a Matern kernel, by hand in NumPy and SciPy."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky
from scipy.spatial.distance import cdist

i = np.arange(24)
wells = np.column_stack([(i * 7 % 24) / 4 + 0.3 * np.sin(i), (i * 11 % 24) / 5 + 0.2 * np.cos(2 * i)])
nitrate = 18 + 4 * np.sin(wells[:, 0]) + 3 * np.cos(1.3 * wells[:, 1]) + 0.8 * np.sin(17.0 * i)

mu, sd = nitrate.mean(), nitrate.std()
y = (nitrate - mu) / sd

LENGTH = 1.4
SIGNAL = 1.1
NOISE = 0.25


def matern32(p, q, length, signal):
    r = np.sqrt(3) * cdist(p, q) / length
    return signal**2 * (1 + r) * np.exp(-r)


def covariance(x, length, signal, noise):
    return matern32(x, x, length, signal) + noise**2 * np.eye(len(x))


def log_likelihood(x, y, length, signal, noise):
    K = covariance(x, length, signal, noise)
    L = cholesky(K, lower=True)
    w = cho_solve((L, True), y)
    return -0.5 * y @ w - np.log(np.diag(L)).sum() - 0.5 * len(y) * np.log(2 * np.pi)


K = covariance(wells, LENGTH, SIGNAL, NOISE)
factor = cho_factor(K, lower=True)
alpha = cho_solve(factor, y)
K_inv = cho_solve(factor, np.eye(len(y)))
lml = log_likelihood(wells, y, LENGTH, SIGNAL, NOISE)

# grid for the map
gx, gy = np.meshgrid(np.linspace(0, 6, 5), np.linspace(0, 4.5, 4))
targets = np.column_stack([gx.ravel(), gy.ravel()])
Ks = matern32(targets, wells, LENGTH, SIGNAL)
mean = mu + sd * (Ks @ alpha)
reduction = np.einsum("ij,jk,ik->i", Ks, K_inv, Ks)
var = sd**2 * (SIGNAL**2 - reduction)
half = 1.96 * np.sqrt(var + (sd * NOISE) ** 2)
above = (mean - half > 15).sum()

# leave one out without refitting
loo_mean = y - alpha / np.diag(K_inv)
loo_var = 1 / np.diag(K_inv)
z = (y - loo_mean) / np.sqrt(loo_var)
press = np.mean((sd * (y - loo_mean)) ** 2)
q2 = 1 - press / nitrate.var()

print("lml", lml)
print("mean", *mean.round(8))
print("half", *half.round(8))
print("z", *z.round(8))
print("press", press, "q2", q2)
print("above", above)
