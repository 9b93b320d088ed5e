import csv
import math
from collections import defaultdict
from dataclasses import dataclass, field

PLOT_HA = 0.04
VOLUME = {  # species: a, b, c of  v = a * d^b * h^c
    "spruce": (5.28e-5, 1.78, 1.08),
    "beech": (3.91e-5, 1.93, 1.02),
    "pine": (6.02e-5, 1.83, 0.96),
}


def naslund(dbh, c0=1.6, c1=0.19):
    """Height where none was measured."""
    return 1.3 + (dbh / (c0 + c1 * dbh)) ** 2


@dataclass
class Plot:
    stratum: str
    trees: list = field(default_factory=list)

    def add(self, species, dbh, height):
        ba = math.pi * (dbh / 200) ** 2
        a, b, c = VOLUME[species]
        self.trees.append((dbh, height, ba, a * dbh**b * height**c))

    @property
    def basal_area(self):
        return sum(t[2] for t in self.trees) / PLOT_HA

    @property
    def volume(self):
        return sum(t[3] for t in self.trees) / PLOT_HA

    @property
    def qmd(self):
        mean_square = sum(t[0] ** 2 for t in self.trees) / len(self.trees)
        return math.sqrt(mean_square)

    @property
    def lorey(self):
        return sum(t[1] * t[2] for t in self.trees) / sum(t[2] for t in self.trees)

    @property
    def dominant(self):
        count = round(100 * PLOT_HA)
        thick = sorted(self.trees, key=lambda t: -t[0])[:count]
        return sum(t[1] for t in thick) / count


def gini(values):
    ordered = sorted(values)
    stems = len(ordered)
    weighted = sum((i + 1) * v for i, v in enumerate(ordered))
    return 2 * weighted / (stems * sum(ordered)) - (stems + 1) / stems


plots = {}
with open("trees.csv") as handle:
    for rec in csv.DictReader(handle):
        plot = plots.setdefault(rec["plot"], Plot(rec["stratum"]))
        dbh = float(rec["dbh"])
        height = float(rec["height"]) if rec["height"] else naslund(dbh)
        plot.add(rec["species"], dbh, height)

with open("strata.csv") as handle:
    hectares = {rec["stratum"]: float(rec["hectares"]) for rec in csv.DictReader(handle)}
forest = sum(hectares.values())

by_stratum = defaultdict(list)
for plot in plots.values():
    by_stratum[plot.stratum].append(plot.volume)

mean_volume = 0.0
variance = 0.0
for stratum, area in hectares.items():
    sample = by_stratum[stratum]
    n = len(sample)
    mean = sum(sample) / n
    s2 = sum((v - mean) ** 2 for v in sample) / (n - 1)
    weight = area / forest
    fpc = 1 - n * PLOT_HA / area
    mean_volume += weight * mean
    variance += weight**2 * s2 / n * fpc
    print(f"stratum {stratum}: {n} plots on {area} ha, {mean:.5f} m3/ha, variance {s2:.5f}")

for name in sorted(plots):
    p = plots[name]
    print(f"{name} G={p.basal_area:.6f} V={p.volume:.5f} dq={p.qmd:.5f} hL={p.lorey:.5f} hdom={p.dominant:.5f}")

std_error = math.sqrt(variance)
all_ba = [t[2] for p in plots.values() for t in p.trees]
inequality = gini(all_ba)
print(f"stock {mean_volume:.5f} m3/ha, standard error {std_error:.6f}, total {mean_volume * forest:.3f} m3")
print(f"gini of basal area {inequality:.7f}")
