"""Glicko-2, all players at once (the class is gone; the table stays a table)."""
import numpy as np
import pandas as pd

TAU = 0.5
FACTOR = 173.7178

people = pd.read_csv("players.csv", index_col="name")
games = pd.read_csv("games.csv")
games["score"] = games["result"].map({"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5})

r = (people["rating"] - 1500) / FACTOR
rd = people["rd"] / FACTOR
damp = (1 + 3 * rd**2 / np.pi**2) ** -0.5

# each game twice: once from either side
sides = pd.concat(
    [
        games.rename(columns={"white": "me", "black": "you"})[["me", "you", "score"]],
        games.assign(score=1 - games["score"]).rename(columns={"black": "me", "white": "you"})[["me", "you", "score"]],
    ],
    ignore_index=True,
)
sides["g"] = sides["you"].map(damp)
sides["gap"] = sides["me"].map(r) - sides["you"].map(r)
sides["win"] = 1 / (1 + np.exp(-sides["g"] * sides["gap"]))
sides["info"] = sides["g"] ** 2 * sides["win"] * (1 - sides["win"])
sides["push"] = sides["g"] * (sides["score"] - sides["win"])
sums = sides.groupby("me")[["score", "info", "push"]].sum().reindex(people.index, fill_value=0)

variance = 1 / sums["info"]
improvement = variance * sums["push"]


def volatility(vol, phi2, v, d2):
    """The root of Glickman's f, by bisection from both sides of it."""

    def f(x):
        s = phi2 + v + np.exp(x)
        return np.exp(x) * (d2 - s) / (2 * s**2) - (x - anchor) / TAU**2

    anchor = 2 * np.log(vol)
    lo = anchor - 20 * TAU
    hi = anchor + 20 * TAU
    for _ in range(90):
        mid = (lo + hi) / 2
        lo, hi = np.where(f(mid) > 0, (mid, hi), (lo, mid))
    return np.exp(mid / 2)


vol = pd.Series(
    volatility(people["vol"].to_numpy(), (rd**2).to_numpy(), variance.to_numpy(), improvement.to_numpy() ** 2), people.index
)
inflated = rd**2 + vol**2
rd_after = 1 / np.sqrt(1 / inflated + 1 / variance)
r_after = r + rd_after**2 * sums["push"]

result = pd.DataFrame(
    {
        "points": sums["score"],
        "rating": r_after * FACTOR + 1500,
        "rd": rd_after * FACTOR,
        "vol": vol,
        "change": FACTOR * (r_after - r),
    }
).sort_values(["points", "rating"], ascending=False)
result["low"] = result["rating"] - 1.96 * result["rd"]
result["high"] = result["rating"] + 1.96 * result["rd"]

# how good were the forecasts?
pooled = np.sqrt(games["white"].map(rd) ** 2 + games["black"].map(rd) ** 2)
edge = games["white"].map(r) - games["black"].map(r)
forecast = 1 / (1 + np.exp(-edge / np.sqrt(1 + 3 * pooled**2 / np.pi**2)))
brier = ((games["score"] - forecast) ** 2).mean()

for place, row in enumerate(result.itertuples(), 1):
    print(f"{place} {row.Index:6s} {row.points:.1f} {row.rating:.6f} {row.rd:.6f} {row.vol:.9f} {row.change:+.6f}", end=" ")
    print(f"{row.low:.5f} {row.high:.5f}")
print(f"Brier {brier:.8f}, mean rating {result['rating'].mean():.6f}")
