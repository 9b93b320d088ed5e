#!/usr/bin/env python3
import csv
from collections import Counter

WATER_MONO, WATER_AVG = 18.01056, 18.01528
PROTON = 1.007276
N_TERM, C_TERM = 8.6, 3.6


def load_fasta(path):
    lines = open(path).read().splitlines()
    return "".join(line.strip() for line in lines if not line.startswith(">"))


class Residue:
    def __init__(self, row):
        self.mono = float(row["mono"])
        self.avg = float(row["average"])
        self.kd = float(row["hydropathy"])
        self.pk = float(row["pk"]) if row["pk"] else None
        self.sign = int(row["charge"]) if row["charge"] else 0


table = {row["code"]: Residue(row) for row in csv.DictReader(open("aminoacids.csv"))}
SIGNAL = 18
mature = load_fasta("lysozyme.fasta")[SIGNAL:]
count = Counter(mature)
length = len(mature)


def net_charge(ph, composition):
    total = 1 / (1 + 10 ** (ph - N_TERM)) - 1 / (1 + 10 ** (C_TERM - ph))
    for aa, k in composition.items():
        residue = table[aa]
        if residue.sign > 0:
            total += k / (1 + 10 ** (ph - residue.pk))
        elif residue.sign < 0:
            total -= k / (1 + 10 ** (residue.pk - ph))
    return total


def isoelectric(composition):
    low, high = 0.0, 14.0
    while high - low > 1e-11:
        middle = (low + high) / 2
        if net_charge(middle, composition) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def trypsin(seq):
    pieces, begin = [], 0
    for i in range(len(seq) - 1):
        if seq[i] in "KR" and seq[i + 1] != "P":
            pieces.append((begin + 1, seq[begin : i + 1]))
            begin = i + 1
    pieces.append((begin + 1, seq[begin:]))
    return pieces


def profile(seq, window=9, edge=0.4):
    half = window // 2
    weight = [edge + (1 - edge) * (half - abs(j)) / half for j in range(-half, half + 1)]
    values = []
    for i in range(half, len(seq) - half):
        values.append(sum(w * table[seq[i + j - half]].kd for j, w in enumerate(weight)) / sum(weight))
    return values


weight_avg = sum(table[aa].avg for aa in mature) + WATER_AVG
bridges = count["C"] // 2
reduced = 5500 * count["W"] + 1490 * count["Y"]
extinction = reduced + 125 * bridges
a280 = extinction / weight_avg
gravy = sum(table[aa].kd * k for aa, k in count.items()) / length
aliphatic = 100 * (count["A"] + 2.9 * count["V"] + 3.9 * (count["I"] + count["L"])) / length
pi = isoelectric(count)

hydropathy = profile(mature)
centre = hydropathy.index(max(hydropathy)) + 4 + 1

seen = []
for start, piece in trypsin(mature):
    mass = sum(table[aa].mono for aa in piece) + WATER_MONO
    mass += 57.02146 * piece.count("C")  # iodoacetamide
    z = 1 + sum(piece.count(aa) for aa in "KRH")
    mz = (mass + z * PROTON) / z
    if 400 <= mz <= 1200:
        seen.append((mz, z, start, piece))
seen.sort()
coverage = sum(len(piece) for *_, piece in seen) / length

print("residues", length, "mass", round(weight_avg, 4), "pI", round(pi, 6))
print("charge at 7.4:", round(net_charge(7.4, count), 6))
print("extinction", extinction, "reduced", reduced, "A280", round(a280, 6))
print("GRAVY", round(gravy, 6), "aliphatic", round(aliphatic, 4))
print("most hydrophobic at", centre, "with", round(max(hydropathy), 6), "least", round(min(hydropathy), 6))
for mz, z, start, piece in seen:
    print(f"{mz:.5f} {z}+ {start} {piece}")
print("coverage", round(coverage, 6))
