"""Calibrate the radiocarbon dates of a hill fort."""
import numpy as np
import pandas as pd

curve = pd.read_csv("curve.csv").sort_values("calbp")
dates = pd.read_csv("dates.csv")
STEP = 5
years = np.arange(2000, 3001, STEP)
mu = np.interp(years, curve["calbp"], curve["c14"])
sd = np.interp(years, curve["calbp"], curve["sigma"])


def calibrate(age, error):
    variance = error**2 + sd**2
    density = np.exp(-((age - mu) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
    return density / (density.sum() * STEP)


def hpd(density, level):
    """Years inside the highest densities, as a list of (from, to)."""
    order = np.argsort(-density, kind="stable")
    mass = np.cumsum(density[order]) * STEP
    inside = np.zeros(len(density), bool)
    inside[order[: np.searchsorted(mass, level) + 1]] = True
    pieces, begin = [], None
    for i, flag in enumerate(inside):
        if flag and begin is None:
            begin = years[i]
        if not flag and begin is not None:
            pieces.append((int(begin), int(years[i - 1])))
            begin = None
    if begin is not None:
        pieces.append((int(begin), int(years[-1])))
    return pieces


def quantile(density, p):
    cdf = np.cumsum(density) * STEP
    return np.interp(p, cdf, years)


cal = np.array([calibrate(row.age, row.error) for row in dates.itertuples()])
dates["mean"] = cal @ years * STEP
dates["median"] = [quantile(d, 0.5) for d in cal]
dates["spread"] = np.sqrt((cal * (years - dates["mean"].to_numpy()[:, None]) ** 2).sum(axis=1) * STEP)
intervals = {lab: hpd(d, 0.954) for lab, d in zip(dates["lab"], cal)}
widths = [sum(b - a + STEP for a, b in intervals[lab]) for lab in dates["lab"]]

# all of them together
spd = cal.sum(axis=0) / len(dates)
smooth = np.convolve(spd, np.ones(11) / 11, mode="same")
peak = years[smooth.argmax()]

# dates of one context are of one event: combined before calibration
combined = {}
for context, group in dates.groupby("context"):
    w = 1 / group["error"] ** 2
    pooled = (w * group["age"]).sum() / w.sum()
    chi2 = (w * (group["age"] - pooled) ** 2).sum()
    post = calibrate(pooled, np.sqrt(1 / w.sum()))
    combined[context] = (pooled, chi2, quantile(post, 0.5), post)

# is the hearth older than the pit?
older = np.array([combined["pit"][3][: k + 1].sum() * STEP for k in range(len(years))])
earlier = (combined["hearth"][3] * (older - combined["pit"][3] * STEP / 2)).sum() * STEP

for row in dates.itertuples():
    print(row.lab, "%.6f %.6f %.6f" % (row.mean, row.median, row.spread), intervals[row.lab])
print("widths", widths)
print("peak of the sum", peak, "%.10f" % smooth.max())
for context in combined:
    print(context, "%.6f chi2 %.6f median %.6f" % combined[context][:3])
print("hearth before pit: %.10f" % earlier)
