"""Nine trials pooled: fixed and random effects of the log odds ratio."""
import csv

import numpy as np
from scipy import stats

with open("trials.csv") as handle:
    trials = list(csv.DictReader(handle))


def log_odds_ratio(trial):
    a, c = float(trial["ev_t"]), float(trial["ev_c"])
    b, d = float(trial["n_t"]) - a, float(trial["n_c"]) - c
    if 0 in (a, b, c, d):
        a, b, c, d = a + 0.5, b + 0.5, c + 0.5, d + 0.5
    return np.log(a * d / (b * c)), 1 / a + 1 / b + 1 / c + 1 / d


def pool(y, v, tau2=0.0):
    w = 1 / (v + tau2)
    mean = (w * y).sum() / w.sum()
    return mean, np.sqrt(1 / w.sum())


def heterogeneity(y, v):
    w = 1 / v
    mean, _ = pool(y, v)
    q = (w * (y - mean) ** 2).sum()
    df = len(y) - 1
    c = w.sum() - (w**2).sum() / w.sum()
    return q, df, max(0.0, (q - df) / c)


effects = np.array([log_odds_ratio(trial) for trial in trials])
y, v = effects[:, 0], effects[:, 1]
k = len(y)

fixed, se_fixed = pool(y, v)
q, df, tau2 = heterogeneity(y, v)
p_q = stats.chi2.sf(q, df)
i2 = max(0.0, 100 * (q - df) / q)

random, se_random = pool(y, v, tau2)
z = random / se_random
p = 2 * stats.norm.sf(abs(z))
margin = stats.norm.ppf(0.975) * se_random
ci = np.exp([random - margin, random + margin])
width = stats.t.ppf(0.975, k - 2) * np.sqrt(tau2 + se_random**2)
prediction = np.exp([random - width, random + width])

# one left out at a time
without = []
for i in range(k):
    keep = np.arange(k) != i
    t2 = heterogeneity(y[keep], v[keep])[2]
    without.append(np.exp(pool(y[keep], v[keep], t2)[0]))
most = int(np.argmax(np.abs(np.array(without) - np.exp(random))))

# Egger: standardised effect against precision
precision = 1 / np.sqrt(v)
egger = stats.linregress(precision, y * precision)
t_egger = egger.intercept / egger.intercept_stderr
p_egger = 2 * stats.t.sf(abs(t_egger), k - 2)

# north against south
groups = {}
for region in sorted({trial["region"] for trial in trials}):
    inside = np.array([trial["region"] == region for trial in trials])
    groups[region] = pool(y[inside], v[inside])
(north, se_north), (south, se_south) = groups["north"], groups["south"]
z_groups = (north - south) / np.hypot(se_north, se_south)

print("log odds", np.round(y, 9))
print("fixed %.9f (%.9f)" % (fixed, se_fixed))
print("Q %.9f p %.9f I2 %.7f tau2 %.9f" % (q, p_q, i2, tau2))
print("random %.9f (%.9f) z %.9f p %.9f" % (random, se_random, z, p))
print("OR", np.round(ci, 9), "prediction", np.round(prediction, 9))
print("left out", np.round(without, 9), trials[most]["study"])
print("Egger %.9f p %.9f" % (egger.intercept, p_egger))
print("north, south %.9f %.9f z %.9f" % (north, south, z_groups))
