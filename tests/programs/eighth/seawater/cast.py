"""Two casts across a front: density (EOS-80), stability, and the current between them."""
import numpy as np
import pandas as pd

G = 9.7963
LAT = 37.5


def density0(s, t):
    water = np.polyval([6.536332e-9, -1.120083e-6, 1.001685e-4, -9.09529e-3, 6.793952e-2, 999.842594], t)
    first = np.polyval([5.3875e-9, -8.2467e-7, 7.6438e-5, -4.0899e-3, 8.24493e-1], t)
    second = np.polyval([-1.6546e-6, 1.0227e-4, -5.72466e-3], t)
    return water + first * s + second * s**1.5 + 4.8314e-4 * s**2


def bulk(s, t, bar):
    root = s**1.5
    k0 = np.polyval([-5.155288e-5, 1.360477e-2, -2.327105, 148.4206, 19652.21], t)
    k0 += s * np.polyval([-6.1670e-5, 1.09987e-2, -0.603459, 54.6746], t)
    k0 += root * np.polyval([-5.3009e-4, 1.6483e-2, 7.944e-2], t)
    a = np.polyval([-5.77905e-7, 1.16092e-4, 1.43713e-3, 3.239908], t)
    a += s * np.polyval([-1.6078e-6, -1.0981e-5, 2.2838e-3], t) + 1.91075e-4 * root
    b = np.polyval([5.2787e-8, -6.12293e-6, 8.50935e-5], t)
    b += s * np.polyval([9.1697e-10, 2.0816e-8, -9.9348e-7], t)
    return k0 + a * bar + b * bar**2


def density(s, t, p):
    return density0(s, t) / (1 - p / 10 / bulk(s, t, p / 10))


def lapse(s, t, p):
    ds = s - 35
    gamma = 3.5803e-5 + (8.5258e-6 + (-6.8360e-8 + 6.6228e-10 * t) * t) * t
    gamma += (1.8932e-6 - 4.2393e-8 * t) * ds
    gamma += (1.8741e-8 + (-6.7795e-10 + (8.7330e-12 - 5.4481e-14 * t) * t) * t) * p
    gamma += (-1.1351e-10 + 2.7759e-12 * t) * ds * p
    return gamma + (-4.6206e-13 + (1.8676e-14 - 2.1687e-16 * t) * t) * p**2


def potential(s, t, p, ref=0.0):
    """Fofonoff and Millard: Runge, Kutta and Gill"""
    h = ref - p
    k = h * lapse(s, t, p)
    t = t + 0.5 * k
    q = k
    p = p + 0.5 * h
    k = h * lapse(s, t, p)
    t = t + 0.29289322 * (k - q)
    q = 0.58578644 * k + 0.121320344 * q
    k = h * lapse(s, t, p)
    t = t + 1.707106781 * (k - q)
    q = 3.414213562 * k - 4.121320344 * q
    p = p + 0.5 * h
    k = h * lapse(s, t, p)
    return t + (k - 2 * q) / 6


print("check values", density(np.array([35.0, 35.0]), np.array([5.0, 25.0]), np.array([0.0, 10000.0])))
casts = pd.read_csv("casts.csv")
casts["theta"] = potential(casts.salt, casts.temp, casts.pres)
casts["sigma"] = density0(casts.salt, casts.theta) - 1000
casts["alpha"] = 1 / density(casts.salt, casts.temp, casts.pres)
casts["anomaly"] = casts.alpha - 1 / density(35.0, 0.0, casts.pres)

height = {}
for station, c in casts.groupby("station"):
    n2 = []
    for i in range(len(c) - 1):
        upper, lower = c.iloc[i], c.iloc[i + 1]
        mid = (upper.pres + lower.pres) / 2
        rho = [density0(x.salt, x.theta) for x in (upper, lower)]
        n2.append(G**2 * 1e-4 * (rho[1] - rho[0]) / (lower.pres - upper.pres))
    n2 = np.array(n2)
    peak = int(n2.argmax())
    reference = c[c.pres == 10].sigma.iloc[0]
    deeper = c[(c.pres >= 10) & (c.sigma > reference + 0.125)]
    mixed = deeper.pres.min()
    pa = c.pres.to_numpy() * 1e4
    terms = np.diff(pa) * (c.anomaly.to_numpy()[1:] + c.anomaly.to_numpy()[:-1]) / 2
    height[station] = np.append(np.cumsum(terms[::-1])[::-1], 0.0)
    print(station, "theta at the bottom", f"{c.theta.iloc[-1]:.6f}", "sigma at the surface", f"{c.sigma.iloc[0]:.6f}")
    print("  N2 max", f"{n2[peak]:.6e}", "below", c.pres.iloc[peak], "mixed to", mixed)
    print("  dynamic height", f"{height[station][0]:.6f}")

omega = 7.292115e-5
f = 2 * omega * np.sin(np.radians(LAT))
distance = 84.3e3
velocity = (height["A"] - height["B"]) / (f * distance)
levels = casts[casts.station == "A"].pres.to_numpy()
transport = np.trapezoid(velocity, levels) * distance / 1e6
print("surface", f"{velocity[0]:.7f}", "at 500", f"{velocity[levels == 500][0]:.7f}", "transport", f"{transport:.6f}")
