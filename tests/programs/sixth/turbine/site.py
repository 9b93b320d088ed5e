"""Is the site worth a turbine? Wind of six days at the mast, and what a machine would have made of it."""
import numpy as np
import pandas as pd
from scipy.special import gamma

MAST, HUB = 10.0, 80.0
ALPHA = 0.16
R_AIR = 287.05
RATED = 2000.0
CURVE = {3: 0, 4: 45, 5: 150, 6: 320, 7: 560, 8: 860, 9: 1200, 10: 1520, 11: 1770, 12: 1920, 13: 2000}

mast = pd.read_csv("mast.csv")
mast["hub"] = mast["speed"] * (HUB / MAST) ** ALPHA
v = mast["hub"].to_numpy()

# Weibull, by moments and by likelihood
mean, sd = v.mean(), v.std(ddof=1)
shape_moments = (sd / mean) ** -1.086
scale_moments = mean / gamma(1 + 1 / shape_moments)
shape = 2.0
logs = np.log(v)
for _ in range(40):
    powers = v**shape
    shape = 1 / ((powers * logs).sum() / powers.sum() - logs.mean())
scale = (v**shape).mean() ** (1 / shape)

# density of the air, power in the wind
pressure = 101325 * (1 - 2.25577e-5 * (220 + HUB)) ** 5.25588
kelvin = mast["temperature"] + 273.15
density = pressure / (R_AIR * kelvin)
wind_power = 0.5 * density * mast["hub"] ** 3

# the machine: speed corrected for density, stops at 25 m/s
corrected = v * (density.to_numpy() / 1.225) ** (1 / 3)
points = np.array(list(CURVE))
output = np.interp(corrected, points, list(CURVE.values()), left=0.0)
output[corrected > 25] = 0
energy = output.sum() / 1000
capacity = output.mean() / RATED
standing = (output == 0).mean()
full = int((output >= 0.95 * RATED).sum())

# by day, and what is exceeded nine times of ten
daily = output.reshape(-1, 24).sum(axis=1) / 1000
best_day = int(daily.argmax()) + 1
p90 = np.quantile(output, 0.1)
by_hour = output.reshape(-1, 24).mean(axis=0)
best_hour = int(by_hour.argmax())

# rose of eight sectors, north in the middle of the first
sector = ((mast["direction"] + 22.5) // 45 % 8).astype(int)
share = np.bincount(sector, minlength=8) / len(mast)
in_sector = np.bincount(sector, weights=output, minlength=8) / 1000
radians = np.deg2rad(mast["direction"])
east = (mast["speed"] * np.sin(radians)).mean()
north = (mast["speed"] * np.cos(radians)).mean()
prevailing = np.rad2deg(np.arctan2(east, north)) % 360

np.set_printoptions(precision=8, suppress=True)
print("mean %.9f sd %.9f" % (mean, sd))
print("Weibull %.9f %.9f, moments %.9f %.9f" % (shape, scale, shape_moments, scale_moments))
print("density %.9f, power %.6f W/m2" % (density.mean(), wind_power.mean()))
print("energy %.9f MWh, capacity %.9f, standing %.9f, full %d h" % (energy, capacity, standing, full))
print("daily", daily, "best", best_day, best_hour, "p90 %.7f" % p90)
print("rose", share, in_sector, "prevailing %.8f" % prevailing)
