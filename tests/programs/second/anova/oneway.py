"""One-way analysis of variance of plant height by fertilizer, by hand."""

import csv
import math

groups = {}
with open("plots.csv", newline="") as handle:
    for record in csv.DictReader(handle):
        groups.setdefault(record["fertilizer"], []).append(float(record["height"]))


def mean(values):
    return sum(values) / len(values)


def variance(values):
    m = mean(values)
    return sum((v - m) ** 2 for v in values) / (len(values) - 1)


labels = sorted(groups)
sizes = {g: len(groups[g]) for g in labels}
means = {g: mean(groups[g]) for g in labels}
variances = {g: variance(groups[g]) for g in labels}

everything = [v for g in labels for v in groups[g]]
grand_mean = mean(everything)
n_total = len(everything)
k = len(labels)

ss_between = 0.0
ss_within = 0.0
for g in labels:
    ss_between += sizes[g] * (means[g] - grand_mean) ** 2
    for v in groups[g]:
        ss_within += (v - means[g]) ** 2

df_between = k - 1
df_within = n_total - k
ms_between = ss_between / df_between
ms_within = ss_within / df_within
f_stat = ms_between / ms_within
eta_squared = ss_between / (ss_between + ss_within)
omega_squared = (ss_between - df_between * ms_within) / (ss_between + ss_within + ms_within)

# Bartlett's test of equal variances
weighted_logs = sum((sizes[g] - 1) * math.log(variances[g]) for g in labels)
bartlett_c = 1 + (sum(1 / (sizes[g] - 1) for g in labels) - 1 / df_within) / (3 * (k - 1))
bartlett = (df_within * math.log(ms_within) - weighted_logs) / bartlett_c

# all pairwise t statistics with the pooled variance
pairwise = {}
for i, g in enumerate(labels):
    for h in labels[i + 1:]:
        se = math.sqrt(ms_within * (1 / sizes[g] + 1 / sizes[h]))
        pairwise[(g, h)] = (means[g] - means[h]) / se

for g in labels:
    print(f"{g:6s} {sizes[g]:3d} {means[g]:10.6f} {variances[g]:10.6f}")
print(f"between {df_between} {ss_between:.6f} {ms_between:.6f} F {f_stat:.8f}")
print(f"within {df_within} {ss_within:.6f} {ms_within:.6f}")
print(f"eta2 {eta_squared:.8f} omega2 {omega_squared:.8f} bartlett {bartlett:.8f}")
for (g, h), t in pairwise.items():
    print(f"{g}-{h} {t:.6f}")
