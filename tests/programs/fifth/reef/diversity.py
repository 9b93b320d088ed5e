"""Diversity of reef fish, counted at six sites."""
from math import comb, exp

import numpy as np
import pandas as pd

sightings = pd.read_csv("counts.csv")
table = sightings.pivot_table(index="site", columns="species", values="count", aggfunc="sum", fill_value=0)
sites = list(table.index)
abundance = table.to_numpy()
totals = abundance.sum(axis=1)
share = abundance / totals[:, None]


def shannon(p):
    p = p[p > 0]
    return -(p * np.log(p)).sum()


richness = (abundance > 0).sum(axis=1)
entropy = np.array([shannon(row) for row in share])
simpson = 1 - (share**2).sum(axis=1)
evenness = entropy / np.log(richness)
hill = 1 / (share**2).sum(axis=1)

# species that nobody saw: Chao's estimate, corrected for bias
singles = (abundance == 1).sum(axis=1)
doubles = (abundance == 2).sum(axis=1)
chao = richness + singles * (singles - 1) / (2 * (doubles + 1))


def rarefy(counts, n):
    whole = counts.sum()
    missing = [comb(int(whole - c), n) / comb(int(whole), n) for c in counts if c > 0]
    return sum(1 - m for m in missing)


depth = int(totals.min())
rarefied = np.array([rarefy(row, depth) for row in abundance])

# gamma = alpha * beta, sites weighted by what was counted there
pooled = abundance.sum(axis=0) / abundance.sum()
weights = totals / totals.sum()
alpha = exp((weights * entropy).sum())
gamma = exp(shannon(pooled))
beta = gamma / alpha

# Bray and Curtis
k = len(sites)
bray = np.zeros((k, k))
for i in range(k):
    for j in range(i):
        bray[i, j] = np.abs(abundance[i] - abundance[j]).sum() / (totals[i] + totals[j])
        bray[j, i] = bray[i, j]
upper = bray[np.triu_indices(k, 1)]
apart = bray.sum(axis=1) / (k - 1)
closest = np.unravel_index(np.argmin(bray + 9 * np.eye(k)), bray.shape)

# dominance curve of the pooled catch
order = np.argsort(-pooled, kind="stable")
curve = np.cumsum(pooled[order])
half = int(np.searchsorted(curve, 0.5)) + 1

with np.printoptions(precision=12):
    print("richness", richness)
    print("shannon", entropy)
    print("simpson", simpson, "hill", hill)
    print("evenness", evenness)
    print("chao", chao)
    print("rarefied to", depth, rarefied)
    print("partition", alpha, beta, gamma)
    print("bray", upper.mean(), upper.max(), apart)
    print("closest", closest[0] + 1, closest[1] + 1)
    print("dominance", curve[:4], half)
