"""Seats of a city council, from votes in four districts."""
import numpy as np
import pandas as pd

votes = pd.read_csv("votes.csv")
districts = pd.read_csv("districts.csv").set_index("district").sort_index()
last = pd.read_csv("last.csv").set_index("party")["votes"]
HURDLE = 0.05

by_party = votes.groupby("party")["votes"].sum()
cast = by_party.sum()
vote_share = by_party / cast
admitted = vote_share[vote_share >= HURDLE].index


def divide(counts, seats, divisor):
    """Give seats one after the other to the highest quotient."""
    won = pd.Series(0, index=counts.index)
    for _ in range(seats):
        quotient = counts / divisor(won)
        won[quotient.idxmax()] += 1
    return won


def dhondt(n):
    return n + 1


def sainte_lague(n):
    return 2 * n + 1


grid = {}
for name, group in votes.groupby("district"):
    counts = group.set_index("party")["votes"]
    counts = counts[counts.index.isin(admitted)]
    grid[name] = divide(counts, int(districts.loc[name, "seats"]), dhondt)
allotted = pd.DataFrame(grid).fillna(0).astype(int).reindex(by_party.index, fill_value=0)
seats = allotted.sum(axis=1)
house = seats.sum()
seat_share = seats / house

whole = divide(by_party[admitted], int(house), sainte_lague).reindex(by_party.index, fill_value=0)
moved = int((seats - whole).abs().sum() // 2)

# how far the seats are from the votes
gap = 100 * (seat_share - vote_share)
gallagher = np.sqrt((gap**2).sum() / 2)
loosemore = gap.abs().sum() / 2
effective_votes = 1 / (vote_share**2).sum()
effective_seats = 1 / (seat_share**2).sum()
wasted = by_party[seats == 0].sum() / cast

# who came to vote
turned_out = votes.groupby("district")["votes"].sum() / districts["electorate"]
turnout = cast / districts["electorate"].sum()
weight = (districts["electorate"] / districts["seats"]) / (districts["electorate"].sum() / house)

# against the last election; new parties had nothing, old ones have nothing now
both = pd.concat([by_party, last], axis=1, keys=["now", "then"]).fillna(0).sort_index()
both = both / both.sum()
swing = 100 * (both["now"] - both["then"])
volatility = swing.abs().sum() / 2

# the smallest number of parties with a majority
ordered = seats.sort_values(ascending=False, kind="stable")
coalition = int((ordered.cumsum() <= house // 2).sum()) + 1
spare = ordered.iloc[:coalition].sum() - (house // 2 + 1)

print("share", *vote_share)
print("seats", *seats, "of", house)
print("whole city", *whole, moved)
print("indices", gallagher, loosemore, effective_votes, effective_seats, wasted)
print("turnout", *turned_out, turnout)
print("weight", *weight)
print("swing", *swing, volatility)
print("coalition", coalition, spare)
