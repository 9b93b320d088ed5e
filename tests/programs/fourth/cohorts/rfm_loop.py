"""Customers of a web shop: recency, frequency, money, and who comes back in which month."""

import csv
import datetime as dt
from collections import defaultdict

TODAY = dt.date(2024, 7, 1)

orders = []
with open("orders.csv") as handle:
    for row in csv.DictReader(handle):
        paid = float(row["net"]) * (1 - float(row["discount"])) - float(row["returned"])
        orders.append((row["customer"], dt.date.fromisoformat(row["date"]), row["channel"], paid))

history = defaultdict(list)
for customer, date, channel, paid in orders:
    history[customer].append((date, channel, paid))

customers = sorted(history)
recency, frequency, money = [], [], []
for c in customers:
    dates = [d for d, _, _ in history[c]]
    recency.append((TODAY - max(dates)).days)
    frequency.append(len(dates))
    money.append(sum(p for _, _, p in history[c]))


def score(values, reverse=False):
    """1 to 4 by quartile: how many of the three cuts lie below, ends turned for recency."""
    s = sorted(values)
    cuts = []
    for q in (0.25, 0.5, 0.75):
        pos = q * (len(s) - 1)
        k = int(pos)
        cuts.append(s[k] + (pos - k) * (s[k + 1] - s[k]))
    out = []
    for v in values:
        points = 1 + sum(v > c for c in cuts)
        out.append(5 - points if reverse else points)
    return out


r_score = score(recency, reverse=True)
f_score = score(frequency)
m_score = score(money)
rfm = [100 * r + 10 * f + m for r, f, m in zip(r_score, f_score, m_score)]
best = [c for c, s in zip(customers, rfm) if s >= 333]

# cohorts: month of the first order against months since then
first = {c: min(d for d, _, _ in history[c]) for c in customers}
sizes = defaultdict(int)
seen = defaultdict(set)
for c in customers:
    month = first[c].month
    sizes[month] += 1
    for d, _, _ in history[c]:
        seen[month, d.month - month].add(c)
retention = []
for month in sorted(sizes):
    retention.append([len(seen[month, k]) / sizes[month] for k in range(4)])

gaps = []
for c in customers:
    dates = sorted(d for d, _, _ in history[c])
    for earlier, later in zip(dates, dates[1:]):
        gaps.append((later - earlier).days)
mean_gap = sum(gaps) / len(gaps)

by_channel = defaultdict(float)
for _, _, channel, paid in orders:
    by_channel[channel] += paid
income = sum(by_channel.values())
share = {name: by_channel[name] / income for name in sorted(by_channel)}

ranked = sorted(money, reverse=True)
top = sum(ranked[: len(ranked) // 5 + 1]) / sum(ranked)

# money of each month, and its running mean over three
monthly = [0.0] * 6
for _, d, _, paid in orders:
    monthly[d.month - 1] += paid
running = []
for k in range(2, 6):
    running.append(sum(monthly[k - 2 : k + 1]) / 3)

print("recency", *recency)
print("money", *[round(m, 6) for m in money])
print("rfm", *rfm)
print("best", len(best), *best)
for line in retention:
    print("retention", *[round(x, 6) for x in line])
print("gap", round(mean_gap, 8))
print("share", *[round(x, 8) for x in share.values()])
print("top", round(top, 8))
print("running", *[round(x, 6) for x in running])
