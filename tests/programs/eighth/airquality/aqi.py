"""Ozone in New York, May to September 1973: the index of the US EPA, and what the weather has to do with it."""
import numpy as np
import pandas as pd

BREAKS = [  # ppb and index, from and to
    (0, 54, 0, 50),
    (55, 70, 51, 100),
    (71, 85, 101, 150),
    (86, 105, 151, 200),
    (106, 200, 201, 300),
]
NAMES = ["good", "moderate", "sensitive", "unhealthy", "very unhealthy"]


def index(ppb):
    if np.isnan(ppb):
        return np.nan, None
    for (low, high, i_low, i_high), name in zip(BREAKS, NAMES):
        if ppb <= high:
            return round(i_low + (i_high - i_low) / (high - low) * (ppb - low)), name
    raise ValueError(ppb)


def beaufort(mph):
    speed = mph * 0.44704
    return int(np.round((speed / 0.836) ** (2 / 3)))


df = pd.read_csv("ny1973.csv")
df.columns = df.columns.str.lower().str.replace(".", "_")
df["date"] = pd.to_datetime(dict(year=1973, month=df.month, day=df.day))
df = df.sort_values("date").reset_index(drop=True)
df[["aqi", "category"]] = [index(x) for x in df.ozone]
df["celsius"] = (df.temp - 32) / 1.8
df["force"] = df.wind.map(beaufort)
df["weekend"] = df.date.dt.day_of_week >= 5

monthly = df.groupby("month").agg(
    mean=("ozone", "mean"),
    median=("ozone", "median"),
    p90=("ozone", lambda x: x.quantile(0.9)),
    missing=("ozone", lambda x: x.isna().sum()),
    worst=("aqi", "max"),
)
counts = df.category.value_counts().reindex(NAMES, fill_value=0)

# a week's mean, where four values at least are there
weekly = df.ozone.rolling(7, min_periods=4).mean()
worst_end = df.date[weekly.idxmax()]

# yesterday's value, where it is missing
filled = df.ozone.ffill(limit=2)
exceed = (filled > 70).astype(int)
runs = exceed.groupby((exceed != exceed.shift()).cumsum()).sum()
longest = runs.max()

known = df.dropna(subset=["ozone", "solar_r"]).copy()
known["cuberoot"] = np.cbrt(known.ozone)
X = np.column_stack([np.ones(len(known)), known.celsius, known.wind, known.solar_r / 100])
beta, rss, _, _ = np.linalg.lstsq(X, known.cuberoot.to_numpy(), rcond=None)
resid = known.cuberoot - X @ beta
r2 = 1 - (resid**2).sum() / ((known.cuberoot - known.cuberoot.mean()) ** 2).sum()
adjusted = 1 - (1 - r2) * (len(known) - 1) / (len(known) - X.shape[1])
lag1 = np.corrcoef(resid[1:], resid[:-1])[0, 1]
spearman = known.ozone.rank().corr(known.temp.rank())

by_force = df.groupby("force").ozone.mean()
calm = by_force[by_force.index <= 3].mean()
week = df.groupby("weekend").ozone.mean()
standardized = (monthly["mean"] - monthly["mean"].mean()) / monthly["mean"].std()

for m, row in monthly.iterrows():
    print(m, f"{row['mean']:.5f} {row['median']:.1f} {row.p90:.2f} {row.missing:.0f} {row.worst:.0f} {standardized[m]:.5f}")
print("days", " ".join(str(c) for c in counts))
print("worst week ends on day", worst_end.day_of_year, f"with {weekly.max():.5f}, longest run {longest}")
print("coefficients", " ".join(f"{b:.7f}" for b in beta), f"R2 {r2:.6f} adjusted {adjusted:.6f}")
print(f"lag {lag1:.6f} rank correlation {spearman:.6f}")
print(f"calm {calm:.5f} weekend {week[True]:.5f} others {week[False]:.5f}")
