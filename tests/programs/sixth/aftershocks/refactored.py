from dataclasses import dataclass

import numpy as np
import pandas as pd

BIN = 0.1
WINDOW = 46.0


@dataclass
class GutenbergRichter:
    mc: float
    b: float
    sigma: float
    a: float
    size: int


@dataclass
class Omori:
    K: float
    c: float
    p: float
    loglik: float

    def expected(self, t0, t1):
        q = 1 - self.p
        return self.K / q * ((t1 + self.c) ** q - (t0 + self.c) ** q)


def completeness(magnitudes, correction=0.2):
    values, frequency = np.unique(np.rint(magnitudes / BIN).astype(int), return_counts=True)
    return values[np.argmax(frequency)] * BIN + correction


def fit_gr(magnitudes, mc):
    over = magnitudes - mc
    size = len(over)
    b = np.log10(np.e) / (over.mean() + BIN / 2)
    sigma = 2.30 * b**2 * over.std() / np.sqrt(size - 1)
    return GutenbergRichter(mc, b, sigma, np.log10(size) + b * mc, size)


def fit_omori(times):
    c, p = np.meshgrid(np.arange(0.1, 3.01, 0.1), np.arange(0.5, 1.51, 0.05), indexing="ij")
    q = np.where(np.isclose(p, 1), 1e-12, 1 - p)
    integral = np.where(np.isclose(p, 1), np.log1p(WINDOW / c), ((WINDOW + c) ** q - c**q) / q)
    K = len(times) / integral
    logs = np.log(times[:, None, None] + c).sum(axis=0)
    loglik = len(times) * np.log(K) - p * logs - len(times)
    at = np.unravel_index(loglik.argmax(), loglik.shape)
    return Omori(K[at], c[at], p[at], loglik[at])


def haversine(lat, lon, lat0, lon0):
    lat, lon, lat0, lon0 = map(np.radians, (lat, lon, lat0, lon0))
    inner = np.sin((lat - lat0) / 2) ** 2 + np.cos(lat) * np.cos(lat0) * np.sin((lon - lon0) / 2) ** 2
    return 2 * 6371 * np.arcsin(np.sqrt(inner))


catalog = pd.read_csv("catalog.csv")
mainshock = catalog.iloc[0]
rest = catalog.iloc[1:].copy()

threshold = completeness(rest["mag"].to_numpy())
large = rest[rest["mag"] > threshold - BIN / 2]
gr = fit_gr(large["mag"].to_numpy(), threshold)
levels = threshold + BIN * np.arange(15)
exceeding = (large["mag"].to_numpy()[:, None] > levels - BIN / 2).sum(axis=0)
line = np.linalg.lstsq(np.column_stack([np.ones(15), levels]), np.log10(exceeding), rcond=None)[0]

law = fit_omori(large["day"].to_numpy())
criterion = 2 * 3 - 2 * law.loglik
next_day = law.expected(WINDOW, WINDOW + 1)
rate5 = next_day * 10 ** (gr.b * (gr.mc - 5))
probability = -np.expm1(-rate5)

rest["joule"] = 10 ** (4.8 + 1.5 * rest["mag"])
main_joule = 10 ** (4.8 + 1.5 * mainshock["mag"])
released = rest["joule"].sum() / main_joule
gap = mainshock["mag"] - rest["mag"].max()

rest["km"] = haversine(rest["lat"], rest["lon"], mainshock["lat"], mainshock["lon"])
rest["slant"] = np.hypot(rest["km"], rest["depth"] - mainshock["depth"])
radius = rest["km"].quantile(0.9)
lat_c = np.average(rest["lat"], weights=rest["joule"])
lon_c = np.average(rest["lon"], weights=rest["joule"])
pauses = large["day"].diff().dropna()
variation = pauses.std() / pauses.mean()

print(f"mc {gr.mc:.1f} of {gr.size} events, b {gr.b:.9f} +- {gr.sigma:.9f}, a {gr.a:.9f}, line {-line[1]:.9f}")
print(f"omori K {law.K:.8f} c {law.c:.2f} p {law.p:.2f} AIC {criterion:.8f}")
print(f"tomorrow {next_day:.9f}, magnitude 5: {probability:.9f}")
print(f"energy share {released:.9f}, bath {gap:.2f}")
print(f"reach {radius:.8f} km, hypocentres {rest['slant'].mean():.8f} km")
print(f"centre {lat_c:.8f} {lon_c:.8f}")
print(f"waits {pauses.mean():.9f}, cv {variation:.9f}")
