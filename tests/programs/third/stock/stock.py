"""ABC analysis of a bakery and what to bake next week."""

import math
import os

import pandas as pd

here = os.path.dirname(os.path.abspath(__file__))
sales = pd.read_csv(os.path.join(here, "sales.csv"))

Z = 1.645
LEAD_WEEKS = 2
ORDER_COST = 4.0
HOLDING = 0.02

sales["revenue"] = sales["units"] * sales["price"]
sales["margin"] = sales["units"] * (sales["price"] - sales["cost"])

by_item = sales.groupby("item").agg(
    revenue=("revenue", "sum"),
    margin=("margin", "sum"),
    mean_units=("units", "mean"),
    sd_units=("units", "std"),
    last_cost=("cost", "last"),
)
by_item = by_item.sort_values("revenue", ascending=False)
by_item["share"] = by_item["revenue"] / by_item["revenue"].sum()
by_item["running"] = by_item["share"].cumsum()


def abc(running):
    if running <= 0.5:
        return "A"
    if running <= 0.85:
        return "B"
    return "C"


by_item["abc"] = [abc(r) for r in by_item["running"]]

safety = Z * by_item["sd_units"] * math.sqrt(LEAD_WEEKS)
reorder = by_item["mean_units"] * LEAD_WEEKS + safety
lot = (2 * by_item["mean_units"] * ORDER_COST / (HOLDING * by_item["last_cost"])) ** 0.5

group_margin = sales.groupby("group")["margin"].sum()
group_rate = group_margin / sales.groupby("group")["revenue"].sum()
weekly = sales.groupby("week")["revenue"].sum()
growth = weekly.iloc[-1] / weekly.iloc[0] - 1

print("items", list(by_item.index))
print("running", by_item["running"].round(6).tolist())
print("abc", "".join(by_item["abc"]))
print("reorder", reorder.round(6).tolist())
print("lot", lot.round(6).tolist())
print("group rate", group_rate.round(6).tolist())
print("growth", round(growth, 6))
