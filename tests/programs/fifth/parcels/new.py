"""Invoices for parcels, with tables."""
import numpy as np
import pandas as pd

RATES = {"vat": 0.081, "fuel": 0.125, "express": 1.6, "bulky": 3.5}
CM3_PER_KG = 5000.0


def chargeable(df: pd.DataFrame) -> pd.Series:
    """Kilograms to pay for: real or volumetric, to the next half."""
    volumetric = df[["length", "width", "height"]].prod(axis=1) / CM3_PER_KG
    return np.ceil(np.maximum(df["kg"], volumetric) * 2) / 2


def freight_of(df: pd.DataFrame) -> pd.Series:
    extra = (df["chargeable"] - 1).clip(lower=0) * df["per_kg"]
    bulky = df[["length", "width", "height"]].max(axis=1) > 60
    factor = np.where(df["express"] == 1, RATES["express"], 1.0)
    return (df["base"] + extra + RATES["bulky"] * bulky) * factor * (1 + RATES["fuel"])


def insurance_of(value: pd.Series) -> pd.Series:
    premium = np.maximum(0.008 * (value - 100), 1.5)
    return premium.where(value > 100, 0.0)


def tiered(amount: pd.Series) -> pd.Series:
    first = amount.clip(40, 90) - 40
    second = (amount - 90).clip(lower=0)
    return 0.04 * first + 0.07 * second


shipments = pd.read_csv("parcels.csv").merge(pd.read_csv("tariffs.csv"), on="zone", how="left")
shipments["chargeable"] = chargeable(shipments)
shipments["freight"] = freight_of(shipments)
shipments["cover"] = insurance_of(shipments["value"])
shipments["price"] = shipments["freight"] + shipments["cover"]
handling = 3.1 + 0.42 * shipments["kg"]
shipments["margin"] = 1 - handling / shipments["price"]

due = shipments["promised"] - shipments["express"]
shipments["delay"] = (shipments["days"] - due).clip(lower=0)
rate_back = np.select(
    [(shipments["delay"] > 0) & (shipments["express"] == 1), shipments["delay"] > 1],
    [0.5, 0.2],
    default=0.0,
)
shipments["back"] = rate_back * shipments["freight"]

accounts = shipments.groupby("customer").agg(spent=("price", "sum"), back=("back", "sum"), n=("id", "size"))
accounts["rebate"] = tiered(accounts["spent"])
accounts["net"] = accounts["spent"] - accounts["rebate"] - accounts["back"]
accounts["bill"] = (accounts["net"] * (1 + RATES["vat"])).round(2)

takings = accounts["bill"].sum()
punctual = (shipments["delay"] == 0).mean()
per_kilo = (shipments["freight"] / shipments["chargeable"]).groupby(shipments["zone"]).mean()
typical = shipments["price"].median()
dearest = shipments.loc[shipments["price"].idxmax(), "id"]
mean_margin = shipments["margin"].mean()
air = 1 - shipments["kg"].sum() / shipments["chargeable"].sum()

print("billed", *shipments["chargeable"])
print("freight", shipments["freight"].sum(), *shipments["freight"].iloc[[0, 8]])
print("insurance", shipments["cover"].sum())
print("gross", *accounts["spent"])
print("discount", *accounts["rebate"])
print("refund", *accounts["back"])
print("invoice", *accounts["bill"], takings)
print("late", shipments["delay"].sum(), punctual)
print("per kg", *per_kilo)
print("price", typical, dearest, mean_margin, air)
