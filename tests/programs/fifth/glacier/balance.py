"""Mass balance of a valley glacier over one year: degree days, band by band (mm of water)."""
import numpy as np

STATION = 1850.0  # m
LAPSE = -0.0062  # K per m
GRADIENT = 0.0004  # rain and snow per m
DDF_SNOW, DDF_ICE = 3.8, 7.1  # mm per K and day

day = np.arange(365)  # from 1 October
station_t = 0.6 - 9.0 * np.sin(2 * np.pi * (day - 20) / 365) + 2.5 * np.sin(1.7 * day) * np.cos(0.31 * day)
station_p = np.where(day * 11 % 7 < 3, 8.0 + 6.0 * np.sin(0.8 * day) ** 2, 0.0)

area = np.array([0.35, 0.8, 1.4, 1.9, 2.3, 2.6, 2.2, 1.5, 0.9, 0.4])  # km2
height = 2250.0 + 100.0 * np.arange(area.size)


def snow_fraction(t, low=0.0, high=2.0):
    return np.clip((high - t) / (high - low), 0.0, 1.0)


def run_band(z):
    t = station_t + LAPSE * (z - STATION)
    p = station_p * (1 + GRADIENT * (z - STATION))
    solid = p * snow_fraction(t)
    liquid = p - solid
    pack = 0.0
    deepest = 0.0
    snow_melt = ice_melt = 0.0
    for k in range(len(day)):
        pack += solid[k]
        warmth = max(t[k], 0.0)
        melted = min(pack, DDF_SNOW * warmth)
        pack -= melted
        if melted < DDF_SNOW * warmth:
            left = warmth - melted / DDF_SNOW
            ice_melt += DDF_ICE * left
        snow_melt += melted
        deepest = max(deepest, pack)
    return solid.sum(), liquid.sum(), snow_melt, ice_melt, deepest


rows = np.array([run_band(z) for z in height])
accumulation, rain, snow_melt, ice_melt, winter = rows.T
balance = accumulation - snow_melt - ice_melt

# where the balance changes its sign
above = int(np.argmax(balance > 0))
step = (0 - balance[above - 1]) / (balance[above] - balance[above - 1])
ela = height[above - 1] + step * (height[above] - height[above - 1])

share = area / area.sum()
specific = (share * balance).sum()
aar = area[height >= ela].sum() / area.sum()
slope = np.polyfit(height, balance, 1)[0]
volume = specific / 1000 * area.sum() * 1e6  # m3 of water
runoff = ((rain + snow_melt + ice_melt) * area).sum() / area.sum()
discharge = runoff / 1000 * area.sum() * 1e6 / (365 * 86400)
ice_share = (ice_melt * area).sum() / (runoff * area.sum())
mean_height = np.average(height, weights=area)
summer = station_t[243:335].mean()

np.set_printoptions(precision=10, suppress=True)
print("accumulation", accumulation)
print("balance", balance)
print("deepest snow", winter)
print("ela", ela, "aar", aar, "gradient", slope)
print("specific", specific, "volume", volume)
print("runoff", runoff, discharge, ice_share)
print("height", mean_height, "summer", summer)
