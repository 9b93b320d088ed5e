"""Nitrogen in the tissues of a diver, after Buhlmann; gas and oxygen on the way."""
import csv
import math

SURFACE = 1.013  # bar
WATER_VAPOUR = 0.0627
FO2 = 0.32
FN2 = 1 - FO2
half_times = [5.0, 8.0, 12.5, 18.5, 27.0, 38.3, 54.3, 77.0]
A = [1.1696, 1.0, 0.8618, 0.7562, 0.62, 0.5043, 0.441, 0.4]
B = [0.5578, 0.6514, 0.7222, 0.7825, 0.8126, 0.8434, 0.8693, 0.891]
SAC = 17.5  # litres per minute at the surface
CYLINDER, FILL = 12.0, 210.0

with open("profile.csv") as stream:
    waypoints = [(float(row["minute"]), float(row["depth"])) for row in csv.DictReader(stream)]


def pressure(depth):
    return SURFACE + depth / 10.0


def inspired(p):
    return (p - WATER_VAPOUR) * FN2


def schreiner(start, p0, rate, minutes, half):
    k = math.log(2) / half
    return p0 + rate * (minutes - 1 / k) - (p0 - start - rate / k) * math.exp(-k * minutes)


def ceiling(loads, gf=1.0):
    deepest = 0.0
    for load, a, b in zip(loads, A, B):
        tolerated = (load - a * gf) / (gf / b + 1 - gf)
        deepest = max(deepest, (tolerated - SURFACE) * 10.0)
    return deepest


air = (SURFACE - WATER_VAPOUR) * 0.79
tissues = [air] * len(half_times)
history = [list(tissues)]
ceilings = []
gas_used = 0.0
otu = 0.0
cns = 0.0


def cns_limit(po2):
    """Minutes that one may breathe oxygen of this pressure."""
    table = [(0.6, 720), (0.8, 450), (1.0, 300), (1.2, 210), (1.4, 150), (1.6, 45)]
    for limit, minutes in table:
        if po2 <= limit:
            return minutes
    return 45


for (t0, d0), (t1, d1) in zip(waypoints, waypoints[1:]):
    span = t1 - t0
    start = inspired(pressure(d0))
    rate = (inspired(pressure(d1)) - start) / span
    tissues = [schreiner(load, start, rate, span, half) for load, half in zip(tissues, half_times)]
    history.append(tissues)
    ceilings.append(ceiling(tissues, 0.75))
    mean_pressure = pressure((d0 + d1) / 2)
    gas_used += SAC * mean_pressure * span
    po2 = FO2 * mean_pressure
    if po2 > 0.5:
        otu += span * ((po2 - 0.5) / 0.5) ** 0.83
        cns += 100 * span / cns_limit(po2)

max_depth = max(d for _, d in waypoints)
duration = waypoints[-1][0]
mean_depth = sum((t1 - t0) * (d0 + d1) / 2 for (t0, d0), (t1, d1) in zip(waypoints, waypoints[1:])) / duration
end = history[-1]
m_values = [a + SURFACE / b for a, b in zip(A, B)]
saturation = [load / m for load, m in zip(end, m_values)]
leading = saturation.index(max(saturation))
left = FILL - gas_used / CYLINDER
mod = (1.4 / FO2 - SURFACE) * 10
ead = (max_depth + 10) * FN2 / 0.79 - 10

# the interval until every tissue is within 10 % of air
wait = 0
resting = list(end)
while max(resting) > 1.1 * air:
    wait += 10
    resting = [air + (load - air) * 2 ** (-wait / half) for load, half in zip(end, half_times)]

print("tissues", *end)
print("saturation", *saturation, leading + 1)
print("ceilings", *ceilings, max(ceilings))
print("gas", gas_used, left)
print("oxygen", otu, cns)
print("depth", max_depth, mean_depth, mod, ead)
print("interval", wait)
