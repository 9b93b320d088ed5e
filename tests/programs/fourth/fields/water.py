"""Water balance of two fields: evapotranspiration after Hargreaves, a soil bucket, degree days."""
import numpy as np
import pandas as pd

BASE, CAP = 10.0, 30.0
CAPACITY = 40.0

sites = pd.DataFrame({"station": ["Aue", "Hof"], "lat": [47.6, 50.3], "coef": [1.05, 0.9]})
weather = pd.read_csv("weather.csv", parse_dates=["date"])
weather = weather.merge(sites, on="station", how="left")
weather["doy"] = weather["date"].dt.day_of_year


def extraterrestrial(lat, doy):
    """MJ per square metre and day."""
    phi = np.radians(lat)
    angle = 2 * np.pi * doy / 365
    dr = 1 + 0.033 * np.cos(angle)
    decl = 0.409 * np.sin(angle - 1.39)
    sunset = np.arccos(-np.tan(phi) * np.tan(decl))
    inner = sunset * np.sin(phi) * np.sin(decl) + np.cos(phi) * np.cos(decl) * np.sin(sunset)
    return 24 * 60 / np.pi * 0.0820 * dr * inner


weather["ra"] = extraterrestrial(weather["lat"], weather["doy"])
mean_temp = (weather["tmin"] + weather["tmax"]) / 2
swing = np.sqrt(weather["tmax"] - weather["tmin"])
weather["et0"] = 0.0023 * 0.408 * weather["ra"] * (mean_temp + 17.8) * swing
weather["etc"] = weather["coef"] * weather["et0"]

hi = weather["tmax"].clip(BASE, CAP)
lo = weather["tmin"].clip(BASE, CAP)
weather["gdd"] = (hi + lo) / 2 - BASE


def bucket(rain, use, start=0.6 * CAPACITY):
    level, drained, short = start, 0.0, 0.0
    levels = []
    for r, u in zip(rain, use):
        level = level + r - u
        if level > CAPACITY:
            drained += level - CAPACITY
            level = CAPACITY
        if level < 0:
            short -= level
            level = 0.0
        levels.append(level)
    return np.array(levels), drained, short


result = {}
for name, part in weather.groupby("station"):
    soil, drained, short = bucket(part["rain"], part["etc"])
    result[name] = (soil[-1], soil.min(), drained, short)
balance = pd.DataFrame(result, index=["end", "lowest", "drained", "short"]).T

totals = weather.groupby("station")[["rain", "etc", "gdd"]].sum()
weather["week"] = (weather["date"] - weather["date"].min()).dt.days // 7
weekly = weather.pivot_table(index="week", columns="station", values="et0", aggfunc="mean")


def longest_dry(rain):
    best = run = 0
    for r in rain:
        run = run + 1 if r < 1.0 else 0
        best = max(best, run)
    return best


dry = weather.groupby("station")["rain"].apply(longest_dry)

for column in totals:
    print(column, *totals[column].round(6))
print("weekly", *weekly.round(6).to_numpy().ravel(order="F"))
for column in balance:
    print(column, *balance[column].round(6))
print("dry", dry.tolist())
