#!/usr/bin/env python3
"""Trips to work in a small town: generation, distribution, mode choice."""
import math

import numpy as np
import pandas as pd

zones = pd.read_csv("zones.csv")
N = len(zones)
OBSERVED = 2.9  # km, mean length in the survey

# ---------------------------------------------------------------- generation
zones["workers"] = zones.households * (0.8 + 0.25 * zones.cars)
zones["prod"] = 0.92 * zones.workers
growth = zones["prod"].sum() / zones.jobs.sum()
zones["attr"] = zones.jobs * growth

# -------------------------------------------------------------------- costs
dist = np.zeros((N, N))
for i in range(N):
    for j in range(N):
        dx = zones.x[i] - zones.x[j]
        dy = zones.y[i] - zones.y[j]
        dist[i, j] = 1.25 * math.hypot(dx, dy)
for i in range(N):
    others = [dist[i, j] for j in range(N) if j != i]
    dist[i, i] = min(others) / 2


# ------------------------------------------------------------- distribution
def furness(O, D, f, tol=1e-12):
    A = np.ones(len(O))
    B = np.ones(len(D))
    for sweep in range(500):
        for i in range(len(O)):
            A[i] = 1 / sum(B[j] * D[j] * f[i, j] for j in range(len(D)))
        old = B.copy()
        for j in range(len(D)):
            B[j] = 1 / sum(A[i] * O[i] * f[i, j] for i in range(len(O)))
        if max(abs(B / old - 1)) < tol:
            break
    T = np.array([[A[i] * O[i] * B[j] * D[j] * f[i, j] for j in range(len(D))] for i in range(len(O))])
    return T, A, B


def mean_cost(T):
    return (T * dist).sum() / T.sum()


O = zones["prod"].values
D = zones["attr"].values

# Hyman: raise beta while trips are too long
beta = [1.0 / OBSERVED]
lengths = [mean_cost(furness(O, D, np.exp(-beta[0] * dist))[0])]
beta.append(beta[0] * lengths[0] / OBSERVED)
while abs(lengths[-1] - OBSERVED) > 1e-10 and len(beta) < 30:
    T, A, B = furness(O, D, np.exp(-beta[-1] * dist))
    lengths.append(mean_cost(T))
    c1, c0 = lengths[-1], lengths[-2]
    step = ((OBSERVED - c0) * beta[-1] - (OBSERVED - c1) * beta[-2]) / (c1 - c0)
    beta.append(step)
b = beta[-2]
inside = np.trace(T) / T.sum()

# ------------------------------------------------------------- mode choice
FARE, LITRE = 1.80, 0.14
car = 3.0 + dist / 32 * 60 * 0.11 + LITRE * dist
bus = FARE + (8 + dist / 18 * 60) * 0.11
share = 1 / (1 + np.exp(0.55 * (car - bus) - 0.4))
drivers = T * share
riders = T - drivers
out_of = drivers.sum(axis=1)
into = drivers.sum(axis=0)
zones["balance"] = into - out_of
km = (drivers * dist).sum()
logsum = -np.log(np.exp(-0.55 * car + 0.4) + np.exp(-0.55 * bus)) / 0.55
access = (T * logsum).sum(axis=1) / T.sum(axis=1)

print(f"trips {O.sum():.4f}, growth of jobs {growth:.8f}")
print(f"beta {b:.8f}, mean length {mean_cost(T):.6f} km, inside their zone {inside:.8f}")
for name, bal, acc in zip(zones.zone, zones.balance, access):
    print(f"{name:12s} {bal:12.5f} {acc:10.6f}")
print(f"car {drivers.sum() / T.sum():.8f}, {km:.4f} km, riders {riders.sum():.5f}")
