"""Edit distances between place names, their medoid and a single-linkage tree."""

import re

NAMES = [
    "Hamburg", "Homburg", "Hamborn", "Bamberg", "Nurnberg", "Bernburg", "Marburg", "Magdeburg", "Amberg", "Sonneberg",
]
CUTOFF = 3.0


def levenshtein(s, t):
    s, t = s.lower(), t.lower()
    previous = list(range(len(t) + 1))
    for i, cs in enumerate(s, start=1):
        current = [i]
        for j, ct in enumerate(t, start=1):
            cost = 0 if cs == ct else 1
            current.append(min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost))
        previous = current
    return previous[-1]


def skeleton(name):
    """Consonants only, doubled letters once."""
    bare = re.sub(r"[aeiou]", "", name.lower())
    return re.sub(r"(.)\1+", r"\1", bare)


def linkage(dist):
    """Single linkage: heights at which clusters are merged."""
    clusters = [[i] for i in range(len(dist))]
    heights = []
    while len(clusters) > 1:
        best = None
        for p in range(len(clusters)):
            for q in range(p + 1, len(clusters)):
                gap = min(dist[i][j] for i in clusters[p] for j in clusters[q])
                if best is None or gap < best[0]:
                    best = (gap, p, q)
        gap, p, q = best
        heights.append(gap)
        clusters[p] = clusters[p] + clusters[q]
        del clusters[q]
    return heights


def main():
    n = len(NAMES)
    dist = [[levenshtein(a, b) for b in NAMES] for a in NAMES]
    similarity = [[1 - dist[i][j] / max(len(NAMES[i]), len(NAMES[j])) for j in range(n)] for i in range(n)]

    mean_dist = [sum(row) / (n - 1) for row in dist]
    medoid = min(range(n), key=lambda i: mean_dist[i])
    nearest = []
    for i in range(n):
        others = [j for j in range(n) if j != i]
        nearest.append(min(others, key=lambda j: dist[i][j]))

    close_pairs = [(NAMES[i], NAMES[j]) for i in range(n) for j in range(i + 1, n) if dist[i][j] <= CUTOFF]
    merge_heights = linkage(dist)
    tree_length = sum(merge_heights)

    skeletons = [skeleton(name) for name in NAMES]
    skeleton_dist = [levenshtein(skeletons[medoid], s) for s in skeletons]
    total_similarity = sum(similarity[i][j] for i in range(n) for j in range(i))

    for i, name in enumerate(NAMES):
        print(f"{name:10s} {skeletons[i]:7s} {mean_dist[i]:.6f} {NAMES[nearest[i]]} {skeleton_dist[i]}")
    print("medoid", NAMES[medoid])
    print("close", len(close_pairs), " ".join(f"{a}-{b}" for a, b in close_pairs))
    print("merges", *merge_heights, "sum", tree_length)
    print(f"similarity {total_similarity:.9f}")


if __name__ == "__main__":
    main()
