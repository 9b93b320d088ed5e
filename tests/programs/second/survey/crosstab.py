"""Smoking and exercise: chi-square, G and ordinal association of a 3 x 3 table."""

import csv
from collections import Counter
from math import exp, log, sqrt

SMOKING = ("never", "occasional", "regular")
EXERCISE = ("none", "some", "frequent")

with open("survey.csv") as f:
    people = list(csv.DictReader(f))

cells = Counter((p["smoking"], p["exercise"]) for p in people)
n = sum(cells.values())
row_totals = {s: sum(cells[s, e] for e in EXERCISE) for s in SMOKING}
col_totals = {e: sum(cells[s, e] for s in SMOKING) for e in EXERCISE}

chi2 = 0.0
g = 0.0
expected = {}
residuals = {}
for s in SMOKING:
    for e in EXERCISE:
        expected[s, e] = row_totals[s] * col_totals[e] / n
        diff = cells[s, e] - expected[s, e]
        residuals[s, e] = diff / sqrt(expected[s, e])
        chi2 += diff ** 2 / expected[s, e]
        if cells[s, e]:
            g += 2 * cells[s, e] * log(cells[s, e] / expected[s, e])


def chi2_upper_even(x, df):
    """Upper tail for an even number of degrees of freedom."""
    term = total = 1.0
    for k in range(1, df // 2):
        term *= x / 2 / k
        total += term
    return exp(-x / 2) * total


df = (len(SMOKING) - 1) * (len(EXERCISE) - 1)
p_chi2 = chi2_upper_even(chi2, df)
p_g = chi2_upper_even(g, df)
cramers_v = sqrt(chi2 / (n * (min(len(SMOKING), len(EXERCISE)) - 1)))

# Goodman and Kruskal's gamma
concordant = discordant = 0
for i, s1 in enumerate(SMOKING):
    for j, e1 in enumerate(EXERCISE):
        for s2 in SMOKING[i + 1:]:
            for jj, e2 in enumerate(EXERCISE):
                pairs = cells[s1, e1] * cells[s2, e2]
                if jj > j:
                    concordant += pairs
                elif jj < j:
                    discordant += pairs
gamma = (concordant - discordant) / (concordant + discordant)

# odds of never smoking, frequent exercise against none
odds = {e: cells["never", e] / (col_totals[e] - cells["never", e]) for e in EXERCISE}
odds_ratio = odds["frequent"] / odds["none"]
mean_age = {s: sum(int(p["age"]) for p in people if p["smoking"] == s) / row_totals[s] for s in SMOKING}

for s in SMOKING:
    print(f"{s:10s}", *[f"{cells[s, e]:4d} ({expected[s, e]:.4f}, {residuals[s, e]:+.4f})" for e in EXERCISE])
print(f"chi2 {chi2:.8f} p {p_chi2:.8f}; G {g:.8f} p {p_g:.8f}; df {df}")
print(f"V {cramers_v:.8f} gamma {gamma:.8f} odds ratio {odds_ratio:.8f}")
print("mean age", *[f"{a:.4f}" for a in mean_age.values()])
