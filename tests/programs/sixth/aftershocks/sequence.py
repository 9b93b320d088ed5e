"""Aftershocks: completeness, b-value, Omori's law, energy, and where they lie."""
import math

import numpy as np

data = np.genfromtxt("catalog.csv", delimiter=",", skip_header=1)
main, after = data[0], data[1:]
day, mag, depth = after[:, 0], after[:, 4], after[:, 3]

# completeness: the fullest bin of 0.1, and 0.2 for safety
counts = {}
for m in mag:
    key = round(m * 10)
    counts[key] = counts.get(key, 0) + 1
fullest = max(sorted(counts), key=lambda key: counts[key])
mc = fullest / 10 + 0.2
complete = mag >= mc - 1e-9
m = mag[complete]
n = len(m)

# b-value by maximum likelihood (Aki, Utsu), error by Shi and Bolt
mean_m = m.mean()
b = math.log10(math.e) / (mean_m - (mc - 0.05))
b_error = 2.30 * b**2 * math.sqrt(((m - mean_m) ** 2).sum() / (n * (n - 1)))
a = math.log10(n) + b * mc
b_line = []
steps = np.arange(0, 1.45, 0.1)
for step in steps:
    b_line.append(math.log10((m >= mc + step - 1e-9).sum()))
b_lsq = -np.polyfit(mc + steps, b_line, 1)[0]

# Omori: K / (t + c)^p by a grid over c and p, K follows from the number of events
t = day[complete]
end = 46.0
best = (-math.inf, None, None)
for c in np.arange(0.1, 3.01, 0.1):
    for p in np.arange(0.5, 1.51, 0.05):
        if abs(p - 1) < 1e-9:
            area = math.log((end + c) / c)
        else:
            area = ((end + c) ** (1 - p) - c ** (1 - p)) / (1 - p)
        ll = n * math.log(n / area) - p * np.log(t + c).sum() - n
        if ll > best[0]:
            best = (ll, c, p, n / area)
ll, c, p, k = best
aic = 6 - 2 * ll
tomorrow = k * ((end + 1 + c) ** (1 - p) - (end + c) ** (1 - p)) / (1 - p)
chance = 1 - math.exp(-tomorrow * 10 ** (-b * (5 - mc)))

# energy, in joule; largest aftershock against Bath's law
energy = 10 ** (1.5 * mag + 4.8)
share = energy.sum() / 10 ** (1.5 * main[4] + 4.8)
bath = main[4] - mag.max()


def distance(lat1, lon1, lat2, lon2):
    """Kilometres, haversine."""
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    h = math.sin((phi2 - phi1) / 2) ** 2
    h += math.cos(phi1) * math.cos(phi2) * math.sin(math.radians(lon2 - lon1) / 2) ** 2
    return 2 * 6371 * math.asin(math.sqrt(h))


away = np.array([distance(main[1], main[2], row[1], row[2]) for row in after])
hypo = np.sqrt(away**2 + (depth - main[3]) ** 2)
reach = np.percentile(away, 90)
weights = energy / energy.sum()
centre = (weights * after[:, 1]).sum(), (weights * after[:, 2]).sum()
waits = np.diff(np.sort(t))
cv = waits.std(ddof=1) / waits.mean()

print("mc %.1f of %d events, b %.9f +- %.9f, a %.9f, line %.9f" % (mc, n, b, b_error, a, b_lsq))
print("omori K %.8f c %.2f p %.2f AIC %.8f" % (k, c, p, aic))
print("tomorrow %.9f, magnitude 5: %.9f" % (tomorrow, chance))
print("energy share %.9f, bath %.2f" % (share, bath))
print("reach %.8f km, hypocentres %.8f km" % (reach, hypo.mean()))
print("centre %.8f %.8f" % centre)
print("waits %.9f, cv %.9f" % (waits.mean(), cv))
