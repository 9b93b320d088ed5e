"""Tidal constituents from a month of readings, and the tide they predict."""
import numpy as np
import pandas as pd

SPEED = {  # degrees an hour
    "M2": 28.9841042, "S2": 30.0, "N2": 28.4397295, "K1": 15.0410686, "O1": 13.9430356, "M4": 57.9682084,
}


class TideModel:
    def __init__(self, speeds):
        self.table = pd.DataFrame({"speed": pd.Series(speeds)})

    def predictors(self, t):
        angle = np.outer(t, np.deg2rad(self.table["speed"]))
        return np.hstack([np.cos(angle), np.sin(angle)])

    def fit(self, t, z):
        k = len(self.table)
        X = np.column_stack([np.ones(len(t)), self.predictors(t)])
        coef, *_ = np.linalg.lstsq(X, z, rcond=None)
        residual = z - X @ coef
        s2 = residual @ residual / (len(z) - X.shape[1])
        se = np.sqrt(s2 * np.diag(np.linalg.inv(X.T @ X)))
        c, s = coef[1 : k + 1], coef[k + 1 :]
        self.z0 = coef[0]
        self.table["amplitude"] = np.hypot(c, s)
        self.table["phase"] = np.rad2deg(np.arctan2(s, c)) % 360
        self.table["error"] = np.hypot(c * se[1 : k + 1], s * se[k + 1 :]) / self.table["amplitude"]
        return residual

    def predict(self, t):
        w = self.table["amplitude"] * np.cos(np.deg2rad(self.table["phase"]))
        v = self.table["amplitude"] * np.sin(np.deg2rad(self.table["phase"]))
        return self.z0 + self.predictors(t) @ np.concatenate([w, v])


gauge = pd.read_csv("gauge.csv")
# inverse barometer: a centimetre a hectopascal
gauge["free"] = gauge["level"] + 0.00993 * (gauge["pressure"] - 1013.25)
model = TideModel(SPEED)
rest = model.fit(gauge["hour"].to_numpy(float), gauge["free"].to_numpy())
table = model.table
table["snr"] = (table["amplitude"] / table["error"]) ** 2
explained = 1 - rest.var() / gauge["free"].var(ddof=0)
form = (table.amplitude["K1"] + table.amplitude["O1"]) / (table.amplitude["M2"] + table.amplitude["S2"])

# the three days that follow, each quarter of an hour
future = np.arange(700, 772, 0.25)
tide = model.predict(future)
turning = np.flatnonzero((tide[1:-1] - tide[:-2]) * (tide[2:] - tide[1:-1]) < 0) + 1
rows = []
for i in turning:
    y0, y1, y2 = tide[i - 1 : i + 2]
    shift = 0.5 * (y0 - y2) / (y0 - 2 * y1 + y2)
    rows.append((future[i] + 0.25 * shift, y1 - 0.25 * (y0 - y2) * shift, "high" if y1 > y0 else "low"))
waters = pd.DataFrame(rows, columns=["time", "height", "kind"])
mean_range = waters.height[waters.kind == "high"].mean() - waters.height[waters.kind == "low"].mean()
spring = 2 * (table.amplitude["M2"] + table.amplitude["S2"])
neap = 2 * (table.amplitude["M2"] - table.amplitude["S2"])
age = (table.phase["S2"] - table.phase["M2"]) / (SPEED["S2"] - SPEED["M2"])

print(f"mean level {model.z0:.6f}, explained {explained:.8f}, form {form:.8f}")
for name, row in table.iterrows():
    print(f"{name}: {row.amplitude:.6f} m, {row.phase:.5f} deg, snr {row.snr:.4f}")
for row in waters.itertuples():
    print(f"{row.kind:5s} {row.time:.5f} {row.height:.6f}")
print(f"range {mean_range:.6f}, spring {spring:.6f}, neap {neap:.6f}, age {age:.5f} h")
