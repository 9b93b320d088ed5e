"""Abridged life tables and standardised death rates of two regions."""

import csv
import math

AX_FIRST = 0.1


def read(path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    return {key: [float(row[key]) for row in rows] for key in rows[0]}


def life_table(width, pop, deaths, radix=100000):
    last = len(width) - 1
    mx = [d / p for d, p in zip(deaths, pop)]
    qx = []
    for i, (n, m) in enumerate(zip(width, mx)):
        a = AX_FIRST if i == 0 else 0.5
        if i == last:
            qx.append(1.0)
        else:
            qx.append(n * m / (1 + n * (1 - a) * m))
    lx = [float(radix)]
    for q in qx[:-1]:
        lx.append(lx[-1] * (1 - q))
    dx = [l * q for l, q in zip(lx, qx)]
    Lx = []
    for i in range(last):
        a = AX_FIRST if i == 0 else 0.5
        Lx.append(width[i] * (lx[i + 1] + a * dx[i]))
    Lx.append(lx[last] / mx[last])
    Tx = [0.0] * (last + 1)
    total = 0.0
    for i in range(last, -1, -1):
        total += Lx[i]
        Tx[i] = total
    ex = [t / l for t, l in zip(Tx, lx)]
    return {"mx": mx, "qx": qx, "lx": lx, "dx": dx, "Lx": Lx, "ex": ex}


table = read("deaths.csv")
age = table["age"]
north = life_table(table["width"], table["pop_north"], table["deaths_north"])
south = life_table(table["width"], table["pop_south"], table["deaths_south"])


def half_alive(age, lx):
    """The age that half of the newborn reach, on a straight line within the group."""
    for i in range(len(lx) - 1):
        if lx[i + 1] < 50000:
            part = (lx[i] - 50000) / (lx[i] - lx[i + 1])
            return age[i] + part * (age[i + 1] - age[i])
    return float("nan")


median_north = half_alive(age, north["lx"])
median_south = half_alive(age, south["lx"])
gap = [s - n for n, s in zip(north["ex"], south["ex"])]

crude = [1000 * sum(table["deaths_" + r]) / sum(table["pop_" + r]) for r in ("north", "south")]


def direct(mx, weights):
    return 1000 * sum(m * w for m, w in zip(mx, weights)) / sum(weights)


asr_north = direct(north["mx"], table["standard"])
asr_south = direct(south["mx"], table["standard"])
ratio = asr_south / asr_north

# indirect: the deaths of the south at the rates of the north
expected = sum(p * m for p, m in zip(table["pop_south"], north["mx"]))
observed = sum(table["deaths_south"])
smr = observed / expected
low = smr * math.exp(-1.96 / math.sqrt(observed))
high = smr * math.exp(1.96 / math.sqrt(observed))

# deaths before 65, per head of those who reach 15
i15, i65 = age.index(15), age.index(65)
premature = 1 - north["lx"][i65] / north["lx"][i15]

print("e0", north["ex"][0], south["ex"][0])
print("ex", *north["ex"])
print("median", median_north, median_south)
print("gap", *gap)
print("crude", *crude)
print("asr", asr_north, asr_south, ratio)
print("smr", expected, smr, low, high)
print("premature", premature)
