import numpy as np
import pandas as pd

snapshot = pd.Timestamp("2024-07-01")
df = pd.read_csv("orders.csv", parse_dates=["date"])
df["value"] = df["net"] - df["net"] * df["discount"] - df["returned"]

table = df.groupby("customer").agg(last=("date", "max"), n=("order", "count"), spent=("value", "sum"))
table["days"] = (snapshot - table["last"]).dt.days


def quartile(s):
    edges = s.quantile([0.25, 0.5, 0.75]).to_numpy()
    return pd.Series(np.searchsorted(edges, s, side="left") + 1, index=s.index)


table["R"] = 5 - quartile(table["days"])
table["F"] = quartile(table["n"])
table["M"] = quartile(table["spent"])
table["segment"] = table["R"] * 100 + table["F"] * 10 + table["M"]
loyal = table.index[table["segment"] >= 333]

# cohorts
df["month"] = df["date"].dt.month
df["cohort"] = df.groupby("customer")["month"].transform("min")
df["age"] = df["month"] - df["cohort"]
active = df.pivot_table(index="cohort", columns="age", values="customer", aggfunc="nunique", fill_value=0)
keep = active.div(active[0], axis=0).loc[:, 0:3]

df = df.sort_values(["customer", "date"])
wait = df.groupby("customer")["date"].diff().dt.days.dropna()
typical_wait = wait.mean()

channels = df.groupby("channel")["value"].sum()
fraction = channels / channels.sum()

largest = table["spent"].nlargest(len(table) // 5 + 1)
concentration = largest.sum() / table["spent"].sum()

per_month = df.groupby("month")["value"].sum().reindex(range(1, 7), fill_value=0.0)
smooth = per_month.rolling(3).mean().dropna()

print("recency", *table["days"])
print("money", *table["spent"].round(6))
print("rfm", *table["segment"])
print("best", len(loyal), *loyal)
for _, row in keep.iterrows():
    print("retention", *row.round(6))
print("gap", round(typical_wait, 8))
print("share", *fraction.round(8))
print("top", round(concentration, 8))
print("running", *smooth.round(6))
