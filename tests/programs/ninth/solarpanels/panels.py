"""Clear-sky irradiance on tilted panels, all readings at once."""
import numpy as np
import pandas as pd

SOLAR_CONSTANT = 1361.0
ALBEDO = 0.2


def spencer(n):
    """Declination (rad) and equation of time (min) for day-of-year n."""
    g = 2 * np.pi * (n - 1) / 365
    decl = (
        0.006918
        - 0.399912 * np.cos(g)
        + 0.070257 * np.sin(g)
        - 0.006758 * np.cos(2 * g)
        + 0.000907 * np.sin(2 * g)
        - 0.002697 * np.cos(3 * g)
        + 0.00148 * np.sin(3 * g)
    )
    eot = 229.18 * (
        0.000075
        + 0.001868 * np.cos(g)
        - 0.032077 * np.sin(g)
        - 0.014615 * np.cos(2 * g)
        - 0.040849 * np.sin(2 * g)
    )
    return decl, eot


def air_mass(zenith):
    z_deg = np.degrees(zenith)
    return 1 / (np.cos(zenith) + 0.50572 * (96.07995 - z_deg) ** -1.6364)


obs = pd.read_csv("readings.csv")
decl, eot = spencer(obs["doy"].to_numpy())
obs["solar_time"] = obs["hour"] + (4 * (obs["lon"] - 15 * obs["tz"]) + eot) / 60
omega = np.radians(15 * (obs["solar_time"] - 12))
phi = np.radians(obs["lat"])
beta = np.radians(obs["tilt"])
facing = np.radians(obs["facing"])

cos_z = np.sin(phi) * np.sin(decl) + np.cos(phi) * np.cos(decl) * np.cos(omega)
zenith = np.arccos(cos_z)
azimuth = np.pi + np.arctan2(np.sin(omega), np.cos(omega) * np.sin(phi) - np.tan(decl) * np.cos(phi))

am = air_mass(zenith)
e0 = 1 + 0.033 * np.cos(2 * np.pi * obs["doy"] / 365)
dni = SOLAR_CONSTANT * e0 * 0.7 ** (am**0.678)
dhi = 0.1 * dni
ghi = dni * cos_z + dhi

cos_inc = cos_z * np.cos(beta) + np.sin(zenith) * np.sin(beta) * np.cos(azimuth - facing)
direct = dni * cos_inc.clip(lower=0)
sky = dhi * (1 + np.cos(beta)) / 2
ground = ALBEDO * ghi * (1 - np.cos(beta)) / 2
obs["poa"] = direct + sky + ground

half_day = np.degrees(np.arccos(np.clip(-np.tan(phi) * np.tan(decl), -1, 1))) / 15
obs["sunrise"] = 12 - half_day
obs["azimuth"] = np.degrees(azimuth)
obs["elevation"] = 90 - np.degrees(zenith)
obs["am"] = am

for site, day in obs.groupby("site", sort=False):
    energy = np.trapezoid(day["poa"], day["hour"]) / 1000
    best = day.loc[day["poa"].idxmax()]
    print(
        f"{site:8s} energy {energy:.6f} kWh/m2, peak {best['poa']:.4f} at {best['hour']:.2f} h, "
        f"mean elevation {day['elevation'].mean():.5f}, sunrise {day['sunrise'].iloc[0]:.5f}"
    )
    print(f"         last azimuth {day['azimuth'].iloc[-1]:.5f}, first air mass {day['am'].iloc[0]:.6f}")
print(f"all sites: {obs['poa'].sum():.4f} W/m2 summed, ground share {(ground / obs['poa']).mean():.7f}")
