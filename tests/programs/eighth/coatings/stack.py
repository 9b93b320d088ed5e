"""Antireflection and mirror coatings on glass: characteristic matrices (Macleod)."""
import cmath
import math

import numpy as np

DESIGN = 550.0  # nm


def sellmeier(wavelength):
    um2 = (wavelength / 1000) ** 2
    b = [1.03961212, 0.231792344, 1.01046945]
    c = [0.00600069867, 0.0200179144, 103.560653]
    return math.sqrt(1 + sum(bi * um2 / (um2 - ci) for bi, ci in zip(b, c)))


def cauchy(a, b, k=0.0):
    return lambda wavelength: complex(a + b / wavelength**2, -k)


MATERIALS = {
    "BK7": sellmeier,
    "MgF2": cauchy(1.3714, 2.86e3),
    "ZrO2": cauchy(2.0210, 1.63e4),
    "TiO2": cauchy(2.2280, 4.42e4, 4e-4),
    "Al2O3": cauchy(1.6092, 5.87e3),
}


def quarter(material, fraction=0.25):
    n = MATERIALS[material](DESIGN)
    return material, fraction * DESIGN / n.real


def characteristic(layers, wavelength, angle, polarization):
    n0 = 1.0
    sine = n0 * math.sin(angle)
    m = np.eye(2, dtype=complex)
    for material, thickness in layers:
        n = MATERIALS[material](wavelength)
        cosine = cmath.sqrt(1 - (sine / n) ** 2)
        delta = 2 * math.pi * n * thickness * cosine / wavelength
        eta = n * cosine if polarization == "s" else n / cosine
        layer = np.array(
            [[cmath.cos(delta), 1j * cmath.sin(delta) / eta], [1j * eta * cmath.sin(delta), cmath.cos(delta)]]
        )
        m = m @ layer
    return m


def spectrum(layers, wavelengths, angle=0.0, polarization="s"):
    result = []
    for w in wavelengths:
        ns = MATERIALS["BK7"](w)
        cos0 = math.cos(angle)
        coss = math.sqrt(1 - (math.sin(angle) / ns) ** 2)
        if polarization == "s":
            eta0, etas = cos0, ns * coss
        else:
            eta0, etas = 1 / cos0, ns / coss
        b, c = characteristic(layers, w, angle, polarization) @ np.array([1, etas])
        r = (eta0 * b - c) / (eta0 * b + c)
        t = 4 * eta0 * etas / abs(eta0 * b + c) ** 2
        result.append((abs(r) ** 2, t, cmath.phase(r)))
    return np.array(result)


grid = np.arange(400, 701, 5.0)
designs = {
    "bare": [],
    "single": [quarter("MgF2")],
    "broad": [quarter("MgF2"), quarter("ZrO2", 0.5), quarter("Al2O3")],
    "mirror": ([quarter("TiO2"), quarter("MgF2")] * 5) + [quarter("TiO2")],
}

# the eye, as a Gaussian
eye = 1.019 * np.exp(-285.4 * (grid / 1000 - 0.559) ** 2)
luminous = {}
for name, layers in designs.items():
    rta = spectrum(layers, grid)
    absorbed = 1 - rta[:, 0] - rta[:, 1]
    luminous[name] = (rta[:, 0] * eye).sum() / eye.sum()
    best = int(rta[:, 0].argmin())
    print(f"{name}: {100 * luminous[name]:.6f} % reflected, lowest {100 * rta[best, 0]:.6f} % at {grid[best]:.0f} nm,")
    print(f"    highest {100 * rta[:, 0].max():.6f} %, absorbed {100 * absorbed.max():.6f} %")

# width of the mirror's band
fine = np.arange(380.0, 900.5, 0.5)
mirror = spectrum(designs["mirror"], fine)[:, 0]
peak = mirror.max()
above = fine[mirror > 0.9]
phases = np.unwrap(spectrum(designs["mirror"], fine)[:, 2])
at = int(np.searchsorted(fine, DESIGN))
omega = 2 * np.pi * 299.792458 / fine  # rad per femtosecond
delay = -(phases[at + 1] - phases[at - 1]) / (omega[at + 1] - omega[at - 1])
print(f"peak {peak:.8f}, above 0.9 from {above[0]:.1f} to {above[-1]:.1f} nm, group delay {delay:.6f} fs")

for degrees in (15, 45, 60):
    angle = math.radians(degrees)
    s = spectrum(designs["broad"], [DESIGN], angle, "s")[0, 0]
    p = spectrum(designs["broad"], [DESIGN], angle, "p")[0, 0]
    polarization = (s - p) / (s + p)
    print(f"{degrees} degrees: s {s:.8f} p {p:.8f} mean {(s + p) / 2:.8f} degree {polarization:.6f}")
