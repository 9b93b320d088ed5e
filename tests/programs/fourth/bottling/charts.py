# Control charts of a filling line: 24 samples of 5 bottles (ml)
import numpy as np

TARGET = 500.0
LSL, USL = 492.0, 508.0
A2, D3, D4, d2 = 0.577, 0.0, 2.114, 2.326


def fill(i, j):
    drift = 0.12 * max(0, i - 14)
    return 500.4 + 2.1 * np.sin(1.3 * i * (j + 1) + j) + 1.4 * np.cos(0.8 * i * i + 2 * j) + drift


volumes = np.array([[round(fill(i, j), 2) for j in range(5)] for i in range(24)])
m, size = volumes.shape

xbar = volumes.mean(axis=1)
spans = np.ptp(volumes, axis=1)
grand = xbar.mean()
rbar = spans.mean()

limits = {
    "xbar": (grand - A2 * rbar, grand + A2 * rbar),
    "range": (D3 * rbar, D4 * rbar),
}
sigma_within = rbar / d2
sigma_total = volumes.std(ddof=1)

cp = (USL - LSL) / (6 * sigma_within)
cpk = min(USL - grand, grand - LSL) / (3 * sigma_within)
pp = (USL - LSL) / (6 * sigma_total)
cpm = (USL - LSL) / (6 * np.sqrt(sigma_total**2 + (grand - TARGET) ** 2))


def ewma(x, start, lam=0.2):
    z = np.empty(len(x))
    last = start
    for t, value in enumerate(x):
        last = lam * value + (1 - lam) * last
        z[t] = last
    return z


def ewma_limits(n, sigma, lam=0.2, L=2.7):
    t = np.arange(1, n + 1)
    return L * sigma * np.sqrt(lam / (2 - lam) * (1 - (1 - lam) ** (2 * t)))


se = sigma_within / np.sqrt(size)
smooth = ewma(xbar, TARGET)
half = ewma_limits(m, se)
alarms = np.flatnonzero(np.abs(smooth - TARGET) > half) + 1

# tabular cusum
slack = 0.5 * se
up = np.zeros(m)
down = np.zeros(m)
hi = lo = 0.0
for t in range(m):
    hi = max(0.0, hi + xbar[t] - (TARGET + slack))
    lo = max(0.0, lo + (TARGET - slack) - xbar[t])
    up[t], down[t] = hi, lo
signal = int(np.argmax(up > 5 * se)) + 1

# individuals: the first bottle of each sample
first = volumes[:, 0]
moving = np.abs(np.diff(first))
sigma_mr = moving.mean() / 1.128

# longest run on one side of the centre
side = np.sign(xbar - grand)
longest = current = 1
for a, b in zip(side[:-1], side[1:]):
    current = current + 1 if a == b else 1
    longest = max(longest, current)

print("centre", grand, rbar, *limits["xbar"], *limits["range"])
print("capability", cp, cpk, pp, cpm)
print("ewma", smooth[[0, 5, 11, 23]], half[[0, 5, 23]])
print("alarms", len(alarms), alarms[0])
print("cusum", up[-1], down.max(), signal)
print("individuals", sigma_mr)
print("run", longest)
