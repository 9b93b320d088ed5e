import numpy as np

# yearly highest discharge of a small river, m3/s
year = np.arange(1971, 2011)
discharge = np.array(
    [180 + 45 * np.sin(1.7 * i) + 30 * np.cos(0.9 * i * i) + (i * 37 % 23) * 4.0 for i in range(40)]
)
EULER = 0.5772156649015329


def gumbel_moments(x):
    s = x.std(ddof=1)
    scale = np.sqrt(6) * s / np.pi
    location = x.mean() - EULER * scale
    return location, scale


def l_moments(x):
    xs = np.sort(x)
    n = len(xs)
    b0 = xs.mean()
    b1 = sum((i / (n - 1)) * xs[i] for i in range(n)) / n
    return b0, 2 * b1 - b0


loc, scale = gumbel_moments(discharge)
l1, l2 = l_moments(discharge)
scale_l = l2 / np.log(2)
loc_l = l1 - EULER * scale_l

periods = np.array([2, 10, 50, 100])
reduced = -np.log(-np.log(1 - 1 / periods))
level = loc + scale * reduced
level_l = loc_l + scale_l * reduced

# plotting positions and the fit's worst miss
ranked = np.sort(discharge)
position = (np.arange(1, len(ranked) + 1) - 0.44) / (len(ranked) + 0.12)
cdf = np.exp(-np.exp(-(ranked - loc) / scale))
worst = np.max(np.abs(cdf - position))

# ten-year blocks
decade = discharge.reshape(4, 10)
decade_max = decade.max(axis=1)
decade_year = year.reshape(4, 10)[np.arange(4), decade.argmax(axis=1)]
q90 = np.quantile(discharge, 0.9)
above = int((discharge > q90).sum())

print("moments", loc, scale)
print("lmoments", loc_l, scale_l)
print("levels", level)
print("levels l", level_l)
print("worst", worst)
print("decades", decade_max, decade_year)
print("q90", q90, above)
