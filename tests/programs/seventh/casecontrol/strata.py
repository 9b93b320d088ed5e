"""Alcohol and cancer of the oesophagus, by strata of age and tobacco."""
import csv
from collections import defaultdict
from math import exp, log, sqrt

import numpy as np
from scipy import optimize, stats

records = list(csv.DictReader(open("study.csv")))
cells = defaultdict(lambda: [0, 0, 0, 0])  # a, b, c, d
dose_table = defaultdict(lambda: [0, 0])
for r in records:
    exposed = r["drinks"] == "80+"
    is_case = r["case"] == "1"
    column = (0 if is_case else 1) + (0 if exposed else 2)
    cells[r["age"], r["smoke"]][column] += int(r["n"])
    dose_table[r["drinks"]][0 if is_case else 1] += int(r["n"])

tables = np.array([cells[key] for key in sorted(cells)], float)
a, b, c, d = tables.T
n = tables.sum(axis=1)

# crude
A, B, C, D = tables.sum(axis=0)
crude = A * D / (B * C)
woolf_se = sqrt(1 / A + 1 / B + 1 / C + 1 / D)
crude_ci = [crude * exp(sign * 1.959964 * woolf_se) for sign in (-1, 1)]

# Mantel and Haenszel
R = a * d / n
S = b * c / n
or_mh = R.sum() / S.sum()
P = (a + d) / n
Q = (b + c) / n
var_log = (
    (P * R).sum() / (2 * R.sum() ** 2)
    + (P * S + Q * R).sum() / (2 * R.sum() * S.sum())
    + (Q * S).sum() / (2 * S.sum() ** 2)
)
mh_ci = [exp(log(or_mh) + sign * 1.959964 * sqrt(var_log)) for sign in (-1, 1)]

expected = (a + b) * (a + c) / n
variance = (a + b) * (c + d) * (a + c) * (b + d) / (n**2 * (n - 1))
chi_mh = (abs(a.sum() - expected.sum()) - 0.5) ** 2 / variance.sum()
p_mh = stats.chi2.sf(chi_mh, 1)

# Breslow and Day: is the ratio the same in all strata?
bd = 0.0
fitted = []
for ai, bi, ci, di in tables:
    m1, n1 = ai + ci, ai + bi
    low, high = max(0, n1 - (bi + di)), min(m1, n1)
    fit = optimize.brentq(
        lambda x: x * (bi + di - n1 + x) - or_mh * (m1 - x) * (n1 - x), low + 1e-9, high - 1e-9, xtol=1e-13
    )
    v = 1 / (1 / fit + 1 / (n1 - fit) + 1 / (m1 - fit) + 1 / (bi + di - n1 + fit))
    bd += (ai - fit) ** 2 / v
    fitted.append(fit)
p_bd = stats.chi2.sf(bd, len(tables) - 1)

# trend over the doses (Armitage)
levels = ["0-39", "40-79", "80+"]
score = np.array([20, 60, 100])
cases = np.array([dose_table[level][0] for level in levels])
totals = np.array([sum(dose_table[level]) for level in levels])
share = cases.sum() / totals.sum()
t = (score * (cases - totals * share)).sum()
var_t = share * (1 - share) * ((totals * score**2).sum() - (totals * score).sum() ** 2 / totals.sum())
z = t / sqrt(var_t)
attributable = A / (A + C) * (or_mh - 1) / or_mh

print(f"crude {crude:.8f} ({crude_ci[0]:.6f} to {crude_ci[1]:.6f})")
print(f"Mantel-Haenszel {or_mh:.8f} ({mh_ci[0]:.6f} to {mh_ci[1]:.6f})")
print(f"chi2 {chi_mh:.6f}, p {p_mh:.6e}")
print(f"Breslow-Day {bd:.6f}, p {p_bd:.8f}, first {fitted[0]:.6f}")
print(f"trend z {z:.8f}, attributable {attributable:.8f}")
