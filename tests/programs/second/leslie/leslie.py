# Leslie matrix projection of a vole population, yearly census
import numpy as np

fecundity = np.array([0.0, 1.2, 2.1, 1.5, 0.3])
survival = np.array([0.42, 0.61, 0.55, 0.28])
n0 = np.array([120.0, 45.0, 30.0, 12.0, 4.0])
years = 25
harvest_rate = 0.08
harvest_start = 10


def leslie_matrix(f, s):
    k = len(f)
    L = np.zeros((k, k))
    L[0, :] = f
    for i in range(k - 1):
        L[i + 1, i] = s[i]
    return L


def dominant(L):
    """Dominant eigenvalue with the stable stage distribution."""
    values, vectors = np.linalg.eig(L)
    i = np.argmax(values.real)
    w = np.abs(vectors[:, i].real)
    return values[i].real, w / w.sum()


L = leslie_matrix(fecundity, survival)

history = [n0]
for year in range(1, years + 1):
    n = L @ history[-1]
    if year > harvest_start:
        n[1:] *= 1 - harvest_rate
    history.append(n)
history = np.array(history)

totals = history.sum(axis=1)
growth = totals[1:] / totals[:-1]
mean_growth = np.exp(np.mean(np.log(growth[-5:])))

lam, stable = dominant(L)
_, repro = dominant(L.T)
repro = repro / repro[0]
sensitivity = np.outer(repro, stable) / (repro @ stable)
elasticity = L * sensitivity / lam

# life table
lx = np.concatenate([[1.0], np.cumprod(survival)])
R0 = np.sum(lx * fecundity)
age = np.arange(1, len(lx) + 1)
generation = np.sum(age * lx * fecundity * lam ** (-age.astype(float)))

print("lambda", lam, "r", np.log(lam))
print("stable", stable.round(6))
print("reproductive", repro.round(6))
print("R0", R0, "T", generation)
print("elasticity of survival", np.diag(elasticity, -1).sum().round(8))
print("totals", totals[[0, 10, 25]].round(6))
print("late growth", mean_growth)
