import numpy as np
import pandas as pd

RULES = {"normal": 38.5, "overtime": 0.25, "saturday": 0.5, "insurance": 0.1995, "ceiling": 4000, "child": 45, "side": 0.21}


def minutes(column):
    parts = column.str.split(":", expand=True).astype(int)
    return 60 * parts[0] + parts[1]


def load():
    people = pd.read_csv("staff.csv").set_index("name")
    sheets = pd.read_csv("sheets.csv")
    sheets["begin"] = minutes(sheets["start"])
    sheets["h"] = (minutes(sheets["end"]) - sheets["begin"] - sheets["pause"]) / 60
    return people, sheets


def income_tax(base):
    return 0.2 * (base - 1000).clip(lower=0) + 0.1 * (base - 2000).clip(lower=0)


people, sheets = load()

# hours: a row for each person, a column for each week
by_week = sheets.pivot_table(index="name", columns="week", values="h", aggfunc="sum", fill_value=0)
overtime = (by_week - RULES["normal"]).clip(lower=0).sum(axis=1)
on_saturday = sheets[sheets["day"] == 6].groupby("name")["h"].sum()

pay = people.copy()
pay["hours"] = by_week.sum(axis=1)
pay["over"] = overtime
pay["sat"] = on_saturday.reindex(pay.index).fillna(0)
pay["days"] = sheets.groupby("name").size()
pay["late"] = (sheets["begin"] > 8 * 60).groupby(sheets["name"]).sum()
pay["base"] = pay["hours"] * pay["rate"]
pay["extras"] = pay["rate"] * (RULES["overtime"] * pay["over"] + RULES["saturday"] * pay["sat"])
pay["brutto"] = pay["base"] + pay["extras"]
pay["social"] = RULES["insurance"] * pay["brutto"].clip(upper=RULES["ceiling"])
pay["free"] = RULES["child"] * pay["children"]
pay["tax"] = income_tax((pay["brutto"] - pay["social"] - pay["free"]).clip(lower=0))
pay["netto"] = (pay["brutto"] - pay["social"] - pay["tax"]).round(2)

units = pay.groupby("department").agg(heads=("rate", "size"), brutto=("brutto", "sum"), hours=("hours", "sum"))
units["per_hour"] = (1 + RULES["side"]) * units["brutto"] / units["hours"]

spread = np.sort(pay["netto"].to_numpy())
differences = np.abs(spread[:, None] - spread[None, :])
inequality = differences.mean() / (2 * spread.mean())
week_hours = by_week.sum()
top_week = week_hours.idxmax()

for name, row in pay.sort_index().iterrows():
    print(name, f"{row.hours:.4f} {row.over:.4f} {row.days} {row.brutto:.6f} {row.tax:.6f} {row.netto:.2f} {row.late}")
for name, row in units.iterrows():
    print(name, int(row.heads), f"{row.brutto:.6f} {row.per_hour:.8f}")
print(f"gini {inequality:.9f} median {np.median(spread):.2f} mean {spread.mean():.6f} sd {spread.std(ddof=1):.6f}")
print("busiest week", top_week)
