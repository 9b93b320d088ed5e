"""Hardy-Weinberg test for each SNP in the village samples."""

import csv
import math

SNPS = ["rs101", "rs205", "rs317"]

with open("genotypes.csv") as f:
    samples = list(csv.DictReader(f))


def count_genotypes(calls):
    """Counts of unordered genotypes, 'AG' and 'GA' being the same."""
    counts = {}
    for call in calls:
        if "N" in call:
            continue
        g = "".join(sorted(call))
        counts[g] = counts.get(g, 0) + 1
    return counts


def allele_counts(counts):
    alleles = {}
    for g, c in counts.items():
        for base in g:
            alleles[base] = alleles.get(base, 0) + c
    return alleles


def hwe_test(counts):
    alleles = allele_counts(counts)
    first, second = sorted(alleles)
    n = sum(counts.values())
    p = alleles[first] / (2 * n)
    q = 1 - p
    expected = {first * 2: n * p * p, first + second: 2 * n * p * q, second * 2: n * q * q}
    chi2 = 0.0
    for g, e in expected.items():
        chi2 += (counts.get(g, 0) - e) ** 2 / e
    het_obs = counts.get(first + second, 0) / n
    het_exp = 2 * p * q
    return {"n": n, "p": p, "chi2": chi2, "f": 1 - het_obs / het_exp}


def chi2_sf_1df(x):
    return math.erfc(math.sqrt(x / 2))


results = {}
missing = []
for snp in SNPS:
    calls = [s[snp] for s in samples]
    missing.append(sum("N" in c for c in calls) / len(calls))
    results[snp] = hwe_test(count_genotypes(calls))
    results[snp]["pvalue"] = chi2_sf_1df(results[snp]["chi2"])

freq = [results[s]["p"] for s in SNPS]
chi2 = [results[s]["chi2"] for s in SNPS]
inbreeding = [results[s]["f"] for s in SNPS]
pvalues = [results[s]["pvalue"] for s in SNPS]
used = [results[s]["n"] for s in SNPS]

# differentiation between villages at the first SNP (Wright's Fst)
villages = sorted(set(s["village"] for s in samples))
village_p = []
village_n = []
for v in villages:
    counts = count_genotypes([s["rs101"] for s in samples if s["village"] == v])
    test = hwe_test(counts)
    village_p.append(test["p"])
    village_n.append(test["n"])
p_bar = sum(p * n for p, n in zip(village_p, village_n)) / sum(village_n)
hs = sum(2 * p * (1 - p) * n for p, n in zip(village_p, village_n)) / sum(village_n)
ht = 2 * p_bar * (1 - p_bar)
fst = (ht - hs) / ht

for i, snp in enumerate(SNPS):
    print(f"{snp} n={used[i]} missing={missing[i]:.4f} p={freq[i]:.5f} "
          f"chi2={chi2[i]:.6f} P={pvalues[i]:.6f} F={inbreeding[i]:.6f}")
print("village frequencies:", " ".join(f"{v}={p:.5f}" for v, p in zip(villages, village_p)))
print(f"Hs={hs:.6f} Ht={ht:.6f} Fst={fst:.6f}")
