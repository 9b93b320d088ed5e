# Noise at a road: one day of hourly octave-band levels, then a class room's reverberation
import math

BANDS = [125, 250, 500, 1000, 2000, 4000]
A_WEIGHT = {125: -16.1, 250: -8.6, 500: -3.2, 1000: 0.0, 2000: 1.2, 4000: 1.0}

# levels[hour][band]
levels = []
for hour in range(24):
    traffic = 8 * math.sin(math.pi * (hour - 6) / 12) if 6 <= hour < 22 else -9
    row = []
    for j, band in enumerate(BANDS):
        row.append(round(58 + traffic - 1.8 * j + 2.5 * math.sin(1.1 * hour * (j + 1)), 1))
    levels.append(row)


def add_levels(values):
    total = 0.0
    for value in values:
        total += 10 ** (value / 10)
    return 10 * math.log10(total)


hourly = []
for row in levels:
    weighted = []
    for j, band in enumerate(BANDS):
        weighted.append(row[j] + A_WEIGHT[band])
    hourly.append(add_levels(weighted))


def leq(values):
    return add_levels(values) - 10 * math.log10(len(values))


leq24 = leq(hourly)
day = leq(hourly[7:19])
evening = leq(hourly[19:23])
night = leq(hourly[23:] + hourly[:7])

energy = 12 * 10 ** (day / 10) + 4 * 10 ** ((evening + 5) / 10) + 8 * 10 ** ((night + 10) / 10)
lden = 10 * math.log10(energy / 24)


def exceeded(values, percent):
    """The level that is exceeded in that part of the hours, between two hours on a line."""
    ordered = sorted(values)
    position = (100 - percent) / 100 * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (position - low) * (ordered[high] - ordered[low])


l10 = exceeded(hourly, 10)
l90 = exceeded(hourly, 90)
climate = l10 - l90
pollution = leq24 + climate

# reverberation of the room: surfaces in m2, absorption per band
surfaces = [
    ("floor", 54.0, [0.02, 0.03, 0.03, 0.03, 0.03, 0.02]),
    ("ceiling", 54.0, [0.25, 0.45, 0.70, 0.80, 0.75, 0.70]),
    ("walls", 72.0, [0.03, 0.03, 0.04, 0.05, 0.06, 0.07]),
    ("windows", 18.0, [0.35, 0.25, 0.18, 0.12, 0.07, 0.04]),
]
volume = 9.0 * 6.0 * 3.0
AIR = [0.0, 0.0, 0.0, 0.003, 0.009, 0.024]

sabine = []
eyring = []
absorption = []
for j in range(len(BANDS)):
    area = 0.0
    room = 0.0
    for name, s, alpha in surfaces:
        area += s
        room += s * alpha[j]
    mean_alpha = room / area
    absorption.append(room)
    sabine.append(0.161 * volume / (room + AIR[j] * volume))
    eyring.append(0.161 * volume / (-area * math.log(1 - mean_alpha) + AIR[j] * volume))

t_mid = (sabine[2] + sabine[3]) / 2

# insulation: noise in the room through the windows, at the loudest hour
REDUCTION = [22.0, 27.0, 33.0, 36.0, 34.0, 38.0]
worst = max(range(24), key=lambda h: hourly[h])
inside = []
for j, band in enumerate(BANDS):
    facade = levels[worst][j] + 3
    inside.append(facade - REDUCTION[j] + 10 * math.log10(18.0 / absorption[j]))
inside_a = add_levels([inside[j] + A_WEIGHT[b] for j, b in enumerate(BANDS)])

print("hourly", *[round(x, 8) for x in hourly])
print("leq", leq24, day, evening, night, lden)
print("levels", l10, l90, climate, pollution)
print("sabine", *[round(x, 8) for x in sabine])
print("eyring", *[round(x, 8) for x in eyring])
print("mid", t_mid)
print("inside", worst, *[round(x, 8) for x in inside], inside_a)
