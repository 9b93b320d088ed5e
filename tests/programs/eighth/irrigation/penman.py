"""Reference evapotranspiration (FAO paper 56) and a daily water balance of the root zone."""
import csv
import math
from datetime import date

LATITUDE = math.radians(50 + 48 / 60)
ALTITUDE = 100.0
SIGMA = 4.903e-9
ALBEDO = 0.23


def saturation(t):
    return 0.6108 * math.exp(17.27 * t / (t + 237.3))


def extraterrestrial(day):
    """MJ per square metre and day, and the hours of daylight"""
    angle = 2 * math.pi * day / 365
    dr = 1 + 0.033 * math.cos(angle)
    decl = 0.409 * math.sin(angle - 1.39)
    ws = math.acos(-math.tan(LATITUDE) * math.tan(decl))
    ra = 24 * 60 / math.pi * 0.0820 * dr * (
        ws * math.sin(LATITUDE) * math.sin(decl) + math.cos(LATITUDE) * math.cos(decl) * math.sin(ws)
    )
    return ra, 24 / math.pi * ws


def et0(row):
    tmax, tmin = row["tmax"], row["tmin"]
    tmean = (tmax + tmin) / 2
    delta = 4098 * saturation(tmean) / (tmean + 237.3) ** 2
    pressure = 101.3 * ((293 - 0.0065 * ALTITUDE) / 293) ** 5.26
    gamma = 0.665e-3 * pressure
    u2 = row["wind"] * 4.87 / math.log(67.8 * 10 - 5.42)
    es = (saturation(tmax) + saturation(tmin)) / 2
    ea = (saturation(tmin) * row["rhmax"] + saturation(tmax) * row["rhmin"]) / 200

    ra, daylight = extraterrestrial(row["day"])
    rs = (0.25 + 0.5 * row["sun"] / daylight) * ra
    rso = (0.75 + 2e-5 * ALTITUDE) * ra
    rns = (1 - ALBEDO) * rs
    kelvin = ((tmax + 273.16) ** 4 + (tmin + 273.16) ** 4) / 2
    rnl = SIGMA * kelvin * (0.34 - 0.14 * math.sqrt(ea)) * (1.35 * min(rs / rso, 1) - 0.35)
    rn = rns - rnl
    top = 0.408 * delta * rn + gamma * 900 / (tmean + 273) * u2 * (es - ea)
    return top / (delta + gamma * (1 + 0.34 * u2)), rn


days = []
with open("weather.csv") as f:
    for record in csv.DictReader(f):
        d = date.fromisoformat(record.pop("date"))
        row = {k: float(v) for k, v in record.items()}
        row["day"] = d.timetuple().tm_yday
        row["et0"], row["rn"] = et0(row)
        days.append(row)

# maize on a loam, midseason begins on the fifth day
FIELD_CAPACITY, WILTING = 0.29, 0.14
ROOTS = 0.45
DEPLETION = 0.55
taw = 1000 * (FIELD_CAPACITY - WILTING) * ROOTS
kc_start, kc_mid = 0.85, 1.20
development = 4

depletion = 22.0
drained = 0.0
applied = []
stress = []
actual = []
for i, row in enumerate(days):
    kc = kc_mid if i >= development else kc_start + (kc_mid - kc_start) * i / development
    etc = kc * row["et0"]
    p = DEPLETION + 0.04 * (5 - etc)
    raw = p * taw
    # a sprinkler starts when what is readily available has been used
    water = 30.0 if depletion > raw else 0.0
    ks = (taw - depletion) / (taw - raw) if depletion > raw else 1.0
    effective = row["rain"] if row["rain"] >= 0.2 * row["et0"] else 0.0
    eta = ks * etc
    balance = depletion - effective - water + eta
    drained += max(0.0, -balance)
    depletion = min(max(0.0, balance), taw)
    applied.append(water)
    stress.append(ks)
    actual.append(eta)

total = sum(r["et0"] for r in days)
yield_loss = 1.25 * (1 - sum(actual) / sum(a / k for a, k in zip(actual, stress)))
print(f"ET0: first {days[0]['et0']:.5f}, total {total:.4f} mm, highest net radiation {max(r['rn'] for r in days):.5f}")
print(f"applied {sum(applied):.1f} mm in {sum(a > 0 for a in applied)} events, drained {drained:.5f} mm")
print(f"crop {sum(actual):.5f} mm, lowest Ks {min(stress):.6f}, relative yield loss {yield_loss:.7f}")
print(f"depletion at the end {depletion:.5f} of {taw:.2f} mm")
