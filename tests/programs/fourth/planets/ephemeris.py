"""Where the planets stand: mean elements, Kepler's equation, the sky as seen from the Earth."""

import pandas as pd
import numpy as np

OBLIQUITY = np.radians(23.43928)
LIGHT_MINUTES = 8.316746  # per astronomical unit

el = pd.read_csv("elements.csv").set_index("name")


def julian_day(year, month, day):
    if month <= 2:
        year, month = year - 1, month + 12
    century = year // 100
    leap = 2 - century + century // 4
    return int(365.25 * (year + 4716)) + int(30.6001 * (month + 1)) + day + leap - 1524.5


def kepler(M, e, tol=1e-13):
    E = M + e * np.sin(M)
    for _ in range(50):
        step = (E - e * np.sin(E) - M) / (1 - e * np.cos(E))
        E = E - step
        if np.abs(step).max() < tol:
            break
    return E


def rotate(x, y, omega, incl, node):
    """From the plane of the orbit to the ecliptic: Rz(-node) Rx(-incl) Rz(-omega)."""
    cw, sw = np.cos(omega), np.sin(omega)
    cn, sn = np.cos(node), np.sin(node)
    ci, si = np.cos(incl), np.sin(incl)
    return np.stack(
        [
            (cw * cn - sw * sn * ci) * x + (-sw * cn - cw * sn * ci) * y,
            (cw * sn + sw * cn * ci) * x + (-sw * sn + cw * cn * ci) * y,
            sw * si * x + cw * si * y,
        ],
        axis=1,
    )


jd = julian_day(2024, 10, 7.25)
T = (jd - 2451545.0) / 36525

longitude = el["L"] + el["rate"] * T
anomaly = np.radians((longitude - el["peri"] + 180) % 360 - 180).to_numpy()
E = kepler(anomaly, el["e"].to_numpy())
a, e = el["a"].to_numpy(), el["e"].to_numpy()
x_orbit = a * (np.cos(E) - e)
y_orbit = a * np.sqrt(1 - e**2) * np.sin(E)
helio = rotate(
    x_orbit,
    y_orbit,
    np.radians(el["peri"] - el["node"]).to_numpy(),
    np.radians(el["i"]).to_numpy(),
    np.radians(el["node"]).to_numpy(),
)
r = np.linalg.norm(helio, axis=1)

home = list(el.index).index("Earth")
geo = np.delete(helio - helio[home], home, axis=0)
delta = np.sqrt((geo**2).sum(axis=1))
names = [name for name in el.index if name != "Earth"]

eps = OBLIQUITY
to_equator = np.array([[1, 0, 0], [0, np.cos(eps), -np.sin(eps)], [0, np.sin(eps), np.cos(eps)]])
eq = geo @ to_equator.T
ra = np.degrees(np.arctan2(eq[:, 1], eq[:, 0])) % 360 / 15
dec = np.degrees(np.arcsin(eq[:, 2] / delta))

R = r[home]
rp = np.delete(r, home)
elongation = np.degrees(np.arccos((delta**2 + R**2 - rp**2) / (2 * delta * R)))
phase = np.degrees(np.arccos((delta**2 + rp**2 - R**2) / (2 * delta * rp)))
lit = (1 + np.cos(np.radians(phase))) / 2
magnitude = el["H"].drop("Earth").to_numpy() + 5 * np.log10(rp * delta)
light = delta * LIGHT_MINUTES
speed = 29.7847 * np.sqrt(2 / r - 1 / a)
up = names[int(np.argmax(elongation))]

print("jd", jd, T)
print("r", r)
for row in zip(names, ra, dec, delta, elongation, phase, lit, magnitude, light):
    print(*row)
print("speed", speed)
print("best", up)
