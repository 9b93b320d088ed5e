"""Average linkage of measuring stations, and how good the groups are."""

import math

stations = []
for i in range(12):
    group = i % 3
    x = 4.0 * group + math.sin(2.3 * i) + 0.2 * i
    y = 3.0 * (group == 1) + math.cos(1.9 * i)
    z = 50 + 10 * group + 6 * math.sin(0.7 * i)
    stations.append((x, y, z))
n = len(stations)

means = [sum(s[k] for s in stations) / n for k in range(3)]
sds = [math.sqrt(sum((s[k] - means[k]) ** 2 for s in stations) / (n - 1)) for k in range(3)]
scaled = [tuple((s[k] - means[k]) / sds[k] for k in range(3)) for s in stations]


def dist(p, q):
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(p, q)))


D = [[dist(p, q) for q in scaled] for p in scaled]


def linkage(c1, c2):
    total = 0.0
    for i in c1:
        for j in c2:
            total += D[i][j]
    return total / (len(c1) * len(c2))


clusters = [[i] for i in range(n)]
heights = []
while len(clusters) > 3:
    best = None
    for i in range(len(clusters)):
        for j in range(i + 1, len(clusters)):
            d = linkage(clusters[i], clusters[j])
            if best is None or d < best[0]:
                best = (d, i, j)
    d, i, j = best
    heights.append(d)
    merged = sorted(clusters[i] + clusters[j])
    clusters = [c for k, c in enumerate(clusters) if k not in (i, j)] + [merged]

clusters.sort()
label = [0] * n
for c, members in enumerate(clusters):
    for m in members:
        label[m] = c

sil = []
for i in range(n):
    own = [D[i][j] for j in clusters[label[i]] if j != i]
    a = sum(own) / len(own) if own else 0.0
    b = min(sum(D[i][j] for j in c) / len(c) for k, c in enumerate(clusters) if k != label[i])
    sil.append((b - a) / max(a, b) if own else 0.0)
mean_sil = sum(sil) / n

centroids = [[sum(scaled[m][k] for m in c) / len(c) for k in range(3)] for c in clusters]
inertia = sum(dist(scaled[i], centroids[label[i]]) ** 2 for i in range(n))
total_ss = sum(v * v for p in scaled for v in p)
explained = 1 - inertia / total_ss

print("labels", label)
print("heights", [round(v, 6) for v in heights])
print("silhouette", [round(v, 6) for v in sil], round(mean_sil, 6))
print("inertia", round(inertia, 6))
print("explained", round(explained, 6))
