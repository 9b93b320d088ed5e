"""Wages of four weeks from the time sheets: hours, overtime, Saturdays, deductions, by person and by department."""
import csv
from collections import defaultdict
from math import sqrt

NORMAL = 38.5  # hours a week
OVERTIME = 1.25
SATURDAY = 0.5
INSURANCE = 0.1995
CEILING = 4000.0
CHILD = 45.0

with open("staff.csv") as f:
    staff = {row["name"]: row for row in csv.DictReader(f)}


def hours(text):
    h, m = text.split(":")
    return int(h) + int(m) / 60


worked = defaultdict(float)  # (name, week) -> hours
saturdays = defaultdict(float)
days = defaultdict(set)
late = defaultdict(int)
with open("sheets.csv") as f:
    for row in csv.DictReader(f):
        length = hours(row["end"]) - hours(row["start"]) - int(row["pause"]) / 60
        worked[row["name"], row["week"]] += length
        days[row["name"]].add((row["week"], row["day"]))
        if row["day"] == "6":
            saturdays[row["name"]] += length
        if hours(row["start"]) > 8:
            late[row["name"]] += 1


def tax(month):
    """Nothing up to 1000, 20 % up to 2000, 30 % above."""
    brackets = [(1000, 0.0), (2000, 0.2), (float("inf"), 0.3)]
    due, lower = 0.0, 0
    for upper, share in brackets:
        if month > lower:
            due += (min(month, upper) - lower) * share
        lower = upper
    return due


slips = []
for name in sorted(staff):
    rate = float(staff[name]["rate"])
    weeks = [worked[name, week] for week in "1234"]
    total = sum(weeks)
    extra = sum(max(0.0, week - NORMAL) for week in weeks)
    gross = rate * (total + extra * (OVERTIME - 1) + saturdays[name] * SATURDAY)
    insurance = min(gross, CEILING) * INSURANCE
    allowance = CHILD * int(staff[name]["children"])
    taxable = max(0.0, gross - insurance - allowance)
    net = gross - insurance - tax(taxable)
    slips.append({"name": name, "department": staff[name]["department"], "total": total, "extra": extra,
                  "gross": gross, "tax": tax(taxable), "net": round(net, 2), "days": len(days[name])})

departments = {}
for slip in slips:
    d = departments.setdefault(slip["department"], {"gross": 0.0, "hours": 0.0, "people": 0})
    d["gross"] += slip["gross"]
    d["hours"] += slip["total"]
    d["people"] += 1
cost = {name: 1.21 * d["gross"] / d["hours"] for name, d in departments.items()}

# how unevenly it is paid
nets = sorted(slip["net"] for slip in slips)
k = len(nets)
gini = sum((2 * i - k + 1) * x for i, x in enumerate(nets)) / (k * sum(nets))
middle = nets[k // 2]
mean = sum(nets) / k
sd = sqrt(sum((x - mean) ** 2 for x in nets) / (k - 1))
busiest = max("1234", key=lambda week: sum(worked[name, week] for name in staff))

for slip in slips:
    print(slip["name"], "%.4f %.4f %d" % (slip["total"], slip["extra"], slip["days"]),
          "%.6f %.6f %.2f" % (slip["gross"], slip["tax"], slip["net"]), late[slip["name"]])
for name in sorted(departments):
    print(name, departments[name]["people"], "%.6f %.8f" % (departments[name]["gross"], cost[name]))
print("gini %.9f median %.2f mean %.6f sd %.6f" % (gini, middle, mean, sd))
print("busiest week", busiest)
